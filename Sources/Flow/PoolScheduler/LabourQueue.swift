import PoolModel
import PoolWork
import Synchronization

/// A run whose labour waits for a free pair of hands, or is under way.
struct LabourOrder: Sendable {
  let run: ClaimedRun
  let labour: any Labour
  let stop = StopSignal()

  /// How an attempt ended.
  enum Ending: Sendable {
    case finished(Outcome)
    case failed(String)
    case timedOut
    case cancelled(by: String)
    /// The daemon stops: the next one takes the run up.
    case abandoned
  }

  /// Works until the labour ends, its time is over, or somebody cancels it.
  func perform(timeout: Duration, clock: any Clock<Duration>) async -> Ending {
    await withTaskGroup(of: Ending?.self) { group in
      group.addTask {
        do {
          return .finished(try await labour.perform())
        } catch is CancellationError {
          return nil
        } catch {
          return .failed("\(error)")
        }
      }
      group.addTask {
        // Cancelled when the labour ends first.
        do { try await clock.sleep(for: timeout) } catch { return nil }
        return .timedOut
      }
      group.addTask { await stop.wait().map { .cancelled(by: $0) } }
      var ending: Ending?
      for await first in group where ending == nil {
        ending = first
        // What is still at work notices at its next row; its hands are not free before.
        if first != nil { group.cancelAll() }
      }
      return ending ?? .abandoned
    }
  }
}

/// Says once, to one listener, that somebody wants work to stop.
final class StopSignal: Sendable {
  private let words: AsyncStream<String>
  private let continuation: AsyncStream<String>.Continuation

  init() {
    (words, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(1))
  }

  func stop(by caller: String) { continuation.yield(caller) }

  /// Who asked; nil when the listener's task was cancelled first.
  func wait() async -> String? {
    for await caller in words { return caller }
    return nil
  }
}
