import FlowCalendar
import FlowControl
import FlowModel
import FlowPlatform
import FlowScheduler
import FlowServices
import FlowSettings
import FlowStore
import FlowWork

/// Answers `org.poolflow.Jobs`: when and how a team's jobs are due.
struct JobsAnswers: JobsService {
  let store: any Holds & Ledger & LedgerReport & OwnJobs & Timings
  let scheduling: TeamScheduling
  let finder: TeamFinder
  let zones: SystemZones
  let clock: any WallClock
  let mappingErrors: StoreErrorMapper
  let announce: Announcements

  func show(_ call: JobsCall.Show, _ caller: Caller) async throws -> JobsCall.Show.Reply {
    let (kind, team) = try await subject(call.job, call.team)
    let own = try await store.timings(of: team.id)[kind] ?? .unchosen
    return JobsCall.Show.Reply(timing: try await view(of: kind, team, own: own))
  }

  func set(_ call: JobsCall.Set, _ caller: Caller) async throws -> JobsCall.Chosen {
    let (kind, team) = try await subject(call.job, call.team)
    guard !call.changes.isEmpty else {
      let keys = JobTiming.Key.allCases.map(\.rawValue).joined(separator: ", ")
      throw ControlError.badValue(
        field: "changes", value: "", why: "name at least one value, such as rule; the keys are \(keys)")
    }
    var cron: [String] = []
    for change in call.changes
    where change.key == JobTiming.Key.rule.rawValue && change.value.lowercased().hasPrefix("cron:") {
      cron = (try? CronLine(String(change.value.dropFirst(5))))?.differences ?? []
    }
    let words = call.changes.map { "\($0.key)='\($0.value)'" }.joined(separator: " ")
    let chosen = try await choose(
      for: kind, team, isDryRun: call.dryRun, notes: cron,
      change: { [clock, zones] team, own in
        try TimingChange(of: kind, team: team, zone: try zones.zone(asked: team.zone), now: clock.now())
          .applied(call.changes, to: own)
      })
    if !call.dryRun { announce(team, "\(kind.rawValue): \(words) set by \(caller.words)") }
    return chosen
  }

  func reset(_ call: JobsCall.Reset, _ caller: Caller) async throws -> JobsCall.Chosen {
    let (kind, team) = try await subject(call.job, call.team)
    let keys = try call.keys.map { try TimingChange.key($0) }
    let chosen = try await choose(for: kind, team, isDryRun: false) { _, own in
      var timing = keys.isEmpty ? .unchosen : own
      for key in keys { timing.clear(key) }
      return timing
    }
    announce(team, "\(kind.rawValue): the team's own values were reset by \(caller.words)")
    return chosen
  }

  /// The kind and team of a call; refuses the server's own jobs.
  private func subject(_ job: String, _ team: String) async throws -> (JobKind, Team) {
    let kind = try finder.kind(named: job)
    guard !kind.isServerJob else {
      throw ControlError.badValue(
        field: "job", value: job,
        why: "this is the server's own job: the settings say when it is due, in [Job \(kind.rawValue)] or [Backup]")
    }
    return (kind, try await finder.team(named: team))
  }

  /// Changes the timing of a job kind, or previews the change in a dry run; returns the slots before and after.
  private func choose(
    for kind: JobKind, _ team: Team, isDryRun: Bool, notes: [String] = [],
    change: @escaping @Sendable (Team, JobTiming) throws -> JobTiming
  ) async throws -> JobsCall.Chosen {
    let own = try await store.timings(of: team.id)[kind] ?? .unchosen
    let before = try await slots(of: try await plan(of: kind, team, own: own), kind, team)
    if isDryRun {
      return JobsCall.Chosen(
        timing: try await view(of: kind, team, own: try change(team, own), notes: notes), before: before)
    }
    _ = try await scheduling.perform(.rules(of: team.id)) { plan in
      try await store.chooseTiming(of: kind, team: team.name, now: clock.now(), change: change, plan: plan)
    }
    let chosen = try await store.timings(of: team.id)[kind] ?? .unchosen
    return JobsCall.Chosen(timing: try await view(of: kind, team, own: chosen, notes: notes), before: before)
  }

  // MARK: Views

  /// The plan of the kind with the settings' defaults and the team's own choices.
  private func plan(of kind: JobKind, _ team: Team, own: JobTiming) async throws -> JobPlan {
    let plans =
      await scheduling.plans(of: team, zone: try zones.zone(asked: team.zone))
      + (kind.ruleCommand == nil ? [] : try await store.ownPlans(of: team.id))
    guard let plan = plans.first(where: { $0.kind == kind }) else { throw ControlError.noSuchJob(kind.rawValue) }
    return plan.chosen(own)
  }

  private func slots(of plan: JobPlan, _ kind: JobKind, _ team: Team) async throws -> [JobSlotView] {
    let record = try await finder.job(kind, of: team).with(rule: plan.rule, timing: plan.timing)
    return try await NextSlots(store: store, zones: zones, clock: clock).of(record).map { slot, zone in
      JobSlotView(at: slot.instant.description, local: zone.dateText(at: slot.instant), note: slot.note(in: zone))
    }
  }

  private func view(
    of kind: JobKind, _ team: Team, own: JobTiming, notes: [String] = []
  ) async throws -> JobTimingView {
    let zone = try zones.zone(asked: team.zone)
    let plan = try await plan(of: kind, team, own: own)
    let explanation = TimingExplanation(
      of: plan, team: team, zone: zone, own: own,
      defaults: await scheduling.settings.reading.settings.jobs[kind] ?? .unchosen,
      now: clock.now())
    return JobTimingView(
      job: kind.rawValue, team: team.name, zone: team.zone, words: explanation.words, settings: explanation.settings,
      next: try await slots(of: plan, kind, team),
      notes: explanation.notes + notes + (try await holdNotes(of: kind, team)))
  }

  /// The pauses and skips that hold this job now, each with the command that ends it.
  private func holdNotes(of kind: JobKind, _ team: Team) async throws -> [String] {
    let (job, now) = (try await finder.job(kind, of: team), clock.now())
    return try await store.holds(of: team.id).filter { $0.concerns(job) && $0.isEffective(at: now) }.map { hold in
      let which = hold.jobID == nil ? "" : " \(kind.rawValue)"
      return "\(hold.sentence); `pfctl resume\(which) --team \(team.name)` ends it"
    }
  }
}
