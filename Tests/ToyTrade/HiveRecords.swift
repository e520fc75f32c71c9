import FlowBackup
import FlowControl
import FlowModel
import FlowPlatform
import FlowServices
import FlowStore

/// Imports, restores and removes hives.
struct HiveRecords: TradeRecords {
  let store: Store
  let clock: any WallClock
  let zones: SystemZones
  let progress = WorkProgress()

  /// Adds the hives of a list, and changes the present ones of the same names.
  func importFile(_ request: ImportRequest, claim: Claim?) async throws -> ImportedRecords {
    let hives = try Self.hives(in: request.path, named: request.name, verb: "imported")
    let report = { @Sendable (effect: HiveEffect) in
      ImportReportView(
        kind: .csv, dryRun: request.dryRun, team: request.team.name, before: RecordCountsView(hives: effect.before),
        after: RecordCountsView(hives: effect.after), creates: effect.after - effect.before,
        updates: hives.count - effect.after + effect.before, skips: 0, issues: [], issuesTotal: 0, warnings: [],
        photos: 0)
    }
    let effect = try await store.replaceHives(
      of: request.team, by: hives, keepsOthers: true, now: clock.now(), dryRun: request.dryRun,
      claim: claim.map { claim in ImportClaim(id: claim.id) { try claim.encode(report($0)) } })
    return ImportedRecords("a list", report(effect))
  }

  func restore(_ request: RestoreRequest) async throws -> RestoredRecords {
    let file: ArchiveToRestore? =
      switch request.source {
      case .backup(let files): files.first
      case .upload(let path, let name):
        ArchiveToRestore(path: path, name: name, technician: nil, isOwn: false, isFromOwnBackup: false)
      }
    guard request.technician == nil, let file else {
      throw ControlError.badValue(
        field: "technician", value: request.technician ?? "", why: "an apiary can only be restored as a whole")
    }
    let hives = try Self.hives(in: file.path, named: file.name, verb: "restored")
    let now = clock.now()
    let effect = try await store.replaceHives(
      of: request.team, by: hives, keepsOthers: false, now: now, dryRun: request.dryRun)
    let archive = RestoredArchiveView(
      name: file.name, schema: 1, madeBy: ProductVersion.text, madeLocal: "", pools: 0, visits: 0, photos: 0,
      others: RecordCountsView(hives: hives.count).others)
    return RestoredRecords(
      archives: [archive], before: RecordCountsView(hives: effect.before), after: RecordCountsView(hives: effect.after),
      lost: RecordCountsView(hives: effect.lost), lostCustomers: [], held: 0, warnings: [])
  }

  private static func hives(in path: String, named name: String, verb: String) throws -> [Hive] {
    do { return try HiveArchives.read(path) } catch {
      throw ImportRefusal(description: "'\(name)' was not \(verb): \(error); nothing was changed")
    }
  }

  func clear(
    _ team: Team, dryRun: Bool, unless changed: @escaping @Sendable (_ records: Int, _ events: Int) throws -> Void
  ) async throws -> ClearedRecordsView {
    let cleared = try await store.clearHives(of: team, dryRun: dryRun) { try changed($0.hives, 0) }
    return ClearedRecordsView(
      before: RecordCountsView(hives: cleared.before.hives), after: RecordCountsView(hives: cleared.after.hives),
      removed: countText(cleared.before.hives, "hive"), held: cleared.held)
  }

  func counts(of team: TeamID) async throws -> RecordCountsView {
    RecordCountsView(hives: try await store.hives(of: team).count)
  }

  func change(from before: RecordCountsView, to after: RecordCountsView) -> String {
    "\(countText(before.others?.first?.count ?? 0, "hive")) before, \(after.others?.first?.count ?? 0) after"
  }
}

extension RecordCountsView {
  init(hives: Int) {
    self.init(
      pools: 0, serviceEvents: 0, chemicalDoses: 0, inventoryItems: 0, customerProfiles: 0, equipment: 0, photos: 0,
      others: [RecordCountView(one: "hive", many: "hives", count: hives)])
  }
}
