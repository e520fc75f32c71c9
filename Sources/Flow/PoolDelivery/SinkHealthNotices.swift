package import PoolModel
package import PoolNotices

/// Decides which of delivery's events the operator must hear: one notice when a sink gets sick, one when it is well again, one
/// when parts of it fail, one for the dead letters of an hour. It reads no clock and no store.
package struct SinkHealthNotices: Sendable {
  /// What the operator was told of a sink, and when.
  package struct Told: Hashable, Sendable {
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

    /// Told that it is sick, and not yet that it is well.
    var isSick: Bool { sick.map { $0 > well ?? $0.advanced(by: .seconds(-1)) } ?? false }
  }

  private var told: [String: Told] = [:]
  /// Dead letters that nobody was told of.
  private var untold: [String: Int] = [:]

  package init() {}

  package func knows(_ sink: String) -> Bool { told[sink] != nil }

  /// What an earlier life of the daemon had told: a restart is no reason to say it again.
  package mutating func remember(_ sink: String, _ earlier: Told) { told[sink] = earlier }

  /// - Parameter isOperators: the refused entry was itself for the operator. That it could not be delivered is no news:
  ///   it would make news for ever.
  package mutating func hear(_ event: DeliveryEvent, isOperators: Bool, now: Timestamp) -> OperatorNotice? {
    switch event {
    case .sick(let sink, let trouble, _):
      var told = told[sink] ?? Told()
      if told.isSick || isRecent(told.sick, Limits.operatorQuiet, now) { return nil }
      told.sick = now
      self.told[sink] = told
      return .sinkSick(sink: sink, trouble: "\(trouble)")
    case .well(let sink), .working(let sink):
      guard var told = told[sink], told.isSick else { return nil }
      // Never the same instant as the sickness it ends.
      told.well = max(now, told.sick ?? now)
      self.told[sink] = told
      return .sinkWell(sink: sink)
    case .degraded(let sink, let obstacles):
      var told = told[sink] ?? Told()
      if isRecent(told.degraded, Limits.deadLetterQuiet, now) { return nil }
      told.degraded = now
      self.told[sink] = told
      return .sinkDegraded(
        sink: sink, lines: obstacles.prefix(Limits.obstaclesTold).map(\.description), count: obstacles.count)
    case .restored: return nil
    case .refused(let sink, let refusal):
      guard refusal.next == .dead, !isOperators else { return nil }
      untold[sink, default: 0] += 1
      var told = told[sink] ?? Told()
      if isRecent(told.deadLetters, Limits.deadLetterQuiet, now) { return nil }
      told.deadLetters = now
      self.told[sink] = told
      return .deadLetters(sink: sink, count: untold.removeValue(forKey: sink) ?? 1, reason: refusal.error)
    }
  }

  /// A clock that was set back makes nothing recent.
  private func isRecent(_ instant: Timestamp?, _ quiet: Duration, _ now: Timestamp) -> Bool {
    instant.map { $0 <= now && now.since($0) < quiet } ?? false
  }
}
