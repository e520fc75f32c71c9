import Glibc
import Synchronization

/// A handful of threads that run the daemon's tasks, and sleep without a timer while there is nothing to run.
///
/// Swift's own pool on Linux is libdispatch's, which looks at its workers once a second for ever after the first task
/// (its `_dispatch_workq_monitor_pools`): sixty wake-ups a minute on an idle machine. A task that prefers this pool, all its
/// children and every actor without an executor of its own stay away from there.
package final class WorkerPool: TaskExecutor {
  private struct Jobs: ~Copyable {
    var waiting: [UnownedJob] = []
    var next = 0

    mutating func take() -> UnownedJob? {
      guard next < waiting.count else { return nil }
      let job = waiting[next]
      next += 1
      // The array is emptied when it is used up, so that taking stays cheap and nothing is moved job by job.
      if next == waiting.count {
        waiting.removeAll(keepingCapacity: true)
        next = 0
      }
      return job
    }
  }

  private let jobs = Mutex(Jobs())
  /// Counts the jobs that nobody has taken: a worker without one sleeps in the kernel.
  private let available: Semaphore

  /// - Parameter threads: how many jobs may run at once; they are short, and blocking calls have queues of their own.
  /// - Throws: `SystemFailure` when the system has too few threads left.
  package init(threads: Int) throws(SystemFailure) {
    available = Semaphore()
    for _ in 0..<threads { try SystemThread.start { [self] in work() } }
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let unowned = UnownedJob(job)
    jobs.withLock { $0.waiting.append(unowned) }
    available.signal()
  }

  /// Runs jobs as long as the process lives.
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
  // sem_t is made to be used by many threads at once; the pointer never changes and is never freed before the process ends.
  private nonisolated(unsafe) let handle: UnsafeMutablePointer<sem_t>

  init() {
    handle = .allocate(capacity: 1)
    sem_init(handle, 0, 0)
  }

  func signal() { sem_post(handle) }

  func wait() {
    // A signal may end the wait early; nobody has given anything then.
    while sem_wait(handle) != 0, errno == EINTR {}
  }
}
