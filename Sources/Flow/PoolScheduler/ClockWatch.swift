package import PoolModel

/// Whether the wall clock may be believed.
///
/// A clock before 2024 was never set. A jump of more than a day forwards may be a bad time server's; acting on it at once
/// would settle slots that have not come yet, so it is believed only when a second reading, a minute on, agrees.
package struct ClockWatch: Sendable {
  package enum Finding: Equatable, Sendable {
    case believable
    case notSet
    /// Look again at that instant by the same clock.
    case onProbation(until: Timestamp)
  }

  private var lastBelieved: Timestamp?
  private var suspectSince: Timestamp?

  package init() {}

  package mutating func look(at now: Timestamp) -> Finding {
    guard now >= Limits.earliestPlausibleNow else { return .notSet }
    guard let last = lastBelieved, now.since(last) > Limits.believableJump else {
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
