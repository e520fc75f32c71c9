import FlowBackup
import FlowCalendar
import FlowControl
import FlowModel
import FlowNotices
import FlowPlatform
import FlowScheduler
import FlowServices
import FlowSettings
import FlowStore
import FlowWork

/// Answers `org.poolflow.Teams`.
struct TeamsAnswers: TeamsService {
  let store: Store
  let scheduling: TeamScheduling
  let trades: [RunningTrade]
  let backups: BackupKeeper
  let finder: TeamFinder
  let zones: SystemZones
  let settings: EffectiveSettings
  let senders: SenderReports
  let clock: any WallClock
  let mappingErrors: StoreErrorMapper
  let mappingBackupErrors: BackupErrorMapper
  let announce: Announcements

  func add(_ call: TeamsCall.Add, _ caller: Caller) async throws -> TeamsCall.Add.Reply {
    let name = try TeamName(asked: call.name, field: "name")
    let now = clock.now()
    var draft = Team(
      id: TeamID(0), name: name.text, trade: try finder.trade(named: call.trade), zone: call.zone, language: .english,
      units: Region(zone: call.zone)?.units ?? .metric, objective: .time, plan: .free, settings: TeamSettings(),
      createdAt: now)
    _ = try zones.zone(asked: call.zone, isChosen: true)
    if let language = call.language { draft.language = try FieldValue.word(language, field: "language") }
    if let units = call.units { draft.units = UnitSystem(asked: units) }
    // As in the app, a new account starts with a trial of everything.
    draft.plan = .trial(expires: try trialEnd(from: now, zone: call.zone))
    // The default technician is named like the team if the name is allowed for technicians.
    let technician = Technician.isReserved(name.text) ? "technician" : name.text
    let team = try await scheduling.add { [draft] plan in
      let team = try await store.addTeam(draft, defaultTechnician: technician, now: now, plan: plan)
      try await trades.of(team)?.teams.addRecords(team)
      return team
    }
    announce(team, "added by \(caller.words)")
    return TeamsCall.Add.Reply(team: try await view(of: team))
  }

  func list(_ call: TeamsCall.List, _ caller: Caller) async throws -> TeamsCall.List.Reply {
    var views: [TeamView] = []
    for team in try await store.teams() { views.append(try await view(of: team)) }
    return TeamsCall.List.Reply(teams: views)
  }

  func show(_ call: TeamsCall.Show, _ caller: Caller) async throws -> TeamsCall.Show.Reply {
    TeamsCall.Show.Reply(team: try await view(of: try await finder.team(named: call.name)))
  }

  func set(_ call: TeamsCall.Set, _ caller: Caller) async throws -> TeamsCall.Set.Reply {
    let known = try await finder.team(named: call.name)
    let changes = try TeamChange.read(call.changes, of: known, trades: trades, zones: zones)
    let keys = call.changes.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
    for change in changes { try change.check(known, trades: trades) }
    let (team, replanned) = try await change(call.name) { team, connection in
      for change in changes { try change.apply(&team, connection) }
    }
    announce(team, "set \(keys) by \(caller.words)")
    let warnings = trades.of(team)?.teams.settings.warnings(call.changes.map(\.key), team) ?? []
    return TeamsCall.Set.Reply(
      team: try await view(of: team), replanned: replanned, warnings: warnings.isEmpty ? nil : warnings)
  }

  func plan(_ call: TeamsCall.Plan, _ caller: Caller) async throws -> TeamsCall.Plan.Reply {
    let current = try await finder.team(named: call.name)
    let plan: Plan
    switch call.plan {
    case .free: plan = .free
    case .paid: plan = .paid
    case .trial:
      let end = try call.until.map { try zones.instant($0, team: current, now: clock.now(), field: "until") }
      plan = .trial(expires: try end ?? trialEnd(from: clock.now(), zone: current.zone))
    }
    if call.until != nil, call.plan != .trial {
      throw ControlError.badValue(
        field: "until", value: call.until ?? "", why: "an end date is allowed for trials only")
    }
    let (team, replanned) = try await change(call.name) { team, _ in team.plan = plan }
    try await settlePastReminder(of: team)
    announce(team, "put on plan \(plan.word) by \(caller.words)")
    return TeamsCall.Plan.Reply(team: try await view(of: team), replanned: replanned)
  }

  /// Records a reminder of the trial's end as suppressed if its time was already past when the trial was set.
  private func settlePastReminder(of team: Team) async throws {
    let now = clock.now()
    for job in try await store.jobs(of: team.id)
    where job.kind.decision?.suppressionReasons.contains(.alreadyPast) == true {
      if case .once(let slot) = job.rule, slot <= now {
        try await store.recordSilence(job: job.id, slot: slot, silence: .alreadyPast, now: now)
      }
    }
  }

