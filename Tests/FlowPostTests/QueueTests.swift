import FlowModel
import FlowSettings
import Testing

@testable import FlowPost

struct QueueTests {
  private static func awake(_ quiet: QuietTime) -> Int { 0 }

  private func next(ifAny queue: inout PostQueue, _ now: Timestamp) -> Delivery? {
    queue.begin(at: now, quietMinutesLeft: Self.awake)
  }

  private func next(_ queue: inout PostQueue, _ now: Timestamp) throws -> Delivery {
    let begun = next(ifAny: &queue, now)
    return try #require(begun)
  }

  private func after(_ seconds: Int) -> Timestamp { noon.advanced(by: .seconds(seconds)) }

  @Test func `a delayed delivery is retried often at first and ends at its expiry`() throws {
    var one = try delivery()
    var waits: [Int64] = []
    var now = noon
    while one.end == nil, waits.count < 200 {
      one.expire(at: now, isQuiet: false)
      guard one.end == nil else { break }
      one.tries += 1
      one.applyOutcome(.later("away"), at: now, jitter: 1)
      waits.append((one.notBefore - now.milliseconds) / 1_000)
      now = Timestamp(milliseconds: one.notBefore)
    }
    #expect(waits.prefix(10) == [5, 15, 30, 60, 120, 300, 300, 600, 600, 900])
    #expect(waits.dropFirst(10).dropLast().allSatisfy { $0 == 900 })
    #expect(one.end == .expired && now.milliseconds == one.expiresAt)
    #expect(one.words == "it could not be delivered in time: away")
  }

  @Test func `a server's retry-after is kept, up to the message's expiry`() throws {
    var one = try delivery()
    one.tries = 1
    one.applyOutcome(.later("fewer", after: .seconds(90)), at: noon, jitter: 1)
    #expect(one.notBefore == after(90).milliseconds)
    one.applyOutcome(.later("fewer", after: .hours(24 * 300)), at: noon, jitter: 1)
    #expect(one.notBefore == one.expiresAt)
  }

  @Test func `a refused message is sent once more as plain text, and then is dead`() throws {
    var one = try delivery()
    one.applyOutcome(.refused("bad (400)"), at: noon, jitter: 1)
    #expect(one.isPlain && one.end == nil && one.notBefore <= noon.milliseconds)
    one.applyOutcome(.refused("bad (400)"), at: noon, jitter: 1)
    #expect(one.end == .refused && one.words == "bad (400)")
  }

  @Test(arguments: PostSettings.Kind.allCases)
  func `an unknown outcome is retried if the channel is idempotent, else once`(kind: PostSettings.Kind) throws {
    var one = try delivery(kind: kind.rawValue)
    let key = one.key
    one.tries = 1
    for _ in 0..<2 { one.applyOutcome(.unknown("cut"), at: noon, jitter: 1) }
    #expect(one.key == key)
    #expect(one.end == (kind.isIdempotent ? nil : .unknown) && one.isRepeat == !kind.isIdempotent)
  }

  @Test func `a crash during an attempt has an unknown outcome, and the third is final`() throws {
    var one = try delivery()
    for count in 1...Limits.postCrashes {
      one.isUnderWay = true
      one.recordCrash(at: noon)
      #expect((one.end == .unknown) == (count == Limits.postCrashes) && one.notBefore <= noon.milliseconds)
    }
    var untouched = try delivery()
    untouched.recordCrash(at: noon)
    #expect(untouched.crashes == 0)
  }

  @Test func `a channel has one attempt at a time, and an unreachable one delays no other`() throws {
    var queue = PostQueue()
    queue.add(try delivery("a1", channel: "a", recipient: "1"))
    queue.add(try delivery("a2", channel: "a", recipient: "2"))
    queue.add(try delivery("b1", channel: "b", recipient: "1"))
    let first = try next(&queue, noon)
    let second = try next(&queue, noon)
    #expect([first.event, second.event] == ["a1", "b1"])
    let found1 = next(ifAny: &queue, noon)
    #expect(found1 == nil)
    _ = queue.applyOutcome(first, .later("away", affectsWholeServer: true), at: noon, jitter: 1)
    _ = queue.applyOutcome(second, .delivered, at: noon, jitter: 1)
    let found2 = next(ifAny: &queue, noon)
    #expect(found2 == nil, "the place rests")
    // Messages that met the failure come after the others.
    let found3 = next(ifAny: &queue, after(5))
    #expect(found3?.event == "a2")
  }

