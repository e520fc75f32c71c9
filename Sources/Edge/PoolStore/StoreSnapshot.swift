package import FoundationEssentials
package import PoolModel
package import StableModel
package import PoolWork

/// What a store and its copy must agree on.
package struct SnapshotFacts: Hashable, Sendable {
  package let schema: Int
  package let install: String
  /// Rows of every table.
  package let rows: [String: Int]

  package init(schema: Int, install: String, rows: [String: Int]) {
    self.schema = schema
    self.install = install
    self.rows = rows
  }
}

/// Looks at one team after the other, of one moment.
package protocol TeamVisitor: Sendable {
  /// - Parameter facts: all that any decision may look at.
  mutating func visit(_ facts: any DecisionFacts, jobs: [JobRecord]) throws

  /// A team whose records cannot be read, and why.
  mutating func pass(_ team: TeamID, unreadable why: String) throws
}

extension StoreReader {
  /// Copies the store into a new file, all of one moment; its owner goes on writing meanwhile.
  ///
  /// - Parameters:
  ///   - visitor: sees every team as the copy has it.
  ///   - progress: takes pages done and pages in all.
  package func copy<Visitor: TeamVisitor>(
    to path: String, visitor: Visitor, progress: @Sendable (Int, Int) throws -> Void
  ) throws -> (facts: SnapshotFacts, visitor: Visitor) {
    var visitor = visitor
    let facts = try copy(to: path, progress: progress) { try $0.visitTeams(&visitor) }
    return (facts, visitor)
  }

  /// The same, and no team is looked at.
  package func copy(to path: String, progress: @Sendable (Int, Int) throws -> Void) throws -> SnapshotFacts {
    try copy(to: path, progress: progress) { _ in }
  }

  private func copy(
    to path: String, progress: (Int, Int) throws -> Void, look: (Connection) throws -> Void
  ) throws -> SnapshotFacts {
    try read { connection in
      let facts = try connection.snapshotFacts()
      try look(connection)
      try connection.copyDatabase(to: path, pages: Int32(Limits.copiedPages), progress: progress)
      return facts
    }
  }
}

extension StoreReader {
  /// Rows of every table.
  package func rows() throws -> [String: Int] { try read { try $0.snapshotFacts().rows } }

  package func schema() throws -> Int { try read { try $0.snapshotFacts().schema } }
}

