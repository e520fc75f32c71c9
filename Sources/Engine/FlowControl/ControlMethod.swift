/// One call of the control protocol: the value holds the parameters, the type defines the method's name and answer.
package protocol ControlMethod: Codable, Sendable {
  associatedtype Reply: Codable & Sendable

  /// Full method name on the wire, such as `org.poolflow.Scheduler.Status`.
  static var method: String { get }
  /// True for a call that changes something.
  static var changes: Bool { get }
  /// Trade that the named team must have, as a raw value; nil if any trade is accepted.
  static var trade: String? { get }
  /// The value of the parameter `team`; nil for calls without it.
  var namedTeam: String? { get }
  /// The partition that the call concerns: its `#@ partition: …`, with the call's parameters.
  var partition: CallPartition { get }
  /// Wire names of all parameters.
  static var parameterNames: [String] { get }
  /// Audit text of the call, in the form of a `pfctl` command; nil if the call makes no lasting change. It contains only
  /// parameters that the interface description lists for it.
  var auditWords: String? { get }
  /// The id in the audit text that the name of the upload's file replaces: the parameter of `#@ audited file`; nil if there is
  /// none.
  var auditedUpload: String? { get }
  /// What a bug report keeps of the audit text: the `#@ report: …` of the call; nil for a call without audit text.
  static var auditRedaction: AuditRedaction? { get }
  /// Duration class of the call.
  static var work: CallWork { get }
  /// Duration class if the caller accepts several answers (`more`).
  static var streamingWork: CallWork { get }
  /// True if the answer can be too large to buffer unread: it is built only when the memory budget has room.
  static var answersAtLength: Bool { get }
  /// `answersAtLength` for a caller that accepts several answers (`more`).
  static var streamsAtLength: Bool { get }
}

extension ControlMethod {
  package static var changes: Bool { false }
  package static var trade: String? { nil }
  package var namedTeam: String? { nil }
  package var auditedUpload: String? { nil }
  package static var auditRedaction: AuditRedaction? { nil }
  package static var work: CallWork { .short }
  package static var streamingWork: CallWork { work }
  package static var answersAtLength: Bool { false }
  package static var streamsAtLength: Bool { answersAtLength }

  /// Default: a change is audited by its method name, without parameters.
  package var auditWords: String? {
    Self.changes ? Self.method.replacing("org.poolflow.", with: "") : nil
  }
}

extension ControlMethod where Reply: PagedReply {
  package static var answersAtLength: Bool { true }
}

/// Duration class of a call. Each class has its own concurrency limit, so that a status query never waits for an import.
package enum CallWork: Hashable, Sendable, CaseIterable {
  /// Queries and changes: some milliseconds of store time.
  case short
  /// Imports, backups, routes and simulations: seconds to minutes.
  case long
  /// Waiting for events: followers of events, and callers that wait for a run.
  case watching
}

/// The partition that a call concerns; `FlowWire.PartitionRule` describes how an interface declares it.
package indirect enum CallPartition: Hashable, Sendable {
  /// The partition of the team with this name.
  case team(String)
  /// The partition of the team of an upload of the caller's connection; `otherwise` if there is no such complete upload.
  case teamOfUpload(String, otherwise: CallPartition)
  /// Partition 0, which does the server-wide work.
  case server
  /// All partitions.
  case all
  /// No partition: any node answers the call.
  case none
}
