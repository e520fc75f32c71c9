package import FlowCalendar
package import FlowModel
package import FlowPlatform
import FlowStore
import FoundationEssentials
import Glibc
package import PoolInterchange
package import PoolModel
package import PoolStore
package import StableInterchange
import StableModel
package import StableStore

/// The result of an import, or of its dry run.
package struct ImportReport: Sendable {
  /// The format of the imported file.
  package enum Kind: Sendable { case archive, csv }
  /// A problem with a row or one of its values.
  package struct Issue: Sendable {
    package let row: Int?
    package let isError: Bool
    package let field: String?
    package let fault: Fault
    /// The beginning of the cell's value; nil if the value is private.
    package var value: String?
  }
  /// The kind of problem, by the file's format.
  package enum Fault: Sendable {
    case customers(RowFault)
    case stable(StableRowFault)
  }

  package var kind: Kind
  /// The subject of a stable's list; nil for all other files.
  package var list: StableFileKind?
  package var effect: ImportEffect
  package var creates: Int
  package var updates: Int
  package var skips: Int
  package var issues: [Issue]
  package var warnings: [ArchiveWarning]
  package var photos: Int
  /// For a CSV file only.
  package var file: CSVFileReport?
}

/// The facts about a CSV file apart from its rows.
package struct CSVFileReport: Sendable {
  /// A column of the file.
  package struct Column: Sendable {
    /// The heading as written in the file.
    package let heading: String
    /// The field that the column is imported into; nil for an unused column.
    package let meaning: String?
  }

  package let columns: [Column]
  package let warnings: [CSVWarning]
  /// The number of rows with customers that are no longer served; nil for a stable's list.
  package var inactive: Int?
  /// The first rows of a customers file; nil for a stable's list.
  package var preview: [CSVPreviewRow]?
}

/// The reason why a file was refused. Nothing has changed.
package struct ImportRefusal: Error, CustomStringConvertible {
  package let description: String
  /// The description without the file's first row, which may be a customer instead of a header.
  package let logged: String

  init(description: String, logged: String? = nil) {
    self.description = description
    self.logged = logged ?? description
  }
}