  @Test func `hanging servers block no other channel`() throws {
    var queue = PostQueue()
    for number in 0..<20 { queue.add(try delivery("h\(number)", channel: "h\(number)")) }
    queue.add(try delivery("z1", channel: "z", at: after(1)))
    var hanging: [Delivery] = []
    // The limit applies to young attempts; attempts that wait for a slow server do not count.
    for (time, count) in [(0, 4), (1, 0), (3, 4), (6, 4), (9, 0)] {
      var begun: [Delivery] = []
      while let one = next(ifAny: &queue, after(time)) { begun.append(one) }
      #expect(begun.count == count, "after \(time) s")
      let nextWakeUp = try #require(queue.nextWakeUp(after: after(time), quietMinutesLeft: Self.awake))
      #expect(nextWakeUp > after(time), "it would spin")
      hanging += begun
    }
    for one in hanging {
      _ = queue.applyOutcome(one, .later("hangs", affectsWholeServer: true), at: after(30), jitter: 1)
    }
    // Known slow servers leave slots for others.
    var again: [Delivery] = []
    for time in stride(from: 35, to: 65, by: 3) {
      while let one = next(ifAny: &queue, after(time)) {
        if one.channel != "z" { again.append(one) }
        if one.channel == "z" {
          _ = queue.applyOutcome(one, .delivered, at: after(time), jitter: 1)
          queue.add(try delivery("z\(time)", channel: "z", at: after(1)))
          break
        }
      }
      let known = again.count { one in hanging.contains { $0.id == one.id } }
      #expect(known <= Limits.postFailingChannelTransfers)
    }
    #expect(!queue.lanes.values.contains { $0.inProgress.count > 1 })
  }

  @Test func `a mail server gets several mails at a time, each person's in order`() throws {
    var queue = PostQueue()
    for number in 0..<20 {
      queue.add(
        try delivery(
          "m\(number)", kind: "smtp", channel: "mail", recipient: "t\(number / 2)",
          address: "p\(number / 2)@example.com",
          at: after(number)))
    }
    let first = try next(&queue, after(100))
    let found = next(ifAny: &queue, after(100))
    #expect(found == nil, "it is not known yet")
    _ = queue.applyOutcome(first, .delivered, at: after(100), jitter: 1)
    var begun: [Delivery] = []
    while let one = next(ifAny: &queue, after(100)) { begun.append(one) }
    #expect(begun.map(\.event) == ["m1", "m2", "m4", "m6"])
    _ = queue.applyOutcome(begun[0], .later("away", affectsWholeServer: true), at: after(101), jitter: 1)
    for one in begun.dropFirst() {
      _ = queue.applyOutcome(one, .later("away", affectsWholeServer: true), at: after(101), jitter: 1)
    }
    #expect(queue.lanes["mail"]?.failureCount == 1, "one trouble, not four")
    let one = try next(&queue, after(106))
    #expect(one.event == "m8", "what has not met it comes first")
    let other = next(ifAny: &queue, after(106))
    #expect(other == nil)
  }

  @Test func `an at-most-once delivery ends after an unknown outcome or a crash`() throws {
    for kind in PostSettings.Kind.allCases {
      var one = try delivery(kind: kind.rawValue)
      one.isOnce = true
      one.tries = 1
      var recordCrash = one
      one.applyOutcome(.later("not taken (503)"), at: noon, jitter: 1)
      #expect(one.end == nil)
      one.applyOutcome(.unknown("cut"), at: noon, jitter: 1)
      recordCrash.isUnderWay = true
      recordCrash.recordCrash(at: noon)
      #expect(one.end == .unknown && recordCrash.end == .unknown && !one.isRepeat)
    }
  }

  @Test func `one person's failure delays only the same person, in order`() throws {
    var queue = PostQueue()
    queue.add(try delivery("m2", recipient: "maria", at: after(1)))
    queue.add(try delivery("m1", recipient: "maria"))
    queue.add(try delivery("d1", recipient: "dan", at: after(2)))
    let first = try next(&queue, noon)
    #expect(first.event == "m1")
    _ = queue.applyOutcome(first, .later("not yet (450)"), at: noon, jitter: 1)
    let second = try next(&queue, noon)
    #expect(second.event == "d1")
    _ = queue.applyOutcome(second, .delivered, at: noon, jitter: 1)
    let found4 = next(ifAny: &queue, noon)
    #expect(found4 == nil)
    #expect(queue.nextWakeUp(after: noon, quietMinutesLeft: Self.awake) == after(5))
    let again = try next(&queue, after(5))
    #expect(again.event == "m1" && again.tries == 2)
    _ = queue.applyOutcome(again, .noSuchAddress("gone"), at: after(5), jitter: 1)
    let found5 = next(ifAny: &queue, after(5))
    #expect(found5?.event == "m2")
  }

