import FlowDelivery
import FlowModel
import FlowNotices
import FlowStore
import FlowTestKit
import Testing

struct DispatcherTests {
  private let time = ManualTime()
  private let log = EventLog()

  private func dispatcher(_ outbox: MemoryOutbox, _ sinks: [any Sink]) -> Dispatcher {
    Dispatcher(
      store: outbox, sinks: sinks, wallClock: time.wallClock, clock: time, random: SeededNumbers(seed: 11),
      report: { [log] in log.append($0) })
  }

  /// Runs the dispatcher during `body`, then stops it.
  private func running(_ dispatcher: Dispatcher, _ body: () async throws -> Void) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await dispatcher.run() }
      try await body()
      group.cancelAll()
      try await group.waitForAll()
    }
  }

  private func isIdle(_ dispatcher: Dispatcher) async -> Bool {
    await dispatcher.statuses().allSatisfy { $0.isIdle }
  }

  @Test func `a lane without due entries sets no timer, and a wake-up starts it`() async throws {
    let outbox = MemoryOutbox()
    let sink = ScriptedSink("out")
    let dispatcher = dispatcher(outbox, [sink, ScriptedSink("other")])
    try await running(dispatcher) {
      await until { await isIdle(dispatcher) }
      #expect(await outbox.reads == 2)
      #expect(time.sleeps == 0)
      await outbox.insert(sampleEntries(3, sink: "out"))
      dispatcher.wake()
      await outbox.reaches { $0.allSatisfy { $0.state == .sent } }
      #expect(sink.given == [[1, 2, 3]])
      await until { await isIdle(dispatcher) }
      #expect(time.sleeps == 0)
    }
  }

  @Test func `a wake-up reaches only the named lanes`() async throws {
    let outbox = MemoryOutbox()
    let dispatcher = dispatcher(outbox, [ScriptedSink("one"), ScriptedSink("two")])
    try await running(dispatcher) {
      await until { await isIdle(dispatcher) }
      await outbox.insert([sampleEntry(1, sink: "one"), sampleEntry(2, sink: "two")])
      dispatcher.wake(["two"])
      await outbox.reaches { $0.contains { $0.state == .sent } }
      await until { await isIdle(dispatcher) }
      #expect(await outbox.states == [.pending, .sent])
    }
  }

  @Test func `a refused delivery is retried later, and the entry behind it goes first`() async throws {
    let outbox = MemoryOutbox(sampleEntries(2, sink: "out"))
    let sink = ScriptedSink("out") { entry, batch in
      entry.sequence == 1 && batch == 1 ? .refused(.temporary(.journalBusy(path: "/run/j"))) : .delivered
    }
    try await running(dispatcher(outbox, [sink])) {
      await time.sleepsReach(1)
      #expect(await outbox.states == [.pending, .sent])
      #expect(time.waits.allSatisfy { $0 >= .seconds(4) && $0 <= .seconds(6) })
      time.advance(by: .seconds(6))
      await outbox.reaches { $0.allSatisfy { $0.state == .sent } }
      #expect(sink.given == [[1, 2], [1]])
    }
  }

  @Test func `an entry is dead after nine refusals, which is reported once`() async throws {
    let outbox = MemoryOutbox(sampleEntries(1, sink: "out"))
    let sink = ScriptedSink("out") { _, _ in .refused(.temporary(.journalBusy(path: "/run/j"))) }
    try await running(dispatcher(outbox, [sink])) {
      for sleeps in 1...8 {
        await time.sleepsReach(sleeps)
        time.advance(by: .hours(29))
      }
      await outbox.reaches { $0.allSatisfy { $0.state == .dead } }
    }
    let entry = await outbox.all[0]
    #expect(entry.attempts == Limits.deliveryAttempts)
    #expect(entry.lastError?.contains("accepts no messages") == true)
    #expect(sink.given.count == Limits.deliveryAttempts)
    let deaths = log.events.filter {
      if case .refused(_, let refusal) = $0 { refusal.next == .dead } else { false }
    }
    #expect(deaths.count == 1)
  }

  @Test func `an unhealthy sink is reported once, blocks no other sink, and recovers`() async throws {
    let outbox = MemoryOutbox([sampleEntry(1, sink: "sick"), sampleEntry(2, sink: "well")])
    let sick = ScriptedSink("sick") { _, batch in
      batch <= 3 ? .stalled(.temporary(.outputClosed(sink: "sick"))) : .delivered
    }
    let dispatcher = dispatcher(outbox, [sick, ScriptedSink("well")])
    try await running(dispatcher) {
      await outbox.reaches { $0[1].state == .sent }
      for sleeps in 1...3 {
        await time.sleepsReach(sleeps)
        let statuses = await dispatcher.statuses()
        #expect(statuses[0].isPaused && statuses[0].trouble == .outputClosed(sink: "sick"))
        time.advance(by: .seconds(72))
      }
      await outbox.reaches { $0[0].state == .sent }
      await until { log.events.last == .well(sink: "sick") }
    }
    #expect(await outbox.all[0].attempts == 0)
    let sickness = log.events.filter { if case .sick = $0 { true } else { false } }
    #expect(sickness.count == 1)
    #expect(log.events.count { $0 == .well(sink: "sick") } == 1)
    #expect(log.events.count { $0 == .working(sink: "well") } == 1)
    #expect(log.events.count == 4)
  }

  @Test func `a hanging sink does not delay other sinks`() async throws {
    let outbox = MemoryOutbox([sampleEntry(1, sink: "hung")] + (2...600).map { sampleEntry($0, sink: "well") })
    let hung = ScriptedSink("hung")
    hung.hold()
    try await running(dispatcher(outbox, [hung, ScriptedSink("well")])) {
      await outbox.reaches { $0.dropFirst().allSatisfy { $0.state == .sent } }
      #expect(await outbox.all[0].state == .pending)
      hung.release()
    }
    #expect(await outbox.all[0].state == .sent)
  }

  @Test func `a wake-up does not shorten an unhealthy sink's pause, an operator's resume does`() async throws {
    let outbox = MemoryOutbox(sampleEntries(1, sink: "out"))
    let sink = ScriptedSink("out") { _, batch in
      batch == 1 ? .stalled(.temporary(.outputClosed(sink: "out"))) : .delivered
    }
    let dispatcher = dispatcher(outbox, [sink])
    try await running(dispatcher) {
      await time.sleepsReach(1)
      dispatcher.wake()
      for _ in 0..<1_000 { await Task.yield() }
      #expect(sink.given.count == 1)
      dispatcher.resume("out")
      await outbox.reaches { $0[0].state == .sent }
    }
  }

  @Test func `a failed commit after a delivery does not repeat the delivery`() async throws {
    let outbox = MemoryOutbox(sampleEntries(2, sink: "out"))
    await outbox.failCommits(2)
    let sink = ScriptedSink("out")
    try await running(dispatcher(outbox, [sink])) {
      for sleeps in 1...2 {
        await time.sleepsReach(sleeps)
        time.advance(by: .seconds(36))
      }
      await outbox.reaches { $0.allSatisfy { $0.state == .sent } }
    }
    #expect(sink.given == [[1, 2]])
  }

  @Test func `a stop during a batch finishes that batch and starts no other`() async throws {
    let outbox = MemoryOutbox(sampleEntries(600, sink: "out"))
    let sink = ScriptedSink("out")
    sink.hold()
    let dispatcher = dispatcher(outbox, [sink])
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await dispatcher.run() }
      await until { sink.given.count == 1 }
      group.cancelAll()
      sink.release()
      await group.waitForAll()
    }
    #expect(sink.given.count == 1)
    let states = await outbox.states
    #expect(states.count { $0 == .sent } == Limits.deliveriesPerBatch)
    #expect(states.count { $0 == .pending } == 600 - Limits.deliveriesPerBatch)
  }

  @Test func `a drain delivers all due entries in order, in batches, and returns`() async throws {
    let outbox = MemoryOutbox(sampleEntries(1_000, sink: "out"))
    let sink = ScriptedSink("out")
    await dispatcher(outbox, [sink]).drain(clock: time)
    #expect(sink.given.map(\.count) == [256, 256, 256, 232])
    #expect(sink.given.flatMap { $0 } == Array(1...1_000))
  }

  @Test func `a drain ends at its time limit even with entries left`() async throws {
    let outbox = MemoryOutbox(sampleEntries(600, sink: "out"))
    let sink = ScriptedSink("out")
    sink.hold()
    let dispatcher = dispatcher(outbox, [sink])
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await dispatcher.drain(for: .seconds(4), clock: time) }
      await until { sink.given.count == 1 }
      await time.sleepsReach(1)
      time.advance(by: .seconds(4))
      await until { sink.wasCancelled }
      sink.release()
      await group.waitForAll()
    }
    #expect(await outbox.states.contains(.pending))
  }
}
