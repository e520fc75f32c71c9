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

extension JobKind {
  private static let hourly = [Duration](repeating: .hours(1), count: 20)

  /// A notice is worth little after some hours, so its attempts lie within the first two.
  package var attemptRules: AttemptRules {
    switch self {
    case .morningSummary, .lowStock, .weeklyDigest, .trialReminder:
      AttemptRules(
        backOff: [.seconds(30), .minutes(2), .minutes(10), .minutes(30), .hours(1)], timeout: .minutes(1))
    // Until the next night takes over. A hundred gigabytes are copied and proved within the time.
    case .backup: AttemptRules(backOff: Self.hourly, timeout: .hours(3))
    case .lsiRefresh: AttemptRules(backOff: Self.hourly, timeout: .hours(1))
    // A hundred thousand teams from nothing take an hour and a half; a night in which little changed takes seconds.
    case .routePrecompute: AttemptRules(backOff: Self.hourly, timeout: .hours(3))
    }
  }

  /// Whether another attempt at `now` would come too late to be of use.
  package func isTooLate(slot: Timestamp, now: Timestamp) -> Bool {
    // A reminder's own decision knows the end of the trial.
    guard case .latest(let window) = catchUp(rule: .never, trialExpires: nil) else { return false }
    return now.since(slot) > window
  }
}

/// Heavy work that stands behind a run: what a decision cannot do itself, such as writing a backup.
///
/// Its task is cancelled when its time is over, or when somebody cancels the run: it then gives up at the next row.
package protocol Labour: Sendable {
  /// - Throws: an error whose words the ledger keeps; the run is tried again while its kind's rules allow it.
  func perform() async throws -> Outcome
}
