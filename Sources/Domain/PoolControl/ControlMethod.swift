/// One call of the control protocol: the value holds its parameters, the type knows its name and its answer.
package protocol ControlMethod: Codable, Sendable {
  associatedtype Reply: Codable & Sendable

  /// The whole name on the wire, such as `org.poolflow.Scheduler.Status`.
  static var method: String { get }
  /// True for a call that changes something.
  static var changes: Bool { get }
  /// The names on the wire of all its parameters.
  static var parameterNames: Set<String> { get }
  /// What the audit says of this call, as pfctl would be told; nil for what changes nothing that lasts. Of its parameters it
  /// tells those alone that the interface's description names for it.
  var auditWords: String? { get }
}

extension ControlMethod {
  package static var changes: Bool { false }

  /// A change without words of its own is told by its name, and by none of its parameters.
  package var auditWords: String? {
    Self.changes ? Self.method.replacing("org.poolflow.", with: "") : nil
  }
}
