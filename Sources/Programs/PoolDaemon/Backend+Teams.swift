import PoolCalendar
import PoolControl
import PoolJobs
import PoolModel
import PoolNotices
import PoolPlatform
import PoolScheduler
import PoolStore

extension Backend {
  func add(_ call: TeamsCall.Add, _ caller: Caller) async throws -> TeamsCall.Add.Reply {
    guard let name = TeamName(call.name) else {
      throw ControlError.badValue(
        field: "name", value: call.name,
        why: "a team's name is 1 to \(Limits.teamNameLength) letters, digits, '-', '_' or '.', a letter or digit first")
    }
    let now = clock.now()
    var draft = Team(
      id: TeamID(0), name: name.text, zone: call.zone, language: .english, units: .imperial, objective: .time,
      plan: .free, settings: TeamSettings(), createdAt: now)
    _ = try zone(named: call.zone)
    if let language = call.language { draft.language = try word(language, field: "language") }
    if let units = call.units { draft.units = try word(units, field: "units") }
    // As the app does for a new account: everything is open for the first week.
    draft.plan = .trial(expires: try trialEnd(from: now, zone: call.zone))
    let zones = zones
    let team = try await refusing { [draft] in
      try await store.addTeam(draft, defaultTechnician: name.text, now: now) { team in
        try Self.plans(for: team, zones: zones)
      }
    }
    try await scheduler.replan(team: team.id)
    announce(team, "added by \(caller.words)")
    return TeamsCall.Add.Reply(team: try await view(of: team))
  }

  func list(_ call: TeamsCall.List, _ caller: Caller) async throws -> TeamsCall.List.Reply {
    var views: [TeamView] = []
    for team in try await store.teams() { views.append(try await view(of: team)) }
    return TeamsCall.List.Reply(teams: views)
  }

  func show(_ call: TeamsCall.Show, _ caller: Caller) async throws -> TeamsCall.Show.Reply {
    TeamsCall.Show.Reply(team: try await view(of: try await team(named: call.name)))
  }

  func set(_ call: TeamsCall.Set, _ caller: Caller) async throws -> TeamsCall.Set.Reply {
    guard !call.changes.isEmpty else {
      throw ControlError.badValue(field: "changes", value: "", why: "name at least one setting: \(Self.keys)")
    }
    let changes = try call.changes.map { try teamChange($0) }
    let keys = call.changes.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
    let (team, replanned) = try await change(call.name) { team in
      for change in changes { change(&team) }
    }
    announce(team, "set \(keys) by \(caller.words)")
    return TeamsCall.Set.Reply(team: try await view(of: team), replanned: replanned)
  }

  func plan(_ call: TeamsCall.Plan, _ caller: Caller) async throws -> TeamsCall.Plan.Reply {
    let current = try await team(named: call.name)
    let plan: Plan
    switch call.plan {
    case "free": plan = .free
    case "paid": plan = .paid
    case "trial":
      let end = try call.until.map { try instant($0, team: current, field: "until") }
      plan = .trial(expires: try end ?? trialEnd(from: clock.now(), zone: current.zone))
    default: throw ControlError.badValue(field: "plan", value: call.plan, why: "a plan is free, trial or paid")
    }
    if call.until != nil, call.plan != "trial" {
      throw ControlError.badValue(field: "until", value: call.until ?? "", why: "only a trial has an end")
    }
    let (team, replanned) = try await change(call.name) { $0.plan = plan }
    try await settlePastReminder(of: team)
    announce(team, "put on plan \(plan.word) by \(caller.words)")
    return TeamsCall.Plan.Reply(team: try await view(of: team), replanned: replanned)
  }

  /// A reminder whose instant has passed when the trial is set is silent, and the ledger says why.
  private func settlePastReminder(of team: Team) async throws {
    let now = clock.now()
    for job in try await store.jobs(of: team.id) where job.kind == .trialReminder {
      if case .once(let slot) = job.rule, slot <= now {
        try await store.recordSilence(job: job.id, slot: slot, silence: .alreadyPast, now: now)
      }
    }
  }

  /// Seven calendar days on, at the same local time. Source: PRODUCT.md, Plans, golden file `gating.json`.
  private func trialEnd(from now: Timestamp, zone name: String) throws -> Timestamp {
    try zone(named: name).sameTime(7, daysAfter: now)
  }

  static func plans(for team: Team, zones: SystemZones) throws -> [JobPlan] {
    let zone = try zones.zone(named: team.zone)
    return JobPlan.all(of: team, zone: zone)
  }

