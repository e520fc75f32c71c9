import FlowModel

/// Finds deliveries that have waited for long, so that the daemon is notified of the reason, once per reason.
struct LongWaitDetector: Sendable {
  /// A waiting delivery, and the last reported reason.
  private struct Seen: Sendable {
    let since: Timestamp
    var reportedReason: String?
  }

  private var seen: [String: Seen] = [:]
  /// True if a delivery waits that was not reported yet, so that the queue should be checked again soon.
  var hasUnreported: Bool { seen.values.contains { $0.reportedReason == nil } }

  /// Returns the deliveries to report now, with the reasons for their wait.
  ///
  /// - Parameter quietMinutesLeft: returns the remaining minutes of a person's quiet hours.
  mutating func update(
    at queue: PostQueue, now: Timestamp, quietMinutesLeft: (QuietTime) -> Int
  ) -> [(delivery: Delivery, why: String)] {
    var reports: [(delivery: Delivery, why: String)] = []
    var stillWaiting: [String: Seen] = [:]
    for lane in queue.lanes.values {
      // A fallback may never be needed, so its wait is not reported.
      for delivery in lane.all where delivery.standsFor == nil {
        var own = seen[delivery.id] ?? Seen(since: now)
        // If the clock was set back, the wait seems shorter, so it is reported later.
        if now.since(own.since) >= Self.patience(with: delivery, in: lane, at: now, quietMinutesLeft: quietMinutesLeft)
        {
          let why = Self.why(delivery, in: lane, quietMinutesLeft: quietMinutesLeft)
          if own.reportedReason != why {
            own.reportedReason = why
            reports.append((delivery, why))
          }
        }
        stillWaiting[delivery.id] = own
      }
    }
    seen = stillWaiting
    return reports
  }

  /// The wait after which a delivery is reported: at once in quiet hours and for a broken channel, later for delays that may
  /// end soon.
  private static func patience(
    with delivery: Delivery, in lane: PostLane, at now: Timestamp, quietMinutesLeft: (QuietTime) -> Int
  ) -> Duration {
    if delivery.isUnderWay { return Limits.postWaitReported }
    if lane.isBroken(at: now) || delivery.quiet.map(quietMinutesLeft) ?? 0 > 0 { return .zero }
    return delivery.words.isEmpty ? Limits.postWaitReported : Limits.postFailureReported
  }

  /// The reason why a delivery waits, for the daemon's history.
  private static func why(_ delivery: Delivery, in lane: PostLane, quietMinutesLeft: (QuietTime) -> Int) -> String {
    if delivery.isUnderWay { return "the server has not answered yet" }
    if let broken = lane.broken { return "the channel is broken: \(broken)" }
    if !delivery.words.isEmpty { return delivery.words }
    return delivery.quiet.map(quietMinutesLeft) ?? 0 > 0 ? "quiet hours" : "others come before it"
  }
}
