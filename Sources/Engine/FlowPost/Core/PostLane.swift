import FlowDelivery
import FlowModel
import FlowSettings

/// The deliveries of one channel: those waiting, those being sent, and the state of the channel's server.
struct PostLane: Sendable {
  /// The waiting deliveries, ordered by the time of their events.
  private(set) var waiting: [Delivery] = []
  /// The deliveries being sent, and the start of each try.
  private(set) var inProgress: [(delivery: Delivery, since: Timestamp)] = []
  private(set) var pausedUntil = Timestamp(milliseconds: 0)
  /// The number of consecutive failures of the server as a whole.
  private(set) var failureCount = 0
  /// The reason why the channel refuses everything until its settings or server are repaired, and since when; nil if it works.
  private(set) var broken: String?
  private(set) var brokenSince: Timestamp?
  private var evidence = RefusalEvidence()
  /// True while the channel pauses after a round of refusals.
  private var isBetweenRounds = false
  /// The deliveries for which the server requested a longer pause (Retry-After) since it last accepted one.
  private var requestedPauses: Set<String> = []
  private var rateLimiter: ServerRateLimiter
  private let isMail: Bool
  /// The number of parallel tries: 1, or more for a mail server after it has accepted a mail.
  private var maxParallel = 1

  init(_ kind: String) {
    let kind = PostSettings.Kind(rawValue: kind)
    rateLimiter = ServerRateLimiter(kind)
    isMail = kind?.isMail == true
  }

  /// Returns when a delivery may start, as far as other lanes are concerned, in milliseconds since 1970; `Int64.max` if it must
  /// wait for another delivery to end.
  typealias EarliestStart = (Delivery) -> Int64

  /// The pauses while a server is unreachable: short, because all messages of the channel wait.
  private static let unreachableServer = RetryPolicy([.seconds(5), .seconds(15), .seconds(30), .minutes(1)])
  /// The pauses of a broken channel: longer, because an operator must repair it.
  private static let brokenChannel = RetryPolicy([.minutes(1), .minutes(5), .minutes(15)])

  /// All unfinished deliveries.
  var all: [Delivery] { waiting + inProgress.map(\.delivery) }

  /// Whether the channel has as many parallel tries as allowed. A try older than `Limits.postSlowAfter` does not count for a healthy
  /// mail server, because its answer to a whole mail may take minutes.
  private func isFull(at now: Timestamp) -> Bool {
    guard inProgress.count >= maxParallel else { return false }
    guard mayExceedLimit else { return true }
    let recent = inProgress.count { $0.since <= now && now.since($0.since) < Limits.postSlowAfter }
    return recent >= maxParallel || inProgress.count >= Limits.postMailTransfers
  }

  /// Whether more mails may be sent in parallel than the usual width.
  private var mayExceedLimit: Bool { isMail && failureCount == 0 && broken == nil && !evidence.isDoubted }

  /// True while the channel is broken and its next try is not due.
  func isBroken(at now: Timestamp) -> Bool { broken != nil && pausedUntil > now }

  /// Inserts a delivery in the order of event time.
  mutating func add(_ delivery: Delivery) {
    // New deliveries nearly always belong at the end.
    let index = waiting.lastIndex { ($0.madeAt, $0.event) <= (delivery.madeAt, delivery.event) }.map { $0 + 1 } ?? 0
    waiting.insert(delivery, at: index)
  }

  /// Returns the index of the next delivery to try: the first that is due, in order per recipient. Deliveries that failed come
  /// after new ones, so that one bad message does not delay the others. After a refusal, until the channel accepts a message,
  /// deliveries that it has not refused come first.
  ///
  /// - Parameter quietMinutesLeft: returns the remaining minutes of a person's quiet hours.
  /// - Returns: nil if no delivery is due.
  func next(at now: Timestamp, quietMinutesLeft: (QuietTime) -> Int, earliestStart: EarliestStart) -> Int? {
    guard !isFull(at: now), !isPaused(at: now) || mayProbe else { return nil }
    var blocked = Set(inProgress.map(\.delivery.orderingKey))
    var best: (index: Int, rank: Int)?
    for (index, delivery) in waiting.enumerated() {
      // Expired deliveries, and fallbacks that may not start yet, do not block their recipient's queue.
      if delivery.expiresAt <= now.milliseconds { continue }
      if delivery.standsFor != nil, earliestStart(delivery) > now.milliseconds { continue }
      guard isTurn(of: delivery, blocked: &blocked) else { continue }
      guard delivery.notBefore <= now.milliseconds, delivery.quiet.map(quietMinutesLeft) ?? 0 == 0 else { continue }
      guard rateLimiter.earliestTime(for: delivery.address, at: now) <= now.milliseconds else { continue }
      guard earliestStart(delivery) <= now.milliseconds, !isPaused(at: now) || !isSuspect(delivery) else { continue }
      let rank = rank(delivery)
      if rank == 0 { return index }
      if best.map({ rank < $0.rank }) ?? true { best = (index, rank) }
    }
    return best?.index
  }

