package import FlowBackup
package import FlowModel
package import FlowPlatform
import FlowStore
import PoolInterchange
import PoolModel
package import PoolStore

/// Imports an archive or a customers file completely, or not at all.
package struct PoolImporter: Sendable {
  let store: any Services & TeamRecords
  let photos: PhotoStore
  let clock: any WallClock
  let drafts: ImportPreviewCache
  let local: @Sendable (Team, Timestamp) throws -> TeamLocality
  private let onePassPhotos: Int
  private let isOfOtherTrade: @Sendable (String) -> Bool
  /// The progress of extracting photos.
  package let progress: WorkProgress

  /// - Parameters:
  ///   - drafts: keeps the plan of a preview for the import that follows.
  ///   - local: the current date of a team, and its hemisphere.
  ///   - onePassPhotos: for an archive with more photos the store checks the records before the photos are extracted.
  ///   - isOfOtherTrade: true for the path of an archive of another trade.
  package init(
    store: any Services & TeamRecords, photos: PhotoStore, clock: any WallClock, drafts: ImportPreviewCache,
    onePassPhotos: Int = Limits.onePassPhotos, progress: WorkProgress = WorkProgress(),
    local: @escaping @Sendable (Team, Timestamp) throws -> TeamLocality,
    isOfOtherTrade: @escaping @Sendable (String) -> Bool
  ) {
    self.store = store
    self.photos = photos
    self.clock = clock
    self.drafts = drafts
    self.onePassPhotos = onePassPhotos
    self.progress = progress
    self.local = local
    self.isOfOtherTrade = isOfOtherTrade
  }

  /// Imports a file, or reports the effect in a dry run.
  ///
  /// - Throws: `ImportRefusal`, `StoreError`.
  @concurrent
  package func run(
    _ request: ImportRequest, claim: (id: String, write: @Sendable (ImportReport) throws -> String)?
  ) async throws -> ImportReport {
    let isArchive = try request.isArchive()
    guard request.map.isEmpty || !isArchive else { throw ImportRefusal.mapNotHere(request) }
    guard !request.isOfProfiles || !isArchive else { throw ImportRefusal.profilesNotHere(request) }
    return isArchive ? try await runArchive(request, claim) : try await runCustomers(request, claim)
  }

  // MARK: Archives

  /// Imports an archive of the PoolFlow app, which replaces the records.
  private func runArchive(
    _ request: ImportRequest, _ claim: (id: String, write: @Sendable (ImportReport) throws -> String)?
  ) async throws -> ImportReport {
    let (path, name, team, dryRun) = (request.path, request.name, request.team, request.dryRun)
    let archive = try open(path, as: name, for: team)
    let contents = archive.contents
    let records = contents.records
    let now = clock.now()
    let report = { @Sendable (effect: ImportEffect, photos: Int) in
      ImportReport(
        kind: .archive, effect: effect, creates: effect.changes?.poolsCreated ?? contents.pools.count,
        updates: effect.changes?.poolsUpdated ?? 0, skips: contents.equipmentSkipped, issues: [],
        warnings: contents.warnings + records.futureVisits(of: now)
          + (effect.sanitiserKept > 0 ? [.sanitiserKept(effect.sanitiserKept)] : [])
          + (effect.rulesKept > 0 ? [.rulesStay(effect.rulesKept)] : []), photos: photos)
    }
    let refusal = { @Sendable (changes: ArchiveChanges) throws in
      guard changes.losesWork, !request.replaces, !dryRun else { return }
      throw ImportRefusal(for: team) { $0.refusal(replacing: changes, by: name) }
    }
    // Extracting photos may take minutes, so let the store refuse the records first. For a few small photos that would take
    // longer than the extraction, because all records are written twice.
    let photos = contents.photoNames.count
    let isSmall = (FileFacts(of: path)?.bytes ?? .max) <= Limits.onePassBytes
    let isQuick = photos == 0 || (isSmall && photos <= onePassPhotos)
    let runDryRun = {
      try await store.replaceRecords(
        team: team.name, technician: request.technician, records: records, photos: [:], now: now, dryRun: true,
        change: nil, limitsPools: request.limitsRecords, claim: nil, unless: refusal)
    }
    if dryRun || !isQuick {
      let dryRunEffect = try await runDryRun()
      // A dry run extracts no photos, so count their names.
      if dryRun {
        let after = dryRunEffect.after.with(photosAdded: photos)
        return report(
          ImportEffect(
            before: dryRunEffect.before, after: after, changes: dryRunEffect.changes,
            sanitiserKept: dryRunEffect.sanitiserKept, rulesKept: dryRunEffect.rulesKept), photos)
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
        team: team.name, technician: request.technician, records: records, photos: staged.sizes, now: now,
        dryRun: false,
        change: change, limitsPools: request.limitsRecords,
        claim: claim.map { claim in
          ImportClaim(id: claim.id) { try claim.write(report($0, staged.files.count)) }
        }, unless: refusal)
    }
    return report(effect, staged.files.count)
  }

  /// Opens the archive of a team's import.
  ///
  /// - Throws: `ImportRefusal` if the file is none, or another trade's.
  private func open(_ path: String, as name: String, for team: Team) throws(ImportRefusal) -> OpenArchive {
    do {
      return try ArchiveFile.open(path: path)
    } catch {
      if isOfOtherTrade(path) {
        throw ImportRefusal(for: team) { $0.refusal(of: name, $0.archiveOfStable(team)) }
      }
      throw ImportRefusal(for: team) { $0.refusal(of: name, $0.text(ofArchive: error)) }
    }
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
    try OpenArchive.stagePhotos(of: archives, in: try photos.openFolder(of: team), progress: progress)
  }

  /// Runs a change of a team's visits and updates the photos afterwards.
  func replacingPhotos<Effect>(
    of team: TeamID, by staged: StagedPhotos, _ body: (PhotoChange?) async throws -> Effect
  ) async throws -> Effect {
    try await photos.replace(
      of: team, by: staged, known: { Set(try await store.photoEvents(of: team, pool: nil).map(\.uuid)) }, body)
  }
}

extension StagedPhotos {
  /// The size in bytes of each visit's photo.
  var sizes: [ServiceEventID: Int] {
    Dictionary(files.map { (ServiceEventID($0.record), $0.bytes) }, uniquingKeysWith: { $1 })
  }
}

extension ArchiveContents {
  var records: RecordSet {
    RecordSet(
      pools: pools, serviceEvents: serviceEvents, chemicalDoses: chemicalDoses, inventory: inventory,
      profiles: profiles, equipment: equipment, services: services, serviceChanges: serviceChanges,
      knowsSanitiser: knowsSanitiser, work: work, madeAt: manifest.createdAt)
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

/// What an import takes from the zone of its team.
package struct TeamLocality: Sendable {
  /// The current date.
  package let date: CivilDate
  /// True if the zone is known to lie south of the equator.
  package let isSouthern: Bool

  package init(date: CivilDate, isSouthern: Bool = false) {
    self.date = date
    self.isSouthern = isSouthern
  }
}
