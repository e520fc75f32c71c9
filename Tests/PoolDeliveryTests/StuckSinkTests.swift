import Foundation
import Glibc
import PoolDelivery
import PoolDeliveryKit
import PoolModel
import PoolNotices
import PoolTestKit
import Testing

/// Holds threads as a server does that answers no more.
private final class Barrier: Sendable {
  // NSCondition is its own lock; `isClosed` is touched under it only.
  private let condition = NSCondition()
  private nonisolated(unsafe) var isClosed = false

  func close() { condition.withLock { isClosed = true } }

  func open() {
    condition.withLock {
      isClosed = false
      condition.broadcast()
    }
  }

  func pass() {
    condition.withLock {
      while isClosed { condition.wait() }
    }
  }
}

/// A disk or a server that does not answer holds one thread, and nothing else.
struct StuckSinkTests {
  private let folder: TemporaryFolder
  private let barrier = Barrier()

  init() throws { folder = try TemporaryFolder(inMemory: true) }

  private func sink(timeout: Duration) -> FileDropSink {
    let calls = GatedFileCalls(beforeSync: { [barrier] in barrier.pass() })
    return FileDropSink(name: "drop", path: folder.path, source: "/poolflow/test", timeout: timeout, calls: calls)
  }

  /// A real disk may take longer than the short timeout that is tried here: it is asked until it has answered.
  private func prepare(_ sink: FileDropSink) async throws {
    try await waitUntil("the disk answers") {
      do throws(SinkError) { try await sink.prepare(staged: []) } catch { return false }
      return true
    }
  }

  private func stuck(_ limit: Duration) -> Verdict {
    .stalled(.temporary(.stuck(sink: "drop", limit: limit)))
  }

  @Test func `a batch is waited for no longer than its timeout, and the next one is not queued behind it`() async throws
  {
    let sink = sink(timeout: .milliseconds(50))
    try await prepare(sink)
    barrier.close()
    defer { barrier.open() }
    #expect(await sink.stage(sampleEntries(2)) == [stuck(.milliseconds(50)), stuck(.milliseconds(50))])
    // At once: the thread is still held, and a second call would wait behind it.
    #expect(await sink.publish(sampleEntries(1)) == [stuck(.milliseconds(50))])
    await #expect(throws: SinkError.self) { try await sink.prepare(staged: []) }
    #expect("\(DeliveryError.stuck(sink: "drop", limit: .seconds(15)))".contains("did not answer within 15 s"))
  }

  @Test func `what comes back too late is as if it had been killed: each file arrives once`() async throws {
    let outbox = MemoryOutbox(sampleEntries(3))
    let time = ManualTime()
    let consumer = Consumer("\(folder.path)/new")
    let sink = sink(timeout: .milliseconds(30))
    let dispatcher = Dispatcher(store: outbox, sinks: [sink], wallClock: time.wallClock, clock: time)
    barrier.close()
    await dispatcher.drain(clock: time)
    #expect(await dispatcher.statuses().first?.trouble == .stuck(sink: "drop", limit: .milliseconds(30)))
    #expect(await outbox.states == [.pending, .pending, .pending])
    barrier.open()
    // Until the late thread ends the sink says that it is stuck.
    try await waitUntil("all three are sent") {
      await dispatcher.drain(clock: time)
      consumer.take()
      return await outbox.states == [.sent, .sent, .sent]
    }
    #expect(consumer.files.count == 3)
  }

  @Test func `a stop does not wait for a sink that hangs`() async throws {
    let outbox = MemoryOutbox(sampleEntries(1))
    let dispatcher = Dispatcher(store: outbox, sinks: [sink(timeout: .seconds(300))])
    barrier.close()
    defer { barrier.open() }
    let began = ContinuousClock.now
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await dispatcher.run() }
      await outbox.reaches { _ in true }
      while await outbox.reads == 0 { await Task.yield() }
      group.cancelAll()
    }
    #expect(began.duration(to: .now) < .seconds(60))
    #expect(await outbox.states != [.sent])
  }
}
