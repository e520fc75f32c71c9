import PoolModel
import PoolSettings

/// All deliveries that are not done, a lane for each channel: what is due, what waits, and for how long. A value without a
/// clock, a file or a socket.
struct PostQueue: Sendable {
  /// What is worth telling the operator.
  enum News: Hashable, Sendable {
    case broken(channel: String, why: String)
    case well(channel: String)
  }

  /// What the end of a try comes to.
  struct Settled: Sendable {
    var delivery: Delivery
    /// What ends with it, since it was brought.
    var replaced: [Delivery] = []
    /// What stood in for it, and is not needed.
    var unneeded: [Delivery] = []
    var news: News?
  }

  private(set) var lanes: [String: PostLane] = [:]
  /// All that is not done, by its id.
  private var open: [String: (channel: String, isUnderWay: Bool)] = [:]
  /// By the id of a delivery those of the ones that stand in for it.
  private var standIns: [String: Set<String>] = [:]
  /// When the first is of no use any more.
  private var firstEnd = Int64.max

  var count: Int { open.count }

  mutating func add(_ delivery: Delivery) {
    lanes[delivery.channel, default: PostLane(delivery.kind)].add(delivery)
    open[delivery.id] = (delivery.channel, false)
    for stand in delivery.standsFor ?? [] { standIns[delivery.id(of: stand), default: []].insert(delivery.id) }
    firstEnd = min(firstEnd, delivery.expiresAt)
  }

  /// What is of no use any more.
  ///
  /// - Parameter quietLeft: for how many minutes somebody's quiet hours go on.
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

  /// The next delivery to be tried, marked as under way; nil where nothing is due, or enough is under way.
  ///
  /// - Parameter quietLeft: for how many minutes somebody's quiet hours go on.
  mutating func begin(at now: Timestamp, quietLeft: (QuietTime) -> Int) -> Delivery? {
    let room = room(at: now)
    guard room != .full else { return nil }
    let due = lanes.compactMap { name, lane -> (name: String, place: Int, madeAt: Int64)? in
      guard room == .any || lane.troubles == 0 else { return nil }
      let place = lane.next(at: now, quietLeft: quietLeft) { opening($0, at: now) }
      return place.map { (name, $0, lane.waiting[$0].madeAt) }
    }
    // Whoever has waited longest; by name where nobody has.
    guard let first = due.min(by: { ($0.madeAt, $0.name) < ($1.madeAt, $1.name) }) else { return nil }
    guard let delivery = lanes[first.name]?.begin(first.place, at: now) else { return nil }
    open[delivery.id] = (first.name, true)
    return delivery
  }

  /// Takes the end of a try.
  ///
  /// - Parameter quietLeft: for how many minutes a person's quiet hours go on.
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

  /// When something may be due next, or of no use any more; nil where nothing waits.
  func wake(after now: Timestamp, quietLeft: (QuietTime) -> Int) -> Timestamp? {
    let room = room(at: now)
    // What takes long makes room in a while.
    guard room != .full else { return now.advanced(by: .seconds(1)) }
    return lanes.values.compactMap { lane in
      guard room == .any || lane.troubles == 0 else { return now.advanced(by: .seconds(1)) }
      return lane.wake(after: now, quietLeft: quietLeft) { opening($0, at: now) }
    }.min()
  }

  /// After the settings were read anew, whatever was broken is tried again.
  mutating func mended() {
    for name in lanes.keys { lanes[name]?.mended() }
  }

  /// Nobody waits longer for it; when something is of no use any more is a time of day, and stays.
  mutating func clockWentBack(by step: Duration) {
    for name in lanes.keys { lanes[name]?.clockWentBack(by: step) }
  }

  /// That a channel was broken when an earlier life ended, of which people were told: they hear of it again when it is well.
  mutating func recall(_ channel: String, _ kind: String, broken why: String, since: Timestamp? = nil) {
    lanes[channel, default: PostLane(kind)].recall(broken: why, since: since)
  }

  // MARK: How many at a time

  private enum Room { case full, any, wellPlaces }

  /// What a server lets wait does not count, so that servers that hang take nobody's place.
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
  /// From when on something may be begun, as far as others of its event are concerned; `Int64.max` for not before one of
  /// them ends.
  private func opening(_ delivery: Delivery, at now: Timestamp) -> Int64 {
    // Never both at a time, so that the end of one can still spare the other.
    if let others = standIns[delivery.id], others.contains(where: { open[$0]?.isUnderWay == true }) { return .max }
    guard let stands = delivery.standsFor else { return 0 }
    var opens: Int64 = 0
    for stand in stands {
      // One that is not open has ended without having been brought, or it would have ended this one.
      guard let other = open[delivery.id(of: stand)] else { continue }
      if other.isUnderWay { return .max }
      if lanes[stand.channel]?.isBroken(at: now) != true { opens = max(opens, delivery.standsFrom) }
    }
    return opens
  }

  /// Ends what a delivery that was brought has made superfluous.
  mutating func ended(_ delivery: Delivery, at now: Timestamp) -> Settled {
    var settled = Settled(delivery: delivery)
    defer { forget(delivery) }
    guard delivery.end == .delivered else { return settled }
    // A headline that somebody else has read is not the person's message.
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
        // An address of the person's own is told of; a word to somebody else that was never begun is nobody's news.
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

  /// Takes one that waits out of its lane; what is under way ends by itself.
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
