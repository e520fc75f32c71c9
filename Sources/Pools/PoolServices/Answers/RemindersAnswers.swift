import FlowCalendar
import FlowControl
import FlowModel
import FlowNotices
import FlowPlatform
import FlowScheduler
import FlowServices
import FlowStore
import FlowWork
import PoolDigests
import PoolJobs
import PoolStore

extension Limits {
  /// Maximum reminders of one team; beyond that a calendar is the right tool.
  static let remindersPerTeam = 1_000
}

/// Answers `org.poolflow.Reminders`.
struct RemindersAnswers: RemindersService {
  let store: any FactsOfTeams & Holds & Ledger & LedgerReport & Reminders & Teams
  let scheduling: TeamScheduling
  let finder: TeamFinder
  let zones: SystemZones
  let clock: any WallClock
  let mappingErrors: StoreErrorMapper
  let announce: Announcements

  func add(_ call: RemindersCall.Add, _ caller: Caller) async throws -> RemindersCall.Set {
    let (team, draft) = try await draft(for: call.team, caller)
    let known = try await store.reminders(of: team.id)
    var reminder = try draft.applied(call.values, named: try call.name.map { try ReminderName(asked: $0) }, to: nil)
    if call.name == nil { reminder = reminder.named(apartFrom: known) }
    let made = reminder
    let name = made.reminder.name
    return try await set(made, team, isDryRun: call.dryRun, "set by \(caller.words)") { team, old, others in
      guard old == nil else {
        throw ControlError(
          .reminderExists,
          "team \(team.name) has a reminder '\(name)' already; `pfctl reminder set \(name) --team \(team.name)` changes it",
          facts: ["name": name.text])
      }
      guard others < Limits.remindersPerTeam else {
        throw ControlError.badValue(
          field: "name", value: name.text,
          why: "team \(team.name) has \(others) reminders, the most allowed; remove some, see "
            + "`pfctl reminder list --all`")
      }
      return made
    }
  }

  func change(_ call: RemindersCall.Change, _ caller: Caller) async throws -> RemindersCall.Set {
    let (team, draft) = try await draft(for: call.team, caller)
    let name = try ReminderName(asked: call.name)
    guard !call.values.isEmpty else {
      let keys = ReminderDraft.Key.allCases.map(\.rawValue).joined(separator: ", ")
      throw ControlError.badValue(
        field: "values", value: "", why: "name at least one value, such as text; the keys are \(keys)")
    }
    let old = try await reminder(name, of: team)
    return try await set(
      try draft.applied(call.values, named: name, to: old), team, isDryRun: call.dryRun, "changed by \(caller.words)"
    ) { _, old, _ in
      // Apply the change to the reminder in this transaction: a run may have decreased `timesLeft` meanwhile.
      guard let old else { return nil }
      return try draft.applied(call.values, named: name, to: old)
    }
  }

  func list(_ call: RemindersCall.List, _ caller: Caller) async throws -> RemindersCall.List.Reply {
    var teams = try await finder.optionalTeam(named: call.team).map { [$0] } ?? []
    if call.team == nil { teams = try await store.teams() }
    var views: [ReminderView] = []
    for team in teams {
      let reminders = try await store.reminders(of: team.id)
      guard !reminders.isEmpty else { continue }
      let technicians = try await store.technicians(of: team.id)
      let jobs = Dictionary(
        try await store.jobs(of: team.id).map { ($0.kind, $0) }, uniquingKeysWith: { first, _ in first })
      for one in reminders { views.append(try await view(of: one, team, technicians, job: jobs[one.kind])) }
    }
    if !call.over { views.removeAll(where: \.isOver) }
    views.sort { ($0.next.first?.at ?? "9", $0.team, $0.name) < ($1.next.first?.at ?? "9", $1.team, $1.name) }
    return RemindersCall.List.Reply(reminders: views)
  }

  func remove(_ call: RemindersCall.Remove, _ caller: Caller) async throws -> RemindersCall.Remove.Reply {
    let team = try await finder.team(named: call.team)
    let name = try ReminderName(asked: call.name)
    let old = try await reminder(name, of: team)
    let gone = try await view(of: old, team, try await store.technicians(of: team.id), job: nil)
    try await write(name, team) { _, _, _ in nil }
    announce(team, "reminder \(name): removed by \(caller.words)")
    return RemindersCall.Remove.Reply(reminder: gone)
  }

  // MARK: Shared helpers

  private func draft(for name: String, _ caller: Caller) async throws -> (Team, ReminderDraft) {
    let team = try await finder.team(named: name)
    return (
      team,
      ReminderDraft(
        team: team, technicians: try await store.technicians(of: team.id), zone: try zones.zone(asked: team.zone),
        now: clock.now(), caller: caller.words)
    )
  }

