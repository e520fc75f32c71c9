import Synchronization

/// How far a long piece of work is, for whoever asks meanwhile. Told from any thread, read from any other.
package final class WorkProgress: Sendable {
  package struct Reading: Hashable, Sendable {
    /// What is being done, such as `copying the store`.
    package var work: String
    package var done: Int
    /// Of the same unit; 0 where nobody knows.
    package var total: Int
  }

  private let reading = Mutex<Reading?>(nil)

  package init() {}

  /// Nil where nothing is under way.
  package var now: Reading? { reading.withLock { $0 } }

  func begin(_ work: String, of total: Int = 0) {
    reading.withLock { $0 = Reading(work: work, done: 0, total: total) }
  }

  func reach(_ done: Int, of total: Int) {
    reading.withLock {
      $0?.done = done
      $0?.total = total
    }
  }

  func add(_ count: Int) { reading.withLock { $0?.done += count } }

  func end() { reading.withLock { $0 = nil } }
}
