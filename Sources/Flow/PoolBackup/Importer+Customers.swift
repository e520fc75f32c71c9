import FoundationEssentials
import PoolInterchange
import PoolModel
import PoolPlatform
import PoolStore

/// Customers files.
extension Importer {
  func runCustomers(
    _ path: String, name: String, team: Team, technician: String?, rehearse: Bool, limitsPools: Bool, map: [String],
    isOfProfiles: Bool, claim: (id: String, write: @Sendable (ImportReport) throws -> String)?
  ) async throws -> ImportReport {
    let bytes = try Self.bytes(of: path, name: name, limit: Limits.csvBytes + 1)
    guard bytes.count <= Limits.csvBytes else {
      throw ImportRefusal(
        description: "'\(name)' has more than the \(Limits.csvBytes >> 20) MiB a customers file may have; "
          + "split it; nothing was changed")
    }
    let now = clock.now()
    let plan: CSVPlan
    do {
      let columns = try CSVHeadingMap(map)
      if !columns.isEmpty {
        let headings = CSVImport.headings(of: bytes, map: columns)
        if let heading = columns.firstMissing(in: headings) {
          throw CSVMapError.unknownHeading(heading, among: headings)
        }
      }
      plan = try await self.plan(
        bytes, team: team, columns: columns, isOfProfiles: isOfProfiles, limitsPools: limitsPools, now: now,
        keepDraft: rehearse)
    } catch let error as CSVError {
      throw ImportRefusal(of: name, error, headings: CSVImport.headings(of: bytes))
    } catch let error as CSVMapError {
      throw ImportRefusal(description: "'\(name)' was not imported: \(error); nothing was changed")
    }
    let report = { @Sendable (effect: ImportEffect) in ImportReport(plan, effect) }
    // What is only counted may come in any order.
    return report(
      try await store.upsertPools(
        team: team.name, technician: technician, pools: rehearse ? plan.pools : plan.touchedPools,
        profiles: rehearse ? plan.profiles : plan.touchedProfiles, now: now, rehearse: rehearse,
        limitsPools: limitsPools,
        claim: claim.map { claim in ImportClaim(id: claim.id) { try claim.write(report($0)) } }))
  }

  /// What the file does to the team's pools: the plan that a preview left, where everything it rests on is still so.
  private func plan(
    _ bytes: [UInt8], team: Team, columns: CSVHeadingMap, isOfProfiles: Bool, limitsPools: Bool, now: Timestamp,
    keepDraft: Bool
  ) async throws -> CSVPlan {
    let existing = try await store.allPools(of: team.id)
    let profiles = try await store.profiles(of: team.id)
    let about = CSVTeam(team)
    let limited = limitsPools && team.plan.isLimited(at: now)
    let remaining = limited ? Limits.freePlanPools - existing.count : nil
    // A long file, or a team of very many pools, would weigh on the memory of a daemon at rest.
    let question =
      bytes.count > Limits.draftBytes || existing.count > Limits.csvRows
      ? nil
      : CustomersDrafts.Question(
        file: Data(bytes), language: team.language, units: team.units, columns: columns, isOfProfiles: isOfProfiles,
        team: about,
        pools: existing, profiles: profiles, freePlanRemaining: remaining)
    if !keepDraft, let question, var plan = drafts.take(question) {
      plan.move(to: now)
      return plan
    }
    var ids = FreshIDs(at: now)
    let table = try CSVImport.read(
      bytes: bytes, locale: team.language, units: team.units, map: columns, isOfProfiles: isOfProfiles)
    let plan = CSVImport.plan(
      table, existing: existing, profiles: profiles, team: about, repeats: .keepFirst, freePlanRemaining: remaining,
      now: now,
      makeID: { ids.next(on: $0) })
    if keepDraft, let question { drafts.keep(plan, for: question, at: now) }
    return plan
  }
}

extension ImportReport {
  /// - Parameter plan: of a customers file.
  fileprivate init(_ plan: CSVPlan, _ effect: ImportEffect) {
    // In the order of the file, and for each row first what keeps it or one of its values out.
    let issues = (plan.issues + plan.notices).enumerated().sorted {
      ($0.element.row, $0.offset) < ($1.element.row, $1.offset)
    }
    self.init(
      kind: .csv, effect: effect, creates: plan.creates, updates: plan.updates, skips: plan.skips,
      issues: issues.map(\.element).map { issue in
        Issue(
          row: issue.row, isError: issue.severity == .error, field: issue.field.rawValue,
          fault: .customers(issue.fault), value: issue.value)
      },
      warnings: [], photos: 0,
      file: CSVFileReport(
        columns: plan.columns.map { CSVFileReport.Column(heading: $0.heading, meaning: $0.column?.rawValue) },
        remarks: plan.remarks, inactive: plan.inactive, preview: plan.preview))
  }
}

extension ImportRefusal {
  /// Says also what the first row has, where what it lacks is the reason.
  fileprivate init(of name: String, _ error: CSVError, headings: [String]) {
    let refusal = "'\(name)' was not imported: \(error)"
    guard case .missingRequiredColumns(let columns) = error, !headings.isEmpty else {
      self.init(description: "\(refusal); nothing was changed")
      return
    }
    let names = columns.map { "--map 'THEIR HEADING=\($0.rawValue)'" }.joined(separator: " and ")
    self.init(
      description: "\(refusal); it has \(CSVHeader.list(headings)); `pfctl import` with \(names) names each; "
        + "nothing was changed",
      logged: "\(refusal); nothing was changed")
  }
}