  /// Whether the channel can try another message now, or is trying one, to compare with a refused one.
  func hasOtherToTry(
    against delivery: Delivery, at now: Timestamp, quietMinutesLeft: (QuietTime) -> Int, earliestStart: EarliestStart
  ) -> Bool {
    guard inProgress.isEmpty else { return true }
    return waiting.contains { other in
      other.id != delivery.id && !evidence.wasProbed(other.id) && other.notBefore <= now.milliseconds
        && other.quiet.map(quietMinutesLeft) ?? 0 == 0 && earliestStart(other) <= now.milliseconds
    }
  }

  private func isPaused(at now: Timestamp) -> Bool { pausedUntil > now }

  /// During the pause after refusals the channel may try a message that it has not refused, to find the cause.
  private var mayProbe: Bool { isBetweenRounds && !evidence.isExhausted }

  private func isSuspect(_ delivery: Delivery) -> Bool { evidence.isSuspect(delivery.id) }

  /// Whether the delivery is the next in its recipient's queue. A delivery that was refused or tried often does not block later
  /// ones.
  private func isTurn(of delivery: Delivery, blocked: inout Set<String>) -> Bool {
    guard !isSuspect(delivery), delivery.tries < Limits.postOrderedAttempts else {
      return !blocked.contains(delivery.orderingKey)
    }
    return blocked.insert(delivery.orderingKey).inserted
  }

  /// The priority of a due delivery; lower values go first. After a refusal, the most recently refused delivery goes last.
  private func rank(_ delivery: Delivery) -> Int {
    guard broken != nil || evidence.isDoubted, let last = evidence.lastRefusal(of: delivery.id) else {
      return delivery.tries
    }
    return Int.max / 2 + last
  }

  /// Returns when a delivery may become due or expire; nil if nothing can become due before a running try ends.
  func nextWakeUp(after now: Timestamp, quietMinutesLeft: (QuietTime) -> Int, earliestStart: EarliestStart)
    -> Timestamp?
  {
    guard !isFull(at: now) else {
      return mayExceedLimit && inProgress.count < Limits.postMailTransfers ? now.advanced(by: .seconds(1)) : nil
    }
    var blocked = Set(inProgress.map(\.delivery.orderingKey))
    var first: Int64?
    for delivery in waiting where delivery.expiresAt > now.milliseconds {
      var due = delivery.expiresAt
      let earliestTime = earliestStart(delivery)
      if delivery.standsFor != nil, earliestTime > now.milliseconds {
        due = min(due, earliestTime)
      } else if isTurn(of: delivery, blocked: &blocked) {
        let quiet = Int64(delivery.quiet.map(quietMinutesLeft) ?? 0)
        let pauseEnd = mayProbe && !isSuspect(delivery) ? 0 : pausedUntil.milliseconds
        let open = max(
          delivery.notBefore, pauseEnd, now.milliseconds + quiet * 60_000,
          rateLimiter.earliestTime(for: delivery.address, at: now), earliestTime
        )
        due = min(due, open)
      }
      first = min(first ?? due, due)
    }
    return first.map { Timestamp(milliseconds: max($0, now.milliseconds)) }
  }

  /// Starts the delivery at an index of `waiting`: marks it as under way and returns it.
  mutating func begin(_ index: Int, at now: Timestamp) -> Delivery {
    if isBetweenRounds, !isPaused(at: now) {
      evidence.beginRound()
      isBetweenRounds = false
    }
    var delivery = waiting.remove(at: index)
    delivery.tries += 1
    delivery.isUnderWay = true
    inProgress.append((delivery, now))
    rateLimiter.take(delivery.address, at: now)
    return delivery
  }

  /// Returns the verdict, in view of the channel's other messages: `broken` becomes `singledOut` if the channel accepts other
  /// messages.
  func adjustedVerdict(_ verdict: SendVerdict, of delivery: Delivery) -> SendVerdict {
    guard case .broken(let why) = verdict, broken == nil, evidence.isMessageAtFault(delivery.id) else { return verdict }
    return .singledOut(why)
  }

  /// Removes a delivery from those under way, and queues it again if it has not ended.
  mutating func end(_ delivery: Delivery) {
    inProgress.removeAll { $0.delivery.id == delivery.id }
    if delivery.end == nil { add(delivery) } else { evidence.forget(delivery.id) }
  }

