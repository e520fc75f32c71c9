/// Where zones come from; the real one reads the system's tz database.
package protocol ZoneSource: Sendable {
  /// - Throws: `ZoneError` with the nearest name, or with what is wrong with the data.
  func zone(named name: String) throws(ZoneError) -> Zone
}
