import FlowBackup
import FlowModel
import FlowPlatform
import FlowStore
import FlowTestKit
import FoundationEssentials
import PoolChemistry
import PoolModel
import PoolStore
import Testing
import TradeBackups
import TradeStores

/// A backup is restored on a machine that has nothing else.
@Suite(.enabled(if: !ServerStores.isChosen, "only with a store in a file: a server restores its store itself"))
struct RestoreElsewhereTests {
  /// The state directory of another machine after a full restore.
  private func restored(_ backup: String) throws -> (folder: TemporaryFolder, photos: PhotoRestoreCounts) {
    let folder = try TemporaryFolder()
    let recovery = StoreRecovery(state: folder.path)
    let source = try RestoreSource(at: backup)
    _ = try recovery.stage(source)
    let photos = try recovery.restoreMissingPhotos(of: source)
    _ = try recovery.decideRestore(now: Samples.mondayMorning)
    try recovery.finish()
    return (folder, photos)
  }

  @Test func `two visits at one pool are restored, and the last one can be undone`() async throws {
    let stand = try BackupStand()
    let team = try await stand.addTeam()
    try await stand.addRecords(to: team)
    let pool = Samples.pool(1).id
    for number in 1...2 { try await log(number, to: pool, of: team, stand) }
    let before = try TableDump(stand.state + "/poolflow.db")
    let line = try await stand.keeper.create(reason: "test")
    let (other, _) = try restored(stand.keeper.folder.folder(line.id))
    #expect(try TableDump(other.path + "/poolflow.db").differences(from: before) == [])
    let store = try Store(path: other.path + "/poolflow.db", now: stand.clock.now(), version: "test")
    let visits = try await store.visits(of: team.id, pool: pool, search: nil, limit: 10)
    #expect(visits.map(\.canBeUndone) == [true, false, false])
    guard case .done(let undone) = try await store.undoVisit(to: pool, of: team.id, now: stand.clock.now()) else {
      Issue.record("the last visit could not be undone")
      return
    }
    #expect(undone.id == ServiceEventID(Samples.uuid(5_002)))
  }

  private func log(_ number: Int, to pool: PoolID, of team: Team, _ stand: BackupStand) async throws {
    let now = stand.clock.now().advanced(by: .hours(number))
    _ = try await stand.store.logVisit(
      to: pool, of: team.id, at: now, now: now, notes: "", photo: nil,
      identities: VisitIdentities(
        event: ServiceEventID(Samples.uuid(5_000 + number)), dose: { ChemicalDoseID(UUIDs.next()) })
    ) { pool, _, stock in
      let water = pool.readings
      return VisitToLog(
        readings: water, measured: .all,
        plan: VisitPlan(pool: pool, inventory: stock, readings: water, confirmed: .all))
    }
  }

  @Test func `a backup is verified as intact by its own store and by another`() async throws {
    let stand = try BackupStand()
    let team = try await stand.addTeam()
    try await stand.addRecords(to: team)
    for number in 1...2 { try await log(number, to: Samples.pool(1).id, of: team, stand) }
    let line = try await stand.keeper.create(reason: "test")
    #expect(try await stand.keeper.verify(line.id, full: true).isEmpty)
    let other = try BackupStand()
    try FileManager.default.copyItem(
      atPath: stand.keeper.folder.folder(line.id), toPath: other.keeper.folder.folder(line.id))
    #expect(try await other.keeper.verify(line.id, full: true).isEmpty)
    _ = try await other.keeper.stage(line.id, state: other.state)
  }

  /// A backup by poolflow with schema 8: `visit_undos.pool_id` holds `older` and the visit for two of three visits.
  private func oldBackup(in folder: String) throws -> String {
    let id = "20260302T021500Z"
    let path = "\(folder)/\(id)"
    try PrivateFiles.makeFolder(path)
    try OldStores.make(path + "/poolflow.db")
    let rows = try StoreSnapshot(path: path + "/poolflow.db", acceptsOlder: true).facts().rows
    let snapshot = try PrivateFiles.sum(of: path + "/poolflow.db")
    let manifest = BackupManifest(
      id: id, createdAt: Samples.mondayMorning, reason: "nightly", version: "0.2.0", install: "0a1b2c3d",
      schema: OldStores.schema, rows: rows, weekSHA256: snapshot.sha256, archives: [],
      files: [BackupManifest.File(name: "poolflow.db", bytes: snapshot.bytes, sha256: snapshot.sha256)])
    let sum = try PrivateFiles.write("\(path)/manifest.json", try manifest.encoded())
    try PrivateFiles.write("\(path)/manifest.json.sha256", Array("\(sum.sha256)  manifest.json\n".utf8))
    return path
  }

  @Test func `a backup of an earlier version is intact and restored through the migration`() async throws {
    let scratch = try TemporaryFolder()
    let backup = try oldBackup(in: scratch.path)
    let id = try #require(try BackupFolder(path: scratch.path).ids().first)
    #expect(BackupVerifier(folder: BackupFolder(path: scratch.path)).damage(to: id, recorded: nil, full: true).isEmpty)
    #expect(try PrivateFiles.names(in: scratch.path) == [id], "the proof leaves nothing behind")
    let (other, _) = try restored(backup)
    let store = try Store(path: other.path + "/poolflow.db", now: Samples.mondayMorning, version: "test")
    #expect(store.keptBeforeMigration == nil, "it was migrated by the restore")
    #expect(try PrivateFiles.names(in: other.path).contains { $0.contains(".schema-") } == false)
    let visits = try await store.visits(of: TeamID(1), pool: OldStores.pool, search: nil, limit: 10)
    #expect(visits.map(\.canBeUndone) == [true, false, false])
  }

  @Test func `a renamed backup is restored, and a folder of backups is named as such`() async throws {
    let scratch = try TemporaryFolder()
    let backup = try oldBackup(in: scratch.path)
    for words in ["is a folder of backups with one backup: name that, '\(backup)'"] {
      #expect { try RestoreSource(at: scratch.path) } throws: { "\($0)".contains(words) }
      #expect { try RestoreSource(at: scratch.path + "/") } throws: { "\($0)".contains(words) }
    }
    let empty = try TemporaryFolder()
    #expect { try RestoreSource(at: empty.path) } throws: { "\($0)".contains("is not a backup") }
    #expect { try RestoreSource(at: empty.path + "/none") } throws: { "\($0)".contains("there is no") }
    let renamed = scratch.path + "/from the old machine"
    try PrivateFiles.rename(backup, to: renamed)
    _ = try restored(renamed)
  }

  @Test func `photos are restored from the archives, and photos without an archive are counted`() async throws {
    let stand = try BackupStand()
    let team = try await stand.addTeam()
    try await stand.importArchive("v2-photos-stored.zip", into: team)
    let free = try await stand.addTeam("small", plan: .free)
    let pool = Samples.pool(1)
    _ = try await stand.store.replaceRecords(
      team: free.name, technician: nil,
      records: RecordSet(pools: [pool], serviceEvents: [Samples.visit(1, to: pool.id)]),
      photos: [ServiceEventID(Samples.uuid(1)): 3], now: stand.clock.now(), dryRun: false)
    let line = try await stand.keeper.create(reason: "test")
    let (other, photos) = try restored(stand.keeper.folder.folder(line.id))
    #expect(photos.restored == 3 && photos.missing == 1)
    let folder = "/photos/\(team.id.number)"
    #expect(
      try BackupStand.files(below: other.path + folder) == BackupStand.files(below: stand.state + folder))
  }
}