  /// Updates the channel's state after a try; called after `end`.
  ///
  /// - Parameter hasOtherToTry: true if another message can be tried now, or is under way.
  /// - Returns: news for the operator, if the channel broke or recovered.
  mutating func applyOutcome(
    _ delivery: Delivery, _ verdict: SendVerdict, at now: Timestamp, hasOtherToTry: Bool
  ) -> PostQueue.ChannelChange? {
    switch verdict {
    case .delivered:
      evidence.accepted(delivery.id)
      requestedPauses = []
      (failureCount, pausedUntil, isBetweenRounds, maxParallel) = (0, now, false, isMail ? Limits.postMailTransfers : 1)
      guard broken != nil else { return nil }
      (broken, brokenSince) = (nil, nil)
      return .recovered(channel: delivery.channel)
    // The server works, but refused messages do not prove that it accepts others.
    case .refused, .noSuchAddress:
      if broken == nil, !evidence.isDoubted {
        (failureCount, pausedUntil, maxParallel) = (0, now, isMail ? Limits.postMailTransfers : 1)
      }
    case .later(_, let requestedWait, true): pause(Self.unreachableServer, requestedWait, now, delivery)
    case .rateLimited(_, let requestedWait):
      rateLimiter.rateLimited(at: now)
      pause(Self.unreachableServer, requestedWait, now, delivery)
    case .unknown(let why, .channel): return handleDoubtfulRefusal(delivery, why, at: now, hasOtherToTry: hasOtherToTry)
    case .unknown(_, .server): pause(Self.unreachableServer, nil, now, delivery)
    case .later, .moved, .singledOut, .unknown(_, .message): break
    case .broken(let why): return handleDoubtfulRefusal(delivery, why, at: now, hasOtherToTry: hasOtherToTry)
    }
    return nil
  }

  /// Handles a refusal that may be the message's fault or the channel's. The channel is declared broken if no other message can
  /// be tried or `Limits.postRefusalsBeforePause` messages were refused.
  private mutating func handleDoubtfulRefusal(
    _ delivery: Delivery, _ why: String, at now: Timestamp, hasOtherToTry: Bool
  ) -> PostQueue.ChannelChange? {
    let isRepeated = evidence.wasProbed(delivery.id)
    evidence.refused(delivery.id)
    maxParallel = 1
    if hasOtherToTry, !isRepeated, !evidence.isExhausted {
      // If no other message is tried after all, retry this one.
      postpone(delivery, until: now.advanced(by: Self.unreachableServer.delay(afterFailures: 1)))
      return nil
    }
    pause(Self.brokenChannel, nil, now, delivery)
    isBetweenRounds = true
    let isNew = broken == nil
    broken = why
    guard isNew else { return nil }
    brokenSince = now
    return .broken(channel: delivery.channel, why: why)
  }

  /// Delays a waiting delivery until `time`.
  private mutating func postpone(_ delivery: Delivery, until time: Timestamp) {
    guard let index = waiting.firstIndex(where: { $0.id == delivery.id }) else { return }
    waiting[index].notBefore = max(waiting[index].notBefore, time.milliseconds)
  }

  /// Pauses the channel for the next delay of `policy`, at least as long as the server requested.
  private mutating func pause(
    _ policy: RetryPolicy, _ requestedWait: Duration?, _ now: Timestamp, _ delivery: Delivery
  ) {
    maxParallel = 1
    // Parallel tries that fail together count as one failure.
    if pausedUntil <= now || failureCount == 0 { failureCount += 1 }
    let step = policy.delay(
      afterFailures: failureCount, requestedWait: self.requestedWait(requestedWait, of: delivery))
    // A pause ends at the latest when the message that caused it expires.
    let until = min(now.advanced(by: step).milliseconds, max(delivery.expiresAt, now.milliseconds))
    pausedUntil = Timestamp(milliseconds: max(until, pausedUntil.milliseconds))
  }

  /// Returns the pause that the server requested, capped if only one message has caused such a request so far.
  private mutating func requestedWait(_ requestedWait: Duration?, of delivery: Delivery) -> Duration {
    guard let requestedWait else { return .zero }
    requestedPauses.insert(delivery.id)
    return requestedPauses.count > 1 ? requestedWait : min(requestedWait, Limits.postMaxMessagePause)
  }

  /// Removes the waiting deliveries that satisfy the predicate, and returns them.
  mutating func remove(where shouldRemove: (Delivery) -> Bool) -> [Delivery] {
    let removed = waiting.filter(shouldRemove)
    if !removed.isEmpty { waiting.removeAll(where: shouldRemove) }
    for delivery in removed { evidence.forget(delivery.id) }
    return removed
  }

  /// Shifts all waits back after the clock was set back by `step`.
  mutating func shiftWaitsBack(by step: Duration) {
    pausedUntil = pausedUntil.advanced(by: .zero - step)
    for index in waiting.indices {
      waiting[index].notBefore -= step.wholeMilliseconds
      waiting[index].standsFrom -= step.wholeMilliseconds
    }
  }

  /// Restores that the channel was broken in an earlier process. It is tried at once, since the restart may follow a repair.
  mutating func restore(broken why: String, since: Timestamp?) { (broken, brokenSince) = (why, since) }

  /// Ends the pauses after a reload of the settings, so that a broken channel is tried again.
  mutating func endPauses() {
    (pausedUntil, failureCount, isBetweenRounds, requestedPauses) = (Timestamp(milliseconds: 0), 0, false, [])
    evidence.beginRound()
  }
}
