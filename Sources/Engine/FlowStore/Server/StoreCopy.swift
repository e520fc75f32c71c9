/// Copies a whole store between a file and a server, all or nothing; every table is counted and compared row by row.
///
/// No other process may write to either store: the caller holds the lock of the state directory, and the server's engine takes
/// the writer's lock.
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
}
