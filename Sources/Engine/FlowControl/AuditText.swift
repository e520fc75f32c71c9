/// Helpers for the generated `auditWords` expressions (see `AuditTemplate`).
package enum AuditText {
  package static func joined(_ pieces: [String]) -> String { pieces.joined() }

  package static func plain(_ value: some CustomStringConvertible) -> String { value.description }
  package static func plain(_ value: (some CustomStringConvertible)?) -> String { value?.description ?? "" }

  /// A space and the value; `otherwise` if the value is nil.
  package static func spaced(_ value: (some CustomStringConvertible)?, otherwise: String) -> String {
    value.map { " \($0)" } ?? otherwise
  }

  /// A space, the option's name, a space and the value; empty if the value is nil.
  package static func option(_ name: String, _ value: (some CustomStringConvertible)?) -> String {
    value.map { " \(name) \($0)" } ?? ""
  }

  /// The same for a list, as `--by dan,keisha`.
  package static func option(_ name: String, _ values: [String]) -> String {
    option(name, values.isEmpty ? nil : values.joined(separator: ","))
  }

  /// The keys alone, as ` --KEY`, for pairs whose values are sensitive.
  package static func keys(_ pairs: [(key: String, value: String)]) -> String { pairs.map { " --\($0.key)" }.joined() }

  /// The pairs as ` --KEY VALUE`.
  package static func options(_ pairs: [(key: String, value: String)]) -> String {
    pairs.map { " --\($0.key) \($0.value)" }.joined()
  }

  /// The pairs as ` KEY=VALUE`.
  package static func assignments(_ pairs: [(key: String, value: String)]) -> String {
    pairs.map { " \($0.key)=\($0.value)" }.joined()
  }

  /// True for a dry run, or for the later part of a call whose first part was audited.
  package static func isSet(_ flag: Bool?) -> Bool { flag == true }
  package static func isSet(_ number: Int) -> Bool { number != 0 }
}
