import FlowModel

/// The condition of the store file.
package struct StoreHealth: Hashable, Sendable {
  /// The damage that SQLite finds, one sentence each; empty if the file is intact.
  package let damage: [String]
  /// Size of the file, or of the database on a server.
  package let bytes: Int
  /// Unused bytes within the file, which a vacuum would return.
  package let freeBytes: Int
}

extension StoreReader {
  /// Checks every page and every index, while the store's actor continues to work.
  package func health() throws -> StoreHealth {
    try read { connection in
      // A server checks its own pages.
      if let session = connection.server {
        return StoreHealth(damage: [], bytes: try session.bytes(on: connection), freeBytes: 0)
      }
      var damage = try connection.rows("PRAGMA integrity_check(20)") { row throws(StoreError) in row.text(0) }
      if damage == ["ok"] { damage = [] }
      // Another program may have changed the file since the start.
      if let difference = try StoreSchema.difference(in: connection, from: connection.trades.migrations.count) {
        damage.append(difference)
      }
      damage += try connection.rows("PRAGMA foreign_key_check") { row throws(StoreError) in
        "a row of \(row.text(0)) refers to one of \(row.text(2)) that does not exist"
      }
      func number(_ pragma: String) throws -> Int {
        try connection.first("PRAGMA \(pragma)") { row throws(StoreError) in row.number(0) } ?? 0
      }
      let page = try number("page_size")
      return StoreHealth(
        damage: damage, bytes: try number("page_count") * page, freeBytes: try number("freelist_count") * page)
    }
  }
}
