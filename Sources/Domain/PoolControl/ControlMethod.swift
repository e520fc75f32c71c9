/// One call of the control protocol: the value holds its parameters, the type knows its name and its answer.
package protocol ControlMethod: Codable, Sendable {
  associatedtype Reply: Codable & Sendable

  /// The whole name on the wire, such as `org.poolflow.Scheduler.Status`.
  static var method: String { get }
  /// True for a call that changes something.
  static var changes: Bool { get }
  /// The word of the trade that the team must have which it names; nil where any will do.
  static var trade: String? { get }
  /// The team that it names; nil of a call that any trade may make.
  var namedTeam: String? { get }
  /// The names on the wire of all its parameters.
  static var parameterNames: [String] { get }
  /// What the audit says of this call, as pfctl would be told; nil for what changes nothing that lasts. Of its parameters it
  /// tells those alone that the interface's description names for it.
  var auditWords: String? { get }
  /// How long the daemon is busy with it.
  static var work: CallWork { get }
  /// The same where its caller takes what comes before its last answer.
  static var streamingWork: CallWork { get }
  /// True where the answer may be longer than what any client may leave unread: it is made when there is room for it.
  static var answersAtLength: Bool { get }
  /// The same where its caller takes what comes before its last answer.
  static var streamsAtLength: Bool { get }
}

extension ControlMethod {
  package static var changes: Bool { false }
  package static var trade: String? { nil }
  package var namedTeam: String? { nil }
  package static var work: CallWork { .short }
  package static var streamingWork: CallWork { work }
  package static var answersAtLength: Bool { false }
  package static var streamsAtLength: Bool { answersAtLength }

  /// A change without words of its own is told by its name, and by none of its parameters.
  package var auditWords: String? {
    Self.changes ? Self.method.replacing("org.poolflow.", with: "") : nil
  }
}

extension ControlMethod where Reply: PagedReply {
  package static var answersAtLength: Bool { true }
}

/// How long the daemon is busy with a call. Each kind has places of its own, so that whoever asks how things stand never
/// waits behind an import.
package enum CallWork: Hashable, Sendable, CaseIterable {
  /// Questions and changes: some milliseconds of the store's time.
  case short
  /// Imports, backups, routes, simulations: seconds to minutes.
  case long
  /// Nothing but waiting for what happens: followers, and whoever waits for a run.
  case watching
}

/// An interface as its description language tells it: what a stranger's client reads to learn the calls.
///
/// The interfaces are the `.varlink` files of this room; the package's WirePlugin makes `all`, `methods` and the Swift types
/// from them.
package struct InterfaceDescription: Sendable {
  package let name: String
  /// Varlink interface definition language.
  package let text: String

  package init(name: String, text: String) {
    self.name = name
    self.text = text + "\n"
  }
}
