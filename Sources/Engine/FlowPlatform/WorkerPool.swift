import Glibc
import Synchronization

/// A small thread pool for the daemon's tasks. Its threads sleep without timers while there is no work.
///
/// Swift's default pool on Linux is libdispatch's, which checks its workers every second after the first task
/// (`_dispatch_workq_monitor_pools`): sixty wake-ups a minute on an idle machine. Tasks that prefer this pool, their
/// children and actors without an executor of their own avoid it.
package final class WorkerPool: TaskExecutor {
  /// The queue of waiting jobs, first in, first out.
  private struct Jobs: ~Copyable {
    var waiting: [UnownedJob] = []
    var next = 0

    mutating func take() -> UnownedJob? {
      guard next < waiting.count else { return nil }
      let job = waiting[next]
      next += 1
      // The array is cleared only when all its jobs are taken, so that taking a job moves no elements.
      if next == waiting.count {
        waiting.removeAll(keepingCapacity: true)
        next = 0
      }
      return job
    }
  }

  private let jobs = Mutex(Jobs())
  /// The number of waiting jobs; workers sleep on it in the kernel.
  private let available: Semaphore

  /// Starts the threads.
  ///
  /// - Parameter threads: the maximum number of jobs that run at once. Jobs are short; blocking calls have their own
  ///   queues.
  /// - Throws: `SystemFailure` if the threads cannot be started.
  package init(threads: Int) throws(SystemFailure) {
    available = Semaphore()
    for _ in 0..<threads { try SystemThread.start { [self] in work() } }
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let unowned = UnownedJob(job)
    jobs.withLock { $0.waiting.append(unowned) }
    available.signal()
  }

  /// Runs jobs until the process ends.
  private func work() {
    while true {
      available.wait()
      guard let job = jobs.withLock({ $0.take() }) else { continue }
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}

/// A counting semaphore of the C library.
private final class Semaphore: Sendable {
  // sem_t is thread-safe; the pointer never changes and is not freed before the process ends.
  private nonisolated(unsafe) let handle: UnsafeMutablePointer<sem_t>

  init() {
    handle = .allocate(capacity: 1)
    sem_init(handle, 0, 0)
  }

  func signal() { sem_post(handle) }

  func wait() {
    // A signal may interrupt the wait without a post.
    while sem_wait(handle) != 0, errno == EINTR {}
  }
}
