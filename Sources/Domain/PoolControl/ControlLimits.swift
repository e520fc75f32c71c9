package import PoolModel

extension Limits {
  /// Bytes of one answer that a client takes: `rowsPerAnswer` rows of 1.6 kB. Requests stay within `controlFrameBytes`.
  package static let controlReplyBytes = 16 << 20
  /// A caller that asks for an answer this late has lost its daemon: an import or a simulation may take minutes.
  package static let longCallDeadline: Duration = .seconds(600)
  /// Who follows what happens waits as long as nothing does.
  package static let followDeadline: Duration = .hours(24 * 366)
  /// A reload waits for every sink to end its batch, which takes two seconds at most, and perhaps for another reload.
  package static let reloadDeadline: Duration = .seconds(30)
  /// Events of one answer of a streamed simulation: often enough to be watched, few enough wake-ups.
  package static let eventsPerAnswer = 16
  /// A stream waits while a client has this much still to read.
  package static let controlBacklogBytes = 256 << 10
  /// What a stop allows to calls under way; less than `drainTime`, which bounds the whole.
  package static let controlStopGrace: Duration = .milliseconds(1_500)
  /// A client that has owed bytes for this long makes room where all places are taken: an honest one sends its call at
  /// once, and many slow ones must not keep it out.
  package static let controlPatience: Duration = .milliseconds(100)
  /// How long nobody is accepted after descriptors ran out.
  package static let acceptBackOff: Duration = .seconds(1)
}
