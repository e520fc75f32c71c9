package import FlowModel

/// Copies a whole store between a file and a server, all or nothing; every table is counted and compared row by row.
///
/// No other process may write to either store: the caller holds the lock of the state directory, and the server's writer's
/// lock is taken here.
package enum StoreCopy {
  /// A copied table with its number of rows.
  package struct Table: Hashable, Sendable {
    package let name: String
    package let rows: Int

    package init(name: String, rows: Int) {
      self.name = name
      self.rows = rows
    }
  }

  /// The reason why nothing was copied.
  package enum Refusal: Error, Hashable, CustomStringConvertible {
    case notEmpty(String)
    case noStore(String)
    case differs(table: String, row: Int)

    package var description: String {
      switch self {
      case .notEmpty(let name):
        "the target holds a store already (\(name)), and stores are not merged: nothing was copied; name an empty database, or move the "
          + "file away"
      case .noStore(let name): "there is no store to copy (\(name))"
      case .differs(let table, let row):
        "row \(row) of '\(table)' does not read back as it was written: nothing was copied; report this with "
          + "`pfctl bugreport`"
      }
    }
  }

  /// Copies a file's store into an empty database, with its photos from the server's staging directory.
  ///
  /// - Throws: `Refusal` or `StoreError`; the database then holds no rows.
  package static func run(
    fromFile path: String, to server: ServerLocation, trades: StoreTrades, progress: (Table) -> Void
  ) throws -> [Table] {
    try server.engine.copy(fromFile: path, to: server, trades: trades, progress: progress)
  }

  /// Copies a database's store into a new file.
  ///
  /// - Throws: `Refusal` or `StoreError`; no file is left then.
  package static func run(
    from server: ServerLocation, toFile path: String, now: Timestamp, trades: StoreTrades,
    progress: (Table) -> Void
  ) throws -> [Table] {
    try server.engine.copy(from: server, toFile: path, now: now, trades: trades, progress: progress)
  }
}
