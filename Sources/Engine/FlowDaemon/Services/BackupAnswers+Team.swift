import FlowBackup
import FlowControl
import FlowModel
import FlowPlatform
import FlowServices
import FlowStore
import FoundationEssentials
import PoolBackup
import PoolChemistry
import PoolDigests
import PoolInterchange
import PoolModel
import PoolStore
import StableModel
import TradeBackups

/// Restores a team's records from the archives of a backup or from an uploaded archive.
extension BackupAnswers {
  func restoreTeam(_ call: BackupCall.RestoreTeam, _ caller: Caller) async throws -> BackupCall.RestoreTeam.Reply {
    let team = try await finder.team(named: call.team)
    try team.mustBeConfirmed(by: call.confirm, unless: call.dryRun)
    // The pools in this store's own backup were within the plan's limit when they were added; an uploaded file may exceed it.
    let limited = call.upload == nil ? false : await plans.limitsApply
    let (files, extent, source) = try await archives(for: call, of: team, caller)
    if team.trade == .stable { return try await restoreStable(files, source, call, of: team, caller) }
    let report: TeamRestoreReport
    do {
      report = try await mappingErrors {
        try await importer.restore(files, over: extent, of: team, dryRun: call.dryRun, limitsPools: limited)
      }
    } catch let refusal as ImportRefusal {
      throw ControlError(.badBackup, refusal.description)
    }
    if !call.dryRun {
      try await store.clearTeamFailures(of: team.id)
      announce(
        team,
        "was restored from \(source) by \(caller.words): \(report.effect.before.pools) pools before, "
          + "\(report.effect.after.pools) after; \(report.effect.held) notices are on hold")
      if let upload = call.upload { try await uploads.remove(upload, connection: caller.connection) }
      await recordsImported()
    }
    return reply(to: call, of: team, report, extent)
  }

  /// The archives to restore, the records that they replace, and the source's name for messages.
  private func archives(
    for call: BackupCall.RestoreTeam, of team: Team, _ caller: Caller
  ) async throws -> (files: [ArchiveToRestore], extent: RestoreExtent, source: String) {
    switch (call.id, call.upload) {
    case (let id?, nil):
      let line = try await backup(id)
      let damage = try await mappingBackupErrors { try await backups.verify(line.id, full: true) }
      if let first = damage.first {
        throw ControlError(.badBackup, "backup \(line.id) cannot be restored: \(first); nothing was changed")
      }
      let files = try Self.archives(in: line, of: team.name, technician: call.technician)
      return (
        files.map {
          ArchiveToRestore(
            path: "\(backups.folder.folder(line.id))/\($0.name)", name: $0.name, technician: $0.technician,
            isOwn: $0.own, origin: .ownBackup)
        }, call.technician.map { .technician($0) } ?? .team, "backup \(line.id)"
      )
    case (nil, let id?):
      let upload = try await uploads.finished(id, connection: caller.connection)
      guard upload.team == team.name else {
        throw ControlError.invalidParameter("upload", "the upload was made for team '\(upload.team)'")
      }
      // A technician without records of their own has a partial archive in nightly backups: the pools they drive to.
      let archiveParts = try await mappingErrors { try await store.archiveParts(of: team.id) }.filter {
        $0.technician.name.lowercased() == call.technician?.lowercased()
      }
      if let technician = call.technician, archiveParts.isEmpty {
        try await finder.checkTechnician(technician, field: "technician", of: team)
      }
      let isShare = !archiveParts.isEmpty && archiveParts.allSatisfy { !$0.isOwn }
      let file = ArchiveToRestore(
        path: upload.path, name: upload.fileName, technician: call.technician,
        isOwn: call.technician != nil && !isShare, origin: .anywhere)
      return (
        [file], isShare ? .poolsOfTechnician(call.technician ?? "") : .scope(call.technician), "'\(upload.fileName)'"
      )
    default: throw ControlError.invalidParameter("id", "name either a backup or an upload, not both")
    }
  }