  /// End of a trial: seven calendar days later at the same local time. Source: product.md, Plans, golden file `gating.json`.
  private func trialEnd(from now: Timestamp, zone name: String) throws -> Timestamp {
    try zones.zone(asked: name).sameTime(7, daysAfter: now)
  }

  /// Changes a team and re-plans its jobs.
  ///
  /// - Returns: the changed team, and the jobs whose schedules changed.
  private func change(
    _ name: String, _ change: @escaping TradeSettings.Change
  ) async throws -> (Team, [ReplannedView]) {
    let id = try await finder.team(named: name).id
    let (team, generations, now) = try await scheduling.perform(.rules(of: id)) { plan in
      let before = try await store.jobs(of: id)
      let generations = Dictionary(before.map { ($0.id, $0.generation) }, uniquingKeysWith: { first, _ in first })
      let now = clock.now()
      let team = try await store.changeTeam(
        named: name, now: now,
        changeWithRecords: { [trades] team, connection in
          try trades.of(team)?.teams.settings.check(team.id, connection)
          try change(&team, connection)
        }, plan: plan)
      return (team, generations, now)
    }
    // Clear failures that this change has corrected, without waiting for the next check of all teams.
    let unplanned = await scheduling.scheduler?.unplannedTeams.filter { $0.key == team.id } ?? [:]
    try await store.setTeamFailures(unplanned, with: FailureCode.schedule, of: .one(team.id), now: now)
    let moved = try await store.jobs(of: team.id).filter { $0.generation != generations[$0.id] }
    return (
      team,
      moved.map { job in
        let planned = try? PlannedJob(job, zones: zones)
        let next = planned?.schedule?.next(after: max(now, job.cursor))
        return ReplannedView(
          job: job.kind.rawValue, next: next?.instant.description,
          nextLocal: next.map { zones.local($0.instant, zone: job.zone) })
      }
    )
  }

  func rename(_ call: TeamsCall.Rename, _ caller: Caller) async throws -> TeamsCall.Rename.Reply {
    let team = try await finder.team(named: call.name)
    let name = try TeamName(asked: call.to, field: "name")
    let renamed = try await scheduling.perform(.record(of: team.id)) { _ in
      try await store.renameTeam(named: team.name, to: name.text)
    }
    announce(renamed, "was renamed from \(team.name) by \(caller.words)")
    return TeamsCall.Rename.Reply(
      team: try await view(of: renamed),
      remarks: await settingsNaming(team.name, instead: ", which should say \(name.text)"))
  }

  /// One warning for each setting or folder that names the team: sinks, channels of `post.conf`, inbox folders. The store cannot
  /// update these.
  ///
  /// - Parameter instead: ending of the sentence about the new name.
  private func settingsNaming(_ name: String, instead: String) async -> [String] {
    let settings = await settings.reading.settings
    var warnings = settings.sinks.filter { $0.teams?.contains(name) == true }.map {
      "[Sink \($0.name)] names the team \(name)\(instead)"
    }
    for sender in await senders.read() {
      warnings += sender.report.channels.filter { $0.teams?.contains(name) == true }.map {
        "[Channel \($0.name)] of post.conf names the team \(name)\(instead): its board gets no notices until then"
      }
    }
    if let inbox = settings.inbox, FileFacts.exists("\(inbox)/\(name)") {
      warnings.append("files in the folder '\(inbox)/\(name)' are not imported any more\(instead)")
    }
    return warnings
  }

  func clear(_ call: TeamsCall.Clear, _ caller: Caller) async throws -> TeamsCall.Clear.Reply {
    let team = try await finder.team(named: call.name)
    try team.mustBeConfirmed(by: call.confirm, unless: call.dryRun)
    let (cleared, saved) = try await deleteRecords(
      team, dryRun: call.dryRun, withoutArchive: call.withoutArchive == true, verb: "clear", done: "cleared")
    if !call.dryRun {
      announce(
        team,
        "was cleared by \(caller.words): \(cleared.removed) were removed; "
          + "backup \(saved.backup ?? "") has them")
    }
    return TeamsCall.Clear.Reply(
      dryRun: call.dryRun, team: team.name, before: cleared.before, after: cleared.after, held: cleared.held,
      backup: saved.backup,
      archives: saved.archives)
  }

