import FlowBackup
import FlowControl
import FlowModel
import FlowServices
import FlowStore
import FoundationEssentials

/// Answers `org.poolflow.Import`.
struct ImportAnswers: ImportService {
  let uploads: Uploads
  let trades: [RunningTrade]
  let plans: PlanFeatureGate
  let finder: TeamFinder
  let mappingErrors: StoreErrorMapper
  let announce: Announcements
  let inbox: InboxImports

  func open(_ call: ImportCall.Open, _ caller: Caller) async throws -> ImportCall.Open.Reply {
    let team = try await finder.team(named: call.team)
    if let technician = call.technician {
      try FieldValue.checkName(technician, field: "technician")
      try await finder.checkTechnician(technician, field: "technician", of: team)
    }
    try FieldValue.checkName(call.fileName, field: "file")
    return ImportCall.Open.Reply(upload: try await uploads.open(call, connection: caller.connection))
  }

  func piece(_ call: ImportCall.Piece, _ caller: Caller) async throws -> ImportCall.Piece.Reply {
    guard let data = Data(base64Encoded: call.data), data.count <= Limits.uploadChunkBytes else {
      throw ControlError.invalidParameter("data", "must be base64 of at most \(Limits.uploadChunkBytes) bytes")
    }
    return ImportCall.Piece.Reply(
      received: try await uploads.add(
        call.upload, offset: call.offset, data: Array(data), connection: caller.connection))
  }

  func apply(_ call: ImportCall.Apply, _ caller: Caller) async throws -> ImportCall.Apply.Reply {
    let upload = try await uploads.finished(call.upload, connection: caller.connection)
    let team = try await finder.team(named: upload.team)
    let limited = await plans.limitsApply
    let records = try trades.records(of: team)
    do {
      let imported = try await mappingErrors {
        try await records.importFile(
          ImportRequest(
            path: upload.path, name: upload.fileName, team: team, technician: upload.technician, dryRun: call.dryRun,
            limitsRecords: limited, replaces: call.replace ?? false, map: call.map ?? [],
            isOfProfiles: call.profiles ?? false), claim: nil)
      }
      let report = imported.report
      if !call.dryRun {
        announce(
          team,
          "took \(imported.noun) from \(caller.words): \(records.change(from: report.before, to: report.after))")
        try await uploads.remove(call.upload, connection: caller.connection)
        await trades.of(team)?.teams.recordsImported()
      }
      return ImportCall.Apply.Reply(report: report)
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
