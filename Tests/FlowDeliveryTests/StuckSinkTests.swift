import FlowDelivery
import FlowDeliveryKit
import FlowModel
import FlowNotices
import FlowTestKit
import Foundation
import Glibc
import Testing

/// Blocks threads like a server that has stopped answering.
private final class Barrier: Sendable {
  // `NSCondition` is its own lock; `isClosed` is used only under it.
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

/// An unresponsive disk or server blocks one thread and nothing else.
struct StuckSinkTests {
  private let folder: TemporaryFolder
  private let barrier = Barrier()

  init() throws { folder = try TemporaryFolder(inMemory: true) }

  private func sink(timeout: Duration) -> FileDropSink {
    let calls = GatedFileCalls(beforeSync: { [barrier] in barrier.pass() })
    return FileDropSink(
      name: "drop", path: folder.path, source: "/poolflow/test", bounds: .init(timeout: timeout), calls: calls)
  }

  /// A real disk may be slower than the short timeout tested here: retry until it answers.
  private func prepare(_ sink: FileDropSink) async throws {
    try await waitUntil("the disk answers") {
      do throws(SinkError) { try await sink.prepare(staged: []) } catch { return false }
      return true
    }
  }

  private func timedOut(_ limit: Duration) -> SinkVerdict {
    .stalled(.temporary(.timedOut(sink: "drop", limit: limit)))
  }

  @Test func `a batch waits at most its timeout, and the next one fails at once`() async throws {
    let sink = sink(timeout: .milliseconds(50))
    try await prepare(sink)
    barrier.close()
    defer { barrier.open() }
    #expect(await sink.stage(sampleEntries(2)) == [timedOut(.milliseconds(50)), timedOut(.milliseconds(50))])
    // The thread is still blocked, so a second call must not wait behind it.
    #expect(await sink.publish(sampleEntries(1)) == [timedOut(.milliseconds(50))])
    await #expect(throws: SinkError.self) { try await sink.prepare(staged: []) }
    #expect("\(DeliveryError.timedOut(sink: "drop", limit: .seconds(15)))".contains("did not answer within 15 s"))
  }

  @Test func `a batch that completes after its timeout delivers each file once`() async throws {
    let outbox = MemoryOutbox(sampleEntries(3))
    let time = ManualTime()
    let consumer = Consumer("\(folder.path)/new")
    let sink = sink(timeout: .milliseconds(30))
    let dispatcher = Dispatcher(store: outbox, sinks: [sink], wallClock: time.wallClock, clock: time)
    barrier.close()
    await dispatcher.drain(clock: time)
    #expect(await dispatcher.statuses().first?.trouble == .timedOut(sink: "drop", limit: .milliseconds(30)))
    #expect(await outbox.states == [.pending, .pending, .pending])
    barrier.open()
    // The sink reports itself stuck until the late thread ends.
    try await waitUntil("all three are sent") {
      await dispatcher.drain(clock: time)
      consumer.take()
      return await outbox.states == [.sent, .sent, .sent]
    }
    #expect(consumer.files.count == 3)
  }

  @Test func `a stop does not wait for a hanging sink`() async throws {
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
