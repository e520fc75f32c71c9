import FlowBackup
import FlowModel
import FlowPlatform
import FlowStore
import FlowTestKit
import Foundation
import Glibc
import Testing
import TradeBackups
import TradeStores

/// A store is restored completely or not at all.
@Suite(.enabled(if: !ServerStores.isChosen, "only with a store in a file: a server restores its store itself"))
struct StoreRecoveryTests {
  /// A state directory with a backup of one team, and a store that has had two teams since.
  private func stand() async throws -> (stand: BackupStand, backup: String, now: Timestamp) {
    let stand = try BackupStand()
    let team = try await stand.addTeam()
    try await stand.addRecords(to: team)
    let line = try await stand.keeper.create(reason: "test")
    try await stand.addTeam("later")
    try await stand.store.endEpoch(at: stand.clock.now())
    return (stand, stand.keeper.folder.folder(line.id), stand.clock.now())
  }

  private func teams(_ path: String) throws -> [String] {
    try StoreSnapshot(path: path, acceptsOlder: true).teams().map(\.name)
  }

  @Test func `a restore replaces the store and keeps the old one aside`() async throws {
    let (stand, backup, now) = try await stand()
    let recovery = StoreRecovery(state: stand.state)
    #expect(try recovery.stage(RestoreSource(at: backup)).facts.rows["teams"] == 1)
    #expect(try teams(recovery.storePath) == ["desert-blue", "later"], "staging changes nothing")
    let aside = try recovery.decideRestore(now: now)
    #expect(try recovery.finish() == aside)
    #expect(try teams(recovery.storePath) == ["desert-blue"])
    #expect(try teams(aside) == ["desert-blue", "later"])
    #expect(try recovery.finish() == nil, "a second time there is nothing to do")
    let store = try Store(path: recovery.storePath, now: now, version: "test")
    #expect(try await store.teams().map(\.name) == ["desert-blue"])
  }

  @Test(arguments: StoreRecovery.Step.allCases)
  func `after a crash at any step the next start completes or cancels the restore`(step: StoreRecovery.Step)
    async throws
  {
    struct Killed: Error {}
    let (stand, backup, now) = try await stand()
    let image = stand.scratch.path + "/image"
    let state = stand.state
    let recovery = StoreRecovery(state: state)
    // The state directory at this instant is what a killed process leaves; errors that unwind would clean up.
    let reached: (StoreRecovery.Step) throws -> Void = { reached in
      if reached == step { try FileManager.default.copyItem(atPath: state, toPath: image) }
    }
    _ = try recovery.stage(RestoreSource(at: backup), reached: reached)
    _ = try recovery.decideRestore(now: now)
    try recovery.finish(reached: reached)
    let next = StoreRecovery(state: image)
    try next.finish()
    try next.refuseLostStore()
    let isOld = step == .copied || step == .verified
    #expect(try teams(next.storePath) == (isOld ? ["desert-blue", "later"] : ["desert-blue"]))
    let kept = try PrivateFiles.names(in: image).filter {
      $0.hasPrefix("poolflow.db.kept-") && !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm")
    }
    if !isOld { #expect(try kept.map { try teams("\(image)/\($0)") } == [["desert-blue", "later"]]) }
    #expect(!FileManager.default.fileExists(atPath: image + "/restore.db"))
    #expect(!FileManager.default.fileExists(atPath: image + "/restore.marker"))
  }

  @Test func `a damaged or missing backup and a foreign file change nothing`() async throws {
    let (stand, backup, _) = try await stand()
    let recovery = StoreRecovery(state: stand.state)
    let path = backup + "/poolflow.db"
    var bytes = try Data(contentsOf: URL(filePath: path))
    bytes[bytes.count - 9] ^= 4
    try bytes.write(to: URL(filePath: path))
    try PrivateFiles.write(stand.scratch.path + "/letter", Array("Dear Sir".utf8))
    let before = try BackupStand.files(below: stand.state)
    #expect(throws: RestoreRefusal.self) { try recovery.stage(RestoreSource(at: backup)) }
    #expect(throws: RestoreRefusal.self) { try recovery.stage(RestoreSource(at: backup + "x")) }
    #expect(throws: StoreError.self) { try recovery.stage(RestoreSource(at: stand.scratch.path + "/letter")) }
    #expect(try BackupStand.files(below: stand.state) == before)
  }

  @Test(arguments: [true, false])
  func `a missing or empty store is reported with three ways to recover, never recreated`(isEmpty: Bool) async throws {
    let (stand, backup, _) = try await stand()
    let recovery = StoreRecovery(state: stand.state)
    try recovery.refuseLostStore()
    for suffix in ["", "-wal", "-shm"] { try PrivateFiles.removeTree(recovery.storePath + suffix) }
    if isEmpty { try PrivateFiles.write(recovery.storePath, []) }
    #expect {
      try recovery.refuseLostStore()
    } throws: { error in
      let words = "\(error)"
      return ["--recover retry", "--recover restore \(backup)", "--recover reset", isEmpty ? "empty" : "gone"]
        .allSatisfy { words.contains($0) }
    }
  }

