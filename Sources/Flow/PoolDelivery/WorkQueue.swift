internal import Dispatch

/// A sink's own thread for calls that may block: a slow disk or reader then holds this queue, and no thread of the pool
/// that every other part of the daemon shares.
struct WorkQueue: Sendable {
  private let queue: DispatchQueue

  init(_ name: String) {
    queue = DispatchQueue(label: "poolflow.sink.\(name)")
  }

  /// Runs `work` on the queue, after all that was given to it before.
  func perform<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: work()) }
    }
  }
}
