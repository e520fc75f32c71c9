import Synchronization

/// The progress of a long operation, for callers that ask for its status. Any thread may update or read it.
package final class WorkProgress: Sendable {
  /// The state of the operation.
  package struct OperationStatus: Hashable, Sendable {
    /// The name of the operation, such as `copying the store`.
    package var work: String
    package var done: Int
    /// The total in the unit of `done`; 0 if it is unknown.
    package var total: Int
  }

  private let reading = Mutex<OperationStatus?>(nil)

  package init() {}

  /// The state of the running operation; nil if none is running.
  package var now: OperationStatus? { reading.withLock { $0 } }

  /// Starts a new operation with nothing done; `total` is 0 if it is unknown.
  package func begin(_ work: String, of total: Int = 0) {
    reading.withLock { $0 = OperationStatus(work: work, done: 0, total: total) }
  }

  package func update(_ done: Int, of total: Int) {
    reading.withLock {
      $0?.done = done
      $0?.total = total
    }
  }

  package func add(_ count: Int) { reading.withLock { $0?.done += count } }

  /// Marks that no operation is running.
  package func end() { reading.withLock { $0 = nil } }
}
