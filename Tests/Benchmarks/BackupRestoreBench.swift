import FlowBackup
import FlowCalendar
import FlowModel
import FlowPlatform
import FlowStore
import Foundation
import Glibc
import PoolBackup
import PoolInterchange
import PoolModel
import PoolStore
import TradeBackups
import TradeStores

extension BackupBench {
  // MARK: Restore

  /// Restores a backup of a GiB over a store: verify, copy, check, rename, and open by the next daemon.
  func restore() async throws {
    let backup = try await largeBackup()
    let megabytes = Double(try Self.size("\(backup.folder)/poolflow.db")) / 1e6
    print("backup-restore: \(Int(megabytes)) MB, every byte looked at, copied, proved and opened")
    if let seconds = backup.seconds { figureLine("made and restored for proof, s", [seconds]) }
    var (times, foreign, verified): ([Double], [Double], [Double]) = ([], [], [])
    let remembered = try PrivateFiles.sum(of: "\(backup.folder)/\(BackupManifest.fileName)").sha256
    for _ in 1...3 {
      verified.append(
        try milliseconds {
          let (parent, id) = Self.parts(backup.folder)
          let damage = BackupVerifier(folder: BackupFolder(path: parent)).damage(to: id, recorded: nil, full: true)
          guard damage.isEmpty else { throw BenchFailure(description: "the backup is damaged: \(damage)") }
        } / 1_000)
      for isOwn in [true, false] {
        let state = try await self.smallState()
        let seconds =
          try milliseconds {
            try Self.restore(backup.folder, recorded: isOwn ? remembered : nil, into: state, now: now)
          } / 1_000
        if isOwn { times.append(seconds) } else { foreign.append(seconds) }
      }
    }
    figureLine("`backup verify --full`, s", verified)
    figureLine("restored, a backup that the store remembers, s", times, .reference(15))
    figureLine("restored, one that it does not, s", foreign, .reference(15))
  }

  /// - Parameter recorded: the manifest's checksum as recorded by the store that made the backup.
  static func restore(_ backup: String, recorded: String? = nil, into state: String, now: Timestamp) throws {
    let recovery = StoreRecovery(state: state)
    _ = try recovery.stage(try RestoreSource(at: backup), recorded: recorded)
    _ = try recovery.decideRestore(now: now)
    _ = try recovery.finish()
    _ = try Store(path: recovery.storePath, now: now, version: "bench")
  }

  private static func parts(_ folder: String) -> (parent: String, id: String) {
    let url = URL(fileURLWithPath: folder)
    return (url.deletingLastPathComponent().path, url.lastPathComponent)
  }

  /// A state folder with a store of one team.
  func smallState() async throws -> String {
    let state = try emptyState("small")
    let store = try Store(path: state + "/poolflow.db", now: now, version: "bench")
    _ = try await addTeam("desert-blue", to: store)
    try await store.endEpoch(at: now)
    return state
  }

  /// The folder of a backup of the large store, and the seconds that making it took, nil if it existed.
  private func largeBackup() async throws -> (folder: String, seconds: Double?) {
    let state = try await largeState(bytes: 1 << 30)
    let backups = BackupFolder(path: state + "/backups")
    try backups.prepare()
    if let known = try backups.ids().first { return (backups.folder(known), nil) }
    let store = try Store(path: state + "/poolflow.db", now: now, version: "bench")
    let maker = BackupMaker(source: source(state, store), folder: backups, zones: zones)
    let begin = ContinuousClock.now
    let made = try await maker.make(reason: "bench", now: now)
    let seconds = (ContinuousClock.now - begin) / .seconds(1)
    try await store.endEpoch(at: now)
    return (backups.folder(made.manifest.id), seconds)
  }

  // MARK: Memory

  /// The peak memory of each kind of work, each in a fresh process.
  func memory() async throws {
    print("backup-memory: the most that a process ever had in memory, MB")
    _ = try await largeBackup()
    _ = try await packedState()
    for work in BackupWork.allCases {
      try runAlone(
        "memory-of-backup", ["POOLFLOW_BENCH_FOLDER": folder.path, "POOLFLOW_BENCH_WORK": work.rawValue])
    }
  }

