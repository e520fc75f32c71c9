import FoundationEssentials
import PoolBackup
import PoolControl
import PoolDigests
import PoolModel
import PoolStore

/// Answers `org.poolflow.Import`.
struct ImportAnswers: ImportService {
  let uploads: Uploads
  let importer: Importer
  let plans: PlanGate
  let finder: TeamFinder
  let water: WaterRefresh
  let refusing: StoreRefusals
  let announce: Announcements
  let inbox: InboxImports

  func open(_ call: ImportCall.Open, _ caller: Caller) async throws -> ImportCall.Open.Reply {
    _ = try await finder.team(named: call.team)
    if let technician = call.technician {
      try FieldValue.checkName(technician, field: "technician")
    }
    try FieldValue.checkName(call.fileName, field: "file")
    return ImportCall.Open.Reply(upload: try await uploads.open(call, connection: caller.connection))
  }

  func piece(_ call: ImportCall.Piece, _ caller: Caller) async throws -> ImportCall.Piece.Reply {
    guard let data = Data(base64Encoded: call.data), data.count <= Limits.uploadPieceBytes else {
      throw ControlError.invalidParameter("data", "a piece is base64 of at most \(Limits.uploadPieceBytes) bytes")
    }
    return ImportCall.Piece.Reply(
      received: try await uploads.add(
        call.upload, offset: call.offset, data: Array(data), connection: caller.connection))
  }

  func apply(_ call: ImportCall.Apply, _ caller: Caller) async throws -> ImportCall.Apply.Reply {
    let upload = try await uploads.finished(call.upload, connection: caller.connection)
    let team = try await finder.team(named: upload.team)
    let limited = await plans.areLimited
    do {
      let report = try await refusing {
        try await importer.run(
          path: upload.path, name: upload.fileName, team: team, technician: upload.technician, rehearse: call.dryRun,
          limitsPools: limited, replaces: call.replace ?? false)
      }
      if !call.dryRun {
        announce(
          team,
          "took \(report.kind == .archive ? "an archive" : "a customers file") from "
            + "\(caller.words): \(report.effect.before.pools) pools before, \(report.effect.after.pools) after")
        try await uploads.remove(call.upload, connection: caller.connection)
        await water.refresh()
      }
      return ImportCall.Apply.Reply(
        report: ImportReportView(report, team: team, technician: upload.technician, dryRun: call.dryRun))
    } catch let refusal as ImportRefusal {
      throw ControlError.badFile(refusal.description)
    }
  }

  func cancel(_ call: ImportCall.Cancel, _ caller: Caller) async throws -> ImportCall.Cancel.Reply {
    try await uploads.remove(call.upload, connection: caller.connection)
    return ImportCall.Cancel.Reply()
  }

  func inbox(_ call: ImportCall.Inbox, _ caller: Caller) async throws -> ImportCall.Inbox.Reply {
    try await inbox.list()
  }

  func takeInbox(_ call: ImportCall.TakeInbox, _ caller: Caller) async throws -> ImportCall.TakeInbox.Reply {
    try await inbox.takeAll()
  }
}

extension ImportReportView {
  init(_ report: ImportReport, team: Team, technician: String?, dryRun: Bool) {
    let speech = Speech(team)
    self.init(
      kind: report.kind == .archive ? .archive : .csv, dryRun: dryRun, team: team.name, technician: technician,
      before: RecordCountsView(report.effect.before), after: RecordCountsView(report.effect.after),
      creates: report.creates, updates: report.updates, deletes: report.effect.changes?.poolsDeleted,
      visitsLost: report.effect.changes?.visitsLost, visitsReverted: report.effect.changes?.visitsReverted,
      poolsLost: report.effect.changes?.poolsLost, poolsReverted: report.effect.changes?.poolsReverted,
      skips: report.skips,
      issues: report.issues.prefix(Limits.problemsShown).map { issue in
        ImportIssueView(
          row: issue.row, severity: issue.isError ? .error : .warning, field: issue.field,
          message: speech.words(of: issue.fault, field: issue.field ?? ""))
      },
      issuesTotal: report.issues.count, warnings: report.warnings.map { speech.words(of: $0) }, photos: report.photos)
  }
}

extension RecordCountsView {
  init(_ counts: RecordCounts) {
    self.init(
      pools: counts.pools, serviceEvents: counts.serviceEvents, chemicalDoses: counts.chemicalDoses,
      inventoryItems: counts.inventoryItems, customerProfiles: counts.customerProfiles, equipment: counts.equipment,
      photos: counts.photos)
  }
}
