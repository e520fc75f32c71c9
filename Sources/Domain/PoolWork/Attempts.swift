import PoolCalendar
package import PoolModel

/// How often a run is tried, how long it waits in between, and how long one attempt may take.
package struct AttemptRules: Hashable, Sendable {
  /// The waits before the second, third and every further attempt; after the last of them a failure is final.
  package let backOff: [Duration]
  /// What one attempt of heavy work may take before it is cancelled.
  package let timeout: Duration

  package init(backOff: [Duration], timeout: Duration) {
    self.backOff = backOff
    self.timeout = timeout
  }

  /// When the next attempt begins after `attempts` that failed; nil when the last one has failed.
  package func nextTry(after attempts: Int, failedAt now: Timestamp) -> Timestamp? {
    guard attempts >= 1, attempts <= backOff.count else { return nil }
    return now.advanced(by: backOff[attempts - 1])
  }
}

extension AttemptRules {
  /// A notice is worth little after some hours, so its attempts lie within the first two.
  package static let notice = AttemptRules(
    backOff: [.seconds(30), .minutes(2), .minutes(10), .minutes(30), .hours(1)], timeout: .minutes(1))

  /// Every hour until the next night takes over.
  package static func nightly(timeout: Duration) -> AttemptRules {
    AttemptRules(backOff: [Duration](repeating: .hours(1), count: 20), timeout: timeout)
  }
}

extension ClaimedRun {
  /// Whether another attempt at `now` would come too late to be of use.
  package func isTooLate(now: Timestamp) -> Bool {
    // A reminder's own decision knows the end of the trial.
    guard case .latest(let window) = timing.catchUp ?? kind.catchUp else { return false }
    return now.since(slot) > window
  }
}

/// Heavy work that a run performs instead of deciding, such as writing a backup.
///
/// Its task is cancelled when its time is over, or when somebody cancels the run: it then gives up at the next row.
package protocol Labour: Sendable {
  /// - Throws: an error whose words the ledger keeps; the run is tried again while its kind's rules allow it.
  func perform() async throws -> Outcome
}
