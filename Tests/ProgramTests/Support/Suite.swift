import Dispatch
import Testing

/// Tests of the built programs with real sockets, files and kills; serialized, because they measure time.
@Suite(.serialized, .onItsOwnThread)
enum Programs {}

/// Runs a test on its own thread: it blocks while waiting for a program, and the shared thread pool has only as many threads
/// as processors.
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
