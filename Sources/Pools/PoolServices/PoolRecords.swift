import PoolControl
import FlowBackup
import FlowCalendar
import FlowControl
import FlowModel
import FlowPlatform
import FlowServices
import FlowStore
import PoolBackup
import PoolChemistry
import PoolDigests
import PoolInterchange
import PoolModel
import PoolStore

/// Imports, restores and removes the records of pool service teams.
struct PoolRecords: TradeRecords {
  private let store: Store
  private let finder: TeamFinder
  private let zones: SystemZones
  private let photos: PhotoStore
  private let previews = ImportPreviewCache()
  private let importer: PoolImporter

  init(on context: TradeContext) {
    store = context.store
    finder = context.finder
    zones = context.zones
    photos = PhotoStore(folder: context.photos.folder)
    importer = PoolImporter(
      store: store, photos: photos, clock: context.clock, drafts: previews,
      local: { [zones] team, now in
        TeamLocality(
          date: try zones.zone(asked: team.zone).local(at: now).date, isSouthern: zones.isSouthern(team.zone) ?? false)
      },
      isOfOtherTrade: { context.isArchive(at: $0, ofOtherTradeThan: .poolService) })
  }

  var progress: WorkProgress { importer.progress }

  func importFile(_ request: ImportRequest, claim: Claim?) async throws -> ImportedRecords {
    let report = try await importer.run(
      request,
      claim: claim.map { claim in
        (claim.id, { try claim.encode(ImportReportView($0, to: request, count: RecordCountsView.init(pools:))) })
      })
    return ImportedRecords(
      report.kind == .archive ? "an archive" : "a customers file",
      ImportReportView(report, to: request, count: RecordCountsView.init(pools:)))
  }

  func restore(_ request: RestoreRequest) async throws -> RestoredRecords {
    let (files, extent) = try await files(of: request)
    let report = try await importer.restore(
      files, over: extent, of: request.team, dryRun: request.dryRun, limitsPools: request.limitsRecords)
    return RestoredRecords(
      archives: report.archives.map {
        RestoredArchiveView(
          name: $0.name, technician: $0.technician, schema: $0.manifest.schemaVersion, madeBy: $0.manifest.appVersion,
          madeLocal: zones.local($0.manifest.createdAt, zone: LocalZone.own), pools: $0.counts.pools,
          visits: $0.counts.serviceEvents, photos: $0.counts.photos)
      }, before: RecordCountsView(pools: report.effect.before), after: RecordCountsView(pools: report.effect.after),
      lost: RecordCountsView(pools: report.effect.lost), lostCustomers: report.effect.lostCustomers,
      held: report.effect.held, warnings: warnings(about: report, request, extent))
  }

  /// The archives to restore, and the records that they replace.
  private func files(of request: RestoreRequest) async throws -> ([ArchiveToRestore], RestoreExtent) {
    switch request.source {
    case .backup(let files): return (files, request.technician.map { .technician($0) } ?? .team)
    case .upload(let path, let name):
      // A technician without records of their own has a partial archive in nightly backups: the pools they drive to.
      let parts = try await store.archiveParts(of: request.team.id).filter {
        $0.technician.name.lowercased() == request.technician?.lowercased()
      }
      if let technician = request.technician, parts.isEmpty {
        try await finder.checkTechnician(technician, field: "technician", of: request.team)
      }
      let isShare = !parts.isEmpty && parts.allSatisfy { !$0.isOwn }
      let uploaded = ArchiveToRestore(
        path: path, name: name, technician: request.technician,
        isOwn: request.technician != nil && !isShare, isFromOwnBackup: false)
      return ([uploaded], isShare ? .poolsOfTechnician(request.technician ?? "") : .scope(request.technician))
    }
  }

  private func warnings(
    about report: TeamRestoreReport, _ request: RestoreRequest, _ extent: RestoreExtent
  ) -> [String] {
    let localizer = Localizer(request.team)
    var warnings = report.warnings.map { localizer.words(of: $0) }
    for archive in report.archives where archive.manifest.schemaVersion < 2 {
      warnings.append(
        "'\(archive.name)' has schema 1, which does not store equipment: the equipment of its pools is lost")
    }
    let kept = report.effect.servicesKept
    if kept > 0 {
      warnings.append(
        "the backup does not say on which dates pools are served beyond their weekday: \(countText(kept, "pool keeps its", "pools keep their")) "
          + "present dates and pauses; see `pfctl service list`")
    }
    let works = report.effect.workKept
    if works > 0 {
      warnings.append(
        "the backup does not say what work comes back at pools: \(countText(works, "pool keeps its", "pools keep their")) "
          + "present recurring work; see `pfctl work list`")
    }
    let unchanged = report.effect.changesKept
    if unchanged > 0 {
      warnings.append(
        "the backup does not say which stops were moved, skipped or given to another technician: "
          + "\(countText(unchanged, "pool keeps its", "pools keep their")) present changed dates; see `pfctl stop list`"
      )
    }
    switch extent {
    case .poolsOfTechnician(let name):
      warnings.append("only the pools that \(name) services are replaced; the stock that the team shares stays")
    case .technician(let name):
      warnings.append("only the pools and stock of \(name) are replaced; the stock that the team shares stays")
    case .scope(let name?): warnings.append("only records that were imported for \(name) alone are replaced")
    case .scope(nil): warnings.append("all records that were imported for the whole team are replaced")
    case .team: break
    }
    return warnings
  }

  func clear(
    _ team: Team, dryRun: Bool, unless changed: @escaping @Sendable (_ records: Int, _ events: Int) throws -> Void
  ) async throws -> ClearedRecordsView {
    let stock = CatalogueItem.standard.map(\.stockItem)
    func clear(_ change: PhotoChange?) async throws -> ClearedRecords {
      try await store.clear(team.name, stock: stock, dryRun: dryRun, change: change) { counts in
        try changed(counts.pools, counts.serviceEvents)
      }
    }
    let cleared =
      dryRun
      ? try await clear(nil)
      : try await photos.replace(
        of: team.id, by: nil,
        known: { Set(try await store.photoEvents(of: team.id, pool: nil).map(\.uuid)) }, clear)
    return ClearedRecordsView(
      before: RecordCountsView(pools: cleared.before), after: RecordCountsView(pools: cleared.after),
      removed: "\(cleared.before.pools) pools and \(cleared.before.serviceEvents) visits", held: cleared.held)
  }

  func noun(of report: ImportReportView) -> (one: String, many: String)? { report.poolNoun }

  func counts(of team: TeamID) async throws -> RecordCountsView {
    RecordCountsView(pools: try await store.counts(of: team))
  }

  func change(from before: RecordCountsView, to after: RecordCountsView) -> String {
    "\(before.pools) pools before, \(after.pools) after"
  }

  func forgetOldPreviews(now: Timestamp) { previews.tidy(now: now) }
}

extension RecordCountsView {
  fileprivate init(pools counts: RecordCounts) {
    self.init(
      pools: counts.pools, serviceEvents: counts.serviceEvents, chemicalDoses: counts.chemicalDoses,
      inventoryItems: counts.inventoryItems, customerProfiles: counts.customerProfiles, equipment: counts.equipment,
      photos: counts.photos)
  }
}