  @Test(arguments: ["link", "folder", "pipe"])
  func `a store path that is no file is reported and never moved by recovery`(kind: String) async throws {
    let (stand, backup, now) = try await stand()
    let recovery = StoreRecovery(state: stand.state)
    let path = recovery.storePath
    try FileManager.default.moveItem(atPath: path, toPath: stand.scratch.path + "/moved.db")
    switch kind {
    case "link":
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: stand.scratch.path + "/moved.db")
    case "folder": try PrivateFiles.makeFolder(path)
    default: #expect(mkfifo(path, 0o600) == 0)
    }
    let what = try #require(FileKind(at: path))
    let before = try PrivateFiles.names(in: stand.state)
    let wanted = StoreError.noFile(path: path, kind: "\(what)")
    #expect(throws: wanted) { try recovery.refuseLostStore() }
    #expect(throws: wanted) { try recovery.stage(RestoreSource(at: backup)) }
    #expect(throws: wanted) { try recovery.decideRestore(now: now) }
    #expect(throws: wanted) { try recovery.decideReset(now: now) }
    #expect(throws: wanted) { try recovery.finish() }
    #expect(FileKind(at: path) == what)
    #expect(try PrivateFiles.names(in: stand.state) == before)
  }

  @Test func `a restore marker with a path outside of the state directory is refused`() async throws {
    let (stand, backup, now) = try await stand()
    let recovery = StoreRecovery(state: stand.state)
    _ = try recovery.stage(RestoreSource(at: backup))
    _ = try recovery.decideRestore(now: now)
    let marker = stand.state + "/restore.marker"
    try PrivateFiles.removeTree(marker)
    try PrivateFiles.write(marker, Array(#"{"aside":"../../x","isReset":false}"#.utf8))
    #expect(throws: RestoreRefusal.self) { try recovery.finish() }
    #expect(try teams(recovery.storePath) == ["desert-blue", "later"])
  }

  @Test func `half-written files of a crash are removed at the next start`() async throws {
    let (stand, _, _) = try await stand()
    let names = [
      "restore.marker.partial", ".poolflow.db.schema-9-20260302T021500Z.partial", "restore.db", "restore.db-wal",
      "restore.db-shm",
    ]
    for name in names { try PrivateFiles.write("\(stand.state)/\(name)", [1]) }
    try StoreRecovery(state: stand.state).finish()
    #expect(try PrivateFiles.names(in: stand.state).filter(names.contains) == [])
  }

  @Test func `an empty folder starts a new store`() throws {
    let scratch = try TemporaryFolder()
    #expect(throws: Never.self) { try StoreRecovery(state: scratch.path).refuseLostStore() }
    #expect(try PrivateFiles.names(in: scratch.path) == [])
  }

  @Test func `a reset keeps the old store aside`() async throws {
    let (stand, _, now) = try await stand()
    let recovery = StoreRecovery(state: stand.state)
    let aside = try recovery.decideReset(now: now)
    #expect(try recovery.finish() == aside)
    #expect(!FileManager.default.fileExists(atPath: recovery.storePath))
    #expect(try teams(aside) == ["desert-blue", "later"])
  }
}
