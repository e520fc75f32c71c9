import PoolModel
import PoolSettings

/// All unfinished deliveries, with one lane per channel: decides which is due, which waits and for how long. It uses no clock,
/// file or socket.
struct PostQueue: Sendable {
  /// A change of a channel that the operator is notified of.
  enum News: Hashable, Sendable {
    case broken(channel: String, why: String)
    case well(channel: String)
  }

  /// The outcome of a try.
  struct Settled: Sendable {
    var delivery: Delivery
    /// Deliveries that ended because this message was delivered.
    var replaced: [Delivery] = []
    /// Fallbacks that ended without a try, because they are no longer needed.
    var unneeded: [Delivery] = []
    var news: News?
  }

  private(set) var lanes: [String: PostLane] = [:]
  /// The channel and state of each unfinished delivery, by its id.
  private var open: [String: (channel: String, isUnderWay: Bool)] = [:]
  /// The ids of the fallbacks of each delivery, by its id.
  private var standIns: [String: Set<String>] = [:]
  /// The earliest expiry of all deliveries, in milliseconds since 1970.
  private var firstEnd = Int64.max

  var count: Int { open.count }

  /// Adds a delivery to the lane of its channel.
  mutating func add(_ delivery: Delivery) {
    lanes[delivery.channel, default: PostLane(delivery.kind)].add(delivery)
    open[delivery.id] = (delivery.channel, false)
    for stand in delivery.standsFor ?? [] { standIns[delivery.id(of: stand), default: []].insert(delivery.id) }
    firstEnd = min(firstEnd, delivery.expiresAt)
  }

  /// Removes the expired deliveries and returns them, with their outcome.
  ///
  /// - Parameter quietLeft: returns the remaining minutes of a person's quiet hours.
  mutating func expired(at now: Timestamp, quietLeft: (QuietTime) -> Int) -> [Delivery] {
    guard firstEnd <= now.milliseconds else { return [] }
    var ended: [Delivery] = []
    for name in lanes.keys {
      ended += lanes[name]?.remove { $0.expiresAt <= now.milliseconds } ?? []
    }
    for index in ended.indices {
      let delivery = ended[index]
      ended[index].expire(at: now, isQuiet: delivery.tries == 0 && delivery.quiet.map(quietLeft) ?? 0 > 0)
      forget(ended[index])
    }
    firstEnd = lanes.values.flatMap(\.waiting).map(\.expiresAt).min() ?? .max
    return ended
  }

  /// Returns the next delivery to try, marked as under way; nil if none is due, or the limit of parallel tries is reached.
  ///
  /// - Parameter quietLeft: returns the remaining minutes of a person's quiet hours.
  mutating func begin(at now: Timestamp, quietLeft: (QuietTime) -> Int) -> Delivery? {
    let room = room(at: now)
    guard room != .full else { return nil }
    let due = lanes.compactMap { name, lane -> (name: String, place: Int, madeAt: Int64)? in
      guard room == .any || lane.troubles == 0 else { return nil }
      let place = lane.next(at: now, quietLeft: quietLeft) { opening($0, at: now) }
      return place.map { (name, $0, lane.waiting[$0].madeAt) }
    }
    // Choose the oldest event; among equally old ones, the first channel by name.
    guard let first = due.min(by: { ($0.madeAt, $0.name) < ($1.madeAt, $1.name) }) else { return nil }
    guard let delivery = lanes[first.name]?.begin(first.place, at: now) else { return nil }
    open[delivery.id] = (first.name, true)
    return delivery
  }

  /// Applies the outcome of a try to the delivery, its channel and its fallbacks.
  ///
  /// - Parameters:
  ///   - spread: the jitter factor of the retry delay, 0.8 to 1.2.
  ///   - quietLeft: returns the remaining minutes of a person's quiet hours.
  mutating func settle(
    _ delivery: Delivery, _ verdict: Verdict, at now: Timestamp, spread: Double,
    quietLeft: (QuietTime) -> Int = { _ in 0 }
  ) -> Settled {
    var delivery = delivery
    let verdict = lanes[delivery.channel]?.judged(verdict, of: delivery) ?? verdict
    delivery.settle(verdict, at: now, spread: spread)
    lanes[delivery.channel]?.end(delivery)
    open[delivery.id]?.isUnderWay = false
    let hasWitness = lanes[delivery.channel]?.hasWitness(against: delivery, at: now, quietLeft: quietLeft) {
      opening($0, at: now)
    }
    let news = lanes[delivery.channel]?.settle(delivery, verdict, at: now, hasWitness: hasWitness == true)
    if delivery.end == nil {
      open[delivery.id] = (delivery.channel, false)
      firstEnd = min(firstEnd, delivery.expiresAt)
      return Settled(delivery: delivery, news: news ?? nil)
    }
    var settled = ended(delivery, at: now)
    settled.news = news ?? nil
    return settled
  }

