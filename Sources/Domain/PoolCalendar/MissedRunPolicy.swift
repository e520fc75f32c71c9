package import PoolModel

/// What becomes of slots that passed while nobody was there to run them.
package enum MissedRunPolicy: Hashable, Sendable {
  /// The newest slot runs if it is at most this old; all older ones are missed.
  case latest(within: Duration)
  /// The newest slot runs, however old, until `deadline`; then it is missed too.
  case latestUntil(deadline: Timestamp)
  /// The newest slots run, oldest first, at most `limit` of them.
  case all(limit: Int)
  /// Nothing that is late runs. A slot less than `onTime` old is not late.
  case none

  /// A wake-up that comes this much after its slot is still on time: the timer's slack and one look around the house.
  package static let onTime: Duration = .seconds(60)
}

/// Why a slot was not run.
package enum MissedReason: String, Hashable, Sendable, CaseIterable {
  /// A newer slot of the same job stands for it.
  case superseded
  /// It is older than the policy allows.
  case tooOld
  /// So many newer slots are caught up already.
  case beyondLimit
  /// Its policy runs nothing late.
  case notCaughtUp
}
