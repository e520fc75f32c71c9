internal import Synchronization

/// Wakes a waiting lane. A call without a waiter is kept for the next wait, and repeated calls are kept once: no wake-up is
/// lost, and a thousand of them count as one.
final class LaneSignal: Sendable {
  /// `nudge`: new entries may be due; `resume`: an operator ends a pause.
  enum Call: Hashable, Sendable {
    case nudge
    case resume
  }

  private struct State {
    var kept: Set<Call> = []
    var waiter: CheckedContinuation<Call?, Never>?
    var wanted: Set<Call> = []
  }

  private let state = Mutex(State())

  /// Wakes the waiting task if it waits for this call; otherwise keeps the call for the next wait.
  func send(_ call: Call) {
    let waiter = state.withLock { state -> CheckedContinuation<Call?, Never>? in
      guard let waiter = state.waiter, state.wanted.contains(call) else {
        state.kept.insert(call)
        return nil
      }
      state.waiter = nil
      return waiter
    }
    waiter?.resume(returning: call)
  }

  /// Waits for one of the calls; nil if the task was cancelled. Only one task may wait at a time.
  func next(of wanted: Set<Call>) async -> Call? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let (isWaiting, call) = state.withLock { state -> (Bool, Call?) in
          if let call = state.kept.intersection(wanted).first {
            state.kept.remove(call)
            return (false, call)
          }
          // The cancellation handler may have run before the waiter was registered.
          if Task.isCancelled { return (false, nil) }
          precondition(state.waiter == nil, "two tasks wait for one lane")
          state.waiter = continuation
          state.wanted = wanted
          return (true, nil)
        }
        if !isWaiting { continuation.resume(returning: call) }
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
