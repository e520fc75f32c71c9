package import FlowModel

/// Policy for slots that passed while the scheduler could not run them.
package enum MissedRunPolicy: Hashable, Sendable {
  /// The newest slot runs if it is at most this old; all older slots are missed.
  case latest(within: Duration)
  /// The newest slot runs, however old, if now is at most `deadline`; older slots are missed.
  case latestUntil(deadline: Timestamp)
  /// The newest `limit` slots run, oldest first.
  case all(limit: Int)
  /// Late slots do not run. A slot at most `onTimeTolerance` old counts as on time.
  case none

  /// Maximum delay of a slot that still counts as on time; it covers timer slack and one scheduler tick.
  package static let onTimeTolerance: Duration = .seconds(60)
}

/// Reason why a slot did not run.
package enum MissedReason: String, Hashable, Sendable, CaseIterable {
  /// The slot is coalesced into a newer slot of the same job.
  case superseded
  /// The slot is older than the policy allows.
  case tooOld
  /// The policy's limit is reached by newer slots.
  case beyondLimit
  /// The policy runs no late slots.
  case notCaughtUp
}
