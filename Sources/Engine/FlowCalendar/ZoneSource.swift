/// Loads time zones by name; the production implementation reads the system's tz database.
package protocol ZoneSource: Sendable {
  /// - Throws: `ZoneError.notFound` with the most similar name, or `.broken` with the fault in the zone's data.
  func zone(named name: String) throws(ZoneError) -> Zone
}

/// Reason why a time zone cannot be used.
package enum ZoneError: Error, Hashable, CustomStringConvertible {
  /// No zone has this name; `suggestion` is the most similar existing name.
  case notFound(name: String, suggestion: String?)
  /// People and the tz database read this name differently; `why` is a full sentence that contains the name.
  case unclear(name: String, why: String)
  /// The zone's data is damaged or unsupported; `why` completes the sentence after a colon.
  case broken(name: String, why: String)

  package var description: String {
    switch self {
    case .notFound(let name, let suggestion?): "there is no time zone '\(name)'; did you mean '\(suggestion)'?"
    case .notFound(let name, nil): "there is no time zone '\(name)'; write Area/City, such as America/Phoenix"
    case .unclear(_, let why): why
    case .broken(let name, let why): "the data of time zone '\(name)' cannot be used: \(why)"
    }
  }
}
