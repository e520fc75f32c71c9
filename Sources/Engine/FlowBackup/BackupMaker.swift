package import FlowCalendar
package import FlowModel
package import FlowPlatform
package import FlowStore

/// Makes one backup, and gives it its name only after a test restore.
package struct BackupMaker: Sendable {
  /// The steps of a backup, at each of which a crash leaves another state; also shown as progress.
  package enum Step: Hashable, Sendable {
    case begun
    /// The pages copied so far, and the total.
    case copying(Int, of: Int)
    case copied
    case archived(String)
    /// `verified`: the backup was restored into an empty state directory.
    case manifest, sealed, verifying, verified, named
  }

  /// The store, photos and identity of the installation to back up.
  package struct Source: Sendable {
    package let reader: StoreReader
    package let photoFolder: String
    package let install: String
    package let version: String

    package init(reader: StoreReader, photoFolder: String, install: String, version: String) {
      self.reader = reader
      self.photoFolder = photoFolder
      self.install = install
      self.version = version
    }
  }

  private let source: Source
  private let folder: BackupFolder
  private let zones: any ZoneSource
  private let trades: BackupTrades

  package init(source: Source, folder: BackupFolder, zones: any ZoneSource, trades: BackupTrades) {
    self.source = source
    self.folder = folder
    self.zones = zones
    self.trades = trades
  }

  /// Makes a backup.
  ///
  /// - Parameters:
  ///   - planLimits: true to write archives only for teams whose plan includes backups; the snapshot holds every team.
  ///   - only: the only team to write archives for, whatever its plan; nil for every team.
  ///   - reached: called at each step; an error that it throws aborts the backup, which is then removed.
  /// - Returns: the manifest and its SHA-256.
  /// - Throws: `BackupDamage` if the test restore fails, else an error of the disk or the store.
  @concurrent
  package func make(
    reason: String, planLimits: Bool = true, only: TeamID? = nil, now: Timestamp,
    reached: @Sendable (Step) throws -> Void = { _ in }
  ) async throws -> (manifest: BackupManifest, sum: FileSum) {
    let id = try folder.freeID(at: now)
    let partial = folder.partial(id)
    do {
      try PrivateFiles.makeFolder(partial)
      try reached(.begun)
      return try await fill(partial, id: id, reason: reason, now: now, reached) { team in
        only.map { $0 == team.id } ?? (!planLimits || team.plan.allows(.backupRestore, records: 0, at: now))
      }
    } catch {
      do {
        try PrivateFiles.removeTree(partial)
      } catch let leftover {
        throw BackupLeftover(cause: "\(error)", leftover: "\(leftover)")
      }
      throw error
    }
  }

  /// Writes all files of a backup into its temporary folder and renames it.
  private func fill(
    _ partial: String, id: String, reason: String, now: Timestamp, _ reached: @Sendable (Step) throws -> Void,
    archives includesTeam: @Sendable (Team) -> Bool
  ) async throws -> (manifest: BackupManifest, sum: FileSum) {
    if source.reader.isOnServer {
      // The database server has its own backups, so there is no snapshot; all archives are still of one moment.
      let start = WeekFingerprint(from: now, install: source.install, zones: zones)
      let (facts, week, made) = try await source.reader.readSnapshot { live in
        var week = start
        try live.readTeams(with: &week)
        try reached(.copied)
        return (try live.facts(), week.hex, try archiveTeams(in: live, into: partial, now: now, reached, includesTeam))
      }
      let sealed = try seal(partial, id: id, reason: reason, now: now, facts, week: week, made, reached)
      try name(partial, id: id, reached)
      return sealed
    }
    let path = "\(partial)/\(BackupManifest.snapshotName)"
    let week = WeekFingerprint(from: now, install: source.install, zones: zones)
    // Create the file with a private mode first, because SQLite keeps the mode of an existing file.
    try PrivateFiles.write(path, [])
    let (facts, live) = try await source.reader.copy(to: path, reader: week) { try reached(.copying($0, of: $1)) }
    try PrivateFiles.flush(path)
    try reached(.copied)
    let snapshot = try StoreSnapshot(path: path, trades: trades.stores)
    var made = try archiveTeams(in: snapshot, into: partial, now: now, reached, includesTeam)
    made.files.insert(file(BackupManifest.snapshotName, try PrivateFiles.sum(of: path)), at: 0)
    let sealed = try seal(partial, id: id, reason: reason, now: now, facts, week: live.hex, made, reached)
    try reached(.verifying)
    let testRestore = TestRestore(state: folder.testRestoreFolder(of: id), trades: trades)
    try testRestore.run(of: BackupLocation(path: partial, id: id), made: now) { restored in
      var rebuilt = week
      try restored.readTeams(with: &rebuilt)
      guard rebuilt.hex == live.hex else { throw BackupDamage.otherWeek }
    }
    try reached(.verified)
    try name(partial, id: id, reached)
    return sealed
  }

  /// The archives written so far, and the teams whose archives failed.
  private struct Archives: Sendable {
    var files: [BackupManifest.File] = []
    var archives: [BackupManifest.Archive] = []
    var troubles: [BackupManifest.FailedTeam] = []
  }

  /// Writes the archives of all teams that are to have one, from one consistent state of the store.
  private func archiveTeams(
    in snapshot: StoreSnapshot, into partial: String, now: Timestamp, _ reached: @Sendable (Step) throws -> Void,
    _ includesTeam: @Sendable (Team) -> Bool
  ) throws -> Archives {
    var all = Archives()
    all.troubles = try snapshot.unreadableTeams().map { BackupManifest.FailedTeam(team: $0.name, why: $0.why) }
    try PrivateFiles.makeFolder("\(partial)/archives")
    for team in try snapshot.teams() where includesTeam(team) {
      let made: (archives: [BackupManifest.Archive], files: [BackupManifest.File])
      do {
        made = try self.archives(of: team, in: snapshot, into: partial, now: now)
      } catch {
        guard Self.concernsTeamOnly(error) else { throw error }
        // Bad records of one team do not prevent the archives of the others.
        let counts = try trades.archives(of: team.trade).counts(of: team.id, in: snapshot)
        all.troubles.append(
          BackupManifest.FailedTeam(
            team: team.name, why: Self.reason(of: error), records: counts.records, events: counts.events))
        continue
      }
      all.files += made.files
      all.archives += made.archives
      for archive in made.archives { try reached(.archived(archive.name)) }
    }
    try PrivateFiles.flush("\(partial)/archives")
    return all
  }

  /// Writes the manifest and its checksum.
  private func seal(
    _ partial: String, id: String, reason: String, now: Timestamp, _ facts: SnapshotFacts, week: String,
    _ made: Archives, _ reached: @Sendable (Step) throws -> Void
  ) throws -> (manifest: BackupManifest, sum: FileSum) {
    let manifest = BackupManifest(
      id: id, createdAt: now, reason: reason, version: source.version, install: facts.install, schema: facts.schema,
      rows: facts.rows, weekSHA256: week, archives: made.archives, files: made.files, troubles: made.troubles)
    let sum = try PrivateFiles.write("\(partial)/\(BackupManifest.fileName)", try manifest.encoded())
    try reached(.manifest)
    try PrivateFiles.write("\(partial)/\(BackupManifest.sumName)", Array(BackupManifest.sumLine(sum).utf8))
    try PrivateFiles.flush(partial)
    try reached(.sealed)
    return (manifest, sum)
  }

  /// Gives the backup its name.
  private func name(_ partial: String, id: String, _ reached: @Sendable (Step) throws -> Void) throws {
    try PrivateFiles.rename(partial, to: folder.folder(id))
    try PrivateFiles.flush(folder.path)
    try reached(.named)
  }

  /// Writes all archives of a team, or none: a restore from only some of them would delete the rest of the team's records.
  private func archives(
    of team: Team, in snapshot: StoreSnapshot, into partial: String, now: Timestamp
  ) throws -> (archives: [BackupManifest.Archive], files: [BackupManifest.File]) {
    var target = TeamArchiveFolder(
      of: team, in: partial, photos: PhotoStore(folder: source.photoFolder), version: source.version, now: now)
    do {
      try trades.archives(of: team.trade).write(team, in: snapshot, to: &target)
      return (target.archives, target.files)
    } catch {
      try target.removeAll()
      throw error
    }
  }

  /// Whether an error concerns this team's records or photos only, and not the disk or store, which would fail for every team.
  private static func concernsTeamOnly(_ error: any Error) -> Bool {
    switch error {
    case let error as StoreError: error.isAboutData
    case is CancellationError: false
    case let failure as SystemFailure: !failure.affectsWholeMachine
    case ZIPError.cannotOpen(_, let code), ZIPError.cannotRead(let code): !SystemFailure.affectsWholeMachine(code)
    default: true
    }
  }

  /// The error as one line, with a limited length and escaped control characters.
  private static func reason(of error: any Error) -> String {
    let words: String
    if case BackupDamage.archive(_, let why) = error {
      words = "its archive could not be read back: \(why)"
    } else {
      words = "\(error)"
    }
    return visible(String(words.prefix(Limits.failureReasonLength)))
  }

  private func file(_ name: String, _ sum: FileSum) -> BackupManifest.File {
    BackupManifest.File(name: name, bytes: sum.bytes, sha256: sum.sha256)
  }
}

/// A backup failed, and its temporary folder could not be removed either; the daemon removes it at its next start.
package struct BackupLeftover: Error, CustomStringConvertible {
  package let cause: String
  package let leftover: String

  package var description: String { "\(cause); the unfinished backup could not be removed: \(leftover)" }
}
