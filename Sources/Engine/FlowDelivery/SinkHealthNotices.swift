package import FlowModel
package import FlowNotices

/// Decides which delivery events the operator is notified of: a sink becomes unhealthy, recovers or degrades, and once an hour
/// dead entries. It reads no clock and no store.
package struct SinkHealthNotices: Sendable {
  /// The times of the last notices to the operator about a sink, by kind.
  package struct NoticeTimes: Hashable, Sendable {
    package var sick: Timestamp?
    package var well: Timestamp?
    package var deadLetters: Timestamp?
    package var degraded: Timestamp?

    package init(
      sick: Timestamp? = nil, well: Timestamp? = nil, deadLetters: Timestamp? = nil, degraded: Timestamp? = nil
    ) {
      self.degraded = degraded
      self.sick = sick
      self.well = well
      self.deadLetters = deadLetters
    }

    /// True if the operator was notified of the failure and not yet of the recovery.
    var isSick: Bool { sick.map { $0 > well ?? $0.advanced(by: .seconds(-1)) } ?? false }
  }

  private var lastNotices: [String: NoticeTimes] = [:]
  /// The number of dead entries by sink that the operator has not been notified of.
  private var unreportedDeadLetters: [String: Int] = [:]

  package init() {}

  /// Whether the notices about this sink are known, by `remember` or an earlier event.
  package func knows(_ sink: String) -> Bool { lastNotices[sink] != nil }

  /// Restores the times from before a restart, so that no notice is repeated.
  package mutating func remember(_ sink: String, _ earlier: NoticeTimes) { lastNotices[sink] = earlier }

  /// Returns the notice for an event; nil if the operator needs none.
  ///
  /// - Parameter isForOperator: true if the refused entry was itself an operator notice; reporting its failure would create an
  ///   endless series of notices.
  package mutating func handle(_ event: DeliveryEvent, isForOperator: Bool, now: Timestamp) -> OperatorNotice? {
    switch event {
    case .sick(let sink, let trouble, _):
      var lastNotices = lastNotices[sink] ?? NoticeTimes()
      if lastNotices.isSick || isRecent(lastNotices.sick, Limits.operatorReportInterval, now) { return nil }
      lastNotices.sick = now
      self.lastNotices[sink] = lastNotices
      return .sinkSick(sink: sink, trouble: "\(trouble)")
    case .well(let sink), .working(let sink):
      guard var lastNotices = lastNotices[sink], lastNotices.isSick else { return nil }
      // At least the time of the failure, in case the clock was set back.
      lastNotices.well = max(now, lastNotices.sick ?? now)
      self.lastNotices[sink] = lastNotices
      return .sinkWell(sink: sink)
    case .degraded(let sink, let obstacles):
      var lastNotices = lastNotices[sink] ?? NoticeTimes()
      if isRecent(lastNotices.degraded, Limits.deadLetterReportInterval, now) { return nil }
      lastNotices.degraded = now
      self.lastNotices[sink] = lastNotices
      return .sinkDegraded(
        sink: sink, lines: obstacles.prefix(Limits.unwrittenPagesListed).map(\.description), count: obstacles.count)
    case .restored: return nil
    case .refused(let sink, let refusal):
      guard refusal.next == .dead, !isForOperator else { return nil }
      unreportedDeadLetters[sink, default: 0] += 1
      var lastNotices = lastNotices[sink] ?? NoticeTimes()
      if isRecent(lastNotices.deadLetters, Limits.deadLetterReportInterval, now) { return nil }
      lastNotices.deadLetters = now
      self.lastNotices[sink] = lastNotices
      return .deadLetters(
        sink: sink, count: unreportedDeadLetters.removeValue(forKey: sink) ?? 1, reason: refusal.error)
    }
  }

  /// Whether `instant` is within `quiet` before `now`; a time in the future, after the clock was set back, is not recent.
  private func isRecent(_ instant: Timestamp?, _ quiet: Duration, _ now: Timestamp) -> Bool {
    instant.map { $0 <= now && now.since($0) < quiet } ?? false
  }
}
