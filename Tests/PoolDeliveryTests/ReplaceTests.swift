import PoolDelivery
import PoolModel
import PoolNotices
import PoolTestKit
import Synchronization
import Testing

/// Sinks exchanged while the daemon runs.
struct ReplaceTests {
  private let time = ManualTime()

  private func dispatcher(_ outbox: MemoryOutbox, _ sinks: [any Sink]) -> Dispatcher {
    Dispatcher(
      store: outbox, sinks: sinks, wallClock: time.wallClock, clock: time, random: SeededNumbers(seed: 5))
  }

  @Test func `the new sink begins once the old one has ended its batch, and nothing is sent twice`() async throws {
    let outbox = MemoryOutbox(sampleEntries(2, sink: "out"))
    let (old, new) = (ScriptedSink("out"), ScriptedSink("out"))
    let dispatcher = dispatcher(outbox, [old])
    old.hold()
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await dispatcher.run() }
      await until { old.given.count == 1 }
      group.addTask { await dispatcher.replace(sinks: [new, ScriptedSink("other")]) }
      await until { old.wasCancelled }
      #expect(new.given == [])
      await outbox.insert([sampleEntry(3, sink: "out"), sampleEntry(4, sink: "other")])
      old.release()
      await outbox.reaches { $0.count == 4 && $0.allSatisfy { $0.state == .sent } }
      group.cancelAll()
    }
    #expect(old.given == [[1, 2]])
    #expect(new.given == [[3]])
    #expect(await dispatcher.statuses().map(\.sink) == ["out", "other"])
  }

  @Test func `what waits for a sink that was taken away goes out when it is back`() async throws {
    let outbox = MemoryOutbox()
    let dispatcher = dispatcher(outbox, [ScriptedSink("one")])
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await dispatcher.run() }
      await until { await dispatcher.statuses().allSatisfy(\.isIdle) }
      await dispatcher.replace(sinks: [])
      await outbox.insert([sampleEntry(1, sink: "one")])
      dispatcher.nudge()
      #expect(await dispatcher.statuses() == [])
      let back = ScriptedSink("one")
      await dispatcher.replace(sinks: [back])
      await outbox.reaches { $0.allSatisfy { $0.state == .sent } }
      #expect(back.given == [[1]])
      group.cancelAll()
    }
  }

  @Test func `who waits for the batches of now brings no old sink back`() async throws {
    let outbox = MemoryOutbox(sampleEntries(1, sink: "out"))
    let (old, between, new) = (ScriptedSink("out"), ScriptedSink("out"), ScriptedSink("out"))
    let dispatcher = dispatcher(outbox, [old])
    old.hold()
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await dispatcher.run() }
      await until { old.given.count == 1 }
      // The newest word holds, and those who only wait have none.
      for sinks in [nil, [between], nil, [new], nil] as [[ScriptedSink]?] {
        let waits = Mutex(false)
        group.addTask {
          waits.withLock { $0 = true }
          if let sinks { await dispatcher.replace(sinks: sinks) } else { await dispatcher.finishBatches() }
        }
        await until { waits.withLock { $0 } }
        for _ in 0..<20 { await Task.yield() }
      }
      await until { old.wasCancelled }
      await outbox.insert([sampleEntry(2, sink: "out")])
      old.release()
      await outbox.reaches { $0.count == 2 && $0.allSatisfy { $0.state == .sent } }
      await dispatcher.finishBatches()
      group.cancelAll()
    }
    #expect(old.given == [[1]] && between.given.isEmpty && new.given == [[2]])
  }

  @Test func `before and after the work an exchange is immediate`() async throws {
    let outbox = MemoryOutbox(sampleEntries(1, sink: "two"))
    let dispatcher = dispatcher(outbox, [ScriptedSink("one")])
    await dispatcher.replace(sinks: [ScriptedSink("two")])
    await dispatcher.drain(clock: time)
    #expect(await outbox.states == [.sent])
  }
}
