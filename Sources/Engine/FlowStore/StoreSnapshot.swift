package import FlowModel
package import FlowWork
package import FoundationEssentials

/// Facts that a store and its copy must have in common.
package struct SnapshotFacts: Hashable, Sendable {
  package let schema: Int
  package let install: String
  /// Number of rows of each table.
  package let rows: [String: Int]

  package init(schema: Int, install: String, rows: [String: Int]) {
    self.schema = schema
    self.install = install
    self.rows = rows
  }
}

/// Receives each team of a store, in one consistent snapshot.
package protocol TeamReader: Sendable {
  /// - Parameter facts: everything that a decision may read.
  mutating func read(_ facts: any DecisionFacts, jobs: [JobRecord]) throws

  /// Receives a team with unreadable records, and the reason.
  mutating func skip(_ team: TeamID, unreadable why: String) throws
}

extension StoreReader {
  /// Copies the store into a new file, in one consistent snapshot, while its actor continues to write.
  ///
  /// - Parameters:
  ///   - reader: receives every team of the copy.
  ///   - progress: takes the pages copied and the total.
  package func copy<Reader: TeamReader>(
    to path: String, reader: Reader, progress: @Sendable (Int, Int) throws -> Void
  ) throws -> (facts: SnapshotFacts, reader: Reader) {
    var reader = reader
    let facts = try copy(to: path, progress: progress) { try $0.readTeams(with: &reader) }
    return (facts, reader)
  }

  /// Copies the store into a new file, without reading teams.
  package func copy(to path: String, progress: @Sendable (Int, Int) throws -> Void) throws -> SnapshotFacts {
    try copy(to: path, progress: progress) { _ in }
  }

  private func copy(
    to path: String, progress: (Int, Int) throws -> Void, look: (Connection) throws -> Void
  ) throws -> SnapshotFacts {
    try read { connection in
      let facts = try connection.snapshotFacts()
      try look(connection)
      try connection.copyDatabase(to: path, pages: Int32(Limits.pagesCopiedPerStep), progress: progress)
      return facts
    }
  }
}

extension StoreReader {
  /// The number of rows of each table.
  package func rows() throws -> [String: Int] { try read { try $0.snapshotFacts().rows } }

  package func schema() throws -> Int { try read { try $0.snapshotFacts().schema } }
}