/// Imports an archive or a customers file completely, or not at all.
package struct Importer: Sendable {
  let store: any TeamRecords & StableBooks
  let zones: any ZoneSource
  let photoFolder: String
  let clock: any WallClock
  let drafts: ImportPreviewCache
  private let onePassPhotos: Int
  /// The progress of extracting photos.
  package let progress = WorkProgress()

  /// - Parameters:
  ///   - photoFolder: holds a folder per team, with `<visit>.bin` for each photo.
  ///   - drafts: keeps the plan of a preview for the import that follows.
  ///   - onePassPhotos: for an archive with more photos the store checks the records before the photos are extracted.
  package init(
    store: any TeamRecords & StableBooks, photoFolder: String, clock: any WallClock,
    zones: any ZoneSource = SystemZones(),
    drafts: ImportPreviewCache = ImportPreviewCache(), onePassPhotos: Int = Limits.onePassPhotos
  ) {
    self.store = store
    self.photoFolder = photoFolder
    self.clock = clock
    self.zones = zones
    self.drafts = drafts
    self.onePassPhotos = onePassPhotos
  }

  /// Imports a file, or reports the effect in a dry run.
  ///
  /// - Parameters:
  ///   - path: the uploaded file, which belongs to the daemon.
  ///   - name: the user's name for the file, for messages.
  ///   - technician: the technician to import the records for; nil for the whole team.
  ///   - limitsPools: true to apply the plan's limit of pools.
  ///   - replaces: true to permit that an archive deletes or reverts records changed here since it was written.
  ///   - map: columns of a customers file, as `Their heading=ours`.
  ///   - isOfProfiles: true if the customers file is a list of profiles, which creates no pools.
  ///   - claim: for a file from the inbox, its id and the encoder of the report that is stored in the same transaction.
  /// - Throws: `ImportRefusal`, `StoreError`.
  @concurrent
  package func run(
    path: String, name: String, team: Team, technician: String?, dryRun: Bool, limitsPools: Bool = true,
    replaces: Bool = false, map: [String] = [], isOfProfiles: Bool = false,
    claim: (id: String, write: @Sendable (ImportReport) throws -> String)? = nil
  ) async throws -> ImportReport {
    let isArchive = try Self.isArchive(path, name: name)
    guard map.isEmpty || (!isArchive && team.trade == .poolService) else {
      throw ImportRefusal(for: team) { $0.refusal(of: name, $0.mapNotHere) }
    }
    guard !isOfProfiles || (!isArchive && team.trade == .poolService) else {
      throw ImportRefusal(for: team) { $0.refusal(of: name, $0.profilesNotHere) }
    }
    if team.trade == .stable {
      return try await isArchive
        ? runStableArchive(path, name: name, team: team, dryRun: dryRun, replaces: replaces, claim: claim)
        : runStableList(path, name: name, team: team, dryRun: dryRun, claim: claim)
    }
    if isArchive {
      return try await runArchive(
        path, name: name, team: team, technician: technician, dryRun: dryRun, limitsPools: limitsPools,
        replaces: replaces, claim: claim)
    }
    return try await runCustomers(
      path, name: name, team: team, technician: technician, dryRun: dryRun, limitsPools: limitsPools, map: map,
      isOfProfiles: isOfProfiles, claim: claim)
  }

  /// Whether a file is a ZIP archive: it begins with `PK` or is named `.zip`.
  private static func isArchive(_ path: String, name: String) throws -> Bool {
    let head = try bytes(of: path, name: name, limit: 4)
    return head.starts(with: [0x50, 0x4B]) || name.lowercased().hasSuffix(".zip")
  }

  /// Reads the beginning of a file, at most `limit` bytes.
  static func bytes(of path: String, name: String, limit: Int) throws -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { throw SystemFailure("cannot read the upload of '\(name)'") }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw SystemFailure("cannot read the upload of '\(name)'") }
    var bytes = [UInt8](repeating: 0, count: min(limit, Int(status.st_size)))
    var filled = 0
    while filled < bytes.count {
      let wanted = bytes.count - filled
      let count = bytes.withUnsafeMutableBytes { read(descriptor, $0.baseAddress?.advanced(by: filled), wanted) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw SystemFailure("cannot read the upload of '\(name)'") }
      filled += count
    }
    return bytes
  }

  // MARK: Archives

  /// Imports an archive of the PoolFlow app, which replaces the records.
  private func runArchive(
    _ path: String, name: String, team: Team, technician: String?, dryRun: Bool, limitsPools: Bool, replaces: Bool,
    claim: (id: String, write: @Sendable (ImportReport) throws -> String)?
  ) async throws -> ImportReport {
    let archive: OpenArchive
    do {
      archive = try ArchiveFile.open(path: path)
    } catch {
      if OpenStableArchive.isStableArchive(path) {
        throw ImportRefusal(for: team) { $0.refusal(of: name, $0.archiveOfStable(team)) }
      }
      throw ImportRefusal(for: team) { $0.refusal(of: name, $0.text(ofArchive: error)) }
    }
    let contents = archive.contents
    let records = contents.records
    let now = clock.now()
    let report = { @Sendable (effect: ImportEffect, photos: Int) in
      ImportReport(
        kind: .archive, effect: effect, creates: effect.changes?.poolsCreated ?? contents.pools.count,
        updates: effect.changes?.poolsUpdated ?? 0, skips: contents.equipmentSkipped, issues: [],
        warnings: contents.warnings + records.futureVisits(of: now), photos: photos)
    }
    let refusal = { @Sendable (changes: ArchiveChanges) throws in
      guard changes.losesWork, !replaces, !dryRun else { return }
      throw ImportRefusal(for: team) { $0.refusal(replacing: changes, by: name) }
    }
    // Extracting photos may take minutes, so let the store refuse the records first. For a few small photos that would take
    // longer than the extraction, because all records are written twice.
    let photos = contents.photoNames.count
    let isSmall = (FileFacts(of: path)?.bytes ?? .max) <= Limits.onePassBytes
    let isQuick = photos == 0 || (isSmall && photos <= onePassPhotos)
    let runDryRun = {
      try await store.replaceRecords(
        team: team.name, technician: technician, records: records, photos: [:], now: now, dryRun: true,
        change: nil, limitsPools: limitsPools, claim: nil, unless: refusal)
    }
    if dryRun || !isQuick {
      let dryRunEffect = try await runDryRun()
      // A dry run extracts no photos, so count their names.
      if dryRun {
        let after = dryRunEffect.after.with(photosAdded: photos)
        return report(ImportEffect(before: dryRunEffect.before, after: after, changes: dryRunEffect.changes), photos)
      }
    }
    let staged: StagedPhotos
    do {
      staged = try staging(of: name) { try stagePhotos(of: [archive], team.id) }
    } catch {
      // If the store would refuse the records too, report its reason, as for other archives.
      if isQuick { _ = try await runDryRun() }
      throw error
    }
    let effect = try await replacingPhotos(of: team.id, by: staged) { change in
      try await store.replaceRecords(
        team: team.name, technician: technician, records: records, photos: staged.sizes, now: now, dryRun: false,
        change: change, limitsPools: limitsPools,
        claim: claim.map { claim in
          ImportClaim(id: claim.id) { try claim.write(report($0, staged.files.count)) }
        }, unless: refusal)
    }
    return report(effect, staged.files.count)
  }

  /// Runs `stage`, and reports its errors as a refusal of the file.
  private func staging(of name: String, _ stage: () throws -> StagedPhotos) throws(ImportRefusal) -> StagedPhotos {
    do {
      return try stage()
    } catch {
      throw ImportRefusal(description: "'\(name)' was not imported: \(error); nothing was changed")
    }
  }

  /// Writes the photos of archives into the team's folder under temporary names.
  func stagePhotos(of archives: [OpenArchive], _ team: TeamID) throws -> StagedPhotos {
    let path = "\(photoFolder)/\(team.number)"
    for path in [photoFolder, path] { try PrivateFiles.makeFolder(path) }
    return try OpenArchive.stagePhotos(of: archives, in: try PhotoFolder(path: path), progress: progress)
  }

  /// Runs a change of a team's visits and updates the photos afterwards: staged photos get their names, and photos of removed
  /// visits are deleted. After a crash `PhotoStore.recover` completes this at the next start.
  ///
  /// - Parameters:
  ///   - staged: the new photos; nil for none.
  ///   - body: makes the change in the store and records the given `PhotoChange` with it, which is nil if the team has no photo folder.
  func replacingPhotos<Effect>(
    of team: TeamID, by staged: StagedPhotos?, _ body: (PhotoChange?) async throws -> Effect
  ) async throws -> Effect {
    let path = "\(photoFolder)/\(team.number)"
    guard FileFacts.exists(path) else { return try await body(nil) }
    let folder = try PhotoFolder(path: path)
    let effect: Effect
    do {
      let change = try folder.setMark()
      effect = try await body(change)
    } catch {
      staged?.discard()
      folder.removeMark()
      // After a refusal remove a folder that is empty; `rmdir` keeps one that is not.
      rmdir(path)
      throw error
    }
    // A failure from here on leaves the mark, so that the next start completes the work.
    try staged?.keep()
    let horses = try await store.photoHorses(of: team).map { ServiceEventID($0.uuid) }
    try folder.removeAll(but: try await store.photoEvents(of: team, pool: nil).union(horses))
    folder.removeMark()
    return effect
  }
}

extension ArchiveContents {
  var records: RecordSet {
    RecordSet(
      pools: pools, serviceEvents: serviceEvents, chemicalDoses: chemicalDoses, inventory: inventory,
      profiles: profiles, equipment: equipment, madeAt: manifest.createdAt)
  }
}

extension RecordCounts {
  /// The counts with the photos that a dry run would add.
  func with(photosAdded photos: Int) -> RecordCounts {
    var counts = self
    counts.photos += photos
    return counts
  }
}
