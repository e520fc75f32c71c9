import PoolModel
import PoolNotices
import PoolStore
import PoolWork
import Testing

/// A store under test: every engine passes the suites that take one.
struct Engine: Sendable, CustomTestStringConvertible {
  typealias Opened = Ledger & Outbox & OutboxDesk & Teams

  let testDescription: String
  /// Opens the store in a folder, as the next process would; makes it where there is none.
  let open: @Sendable (_ folder: String, _ now: Timestamp) throws -> any Opened

  static let all = [
    Engine(testDescription: "SQLite") { try Store(path: $0 + "/poolflow.db", now: $1, version: "test") }
  ]
}
