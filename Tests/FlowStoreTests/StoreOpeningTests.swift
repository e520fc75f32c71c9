import FlowModel
import FlowStore
import FlowTestKit
import Foundation
import Testing
import TradeStores

struct StoreOpeningTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path + "/poolflow.db" }

  init() throws { folder = try TemporaryFolder() }

  private func open() throws -> Store { try Store(path: path, now: Samples.mondayMorning, version: "test") }

  @Test func `a new file gets schema, mark and epoch 1, and a restart keeps the mark`() throws {
    let first = try open()
    #expect(first.epoch == 1)
    #expect(first.install.count == 8 && first.install.allSatisfy(\.isHexDigit))
    let second = try open()
    #expect(second.epoch == 2)
    #expect(second.install == first.install)
  }

  @Test func `the pragmas that the guarantees need are set`() throws {
    _ = try open()
    let connection = try Connection(path: path, mode: .readOnly)
    func value(_ pragma: String) throws -> String? {
      try connection.first("PRAGMA \(pragma)") { row throws(StoreError) in row.text(0) }
    }
    #expect(try value("journal_mode") == "wal")
    #expect(try value("application_id") == String(Schema.applicationID))
    #expect(try value("user_version") == String(Schema.currentVersion))
    #expect(try value("page_size") == String(Limits.storePageBytes))
    let strict = try connection.rows(
      "SELECT name FROM pragma_table_list WHERE type = 'table' AND strict = 0 AND name NOT LIKE 'sqlite_%'"
    ) { row throws(StoreError) in row.text(0) }
    #expect(strict.isEmpty)
  }

  @Test func `a store with another page size keeps it`() async throws {
    let made = try Connection(path: path, mode: .readWrite)
    try made.execute("PRAGMA page_size = 4096; PRAGMA journal_mode = WAL", operation: "prepare the test")
    let store = try open()
    _ = try await store.addTeam(
      Samples.team(), defaultTechnician: "desert-blue", now: Samples.mondayMorning
    ) { _ in [] }
    let connection = try Connection(path: path, mode: .readOnly)
    let size = try connection.first("PRAGMA page_size") { row throws(StoreError) in row.number(0) }
    #expect(size == 4_096)
  }

  @Test func `a file that is no database is refused and unchanged`() throws {
    let bytes = Data("name,address\nSteve,Elm St\n".utf8) + Data(repeating: 7, count: 5_000)
    try bytes.write(to: URL(fileURLWithPath: path))
    #expect(throws: StoreError.notOurs(path: path)) { try open() }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
  }

  @Test func `a database of another program is refused`() throws {
    let other = try Connection(path: path, mode: .readWrite)
    try other.execute("CREATE TABLE songs (title TEXT)", operation: "prepare the test")
    #expect(throws: StoreError.notOurs(path: path)) { try open() }
  }

  @Test func `a newer schema is refused and the file is unchanged`() throws {
    do {
      _ = try open()
      let connection = try Connection(path: path, mode: .readWrite)
      try connection.execute(
        "PRAGMA user_version = 999; PRAGMA wal_checkpoint(TRUNCATE);", operation: "prepare the test")
    }
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    let error = #expect(throws: StoreError.self) { try open() }
    #expect(error == .newerSchema(path: path, found: 999, known: Schema.currentVersion))
    #expect(error?.exitCode == 78)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
  }

  @Test func `a damaged page is found at startup`() async throws {
    do {
      let store = try open()
      _ = try await store.addTeam(Samples.team(), defaultTechnician: "x", now: Samples.mondayMorning) { _ in [] }
      try await store.endEpoch(at: Samples.mondayMorning)
    }
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    let pageSize = 4_096
    for page in 1..<(bytes.count / pageSize) {
      bytes.replaceSubrange(page * pageSize..<page * pageSize + 64, with: Data(repeating: 0xA5, count: 64))
    }
    try bytes.write(to: URL(fileURLWithPath: path))
    let error = #expect(throws: StoreError.self) { try open() }
    if case .corrupt(let named, _) = error {
      #expect(named == path)
    } else {
      Issue.record("\(String(describing: error))")
    }
    #expect(error?.exitCode == 65)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
  }
}
