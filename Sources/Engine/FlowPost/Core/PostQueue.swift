import FlowModel
import FlowSettings

/// All unfinished deliveries, with one lane per channel: decides which is due, which waits and for how long. It uses no clock,
/// file or socket.
struct PostQueue: Sendable {
  /// A change of a channel that the operator is notified of.
  enum ChannelChange: Hashable, Sendable {
    case broken(channel: String, why: String)
    case recovered(channel: String)
  }

  /// The outcome of a try.
  struct TryResult: Sendable {
    var delivery: Delivery
    /// Deliveries that ended because this message was delivered.
    var replaced: [Delivery] = []
    /// Fallbacks that ended without a try, because they are no longer needed.
    var unneeded: [Delivery] = []
    var news: ChannelChange?
  }

  private(set) var lanes: [String: PostLane] = [:]
  /// The channel and state of each unfinished delivery, by its id.
  private var unfinished: [String: (channel: String, isUnderWay: Bool)] = [:]
  /// The ids of the fallbacks of each delivery, by its id.
  private var fallbacks: [String: Set<String>] = [:]
  /// The earliest expiry of all deliveries, in milliseconds since 1970.
  private var earliestExpiry = Int64.max

  var count: Int { unfinished.count }

  /// Adds a delivery to the lane of its channel.
  mutating func add(_ delivery: Delivery) {
    lanes[delivery.channel, default: PostLane(delivery.kind)].add(delivery)
    unfinished[delivery.id] = (delivery.channel, false)
    for target in delivery.standsFor ?? [] { fallbacks[delivery.id(of: target), default: []].insert(delivery.id) }
    earliestExpiry = min(earliestExpiry, delivery.expiresAt)
  }

  /// Removes the expired deliveries and returns them, with their outcome.
  ///
  /// - Parameter quietMinutesLeft: returns the remaining minutes of a person's quiet hours.
  mutating func expired(at now: Timestamp, quietMinutesLeft: (QuietTime) -> Int) -> [Delivery] {
    guard earliestExpiry <= now.milliseconds else { return [] }
    var ended: [Delivery] = []
    for name in lanes.keys {
      ended += lanes[name]?.remove { $0.expiresAt <= now.milliseconds } ?? []
    }
    for index in ended.indices {
      let delivery = ended[index]
      ended[index].expire(at: now, isQuiet: delivery.tries == 0 && delivery.quiet.map(quietMinutesLeft) ?? 0 > 0)
      forget(ended[index])
    }
    earliestExpiry = lanes.values.flatMap(\.waiting).map(\.expiresAt).min() ?? .max
    return ended
  }

  /// Returns the next delivery to try, marked as under way; nil if none is due, or the limit of parallel tries is reached.
  ///
  /// - Parameter quietMinutesLeft: returns the remaining minutes of a person's quiet hours.
  mutating func begin(at now: Timestamp, quietMinutesLeft: (QuietTime) -> Int) -> Delivery? {
    let capacity = capacity(at: now)
    guard capacity != .full else { return nil }
    let due = lanes.compactMap { name, lane -> (name: String, position: Int, madeAt: Int64)? in
      guard capacity == .any || lane.failureCount == 0 else { return nil }
      let position = lane.next(at: now, quietMinutesLeft: quietMinutesLeft) { earliestStart($0, at: now) }
      return position.map { (name, $0, lane.waiting[$0].madeAt) }
    }
    // Choose the oldest event; among equally old ones, the first channel by name.
    guard let first = due.min(by: { ($0.madeAt, $0.name) < ($1.madeAt, $1.name) }) else { return nil }
    guard let delivery = lanes[first.name]?.begin(first.position, at: now) else { return nil }
    unfinished[delivery.id] = (first.name, true)
    return delivery
  }

  /// Applies the outcome of a try to the delivery, its channel and its fallbacks.
  ///
  /// - Parameters:
  ///   - jitter: the jitter factor of the retry delay, one of `RetryPolicy.jitterFactors`.
  ///   - quietMinutesLeft: returns the remaining minutes of a person's quiet hours.
  mutating func applyOutcome(
    _ delivery: Delivery, _ verdict: SendVerdict, at now: Timestamp, jitter: Double,
    quietMinutesLeft: (QuietTime) -> Int = { _ in 0 }
  ) -> TryResult {
    var delivery = delivery
    let verdict = lanes[delivery.channel]?.adjustedVerdict(verdict, of: delivery) ?? verdict
    delivery.applyOutcome(verdict, at: now, jitter: jitter)
    lanes[delivery.channel]?.end(delivery)
    unfinished[delivery.id]?.isUnderWay = false
    let hasOtherToTry = lanes[delivery.channel]?.hasOtherToTry(
      against: delivery, at: now, quietMinutesLeft: quietMinutesLeft
    ) {
      earliestStart($0, at: now)
    }
    let news = lanes[delivery.channel]?.applyOutcome(delivery, verdict, at: now, hasOtherToTry: hasOtherToTry == true)
    if delivery.end == nil {
      unfinished[delivery.id] = (delivery.channel, false)
      earliestExpiry = min(earliestExpiry, delivery.expiresAt)
      return TryResult(delivery: delivery, news: news ?? nil)
    }
    var tryResult = ended(delivery, at: now)
    tryResult.news = news ?? nil
    return tryResult
  }

