internal import Synchronization

/// Wakes a waiting lane. A call without a waiter is kept for the next wait, and repeated calls are kept once: no wake-up is
/// lost, and a thousand of them count as one.
final class LaneSignal: Sendable {
  /// `wake`: new entries may be due; `resume`: an operator ends a pause.
  enum Kind: Hashable, Sendable {
    case wake
    case resume
  }

  private struct State {
    var pending: Set<Kind> = []
    var waiter: CheckedContinuation<Kind?, Never>?
    var awaited: Set<Kind> = []
  }

  private let state = Mutex(State())

  /// Wakes the waiting task if it waits for this call; otherwise keeps the call for the next wait.
  func send(_ kind: Kind) {
    let waiter = state.withLock { state -> CheckedContinuation<Kind?, Never>? in
      guard let waiter = state.waiter, state.awaited.contains(kind) else {
        state.pending.insert(kind)
        return nil
      }
      state.waiter = nil
      return waiter
    }
    waiter?.resume(returning: kind)
  }

  /// Waits for one of the calls; nil if the task was cancelled. Only one task may wait at a time.
  func next(of awaited: Set<Kind>) async -> Kind? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let (isWaiting, kind) = state.withLock { state -> (Bool, Kind?) in
          if let kind = state.pending.intersection(awaited).first {
            state.pending.remove(kind)
            return (false, kind)
          }
          // The cancellation handler may have run before the waiter was registered.
          if Task.isCancelled { return (false, nil) }
          precondition(state.waiter == nil, "two tasks wait for one lane")
          state.waiter = continuation
          state.awaited = awaited
          return (true, nil)
        }
        if !isWaiting { continuation.resume(returning: kind) }
      }
    } onCancel: {
      let waiter = state.withLock { state in
        defer { state.waiter = nil }
        return state.waiter
      }
      waiter?.resume(returning: nil)
    }
  }
}
