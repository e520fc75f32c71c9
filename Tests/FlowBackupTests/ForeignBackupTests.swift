import FlowBackup
import FlowModel
import FlowPlatform
import FlowStore
import FlowTestKit
import Foundation
import Testing
import TradeBackups
import TradeStores

/// A backup changed by an attacker who recomputes its checksums.
@Suite(.enabled(if: !ServerStores.isChosen, "only with a store in a file: a server restores its store itself"))
struct ForeignBackupTests {
  /// A state directory with a backup that is changed by `sql` and has consistent checksums.
  private func stand(_ sql: String) async throws -> (stand: BackupStand, id: String, folder: String) {
    let stand = try BackupStand()
    try await stand.addRecords(to: try await stand.addTeam())
    let line = try await stand.keeper.create(reason: "test")
    let folder = stand.keeper.folder.folder(line.id)
    try ForeignBackup(folder).change(sql)
    return (stand, line.id, folder)
  }

  private static let changes = [
    "CREATE TRIGGER t AFTER INSERT ON epochs BEGIN DELETE FROM teams; END", "CREATE VIEW v AS SELECT 1",
    "UPDATE teams SET name = '../../x'", "UPDATE service_events SET photo_name = '../../x.jpg'",
    "UPDATE store SET install = '../../x'", "PRAGMA foreign_keys = OFF; DELETE FROM technicians",
  ]

  @Test(arguments: changes)
  func `a manipulated backup is not staged and changes nothing`(sql: String) async throws {
    let (stand, _, folder) = try await stand(sql)
    try await stand.store.endEpoch(at: stand.clock.now())
    let before = try BackupStand.files(below: stand.state)
    let error = #expect(throws: StoreError.self) {
      try StoreRecovery(state: stand.state).stage(RestoreSource(at: folder))
    }
    #expect(error?.exitCode == 65)
    #expect(try BackupStand.files(below: stand.state) == before)
  }

  @Test(arguments: changes)
  func `a recorded backup fails by its checksum, an unrecorded one by its contents`(sql: String) async throws {
    let (stand, id, folder) = try await stand(sql)
    #expect(try await stand.keeper.verify(id, full: false) == [.otherThanRecorded])
    await #expect(throws: RestoreRefusal.self) { try await stand.keeper.stage(id, state: stand.state) }
    // Another store's backup, placed in the folder by hand.
    try await stand.store.forgetBackup(id)
    let damage = try await stand.keeper.verify(id, full: false)
    guard case .snapshot? = damage.first else {
      Issue.record("\(damage)")
      return
    }
    #expect(try await stand.store.backups().isEmpty, "what is damaged is not remembered as whole")
    await #expect(throws: StoreError.self) { try await stand.keeper.stage(id, state: stand.state) }
    #expect(FileManager.default.fileExists(atPath: folder))
  }

  @Test func `an intact backup of another store is accepted, recorded or not`() async throws {
    let (stand, id, folder) = try await stand("PRAGMA optimize")
    try await stand.store.forgetBackup(id)
    #expect(try await stand.keeper.verify(id, full: false).isEmpty)
    #expect(try await stand.store.backups().map(\.id) == [id])
    #expect(try StoreRecovery(state: stand.state).stage(RestoreSource(at: folder)).facts.rows["teams"] == 1)
  }

  @Test(arguments: ["../../poolflow.db", "/etc/passwd", "archives/none.zip", "poolflow.db"])
  func `an archive name in the manifest must be a file of the backup`(name: String) async throws {
    let (stand, id, folder) = try await stand("PRAGMA optimize")
    try await stand.store.forgetBackup(id)
    try ForeignBackup(folder).rewriteManifest { manifest in
      var archives = try #require(manifest["archives"] as? [[String: Any]])
      archives[0]["name"] = name
      manifest["archives"] = archives
    }
    let damage = try await stand.keeper.verify(id, full: false)
    guard case .badManifest? = damage.first else {
      Issue.record("\(damage)")
      return
    }
  }

  @Test func `a manifest with a duplicate key is refused with the key`() throws {
    let text = #"{"format": 1, "files": [{"name": "a", "bytes": 1, "bytes": 2}]}"#
    let damage = #expect(throws: BackupDamage.self) { try BackupManifest(Array(text.utf8)) }
    guard case .badManifest(let why)? = damage else {
      Issue.record("\(String(describing: damage))")
      return
    }
    #expect(why.contains("'files.0.bytes' twice"))
  }

  @Test func `a backup name from the store stays inside the backups folder`() throws {
    let folder = BackupFolder(path: "/state/backups")
    #expect(folder.folder("20260302T021500Z-2") == "/state/backups/20260302T021500Z-2")
    for id in ["../../etc", "/etc", "..", "a/../../b"] {
      let rest = folder.folder(id).dropFirst("/state/backups/".count)
      #expect(folder.folder(id).hasPrefix("/state/backups/") && !rest.contains("/") && !rest.hasPrefix("."), "\(rest)")
    }
  }

  @Test func `an invalid number is reported for its team, and other teams are restored`() async throws {
    let (stand, id, folder) = try await stand("UPDATE pools SET latitude = 9e999 WHERE customer_name = 'Customer 1'")
    try await stand.store.forgetBackup(id)
    #expect(try await stand.keeper.verify(id, full: true).isEmpty)
    let empty = try TemporaryFolder()
    let staged = try StoreRecovery(state: empty.path).stage(RestoreSource(at: folder))
    #expect(staged.unusableValues.map(\.team) == [TeamID(1)])
    #expect(staged.unusableValues.first?.description.hasPrefix("pools.latitude = ") == true)
  }

  @Test func `a store with an unsafe team name makes no backup`() async throws {
    let stand = try BackupStand()
    try await stand.addRecords(to: try await stand.addTeam())
    do {
      let connection = try Connection(path: stand.state + "/poolflow.db", mode: .readWrite)
      try connection.execute("UPDATE teams SET name = '../../../x'", operation: "prepare the test")
    }
    let outside = try FileManager.default.contentsOfDirectory(atPath: stand.scratch.path)
    let damage = await #expect(throws: BackupDamage.self) { try await stand.keeper.create(reason: "test") }
    #expect("\(String(describing: damage))".contains("teams.name = '../../../x'"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: stand.scratch.path) == outside)
    #expect(try PrivateFiles.names(in: stand.state + "/backups").isEmpty)
  }
}
