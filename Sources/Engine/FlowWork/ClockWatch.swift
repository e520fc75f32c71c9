package import FlowModel

extension Limits {
  /// The time for which a clock that jumped must be consistent before slots are planned by it.
  package static let clockProbation: Duration = .seconds(60)
}

/// Decides whether a wall-clock reading is believable enough to schedule by.
///
/// A clock before 2024 was never set. A jump of more than a day forwards may come from a bad time server, and acting on it
/// would settle slots that are still in the future. So it is believed only after a second reading one minute later agrees. A
/// second reading is also needed for a clock more than a day behind the confirmed time.
///
/// The first reading of a process is believed at once: after a week of downtime the morning notices go out without a minute's
/// wait. If that reading was wrong, its verdicts are rolled back when the clock is corrected.
package struct ClockWatch: Sendable {
  /// The judgement of one clock reading.
  package enum Finding: Equatable, Sendable {
    /// The clock can be used.
    case believable
    /// The clock is before `Limits.earliestPlausibleNow`, so it was never set.
    case notSet
    /// The clock jumped: read the same clock again at `until`.
    case onProbation(until: Timestamp)
  }

  /// The last clock reading that was believed; nil before the first.
  private var lastBelieved: Timestamp?
  /// The first reading of the jump that is on probation; nil without one.
  private var suspectSince: Timestamp?

  /// - Parameter lastBelieved: the last reading that an earlier process believed, to which the first reading is compared; nil
  ///   skips that comparison.
  package init(lastBelieved: Timestamp? = nil) { self.lastBelieved = lastBelieved }

  /// Judges one clock reading.
  ///
  /// - Parameter isFarBehind: whether the clock is more than a day before the confirmed time (`ClockTrust.isFarBehind`).
  package mutating func tick(at now: Timestamp, isFarBehind: Bool = false) -> Finding {
    guard now >= Limits.earliestPlausibleNow else { return .notSet }
    let isFarAhead = lastBelieved.map { now.since($0) > Limits.plausibleClockJump } ?? false
    guard isFarAhead || isFarBehind else {
      suspectSince = nil
      lastBelieved = now
      return .believable
    }
    if let since = suspectSince, now >= since {
      let end = since.advanced(by: Limits.clockProbation)
      guard now >= end else { return .onProbation(until: end) }
      // A second jump during probation restarts the probation.
      if now.since(since) <= Limits.clockProbation + Limits.longestSleep + .seconds(5) {
        suspectSince = nil
        lastBelieved = now
        return .believable
      }
    }
    suspectSince = now
    return .onProbation(until: now.advanced(by: Limits.clockProbation))
  }
}
