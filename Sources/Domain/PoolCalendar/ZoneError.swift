/// Why a time zone cannot be used.
package enum ZoneError: Error, Hashable, CustomStringConvertible {
  /// There is no zone of this name; `suggestion` is the nearest name there is.
  case notFound(name: String, suggestion: String?)
  /// A name that people and the tz database read differently; `why` is a sentence that names it.
  case unclear(name: String, why: String)
  /// The zone's data exists but cannot be trusted; `why` is the part of a sentence after "because".
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
