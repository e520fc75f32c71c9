import Synchronization

/// Wake-up signal: counts calls from other nodes and wakes the tasks that wait for one.
///
/// Only a hint: while the server is away no signal arrives, so each wait has a time limit.
package final class WakeUpSignal: Sendable {
  /// The number of signals, and the tasks that wait for the next one.
  private struct State {
    var signalCount = 0
    var nextWaiter = 0
    var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
  }

  private let state = Mutex(State())

  /// Number of signals so far. Read it before the scan and pass it to `wait`, so that no signal in between is missed.
  var count: Int { state.withLock { $0.signalCount } }

  /// Counts one signal and wakes all waiting tasks.
  func send() {
    let waiters = state.withLock { state in
      state.signalCount += 1
      defer { state.waiters = [:] }
      return state.waiters.values
    }
    for waiter in waiters { waiter.resume() }
  }

  /// Returns once `count` exceeds the given value, after `limit` at the latest, and at once if the task is cancelled.
  func wait(past count: Int, atMost limit: Duration) async {
    await withTaskGroup(of: Void.self) { group in
      // `sleep` throws only when cancelled, by a signal or with the surrounding task.
      group.addTask { try? await Task.sleep(for: limit) }
      group.addTask { await self.next(past: count) }
      await group.next()
      group.cancelAll()
    }
  }

  /// Waits for the next signal after the given count; returns at once if cancelled.
  private func next(past count: Int) async {
    let number = state.withLock { state in
      state.nextWaiter += 1
      return state.nextWaiter
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isWaiting = state.withLock { state in
          // A signal or a cancellation may have come before the continuation is registered.
          guard state.signalCount == count, !Task.isCancelled else { return false }
          state.waiters[number] = continuation
          return true
        }
        if !isWaiting { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.waiters.removeValue(forKey: number) }?.resume()
    }
  }
}
