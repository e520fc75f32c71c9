import PoolModel
import PoolSettings

/// What is for one channel: what waits, what is under way, and how the place was the last time.
struct PostLane: Sendable {
  /// In the order of their events.
  private(set) var waiting: [Delivery] = []
  /// What is under way, and since when.
  private(set) var underWay: [(delivery: Delivery, since: Timestamp)] = []
  private(set) var pausedUntil = Timestamp(milliseconds: 0)
  /// Tries in a row that met trouble of the place as a whole.
  private(set) var troubles = 0
  /// Why nothing is taken there until somebody mends something.
  private(set) var broken: String?
  private var pace: Pace
  private let isMail: Bool
  /// How many go at a time: a mail server that takes what it is given gets more, anything else one.
  private var width = 1

  init(_ kind: String) {
    let kind = PostSettings.Kind(rawValue: kind)
    pace = Pace(kind)
    isMail = kind?.isMail == true
  }

  /// What an account of the queue needs of other lanes: from when on something may be begun, `Int64.max` for not before
  /// something else ends.
  typealias Opening = (Delivery) -> Int64

  /// A place that is away is tried again soon, for everybody waits; one that is broken waits for people.
  private static let pauses: [Duration] = [.seconds(5), .seconds(15), .seconds(30), .minutes(1)]
  private static let brokenPauses: [Duration] = [.minutes(1), .minutes(5), .minutes(15)]

  /// All that is not done.
  var all: [Delivery] { waiting + underWay.map(\.delivery) }

  var isFull: Bool { underWay.count >= width }

  /// Found broken, and not to be looked at again yet.
  func isBroken(at now: Timestamp) -> Bool { broken != nil && pausedUntil > now }

  mutating func add(_ delivery: Delivery) {
    // Nearly always at the end.
    let place = waiting.lastIndex { ($0.madeAt, $0.event) <= (delivery.madeAt, delivery.event) }.map { $0 + 1 } ?? 0
    waiting.insert(delivery, at: place)
  }

  /// The first that is due, and before which nothing waits for the same person; what has met trouble before comes after
  /// what has not, so that a message on which a server chokes holds up nobody.
  func next(at now: Timestamp, quietLeft: (QuietTime) -> Int, opening: Opening) -> Int? {
    guard !isFull, pausedUntil <= now else { return nil }
    var behind = Set(underWay.map(\.delivery.queue))
    var best: Int?
    for (place, delivery) in waiting.enumerated() {
      // What stands in for others keeps nobody waiting.
      if delivery.standsFor != nil, opening(delivery) > now.milliseconds { continue }
      guard behind.insert(delivery.queue).inserted else { continue }
      guard delivery.notBefore <= now.milliseconds, delivery.quiet.map(quietLeft) ?? 0 == 0 else { continue }
      guard pace.opens(for: delivery.address, at: now) <= now.milliseconds else { continue }
      guard opening(delivery) <= now.milliseconds else { continue }
      if delivery.tries == 0 { return place }
      if best.map({ delivery.tries < waiting[$0].tries }) ?? true { best = place }
    }
    return best
  }

  /// When something may be due, or of no use any more; nil where only an end of what is under way can change that.
  func wake(after now: Timestamp, quietLeft: (QuietTime) -> Int, opening: Opening) -> Timestamp? {
    guard !isFull else { return nil }
    var behind = Set(underWay.map(\.delivery.queue))
    var first: Int64?
    for delivery in waiting {
      var due = delivery.expiresAt
      let opens = opening(delivery)
      if delivery.standsFor != nil, opens > now.milliseconds {
        due = min(due, opens)
      } else if behind.insert(delivery.queue).inserted {
        let quiet = Int64(delivery.quiet.map(quietLeft) ?? 0)
        let open = max(
          delivery.notBefore, pausedUntil.milliseconds, now.milliseconds + quiet * 60_000,
          pace.opens(for: delivery.address, at: now), opens)
        due = min(due, open)
      }
      first = min(first ?? due, due)
    }
    return first.map { Timestamp(milliseconds: max($0, now.milliseconds)) }
  }

  mutating func begin(_ place: Int, at now: Timestamp) -> Delivery {
    var delivery = waiting.remove(at: place)
    delivery.tries += 1
    delivery.isUnderWay = true
    underWay.append((delivery, now))
    pace.take(delivery.address, at: now)
    return delivery
  }

  mutating func settle(_ delivery: Delivery, _ verdict: Verdict, at now: Timestamp) -> PostQueue.News? {
    underWay.removeAll { $0.delivery.id == delivery.id }
    if delivery.end == nil { add(delivery) }
    switch verdict {
    case .delivered, .refused, .noSuchAddress:
      (troubles, pausedUntil, width) = (0, now, isMail ? Limits.postMailTransfers : 1)
      guard broken != nil else { return nil }
      broken = nil
      return .well(channel: delivery.channel)
    case .later(_, let wish, true): pause(Self.pauses, wish, now, until: delivery.expiresAt)
    case .tooMany(_, let wish):
      pace.tooMany(at: now)
      pause(Self.pauses, wish, now, until: delivery.expiresAt)
    case .unknown: pause(Self.pauses, nil, now, until: delivery.expiresAt)
    case .later, .moved: break
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
    width = 1
    // Several at a time that meet one trouble are one trouble.
    if pausedUntil <= now || troubles == 0 { troubles += 1 }
    let step = max(steps[min(troubles, steps.count) - 1], wish ?? .zero)
    // A server's wish ends where the message that met it ends.
    let until = min(now.advanced(by: step).milliseconds, max(expiry, now.milliseconds))
    pausedUntil = Timestamp(milliseconds: max(until, pausedUntil.milliseconds))
  }

  /// Takes out of what waits what fits.
  mutating func remove(where fits: (Delivery) -> Bool) -> [Delivery] {
    let removed = waiting.filter(fits)
    if !removed.isEmpty { waiting.removeAll(where: fits) }
    return removed
  }

  mutating func clockWentBack(by step: Duration) {
    pausedUntil = pausedUntil.advanced(by: .zero - step)
    for index in waiting.indices {
      waiting[index].notBefore -= step.wholeMilliseconds
      waiting[index].standsFrom -= step.wholeMilliseconds
    }
  }

  /// It is tried at once all the same: what ended that life may have been its mending.
  mutating func recall(broken why: String) { broken = why }

  /// Settings were read anew: it is tried again.
  mutating func mended() { (pausedUntil, troubles) = (Timestamp(milliseconds: 0), 0) }
}
