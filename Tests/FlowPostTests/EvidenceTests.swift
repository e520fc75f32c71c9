import FlowModel
import FlowSettings
import FlowTestKit
import Foundation
import Testing

@testable import FlowPost

/// Whether a failure concerns one message or the whole channel is decided by whether another message succeeds.
struct EvidenceTests {
  /// A server that answers each message as the test says, at simulated times.
  private struct Bench {
    var queue = PostQueue()
    var now = noon
    var ends: [Delivery] = []
    var news: [PostQueue.ChannelChange] = []
    /// The times of each event's attempts, by event id.
    var tries: [String: [Timestamp]] = [:]

    mutating func run(until end: Timestamp, _ answer: (Delivery, Timestamp) -> SendVerdict) throws {
      var steps = 0
      while now < end {
        steps += 1
        try #require(steps < 100_000, "it spins")
        ends += queue.expired(at: now, quietMinutesLeft: { _ in 0 })
        while let one = queue.begin(at: now, quietMinutesLeft: { _ in 0 }) {
          tries[one.event, default: []].append(now)
          let settled = queue.applyOutcome(one, answer(one, now), at: now, jitter: 1)
          if let news = settled.news { self.news.append(news) }
          if settled.delivery.end != nil { ends.append(settled.delivery) }
        }
        guard let nextWakeUp = queue.nextWakeUp(after: now, quietMinutesLeft: { _ in 0 }) else { return }
        try #require(nextWakeUp > now, "it would spin")
        now = nextWakeUp
      }
    }

    func end(_ event: String) -> Delivery? { ends.first { $0.event == event } }
  }

  private func after(_ time: Duration) -> Timestamp { noon.advanced(by: time) }

  /// - Parameter recipient: the recipient of all events; nil gives each event its own.
  private func bench(_ events: [String], kind: String = "webhook", recipient: String? = nil) throws -> Bench {
    var bench = Bench()
    for (index, event) in events.enumerated() {
      bench.queue.add(
        try delivery(
          event, kind: kind, recipient: recipient ?? event, address: kind == "smtp" ? "\(event)@example.com" : "hook",
          at: noon.advanced(by: .seconds(index))))
    }
    return bench
  }

  private static let twenty = (1...20).map { "m\($0)" }

  @Test(arguments: ["m1", "m7", "m20"], [nil, "*"] as [String?])
  func `a message that a channel refuses blocks no other and is dead within minutes`(bad: String, recipient: String?)
    throws
  {
    for verdict in [SendVerdict.broken("no service at that URL (404)"), .broken("demands a login (530)")] {
      var bench = try bench(Self.twenty, recipient: recipient)
      let answer = { (one: Delivery, _: Timestamp) in one.event == bad ? verdict : SendVerdict.delivered }
      try bench.run(until: after(.minutes(1)), answer)
      #expect(bench.ends.count { $0.end == .delivered } == 19)
      if bad == "m20" {
        // The last message was refused after all others had gone: only another message shows whether the channel fails.
        #expect(bench.news.count == 1 && bench.end(bad) == nil)
        bench.queue.add(try delivery("m21", recipient: recipient ?? "m21", at: bench.now))
      }
      try bench.run(until: after(.minutes(5)), answer)
      let end = try #require(bench.end(bad))
      #expect(end.end == .refused && end.words.hasSuffix(", while the channel accepted other messages"), "\(end.words)")
      #expect(end.tries <= 1 + Limits.postRefusalsOfOneMessage && end.isPlain)
      #expect(try #require(end.endedAt) < after(.minutes(3)).milliseconds)
      #expect(bench.news.count == (bad == "m20" ? 2 : 0), "\(bench.news)")
    }
  }

  @Test func `a failing message marks the channel broken until another one succeeds`() throws {
    var bench = try bench(["bad"])
    try bench.run(until: after(.seconds(70))) { _, _ in .broken("404") }
    #expect(bench.news == [.broken(channel: "hook", why: "404")])
    #expect(bench.queue.lanes["hook"]?.brokenSince == noon)
    let tried = bench.now
    bench.queue.add(try delivery("good", recipient: "other"))
    try bench.run(until: tried.advanced(by: .minutes(3))) { one, _ in one.event == "bad" ? .broken("404") : .delivered }
    #expect(bench.tries["good"] == [tried], "it does not wait for the suspect's pause")
    #expect(bench.news.last == .recovered(channel: "hook") && bench.news.count == 2)
    #expect(bench.end("bad")?.end == .refused)
  }

