import FlowDelivery
import FlowModel
import FlowNotices
import Synchronization

/// A sink with scripted verdicts that records its batches and can be held during a batch.
final class ScriptedSink: Sink {
  let name: String
  let kind = SinkKind.standardOutput

  private struct State {
    var given: [[Int64]] = []
    var isHeld = false
    var wasCancelled = false
    var held: [CheckedContinuation<Void, Never>] = []
  }
  private let state = Mutex(State())
  private let script: @Sendable (OutboxEntry, _ batch: Int) -> SinkVerdict

  /// - Parameter script: the verdict for an entry of the n-th batch, counted from 1.
  init(_ name: String, script: @escaping @Sendable (OutboxEntry, Int) -> SinkVerdict = { _, _ in .delivered }) {
    self.name = name
    self.script = script
  }

  /// The sequence numbers of each batch.
  var given: [[Int64]] { state.withLock { $0.given } }

  /// True if its lane was cancelled during a batch.
  var wasCancelled: Bool { state.withLock { $0.wasCancelled } }

  func hold() { state.withLock { $0.isHeld = true } }

  func release() {
    let held = state.withLock { state in
      state.isHeld = false
      defer { state.held = [] }
      return state.held
    }
    for continuation in held { continuation.resume() }
  }

  func deliver(_ entries: [OutboxEntry]) async -> [SinkVerdict] {
    let batch = state.withLock { state in
      state.given.append(entries.map(\.sequence))
      return state.given.count
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isHeld = state.withLock { state in
          if state.isHeld { state.held.append(continuation) }
          return state.isHeld
        }
        if !isHeld { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.wasCancelled = true }
    }
    return entries.map { script($0, batch) }
  }
}

/// The dispatcher's events, in order.
final class EventLog: Sendable {
  private let log = Mutex<[DeliveryEvent]>([])
  var events: [DeliveryEvent] { log.withLock { $0 } }
  func append(_ event: DeliveryEvent) { log.withLock { $0.append(event) } }
}

/// Yields to other tasks until the condition holds; never waits for a clock.
func until(_ isSo: () async -> Bool) async {
  while !(await isSo()) { await Task.yield() }
}
