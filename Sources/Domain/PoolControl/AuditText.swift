/// Pieces of the sentence that the audit tells of a call.
enum AuditText {
  static func joined(_ pieces: [String]) -> String { pieces.joined() }

  static func plain(_ value: some CustomStringConvertible) -> String { value.description }
  static func plain(_ value: (some CustomStringConvertible)?) -> String { value?.description ?? "" }

  /// The value after a space.
  static func spaced(_ value: (some CustomStringConvertible)?, otherwise: String) -> String {
    value.map { " \($0)" } ?? otherwise
  }

  static func option(_ name: String, _ value: (some CustomStringConvertible)?) -> String {
    value.map { " \(name) \($0)" } ?? ""
  }

  static func keys(_ pairs: [(key: String, value: String)]) -> String { pairs.map { " --\($0.key)" }.joined() }

  static func options(_ pairs: [(key: String, value: String)]) -> String {
    pairs.map { " --\($0.key) \($0.value)" }.joined()
  }

  static func assignments(_ pairs: [(key: String, value: String)]) -> String {
    pairs.map { " \($0.key)=\($0.value)" }.joined()
  }

  /// Whether a call only asks what it would do, or goes on with what was told before.
  static func isSet(_ flag: Bool?) -> Bool { flag == true }
  static func isSet(_ number: Int) -> Bool { number != 0 }
}