/// A copy of a store, opened to be read: never migrated, never written.
package final class StoreSnapshot {
  let connection: Connection
  private let path: String

  /// - Parameters:
  ///   - migrations: ours, or more for a test of the next release.
  ///   - acceptsOlder: for a look at it as a whole; records can be read out of today's schema only.
  /// - Throws: `StoreError`, also where it is of another schema.
  package init(
    path: String, migrations: [String] = Schema.migrations, acceptsOlder: Bool = false
  ) throws(StoreError) {
    self.path = path
    try StoreOpening.refuseWhatIsNoFile(path)
    connection = try Connection(path: path, mode: .readOnly)
    // A proof looks up every key of every index: SQLite's own two MB make it read most pages many times.
    try connection.execute("PRAGMA cache_size = -8192", operation: "open '\(path)'")
    try StoreOpening.inspect(connection, path: path, migrations: migrations, acceptsOlder: acceptsOlder)
  }

  /// What a connection sees, while one moment of it lasts.
  init(lookingThrough connection: Connection) {
    self.connection = connection
    path = connection.path
  }

  /// - Throws: `StoreError.corrupt` with the first thing that is wrong.
  package func prove() throws(StoreError) {
    let damage = try connection.first("PRAGMA integrity_check(1)") { row throws(StoreError) in row.text(0) }
    guard damage == "ok" else { throw .corrupt(path: path, finding: damage ?? "no answer") }
    let orphan = try connection.first("PRAGMA foreign_key_check") { row throws(StoreError) in
      "a row of \(row.text(0)) refers to one of \(row.text(2)) that is not there"
    }
    if let orphan { throw .corrupt(path: path, finding: orphan) }
  }

  /// Reads every value and looks for those that no poolflow writes.
  ///
  /// - Returns: the first of each team that has one.
  /// - Throws: `StoreError.corrupt` with the first value that concerns the whole server, or could lead out of a folder.
  @discardableResult
  package func proveContents() throws(StoreError) -> [StrayValue] {
    try StoreContents(connection: connection, path: path).prove()
  }

  package func teamName(_ id: TeamID) throws(StoreError) -> String? { try connection.teamName(id) }

  package func facts() throws(StoreError) -> SnapshotFacts { try connection.snapshotFacts() }

  package func visitTeams(_ visitor: inout some TeamVisitor) throws { try connection.visitTeams(&visitor) }

  /// Every team whose own row can be read.
  package func teams() throws(StoreError) -> [Team] { try connection.teams() }

  /// Of the others, why not, by name.
  package func unreadableTeams() throws(StoreError) -> [(id: TeamID, name: String, why: String)] {
    var found: [(id: TeamID, name: String, why: String)] = []
    for (id, why) in try connection.unreadableTeams().sorted(by: { $0.key < $1.key }) {
      found.append((id, try connection.teamName(id) ?? "\(id.number)", why))
    }
    return found
  }

  /// Every record that has a photo: the visits and horses of all teams.
  package func photographed() throws(StoreError) -> [(team: TeamID, record: UUID)] {
    var found: [(team: TeamID, record: UUID)] = []
    for (owner, table, column) in Connection.PhotoOwner.places {
      found += try connection.rows(
        "SELECT team_id, \(owner.rawValue) FROM \(table) WHERE \(column) > 0 ORDER BY team_id, \(owner.rawValue)"
      ) { row throws(StoreError) in (team: TeamID(row.integer(0)), record: UUID(uuidString: row.text(1))) }
      .compactMap { pair in pair.record.map { (team: pair.team, record: $0) } }
    }
    return found
  }

  package func counts(of team: TeamID) throws(StoreError) -> RecordCounts { try connection.counts(of: team) }

  package func stableBook(of team: TeamID) throws(StoreError) -> StableBook { try connection.stableBook(of: team) }

  package func shares(of team: TeamID) throws(StoreError) -> [TeamShare] { try connection.shares(of: team) }

  package func records(of share: TeamShare, team: TeamID) throws(StoreError) -> ShareRecords {
    try connection.records(of: share, team: team)
  }
}

extension Connection {
  /// The names of all tables but the engine's own.
  func tables() throws(StoreError) -> [String] {
    switch driver {
    case .sqlite: try fileTables()
    case .postgresql(let session): try serverTables(session)
    }
  }

  /// Another number whenever another connection has written.
  func dataVersion() throws(StoreError) -> Int64 {
    switch driver {
    case .sqlite: try first("PRAGMA data_version") { row throws(StoreError) in row.integer(0) } ?? 0
    case .postgresql(let session): try serverDataVersion(session)
    }
  }

  func schemaVersion() throws(StoreError) -> Int {
    switch driver {
    case .sqlite: try fileVersion()
    case .postgresql(let session): try serverVersion(session)
    }
  }

  func snapshotFacts() throws(StoreError) -> SnapshotFacts {
    var counts: [String: Int] = [:]
    for table in try tables() {
      counts[table] = try first("SELECT count(*) FROM \"\(table.replacing("\"", with: "\"\""))\"") {
        row throws(StoreError) in row.number(0)
      }
    }
    return SnapshotFacts(schema: try schemaVersion(), install: try StoreOpening.installMark(self), rows: counts)
  }

  func visitTeams(_ visitor: inout some TeamVisitor) throws {
    for (team, why) in try unreadableTeams().sorted(by: { $0.key < $1.key }) {
      try visitor.pass(team, unreadable: why)
    }
    for team in try teams() {
      switch try decisionFactsApart(.everything(of: team.id)) {
      case .success(nil): continue
      case .success(let facts?): try visitor.visit(facts, jobs: try jobs(of: team.id))
      case .failure(let error): try visitor.pass(team.id, unreadable: "\(error)")
      }
    }
  }
}
