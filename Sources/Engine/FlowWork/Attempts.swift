import FlowCalendar
package import FlowModel

/// The number of attempts of a run, the waits between them, and the time limit of one attempt.
package struct AttemptRules: Hashable, Sendable {
  /// The waits before the second, third and every further attempt; a failure after the last wait is final.
  package let backOff: [Duration]
  /// The time limit of one attempt of heavy work; after it the attempt is cancelled.
  package let timeout: Duration

  package init(backOff: [Duration], timeout: Duration) {
    self.backOff = backOff
    self.timeout = timeout
  }

  /// The start of the next attempt after `attempts` failures; nil when no attempt is left.
  package func nextTry(after attempts: Int, failedAt now: Timestamp) -> Timestamp? {
    guard attempts >= 1, attempts <= backOff.count else { return nil }
    return now.advanced(by: backOff[attempts - 1])
  }
}

extension AttemptRules {
  /// For notices: all attempts fall within two hours, because a notice is worth little after that.
  package static let notice = AttemptRules(
    backOff: [.seconds(30), .minutes(2), .minutes(10), .minutes(30), .hours(1)], timeout: .minutes(1))

  /// For nightly work: every hour, 20 times, until the next night's run.
  package static func nightly(timeout: Duration) -> AttemptRules {
    AttemptRules(backOff: [Duration](repeating: .hours(1), count: 20), timeout: timeout)
  }
}

extension ClaimedRun {
  /// Whether another attempt at `now` is later than the catch-up window of the job allows.
  package func isTooLate(now: Timestamp) -> Bool {
    // Kinds with a deadline, such as the trial reminder, check their own deadline when they decide.
    guard case .latest(let window) = timing.catchUp ?? kind.catchUp else { return false }
    return now.since(slot) > window
  }
}

/// Heavy work that a run performs instead of a decision, such as writing a backup.
///
/// The scheduler cancels its task after the attempt's time limit, or when an operator cancels the run; the work stops at its
/// next cancellation check.
package protocol BackgroundTask: Sendable {
  /// - Throws: an error whose text the ledger stores; the run is retried while its kind's attempt rules allow.
  func perform() async throws -> Outcome
}
