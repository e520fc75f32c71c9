import FlowModel
import FlowStore

// The session as the store uses it.
extension PostgresSession: ServerSession {
  var name: String { server.name }

  func prepare(trades: StoreTrades, migrates: (Int) -> Void) throws(StoreError) {
    try PostgresSchema.prepare(self, trades: trades, migrates: migrates)
  }

  func inspect(migrations: [String]) throws(StoreError) {
    try PostgresSchema.inspect(self, migrations: migrations)
  }

  func begin(epoch: Int64) throws(StoreError) -> PartitionSet? {
    self.epoch = epoch
    guard !server.partitions.isEmpty else { return nil }
    _ = try take(server.partitions, epoch: epoch)
    return partitions
  }

  func end(epoch: Int64) throws(StoreError) {
    if server.node != nil { try release(partitions: partitions, epoch: epoch) }
    disconnect()
  }

  func verify() throws(StoreError) { _ = try ask("SELECT 1") }

  func query(_ sql: String) -> any ServerQuery { PostgresQuery(sql, on: self) }

  func parameters() -> any ServerParameters { PostgresParameters() }

  func beginBatch(of teams: [Int64]) {
    queryBatch = teams.count >= QueryBatch.leastTeams ? QueryBatch(teams) : nil
  }

  func nextInBatch() { queryBatch?.done += 1 }

  func endBatch() { queryBatch = nil }

  func tables(on connection: Connection) throws(StoreError) -> [String] {
    try connection.rows(
      "SELECT tablename FROM pg_tables WHERE schemaname = '\(PostgresSchema.name)' "
        + "AND tablename NOT IN ('engine', '\(PostgresSchema.photoPieces)', "
        + NodeTables.all.map { "'\($0)'" }.joined(separator: ", ") + ") ORDER BY tablename"
    ) { row throws(StoreError) in row.text(0) }
  }

  /// The id of the next transaction on the server.
  func dataVersion(on connection: Connection) throws(StoreError) -> Int64 {
    try connection.first("SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint") { row throws(StoreError) in
      row.integer(0)
    } ?? 0
  }

  func schemaVersion(on connection: Connection) throws(StoreError) -> Int {
    try connection.first("SELECT version FROM engine") { row throws(StoreError) in row.number(0) } ?? 0
  }

  func bytes(on connection: Connection) throws(StoreError) -> Int {
    try connection.first("SELECT pg_database_size(current_database())") { row throws(StoreError) in row.number(0) } ?? 0
  }
}
