package import PoolModel

/// Whether the wall clock may be believed.
///
/// A clock before 2024 was never set. A jump of more than a day forwards may be a bad time server's; acting on it at once
/// would settle slots that have not come yet, so it is believed only when a second reading, a minute on, agrees. So is a
/// clock that falls more than a day behind what nobody had reason to doubt.
///
/// The first reading of a life is believed at once: after a week away the morning is told without a minute's wait, and what
/// a wrong clock settled is taken back when it comes right.
package struct ClockWatch: Sendable {
  package enum Finding: Equatable, Sendable {
    case believable
    case notSet
    /// Look again at that instant by the same clock.
    case onProbation(until: Timestamp)
  }

  private var lastBelieved: Timestamp?
  private var suspectSince: Timestamp?

  /// - Parameter lastBelieved: what an earlier process believed last, where the first reading is to agree with it.
  package init(lastBelieved: Timestamp? = nil) { self.lastBelieved = lastBelieved }

  /// - Parameter isFarBehind: the clock stands more than a day before what was confirmed.
  package mutating func look(at now: Timestamp, isFarBehind: Bool = false) -> Finding {
    guard now >= Limits.earliestPlausibleNow else { return .notSet }
    let isFarAhead = lastBelieved.map { now.since($0) > Limits.believableJump } ?? false
    guard isFarAhead || isFarBehind else {
      suspectSince = nil
      lastBelieved = now
      return .believable
    }
    if let since = suspectSince, now >= since {
      let end = since.advanced(by: Limits.clockProbation)
      guard now >= end else { return .onProbation(until: end) }
      // A second jump while on probation begins it anew.
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
