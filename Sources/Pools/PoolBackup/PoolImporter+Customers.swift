import FlowBackup
import FlowModel
import FlowPlatform
import FlowStore
import FoundationEssentials
import PoolInterchange
import PoolModel
import PoolStore

/// Import of customers files.
extension PoolImporter {
  /// Imports a customers file, or counts its effect in a dry run.
  ///
  /// - Throws: `ImportRefusal`, `StoreError`.
  func runCustomers(
    _ request: ImportRequest, _ claim: (id: String, write: @Sendable (ImportReport) throws -> String)?
  ) async throws -> ImportReport {
    let (name, team, dryRun) = (request.name, request.team, request.dryRun)
    let bytes = try request.bytes(limit: Limits.csvBytes + 1)
    let now = clock.now()
    let local = try local(team, now)
    let plan: CSVPlan
    do {
      guard bytes.count <= Limits.csvBytes else {
        throw CSVError.tooLarge(bytes: FileFacts(of: request.path)?.bytes ?? bytes.count, limit: Limits.csvBytes)
      }
      let columns = try CSVHeadingMap(request.map)
      if !columns.isEmpty {
        let headings = CSVImport.headings(of: bytes, map: columns)
        if let heading = columns.firstMissing(in: headings) {
          throw CSVMapError.unknownHeading(heading, among: headings)
        }
      }
      plan = try await self.plan(
        bytes, team: team, columns: columns, isOfProfiles: request.isOfProfiles, limitsPools: request.limitsRecords,
        now: now, local: local, keepDraft: dryRun)
    } catch let error as CSVError {
      // The first row may be a customer instead of a header, so it must not be logged.
      throw ImportRefusal(
        description: RefusalTexts(team.language).refusal(of: name, error, headings: CSVImport.headings(of: bytes)),
        logged: RefusalTexts(.english).refusal(of: name, error, headings: []))
    } catch let error as CSVMapError {
      throw ImportRefusal(for: team) { $0.refusal(of: name, $0.text(of: error)) }
    }
    let report = { @Sendable (effect: ImportEffect) in ImportReport(plan, effect) }
    // A dry run only counts, so the order of its records does not matter.
    return report(
      try await store.upsertPools(
        team: team.name, technician: request.technician, pools: dryRun ? plan.pools : plan.touchedPools,
        profiles: dryRun ? plan.profiles : plan.touchedProfiles, rules: NewRules(plan.rules, from: local.date),
        now: now, dryRun: dryRun, limitsPools: request.limitsRecords,
        claim: claim.map { claim in ImportClaim(id: claim.id) { try claim.write(report($0)) } }))
  }

  /// Returns the file's effect on the team's pools: the previewed plan if all its inputs are unchanged, else a new one.
  private func plan(
    _ bytes: [UInt8], team: Team, columns: CSVHeadingMap, isOfProfiles: Bool, limitsPools: Bool, now: Timestamp,
    local: TeamLocality, keepDraft: Bool
  ) async throws -> CSVPlan {
    let existing = try await store.allPools(of: team.id)
    let profiles = try await store.profiles(of: team.id)
    let services = try await store.services(of: team.id)
    let about = CSVTeam(team, isSouthern: local.isSouthern)
    let remaining = limitsPools ? team.plan.recordsLeft(records: existing.count, at: now) : nil
    // Do not keep the plan of a long file or a very large team, because of the memory that it would occupy.
    let inputs =
      bytes.count > Limits.draftBytes || existing.count > Limits.csvRows
      ? nil
      : ImportPreviewCache.Inputs(
        file: Data(bytes), language: team.language, units: team.units, columns: columns, isOfProfiles: isOfProfiles,
        team: about,
        pools: existing, profiles: profiles, services: services, today: local.date,
        freePlanRemaining: remaining)
    if !keepDraft, let inputs, var plan = drafts.take(inputs) {
      plan.move(to: now)
      return plan
    }
    var ids = PoolIDGenerator(at: now)
    let table = try CSVImport.read(
      bytes: bytes, locale: team.language, units: team.units, map: columns, isOfProfiles: isOfProfiles,
      parallel: ThreadRunner())
    let plan = CSVImport.plan(
      table, existing: existing, profiles: profiles, services: services, team: about, repeats: .keepFirst,
      freePlanRemaining: remaining,
      now: now, today: local.date, parallel: ThreadRunner(),
      makeID: { ids.next(on: $0) })
    if keepDraft, let inputs { drafts.keep(plan, for: inputs, at: now) }
    return plan
  }
}

extension ImportReport {
  /// - Parameter plan: the plan of a customers file.
  fileprivate init(_ plan: CSVPlan, _ effect: ImportEffect) {
    // In the order of the file; for each row first the issues that exclude it or one of its values.
    let issues = (plan.issues + plan.notices).enumerated().sorted {
      ($0.element.row, $0.offset) < ($1.element.row, $1.offset)
    }
    self.init(
      kind: .csv, effect: effect, creates: plan.creates, updates: plan.updates, skips: plan.skips,
      issues: issues.map(\.element).map { issue in
        Issue(
          row: issue.row, isError: issue.severity == .error, field: issue.field.rawValue,
          fault: issue.fault, value: issue.value)
      },
      warnings: [], photos: 0,
      file: CSVFileReport(
        columns: plan.columns.map { CSVFileReport.Column(heading: $0.heading, meaning: $0.column?.rawValue) },
        warnings: plan.warnings, inactive: plan.inactive, preview: plan.preview))
  }
}
