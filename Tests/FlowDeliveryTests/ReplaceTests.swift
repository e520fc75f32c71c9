import FlowDelivery
import FlowModel
import FlowNotices
import FlowTestKit
import Synchronization
import Testing

/// Sinks replaced while the daemon runs.
struct ReplaceTests {
  private let time = ManualTime()

  /// The number of waiting calls that have returned.
  private final class Ended: Sendable {
    let count = Mutex(0)
  }

  private func dispatcher(_ outbox: MemoryOutbox, _ sinks: [any Sink]) -> Dispatcher {
    Dispatcher(
      store: outbox, sinks: sinks, wallClock: time.wallClock, clock: time, random: SeededNumbers(seed: 5))
  }

  @Test func `a replaced sink ends its batch before the new one starts`() async throws {
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

  @Test func `entries of a removed sink are delivered when it is back`() async throws {
    let outbox = MemoryOutbox()
    let dispatcher = dispatcher(outbox, [ScriptedSink("one")])
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await dispatcher.run() }
      await until { await dispatcher.statuses().allSatisfy(\.isIdle) }
      await dispatcher.replace(sinks: [])
      await outbox.insert([sampleEntry(1, sink: "one")])
      dispatcher.wake()
      #expect(await dispatcher.statuses() == [])
      let back = ScriptedSink("one")
      await dispatcher.replace(sinks: [back])
      await outbox.reaches { $0.allSatisfy { $0.state == .sent } }
      #expect(back.given == [[1]])
      group.cancelAll()
    }
  }

  @Test func `waiting for current batches does not bring an old sink back`() async throws {
    let outbox = MemoryOutbox(sampleEntries(1, sink: "out"))
    let (old, new) = (ScriptedSink("out"), ScriptedSink("out"))
    let dispatcher = dispatcher(outbox, [old])
    let ended = Ended()
    old.hold()
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await dispatcher.run() }
      await until { old.given.count == 1 }
      // In any order: calls that only wait do not change the sinks.
      for sinks in [nil, [new], nil] as [[ScriptedSink]?] {
        group.addTask {
          if let sinks { await dispatcher.replace(sinks: sinks) } else { await dispatcher.finishBatches() }
          ended.count.withLock { $0 += 1 }
        }
      }
      await until { old.wasCancelled }
      old.release()
      await until { ended.count.withLock { $0 } == 3 }
      await outbox.insert([sampleEntry(2, sink: "out")])
      dispatcher.wake()
      await outbox.reaches { $0.count == 2 && $0.allSatisfy { $0.state == .sent } }
      group.cancelAll()
    }
    #expect(old.given == [[1]] && new.given == [[2]])
  }

  @Test func `a sink is replaced at once while the dispatcher is not running`() async throws {
    let outbox = MemoryOutbox(sampleEntries(1, sink: "two"))
    let dispatcher = dispatcher(outbox, [ScriptedSink("one")])
    await dispatcher.replace(sinks: [ScriptedSink("two")])
    await dispatcher.drain(clock: time)
    #expect(await outbox.states == [.sent])
  }
}
