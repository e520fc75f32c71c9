import FoundationEssentials
import PoolBackup
import PoolControl
import PoolModel
import PoolStore

extension Backend {
  func open(_ call: ImportCall.Open, _ caller: Caller) async throws -> ImportCall.Open.Reply {
    _ = try await team(named: call.team)
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
    let team = try await team(named: upload.team)
    let limited = await planLimits
    do {
      let report = try await refusing {
        try await importer.run(
          path: upload.path, name: upload.fileName, team: team, technician: upload.technician, rehearse: call.dryRun,
          limitsPools: limited)
      }
      if !call.dryRun {
        announce(
          team,
          "took \(report.kind == .archive ? "an archive" : "a customers file") from "
            + "\(caller.words): \(report.effect.before.pools) pools before, \(report.effect.after.pools) after")
        try await uploads.remove(call.upload, connection: caller.connection)
        await refreshAfterImport()
      }
      return ImportCall.Apply.Reply(
        report: view(of: report, team: upload.team, technician: upload.technician, dryRun: call.dryRun))
    } catch let refusal as ImportRefusal {
      throw ControlError.badFile(refusal.description)
    }
  }

  func cancel(_ call: ImportCall.Cancel, _ caller: Caller) async throws -> ImportCall.Cancel.Reply {
    try await uploads.remove(call.upload, connection: caller.connection)
    return ImportCall.Cancel.Reply()
  }

  func view(of report: ImportReport, team: String, technician: String?, dryRun: Bool) -> ImportReportView {
    ImportReportView(
      kind: report.kind == .archive ? .archive : .csv, dryRun: dryRun, team: team, technician: technician,
      before: view(of: report.effect.before), after: view(of: report.effect.after),
      creates: report.creates, updates: report.updates, skips: report.skips,
      issues: report.issues.prefix(Limits.problemsShown).map { issue in
        ImportIssueView(
          row: issue.row, severity: issue.isError ? .error : .warning, field: issue.field, message: issue.message)
      },
      issuesTotal: report.issues.count, warnings: report.warnings, photos: report.photos)
  }

  func view(of counts: RecordCounts) -> RecordCountsView {
    RecordCountsView(
      pools: counts.pools, serviceEvents: counts.serviceEvents, chemicalDoses: counts.chemicalDoses,
      inventoryItems: counts.inventoryItems, customerProfiles: counts.customerProfiles, equipment: counts.equipment,
      photos: counts.photos)
  }
}
