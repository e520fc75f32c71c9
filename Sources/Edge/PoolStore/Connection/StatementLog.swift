import Synchronization

/// For tests: what the connections of a task compile, which of it has given a row, and which columns were asked for by
/// name. A wrong name in a SELECT, or in what reads it, is found only where a row is read.
package final class StatementLog: Sendable {
  /// Nil in a daemon.
  @TaskLocal package static var current: StatementLog?

  private let rows = Mutex<[String: Bool]>([:])
  private let names = Mutex<Set<String>>([])

  private let ofServer: Bool

  /// - Parameter ofServer: of sessions of a server alone, else of files alone.
  package init(ofServer: Bool = false) { self.ofServer = ofServer }

  /// Nil where this task logs nothing of that kind.
  static func current(ofServer: Bool) -> StatementLog? { current.flatMap { $0.ofServer == ofServer ? $0 : nil } }

  /// Every statement that was compiled, and whether it has given a row.
  package var statements: [String: Bool] { rows.withLock { $0 } }

  package var columns: Set<String> { names.withLock { $0 } }

  func compiled(_ sql: String) { rows.withLock { $0[sql] = $0[sql] ?? false } }

  func gaveRow(_ sql: String) { rows.withLock { $0[sql] = true } }

  func asked(for column: StaticString) { names.withLock { _ = $0.insert("\(column)") } }
}
