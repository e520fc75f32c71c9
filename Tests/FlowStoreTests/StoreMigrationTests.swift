import FlowModel
import FlowNotices
import FlowStore
import FlowTestKit
import FlowWork
import Foundation
import PoolJobs
import Testing
import TradeStores

struct StoreMigrationTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path + "/poolflow.db" }

  init() throws { folder = try TemporaryFolder() }

  /// Creates a store of schema `schema` as that release left it.
  private func makeOld(_ schema: Int) throws {
    for suffix in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: path + suffix) {
      try FileManager.default.removeItem(atPath: path + suffix)
    }
    let old = try Connection(path: path, mode: .readWrite)
    try old.execute(
      """
      \(Schema.next.prefix(schema).joined(separator: "\n"))
      PRAGMA application_id = \(Schema.applicationID);
      PRAGMA user_version = \(schema);
      INSERT INTO epochs (epoch, started_ms, seen_ms, version) VALUES (1, 0, 0, '0.0.9');
      """, operation: "make an old store")
  }

  private var copies: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.contains(".schema-") }.sorted()
    }
  }

  /// Opens the store with the next release's migrations.
  private func open(at now: Timestamp = Samples.mondayMorning) throws -> Store {
    try Store(path: path, now: now, version: "test", migrations: Schema.next)
  }

  private func version(of path: String) throws -> String? {
    try Connection(path: path, mode: .readOnly).first("PRAGMA user_version") { row throws(StoreError) in row.text(0) }
  }

  @Test(arguments: 1..<Schema.next.count)
  func `a store of any older schema is migrated and a copy is kept`(schema: Int) throws {
    try makeOld(schema)
    var steps: [Int] = []
    let kept: String?
    do {
      let store = try Store(path: path, now: Samples.mondayMorning, version: "test", migrations: Schema.next) {
        steps.append($0)
      }
      kept = store.keptBeforeMigration
    }
    #expect(steps == Array(schema...Schema.next.count))
    #expect(try version(of: path) == "\(Schema.next.count)")
    let copy = try #require(kept)
    #expect(copy == "\(folder.path)/poolflow.db.schema-\(schema)-\(Samples.mondayMorning.compact)")
    #expect(try version(of: copy) == "\(schema)")
    try StoreSnapshot(path: copy, migrations: Schema.next, acceptsOlder: true).verify()
  }

  @Test func `teams that never chose the units of amounts get them by kind`() async throws {
    try makeOld(12)
    do {
      let old = try Connection(path: path, mode: .readWrite)
      for (name, units, created) in [
        ("never", "app", 5), ("chose", "app", 5), ("kind", "by-kind", 5), ("early", "app", 1),
      ] {
        try old.execute(
          """
          INSERT INTO teams (name, zone, language, units, objective, plan, notifications_enabled, morning_summary, low_stock,
            weekly_digest, morning_time_s, clock, created_ms, dose_units)
          VALUES ('\(name)', 'UTC', 'en', 'imperial', 'time', 'paid', 1, 1, 1, 1, 25200, 'auto', \(created), '\(units)');
          """, operation: "add a team")
      }
      try old.execute(
        """
        INSERT INTO audit (at_ms, uid, command) VALUES (2, 0, 'team set never language=en'),
          (6, 0, 'team set chose language=en dose-units=app'), (7, 0, 'team set nevermore dose-units=app');
        """, operation: "log changes")
    }
    let store = try open()
    var units: [String: DoseUnits] = [:]
    for team in try await store.teams() { units[team.name] = team.settings.doseUnits }
    // A team from before the beginning of the audit log may have chosen.
    #expect(units == ["never": .byKind, "chose": .app, "kind": .byKind, "early": .app])
  }

  @Test func `only a migration keeps a copy, and the newest two copies stay`() throws {
    #expect(try open().keptBeforeMigration == nil)
    #expect(try open().keptBeforeMigration == nil)
    for day in 0..<4 {
      // Schema versions of one and of two digits; the newest copy is the last one made.
      try makeOld(Schema.next.count - 1 - day)
      _ = try open(at: Samples.mondayMorning.advanced(by: .hours(24 * day)))
    }
    #expect(
      try copies.map { $0.split(separator: "-").last.map(String.init) ?? "" }.sorted()
        == [2, 3].map {
          Samples.mondayMorning.advanced(by: .hours(24 * $0)).compact
        })
  }

  @Test func `a failing migration step rolls back all steps before it`() throws {
    let old = Schema.next.count - 3
    try makeOld(old)
    let connection = try Connection(path: path, mode: .readWrite)
    // The last step meets a table that already exists.
    let migrations = Schema.next + ["CREATE TABLE store (x);"]
    let migration = StoreMigration(
      connection: connection, path: path, now: Samples.mondayMorning, migrations: migrations)
    let error = #expect(throws: StoreError.self) { try migration.run(from: old) { _ in } }
    guard case .migrationFailed(_, let found, let known, let copy?, let before, _, let reason) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(found == old && known == migrations.count && before == "0.0.9")
    #expect(reason.contains("schema \(migrations.count)") && error?.exitCode == 65)
    #expect(try version(of: path) == "\(old)")
    #expect(try version(of: copy) == "\(old)")
    try StoreSnapshot(path: path, migrations: Schema.next, acceptsOlder: true).verify()
  }

  @Test func `a step that replaces a table keeps references and used row numbers`() async throws {
    do {
      let old = try Store(path: path, now: Samples.mondayMorning, version: "test")
      let connection = try Connection(path: path, mode: .readWrite)
      _ = try await old.addTeam(Samples.team(), defaultTechnician: "anna", now: Samples.mondayMorning) { _ in [] }
      try connection.execute(
        """
        INSERT INTO jobs (job_id, team_id, kind, rule, zone, once_ms, generation, cursor_ms, since_ms) VALUES
          (5, 1, 'morning-summary', '*-*-* 07:00:00', 'UTC', NULL, 3, 1000, 500);
        INSERT INTO jobs (job_id, team_id, kind, rule, zone, once_ms, generation, cursor_ms, since_ms) VALUES
          (9, 1, 'low-stock', '', 'UTC', NULL, 1, 1000, 0);
        DELETE FROM jobs WHERE job_id = 9;
        INSERT INTO runs VALUES (5, 1000, 1, 'schedule', 'notified', NULL, 'd', 1, 1, 1000, 1000, 1001, 0, NULL, 'n', 'i');
        INSERT INTO notices VALUES ('n1', 1, 5, 1000, 'i', 't', 'b', '', '', 0, 1000, NULL, 'notice', NULL);
        INSERT INTO outbox (notice_id, team_id, sink, state, attempts, next_try_ms) VALUES ('n1', 1, 's', 'sent', 0, 0);
        INSERT INTO past_rules (job_id, generation, team_id, rule, zone, once_ms, since_ms, settled_ms, until_ms) VALUES
          (5, 2, 1, '*-*-* 06:00:00', 'UTC', NULL, 0, 400, 500);
        INSERT INTO missed_stretches VALUES (5, 100, 200, 1, 'too-late', 'd', 300);
        INSERT INTO holds (team_id, job_id, from_ms, note, set_by) VALUES (1, NULL, 2000, 'recount', 'anna');
        """, operation: "make an old store")
    }
    let store = try open()
    #expect(try await store.history(HistoryQuery()).map(\.noticeID) == ["n1"])
    #expect(try await store.history(HistoryQuery()).map(\.note) == ["n"])
    #expect(try await store.outbox(OutboxQuery()).map(\.notice.id) == ["n1"])
    #expect(try await store.jobs().map(\.generation) == [3])
    #expect(
      try await store.rules(of: JobID(5)).map(\.rule) == [.calendar("*-*-* 06:00:00"), .calendar("*-*-* 07:00:00")])
    #expect(try await store.skippedRange(of: JobID(5), covering: Timestamp(milliseconds: 150)) != nil)
    #expect(try await store.holds(of: TeamID(1)).map(\.note) == ["recount"])
    let night = JobPlan(kind: .backup, rule: .calendar("*-*-* 02:15:00"))
    try await store.planServerJobs([night], zone: "UTC", now: Samples.mondayMorning)
    #expect(try await store.jobs(of: nil).map(\.id) == [JobID(10)])
    let check = try Connection(path: path, mode: .readOnly)
    let faults = try check.rows("PRAGMA foreign_key_check") { row throws(StoreError) in row.text(0) }
    #expect(faults.isEmpty)
  }

  @Test(arguments: [0, 1, 13])
  func `a store of a development version is refused and unchanged`(schema: Int) throws {
    do {
      let old = try Connection(path: path, mode: .readWrite)
      try old.execute(
        "CREATE TABLE meta (key TEXT); PRAGMA application_id = \(0x7066_6C77); PRAGMA user_version = \(schema)",
        operation: "make an old store")
    }
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    let wanted = StoreError.developmentVersion(path: path, found: schema)
    #expect(wanted.exitCode == 78 && "\(wanted)".contains("development version"))
    #expect(throws: wanted) { try Store(path: path, now: Samples.mondayMorning, version: "test") }
    #expect(throws: wanted) { try Store(reading: path) }
    #expect(throws: wanted) { try StoreSnapshot(path: path, acceptsOlder: true) }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
  }

  @Test(arguments: 1..<Schema.next.count)
  func `a store with a wrong schema number is reported as damaged and unchanged`(schema: Int) throws {
    try makeOld(schema)
    for said in [schema - 1, schema + 1] where said > 0 {
      do {
        let connection = try Connection(path: path, mode: .readWrite)
        try connection.execute("PRAGMA user_version = \(said)", operation: "prepare the test")
      }
      let before = try Data(contentsOf: URL(fileURLWithPath: path))
      let error = #expect(throws: StoreError.self) {
        try open()
      }
      guard case .corrupt = error else {
        Issue.record("schema \(schema) said to be \(said): \(String(describing: error))")
        continue
      }
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    }
    #expect(try copies.isEmpty)
  }
}
