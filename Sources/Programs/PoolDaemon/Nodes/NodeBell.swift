import Synchronization

/// Rings when another node has called, and wakes whoever waits for what it may have done.
///
/// A hint alone: a server that cannot be heard rings nobody, so each wait has an end.
final class NodeBell: Sendable {
  private struct State {
    var rung = 0
    var nextWaiter = 0
    var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
  }

  private let state = Mutex(State())

  /// How often it has rung. Whoever looks first and waits then asks before the look, so that no ring in between is missed.
  var count: Int { state.withLock { $0.rung } }

  func ring() {
    let waiters = state.withLock { state in
      state.rung += 1
      defer { state.waiters = [:] }
      return state.waiters.values
    }
    for waiter in waiters { waiter.resume() }
  }

  /// Returns once it has rung more often than so, after the time at the latest, and at once where the task is cancelled.
  func wait(past count: Int, atMost limit: Duration) async {
    await withTaskGroup(of: Void.self) { group in
      // Its only error is that it is cancelled, by a ring or with all that is around it.
      group.addTask { try? await Task.sleep(for: limit) }
      group.addTask { await self.next(past: count) }
      await group.next()
      group.cancelAll()
    }
  }

  private func next(past count: Int) async {
    let number = state.withLock { state in
      state.nextWaiter += 1
      return state.nextWaiter
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isWaiting = state.withLock { state in
          // The handler below may have run before there was anyone to wake.
          guard state.rung == count, !Task.isCancelled else { return false }
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
