import FlowBackup
import FlowControl
import FlowModel
import FlowServices
import FlowStore
import FoundationEssentials
import PoolBackup
import PoolDigests
import PoolModel
import PoolStore
import StableModel
import TradeBackups

/// Answers `org.poolflow.Import`.
struct ImportAnswers: ImportService {
  let uploads: Uploads
  let importer: Importer
  let plans: PlanFeatureGate
  let finder: TeamFinder
  /// Computes what follows from imported records.
  let recordsImported: @Sendable () async -> Void
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
    do {
      let report = try await mappingErrors {
        try await importer.run(
          path: upload.path, name: upload.fileName, team: team, technician: upload.technician, dryRun: call.dryRun,
          limitsPools: limited, replaces: call.replace ?? false, map: call.map ?? [],
          isOfProfiles: call.profiles ?? false)
      }
      if !call.dryRun {
        announce(
          team,
          "took \(report.kind == .archive ? "an archive" : report.list == nil ? "a customers file" : "a list") from "
            + "\(caller.words): \(report.effect.words(of: team.trade))")
        try await uploads.remove(call.upload, connection: caller.connection)
        await recordsImported()
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

extension ImportEffect {
  /// `120 pools before, 130 after`.
  func words(of trade: Trade) -> String {
    trade == .stable
      ? "\(before.horses) horses before, \(after.horses) after" : "\(before.pools) pools before, \(after.pools) after"
  }
}

extension RecordCounts {
  /// `120 pools and 7200 visits`.
  func countsText(_ trade: Trade) -> String {
    trade == .stable ? "\(horses) horses and \(care) pieces of care" : "\(pools) pools and \(serviceEvents) visits"
  }
}

extension RecordCountsView {
  init(_ counts: RecordCounts, of trade: Trade) {
    let isStable = trade == .stable
    self.init(
      pools: counts.pools, serviceEvents: counts.serviceEvents, chemicalDoses: counts.chemicalDoses,
      inventoryItems: counts.inventoryItems, customerProfiles: counts.customerProfiles, equipment: counts.equipment,
      photos: counts.photos, horses: isStable ? counts.horses : nil, feedSchedules: isStable ? counts.schedules : nil,
      care: isStable ? counts.care : nil)
  }
}
