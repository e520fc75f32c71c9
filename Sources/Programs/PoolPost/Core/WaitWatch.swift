import PoolModel

/// Finds deliveries that have waited for long, so that the daemon is notified of the reason, once per reason.
struct WaitWatch: Sendable {
  /// A waiting delivery, and the last reported reason.
  private struct Seen: Sendable {
    let since: Timestamp
    var told: String?
  }

  private var seen: [String: Seen] = [:]
  /// True if a delivery waits that was not reported yet, so that the queue should be checked again soon.
  var hasUntold: Bool { seen.values.contains { $0.told == nil } }

  /// Returns the deliveries to report now, with the reasons for their wait.
  ///
  /// - Parameter quietLeft: returns the remaining minutes of a person's quiet hours.
  mutating func look(
    at queue: PostQueue, now: Timestamp, quietLeft: (QuietTime) -> Int
  ) -> [(delivery: Delivery, why: String)] {
    var news: [(delivery: Delivery, why: String)] = []
    var still: [String: Seen] = [:]
    for lane in queue.lanes.values {
      // A fallback may never be needed, so its wait is not reported.
      for delivery in lane.all where delivery.standsFor == nil {
        var own = seen[delivery.id] ?? Seen(since: now)
        // If the clock was set back, the wait seems shorter, so it is reported later.
        if now.since(own.since) >= Self.patience(with: delivery, in: lane, at: now, quietLeft: quietLeft) {
          let why = Self.why(delivery, in: lane, quietLeft: quietLeft)
          if own.told != why {
            own.told = why
            news.append((delivery, why))
          }
        }
        still[delivery.id] = own
      }
    }
    seen = still
    return news
  }

  /// The wait after which a delivery is reported: at once in quiet hours and for a broken channel, later for delays that may
  /// end soon.
  private static func patience(
    with delivery: Delivery, in lane: PostLane, at now: Timestamp, quietLeft: (QuietTime) -> Int
  ) -> Duration {
    if delivery.isUnderWay { return Limits.postWaitTold }
    if lane.isBroken(at: now) || delivery.quiet.map(quietLeft) ?? 0 > 0 { return .zero }
    return delivery.words.isEmpty ? Limits.postWaitTold : Limits.postFailureTold
  }

  /// The reason why a delivery waits, for the daemon's history.
  private static func why(_ delivery: Delivery, in lane: PostLane, quietLeft: (QuietTime) -> Int) -> String {
    if delivery.isUnderWay { return "the server has not answered yet" }
    if let broken = lane.broken { return "the channel is broken: \(broken)" }
    if !delivery.words.isEmpty { return delivery.words }
    return delivery.quiet.map(quietLeft) ?? 0 > 0 ? "quiet hours" : "others come before it"
  }
}