  func remove(_ call: TeamsCall.Remove, _ caller: Caller) async throws -> TeamsCall.Remove.Reply {
    let team = try await finder.team(named: call.name)
    try team.mustBeConfirmed(by: call.confirm, unless: call.dryRun)
    // Empty the team first, photos included, then remove it: after a crash in between the caller repeats the command.
    let (cleared, saved) = try await deleteRecords(
      team, dryRun: call.dryRun, withoutArchive: call.withoutArchive == true, verb: "remove", done: "removed")
    var undelivered = cleared.held
    if !call.dryRun {
      guard
        let left = try await scheduling.perform(
          .record(of: team.id), { _ in try await store.removeTeam(named: team.name) })
      else {
        throw ControlError(
          .busy,
          "team '\(team.name)' is running a job; its records are in backup "
            + "\(saved.backup ?? "") and gone: try again")
      }
      undelivered = left
      announce(team, "was removed by \(caller.words); backup \(saved.backup ?? "") has it")
    }
    return TeamsCall.Remove.Reply(
      dryRun: call.dryRun, team: team.name, before: cleared.before,
      undelivered: undelivered,
      backup: saved.backup, archives: saved.archives, remarks: await settingsNaming(team.name, instead: ""))
  }

  /// Deletes a team's records after a backup of them; a dry run returns what would be deleted.
  private func deleteRecords(
    _ team: Team, dryRun: Bool, withoutArchive: Bool, verb: String, done: String
  ) async throws -> (ClearedRecordsView, saved: (backup: String?, archives: [String])) {
    let records = try trades.records(of: team)
    var backup: BackupKeeper.BackupSummary?
    if !dryRun {
      backup = try await mappingBackupErrors {
        try await backups.create(reason: "before team \(team.name) was \(done)", planLimits: false, only: team.id)
      }
    }
    let archives = (backup?.manifest?.archives ?? []).filter { $0.team == team.name }
    var wanted = (
      records: archives.reduce(0) { $0 + $1.records }, events: archives.reduce(0) { $0 + $1.events }
    )
    if let trouble = backup?.manifest?.troubles?.first(where: { $0.team == team.name }) {
      guard withoutArchive else {
        throw ControlError(
          .backupFailed,
          "no archive of team '\(team.name)' can be made: \(trouble.why). Nothing was \(done); the snapshot of backup "
            + "\(backup?.id ?? "") holds the team. To \(verb) it anyway: pfctl team \(verb) \(team.name) "
            + "--without-archive")
      }
      // Without an archive, the counts of the snapshot must match before the deletion.
      wanted = (trouble.records ?? 0, trouble.events ?? 0)
    }
    let cleared = try await mappingErrors {
      try await records.clear(team, dryRun: dryRun) { [wanted] records, events in
        guard dryRun || (records, events) == wanted else {
          throw ControlError(
            .busy, "team '\(team.name)' was changed while its archive was written; nothing was \(done): try again")
        }
      }
    }
    if !dryRun { try await store.clearTeamFailures(of: team.id) }
    let folder = backup.map { backups.folder.folder($0.id) } ?? ""
    return (cleared, (backup?.id, archives.map { "\(folder)/\($0.name)" }))
  }

  private func view(of team: Team) async throws -> TeamView {
    let part = try await trades.of(team)?.teams.view(team) ?? TradeTeamView()
    let technicians = try await store.technicians(of: team.id)
    let expires: Timestamp? = if case .trial(let expires) = team.plan { expires } else { nil }
    let format = RegionalFormat(team)
    return TeamView(
      name: team.name, zone: team.zone, language: team.language.rawValue, units: UnitsView(team.units),
      objective: ObjectiveView(team.objective), plan: PlanView(ours: team.plan.word),
      trialExpiresAt: expires?.description,
      trialExpiresLocal: expires.map { zones.local($0, zone: team.zone) },
      clock: team.clock.rawValue, currency: CurrencyView(team.currency),
      settings: TeamSettingsView(
        notifications: team.settings.notificationsEnabled, morningSummary: team.settings.morningNotice,
        lowStock: team.settings.lowStockForTomorrow, weeklyDigest: team.settings.weeklyDigest,
        morningTime: team.settings.morningTime.description, routePreview: team.settings.eveningPreview,
        routeOrder: RouteOrderView(team.settings.stopOrder),
        dayStart: team.settings.dayStart?.description, stopMinutes: team.settings.stopMinutes,
        windows: WindowRuleView(team.settings.windows), doseUnits: team.settings.doseUnits.rawValue,
        defaultVolumeGallons: team.settings.defaultVolumeGallons,
        defaultVolumeText: part.defaultVolumeText,
        showBothUnits: team.settings.showsBothUnits, dosing: team.settings.dosing.rawValue,
        lsiMethod: team.settings.lsiMethod.rawValue, freezeWarning: team.settings.freezeWarning,
        freezeWarningText: team.settings.freezeWarning.map(format.temperature),
        rainHint: team.settings.rainHint, rainHintText: team.settings.rainHint.map(format.rain)),
      technicians: technicians.map {
        TechnicianView(name: $0.name, isDefault: $0.isDefault, pools: part.assigned[$0.id] ?? 0)
      },
      pools: part.assigned.values.reduce(0, +), createdAt: team.createdAt.description, trade: team.trade.rawValue,
      horses: part.ownRecords, barn: part.ownSettings, others: part.others)
  }
}
