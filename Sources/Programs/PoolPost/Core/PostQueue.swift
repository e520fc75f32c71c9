import PoolModel
import PoolSettings

/// All deliveries that are not done, a lane for each channel: what is due, what waits, and for how long. A value without a
/// clock, a file or a socket.
struct PostQueue: Sendable {
  struct Lane: Sendable {
    /// In the order of their events.
    var waiting: [Delivery] = []
    var underWay: Delivery?
    var pausedUntil = Timestamp(milliseconds: 0)
    /// Tries in a row that met trouble of the place as a whole.
    var troubles = 0
    /// Why nothing is taken there until somebody mends something.
    var broken: String?
  }

  /// What is worth telling the operator.
  enum News: Hashable, Sendable {
    case broken(channel: String, why: String)
    case well(channel: String)
  }

  private(set) var lanes: [String: Lane] = [:]

  var count: Int { lanes.values.reduce(0) { $0 + $1.waiting.count + ($1.underWay == nil ? 0 : 1) } }

  mutating func add(_ delivery: Delivery) {
    lanes[delivery.channel, default: Lane()].add(delivery)
  }

  /// What is of no use any more.
  mutating func expired(at now: Timestamp) -> [Delivery] {
    var ended: [Delivery] = []
    for name in lanes.keys {
      lanes[name]?.waiting.removeAll { delivery in
        var delivery = delivery
        delivery.expire(at: now)
        if delivery.end != nil { ended.append(delivery) }
        return delivery.end != nil
      }
    }
    return ended
  }

  /// The next delivery to be tried, marked as under way; nil where nothing is due.
  ///
  /// - Parameter quietLeft: for how many minutes somebody's quiet hours go on.
  mutating func begin(at now: Timestamp, quietLeft: (QuietTime) -> Int) -> Delivery? {
    let due = lanes.compactMap { name, lane in
      lane.next(at: now, quietLeft: quietLeft).map { (name: name, place: $0, madeAt: lane.waiting[$0].madeAt) }
    }
    // Whoever has waited longest; by name where nobody has.
    guard let first = due.min(by: { ($0.madeAt, $0.name) < ($1.madeAt, $1.name) }) else { return nil }
    return lanes[first.name]?.begin(first.place)
  }

  /// Takes the end of a try.
  mutating func settle(
    _ delivery: Delivery, _ verdict: Verdict, at now: Timestamp, spread: Double
  ) -> (delivery: Delivery, news: News?) {
    var delivery = delivery
    delivery.settle(verdict, at: now, spread: spread)
    let news = lanes[delivery.channel]?.settle(delivery, verdict, at: now)
    return (delivery, news ?? nil)
  }

  /// When something may be due next, or of no use any more; nil where nothing waits.
  func wake(after now: Timestamp, quietLeft: (QuietTime) -> Int) -> Timestamp? {
    lanes.values.compactMap { $0.wake(after: now, quietLeft: quietLeft) }.min()
  }

  /// After the settings were read anew, whatever was broken is tried again.
  mutating func mended() {
    for name in lanes.keys {
      lanes[name]?.pausedUntil = Timestamp(milliseconds: 0)
      lanes[name]?.troubles = 0
    }
  }
}

extension PostQueue.Lane {
  /// A place that is away is tried again soon, for everybody waits; one that is broken waits for people.
  private static let pauses: [Duration] = [.seconds(5), .seconds(15), .seconds(30), .minutes(1)]
  private static let brokenPauses: [Duration] = [.minutes(1), .minutes(5), .minutes(15)]

  mutating func add(_ delivery: Delivery) {
    // Nearly always at the end.
    let place = waiting.lastIndex { ($0.madeAt, $0.event) <= (delivery.madeAt, delivery.event) }.map { $0 + 1 } ?? 0
    waiting.insert(delivery, at: place)
  }

  /// The first that is due, and before which nothing waits for the same person; what has met trouble before comes after
  /// what has not, so that a message on which a server chokes holds up nobody.
  func next(at now: Timestamp, quietLeft: (QuietTime) -> Int) -> Int? {
    guard underWay == nil, pausedUntil <= now else { return nil }
    var behind: Set<String> = []
    var best: Int?
    for (place, delivery) in waiting.enumerated() {
      guard behind.insert(delivery.queue).inserted else { continue }
      guard delivery.notBefore <= now.milliseconds, delivery.quiet.map(quietLeft) ?? 0 == 0 else { continue }
      if delivery.tries == 0 { return place }
      if best.map({ delivery.tries < waiting[$0].tries }) ?? true { best = place }
    }
    return best
  }

  func wake(after now: Timestamp, quietLeft: (QuietTime) -> Int) -> Timestamp? {
    guard underWay == nil else { return nil }
    var behind: Set<String> = []
    var first: Int64?
    for delivery in waiting {
      var due = delivery.expiresAt
      if behind.insert(delivery.queue).inserted {
        let quiet = Int64(delivery.quiet.map(quietLeft) ?? 0)
        let open = max(delivery.notBefore, pausedUntil.milliseconds, now.milliseconds + quiet * 60_000)
        due = min(due, open)
      }
      first = min(first ?? due, due)
    }
    return first.map { Timestamp(milliseconds: max($0, now.milliseconds)) }
  }

  mutating func begin(_ place: Int) -> Delivery {
    var delivery = waiting.remove(at: place)
    delivery.tries += 1
    delivery.isUnderWay = true
    underWay = delivery
    return delivery
  }

  mutating func settle(_ delivery: Delivery, _ verdict: Verdict, at now: Timestamp) -> PostQueue.News? {
    underWay = nil
    if delivery.end == nil { add(delivery) }
    switch verdict {
    case .delivered, .refused, .noSuchAddress:
      (troubles, pausedUntil) = (0, now)
      guard broken != nil else { return nil }
      broken = nil
      return .well(channel: delivery.channel)
    case .later(_, let wish, true): pause(Self.pauses, wish, now, until: delivery.expiresAt)
    case .unknown: pause(Self.pauses, nil, now, until: delivery.expiresAt)
    case .later: break
    case .broken(let why):
      pause(Self.brokenPauses, nil, now, until: delivery.expiresAt)
      guard broken != why else { return nil }
      let isNew = broken == nil
      broken = why
      return isNew ? .broken(channel: delivery.channel, why: why) : nil
    }
    return nil
  }

  private mutating func pause(_ steps: [Duration], _ wish: Duration?, _ now: Timestamp, until expiry: Int64) {
    troubles += 1
    let step = max(steps[min(troubles, steps.count) - 1], wish ?? .zero)
    // A server's wish ends where the message that met it ends.
    pausedUntil = Timestamp(milliseconds: min(now.advanced(by: step).milliseconds, max(expiry, now.milliseconds)))
  }
}