  /// Changes a team, plans its jobs anew, and says which of them moved.
  private func change(
    _ name: String, _ change: @escaping @Sendable (inout Team) -> Void
  ) async throws -> (Team, [ReplannedView]) {
    // What is due by the old setting has come already, and runs; what is pending vanishes.
    await scheduler.lookNow()
    let before = try await store.jobs(of: try await team(named: name).id)
    let generations = Dictionary(before.map { ($0.id, $0.generation) }, uniquingKeysWith: { first, _ in first })
    let now = clock.now()
    let zones = zones
    let team = try await refusing {
      try await store.changeTeam(named: name, now: now, change: { change(&$0) }) { team in
        try Self.plans(for: team, zones: zones)
      }
    }
    try await scheduler.replan(team: team.id)
    // What the change has mended is no trouble any more, and need not wait for the next look at all teams.
    let unplanned = await scheduler.unplannedTeams.filter { $0.key == team.id }
    try await store.setTroubles(unplanned, with: TroubledWork.schedule, of: [team.id], now: now)
    let moved = try await store.jobs(of: team.id).filter { $0.generation != generations[$0.id] }
    return (
      team,
      moved.map { job in
        let next = next(job, after: now)
        return ReplannedView(
          job: job.kind.rawValue, next: next?.instant.description,
          nextLocal: next.map { local($0.instant, zone: job.zone) })
      }
    )
  }

  private static let keys =
    "zone, language, units, objective, notifications, morning-summary, low-stock, weekly-digest, morning-time, clock, "
    + "currency"

  private func teamChange(_ change: SettingChangeView) throws -> @Sendable (inout Team) -> Void {
    switch change.key {
    case "zone":
      _ = try zone(named: change.value)
      return { $0.zone = change.value }
    case "language":
      let language: Language = try word(change.value, field: change.key)
      return { $0.language = language }
    case "units":
      let units: UnitSystem = try word(change.value, field: change.key)
      return { $0.units = units }
    case "objective":
      let objective: RouteObjective = try word(change.value, field: change.key)
      return { $0.objective = objective }
    case "notifications":
      let isOn = try flag(change)
      return { $0.settings.notificationsEnabled = isOn }
    case "morning-summary":
      let isOn = try flag(change)
      return { $0.settings.morningRouteSummary = isOn }
    case "low-stock":
      let isOn = try flag(change)
      return { $0.settings.lowStockForTomorrow = isOn }
    case "weekly-digest":
      let isOn = try flag(change)
      return { $0.settings.weeklyDigest = isOn }
    case "morning-time":
      guard let time = TimeOfDay(change.value) else {
        throw ControlError.badValue(field: change.key, value: change.value, why: "it is not a time of day; write HH:MM")
      }
      return { $0.settings.morningTime = time }
    case "clock":
      let clock: ClockFormat = try word(change.value, field: change.key)
      return { $0.clock = clock }
    case "currency":
      let currency: Currency? = change.value == "auto" ? nil : try word(change.value, field: change.key)
      return { $0.chosenCurrency = currency }
    default:
      let known = Self.keys.split(separator: ",").map(trimmingSpaces)
      let near = Suggestion.nearest(to: change.key, among: known)
      throw ControlError.badValue(
        field: "setting", value: change.key,
        why: near.map { "there is no such setting; did you mean '\($0)'?" } ?? "the settings are \(Self.keys)")
    }
  }

  private func flag(_ change: SettingChangeView) throws(ControlError) -> Bool {
    switch change.value.lowercased() {
    case "on", "yes", "true", "1": return true
    case "off", "no", "false", "0": return false
    default: throw ControlError.badValue(field: change.key, value: change.value, why: "write on or off")
    }
  }

  private func word<Word: RawRepresentable<String> & CaseIterable>(
    _ text: String, field: String
  ) throws(ControlError) -> Word {
    guard let word = Word(rawValue: text) else {
      let known = Word.allCases.map(\.rawValue).joined(separator: ", ")
      throw ControlError.badValue(field: field, value: text, why: "it is one of \(known)")
    }
    return word
  }

  private func view(of team: Team) async throws -> TeamView {
    let pools = try await store.poolsByTechnician(of: team.id)
    let technicians = try await store.technicians(of: team.id)
    let expires: Timestamp? = if case .trial(let expires) = team.plan { expires } else { nil }
    return TeamView(
      name: team.name, zone: team.zone, language: team.language.rawValue, units: team.units.rawValue,
      objective: team.objective.rawValue, plan: team.plan.word, trialExpiresAt: expires?.description,
      trialExpiresLocal: expires.map { local($0, zone: team.zone) },
      clock: team.clock.rawValue, currency: team.currency.rawValue,
      settings: TeamSettingsView(
        notifications: team.settings.notificationsEnabled, morningSummary: team.settings.morningRouteSummary,
        lowStock: team.settings.lowStockForTomorrow, weeklyDigest: team.settings.weeklyDigest,
        morningTime: team.settings.morningTime.description),
      technicians: technicians.map {
        TechnicianView(name: $0.name, isDefault: $0.isDefault, pools: pools[$0.id] ?? 0)
      },
      pools: pools.values.reduce(0, +), createdAt: team.createdAt.description)
  }
}

extension Caller {
  /// `anna (uid 1000)`, for the log.
  var words: String { name.map { "\($0) (uid \(uid))" } ?? "uid \(uid)" }
}
