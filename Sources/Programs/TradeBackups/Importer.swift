package import FlowBackup
package import FlowCalendar
package import FlowModel
package import FlowPlatform
import FlowStore
package import PoolBackup
package import PoolModel
package import PoolStore
package import StableBackup
import StableModel
package import StableStore

/// Imports and restores records of teams of any trade; each file completely, or not at all.
package struct Importer: Sendable {
  private let store: any TeamRecords & StableBooks
  private let photos: PhotoStore
  private let pools: PoolImporter
  private let stables: StableImporter
  /// The progress of extracting photos.
  package let progress = WorkProgress()

  /// - Parameters:
  ///   - photoFolder: holds a folder per team, with `<record>.bin` for each photo.
  ///   - drafts: keeps the plan of a preview for the import that follows.
  ///   - onePassPhotos: for an archive with more photos the store checks the records before the photos are extracted.
  package init(
    store: any TeamRecords & StableBooks, photoFolder: String, clock: any WallClock,
    zones: any ZoneSource = SystemZones(), drafts: ImportPreviewCache = ImportPreviewCache(),
    onePassPhotos: Int = Limits.onePassPhotos
  ) {
    self.store = store
    photos = PhotoStore(folder: photoFolder)
    pools = PoolImporter(
      store: store, photos: photos, clock: clock, drafts: drafts, onePassPhotos: onePassPhotos, progress: progress
    ) { OpenStableArchive.isStableArchive($0) }
    stables = StableImporter(store: store, photos: photos, clock: clock, zones: zones, progress: progress)
  }

  /// The importer of a trade.
  package func importer(of trade: Trade) -> any TradeImporter<ImportReport> {
    trade == .stable ? stables : pools
  }

  /// Imports a file, or reports the effect in a dry run; see `ImportRequest` for the parameters.
  ///
  /// - Parameter claim: for a file from the inbox, its id and the encoder of the report that is stored in the same transaction.
  /// - Throws: `ImportRefusal`, `StoreError`.
  package func run(
    path: String, name: String, team: Team, technician: String?, dryRun: Bool, limitsPools: Bool = true,
    replaces: Bool = false, map: [String] = [], isOfProfiles: Bool = false,
    claim: (id: String, write: @Sendable (ImportReport) throws -> String)? = nil
  ) async throws -> ImportReport {
    let request = ImportRequest(
      path: path, name: name, team: team, technician: technician, dryRun: dryRun, limitsRecords: limitsPools,
      replaces: replaces, map: map, isOfProfiles: isOfProfiles)
    return try await importer(of: team.trade).run(request, claim: claim)
  }

  /// Replaces a pool service team's records by those of archives.
  package func restore(
    _ files: [ArchiveToRestore], over extent: RestoreExtent, of team: Team, dryRun: Bool, limitsPools: Bool
  ) async throws -> TeamRestoreReport {
    try await pools.restore(files, over: extent, of: team, dryRun: dryRun, limitsPools: limitsPools)
  }

  /// Replaces a stable's records by those of an archive.
  package func restoreStable(_ file: ArchiveToRestore, of team: Team, dryRun: Bool) async throws -> StableRestoreReport
  {
    try await stables.restore(file, of: team, dryRun: dryRun)
  }

  /// Removes a team's records and then their photos; see `Store.clear`.
  package func clear(
    _ team: Team, stock: [InventoryItem], dryRun: Bool, unless changed: @Sendable (RecordCounts) throws -> Void
  ) async throws -> RestoreEffect {
    func clear(_ change: PhotoChange?) async throws -> RestoreEffect {
      try await store.clear(team.name, stock: stock, dryRun: dryRun, change: change, unless: changed)
    }
    guard !dryRun else { return try await clear(nil) }
    return try await photos.replace(
      of: team.id, by: nil,
      known: {
        let horses = try await store.photoHorses(of: team.id).map(\.uuid)
        return Set(try await store.photoEvents(of: team.id, pool: nil).map(\.uuid)).union(horses)
      }, clear)
  }

  package func counts(of team: TeamID) async throws -> RecordCounts { try await store.counts(of: team) }
}
