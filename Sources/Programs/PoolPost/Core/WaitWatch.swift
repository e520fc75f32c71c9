import PoolModel

/// Which deliveries have waited for so long that somebody should hear why; each reason once.
struct WaitWatch: Sendable {
  private struct Seen: Sendable {
    let since: Timestamp
    var told: String?
  }

  private var seen: [String: Seen] = [:]
  /// Something waits of which nobody was told: it is worth another look soon.
  var hasUntold: Bool { seen.values.contains { $0.told == nil } }

  /// What is to be told now: deliveries with why they wait.
  ///
  /// - Parameter quietLeft: for how many minutes somebody's quiet hours go on.
  mutating func look(
    at queue: PostQueue, now: Timestamp, quietLeft: (QuietTime) -> Int
  ) -> [(delivery: Delivery, why: String)] {
    var news: [(delivery: Delivery, why: String)] = []
    var still: [String: Seen] = [:]
    for lane in queue.lanes.values {
      // What stands in for another may never be needed, and would be said to wait for ever.
      for delivery in lane.all where delivery.standsFor == nil {
        var own = seen[delivery.id] ?? Seen(since: now)
        // A clock that was set back has nobody wait longer.
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

  /// A turn comes soon, and a failure may pass; quiet hours and a broken channel do not end by waiting a little.
  private static func patience(
    with delivery: Delivery, in lane: PostLane, at now: Timestamp, quietLeft: (QuietTime) -> Int
  ) -> Duration {
    if delivery.isUnderWay { return Limits.postWaitTold }
    if lane.isBroken(at: now) || delivery.quiet.map(quietLeft) ?? 0 > 0 { return .zero }
    return delivery.words.isEmpty ? Limits.postWaitTold : Limits.postFailureTold
  }

  private static func why(_ delivery: Delivery, in lane: PostLane, quietLeft: (QuietTime) -> Int) -> String {
    if delivery.isUnderWay { return "the server has not answered yet" }
    if let broken = lane.broken { return "the channel is broken: \(broken)" }
    if !delivery.words.isEmpty { return delivery.words }
    return delivery.quiet.map(quietLeft) ?? 0 > 0 ? "quiet hours" : "others come before it"
  }
}
