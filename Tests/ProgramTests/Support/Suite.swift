import Dispatch
import Testing

/// The built programs over real sockets, files and kills; one test at a time, for they measure time.
@Suite(.serialized, .onItsOwnThread)
enum Programs {}

/// Runs a test on a thread of its own: it blocks while it waits for a program, and the threads that all tests share are
/// as few as the processors.
struct OwnThread: SuiteTrait, TestTrait, TestScoping {
  var isRecursive: Bool { true }

  private final class Executor: TaskExecutor {
    private let queue = DispatchQueue(label: "poolflow.program-tests")

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
  }

  private static let executor = Executor()

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(Self.executor) { try await function() }
  }
}

extension Trait where Self == OwnThread {
  static var onItsOwnThread: OwnThread { OwnThread() }
}