  /// Returns when a delivery may next become due or expire; nil if none waits.
  func wake(after now: Timestamp, quietLeft: (QuietTime) -> Int) -> Timestamp? {
    let room = room(at: now)
    // Tries that take long stop counting after a few seconds, so check again in a second.
    guard room != .full else { return now.advanced(by: .seconds(1)) }
    return lanes.values.compactMap { lane in
      guard room == .any || lane.troubles == 0 else { return now.advanced(by: .seconds(1)) }
      return lane.wake(after: now, quietLeft: quietLeft) { opening($0, at: now) }
    }.min()
  }

  /// Makes every broken or paused channel try again, after a reload of the settings.
  mutating func mended() {
    for name in lanes.keys { lanes[name]?.mended() }
  }

  /// Shifts all waits after the clock was set back by `step`, so that no delivery waits longer. Expiry times do not change,
  /// because they are absolute.
  mutating func clockWentBack(by step: Duration) {
    for name in lanes.keys { lanes[name]?.clockWentBack(by: step) }
  }

  /// Restores that a channel was broken in an earlier process, of which the operator was notified, so that its recovery is
  /// reported too.
  mutating func recall(_ channel: String, _ kind: String, broken why: String, since: Timestamp? = nil) {
    lanes[channel, default: PostLane(kind)].recall(broken: why, since: since)
  }

  // MARK: How many at a time

  /// The capacity for further tries: `full` for none, `any` for all channels, `wellPlaces` for channels without failures.
  private enum Room { case full, any, wellPlaces }

  /// The capacity for further tries. Long-running tries stop counting, so that servers that hang do not block other channels.
  private func room(at now: Timestamp) -> Room {
    var (all, usual, young, troubled) = (0, 0, 0, 0)
    for lane in lanes.values {
      all += lane.underWay.count
      if lane.troubles > 0 { troubled += lane.underWay.count }
      for (_, since) in lane.underWay where since <= now {
        if now.since(since) < Limits.postSlow { young += 1 }
        if now.since(since) < Limits.postLong { usual += 1 }
      }
    }
    guard all < Limits.postLongTransfers, usual < Limits.postAllTransfers, young < Limits.postTransfers else {
      return .full
    }
    return troubled < Limits.postTroubledTransfers ? .any : .wellPlaces
  }
}

// MARK: - One in the place of another

extension PostQueue {
  /// Returns when a delivery may start, considering other deliveries of its event, in milliseconds since 1970; `Int64.max` if
  /// it must wait for one of them to end.
  private func opening(_ delivery: Delivery, at now: Timestamp) -> Int64 {
    // A delivery and its fallback never run at the same time, so that success of one makes the other unnecessary.
    if let others = standIns[delivery.id], others.contains(where: { open[$0]?.isUnderWay == true }) { return .max }
    guard let stands = delivery.standsFor else { return 0 }
    var opens: Int64 = 0
    for stand in stands {
      // A delivery that is not open has ended without success; its success would have ended this fallback.
      guard let other = open[delivery.id(of: stand)] else { continue }
      if other.isUnderWay { return .max }
      if lanes[stand.channel]?.isBroken(at: now) != true { opens = max(opens, delivery.standsFrom) }
    }
    return opens
  }

  /// Returns the other deliveries of the event that end because this delivery has ended.
  mutating func ended(_ delivery: Delivery, at now: Timestamp) -> Settled {
    var settled = Settled(delivery: delivery)
    defer { forget(delivery) }
    guard delivery.end == .delivered else { return settled }
    // A headline read by another person does not replace the message to its recipient.
    if !delivery.isShared {
      for stand in delivery.standsFor ?? [] {
        for var other in take(delivery.id(of: stand)) {
          other.replace(by: delivery.channel, at: now)
          settled.replaced.append(other)
        }
      }
    }
    for id in (standIns[delivery.id] ?? []).sorted() {
      for var other in take(id, onlyShared: delivery.isShared) {
        // Report a fallback to the recipient's own address; a headline to another person that was never tried needs no receipt.
        guard other.tries > 0 || !other.isShared else {
          settled.unneeded.append(other)
          continue
        }
        other.replace(by: delivery.channel, at: now)
        settled.replaced.append(other)
      }
    }
    return settled
  }

  /// Removes a waiting delivery from its lane; a delivery under way is left to end by itself.
  private mutating func take(_ id: String, onlyShared: Bool = false) -> [Delivery] {
    guard let place = open[id], !place.isUnderWay else { return [] }
    let taken = lanes[place.channel]?.remove { $0.id == id && (!onlyShared || $0.isShared) } ?? []
    for delivery in taken { forget(delivery) }
    return taken
  }

  private mutating func forget(_ delivery: Delivery) {
    open[delivery.id] = nil
    standIns[delivery.id] = nil
    for stand in delivery.standsFor ?? [] { standIns[delivery.id(of: stand)]?.remove(delivery.id) }
  }
}