  /// The archives of a team in a backup, or only those of one technician.
  ///
  /// - Throws: `ControlError` if there is none.
  private static func archives(
    in line: BackupKeeper.BackupSummary, of team: String, technician: String?
  ) throws(ControlError) -> [BackupManifest.Archive] {
    let ofTeam = (line.manifest?.archives ?? []).filter { $0.team == team }
    guard !ofTeam.isEmpty else {
      if let trouble = line.manifest?.troubles?.first(where: { $0.team == team }) {
        throw ControlError(
          .badBackup,
          "backup \(line.id) holds no archive of team '\(team)', because none could be made: \(trouble.why); nothing was "
            + "changed. Its snapshot holds the team: an older backup may have archives, `pfctl backup list`")
      }
      throw ControlError(
        .badBackup,
        "backup \(line.id) holds no archive of team '\(team)': the team did not exist, had no records, or its plan includes "
          + "no backup archives; nothing was changed")
    }
    guard let technician else { return ofTeam }
    let chosen = ofTeam.filter { $0.technician.lowercased() == technician.lowercased() }
    guard !chosen.isEmpty else {
      let names = ofTeam.map(\.technician)
      throw ControlError.noSuchTechnician(
        technician, team: team, suggestion: Suggestion.nearest(to: technician, among: names))
    }
    return chosen
  }

  private func reply(
    to call: BackupCall.RestoreTeam, of team: Team, _ report: TeamRestoreReport, _ extent: RestoreExtent
  ) -> BackupCall.RestoreTeam.Reply {
    let zone = LocalZone.own
    let localizer = Localizer(team)
    var warnings = report.warnings.map { localizer.words(of: $0) }
    for archive in report.archives where archive.manifest.schemaVersion < 2 {
      warnings.append(
        "'\(archive.name)' has schema 1, which does not store equipment: the equipment of its pools is lost")
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
    if report.effect.held > 0 {
      let are = call.dryRun ? "would be" : "are"
      warnings.append(
        "\(report.effect.held) undelivered notices \(are) put on hold: see `pfctl outbox release` or `discard`")
    }
    return BackupCall.RestoreTeam.Reply(
      dryRun: call.dryRun, team: call.team,
      archives: report.archives.map {
        RestoredArchiveView(
          name: $0.name, technician: $0.technician, schema: $0.manifest.schemaVersion, madeBy: $0.manifest.appVersion,
          madeLocal: zones.local($0.manifest.createdAt, zone: zone), pools: $0.counts.pools,
          visits: $0.counts.serviceEvents, photos: $0.counts.photos)
      }, before: RecordCountsView(report.effect.before, of: team.trade),
      after: RecordCountsView(report.effect.after, of: team.trade),
      lost: RecordCountsView(report.effect.lost, of: team.trade), lostCustomers: report.effect.lostCustomers,
      held: report.effect.held,
      warnings: warnings)
  }

  // MARK: Sending files

  func progress(_ call: BackupCall.Progress, _ caller: Caller) async throws -> BackupCall.Progress.Reply {
    guard let reading = backups.progress.now ?? importer.progress.now else {
      return BackupCall.Progress.Reply(done: 0, total: 0)
    }
    return BackupCall.Progress.Reply(work: reading.work, done: reading.done, total: reading.total)
  }

  func read(_ call: BackupCall.Read, _ caller: Caller) async throws -> BackupCall.Read.Reply {
    let root = backups.folder.folder(call.id)
    guard BackupFolder.isID(call.id), FileFacts.exists(root) else { throw ControlError.noSuchBackup(call.id) }
    guard BackupManifest.isPlain(call.file), FileFacts.exists("\(root)/\(call.file)") else {
      throw ControlError.badValue(
        field: "file", value: call.file, why: "backup \(call.id) has no such file; `pfctl backup show \(call.id)`")
    }
    guard call.offset >= 0 else {
      throw ControlError.badValue(
        field: "offset", value: "\(call.offset)",
        why: "must be 0 or more: it counts bytes from the beginning")
    }
    let (piece, size) = try await mappingBackupErrors {
      try PrivateFiles.piece(of: "\(root)/\(call.file)", at: call.offset, upTo: Limits.uploadChunkBytes)
    }
    return BackupCall.Read.Reply(data: Data(piece).base64EncodedString(), bytes: size)
  }
}
