import PoolJobs
import PoolModel
import PoolNotices
import PoolPlatform
import PoolStore
import PoolWork
import Testing

/// A store under test: every engine passes the suites that take one.
struct Engine: Sendable, CustomTestStringConvertible {
  /// All that the rooms above ask a store for.
  typealias Opened = AuditLog & Backups & ClockLog & ClockReport & Epochs & Facts & FactsOfTeams & HoldChanges & Holds
    & InboxClaims & Ledger & LedgerReport & Outbox & OutboxAdmin & People & PoolEquipment & Pools & Receipts & Records
    & Reminders
    & Routes & ServerJobs & Stock & StoreUpkeep & TeamDaysOff & Teams & Timings & Troubles & Visits & Water

  let testDescription: String
  /// Opens the store in a folder, as the next process would; makes it where there is none.
  let open: @Sendable (_ folder: String, _ now: Timestamp) throws -> any Opened
  /// Every row of every table of the store in a folder, as text.
  let dump: @Sendable (_ folder: String) throws -> [String]

  static let all = [
    Engine(testDescription: "SQLite") {
      try Store(path: $0 + "/poolflow.db", now: $1, version: "test")
    } dump: {
      try dumpSQLite($0 + "/poolflow.db")
    }
  ]

  private static func dumpSQLite(_ path: String) throws -> [String] {
    let connection = try Connection(path: path, mode: .readOnly)
    let tables = try connection.rows(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"
    ) { row throws(StoreError) in row.text(0) }
    var lines: [String] = []
    for table in tables {
      let columns = try connection.rows("SELECT name FROM pragma_table_info('\(table)')") { row throws(StoreError) in
        row.text(0)
      }
      let row = columns.map { "quote(\($0))" }.joined(separator: " || ',' || ")
      lines += try connection.rows("SELECT \(row) FROM \(table) ORDER BY 1") { row throws(StoreError) in
        "\(table): \(row.text(0))"
      }
    }
    return lines
  }
}

// The daemon says all that a verb can be told; a test says what it is about.

extension ClockLog {
  func beat(_ absence: Absence?, now: Timestamp) async throws { try await beat(absence, trust: nil, now: now) }

  func absences(since: Timestamp) async throws -> [Absence] {
    try await absences(since: since, limit: Limits.absencesRemembered)
  }

  func takeBack(now: Timestamp) async throws -> ClockMend? { try await takeBack(now: now, from: nil) }
}

extension Ledger {
  @discardableResult
  func settle(_ settlements: [RunSettlement], routes: [SinkRoute]) async throws -> Set<RunKey> {
    try await settle(settlements, routes: routes, evenIfChanged: false)
  }
}

extension Records {
  func replaceRecords(
    team: String, technician: String?, records: RecordSet, photos: [ServiceEventID: Int] = [:], now: Timestamp,
    rehearse: Bool = false, claim: ImportClaim? = nil
  ) async throws -> ImportEffect {
    try await replaceRecords(
      team: team, technician: technician, records: records, photos: photos, now: now, rehearse: rehearse, change: nil,
      limitsPools: true, claim: claim)
  }

  func upsertPools(
    team: String, technician: String? = nil, pools: [Pool], profiles: [CustomerProfile] = [], now: Timestamp,
    rehearse: Bool = false
  ) async throws -> ImportEffect {
    try await upsertPools(
      team: team, technician: technician, pools: pools, profiles: profiles, now: now, rehearse: rehearse,
      limitsPools: true, claim: nil)
  }
}

extension Pools {
  func pools(of team: TeamID) async throws -> [PoolLine] {
    try await pools(of: team, day: nil, technician: nil)
  }
}

extension Troubles {
  func setTroubles(_ found: [TeamID: String], with work: String, now: Timestamp) async throws {
    try await setTroubles(found, with: work, of: nil, now: now)
  }
}

extension StoreUpkeep {
  func prune(now: Timestamp) async throws -> Int { try await prune(now: now, limit: Limits.runsPrunedAtOnce) }
}
