import Dispatch

/// Runs an actor on a serial queue of its own, so that blocking calls hold that queue and not a thread of the shared pool.
///
/// Linux has no `DispatchSerialQueue`. The actor keeps its executor in a `let` and returns it as `unownedExecutor`.
package final class QueueExecutor: SerialExecutor {
  private let queue: DispatchQueue

  package init(label: String) {
    queue = DispatchQueue(label: label)
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let unowned = UnownedJob(job)
    // Detached: at the priority of whoever asks, libdispatch would try to raise that of its thread, which a service may
    // not, and say so on stderr.
    queue.async(flags: .detached) { unowned.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  package func checkIsolated() {
    dispatchPrecondition(condition: .onQueue(queue))
  }
}
