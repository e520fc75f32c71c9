import StableControl
import FlowBackup
import FlowControl
import FlowModel
import FlowPlatform
import FlowServices
import FlowStore
import PoolBackup
import PoolDigests
import PoolServices
import PoolStore
import StableBackup
import StableModel
import StableStore

/// Imports, restores and removes the records of stables.
struct StableTeamRecords: TradeRecords {
  private let store: Store
  private let zones: SystemZones
  private let photos: PhotoStore
  private let importer: StableImporter

  init(on context: TradeContext) {
    store = context.store
    zones = context.zones
    photos = PhotoStore(folder: context.photos.folder)
    importer = StableImporter(store: store, photos: photos, clock: context.clock, zones: zones)
  }

  var progress: WorkProgress { importer.progress }

  func importFile(_ request: ImportRequest, claim: Claim?) async throws -> ImportedRecords {
    let report = try await importer.run(
      request,
      claim: claim.map { claim in
        (claim.id, { try claim.encode(ImportReportView($0, to: request, count: RecordCountsView.init(horses:))) })
      })
    return ImportedRecords(
      report.kind == .archive ? "an archive" : "a list",
      ImportReportView(report, to: request, count: RecordCountsView.init(horses:)))
  }

  func restore(_ request: RestoreRequest) async throws -> RestoredRecords {
    let archive: ArchiveToRestore? =
      switch request.source {
      case .backup(let files): files.first
      case .upload(let path, let name):
        ArchiveToRestore(path: path, name: name, technician: nil, isOwn: false, isFromOwnBackup: false)
      }
    guard request.technician == nil, let file = archive else {
      throw ControlError.badValue(
        field: "technician", value: request.technician ?? "",
        why: "a stable can only be restored as a whole; leave this out")
    }
    let report = try await importer.restore(file, of: request.team, dryRun: request.dryRun)
    let localizer = Localizer(request.team)
    return RestoredRecords(
      archives: [
        RestoredArchiveView(
          name: file.name, technician: nil, schema: 1, madeBy: report.madeBy,
          madeLocal: zones.local(report.madeAt, zone: LocalZone.own), pools: 0, visits: 0,
          photos: report.counts.photos, horses: report.counts.horses, care: report.counts.care)
      ], before: RecordCountsView(horses: report.effect.before), after: RecordCountsView(horses: report.effect.after),
      lost: RecordCountsView(horses: report.lost), lostCustomers: [], held: 0,
      warnings: report.warnings.map { localizer.words(of: $0) })
  }

  func clear(
    _ team: Team, dryRun: Bool, unless changed: @escaping @Sendable (_ records: Int, _ events: Int) throws -> Void
  ) async throws -> ClearedRecordsView {
    func clear(_ change: PhotoChange?) async throws -> ClearedRecords {
      try await store.clearStable(team.name, dryRun: dryRun, change: change) { counts in
        try changed(counts.horses, counts.care)
      }
    }
    let cleared =
      dryRun
      ? try await clear(nil)
      : try await photos.replace(
        of: team.id, by: nil, known: { Set(try await store.photoHorses(of: team.id).map(\.uuid)) }, clear)
    return ClearedRecordsView(
      before: RecordCountsView(horses: cleared.before), after: RecordCountsView(horses: cleared.after),
      removed: "\(cleared.before.horses) horses and \(cleared.before.care) pieces of care", held: cleared.held)
  }

  func noun(of report: ImportReportView) -> (one: String, many: String)? { report.stableNoun }

  func counts(of team: TeamID) async throws -> RecordCountsView {
    RecordCountsView(horses: try await store.counts(of: team))
  }

  func change(from before: RecordCountsView, to after: RecordCountsView) -> String {
    "\(before.horses ?? 0) horses before, \(after.horses ?? 0) after"
  }
}

extension RecordCountsView {
  fileprivate init(horses counts: RecordCounts) {
    self.init(
      pools: 0, serviceEvents: 0, chemicalDoses: 0, inventoryItems: 0, customerProfiles: 0, equipment: 0,
      photos: counts.photos, horses: counts.horses, feedSchedules: counts.schedules, care: counts.care)
  }
}
