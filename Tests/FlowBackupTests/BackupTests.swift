import FlowBackup
import FlowCalendar
import FlowModel
import FlowPlatform
import FlowStore
import FlowTestKit
import Foundation
import PoolInterchange
import PoolModel
import PoolStore
import Synchronization
import Testing
import TradeBackups

/// Making, verifying, listing, copying and pruning of backups.
struct BackupTests {
  private func mode(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  @Test func `a backup is private, complete and recorded in the store`() async throws {
    let stand = try BackupStand()
    let team = try await stand.addTeam()
    try await stand.importArchive("v2-photos-stored.zip", into: team)
    let line = try await stand.keeper.create(reason: "test")
    let folder = stand.keeper.folder.folder(line.id)
    #expect(try mode(stand.state + "/backups") == 0o700 && mode(folder) == 0o700)
    for name in try BackupStand.files(below: folder).keys { #expect(try mode("\(folder)/\(name)") == 0o600, "\(name)") }
    #expect(try await stand.keeper.list().map(\.id) == [line.id])
    #expect(try await stand.keeper.show(line.id).finding == nil)
    #expect(try await stand.keeper.verify(line.id, full: true).isEmpty)
    let manifest = try #require(line.manifest)
    #expect(manifest.archives.map(\.photos) == [3] && manifest.rows["pools"] == manifest.archives[0].records)
    #expect(!FileManager.default.fileExists(atPath: "\(folder)/poolflow.db-wal"))
  }

  @Test func `a backup's progress is visible while it runs, and only then`() async throws {
    struct Stopped: Error {}
    let stand = try BackupStand()
    try await stand.addRecords(to: try await stand.addTeam())
    let progress = stand.keeper.progress
    #expect(progress.now == nil)
    let seen = Mutex<[WorkProgress.OperationStatus]>([])
    let line = try await stand.keeper.create(reason: "test") { _ in
      if let now = progress.now { seen.withLock { $0.append(now) } }
    }
    let readings = seen.withLock { $0 }
    var works: [String] = []
    for reading in readings where works.last != reading.work { works.append(reading.work) }
    // A PostgreSQL store is not copied.
    let proof = ServerStores.isChosen ? [] : ["restoring the backup for proof"]
    #expect(works == ["copying the store", "writing the archives"] + proof)
    if !ServerStores.isChosen {
      #expect(readings.contains { $0.total > 0 && $0.done == $0.total }, "all pages are copied in the end")
    }
    #expect(progress.now == nil)
    #expect(try await stand.keeper.verify(line.id, full: true).isEmpty)
    #expect(progress.now == nil)
    await #expect(throws: Stopped.self) { _ = try await stand.keeper.create(reason: "test") { _ in throw Stopped() } }
    #expect(progress.now == nil)
  }

  @Test func `the archives of a backup import back as the same records`() async throws {
    let stand = try BackupStand()
    let team = try await stand.addTeam()
    try await stand.addRecords(to: team)
    let line = try await stand.keeper.create(reason: "test")
    let archives = try #require(line.manifest).archives
    #expect(archives.map(\.technician) == ["desert-blue", "Dan", "María José"])
    #expect(archives.map(\.own) == [false, false, true] && archives.map(\.records) == [2, 2, 2])
    #expect(archives.map(\.dosesWithoutStock).reduce(0, +) == 1)

    let other = try BackupStand()
    let again = try await other.addTeam()
    for archive in archives {
      let path = "\(stand.keeper.folder.folder(line.id))/\(archive.name)"
      _ = try await other.run(
        ImportRequest(
          path: path, name: archive.name, team: again, technician: archive.own ? archive.technician : nil,
          dryRun: true))
    }
    let hers = archives[2]
    _ = try await other.run(
      ImportRequest(
        path: "\(stand.keeper.folder.folder(line.id))/\(hers.name)", name: hers.name, team: again,
        technician: hers.technician, dryRun: false))
    let before = try await stand.store.pools(of: team.id, technician: "María José", now: stand.clock.now()).map(\.pool)
    #expect(try await other.store.allPools(of: again.id) == before.sorted { $0.id < $1.id })
  }

  @Test func `a team whose plan has no archives is only in the snapshot`() async throws {
    let stand = try BackupStand()
    let team = try await stand.addTeam("small", plan: .free)
    _ = try await stand.store.replaceRecords(
      team: team.name, technician: nil, records: RecordSet(pools: [Samples.pool(1)]), photos: [:],
      now: stand.clock.now(), dryRun: false)
    let manifest = try #require(try await stand.keeper.create(reason: "test").manifest)
    #expect(manifest.archives.isEmpty && manifest.rows["pools"] == 1)
  }

  @Test func `a store written to during a backup is backed up at one instant`() async throws {
    let stand = try BackupStand()
    let team = try await stand.addTeam()
    try await stand.addRecords(to: team)
    let store = stand.store
    let line = try await withThrowingTaskGroup(of: BackupKeeper.BackupSummary?.self) { group in
      group.addTask { try await stand.keeper.create(reason: "test") }
      group.addTask {
        for number in 0..<40 {
          _ = try await store.beginAudit(uid: 0, userName: nil, command: "write \(number)", at: stand.clock.now())
        }
        return nil
      }
      var made: BackupKeeper.BackupSummary?
      for try await line in group { made = line ?? made }
      return made
    }
    let made = try #require(line)
    #expect(try await stand.keeper.verify(made.id, full: true).isEmpty)
  }

  @Test func `a backup that fails at any step leaves no files and keeps other backups`() async throws {
    struct Full: Error {}
    let stand = try BackupStand()
    let team = try await stand.addTeam()
    try await stand.importArchive("v2-photos-stored.zip", into: team)
    _ = try await stand.keeper.create(reason: "first")
    let before = try BackupStand.files(below: stand.state + "/backups")
    let steps = Mutex<[BackupMaker.Step]>([])
    stand.clock.advance(by: .seconds(1))
    _ = try await stand.maker().make(reason: "counted", now: stand.clock.now()) { step in
      steps.withLock { $0.append(step) }
    }
    try PrivateFiles.removeTree(stand.keeper.folder.folder(Timestamp(seconds: stand.clock.now().seconds).compact))
    let all = steps.withLock { $0 }
    #expect(all.count > (ServerStores.isChosen ? 5 : 7))
    for failing in all where failing != .named {
      await #expect(throws: Full.self, "\(failing)") {
        _ = try await stand.maker().make(reason: "full", now: stand.clock.now()) { step in
          if step == failing { throw Full() }
        }
      }
      #expect(try BackupStand.files(below: stand.state + "/backups") == before, "\(failing)")
    }
  }

  @Test func `after a crash at any step the backup is complete or absent`() async throws {
    let stand = try BackupStand()
    let team = try await stand.addTeam()
    try await stand.importArchive("v2-photos-stored.zip", into: team)
    let images = Mutex<[(BackupMaker.Step, String)]>([])
    let scratch = stand.scratch.path
    let state = stand.state
    _ = try await stand.maker().make(reason: "test", now: stand.clock.now()) { step in
      // The files that a process killed now leaves behind.
      let image = images.withLock { images in
        images.append((step, "\(scratch)/image-\(images.count)"))
        return "\(scratch)/image-\(images.count - 1)"
      }
      try FileManager.default.copyItem(atPath: state + "/backups", toPath: image)
    }
    for (step, image) in images.withLock({ $0 }) {
      let folder = BackupFolder(path: image)
      try folder.prepare()
      let ids = try folder.ids()
      #expect(ids.count == (step == .named ? 1 : 0), "\(step)")
      #expect(try PrivateFiles.names(in: image) == ids, "\(step)")
      for id in ids { #expect(BackupVerifier(folder: folder).damage(to: id, recorded: nil, full: true).isEmpty) }
    }
  }

  @Test func `a second location gets a complete copy, and a failed copy is reported`() async throws {
    let stand = try BackupStand()
    try await stand.addTeam()
    let second = stand.scratch.path + "/second"
    await #expect(throws: SecondCopyFailure.self) {
      _ = try await stand.keeper.create(reason: "nowhere", second: second)
    }
    #expect(try await stand.keeper.list().count == 1)
    try PrivateFiles.makeFolder(second)
    stand.clock.advance(by: .seconds(1))
    let line = try await stand.keeper.create(reason: "there", second: second)
    #expect(
      BackupVerifier(folder: BackupFolder(path: second)).damage(to: line.id, recorded: line.manifestSHA256, full: true)
        .isEmpty)
  }

