package import FlowCalendar
package import FlowModel
package import FlowPlatform
package import FlowStore
package import FlowWork

/// Makes, verifies, restores and prunes the backups of one store, one operation at a time.
package actor BackupKeeper {
  /// Another operation is running; `what` names it.
  package struct Busy: Error, CustomStringConvertible {
    package let what: String
    package var description: String { "\(what) is in progress; try again when it is done" }
  }

  /// No backup has this id; `known` lists the present ids.
  package struct NoSuchBackup: Error {
    package let id: String
    package let known: [String]
  }

  /// The facts about one backup, from its manifest and from the store's record, either of which may be missing.
  package struct BackupSummary: Sendable {
    package let id: String
    package let createdAt: Timestamp
    package let reason: String
    package let bytes: Int
    /// Nil if the manifest cannot be read.
    package let manifest: BackupManifest?
    package let manifestSHA256: String?
    package let verifiedAt: Timestamp?
    /// The known damage; nil for none.
    package let finding: String?
  }

  package nonisolated let folder: BackupFolder
  /// The progress of the running operation.
  package nonisolated let progress = WorkProgress()
  private let store: any Backups & Teams & TeamFailures & ClockLog
  private let maker: BackupMaker
  private let verifier: BackupVerifier
  private let zones: any ZoneSource
  private let trades: BackupTrades
  private let clock: any WallClock
  /// The name of the running operation; nil for none.
  private var runningOperation: String?

  package init(
    store: any Backups & Teams & TeamFailures & ClockLog, source: BackupMaker.Source, folder: BackupFolder,
    zones: any ZoneSource, clock: any WallClock, trades: BackupTrades
  ) {
    self.store = store
    self.folder = folder
    self.zones = zones
    self.clock = clock
    self.trades = trades
    maker = BackupMaker(source: source, folder: folder, zones: zones, trades: trades)
    verifier = BackupVerifier(folder: folder, trades: trades, progress: progress)
  }

  // MARK: Creating backups

  /// Makes a backup, verifies it, records it in the store, and copies it to a second folder.
  ///
  /// - Parameters:
  ///   - second: the folder for a copy, which is verified in full; nil for none.
  ///   - planLimits: true to write archives only for teams whose plan includes backups; the snapshot holds every team.
  ///   - only: the only team to write archives for, whatever its plan; nil for every team.
  /// - Throws: `Busy`, `BackupDamage`, `SecondCopyFailure`, or errors of the disk or store.
  package func create(
    reason: String, second: String? = nil, planLimits: Bool = true, only: TeamID? = nil,
    reached: @Sendable (BackupMaker.Step) throws -> Void = { _ in }
  ) async throws -> BackupSummary {
    try begin("a backup")
    defer { end() }
    let now = clock.now()
    let (manifest, sum) = try await maker.make(reason: reason, planLimits: planLimits, only: only, now: now) {
      [progress] step in
      progress.show(step)
      try reached(step)
    }
    try await recordFailures(manifest.troubles ?? [], only: only)
    let record = BackupRecord(
      id: manifest.id, createdAt: manifest.createdAt, reason: manifest.reason, bytes: manifest.bytes,
      manifestSHA256: sum.sha256, verifiedAt: clock.now(), finding: nil)
    try await store.record(record)
    if let second {
      progress.begin("copying the backup to the second folder")
      let target = BackupFolder(path: second)
      try await Self.copy(manifest, of: folder, to: target, recorded: sum.sha256, now: now, trades)
    }
    return BackupSummary(manifest, sum, record)
  }

  /// Records which teams have no archive, and clears the failures of teams that have one again. If `only` is set, other teams
  /// are left unchanged.
  private func recordFailures(_ troubles: [BackupManifest.FailedTeam], only: TeamID?) async throws {
    var ids = Dictionary(try await store.teams().map { ($0.name, $0.id) }, uniquingKeysWith: { first, _ in first })
    for id in try await store.unreadableTeams().keys {
      if let name = try await store.teamName(id) { ids[name] = id }
    }
    var found: [TeamID: String] = [:]
    for trouble in troubles { if let id = ids[trouble.team] { found[id] = trouble.why } }
    // Clear the failure of a team whose plan no longer includes archives, too.
    let checkedTeams = only.map { CheckedTeams.one($0) } ?? .all
    if let only { found = found.filter { $0.key == only } }
    try await store.setTeamFailures(found, with: JobKind.backup.rawValue, of: checkedTeams, now: clock.now())
  }

  /// Copies a backup to another folder. The copy gets its name only after it is complete and flushed, and is then verified in
  /// full.
  @concurrent
  private static func copy(
    _ manifest: BackupManifest, of folder: BackupFolder, to second: BackupFolder, recorded: String, now: Timestamp,
    _ trades: BackupTrades
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
      // Ignore an error of the removal: the failed copy is reported, and the next copy of this backup removes the leftover.
      try? PrivateFiles.removeTree(partial)
      throw SecondCopyFailure(path: second.path, why: "\(error)")
    }
    let verifier = BackupVerifier(folder: second, trades: trades, testRestores: folder)
    let damage = verifier.damage(to: manifest.id, recorded: recorded, full: true)
    if let first = damage.first { throw SecondCopyFailure(path: second.path, why: "\(first)") }
  }

  // MARK: Reading and verifying

  /// All backups, newest first, including those that the store has recorded but whose folder is missing.
  package func list() async throws -> [BackupSummary] {
    let records = Dictionary(try await store.backups().map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let ids = try folder.ids()
    let present = ids.map { line($0, records[$0]) }
    let missing = records.values.filter { !ids.contains($0.id) }.map { record in
      BackupSummary(
        id: record.id, createdAt: record.createdAt, reason: record.reason, bytes: record.bytes, manifest: nil,
        manifestSHA256: record.manifestSHA256, verifiedAt: record.verifiedAt, finding: "its folder is missing")
    }
    return (present + missing).sorted { ($0.createdAt, $0.id) > ($1.createdAt, $1.id) }
  }

  /// Returns one backup.
  ///
  /// - Throws: `NoSuchBackup`.
  package func show(_ id: String) async throws -> BackupSummary {
    let lines = try await list()
    guard let line = lines.first(where: { $0.id == id }) else { throw NoSuchBackup(id: id, known: lines.map(\.id)) }
    return line
  }

  private func line(_ id: String, _ record: BackupRecord?) -> BackupSummary {
    do throws(BackupDamage) {
      let (manifest, sum) = try folder.manifest(id)
      if let record, record.manifestSHA256 != sum.sha256 { throw .otherThanRecorded }
      return BackupSummary(manifest, sum, record)
    } catch {
      return BackupSummary(
        id: id, createdAt: record?.createdAt ?? Timestamp(compact: String(id.prefix(16))) ?? Timestamp(milliseconds: 0),
        reason: record?.reason ?? "", bytes: record?.bytes ?? 0, manifest: nil,
        manifestSHA256: record?.manifestSHA256, verifiedAt: record?.verifiedAt, finding: "\(error)")
    }
  }

  /// Verifies a backup and records the result in the store.
  ///
  /// - Parameter full: true to also restore it for a test and read every archive; implied if the store has no record of it.
  /// - Returns: every damage; empty if the backup is undamaged.
  /// - Throws: `NoSuchBackup`, `Busy`.
  package func verify(_ id: String, full: Bool) async throws -> [BackupDamage] {
    try begin("a look at a backup")
    defer { end() }
    let line = try await show(id)
    let recorded = try await store.backups().first { $0.id == id }?.manifestSHA256
    // Checksums without a record in the store prove nothing: a program that changed the backup may have recomputed them.
    let damage = await Self.runVerifier(verifier, id, recorded: recorded, full: full || recorded == nil)
    let finding = damage.first.map { "\($0)" }
    if recorded != nil {
      try await store.recordVerification(of: id, finding: finding, at: clock.now())
    } else if damage.isEmpty, let sum = line.manifestSHA256 {
      // Record a backup that was interrupted by a crash between its last rename and its record, or that was copied from another
      // machine.
      try await store.record(
        BackupRecord(
          id: id, createdAt: line.createdAt, reason: line.reason, bytes: line.bytes, manifestSHA256: sum,
          verifiedAt: clock.now(), finding: nil))
    }
    return damage
  }

  @concurrent
  private static func runVerifier(
    _ verifier: BackupVerifier, _ id: String, recorded: String?, full: Bool
  ) async -> [BackupDamage] {
    verifier.damage(to: id, recorded: recorded, full: full)
  }

  // MARK: Restoring

  /// A prepared restore, which the next start completes.
  package struct Restore: Sendable {
    /// The path at which the present store will be kept.
    package let keptAs: String
    package let photos: PhotoRestoreCounts
  }

  /// Prepares the restore of a backup: copies its snapshot beside the store, verifies the copy, restores missing photos, and
  /// writes the marker that makes the next start use the snapshot.
  package func stage(_ id: String, state: String) async throws -> Restore {
    try begin("a restore")
    defer { end() }
    progress.begin("copying the snapshot and verifying it")
    let recorded = try await store.backups().first { $0.id == id }?.manifestSHA256
    let recovery = StoreRecovery(state: state, trades: trades)
    return try await Self.stage(.backup(folder.location(id)), recorded, recovery, clock.now())
  }

  @concurrent
  private static func stage(
    _ source: RestoreSource, _ recorded: String?, _ recovery: StoreRecovery, _ now: Timestamp
  ) async throws -> Restore {
    _ = try recovery.stage(source, recorded: recorded)
    let photos = try recovery.restoreMissingPhotos(of: source)
    return Restore(keptAs: try recovery.decideRestore(now: now), photos: photos)
  }

  // MARK: Pruning

  /// Removes the backups that retention does not keep, or only lists them in a dry run.
  ///
  /// - Returns: the removed and the kept backups.
  package func prune(
    _ retention: Retention, zone: Zone, dryRun: Bool
  ) async throws -> (removed: [BackupSummary], kept: [BackupSummary]) {
    try begin("pruning")
    defer { end() }
    let lines = try await list()
    let expired = Set(
      retention.expired(
        lines.map { Retention.Candidate(id: $0.id, createdAt: $0.createdAt, isGood: $0.finding == nil) }, zone: zone,
        notAfter: try await store.deletionTime(now: clock.now())))
    let removed = lines.filter { expired.contains($0.id) }
    if !dryRun {
      for line in removed {
        // Rename the backup first: after a crash halfway the rest is not mistaken for a backup, and is removed at the next
        // start.
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

  /// Marks an operation as running; throws `Busy` if another one is.
  private func begin(_ what: String) throws {
    if let runningOperation { throw Busy(what: runningOperation) }
    runningOperation = what
  }

  private func end() {
    runningOperation = nil
    progress.end()
  }
}

extension WorkProgress {
  /// Shows a step of a backup as progress.
  fileprivate func show(_ step: BackupMaker.Step) {
    switch step {
    case .begun: begin("copying the store")
    case .copying(let pages, let total): update(pages, of: total)
    case .copied: begin("writing the archives")
    case .archived: add(1)
    case .verifying: begin("restoring the backup for proof")
    case .manifest, .sealed, .verified, .named: break
    }
  }
}

extension BackupKeeper.BackupSummary {
  init(_ manifest: BackupManifest, _ sum: FileSum, _ record: BackupRecord?) {
    self.init(
      id: manifest.id, createdAt: manifest.createdAt, reason: manifest.reason, bytes: manifest.bytes,
      manifest: manifest, manifestSHA256: sum.sha256, verifiedAt: record?.verifiedAt, finding: record?.finding)
  }
}

/// The backup is complete and verified, but its copy in the second folder failed.
package struct SecondCopyFailure: Error, CustomStringConvertible {
  package let path: String
  package let why: String

  package var description: String {
    "the backup is made and verified, but its copy in '\(path)' failed: \(why); free space or mount the folder, "
      + "then make another backup"
  }
}
