import FlowModel
import FlowStore
import FlowTestKit
import Foundation
import PoolModel
import Testing
import TradeStores

/// An intact database file is still refused if its schema differs from poolflow's.
struct StoreSchemaTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path + "/poolflow.db" }

  init() throws { folder = try TemporaryFolder() }

  /// A closed store with one team, changed by another program.
  private func make(_ changes: String = "", keepsLog: Bool = false) async throws {
    do {
      let store = try Store(path: path, now: Samples.mondayMorning, version: "test")
      _ = try await store.addTeam(Samples.team(), defaultTechnician: "x", now: Samples.mondayMorning) { _ in [] }
      let team = try await store.team(named: Samples.team().name)
      let pools = [Samples.pool(1, customer: "Customer 1", order: 1)]
      _ = try await store.replaceRecords(
        team: team.name, technician: nil,
        records: RecordSet(pools: pools, serviceEvents: [Samples.visit(1_000, to: pools[0].id)]), photos: [:],
        now: Samples.mondayMorning, dryRun: false)
      try await store.endEpoch(at: Samples.mondayMorning)
    }
    guard !changes.isEmpty else { return }
    let other = try Connection(path: path, mode: .readWrite)
    try other.execute(changes, operation: "prepare the test")
    if !keepsLog { try other.execute("PRAGMA wal_checkpoint(TRUNCATE)", operation: "prepare the test") }
  }

  private func open() throws { _ = try Store(path: path, now: Samples.mondayMorning, version: "test") }

  @Test(arguments: [
    (
      "CREATE TRIGGER t AFTER INSERT ON epochs BEGIN DELETE FROM teams; END",
      "its trigger 't' is not part of a poolflow store"
    ),
    ("CREATE VIEW v AS SELECT * FROM teams", "its view 'v' is not part of a poolflow store"),
    ("CREATE TABLE extra (x)", "its table 'extra' is not part of a poolflow store"),
    ("CREATE INDEX more ON teams (zone)", "its index 'more' is not part of a poolflow store"),
    ("ALTER TABLE teams ADD COLUMN more TEXT", "its table 'teams' differs from poolflow's schema"),
    ("DROP INDEX pools_by_route_order", "its index 'pools_by_route_order' is missing"),
    ("DROP TABLE audit", "its table 'audit' is missing"),
    (
      "DROP INDEX runs_by_slot; CREATE INDEX runs_by_slot ON runs (slot_ms) WHERE abs(slot_ms) > 0",
      "its index 'runs_by_slot' differs from poolflow's schema"
    ),
    ("DROP TABLE audit; CREATE VIEW audit AS SELECT 1", "its view 'audit' is not part of a poolflow store"),
    ("ANALYZE", "its table 'sqlite_stat1' is not part of a poolflow store"),
  ])
  func `an unknown schema object is refused on every way of opening, without changing the file`(
    change: String, finding: String
  ) async throws {
    try await make(change)
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    let wanted = StoreError.corrupt(path: path, finding: finding)
    #expect(wanted.exitCode == 65)
    #expect(throws: wanted) { try open() }
    #expect(throws: wanted) { try Store(reading: path) }
    #expect(throws: wanted) { try StoreSnapshot(path: path) }
    #expect(throws: wanted) { try StoreSnapshot(path: path, acceptsOlder: true) }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
  }

  @Test func `a refused store keeps the log of a killed process`() async throws {
    try await make()
    let reader = try Connection(path: path, mode: .readWrite)
    let other = try Connection(path: path, mode: .readWrite)
    try other.execute("CREATE TABLE extra (x)", operation: "prepare the test")
    // As a kill leaves them: the log was never checkpointed.
    let image = folder.path + "/image.db"
    for suffix in ["", "-wal"] { try FileManager.default.copyItem(atPath: path + suffix, toPath: image + suffix) }
    withExtendedLifetime((reader, other)) {}
    let before = try ["", "-wal"].map { try Data(contentsOf: URL(fileURLWithPath: image + $0)) }
    #expect(before[1].count > 0)
    #expect(throws: StoreError.self) { try Store(path: image, now: Samples.mondayMorning, version: "test") }
    #expect(try ["", "-wal"].map { try Data(contentsOf: URL(fileURLWithPath: image + $0)) } == before)
  }

  @Test func `the health check reports a change of an open store by another program`() async throws {
    try await make()
    let store = try Store(path: path, now: Samples.mondayMorning, version: "test")
    #expect(try await StoreReader(path: path).health().damage == [])
    let other = try Connection(path: path, mode: .readWrite)
    try other.execute("CREATE TABLE extra (x)", operation: "prepare the test")
    #expect(try await StoreReader(path: path).health().damage == ["its table 'extra' is not part of a poolflow store"])
    withExtendedLifetime(store) {}
  }

  @Test(arguments: NoFile.allCases)
  func `a path that is no regular file is named, not followed and not replaced`(kind: NoFile) async throws {
    if kind == .link {
      try await make()
      try FileManager.default.moveItem(atPath: path, toPath: path + ".moved")
    }
    let words = try kind.make(at: path, target: path + ".moved")
    let wanted = StoreError.noFile(path: path, kind: words)
    #expect(wanted.exitCode == 65 && "\(wanted)".contains(words))
    #expect(throws: wanted) { try open() }
    #expect(throws: wanted) { try Store(reading: path) }
    #expect(throws: wanted) { try StoreSnapshot(path: path) }
    #expect(!FileManager.default.fileExists(atPath: "/nonexistent/poolflow.db"))
  }

  // MARK: Contents

  @Test(arguments: [
    ("UPDATE teams SET name = '../../etc'", "teams.name = '../../etc'"),
    ("UPDATE teams SET name = 'a' || char(0) || '/b'", "teams.name"),
    ("UPDATE teams SET name = ''", "teams.name = ''"),
    ("UPDATE teams SET name = '.hidden'", "teams.name = '.hidden'"),
    ("UPDATE technicians SET name = ''", "technicians.name = ''"),
    ("UPDATE technicians SET name = replace(hex(zeroblob(500)), '00', 'xx')", "technicians.name = 'xxx"),
    ("UPDATE service_events SET photo_name = '../x.jpg'", "service_events.photo_name = '../x.jpg'"),
    ("UPDATE service_events SET photo_name = 'a/../../x.jpg'", "service_events.photo_name"),
    ("UPDATE service_events SET photo_name = '/etc/passwd'", "service_events.photo_name = '/etc/passwd'"),
    ("UPDATE service_events SET photo_name = 'a\\..\\b'", "service_events.photo_name"),
    ("UPDATE service_events SET photo_name = 'a' || char(27) || 'b'", "service_events.photo_name = 'a\\u{1B}b'"),
    ("UPDATE store SET install = '../../x'", "store.install = '../../x'"),
    (
      "INSERT INTO backups VALUES ('../../../etc', 0, '', 0, '', NULL, NULL)", "backups.backup_id = '../../../etc'"
    ),
    (
      "INSERT INTO notices (notice_id, slot_ms, identifier, title, body, lines, data, late_ms, created_ms, severity) "
        + "VALUES ('../../x', 0, '', '', '', '', '', 0, 0, 'info')", "notices.notice_id = '../../x'"
    ),
  ])
  func `the contents check finds a value that poolflow never writes`(change: String, named: String) async throws {
    try await make("PRAGMA foreign_keys = OFF; \(change)")
    let snapshot = try StoreSnapshot(path: path)
    let error = #expect(throws: StoreError.self) { try snapshot.verifyContents() }
    guard case .corrupt(_, let finding) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(finding.contains(named), "\(finding)")
  }

  @Test(arguments: [
    ("UPDATE service_events SET event_id = 'x'", "service_events.event_id = 'x'"),
    ("UPDATE service_events SET total_chemical_cost = 9e999", "service_events.total_chemical_cost"),
    ("UPDATE pools SET latitude = -9e999", "pools.latitude"),
    ("UPDATE pools SET updated_ms = 9223372036854775807", "pools.updated_ms = '9223372036854775807'"),
    (
      "INSERT INTO told_routes (team_id, service_day, local_date, slot_ms) VALUES (1, 2, 'soon', 0)",
      "told_routes.local_date = 'soon'"
    ),
  ])
  func `a value that makes a team unreadable is reported with that team`(change: String, named: String) async throws {
    try await make("PRAGMA foreign_keys = OFF; \(change)")
    let unusableValues = try StoreSnapshot(path: path).verifyContents()
    #expect(unusableValues.map(\.team) == [TeamID(1)])
    #expect(unusableValues.first?.description.hasPrefix(named) == true, "\(unusableValues)")
  }

  @Test func `an uncountable server-wide number is refused`() async throws {
    try await make("UPDATE epochs SET seen_ms = 9223372036854775807")
    #expect(throws: StoreError.self) { try StoreSnapshot(path: path).verifyContents() }
  }

  @Test(arguments: ["a/b.jpg", "IMG 1.jpg", "..jpg", "é.heic"])
  func `photo names of the app and ordinary values pass the contents check`(photo: String) async throws {
    try await make("UPDATE service_events SET photo_name = '\(photo)'")
    #expect(try StoreSnapshot(path: path).verifyContents().isEmpty)
  }
}
