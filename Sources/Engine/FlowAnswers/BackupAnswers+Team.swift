import FlowBackup
import FlowControl
import FlowModel
import FlowPlatform
import FlowServices
import FlowStore
import FoundationEssentials

/// Restores a team's records from the archives of a backup or from an uploaded archive.
extension BackupAnswers {
  func restoreTeam(_ call: BackupCall.RestoreTeam, _ caller: Caller) async throws -> BackupCall.RestoreTeam.Reply {
    let team = try await context.finder.team(named: call.team)
    try team.mustBeConfirmed(by: call.confirm, unless: call.dryRun)
    // The records in this store's own backup were within the plan's limit when they were added; an uploaded file may exceed it.
    let limited = call.upload == nil ? false : await context.plans.limitsApply
    let (archives, name) = try await source(of: call, team, caller)
    let records = try trades.records(of: team)
    let restored: RestoredRecords
    do {
      restored = try await context.mappingErrors {
        try await records.restore(
          RestoreRequest(
            team: team, source: archives, technician: call.technician, dryRun: call.dryRun, limitsRecords: limited))
      }
    } catch let refusal as ImportRefusal {
      throw ControlError(.badBackup, refusal.description)
    }
    if !call.dryRun {
      try await context.store.clearTeamFailures(of: team.id)
      let held = restored.held == 0 ? "" : "; \(restored.held) notices are on hold"
      context.announce(
        team,
        "was restored from \(name) by \(caller.words): \(records.change(from: restored.before, to: restored.after))\(held)"
      )
      if let upload = call.upload { try await uploads.remove(upload, connection: caller.connection) }
      await trades.of(team)?.teams.recordsImported()
    }
    return reply(to: call, restored)
  }

  /// The archives to restore, and their source for messages.
  private func source(
    of call: BackupCall.RestoreTeam, _ team: Team, _ caller: Caller
  ) async throws -> (RestoreRequest.Source, name: String) {
    switch (call.id, call.upload) {
    case (let id?, nil):
      let line = try await backup(id)
      let damage = try await context.mappingBackupErrors { try await backups.verify(line.id, full: true) }
      if let first = damage.first {
        throw ControlError(.badBackup, "backup \(line.id) cannot be restored: \(first); nothing was changed")
      }
      let files = try Self.archives(in: line, of: team.name, technician: call.technician).map {
        ArchiveToRestore(
          path: "\(backups.folder.folder(line.id))/\($0.name)", name: $0.name, technician: $0.technician,
          isOwn: $0.own, isFromOwnBackup: true)
      }
      return (.backup(files), "backup \(line.id)")
    case (nil, let id?):
      let upload = try await uploads.finished(id, connection: caller.connection)
      guard upload.team == team.name else {
        throw ControlError.invalidParameter("upload", "the upload was made for team '\(upload.team)'")
      }
      return (.upload(path: upload.path, name: upload.fileName), "'\(upload.fileName)'")
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

  private func reply(to call: BackupCall.RestoreTeam, _ restored: RestoredRecords) -> BackupCall.RestoreTeam.Reply {
    var warnings = restored.warnings
    if restored.held > 0 {
      let are = call.dryRun ? "would be" : "are"
      warnings.append(
        "\(restored.held) undelivered notices \(are) put on hold: see `pfctl outbox release` or `discard`")
    }
    return BackupCall.RestoreTeam.Reply(
      dryRun: call.dryRun, team: call.team, archives: restored.archives, before: restored.before,
      after: restored.after, lost: restored.lost, lostCustomers: restored.lostCustomers, held: restored.held,
      warnings: warnings)
  }

  // MARK: Sending files

  func progress(_ call: BackupCall.Progress, _ caller: Caller) async throws -> BackupCall.Progress.Reply {
    guard let reading = backups.progress.now ?? trades.lazy.compactMap(\.records.progress.now).first else {
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
    let (piece, size) = try await context.mappingBackupErrors {
      try PrivateFiles.piece(of: "\(root)/\(call.file)", at: call.offset, upTo: Limits.uploadChunkBytes)
    }
    return BackupCall.Read.Reply(data: Data(piece).base64EncodedString(), bytes: size)
  }
}
