internal import Synchronization

/// Wakes a lane that waits. A call while nobody waits is kept, once, for the next wait: no nudge is ever lost, and a
/// thousand of them are one.
final class LaneSignal: Sendable {
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

  /// Waits for one of the calls; nil when the task was cancelled. Only one task may wait at a time.
  func next(of wanted: Set<Call>) async -> Call? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let (isWaiting, call) = state.withLock { state -> (Bool, Call?) in
          if let call = state.kept.intersection(wanted).first {
            state.kept.remove(call)
            return (false, call)
          }
          // The handler below may have run before there was anyone to wake.
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
