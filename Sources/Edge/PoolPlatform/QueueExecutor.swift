import Dispatch
import Glibc
import Synchronization

/// Runs an actor on a serial queue of its own, so that blocking calls hold that queue and not a thread of the shared pool.
///
/// Linux has no `DispatchSerialQueue`. The actor keeps its executor in a `let` and returns it as `unownedExecutor`.
package final class QueueExecutor: SerialExecutor {
  private let queue: DispatchQueue
  /// Jobs that wait or run.
  private let count = Atomic(0)

  /// Whether a job that comes now waits for others.
  package var isAtWork: Bool { count.load(ordering: .relaxed) > 0 }

  package init(label: String) {
    queue = DispatchQueue(label: label)
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let unowned = UnownedJob(job)
    // Detached: at the priority of whoever asks, libdispatch would try to raise that of its thread, which a service may
    // not, and say so on stderr.
    count.add(1, ordering: .relaxed)
    queue.async(flags: .detached) {
      unowned.runSynchronously(on: self.asUnownedSerialExecutor())
      self.count.subtract(1, ordering: .relaxed)
    }
  }

  package func checkIsolated() {
    dispatchPrecondition(condition: .onQueue(queue))
  }

  /// Calls the body on the queue whenever a descriptor has something to read, until the watch is let go.
  ///
  /// The watch has a descriptor of its own: what belongs to somebody else may be closed meanwhile.
  ///
  /// - Throws: `SystemFailure` where there is none left.
  package func watch(
    _ descriptor: Int32, _ readable: @escaping @Sendable () -> Void
  ) throws(SystemFailure) -> ReadWatch {
    let own = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    guard own >= 0 else { throw SystemFailure("cannot watch a descriptor") }
    return ReadWatch(own, queue, readable)
  }
}

/// A descriptor that is watched until this is let go.
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