/// A copied store, opened for reading; it is never migrated or written.
package final class StoreSnapshot {
  package let connection: Connection
  private let path: String

  /// - Parameters:
  ///   - trades: the trades' tables and the schema.
  ///   - acceptsOlder: true to accept an older schema; only checks of the whole file work then, not reading records.
  /// - Throws: `StoreError`, also for a schema that is not accepted.
  package init(
    path: String, trades: StoreTrades, acceptsOlder: Bool = false
  ) throws(StoreError) {
    self.path = path
    try StoreOpening.requireRegularFile(path)
    connection = try Connection(path: path, mode: .readOnly, trades: trades)
    // The check searches every index for every key; with SQLite's default cache of 2 MB it would read most pages many times.
    try connection.execute("PRAGMA cache_size = -8192", operation: "open '\(path)'")
    try StoreOpening.inspect(connection, path: path, acceptsOlder: acceptsOlder)
  }

  /// The view of a connection that is inside a snapshot.
  init(reading connection: Connection) {
    self.connection = connection
    path = connection.path
  }

  /// Checks pages, indexes and foreign keys.
  ///
  /// - Throws: `StoreError.corrupt` with the first damage found.
  package func verify() throws(StoreError) {
    let damage = try connection.first("PRAGMA integrity_check(1)") { row throws(StoreError) in row.text(0) }
    guard damage == "ok" else { throw .corrupt(path: path, finding: damage ?? "no answer") }
    let orphan = try connection.first("PRAGMA foreign_key_check") { row throws(StoreError) in
      "a row of \(row.text(0)) refers to one of \(row.text(2)) that does not exist"
    }
    if let orphan { throw .corrupt(path: path, finding: orphan) }
  }

  /// Reads every value and searches for values that poolflow never writes.
  ///
  /// - Returns: the first damaged value of each affected team.
  /// - Throws: `StoreError.corrupt` with the first value that concerns the whole server or could lead out of a directory.
  @discardableResult
  package func verifyContents() throws(StoreError) -> [UnusableValue] {
    try StoreContents(connection: connection, path: path).verify()
  }

  package func teamName(_ id: TeamID) throws(StoreError) -> String? { try connection.teamName(id) }

  package func facts() throws(StoreError) -> SnapshotFacts { try connection.snapshotFacts() }

  package func readTeams(with reader: inout some TeamReader) throws { try connection.readTeams(with: &reader) }

  /// Every team with a readable row.
  package func teams() throws(StoreError) -> [Team] { try connection.teams() }

  /// Teams with an unreadable row, with name and reason, by number.
  package func unreadableTeams() throws(StoreError) -> [(id: TeamID, name: String, why: String)] {
    var found: [(id: TeamID, name: String, why: String)] = []
    for (id, why) in try connection.unreadableTeams().sorted(by: { $0.key < $1.key }) {
      found.append((id, try connection.teamName(id) ?? "\(id.number)", why))
    }
    return found
  }

  /// Every record with a photo: visits and horses of all teams.
  package func recordsWithPhoto() throws(StoreError) -> [(team: TeamID, record: UUID)] {
    var found: [(team: TeamID, record: UUID)] = []
    for owner in connection.trades.photoOwners {
      found += try connection.rows(
        "SELECT team_id, \(owner.idColumn) FROM \(owner.table) WHERE \(owner.column) > 0 ORDER BY team_id, \(owner.idColumn)"
      ) { row throws(StoreError) in (team: TeamID(row.integer(0)), record: UUID(uuidString: row.text(1))) }
      .compactMap { pair in pair.record.map { (team: pair.team, record: $0) } }
    }
    return found
  }
}

extension Connection {
  /// The names of all tables except the engine's own.
  func tables() throws(StoreError) -> [String] {
    switch driver {
    case .sqlite: try fileTables()
    case .server(let session): try session.tables(on: self)
    }
  }

  /// Changes whenever another connection has written; on a server also after this connection's own writes.
  func dataVersion() throws(StoreError) -> Int64 {
    switch driver {
    case .sqlite: try first("PRAGMA data_version") { row throws(StoreError) in row.integer(0) } ?? 0
    case .server(let session): try session.dataVersion(on: self)
    }
  }

  func schemaVersion() throws(StoreError) -> Int {
    switch driver {
    case .sqlite: try fileVersion()
    case .server(let session): try session.schemaVersion(on: self)
    }
  }

  /// Schema version, install id and the number of rows of each table.
  func snapshotFacts() throws(StoreError) -> SnapshotFacts {
    var counts: [String: Int] = [:]
    for table in try tables() {
      counts[table] = try first("SELECT count(*) FROM \"\(table.replacing("\"", with: "\"\""))\"") {
        row throws(StoreError) in row.number(0)
      }
    }
    return SnapshotFacts(schema: try schemaVersion(), install: try StoreOpening.installMark(self), rows: counts)
  }

  /// Passes every team to the reader, unreadable ones first.
  func readTeams(with reader: inout some TeamReader) throws {
    for (team, why) in try unreadableTeams().sorted(by: { $0.key < $1.key }) {
      try reader.skip(team, unreadable: why)
    }
    for team in try teams() {
      switch try decisionFactsPerTeam(DecisionRequest(of: team.id, for: .everyDecision(now: nil), trades)) {
      case .success(nil): continue
      case .success(let facts?): try reader.read(facts, jobs: try jobs(of: team.id))
      case .failure(let error): try reader.skip(team.id, unreadable: "\(error)")
      }
    }
  }
}
