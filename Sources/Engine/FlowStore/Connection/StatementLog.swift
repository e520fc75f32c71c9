import Synchronization

/// For tests: records the statements that connections of a task compile, whether each has returned a row, and the columns read
/// by name. A wrong column name shows only when a row is read.
package final class StatementLog: Sendable {
  /// The log of the current task; nil outside of tests.
  @TaskLocal package static var current: StatementLog?

  private let rows = Mutex<[String: Bool]>([:])
  private let names = Mutex<Set<String>>([])

  private let ofServer: Bool

  /// - Parameter ofServer: true to record only PostgreSQL sessions, false to record only SQLite files.
  package init(ofServer: Bool = false) { self.ofServer = ofServer }

  /// The current task's log if it records this kind of connection; else nil.
  static func current(ofServer: Bool) -> StatementLog? { current.flatMap { $0.ofServer == ofServer ? $0 : nil } }

  /// Every compiled statement, with true if it has returned a row.
  package var statements: [String: Bool] { rows.withLock { $0 } }

  /// The names of all columns that were read.
  package var columns: Set<String> { names.withLock { $0 } }

  func compiled(_ sql: String) { rows.withLock { $0[sql] = $0[sql] ?? false } }

  func returnedRow(_ sql: String) { rows.withLock { $0[sql] = true } }

  func asked(for column: StaticString) { names.withLock { _ = $0.insert("\(column)") } }
}