  /// A state folder with one technician whose archive has nearly a GiB: the demo's records and a photo of one MiB for each of a
  /// thousand visits.
  private func packedState() async throws -> (state: String, team: TeamID) {
    let state = folder.appendingPathComponent("packed").path
    if try Self.size(state + "/poolflow.db") == 0 {
      _ = try emptyState("packed")
      let store = try Store(path: state + "/poolflow.db", now: now, version: "bench")
      let team = try await addTeam("desert-blue", to: store)
      var records = Self.records(try Self.demo())
      for path in ["", "/\(team.id.number)"] { try PrivateFiles.makeFolder(state + "/photos" + path) }
      var photos: [ServiceEventID: Int] = [:]
      // Incompressible, like a photo.
      let random = try FileHandle(forReadingFrom: URL(filePath: "/dev/urandom"))
      for index in records.serviceEvents.indices.prefix(1_000) {
        let id = records.serviceEvents[index].id
        records.serviceEvents[index].photoFileName = "\(id).jpg"
        photos[id] = 1 << 20
        let bytes = Array(try random.read(upToCount: 1 << 20) ?? Data())
        try PrivateFiles.write("\(state)/photos/\(team.id.number)/\(id).bin", bytes)
      }
      _ = try await store.replaceRecords(
        team: team.name, technician: "maria", records: records, photos: photos, now: now, dryRun: false)
      try await store.endEpoch(at: now)
    }
    return (state, TeamID(1))
  }

  /// Runs one kind of work in this process and prints its memory.
  func memory(of work: BackupWork) async throws {
    let begin = ContinuousClock.now
    switch work {
    case .backup:
      let state = folder.appendingPathComponent("large-1024").path
      let store = try Store(path: state + "/poolflow.db", now: now, version: "bench")
      let folder = BackupFolder(path: self.folder.appendingPathComponent("memory-backups").path)
      try folder.prepare()
      let maker = BackupMaker(source: source(state, store), folder: folder, zones: zones)
      _ = try await maker.make(reason: "bench", now: now)
      try await store.endEpoch(at: now)
      try PrivateFiles.removeTree(folder.path)
    case .pack:
      let (state, team) = try await packedState()
      let snapshot = try StoreSnapshot(path: state + "/poolflow.db")
      try PrivateFiles.removeTree(packedArchive)
      for part in try snapshot.archiveParts(of: team) where part.isOwn {
        let writer = TeamArchive(photoFolder: "\(state)/photos/\(team.number)", version: "bench", now: now)
        let (sum, photos) = try writer.write(
          try snapshot.records(of: part, team: team), to: packedArchive, name: "bench")
        guard photos == 1_000, sum.bytes > 1_000 << 20 else { throw BenchFailure(description: "no GiB was packed") }
      }
    case .unpack:
      let state = try await smallState()
      let store = try Store(path: state + "/poolflow.db", now: now, version: "bench")
      let importer = PoolImporter(
        store: store, photos: PhotoStore(folder: state + "/photos"), clock: FixedWallClock(instant: now),
        drafts: ImportPreviewCache(),
        local: { _, now in TeamLocality(date: CivilDate(daysSince1970: Int(now.seconds / 86_400))) },
        isOfOtherTrade: { _ in false })
      let team = try await store.team(named: "desert-blue")
      let report = try await importer.run(
        ImportRequest(path: packedArchive, name: "packed.zip", team: team, technician: nil, dryRun: false), claim: nil)
      guard report.photos == 1_000 else { throw BenchFailure(description: "\(report.photos) photos came") }
    case .customers: try await customers()
    case .restore: try Self.restore(try await largeBackup().folder, into: try await smallState(), now: now)
    }
    let seconds = (ContinuousClock.now - begin) / .seconds(1)
    figureLine("\(work.words), \(String(format: "%.1f", seconds)) s", [try megabytes("VmHWM")], .atMost(64))
  }

  private var packedArchive: String { folder.appendingPathComponent("maria.zip").path }
}

/// The kinds of work whose memory is measured.
enum BackupWork: String, CaseIterable, Sendable {
  case backup, pack, unpack, customers, restore

  var words: String {
    switch self {
    case .backup: "a backup of a GiB, with the archives of its teams"
    case .pack: "an archive of 1,000 photos of a MiB, written and read again"
    case .unpack: "the same archive imported with its photos"
    case .customers: "customers files of \(Limits.csvRows) rows, seven times"
    case .restore: "a restore of a GiB"
    }
  }
}