  /// Returns when a delivery may next become due or expire; nil if none waits.
  func nextWakeUp(after now: Timestamp, quietMinutesLeft: (QuietTime) -> Int) -> Timestamp? {
    let capacity = capacity(at: now)
    // Tries that take long stop counting after a few seconds, so check again in a second.
    guard capacity != .full else { return now.advanced(by: .seconds(1)) }
    return lanes.values.compactMap { lane in
      guard capacity == .any || lane.failureCount == 0 else { return now.advanced(by: .seconds(1)) }
      return lane.nextWakeUp(after: now, quietMinutesLeft: quietMinutesLeft) { earliestStart($0, at: now) }
    }.min()
  }

  /// Makes every broken or paused channel try again, after a reload of the settings.
  mutating func endPauses() {
    for name in lanes.keys { lanes[name]?.endPauses() }
  }

  /// Shifts all waits after the clock was set back by `step`, so that no delivery waits longer. Expiry times do not change,
  /// because they are absolute.
  mutating func shiftWaitsBack(by step: Duration) {
    for name in lanes.keys { lanes[name]?.shiftWaitsBack(by: step) }
  }

  /// Restores that a channel was broken in an earlier process, of which the operator was notified, so that its recovery is
  /// reported too.
  mutating func restore(_ channel: String, _ kind: String, broken why: String, since: Timestamp? = nil) {
    lanes[channel, default: PostLane(kind)].restore(broken: why, since: since)
  }

  // MARK: Concurrency limits

  /// The capacity for further tries: `full` for none, `any` for all channels, `healthyChannels` for channels without failures.
  private enum Capacity { case full, any, healthyChannels }

  /// The capacity for further tries. Long-running tries stop counting, so that servers that hang do not block other channels.
  private func capacity(at now: Timestamp) -> Capacity {
    var (all, usual, recent, unhealthyCount) = (0, 0, 0, 0)
    for lane in lanes.values {
      all += lane.inProgress.count
      if lane.failureCount > 0 { unhealthyCount += lane.inProgress.count }
      for (_, since) in lane.inProgress where since <= now {
        if now.since(since) < Limits.postSlowAfter { recent += 1 }
        if now.since(since) < Limits.postLongAfter { usual += 1 }
      }
    }
    guard all < Limits.postLongTransfers, usual < Limits.postAllTransfers, recent < Limits.postTransfers else {
      return .full
    }
    return unhealthyCount < Limits.postFailingChannelTransfers ? .any : .healthyChannels
  }
}

// MARK: - Fallbacks

extension PostQueue {
  /// Returns when a delivery may start, considering other deliveries of its event, in milliseconds since 1970; `Int64.max` if
  /// it must wait for one of them to end.
  private func earliestStart(_ delivery: Delivery, at now: Timestamp) -> Int64 {
    // A delivery and its fallback never run at the same time, so that success of one makes the other unnecessary.
    if let others = fallbacks[delivery.id], others.contains(where: { unfinished[$0]?.isUnderWay == true }) {
      return .max
    }
    guard let targets = delivery.standsFor else { return 0 }
    var earliestTime: Int64 = 0
    for target in targets {
      // A delivery that is not open has ended without success; its success would have ended this fallback.
      guard let other = unfinished[delivery.id(of: target)] else { continue }
      if other.isUnderWay { return .max }
      if lanes[target.channel]?.isBroken(at: now) != true { earliestTime = max(earliestTime, delivery.standsFrom) }
    }
    return earliestTime
  }

  /// Returns the other deliveries of the event that end because this delivery has ended.
  mutating func ended(_ delivery: Delivery, at now: Timestamp) -> TryResult {
    var tryResult = TryResult(delivery: delivery)
    defer { forget(delivery) }
    guard delivery.end == .delivered else { return tryResult }
    // A headline read by another person does not replace the message to its recipient.
    if !delivery.isShared {
      for target in delivery.standsFor ?? [] {
        for var other in removeWaiting(delivery.id(of: target)) {
          other.replace(by: delivery.channel, at: now)
          tryResult.replaced.append(other)
        }
      }
    }
    for id in (fallbacks[delivery.id] ?? []).sorted() {
      for var other in removeWaiting(id, onlyShared: delivery.isShared) {
        // Report a fallback to the recipient's own address; a headline to another person that was never tried needs no receipt.
        guard other.tries > 0 || !other.isShared else {
          tryResult.unneeded.append(other)
          continue
        }
        other.replace(by: delivery.channel, at: now)
        tryResult.replaced.append(other)
      }
    }
    return tryResult
  }

  /// Removes a waiting delivery from its lane; a delivery under way is left to end by itself.
  private mutating func removeWaiting(_ id: String, onlyShared: Bool = false) -> [Delivery] {
    guard let position = unfinished[id], !position.isUnderWay else { return [] }
    let removed = lanes[position.channel]?.remove { $0.id == id && (!onlyShared || $0.isShared) } ?? []
    for delivery in removed { forget(delivery) }
    return removed
  }

  private mutating func forget(_ delivery: Delivery) {
    unfinished[delivery.id] = nil
    fallbacks[delivery.id] = nil
    for target in delivery.standsFor ?? [] { fallbacks[delivery.id(of: target)]?.remove(delivery.id) }
  }
}
