package import FlowModel

/// Decides when the operator is notified of a sender's failures: once when a failure begins and once when it ends. The sender
/// and the daemon each have an alarm, because each notifies the operator through different channels. It reads no clock.
///
/// Failures that begin within `Limits.failureReportDelay` are reported together; a failure that comes and goes is reported at
/// most once in `Limits.operatorReportInterval`.
package struct FailureAlarm: Sendable {
  /// The failures to report now.
  package struct News: Sendable {
    package let began: [SenderReport.Failure]
    /// The `about` keys of the failures that have ended.
    package let ended: [String]

    package init(began: [SenderReport.Failure], ended: [String]) { (self.began, self.ended) = (began, ended) }
  }

  /// The `about` keys of lasting failures that were reported.
  private var told: Set<String> = []
  /// The time of the last report of each failure, lasting or over.
  private var lastReported: [String: Timestamp] = [:]
  /// The time of the last report of a new failure.
  private var lastNewFailureReport: Timestamp?

  package init() {}

  /// Restores a report of an earlier process, so that a restart does not repeat it.
  package mutating func remember(_ about: String, told at: Timestamp) {
    told.insert(about)
    lastReported[about] = at
  }

  /// The time at which the operator was notified of a lasting failure; nil if the failure was not reported.
  package func told(_ about: String) -> Timestamp? { told.contains(about) ? lastReported[about] : nil }

  /// The failures to report now; nil for none. The report is recorded only by `notify`.
  ///
  /// - Parameter failures: all current failures.
  package func news(of failures: [SenderReport.Failure], at now: Timestamp) -> News? {
    let began = failures.filter {
      !told.contains($0.about) && !isRecent(lastReported[$0.about], Limits.operatorReportInterval, now)
    }
    let lasting = Set(failures.map(\.about))
    let ended = told.subtracting(lasting).sorted()
    let isGathering = isRecent(lastNewFailureReport, Limits.failureReportDelay, now)
    let news = News(began: isGathering ? [] : began, ended: ended)
    return news.began.isEmpty && news.ended.isEmpty ? nil : news
  }

  /// Records that the operator was notified.
  package mutating func notify(_ news: News, of failures: [SenderReport.Failure], at now: Timestamp) {
    told.formIntersection(failures.map(\.about))
    for failure in news.began { remember(failure.about, told: now) }
    if !news.began.isEmpty { lastNewFailureReport = now }
  }

  /// Whether `instant` is less than `quiet` ago; false if it is in the future, as after the clock was set back.
  private func isRecent(_ instant: Timestamp?, _ quiet: Duration, _ now: Timestamp) -> Bool {
    instant.map { $0 <= now && now.since($0) < quiet } ?? false
  }
}
