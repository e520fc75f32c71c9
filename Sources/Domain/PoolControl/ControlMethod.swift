/// One call of the control protocol: the value holds its parameters, the type knows its name and its answer.
package protocol ControlMethod: Codable, Sendable {
  associatedtype Reply: Codable & Sendable

  /// The whole name on the wire, such as `org.poolflow.Scheduler.Status`.
  static var method: String { get }
  /// True for a call that changes something.
  static var changes: Bool { get }
}

extension ControlMethod {
  package static var changes: Bool { false }
}
