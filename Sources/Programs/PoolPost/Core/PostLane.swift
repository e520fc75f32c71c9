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
  /// Why the channel takes nothing until its settings or its server are repaired, and since when.
  private(set) var broken: String?
  private(set) var brokenSince: Timestamp?
  private var evidence = RefusalEvidence()
  /// It rests after a round of refusals.
  private var isBetweenRounds = false
  /// Deliveries that met a server's wish for a longer pause, since the channel last took one.
  private var wished: Set<String> = []
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

  /// As many are under way as the channel takes at a time. A mail server that works and lets one mail wait has the others
  /// meanwhile: the answer to a whole mail may take minutes.
  private func isFull(at now: Timestamp) -> Bool {
    guard underWay.count >= width else { return false }
    guard mayWiden else { return true }
    let young = underWay.count { $0.since <= now && now.since($0.since) < Limits.postSlow }
    return young >= width || underWay.count >= Limits.postMailTransfers
  }

  private var mayWiden: Bool { isMail && troubles == 0 && broken == nil && !evidence.isDoubted }

  /// Found broken, and not to be looked at again yet.
  func isBroken(at now: Timestamp) -> Bool { broken != nil && pausedUntil > now }

  mutating func add(_ delivery: Delivery) {
    // Nearly always at the end.
    let place = waiting.lastIndex { ($0.madeAt, $0.event) <= (delivery.madeAt, delivery.event) }.map { $0 + 1 } ?? 0
    waiting.insert(delivery, at: place)
  }

  /// The next to be tried: the first that is due, and before which nothing waits for the same person. What has met trouble
  /// before comes after what has not, so that a message on which a server chokes holds up no other; while the channel is in
  /// doubt, what it has not refused comes before what it has.
  func next(at now: Timestamp, quietLeft: (QuietTime) -> Int, opening: Opening) -> Int? {
    guard !isFull(at: now), !isResting(at: now) || mayProbe else { return nil }
    var behind = Set(underWay.map(\.delivery.queue))
    var best: (place: Int, rank: Int)?
    for (place, delivery) in waiting.enumerated() {
      // What stands in for others, or is of no use any more, keeps nothing else waiting.
      if delivery.expiresAt <= now.milliseconds { continue }
      if delivery.standsFor != nil, opening(delivery) > now.milliseconds { continue }
      guard isTurn(of: delivery, behind: &behind) else { continue }
      guard delivery.notBefore <= now.milliseconds, delivery.quiet.map(quietLeft) ?? 0 == 0 else { continue }
      guard pace.opens(for: delivery.address, at: now) <= now.milliseconds else { continue }
      guard opening(delivery) <= now.milliseconds, !isResting(at: now) || !isSuspect(delivery) else { continue }
      let rank = rank(delivery)
      if rank == 0 { return place }
      if best.map({ rank < $0.rank }) ?? true { best = (place, rank) }
    }
    return best?.place
  }

  /// Whether another message than this one can be tried now, or is under way, that the channel has not refused.
  func hasWitness(
    against delivery: Delivery, at now: Timestamp, quietLeft: (QuietTime) -> Int, opening: Opening
  ) -> Bool {
    guard underWay.isEmpty else { return true }
    return waiting.contains { other in
      other.id != delivery.id && !evidence.wasProbed(other.id) && other.notBefore <= now.milliseconds
        && other.quiet.map(quietLeft) ?? 0 == 0 && opening(other) <= now.milliseconds
    }
  }

  private func isResting(at now: Timestamp) -> Bool { pausedUntil > now }

  /// The rest is for what was refused: a message that was not may show whose fault that is.
  private var mayProbe: Bool { isBetweenRounds && !evidence.isExhausted }

  private func isSuspect(_ delivery: Delivery) -> Bool { evidence.isSuspect(delivery.id) }

  /// Whether nothing waits before it for the same person. What was refused, or was tried often, keeps nothing behind it waiting.
  private func isTurn(of delivery: Delivery, behind: inout Set<String>) -> Bool {
    guard !isSuspect(delivery), delivery.tries < Limits.postTriesInOrder else {
      return !behind.contains(delivery.queue)
    }
    return behind.insert(delivery.queue).inserted
  }

  /// The lower, the sooner: of what was refused, in its turn, what was refused last comes last.
  private func rank(_ delivery: Delivery) -> Int {
    guard broken != nil || evidence.isDoubted, let last = evidence.lastRefusal(of: delivery.id) else {
      return delivery.tries
    }
    return Int.max / 2 + last
  }

  /// When something may be due, or of no use any more; nil where only an end of what is under way can change that.
  func wake(after now: Timestamp, quietLeft: (QuietTime) -> Int, opening: Opening) -> Timestamp? {
    guard !isFull(at: now) else {
      return mayWiden && underWay.count < Limits.postMailTransfers ? now.advanced(by: .seconds(1)) : nil
    }
    var behind = Set(underWay.map(\.delivery.queue))
    var first: Int64?
    for delivery in waiting where delivery.expiresAt > now.milliseconds {
      var due = delivery.expiresAt
      let opens = opening(delivery)
      if delivery.standsFor != nil, opens > now.milliseconds {
        due = min(due, opens)
      } else if isTurn(of: delivery, behind: &behind) {
        let quiet = Int64(delivery.quiet.map(quietLeft) ?? 0)
        let rest = mayProbe && !isSuspect(delivery) ? 0 : pausedUntil.milliseconds
        let open = max(
          delivery.notBefore, rest, now.milliseconds + quiet * 60_000, pace.opens(for: delivery.address, at: now), opens
        )
        due = min(due, open)
      }
      first = min(first ?? due, due)
    }
    return first.map { Timestamp(milliseconds: max($0, now.milliseconds)) }
  }

  mutating func begin(_ place: Int, at now: Timestamp) -> Delivery {
    if isBetweenRounds, !isResting(at: now) {
      evidence.beginRound()
      isBetweenRounds = false
    }
    var delivery = waiting.remove(at: place)
    delivery.tries += 1
    delivery.isUnderWay = true
    underWay.append((delivery, now))
    pace.take(delivery.address, at: now)
    return delivery
  }

  /// What a verdict comes to once the channel's other messages are asked: a refusal that is this message's own.
  func judged(_ verdict: Verdict, of delivery: Delivery) -> Verdict {
    guard case .broken(let why) = verdict, broken == nil, evidence.isFaultOf(delivery.id) else { return verdict }
    return .singledOut(why)
  }

  /// Takes the delivery back from what is under way.
  mutating func end(_ delivery: Delivery) {
    underWay.removeAll { $0.delivery.id == delivery.id }
    if delivery.end == nil { add(delivery) } else { evidence.forget(delivery.id) }
  }

  /// Takes the end of a try, after `end`.
  ///
  /// - Parameter hasWitness: another message can be tried at once, or is.
  mutating func settle(
    _ delivery: Delivery, _ verdict: Verdict, at now: Timestamp, hasWitness: Bool
  ) -> PostQueue.News? {
    switch verdict {
    case .delivered:
      evidence.took(delivery.id)
      wished = []
      (troubles, pausedUntil, isBetweenRounds, width) = (0, now, false, isMail ? Limits.postMailTransfers : 1)
      guard broken != nil else { return nil }
      (broken, brokenSince) = (nil, nil)
      return .well(channel: delivery.channel)
    // The server answers, which says nothing of what it refuses to others.
    case .refused, .noSuchAddress:
      if broken == nil, !evidence.isDoubted {
        (troubles, pausedUntil, width) = (0, now, isMail ? Limits.postMailTransfers : 1)
      }
    case .later(_, let wish, true): pause(Self.pauses, wish, now, delivery)
    case .tooMany(_, let wish):
      pace.tooMany(at: now)
      pause(Self.pauses, wish, now, delivery)
    case .unknown(let why, .channel): return doubt(delivery, why, at: now, hasWitness: hasWitness)
    case .unknown(_, .server): pause(Self.pauses, nil, now, delivery)
    case .later, .moved, .singledOut, .unknown(_, .message): break
    case .broken(let why): return doubt(delivery, why, at: now, hasWitness: hasWitness)
    }
    return nil
  }

  /// The channel refused a message, perhaps for a reason of its own. It is called broken once no other message can be tried,
  /// or enough were.
  private mutating func doubt(
    _ delivery: Delivery, _ why: String, at now: Timestamp, hasWitness: Bool
  ) -> PostQueue.News? {
    let isRepeated = evidence.wasProbed(delivery.id)
    evidence.refused(delivery.id)
    width = 1
    if hasWitness, !isRepeated, !evidence.isExhausted {
      // Where the witness does not come to be tried after all, this one is asked again.
      putOff(delivery, until: now.advanced(by: Self.pauses[0]))
      return nil
    }
    pause(Self.brokenPauses, nil, now, delivery)
    isBetweenRounds = true
    let isNew = broken == nil
    broken = why
    guard isNew else { return nil }
    brokenSince = now
    return .broken(channel: delivery.channel, why: why)
  }

  private mutating func putOff(_ delivery: Delivery, until time: Timestamp) {
    guard let place = waiting.firstIndex(where: { $0.id == delivery.id }) else { return }
    waiting[place].notBefore = max(waiting[place].notBefore, time.milliseconds)
  }

  private mutating func pause(_ steps: [Duration], _ wish: Duration?, _ now: Timestamp, _ delivery: Delivery) {
    width = 1
    // Several at a time that meet one trouble are one trouble.
    if pausedUntil <= now || troubles == 0 { troubles += 1 }
    let step = max(steps[min(troubles, steps.count) - 1], self.wish(wish, of: delivery))
    // A server's wish ends where the message that met it ends.
    let until = min(now.advanced(by: step).milliseconds, max(delivery.expiresAt, now.milliseconds))
    pausedUntil = Timestamp(milliseconds: max(until, pausedUntil.milliseconds))
  }

  /// A server's wish to be left alone for longer: one message alone may be what it is about, and stops no other for it.
  private mutating func wish(_ wish: Duration?, of delivery: Delivery) -> Duration {
    guard let wish else { return .zero }
    wished.insert(delivery.id)
    return wished.count > 1 ? wish : min(wish, Limits.postWishOfOne)
  }

  /// Takes out of what waits what fits.
  mutating func remove(where fits: (Delivery) -> Bool) -> [Delivery] {
    let removed = waiting.filter(fits)
    if !removed.isEmpty { waiting.removeAll(where: fits) }
    for delivery in removed { evidence.forget(delivery.id) }
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
  mutating func recall(broken why: String, since: Timestamp?) { (broken, brokenSince) = (why, since) }

  /// Settings were read anew: it is tried again.
  mutating func mended() {
    (pausedUntil, troubles, isBetweenRounds, wished) = (Timestamp(milliseconds: 0), 0, false, [])
    evidence.beginRound()
  }
}
