import CSQLite
import FlowBackup
import FlowCalendar
import FlowModel
import FlowNotices
import FlowPlatform
import FlowStore
import FlowWork
import Foundation
import Glibc
import PoolBackup
import PoolInterchange
import PoolJobs
import PoolModel
import PoolStore
import TradeStores

/// Runs one part of the backup benchmarks in a folder of its own.
///
/// `POOLFLOW_BENCH_FOLDER` names a folder that is kept, and with it the large store, which takes a minute to create.
func benchBackup(_ part: @escaping @Sendable (BackupBench) async throws -> Void) {
  let done = DispatchSemaphore(value: 0)
  Task.detached {
    do {
      let bench = try BackupBench()
      defer { bench.remove() }
      try await part(bench)
    } catch {
      benchFailed("backup", error)
    }
    done.signal()
  }
  done.wait()
}

final class BackupBench: Sendable {
  let folder: URL
  private let stays: Bool
  let zones = SystemZones()
  let now = Timestamp(seconds: 1_772_460_000)

  fileprivate init() throws {
    let named = ProcessInfo.processInfo.environment["POOLFLOW_BENCH_FOLDER"]
    stays = named != nil
    folder =
      named.map { URL(fileURLWithPath: $0) }
      ?? FileManager.default.temporaryDirectory.appendingPathComponent("poolflow-backup-\(getpid())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  fileprivate func remove() {
    // A leftover temporary folder does no harm.
    if !stays { try? FileManager.default.removeItem(at: folder) }
  }

  // MARK: Stores

  /// The demo's archive, relative to the current directory, which must be the checkout.
  static func demo() throws -> ArchiveContents { try ArchiveFile.open(path: "config/demo/demo-backup.zip").contents }

  static func records(_ contents: ArchiveContents) -> RecordSet {
    RecordSet(
      pools: contents.pools, serviceEvents: contents.serviceEvents, chemicalDoses: contents.chemicalDoses,
      inventory: contents.inventory, profiles: contents.profiles, equipment: contents.equipment)
  }

  /// An empty state folder without a store, recreated.
  func emptyState(_ name: String) throws -> String {
    let state = folder.appendingPathComponent(name).path
    try PrivateFiles.removeTree(state)
    try PrivateFiles.makeFolder(state)
    return state
  }

  func addTeam(_ name: String, to store: Store) async throws -> Team {
    let draft = Team(
      id: TeamID(0), name: name, trade: .poolService, zone: "America/Phoenix", language: .english, units: .imperial,
      objective: .time,
      plan: .paid, settings: TeamSettings(), createdAt: now)
    let zone = try zones.zone(named: draft.zone)
    return try await store.addTeam(draft, defaultTechnician: "dan", now: now) { team in
      JobPlan.all(of: team, in: .pools, zone: zone)
    }
  }

  /// A store of at least `bytes` bytes: copies of the demo's team.
  ///
  /// - Returns: its state folder; the store is closed.
  func largeState(bytes: Int) async throws -> String {
    let state = folder.appendingPathComponent("large-\(bytes >> 20)").path
    let path = state + "/poolflow.db"
    if try Self.size(path) >= bytes { return state }
    _ = try emptyState("large-\(bytes >> 20)")
    let store = try Store(path: path, now: now, version: "bench")
    let records = Self.records(try Self.demo())
    var teams = 0
    while try Self.size(path) < bytes {
      teams += 1
      let team = try await addTeam("team-\(teams)", to: store)
      _ = try await store.replaceRecords(
        team: team.name, technician: nil, records: records, photos: [:], now: now, dryRun: false)
    }
    try await store.endEpoch(at: now)
    return state
  }

  /// 0 if the file does not exist.
  static func size(_ path: String) throws -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : 0
  }

  func source(_ state: String, _ store: Store) -> BackupMaker.Source {
    BackupMaker.Source(
      reader: StoreReader(path: state + "/poolflow.db"), photoFolder: state + "/photos", install: store.install,
      version: "bench")
  }

  // MARK: Snapshot

