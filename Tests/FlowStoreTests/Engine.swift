import FlowModel
import FlowNotices
import FlowPlatform
import FlowStore
import FlowTestKit
import FlowWork
import Foundation
import PoolJobs
import PoolModel
import PoolStore
import StableStore  // Stables
import Testing
import TradeStores

/// A store engine under test; suites that take an `Engine` run on every engine.
struct Engine: Sendable, CustomTestStringConvertible {
  /// Every protocol of the store that the layers above use.
  typealias Opened =
    AuditLog & Backups & ClockLog & ClockReport & Epochs & Facts & FactsOfTeams & Forecasts & HoldChanges & Holds
    & InboxClaims
    & Ledger & LedgerReport & Outbox & OutboxAdmin & People & PoolEquipment & Pools & Receipts & RecurringWork
    & TeamRecords
    & Reminders & Routes & ServerJobs & Services & Stock & StoreUpkeep & TeamDaysOff & Teams & Timings & TeamFailures
    & Visits
    & Water
    & BlanketBooks & CareBooks & FactsOfStables & FeedBooks & Horses & StableBooks  // Stables

  let testDescription: String
  /// The location of the store in a folder.
  let place: @Sendable (_ folder: String) throws -> StoreLocation
  /// Every row of every table of the store in a folder, as text.
  let dump: @Sendable (_ folder: String) throws -> [String]

  /// Opens the store in a folder as a new process would; creates it if missing.
  func open(_ folder: String, _ now: Timestamp) throws -> any Opened { try store(folder, now) }

  func store(
    _ folder: String, _ now: Timestamp, version: String = "test", migrations: [String] = Schema.migrations
  ) throws -> Store {
    try Store(place: place(folder), now: now, version: version, migrations: migrations)
  }

  /// An external read-write connection to the same store.
  func connection(_ folder: String) throws -> Connection { try .opened(place(folder), .readWrite) }

  /// SQLite, or the engine that `POOLFLOW_TEST_ENGINE` names.
  static let all = isPostgreSQL ? [postgresql] : [sqlite]

  static let isPostgreSQL = ServerStores.isChosen

  private static let sqlite = Engine(testDescription: "SQLite") {
    .file($0 + "/poolflow.db")
  } dump: {
    try dumpSQLite($0 + "/poolflow.db")
  }

  private static let postgresql = Engine(testDescription: "PostgreSQL") {
    try ServerStores.place(of: $0)
  } dump: {
    try dumpServer(ServerStores.place(of: $0))
  }

  private static func dumpServer(_ place: StoreLocation) throws -> [String] {
    let connection = try Connection.opened(place, .readOnly)
    let tables = try connection.rows(
      "SELECT tablename FROM pg_tables WHERE schemaname = 'poolflow' AND tablename <> 'engine' AND tablename NOT LIKE 'node\\_%' ORDER BY tablename"
    ) { row throws(StoreError) in row.text(0) }
    var lines: [String] = []
    for table in tables {
      // Skip generated row numbers: SQLite's dump has none either.
      let columns = try connection.rows(
        """
        SELECT attname::text FROM pg_attribute
        WHERE attrelid = 'poolflow.\(table)'::regclass AND attnum > 0 AND NOT attisdropped AND attname <> 'rowid' ORDER BY attnum
        """
      ) { row throws(StoreError) in row.text(0) }
      let row = columns.map { "quote_nullable(\($0))" }.joined(separator: " || ',' || ")
      lines += try connection.rows("SELECT \(row) FROM \(table) ORDER BY 1") { row throws(StoreError) in
        "\(table): \(row.text(0))"
      }
    }
    return lines
  }

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

// Shorter calls for tests, with defaults for the arguments that a test does not check.

extension ClockLog {
  func heartbeat(_ downtime: Downtime?, now: Timestamp) async throws {
    try await heartbeat(downtime, trust: nil, now: now)
  }

  func downtimes(since: Timestamp) async throws -> [Downtime] {
    try await downtimes(since: since, limit: Limits.downtimesRemembered)
  }

  func rollBack(now: Timestamp) async throws -> ClockCorrection? { try await rollBack(now: now, from: nil) }
}

extension Ledger {
  @discardableResult
  func settle(_ settlements: [RunSettlement], routes: [SinkRoute]) async throws -> Set<RunKey> {
    try await settle(settlements, routes: routes, evenIfChanged: false)
  }
}

extension TeamRecords {
  func replaceRecords(
    team: String, technician: String?, records: RecordSet, photos: [ServiceEventID: Int] = [:], now: Timestamp,
    dryRun: Bool = false, claim: ImportClaim<ImportEffect>? = nil
  ) async throws -> ImportEffect {
    try await replaceRecords(
      team: team, technician: technician, records: records, photos: photos, now: now, dryRun: dryRun, change: nil,
      limitsPools: true, claim: claim)
  }

  func upsertPools(
    team: String, technician: String? = nil, pools: [Pool], profiles: [CustomerProfile] = [], now: Timestamp,
    dryRun: Bool = false
  ) async throws -> ImportEffect {
    try await upsertPools(
      team: team, technician: technician, pools: pools, profiles: profiles, rules: nil, now: now, dryRun: dryRun,
      limitsPools: true, claim: nil)
  }
}

extension Pools {
  func pools(of team: TeamID, now: Timestamp) async throws -> [PoolLine] {
    try await pools(of: team, day: nil, technician: nil, now: now)
  }
}

extension TeamFailures {
  func setTeamFailures(_ found: [TeamID: String], with work: String, now: Timestamp) async throws {
    try await setTeamFailures(found, with: work, of: .all, now: now)
  }
}

extension StoreUpkeep {
  func prune(now: Timestamp) async throws -> Int { try await prune(now: now, limit: Limits.verdictsPrunedAtOnce) }
}
