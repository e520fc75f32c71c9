/// Loads time zones by name; the production implementation reads the system's tz database.
package protocol ZoneSource: Sendable {
  /// - Throws: `ZoneError.notFound` with the most similar name, or `.broken` with the fault in the zone's data.
  func zone(named name: String) throws(ZoneError) -> Zone
}
