internal import Dispatch
internal import PoolModel
internal import Synchronization

/// A sink's own thread for calls that may block: a slow disk or reader then holds this queue, and no thread of the pool
/// that every other part of the daemon shares.
final class WorkQueue: Sendable {
  private let queue: DispatchQueue
  private let limit: Duration
  private let isBusy = Mutex(false)

  /// - Parameter limit: how long a call is waited for.
  init(_ name: String, limit: Duration) {
    queue = DispatchQueue(label: "poolflow.sink.\(name)")
    self.limit = limit
  }

  /// Runs `work` on the queue and waits for it: `limit` at most, and once the task is cancelled `Limits.sinkGrace`.
  ///
  /// - Returns: nil when it took longer, or when an earlier call has not come back yet. The thread that a disk holds
  ///   cannot be freed; whatever `work` does after that is as if a crash had cut it off from the store.
  func perform<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result? {
    let isFree = isBusy.withLock { isBusy in
      defer { isBusy = true }
      return !isBusy
    }
    guard isFree else { return nil }
    let answer = Answer<Result>()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        answer.wait(continuation, for: limit)
        queue.async { [self] in
          let result = work()
          isBusy.withLock { $0 = false }
          answer.give(result)
        }
      }
    } onCancel: {
      answer.hurry(within: Limits.sinkGrace)
    }
  }
}

/// Wakes the one who waits, once: with the result, or with nil when the time is over.
private final class Answer<Result: Sendable>: Sendable {
  private struct State {
    var continuation: CheckedContinuation<Result?, Never>?
    var timers: [any DispatchSourceTimer] = []
    var isOver = false
  }

  private let state = Mutex(State())

  func wait(_ continuation: CheckedContinuation<Result?, Never>, for limit: Duration) {
    state.withLock { $0.continuation = continuation }
    hurry(within: limit)
  }

  func give(_ result: Result?) {
    let continuation = state.withLock { state in
      defer {
        state.continuation = nil
        // Without its timer a quiet daemon is not woken for a batch that is long done.
        for timer in state.timers { timer.cancel() }
        state.timers = []
        state.isOver = true
      }
      return state.continuation
    }
    continuation?.resume(returning: result)
  }

  func hurry(within limit: Duration) {
    state.withLock { state in
      guard !state.isOver else { return }
      let timer = DispatchSource.makeTimerSource(queue: sinkTimers)
      timer.schedule(deadline: .now() + .milliseconds(Int(limit.wholeMilliseconds)))
      timer.setEventHandler { [self] in give(nil) }
      timer.activate()
      state.timers.append(timer)
    }
  }
}

private let sinkTimers = DispatchQueue(label: "poolflow.sink.timers")
