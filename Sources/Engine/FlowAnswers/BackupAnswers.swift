import FlowBackup
import FlowCalendar
import FlowControl
import FlowDelivery
import FlowModel
import FlowPlatform
import FlowServices
import FlowSettings
import FlowStore

/// Answers `org.poolflow.Backup`.
struct BackupAnswers: BackupService {
  let context: ServiceContext
  let trades: [RunningTrade]
  let backups: BackupKeeper
  let uploads: Uploads
  let notices: OperatorNotices
  let restart: RestartRequest

  func create(_ call: BackupCall.Create, _ caller: Caller) async throws -> BackupCall.Create.Reply {
    let reason = try FieldValue("notes", call.reason ?? "").words(.backupReason)
    let second = await context.settings.reading.settings.backupDirectory
    let limited = await context.plans.limitsApply
    let line = try await context.mappingBackupErrors {
      try await backups.create(
        reason: reason.isEmpty ? "asked for by \(caller.words)" : reason, second: second, planLimits: limited)
    }
    context.log.report(
      .backupMade, .notice,
      "backup \(line.id) was made and \(context.choice.isOnServer ? "its archives read back" : "restored for proof"), "
        + "\(sizeText(line.bytes)), by \(caller.words)",
      [("POOLFLOW_BACKUP", line.id), ("POOLFLOW_CALLER_UID", String(caller.uid))])
    await notices.notifyTeamFailures()
    for trouble in (line.manifest?.troubles ?? []).prefix(Limits.failuresShown) {
      context.log.error("backup \(line.id) lacks the archives of team '\(trouble.team)': \(trouble.why)")
    }
    var withheld: [String] = []
    for team in try await context.store.teams() where withheld.count < Limits.problemsShown {
      do {
        try await context.plans.requireAccess(.backupRestore, to: team, called: "backup archives")
      } catch let closed as ControlError {
        withheld.append(closed.message)
      }
    }
    return BackupCall.Create.Reply(
      backup: view(of: line), withheld: withheld,
      remark: context.choice.isOnServer
        ? "it holds only the teams' archives: copy all records of the server with pg_dump or pgBackRest"
        : nil)
  }

  func list(_ call: BackupCall.List, _ caller: Caller) async throws -> BackupCall.List.Reply {
    BackupCall.List.Reply(backups: try await context.mappingBackupErrors { try await backups.list() }.map(view))
  }

  func show(_ call: BackupCall.Show, _ caller: Caller) async throws -> BackupCall.Show.Reply {
    let line = try await backup(call.id)
    return BackupCall.Show.Reply(
      backup: view(of: line),
      archives: (line.manifest?.archives ?? []).map { BackupArchiveView($0) },
      files: (line.manifest?.files ?? []).map { BackupFileView(name: $0.name, bytes: $0.bytes, sha256: $0.sha256) })
  }

  func verify(_ call: BackupCall.Verify, _ caller: Caller) async throws -> BackupCall.Verify.Reply {
    let id = try await backup(call.id).id
    let damage = try await context.mappingBackupErrors { try await backups.verify(id, full: call.full) }
    if let first = damage.first { context.log.error("backup \(id) is damaged: \(first)") }
    return BackupCall.Verify.Reply(
      backup: view(of: try await backup(id)), damage: damage.prefix(Limits.problemsShown).map { "\($0)" })
  }

  func prune(_ call: BackupCall.Prune, _ caller: Caller) async throws -> BackupCall.Prune.Reply {
    let retention = await context.settings.reading.settings.backupRetention
    let zone = try context.zones.zone(asked: LocalZone.own)
    let (removed, kept) = try await context.mappingBackupErrors {
      try await backups.prune(retention, zone: zone, dryRun: call.dryRun)
    }
    if !call.dryRun, !removed.isEmpty {
      context.log.notice("\(removed.count) backups were removed by \(caller.words); \(kept.count) stay")
    }
    return BackupCall.Prune.Reply(rule: "\(retention)", removed: removed.map(view), kept: kept.map(view))
  }

