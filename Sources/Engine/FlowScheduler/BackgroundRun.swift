import FlowModel
import FlowWork
import Synchronization

/// A run whose background task is queued or running.
struct BackgroundRun: Sendable {
  let run: ClaimedRun
  let backgroundTask: any BackgroundTask
  let stop = StopSignal()

  /// The end of an attempt.
  enum AttemptEnd: Sendable {
    case finished(Outcome)
    case failed(String)
    case timedOut
    case cancelled(by: String)
    /// The daemon stops; the next process runs the task again.
    case abandoned
  }

  /// Runs the background task until it ends, exceeds `timeout`, is stopped through `stop`, or the current task is cancelled.
  func perform(timeout: Duration, clock: any Clock<Duration>) async -> AttemptEnd {
    await withTaskGroup(of: AttemptEnd?.self) { group in
      group.addTask {
        do {
          return .finished(try await backgroundTask.perform())
        } catch is CancellationError {
          return nil
        } catch {
          return .failed("\(error)")
        }
      }
      group.addTask {
        // The sleep is cancelled when the background task ends first.
        do { try await clock.sleep(for: timeout) } catch { return nil }
        return .timedOut
      }
      group.addTask { await stop.wait().map { .cancelled(by: $0) } }
      var ending: AttemptEnd?
      for await first in group where ending == nil {
        ending = first
        // A running task stops at its next cancellation check; until then its slot stays occupied.
        if first != nil { group.cancelAll() }
      }
      return ending ?? .abandoned
    }
  }
}

/// Passes one request to stop to one listener; later requests are ignored.
final class StopSignal: Sendable {
  private let callers: AsyncStream<String>
  private let continuation: AsyncStream<String>.Continuation

  init() {
    (callers, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(1))
  }

  /// Requests the stop; `caller` is the name to report.
  func stop(by caller: String) { continuation.yield(caller) }

  /// Waits for the request to stop.
  ///
  /// - Returns: the name of the caller that asked to stop; nil if the waiting task was cancelled first.
  func wait() async -> String? {
    for await caller in callers { return caller }
    return nil
  }
}

/// Background tasks that are queued or running.
struct BackgroundQueue {
  private(set) var active: [RunKey: BackgroundRun] = [:]
  /// The queued tasks, for one reader.
  let queue: AsyncStream<BackgroundRun>
  private let input: AsyncStream<BackgroundRun>.Continuation

  init() {
    // The stream is unbounded; each job has at most one run in it.
    (queue, input) = AsyncStream.makeStream()
  }

  /// Queues a task.
  mutating func add(_ task: BackgroundRun) {
    active[task.run.key] = task
    input.yield(task)
  }

  /// Forgets a task that has ended.
  mutating func remove(_ key: RunKey) { active[key] = nil }
}
