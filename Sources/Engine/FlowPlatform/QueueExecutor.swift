import Dispatch
import Glibc
import Synchronization

/// Runs an actor on its own serial queue, so that its blocking calls do not occupy a thread of the shared pool.
///
/// Needed because Linux has no `DispatchSerialQueue`. The actor stores its executor in a `let` and returns it as
/// `unownedExecutor`.
package final class QueueExecutor: SerialExecutor {
  private let queue: DispatchQueue
  /// The number of jobs that wait or run.
  private let count = Atomic(0)

  /// True if a new job would have to wait for others.
  package var isAtWork: Bool { count.load(ordering: .relaxed) > 0 }

  package init(label: String) {
    queue = DispatchQueue(label: label)
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let unowned = UnownedJob(job)
    // Detached: otherwise libdispatch would try to raise its thread to the caller's priority, for which a service lacks
    // the permission, and log the failure to stderr.
    count.add(1, ordering: .relaxed)
    queue.async(flags: .detached) {
      unowned.runSynchronously(on: self.asUnownedSerialExecutor())
      self.count.subtract(1, ordering: .relaxed)
    }
  }

  package func checkIsolated() {
    dispatchPrecondition(condition: .onQueue(queue))
  }

  /// Calls `readable` on the queue whenever the descriptor has data to read, until the returned watch is released.
  ///
  /// The watch duplicates the descriptor, so the caller may close its own.
  ///
  /// - Throws: `SystemFailure` if the process has no descriptor left.
  package func watch(
    _ descriptor: Int32, _ readable: @escaping @Sendable () -> Void
  ) throws(SystemFailure) -> ReadWatch {
    let own = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    guard own >= 0 else { throw SystemFailure("cannot watch a descriptor") }
    return ReadWatch(own, queue, readable)
  }
}

/// A descriptor that is watched until this object is released.
package final class ReadWatch {
  private let source: any DispatchSourceRead

  fileprivate init(_ own: Int32, _ queue: DispatchQueue, _ readable: @escaping @Sendable () -> Void) {
    source = DispatchSource.makeReadSource(fileDescriptor: own, queue: queue)
    source.setEventHandler(handler: readable)
    source.setCancelHandler { close(own) }
    source.activate()
  }

  deinit { source.cancel() }
}