  @Test func `a damaged backup is listed, and pruning keeps the last intact backup`() async throws {
    let stand = try BackupStand()
    try await stand.addRecords(to: try await stand.addTeam())
    let first = try await stand.keeper.create(reason: "first")
    stand.clock.advance(by: .hours(24))
    let second = try await stand.keeper.create(reason: "second")
    let folder = stand.keeper.folder.folder(first.id)
    let archive = try #require(try PrivateFiles.names(in: folder + "/archives").min())
    // A PostgreSQL store is in no backup.
    let name = ServerStores.isChosen ? "archives/\(archive)" : "poolflow.db"
    let path = "\(folder)/\(name)"
    var bytes = try Data(contentsOf: URL(filePath: path))
    bytes[bytes.count / 2] ^= 1
    try bytes.write(to: URL(filePath: path))
    #expect(try await stand.keeper.verify(first.id, full: false) == [.wrongSum(name)])
    #expect(try await stand.keeper.list().map(\.finding) == [nil, "\(BackupDamage.wrongSum(name))"])
    let preview = try await stand.keeper.prune(.standard, zone: .utc, dryRun: true)
    #expect(preview.removed.map(\.id) == [first.id])
    #expect(try await stand.keeper.list().count == 2)
    let pruned = try await stand.keeper.prune(Retention(daily: 0, weekly: 0, monthly: 1), zone: .utc, dryRun: false)
    #expect(pruned.removed.map(\.id) == [first.id] && pruned.kept.map(\.id) == [second.id])
    #expect(try await stand.keeper.list().map(\.id) == [second.id])
  }

  @Test func `a backup without its folder is reported as missing`() async throws {
    let stand = try BackupStand()
    let line = try await stand.keeper.create(reason: "test")
    try PrivateFiles.removeTree(stand.keeper.folder.folder(line.id))
    #expect(try await stand.keeper.list().map(\.finding) == ["its folder is missing"])
  }
}