  /// Copies a GiB with our snapshot and with `sqlite3_backup` alone, while a writer commits a hundred times a second.
  func snapshot() async throws {
    let state = try await largeState(bytes: 1 << 30)
    let path = state + "/poolflow.db"
    let megabytes = Double(try Self.size(path)) / 1e6
    print("backup-snapshot: \(Int(megabytes)) MB copied while a writer commits 100 times a second")
    let store = try Store(path: path, now: now, version: "bench")
    let reader = StoreReader(path: path)
    let copy = folder.appendingPathComponent("copy.db").path
    var (ours, raws, shares): ([Double], [Double], [Double]) = ([], [], [])
    var weeks: [Double] = []
    var (oursWaits, rawWaits): ([Double], [Double]) = ([], [])
    let (quiet, _) = try await CommittingWriter(store, now: now).during { try await Task.sleep(for: .seconds(2)) }
    for round in 1...5 {
      // Alternate the order, so that neither profits from the other's caches.
      for isOurs in round % 2 == 0 ? [true, false] : [false, true] {
        unlink(copy)
        let (waits, seconds) = try await CommittingWriter(store, now: now).during {
          guard isOurs else { return try Self.rawBackup(path, to: copy) }
          try PrivateFiles.write(copy, [])
          _ = try await reader.copy(to: copy, progress: { _, _ in })
          try PrivateFiles.flush(copy)
        }
        if isOurs {
          ours.append(megabytes / seconds)
          oursWaits += waits
        } else {
          raws.append(megabytes / seconds)
          rawWaits += waits
        }
      }
      unlink(copy)
      let week = WeekFingerprint(from: now, install: store.install, zones: zones)
      let begin = ContinuousClock.now
      _ = try await reader.copy(to: copy, reader: week, progress: { _, _ in })
      weeks.append((ContinuousClock.now - begin) / .seconds(1))
      shares.append(100 * (ours.last ?? 0) / (raws.last ?? 1))
    }
    unlink(copy)
    figureLine("sqlite3_backup in one step, flushed, MB/s", raws, .baseline)
    figureLine("our snapshot with its rows counted, flushed, MB/s", ours)
    figureLine("share of the raw rate, %", shares, .atLeast(80))
    figureLine("a snapshot and the week that every team would be told, s", weeks)
    waitLines("a commit with no backup", quiet)
    waitLines("a commit during sqlite3_backup", rawWaits, .baseline)
    waitLines("a commit during our snapshot", oursWaits, .reference(50))
    try await store.endEpoch(at: now)
  }

  private func waitLines(_ name: String, _ waits: [Double], _ bound: Bound? = nil) {
    let sorted = waits.sorted()
    guard !sorted.isEmpty else { return }
    figureLine("\(name), median of \(sorted.count), ms", [sorted[sorted.count / 2]])
    figureLine("\(name), p99, ms", [sorted[sorted.count * 99 / 100]], bound)
  }

  /// The baseline: SQLite's online backup of the whole file in one step, made equally durable.
  private static func rawBackup(_ path: String, to copy: String) throws {
    var (source, target): (OpaquePointer?, OpaquePointer?) = (nil, nil)
    defer {
      sqlite3_close(target)
      sqlite3_close(source)
    }
    guard sqlite3_open_v2(path, &source, SQLITE_OPEN_READONLY, nil) == SQLITE_OK,
      sqlite3_open_v2(copy, &target, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nil) == SQLITE_OK,
      let backup = sqlite3_backup_init(target, "main", source, "main")
    else { throw BenchFailure(description: "no raw backup") }
    let step = sqlite3_backup_step(backup, -1)
    guard sqlite3_backup_finish(backup) == SQLITE_OK, step == SQLITE_DONE else {
      throw BenchFailure(description: "the raw backup ended with \(step)")
    }
  }
}

/// Commits a notice a hundred times a second, as on a busy morning.
private struct CommittingWriter {
  private let store: Store
  private let now: Timestamp

  init(_ store: Store, now: Timestamp) {
    self.store = store
    self.now = now
  }

  /// The delay of each durable commit in milliseconds while `body` ran, and the seconds that `body` took.
  func during(
    _ body: @escaping @Sendable () async throws -> Void
  ) async throws -> (waits: [Double], seconds: Double) {
    let (store, now) = (store, now)
    return try await withThrowingTaskGroup(of: [Double].self) { group in
      group.addTask {
        var waits: [Double] = []
        let begin = ContinuousClock.now
        while !Task.isCancelled {
          let turn = begin + .milliseconds(10 * waits.count)
          do { try await Task.sleep(until: turn) } catch { break }
          let notice = OperatorNotice.test(sink: "drop", by: "\(UUID())").notice(at: now, install: store.install)
          try await store.notify(notice, only: "drop", now: now)
          waits.append((ContinuousClock.now - turn) / .milliseconds(1))
        }
        return waits
      }
      let begin = ContinuousClock.now
      // On a queue of its own: a copy blocks its thread throughout.
      try await withTaskExecutorPreference(OwnQueue()) { try await body() }
      let seconds = (ContinuousClock.now - begin) / .seconds(1)
      group.cancelAll()
      return (try await group.next() ?? [], seconds)
    }
  }

  private final class OwnQueue: TaskExecutor {
    private let queue = DispatchQueue(label: "poolflow-bench.copy")

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
  }
}
