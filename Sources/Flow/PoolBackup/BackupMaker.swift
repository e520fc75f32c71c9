package import PoolCalendar
package import PoolModel
package import PoolPlatform
package import PoolStore
import StableModel

/// Makes one backup, restores it for proof, and only then gives it its name.
package struct BackupMaker: Sendable {
  /// The moments of a backup at which a crash leaves something else behind; what a person sees as progress.
  package enum Step: Hashable, Sendable {
    case begun
    /// Pages of the snapshot, and of how many.
    case copying(Int, of: Int)
    case copied
    case archived(String)
    /// `proved`: the backup was restored into an empty state directory.
    case manifest, sealed, proving, proved, named
  }

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

  package init(source: Source, folder: BackupFolder, zones: any ZoneSource) {
    self.source = source
    self.folder = folder
    self.zones = zones
  }

  /// - Parameters:
  ///   - planLimits: whether only teams whose plan has backups get archives; the snapshot holds every team.
  ///   - only: the one team that gets archives, whatever its plan; nil for every team.
  ///   - reached: called at each step; what it throws ends the backup, which then leaves nothing behind.
  /// - Returns: the manifest and its SHA-256.
  /// - Throws: `BackupDamage` where the proof fails, else what the disk or the store says.
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
      return try await fill(partial, id: id, reason: reason, now: now, reached) { team, pools in
        only.map { $0 == team.id } ?? (!planLimits || team.plan.allows(.backupRestore, pools: pools, at: now))
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

  private func fill(
    _ partial: String, id: String, reason: String, now: Timestamp, _ reached: @Sendable (Step) throws -> Void,
    archives holds: @Sendable (Team, Int) -> Bool
  ) async throws -> (manifest: BackupManifest, sum: FileSum) {
    if source.reader.isOnServer {
      // A copy of the whole is the server's own business; the archives are of one moment all the same.
      let start = WeekAhead(from: now, install: source.install, zones: zones)
      let (facts, week, made) = try await source.reader.look { live in
        var week = start
        try live.visitTeams(&week)
        try reached(.copied)
        return (try live.facts(), week.hex, try archiveTeams(in: live, into: partial, now: now, reached, holds))
      }
      let sealed = try seal(partial, id: id, reason: reason, now: now, facts, week: week, made, reached)
      try name(partial, id: id, reached)
      return sealed
    }
    let path = "\(partial)/\(BackupManifest.snapshotName)"
    let week = WeekAhead(from: now, install: source.install, zones: zones)
    // SQLite keeps the mode of a file that is there already.
    try PrivateFiles.write(path, [])
    let (facts, live) = try await source.reader.copy(to: path, visitor: week) { try reached(.copying($0, of: $1)) }
    try PrivateFiles.flush(path)
    try reached(.copied)
    var made = try archiveTeams(in: try StoreSnapshot(path: path), into: partial, now: now, reached, holds)
    made.files.insert(file(BackupManifest.snapshotName, try PrivateFiles.sum(of: path)), at: 0)
    let sealed = try seal(partial, id: id, reason: reason, now: now, facts, week: live.hex, made, reached)
    try reached(.proving)
    try RestoreProof(state: folder.proof(of: id)).run(of: BackupPlace(path: partial, id: id), made: now) { restored in
      var rebuilt = week
      try restored.visitTeams(&rebuilt)
      guard rebuilt.hex == live.hex else { throw BackupDamage.otherWeek }
    }
    try reached(.proved)
    try name(partial, id: id, reached)
    return sealed
  }

  /// What was made of the teams.
  private struct Archives: Sendable {
    var files: [BackupManifest.File] = []
    var archives: [BackupManifest.Archive] = []
    var troubles: [BackupManifest.Trouble] = []
  }

  /// The archives of every team that has any, out of one moment of the store.
  private func archiveTeams(
    in snapshot: StoreSnapshot, into partial: String, now: Timestamp, _ reached: @Sendable (Step) throws -> Void,
    _ holds: @Sendable (Team, Int) -> Bool
  ) throws -> Archives {
    var all = Archives()
    all.troubles = try snapshot.unreadableTeams().map { BackupManifest.Trouble(team: $0.name, why: $0.why) }
    try PrivateFiles.makeFolder("\(partial)/archives")
    for team in try snapshot.teams() {
      let counts = try snapshot.counts(of: team.id)
      guard holds(team, counts.pools) else { continue }
      let made: (archives: [BackupManifest.Archive], files: [BackupManifest.File])
      do {
        made = try self.archives(of: team, in: snapshot, into: partial, now: now)
      } catch {
        guard Self.isTeams(error) else { throw error }
        // What one team's records hold costs nobody else's archive.
        all.troubles.append(
          BackupManifest.Trouble(
            team: team.name, why: Self.reason(of: error), pools: counts.pools + counts.horses,
            visits: counts.serviceEvents + counts.care))
        continue
      }
      all.files += made.files
      all.archives += made.archives
      for archive in made.archives { try reached(.archived(archive.name)) }
    }
    try PrivateFiles.flush("\(partial)/archives")
    return all
  }

  /// Writes down what the backup holds.
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

  private func name(_ partial: String, id: String, _ reached: @Sendable (Step) throws -> Void) throws {
    try PrivateFiles.rename(partial, to: folder.folder(id))
    try PrivateFiles.flush(folder.path)
    try reached(.named)
  }

  /// All archives of a team, or none: put back, some of them would take the rest of the team away.
  private func archives(
    of team: Team, in snapshot: StoreSnapshot, into partial: String, now: Timestamp
  ) throws -> (archives: [BackupManifest.Archive], files: [BackupManifest.File]) {
    var made: (archives: [BackupManifest.Archive], files: [BackupManifest.File]) = ([], [])
    let writer = TeamArchive(photoFolder: "\(source.photoFolder)/\(team.id.number)", version: source.version, now: now)
    let photos = PhotoStore(folder: source.photoFolder)
    var begun: [String] = []
    do {
      if team.trade == .stable {
        let name = "archives/\(PathComponent(encoding: team.name, longest: 2 * Limits.teamNameLength)).stable.zip"
        begun.append("\(partial)/\(name)")
        let book = try snapshot.stableBook(of: team.id)
        try photos.bring(book.records.horses.filter(\.hasPhoto).map(\.id.uuid), of: team.id, from: snapshot)
        let (sum, photos) = try writer.write(book, to: "\(partial)/\(name)", name: name)
        made.files.append(file(name, sum))
        made.archives.append(
          BackupManifest.Archive(
            name: name, team: team.name, technician: "", own: false, pools: 0, visits: 0, photos: photos,
            dosesWithoutStock: 0, horses: book.records.horses.count, care: book.records.care.count))
        return made
      }
      for share in try snapshot.shares(of: team.id) {
        let name = Self.archiveName(team: team, share: share)
        let records = try snapshot.records(of: share, team: team.id)
        try photos.bring(records.photos.map(\.uuid), of: team.id, from: snapshot)
        begun.append("\(partial)/\(name)")
        let (sum, photos) = try writer.write(records, to: "\(partial)/\(name)", name: name)
        made.files.append(file(name, sum))
        made.archives.append(
          BackupManifest.Archive(
            name: name, team: team.name, technician: share.technician.name, own: share.isOwn,
            pools: records.records.pools.count, visits: records.records.serviceEvents.count, photos: photos,
            dosesWithoutStock: records.dosesWithoutStock))
      }
      return made
    } catch {
      for path in begun { try PrivateFiles.removeTree(path) }
      throw error
    }
  }

  /// Whether a team's records or photos are at fault, and not the disk or the store, on which nobody's archive can be made.
  private static func isTeams(_ error: any Error) -> Bool {
    switch error {
    case let error as StoreError: error.isAboutData
    case is CancellationError: false
    case let failure as SystemFailure: !failure.isEverybodys
    case ZIPError.cannotOpen(_, let code), ZIPError.cannotRead(let code): !SystemFailure.isEverybodys(code)
    default: true
    }
  }

  /// One line, also where it holds words of a file.
  private static func reason(of error: any Error) -> String {
    let words: String
    if case BackupDamage.archive(_, let why) = error {
      words = "its archive could not be read again: \(why)"
    } else {
      words = "\(error)"
    }
    return visible(String(words.prefix(Limits.troubleReasonLength)))
  }

  private func file(_ name: String, _ sum: FileSum) -> BackupManifest.File {
    BackupManifest.File(name: name, bytes: sum.bytes, sha256: sum.sha256)
  }

  /// `archives/desert-blue.3-maria.zip`: team names hold neither spaces nor slashes, unless the store is not as we made it; a
  /// technician's may hold anything.
  static func archiveName(team: Team, share: TeamShare) -> String {
    let plain = share.technician.name.lowercased().utf8.map { byte -> UInt8 in
      (97...122).contains(byte) || (48...57).contains(byte) ? byte : UInt8(ascii: "-")
    }
    let slug = String(decoding: plain.prefix(40), as: UTF8.self)
    let teamName = PathComponent(encoding: team.name, longest: 2 * Limits.teamNameLength)
    return "archives/\(teamName).\(share.technician.id.number)-\(slug)\(share.isOwn ? "-own" : "").zip"
  }
}

/// A backup failed, and what it had begun could not be removed either; the next start of the daemon does that.
package struct BackupLeftover: Error, CustomStringConvertible {
  package let cause: String
  package let leftover: String

  package var description: String { "\(cause); what was begun is still there: \(leftover)" }
}