  private func reminder(_ name: ReminderName, of team: Team) async throws -> TeamReminder {
    let known = try await store.reminders(of: team.id)
    if let found = known.first(where: { $0.reminder.name == name }) { return found }
    throw ControlError.noSuchReminder(
      name.text, team: team.name,
      suggestion: Suggestion.nearest(to: name.text, among: known.map(\.reminder.name.text)))
  }

  /// Validates and previews a reminder, and stores it unless this is a dry run.
  ///
  /// - Parameter change: returns the reminder to store, from the team, the stored reminder and the number of the team's other
  ///   reminders.
  private func set(
    _ reminder: TeamReminder, _ team: Team, isDryRun: Bool, _ action: String,
    change: @escaping @Sendable (Team, TeamReminder?, Int) throws -> TeamReminder?
  ) async throws -> RemindersCall.Set {
    let said = try await said(by: reminder.reminder, team)
    // Apply the change once for validation, before the transaction.
    let known = try await store.reminders(of: team.id)
    let old = known.first { $0.reminder.name == reminder.reminder.name }
    _ = try change(team, old, known.count - (old == nil ? 0 : 1))
    var job: JobRecord?
    if !isDryRun {
      try await write(reminder.reminder.name, team, change)
      job = try await store.jobs(of: team.id).first { $0.kind == reminder.kind }
      announce(team, "reminder \(reminder.reminder.name): \(action)")
    }
    let technicians = try await store.technicians(of: team.id)
    return RemindersCall.Set(reminder: try await view(of: reminder, team, technicians, job: job), said: said)
  }

  /// Stores a reminder, or removes it if `change` returns nil, and re-plans the team's jobs.
  private func write(
    _ name: ReminderName, _ team: Team,
    _ change: @escaping @Sendable (Team, TeamReminder?, Int) throws -> TeamReminder?
  ) async throws {
    _ = try await scheduling.perform(.rules(of: team.id)) { plan in
      try await store.changeReminder(name, of: team.name, now: clock.now(), change: change, plan: plan)
    }
  }

  /// The notice that the reminder would send now: `title: text`.
  private func said(by reminder: Reminder, _ team: Team) async throws -> String {
    let now = clock.now()
    let request = FactsRequest.everyDay(of: team.id, now: now)
    guard let facts = try await mappingErrors({ try await store.facts([request]) }).first ?? nil else { return "" }
    let moment = DigestMoment(zone: try zones.zone(asked: team.zone), asOf: now)
    let digest = ReminderDigest(reminder, facts, at: moment)
    return "\(digest.title): \(digest.text)"
  }

  /// A reminder in the form that callers get, with its next slots.
  ///
  /// - Parameter job: nil for a reminder that is not stored.
  private func view(
    of one: TeamReminder, _ team: Team, _ technicians: [Technician], job: JobRecord?
  ) async throws -> ReminderView {
    let plan = one.plan
    let record =
      job
      ?? JobRecord(
        id: JobID(0), teamID: team.id, teamName: team.name, kind: one.kind, rule: plan.rule, zone: team.zone,
        generation: 0, cursor: clock.now(), deadline: nil)
    let next = try await NextSlots(store: store, zones: zones, clock: clock).of(record)
    let (rule, words): (String, String) =
      switch one.rule {
      case .calendar(let text): (text, (try? CalendarExpression(text).inWords) ?? text)
      case .once(let instant): ("once", "once, \(zones.local(instant, zone: team.zone))")
      case .never: ("never", "never")
      }
    let reminder = one.reminder
    return ReminderView(
      name: reminder.name.text, job: one.kind.rawValue, team: team.name,
      technician: technicians.first { $0.id == reminder.technicianID }?.name, title: reminder.title.description,
      text: reminder.text.description, condition: ReminderConditionView(reminder.condition),
      severity: ReminderSeverityView(reminder.severity), rule: rule, words: words, timesLeft: reminder.timesLeft,
      next: next.map { slot, zone in
        ReminderSlotView(
          at: slot.instant.description, local: zone.dateText(at: slot.instant), note: slot.note(in: zone))
      }, setBy: one.setBy)
  }
}

extension ReminderView {
  /// True if the reminder has no slot left.
  fileprivate var isOver: Bool { next.isEmpty && (rule == "once" || timesLeft == 0) }
}

extension TeamReminder {
  /// The same reminder with a name that no other reminder has.
  fileprivate func named(apartFrom others: [TeamReminder]) -> TeamReminder {
    let taken = Set(others.map(\.reminder.name))
    guard taken.contains(reminder.name) else { return self }
    let free = (2...Limits.remindersPerTeam + 1).lazy.compactMap { reminder.name.numbered($0) }
      .first { !taken.contains($0) }
    guard let free else { return self }
    return TeamReminder(
      Reminder(
        name: free, title: reminder.title, text: reminder.text, technicianID: reminder.technicianID,
        severity: reminder.severity, condition: reminder.condition, timesLeft: reminder.timesLeft), rule: rule,
      setBy: setBy)
  }
}
