package import PoolCalendar
import PoolJobs
package import PoolModel
package import PoolPlatform
package import PoolStore
package import PoolWork

/// The backups of one store: makes them, looks at them and lets the old ones go, one thing at a time.
package actor BackupKeeper {
  package struct Busy: Error, CustomStringConvertible {
    package let what: String
    package var description: String { "\(what) is under way; try again when it is done" }
  }

  /// No backup has this name.
  package struct NoSuchBackup: Error {
    package let id: String
    package let known: [String]
  }

  /// A backup as it is known: from its own manifest and from the store, which may each be missing.
  package struct Line: Sendable {
    package let id: String
    package let createdAt: Timestamp
    package let reason: String
    package let bytes: Int
    /// Nil where its manifest cannot be read.
    package let manifest: BackupManifest?
    package let manifestSHA256: String?
    package let verifiedAt: Timestamp?
    /// What is known to be wrong with it; nil where nothing is.
    package let finding: String?
  }

  package nonisolated let folder: BackupFolder
  /// Of what is under way.
  package nonisolated let progress = WorkProgress()
  private let store: any Backups & Teams & Troubles & ClockLog
  private let maker: BackupMaker
  private let verifier: BackupVerifier
  private let zones: any ZoneSource
  private let clock: any WallClock
  private var underWay: String?

  package init(
    store: any Backups & Teams & Troubles & ClockLog, source: BackupMaker.Source, folder: BackupFolder,
    zones: any ZoneSource, clock: any WallClock
  ) {
    self.store = store
    self.folder = folder
    self.zones = zones
    self.clock = clock
    maker = BackupMaker(source: source, folder: folder, zones: zones)
    verifier = BackupVerifier(folder: folder, progress: progress)
  }

  // MARK: Making

  /// Makes a backup, proves it, copies it to the second place, and writes it down.
  ///
  /// - Parameters:
  ///   - second: another folder that gets a copy, looked at in full once it is there; nil for none.
  ///   - planLimits: whether only teams whose plan has backups get archives; the snapshot holds every team.
  ///   - only: the one team that gets archives, whatever its plan; nil for every team.
  package func create(
    reason: String, second: String? = nil, planLimits: Bool = true, only: TeamID? = nil,
    reached: @Sendable (BackupMaker.Step) throws -> Void = { _ in }
  ) async throws -> Line {
    try begin("a backup")
    defer { end() }
    let now = clock.now()
    let (manifest, sum) = try await maker.make(reason: reason, planLimits: planLimits, only: only, now: now) {
      [progress] step in
      progress.tell(step)
      try reached(step)
    }
    try await note(manifest.troubles ?? [], only: only)
    let record = BackupRecord(
      id: manifest.id, createdAt: manifest.createdAt, reason: manifest.reason, bytes: manifest.bytes,
      manifestSHA256: sum.sha256, verifiedAt: clock.now(), finding: nil)
    try await store.record(record)
    if let second {
      progress.begin("copying the backup to the second folder")
      try await Self.copy(manifest, of: folder, to: BackupFolder(path: second), recorded: sum.sha256, now: now)
    }
    return Line(manifest, sum, record)
  }

  /// Who has no archive, and who has one again. A backup without some teams says nothing of those.
  private func note(_ troubles: [BackupManifest.Trouble], only: TeamID?) async throws {
    var ids = Dictionary(try await store.teams().map { ($0.name, $0.id) }, uniquingKeysWith: { first, _ in first })
    for id in try await store.unreadableTeams().keys {
      if let name = try await store.teamName(id) { ids[name] = id }
    }
    var found: [TeamID: String] = [:]
    for trouble in troubles { if let id = ids[trouble.team] { found[id] = trouble.why } }
    // A team whose plan holds no archives any more has no trouble with them either.
    let looked = only.map { TeamsLookedFor.one($0) } ?? .all
    if let only { found = found.filter { $0.key == only } }
    try await store.setTroubles(found, with: JobKind.backup.rawValue, of: looked, now: clock.now())
  }

  /// Copies a backup to another folder, under its name only when the copy was read again and is the same.
  @concurrent
  private static func copy(
    _ manifest: BackupManifest, of folder: BackupFolder, to second: BackupFolder, recorded: String, now: Timestamp
  ) async throws {
    let (source, partial) = (folder.folder(manifest.id), second.partial(manifest.id))
    do {
      try second.removeOldPartials(now: now)
      try PrivateFiles.removeTree(partial)
      try PrivateFiles.makeFolder(partial)
      try PrivateFiles.makeFolder("\(partial)/archives")
      for name in manifest.files.map(\.name) + [BackupManifest.fileName, BackupManifest.sumName] {
        try PrivateFiles.copy("\(source)/\(name)", to: "\(partial)/\(name)")
      }
      try PrivateFiles.flush("\(partial)/archives")
      try PrivateFiles.flush(partial)
      try PrivateFiles.rename(partial, to: second.folder(manifest.id))
      try PrivateFiles.flush(second.path)
    } catch {
      // The failure to copy is what matters; a leftover goes before the next copy of this backup.
      try? PrivateFiles.removeTree(partial)
      throw SecondPlaceFailure(path: second.path, why: "\(error)")
    }
    let damage = BackupVerifier(folder: second, proofs: folder).damage(to: manifest.id, recorded: recorded, full: true)
    if let first = damage.first { throw SecondPlaceFailure(path: second.path, why: "\(first)") }
  }

  // MARK: Looking

  /// The newest first. One that the store remembers and that is gone is told, too.
  package func list() async throws -> [Line] {
    let records = Dictionary(try await store.backups().map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let ids = try folder.ids()
    let present = ids.map { line($0, records[$0]) }
    let missing = records.values.filter { !ids.contains($0.id) }.map { record in
      Line(
        id: record.id, createdAt: record.createdAt, reason: record.reason, bytes: record.bytes, manifest: nil,
        manifestSHA256: record.manifestSHA256, verifiedAt: record.verifiedAt, finding: "its folder is missing")
    }
    return (present + missing).sorted { ($0.createdAt, $0.id) > ($1.createdAt, $1.id) }
  }

  /// - Throws: `NoSuchBackup`.
  package func show(_ id: String) async throws -> Line {
    let lines = try await list()
    guard let line = lines.first(where: { $0.id == id }) else { throw NoSuchBackup(id: id, known: lines.map(\.id)) }
    return line
  }

  private func line(_ id: String, _ record: BackupRecord?) -> Line {
    do throws(BackupDamage) {
      let (manifest, sum) = try folder.manifest(id)
      if let record, record.manifestSHA256 != sum.sha256 { throw .otherThanRecorded }
      return Line(manifest, sum, record)
    } catch {
      return Line(
        id: id, createdAt: record?.createdAt ?? Timestamp(compact: String(id.prefix(16))) ?? Timestamp(milliseconds: 0),
        reason: record?.reason ?? "", bytes: record?.bytes ?? 0, manifest: nil,
        manifestSHA256: record?.manifestSHA256, verifiedAt: record?.verifiedAt, finding: "\(error)")
    }
  }

  /// Looks at every byte of a backup, and writes down what it found.
  ///
  /// - Returns: every damage; empty where it is whole.
  /// - Throws: `NoSuchBackup`.
  package func verify(_ id: String, full: Bool) async throws -> [BackupDamage] {
    try begin("a look at a backup")
    defer { end() }
    let line = try await show(id)
    let recorded = try await store.backups().first { $0.id == id }?.manifestSHA256
    // Sums that nobody else remembers prove nothing: whoever changed the backup may have made them anew.
    let damage = await Self.look(verifier, id, recorded: recorded, full: full || recorded == nil)
    let finding = damage.first.map { "\($0)" }
    if recorded != nil {
      try await store.recordVerification(of: id, finding: finding, at: clock.now())
    } else if damage.isEmpty, let sum = line.manifestSHA256 {
      // A crash fell between its last rename and the store, or it came from elsewhere: it is known from now on.
      try await store.record(
        BackupRecord(
          id: id, createdAt: line.createdAt, reason: line.reason, bytes: line.bytes, manifestSHA256: sum,
          verifiedAt: clock.now(), finding: nil))
    }
    return damage
  }

  @concurrent
  private static func look(
    _ verifier: BackupVerifier, _ id: String, recorded: String?, full: Bool
  ) async -> [BackupDamage] {
    verifier.damage(to: id, recorded: recorded, full: full)
  }

  // MARK: Restoring

  /// What a restore has prepared; the next start does the rest.
  package struct Restore: Sendable {
    /// Where the store of now will be kept.
    package let keptAs: String
    package let photos: PhotosBrought
  }

  /// Copies a backup's snapshot beside the store, proves it, brings the photos back that are missing, and says that the next
  /// start shall take the snapshot up.
  package func stage(_ id: String, state: String) async throws -> Restore {
    try begin("a restore")
    defer { end() }
    progress.begin("copying the snapshot and proving it")
    let recorded = try await store.backups().first { $0.id == id }?.manifestSHA256
    return try await Self.stage(.backup(folder.place(id)), recorded, StoreRecovery(state: state), clock.now())
  }

  @concurrent
  private static func stage(
    _ source: RestoreSource, _ recorded: String?, _ recovery: StoreRecovery, _ now: Timestamp
  ) async throws -> Restore {
    _ = try recovery.stage(source, recorded: recorded)
    let photos = try recovery.bringPhotos(of: source)
    return Restore(keptAs: try recovery.decide(now: now), photos: photos)
  }

  // MARK: Letting go

  /// Removes what retention no longer keeps, or says what it would remove.
  ///
  /// - Returns: what is gone, and what stays.
  package func prune(
    _ retention: Retention, zone: Zone, rehearse: Bool
  ) async throws -> (removed: [Line], kept: [Line]) {
    try begin("pruning")
    defer { end() }
    let lines = try await list()
    let expired = Set(
      retention.expired(
        lines.map { Retention.Candidate(id: $0.id, createdAt: $0.createdAt, isGood: $0.finding == nil) }, zone: zone,
        notAfter: try await store.deletionTime(now: clock.now())))
    let removed = lines.filter { expired.contains($0.id) }
    if !rehearse {
      for line in removed {
        // Under another name first: a crash halfway leaves something that is no backup and goes at the next start.
        let (path, doomed) = (folder.folder(line.id), folder.partial(line.id))
        try PrivateFiles.removeTree(doomed)
        if FileFacts.exists(path) {
          try PrivateFiles.rename(path, to: doomed)
          try PrivateFiles.removeTree(doomed)
        }
        try await store.forgetBackup(line.id)
      }
      if !removed.isEmpty { try PrivateFiles.flush(folder.path) }
    }
    return (removed, lines.filter { !expired.contains($0.id) })
  }

  private func begin(_ what: String) throws {
    if let underWay { throw Busy(what: underWay) }
    underWay = what
  }

  private func end() {
    underWay = nil
    progress.end()
  }
}

extension WorkProgress {
  fileprivate func tell(_ step: BackupMaker.Step) {
    switch step {
    case .begun: begin("copying the store")
    case .copying(let pages, let total): reach(pages, of: total)
    case .copied: begin("writing the archives")
    case .archived: add(1)
    case .proving: begin("restoring the backup for proof")
    case .manifest, .sealed, .proved, .named: break
    }
  }
}

extension BackupKeeper.Line {
  init(_ manifest: BackupManifest, _ sum: FileSum, _ record: BackupRecord?) {
    self.init(
      id: manifest.id, createdAt: manifest.createdAt, reason: manifest.reason, bytes: manifest.bytes,
      manifest: manifest, manifestSHA256: sum.sha256, verifiedAt: record?.verifiedAt, finding: record?.finding)
  }
}

/// The backup is whole, and its copy is not.
package struct SecondPlaceFailure: Error, CustomStringConvertible {
  package let path: String
  package let why: String

  package var description: String {
    "the backup is made and proved, but its copy in '\(path)' is not: \(why); make room or mount the folder, "
      + "then make another backup"
  }
}