  @Test func `a broken channel is reported once, fails no message, and its recovery is reported once`() throws {
    var queue = PostQueue()
    queue.add(try delivery("a1"))
    var told: [PostQueue.ChannelChange] = []
    var now = noon
    for verdict in [SendVerdict.broken("401"), .broken("401"), .delivered] {
      let one = try next(&queue, now)
      #expect(one.tries == 1)
      let settled = queue.applyOutcome(one, verdict, at: now, jitter: 1)
      if let news = settled.news { told.append(news) }
      now = now.advanced(by: .minutes(5))
    }
    #expect(told == [.broken(channel: "hook", why: "401"), .recovered(channel: "hook")])
  }

  @Test func `a clock set back extends no wait and no expiry`() throws {
    var queue = PostQueue()
    queue.add(try delivery())
    let begun = try next(&queue, noon)
    _ = queue.applyOutcome(begun, .later("away", affectsWholeServer: true), at: noon, jitter: 1)
    let back = noon.advanced(by: .hours(-2))
    #expect(queue.nextWakeUp(after: back, quietMinutesLeft: Self.awake) == after(5))
    queue.shiftWaitsBack(by: .hours(2))
    #expect(queue.nextWakeUp(after: back, quietMinutesLeft: Self.awake) == back.advanced(by: .seconds(5)))
    let again = try next(&queue, back.advanced(by: .seconds(5)))
    #expect(again.tries == 2 && again.expiresAt == begun.expiresAt)
  }

  @Test func `a channel broken before a restart is tried at once; only its recovery is reported`() throws {
    var queue = PostQueue()
    queue.restore("hook", "webhook", broken: "401")
    queue.add(try delivery())
    var begun = try next(&queue, noon)
    #expect(queue.applyOutcome(begun, .broken("401"), at: noon, jitter: 1).news == nil)
    let later = noon.advanced(by: .hours(1))
    begun = try next(&queue, later)
    #expect(queue.applyOutcome(begun, .delivered, at: later, jitter: 1).news == .recovered(channel: "hook"))
  }

  @Test func `nothing is sent in quiet hours, and a message that expires in them ends`() throws {
    let quiet = try #require(QuietTime("22:00-06:00", zone: "UTC"))
    var queue = PostQueue()
    queue.add(try delivery("q1", quiet: quiet))
    let asleep = queue.begin(at: noon, quietMinutesLeft: { _ in 30 })
    #expect(asleep == nil)
    #expect(queue.nextWakeUp(after: noon, quietMinutesLeft: { _ in 30 }) == after(1_800))
    let found6 = next(ifAny: &queue, after(1_800))
    #expect(found6?.event == "q1")
    queue = PostQueue()
    let late = try delivery("q2", quiet: quiet)
    queue.add(late)
    let ended = queue.expired(at: Timestamp(milliseconds: late.expiresAt), quietMinutesLeft: { _ in 30 })
    #expect(ended.map(\.end) == [.expired])
    #expect(ended.map(\.words) == ["it could not be delivered in time: the person's quiet hours lasted longer"])
    #expect(queue.count == 0)
    // Expired outside of quiet hours, so they are not given as the reason.
    queue.add(late)
    let awake = queue.expired(at: Timestamp(milliseconds: late.expiresAt), quietMinutesLeft: Self.awake)
    #expect(awake.map(\.words) == ["it could not be delivered in time"])
  }

  @Test func `quiet hours are parsed and their remaining minutes are counted`() throws {
    let night = try #require(QuietTime("22:00-06:00", zone: "UTC"))
    #expect([1_319, 1_320, 1_410, 0, 359, 360].map(night.minutesLeft) == [0, 480, 390, 360, 1, 0])
    let noon = try #require(QuietTime("12:00-13:30", zone: "UTC"))
    #expect([719, 720, 809, 810].map(noon.minutesLeft) == [0, 90, 1, 0])
    for text in ["", "22:00", "22:00-22:00", "24:00-06:00", "x-y", "22:00-06:00-07:00"] {
      #expect(QuietTime(text, zone: "UTC") == nil, "\(text)")
    }
  }
}
