import Foundation
import PoolModel
import PoolStore
import PoolTestKit
import Testing

struct StoreMigrationTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path + "/poolflow.db" }

  init() throws { folder = try TemporaryFolder() }

  /// A store as a poolflowd of that schema left it.
  private func makeOld(_ schema: Int) throws {
    for suffix in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: path + suffix) {
      try FileManager.default.removeItem(atPath: path + suffix)
    }
    let old = try Connection(path: path, mode: .readWrite)
    try old.execute(
      """
      \(Schema.migrations.prefix(schema).joined(separator: "\n"))
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

  private func version(of path: String) throws -> String? {
    try Connection(path: path, mode: .readOnly).first("PRAGMA user_version") { row throws(StoreError) in row.text(0) }
  }

  @Test(arguments: 1..<Schema.currentVersion)
  func `a store of every schema before is brought to today's, and a copy of it is kept`(schema: Int) throws {
    try makeOld(schema)
    var steps: [Int] = []
    let kept: String?
    do {
      let store = try Store(path: path, now: Samples.mondayMorning, version: "test") { steps.append($0) }
      kept = store.keptBeforeMigration
    }
    #expect(steps == Array(schema...Schema.currentVersion))
    #expect(try version(of: path) == "\(Schema.currentVersion)")
    let copy = try #require(kept)
    #expect(copy == "\(folder.path)/poolflow.db.schema-\(schema)-\(Samples.mondayMorning.compact)")
    #expect(try version(of: copy) == "\(schema)")
    try StoreSnapshot(path: copy, acceptsOlder: true).prove()
  }

  @Test func `a new store and one of today keep no copy, and of many the newest two stay`() throws {
    #expect(try Store(path: path, now: Samples.mondayMorning, version: "test").keptBeforeMigration == nil)
    #expect(try Store(path: path, now: Samples.mondayMorning, version: "test").keptBeforeMigration == nil)
    for day in 0..<4 {
      // Schemas of one and of two digits, newest times last.
      try makeOld(Schema.currentVersion - 1 - day)
      _ = try Store(path: path, now: Samples.mondayMorning.advanced(by: .hours(24 * day)), version: "test")
    }
    #expect(
      try copies.map { $0.split(separator: "-").last.map(String.init) ?? "" }.sorted()
        == [2, 3].map {
          Samples.mondayMorning.advanced(by: .hours(24 * $0)).compact
        })
  }

  @Test func `a step that fails takes all steps before it back`() throws {
    let old = Schema.currentVersion - 3
    try makeOld(old)
    let connection = try Connection(path: path, mode: .readWrite)
    // The next release's step meets a table that is there already.
    let migrations = Schema.migrations + ["CREATE TABLE meta (x);"]
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
    try StoreSnapshot(path: path, acceptsOlder: true).prove()
  }

  @Test(arguments: 1..<Schema.currentVersion)
  func `a store that says it is older than it is, or newer, is damaged and stays as it is`(schema: Int) throws {
    try makeOld(schema)
    for said in [schema - 1, schema + 1] where said > 0 {
      do {
        let connection = try Connection(path: path, mode: .readWrite)
        try connection.execute("PRAGMA user_version = \(said)", operation: "prepare the test")
      }
      let before = try Data(contentsOf: URL(fileURLWithPath: path))
      let error = #expect(throws: StoreError.self) {
        try Store(path: path, now: Samples.mondayMorning, version: "test")
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