  func restore(_ call: BackupCall.Restore, _ caller: Caller) async throws -> BackupCall.Restore.Reply {
    do throws(RecordsOnServer) {
      try context.choice.refuse(
        "to put the whole store back",
        instead: "stop the daemon and use pg_restore or pgBackRest; to restore one team's records, use --team")
    } catch {
      throw ControlError(.badBackup, "\(error)")
    }
    let line = try await backup(call.id)
    guard call.dryRun || call.confirm == line.id else {
      throw ControlError.badValue(
        field: "confirm", value: call.confirm ?? "", why: "to confirm, repeat the id of the backup: \(line.id)")
    }
    let damage = try await context.mappingBackupErrors { try await backups.verify(line.id, full: call.dryRun) }
    if let first = damage.first {
      throw ControlError(.badBackup, "backup \(line.id) cannot be restored: \(first); nothing was changed")
    }
    let now = try await context.mappingErrors { try await context.reader.rows() }
    let then = line.manifest?.rows ?? [:]
    let tables = Set(now.keys).union(then.keys).sorted().map {
      RestoredTableView(table: $0, before: now[$0] ?? 0, after: then[$0] ?? 0)
    }
    var warnings = [
      "everything since \(context.zones.local(line.createdAt, zone: LocalZone.own)) is no longer in the store; "
        + "the present store is kept as a copy",
      "notices undelivered in the backup are put on hold: see `pfctl outbox release` or `discard`",
    ]
    if let schema = line.manifest?.schema, let known = try? await context.reader.schema(), schema < known {
      warnings.append("the backup has schema \(schema) and is migrated to \(known)")
    }
    guard !call.dryRun else {
      return BackupCall.Restore.Reply(backup: view(of: line), tables: tables, warnings: warnings)
    }
    let prepared = try await context.mappingBackupErrors {
      try await backups.stage(line.id, state: context.paths.state)
    }
    context.log.warning(
      "backup \(line.id) replaces the store, asked for by \(caller.words); the old store is kept as \(prepared.keptAs)"
    )
    warnings += prepared.photos.sentences
    restart.request(after: caller.connection)
    return BackupCall.Restore.Reply(
      backup: view(of: line), tables: tables, warnings: warnings, keptAs: prepared.keptAs)
  }

  /// The backup with this id.
  ///
  /// - Parameter id: an id, a unique prefix of one, or `latest`.
  func backup(_ id: String) async throws -> BackupKeeper.BackupSummary {
    try await context.mappingBackupErrors {
      let lines = try await backups.list()
      guard id == "latest" else {
        if let found = try Self.line(id, among: lines) { return found }
        return try await backups.show(id)
      }
      // A backup dated in the future by a wrong clock does not count as the newest.
      let now = context.clock.now()
      guard let newest = lines.first(where: { $0.createdAt <= now }) ?? lines.first else {
        return try await backups.show(id)
      }
      return newest
    }
  }

  /// The backup whose id begins with `id`; nil for none. An exact match wins, because a second backup within the same second
  /// has an id that starts with the first one's.
  private static func line(_ id: String, among lines: [BackupKeeper.BackupSummary]) throws -> BackupKeeper
    .BackupSummary?
  {
    if let whole = lines.first(where: { $0.id == id }) { return whole }
    let found = id.isEmpty ? [] : lines.filter { $0.id.hasPrefix(id) }
    guard found.count > 1 else { return found.first }
    throw ControlError.ambiguous(.ambiguousBackup, id, "backups", found.map { ($0.id, $0.id) })
  }

  private func view(of line: BackupKeeper.BackupSummary) -> BackupView {
    let zone = LocalZone.own
    return BackupView(
      id: line.id, state: line.finding == nil ? .tested : .damaged, finding: line.finding,
      createdAt: line.createdAt.description, createdLocal: context.zones.local(line.createdAt, zone: zone),
      reason: line.reason, bytes: line.bytes, archives: line.manifest?.archives.count ?? 0,
      schema: line.manifest?.schema, version: line.manifest?.version, sha256: line.manifestSHA256,
      verifiedAt: line.verifiedAt?.description,
      verifiedLocal: line.verifiedAt.map { context.zones.local($0, zone: zone) },
      path: backups.folder.folder(line.id),
      troubles: line.manifest?.troubles?.map { BackupTroubleView(team: $0.team, why: $0.why) })
  }
}

extension BackupArchiveView {
  fileprivate init(_ archive: BackupManifest.Archive) {
    let (isOriginal, isSecond) = (archive.members == .original, archive.members == .second)
    self.init(
      name: archive.name, team: archive.team, technician: archive.technician,
      pools: isOriginal ? archive.records : 0, visits: isOriginal ? archive.events : 0, photos: archive.photos,
      dosesWithoutStock: archive.dosesWithoutStock, horses: isSecond ? archive.records : nil,
      care: isSecond ? archive.events : nil,
      others: archive.others?.map { RecordCountView(one: $0.one, many: $0.many, count: $0.count) })
  }
}
