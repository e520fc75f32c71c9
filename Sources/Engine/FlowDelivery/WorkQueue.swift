internal import Dispatch
internal import FlowModel
internal import Synchronization

/// A sink's own serial queue for calls that may block: a slow disk or reader then blocks this queue's thread, and no thread of
/// the thread pool that the rest of the daemon shares.
final class WorkQueue: Sendable {
  private let queue: DispatchQueue
  /// The maximum time to wait for a call.
  let limit: Duration
  private let isBusy = Mutex(false)

  /// - Parameter limit: the maximum time to wait for a call.
  init(_ name: String, limit: Duration) {
    queue = DispatchQueue(label: "poolflow.sink.\(name)")
    self.limit = limit
  }

  /// Runs `work` on the queue and waits for its result, at most `limit`, and at most `Limits.sinkGrace` after cancellation.
  ///
  /// - Returns: nil on a timeout, or if an earlier call is still running. A blocked thread cannot be freed: later effects of
  ///   `work` are unknown to the store, as after a crash.
  func perform<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result? {
    let isFree = isBusy.withLock { isBusy in
      defer { isBusy = true }
      return !isBusy
    }
    guard isFree else { return nil }
    let pending = PendingResult<Result>()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        pending.wait(continuation, for: limit)
        queue.async { [self] in
          let result = work()
          isBusy.withLock { $0 = false }
          pending.resume(result)
        }
      }
    } onCancel: {
      pending.setTimeout(within: Limits.sinkGrace)
    }
  }
}

/// Resumes a waiting continuation once, with the result, or with nil on a timeout.
private final class PendingResult<Result: Sendable>: Sendable {
  private struct State {
    var continuation: CheckedContinuation<Result?, Never>?
    var timers: [any DispatchSourceTimer] = []
    var isOver = false
  }

  private let state = Mutex(State())

  func wait(_ continuation: CheckedContinuation<Result?, Never>, for limit: Duration) {
    state.withLock { $0.continuation = continuation }
    setTimeout(within: limit)
  }

  /// Resumes the waiting task with `result`; later calls have no effect.
  func resume(_ result: Result?) {
    let continuation = state.withLock { state in
      defer {
        state.continuation = nil
        // Cancel the timers, so that an idle daemon is not woken for a batch that has ended.
        for timer in state.timers { timer.cancel() }
        state.timers = []
        state.isOver = true
      }
      return state.continuation
    }
    continuation?.resume(returning: result)
  }

  /// Sets a further timeout, for example after cancellation; the earliest one counts.
  func setTimeout(within limit: Duration) {
    state.withLock { state in
      guard !state.isOver else { return }
      let timer = DispatchSource.makeTimerSource(queue: timeoutQueue)
      timer.schedule(deadline: .now() + .milliseconds(Int(limit.wholeMilliseconds)))
      timer.setEventHandler { [self] in resume(nil) }
      timer.activate()
      state.timers.append(timer)
    }
  }
}

private let timeoutQueue = DispatchQueue(label: "poolflow.sink.timers")