  @Test func `a channel that refuses everything is reported once and retried rarely without losses`() throws {
    var bench = try bench(Self.twenty)
    let repaired = after(.hours(2))
    try bench.run(until: after(.hours(3))) { _, now in now < repaired ? .broken("401") : .delivered }
    #expect(bench.news == [.broken(channel: "hook", why: "401"), .recovered(channel: "hook")])
    #expect(bench.ends.count { $0.end == .delivered } == 20)
    let before = bench.tries.values.joined().count { $0 < repaired }
    // Three messages, and three more after each pause: 1, 5, then every 15 minutes.
    #expect(before <= 3 * 11, "\(before) requests in two hours")
    let last = try #require(bench.ends.compactMap(\.endedAt).max())
    #expect(last <= repaired.advanced(by: .minutes(16)).milliseconds)
  }

  @Test func `every suspect message is retried, so that bad messages block no good one`() throws {
    // All were refused while the channel was broken; some would be refused in any case.
    var bench = try bench(Self.twenty)
    let bad = Set(["m1", "m2", "m3", "m4", "m5"])
    let repaired = after(.minutes(30))
    try bench.run(until: after(.hours(3))) { one, now in
      now < repaired || bad.contains(one.event) ? .broken("404") : .delivered
    }
    #expect(bench.ends.count { $0.end == .delivered } == 15)
    for event in bad { #expect(bench.end(event)?.end == .refused, "\(event)") }
  }

  @Test func `one retry-after pauses the channel a minute, several pause it as requested`() throws {
    for wish in [
      SendVerdict.later("503", after: .hours(20), affectsWholeServer: true), .rateLimited("429", after: .hours(20)),
    ] {
      var bench = try bench(Self.twenty)
      try bench.run(until: after(.minutes(10))) { one, _ in one.event == "m1" ? wish : .delivered }
      #expect(bench.ends.count { $0.end == .delivered } == 19)
      var all = try self.bench(Self.twenty)
      try all.run(until: after(.hours(10))) { _, _ in wish }
      #expect(all.tries.values.joined().count == 2, "the second one shows that it is for all")
    }
  }

  @Test func `a message that fails on the server delays the same person's later messages briefly`() throws {
    for verdict in [
      SendVerdict.later("500"), .later("503", affectsWholeServer: true), .unknown("no whole answer"),
      .unknown("502", of: .message), .unknown("not its own", of: .channel),
    ] {
      var bench = try bench(Self.twenty, recipient: "*")
      try bench.run(until: after(.minutes(15))) { one, _ in one.event == "m1" ? verdict : .delivered }
      #expect(bench.ends.count { $0.end == .delivered } == 19, "\(verdict)")
    }
  }

  @Test func `after a restart a broken channel is probed with other messages too`() throws {
    var bench = try bench(["bad", "good"])
    bench.queue.restore("hook", "webhook", broken: "404", since: noon)
    try bench.run(until: after(.minutes(3))) { one, _ in one.event == "bad" ? .broken("404") : .delivered }
    #expect(bench.tries["good"] == [noon] && bench.news == [.recovered(channel: "hook")])
  }

  @Test func `a deferred mail delays no other mail of the channel`() throws {
    var bench = try bench(["m1", "slow", "m2", "m3", "m4"], kind: "smtp")
    var slow: Delivery?
    var takenAt = 0
    while bench.now < after(.minutes(1)), bench.queue.count > 1 {
      while let one = bench.queue.begin(at: bench.now, quietMinutesLeft: { _ in 0 }) {
        if one.event == "slow" {
          slow = one
        } else {
          _ = bench.queue.applyOutcome(one, .delivered, at: bench.now, jitter: 1)
          takenAt += 1
        }
      }
      bench.now = bench.now.advanced(by: .seconds(1))
    }
    #expect(takenAt == 4 && slow != nil)
  }

  @Test func `channels with slow servers leave slots for other channels`() throws {
    var queue = PostQueue()
    for lane in 0..<5 {
      for number in 0..<5 {
        queue.add(try delivery("s\(lane)-\(number)", kind: "smtp", channel: "s\(lane)", recipient: "r\(number)"))
      }
    }
    var now = noon
    // A delivery that waits for an answer is not a failure yet.
    for _ in 0..<120 {
      while queue.begin(at: now, quietMinutesLeft: { _ in 0 }) != nil {}
      now = now.advanced(by: .seconds(1))
    }
    queue.add(try delivery("w", channel: "web", at: now))
    let begun = queue.begin(at: now, quietMinutesLeft: { _ in 0 })
    #expect(begun?.event == "w")
    #expect(queue.lanes.values.map(\.inProgress.count).reduce(0, +) <= Limits.postLongTransfers)
  }

  // MARK: Whatever happens

  /// Good and bad messages, a channel that breaks and is repaired at random times, and random answers. `POOLFLOW_SEED` sets the
  /// first seed.
  @Test(arguments: 0..<80) func `good messages arrive and bad ones are dead-lettered`(choice: UInt64) throws {
    let seed = (ProcessInfo.processInfo.environment["POOLFLOW_SEED"].flatMap { UInt64($0) } ?? 0) &+ choice
    var numbers = SeededNumbers(seed: seed)
    let kind = try #require(["webhook", "smtp", "ntfy"].randomElement(using: &numbers))
    let events = (0..<Int.random(in: 1...25, using: &numbers)).map { "m\($0)" }
    let people = Int.random(in: 1...events.count, using: &numbers)
    var bench = Bench()
    for (index, event) in events.enumerated() {
      bench.queue.add(
        try delivery(
          event, kind: kind, recipient: "r\(index % people)", at: noon.advanced(by: .seconds(index))))
    }
    let badShare = Int.random(in: 0...4, using: &numbers)
    let bad = Set(events.filter { _ in Int.random(in: 0..<10, using: &numbers) < badShare })
    let repaired = noon.advanced(by: .minutes(Int.random(in: 0...90, using: &numbers)))
    let noise: [SendVerdict] = [
      .later("away", affectsWholeServer: true), .later("not yet"), .rateLimited("429", after: .seconds(30)),
      .broken("404"),
    ]
    var (inProgress, delivered, told) = ([Delivery](), Set<String>(), false)
    // A good message is added now and then: without it the last refusals cannot be attributed.
    var witnesses = 0

    for _ in 0..<20_000 {
      for one in bench.queue.expired(at: bench.now, quietMinutesLeft: { _ in 0 }) { bench.ends.append(one) }
      while let one = bench.queue.begin(at: bench.now, quietMinutesLeft: { _ in 0 }) {
        #expect(!inProgress.contains { $0.id == one.id }, "seed \(seed): \(one.event) twice at once")
        #expect(!delivered.contains(one.event), "seed \(seed): \(one.event) after it was taken")
        inProgress.append(one)
      }
      #expect(inProgress.count <= (kind == "smtp" ? Limits.postMailTransfers : 1), "seed \(seed)")
      guard let index = inProgress.indices.randomElement(using: &numbers) else {
        guard let nextWakeUp = bench.queue.nextWakeUp(after: bench.now, quietMinutesLeft: { _ in 0 }) else { break }
        try #require(nextWakeUp > bench.now, "seed \(seed): it would spin")
        let next = repaired.advanced(by: .minutes(30 * (witnesses + 1)))
        bench.now = min(nextWakeUp, max(next, bench.now))
        guard bench.now >= next else { continue }
        witnesses += 1
        bench.queue.add(try delivery("w\(witnesses)", kind: kind, recipient: "w\(witnesses)", at: bench.now))
        continue
      }
      let one = inProgress.remove(at: index)
      bench.now = bench.now.advanced(by: .milliseconds(Int.random(in: 0...2_000, using: &numbers)))
      let isBroken = bench.now < repaired
      let verdict: SendVerdict =
        if isBroken {
          Bool.random(using: &numbers) ? .broken("401") : noise.randomElement(using: &numbers) ?? .delivered
        } else if bad.contains(one.event) { .broken("404") } else { .delivered }
      let settled = bench.queue.applyOutcome(one, verdict, at: bench.now, jitter: 1)
      if verdict == .delivered { delivered.insert(one.event) }
      switch settled.news {
      case .broken:
        #expect(!told, "seed \(seed): broken is told twice")
        told = true
      case .recovered:
        #expect(told, "seed \(seed): well was never broken")
        told = false
      case nil: break
      }
      if settled.delivery.end != nil { bench.ends.append(settled.delivery) }
    }
    #expect(bench.queue.count == 0 && bench.ends.count == events.count + witnesses, "seed \(seed): each ends once")
    #expect(Set(bench.ends.map(\.event)).isSuperset(of: events), "seed \(seed)")
    for event in events {
      let end = try #require(bench.end(event))
      if bad.contains(event) {
        #expect(end.end == .refused, "seed \(seed): \(event) \(String(describing: end.end))")
      } else {
        #expect(end.end == .delivered, "seed \(seed): \(event): \(String(describing: end.end)) \(end.words)")
        let late = Timestamp(milliseconds: end.endedAt ?? 0).since(max(repaired, noon))
        // A round of three probes every 15 minutes, until a good message gets its turn; then each has its own ladder.
        let rounds = bad.count / Limits.postRefusalsBeforePause + 1
        #expect(late < .minutes(16 * rounds + 20), "seed \(seed): \(event) came \(late) after the repair")
      }
    }
  }
}
