package import PoolModel

/// Decides when an operator is told of a sender's failures: once when they begin, once when they are over. The sender and the
/// daemon each have one, since each reaches the operator by other ways. It reads no clock.
///
/// Failures that begin together are told together, and one that comes and goes is told at most once in `Limits.operatorQuiet`.
package struct FailureAlarm: Sendable {
  package struct News: Sendable {
    package let began: [SenderReport.Failure]
    /// What those that are over were about.
    package let ended: [String]

    package init(began: [SenderReport.Failure], ended: [String]) { (self.began, self.ended) = (began, ended) }
  }

  /// What the failures are about of which the operator knows.
  private var told: Set<String> = []
  /// When each was told last, over or not.
  private var lastTold: [String: Timestamp] = [:]
  private var lastBegan: Timestamp?

  package init() {}

  /// What an earlier process told, so that a restart is no reason to tell it again.
  package mutating func remember(_ about: String, told at: Timestamp) {
    told.insert(about)
    lastTold[about] = at
  }

  /// When the operator was told of a failure that lasts; nil where they were not.
  package func told(_ about: String) -> Timestamp? { told.contains(about) ? lastTold[about] : nil }

  /// - Parameter failures: all that last now.
  /// - Returns: what to tell now; nil for nothing. Nothing is noted before `tell`.
  package func news(of failures: [SenderReport.Failure], at now: Timestamp) -> News? {
    let began = failures.filter { !told.contains($0.about) && !isRecent(lastTold[$0.about], Limits.operatorQuiet, now) }
    let lasting = Set(failures.map(\.about))
    let ended = told.subtracting(lasting).sorted()
    let isGathering = isRecent(lastBegan, Limits.failuresGathered, now)
    let news = News(began: isGathering ? [] : began, ended: ended)
    return news.began.isEmpty && news.ended.isEmpty ? nil : news
  }

  /// Notes that the operator was told.
  package mutating func tell(_ news: News, of failures: [SenderReport.Failure], at now: Timestamp) {
    told.formIntersection(failures.map(\.about))
    for failure in news.began { remember(failure.about, told: now) }
    if !news.began.isEmpty { lastBegan = now }
  }

  /// A clock that was set back makes nothing recent.
  private func isRecent(_ instant: Timestamp?, _ quiet: Duration, _ now: Timestamp) -> Bool {
    instant.map { $0 <= now && now.since($0) < quiet } ?? false
  }
}
