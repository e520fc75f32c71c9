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

/// Predicts the runs of a period by deciding over a snapshot of the store; changes nothing.
struct Simulations: Sendable {
  let store: any Holds & Ledger & LedgerReport & Timings
  let reader: StoreReader
  let settings: EffectiveSettings
  let finder: TeamFinder
  let zones: SystemZones
  let clock: any WallClock
  let mappingErrors: StoreErrorMapper

  func simulate(
    _ call: SchedulerCall.Simulate, _ more: MoreAnswers<SchedulerCall.Simulate.Reply>?
  ) async throws -> SchedulerCall.Simulate.Reply {
    let team = try await finder.optionalTeam(named: call.team)
    let now = clock.now()
    let (start, end) = try period(of: call, team: team, now: now)
    let settings = try await settings(of: call)
    let trial = try trial(of: call)
    let image = try await mappingErrors { try await reader.image(team: team?.id, now: now) }
    let holds = try await store.holdsByOwner(of: team?.id)
    var rules = RuleCache()
    let early = try await store.slotsRunEarly(after: now)
    var records = try await store.settled(image.jobs, asOf: now)
    if call.config != nil || trial != nil {
      records = try await planned(records, image.facts.mapValues { $0.team }, by: settings, trial)
    }
    // A job that cannot be planned has no next slot; the scheduler logs the reason.
    let jobs = records.compactMap { record in
      var job = try? PlannedJob(
        record, zones: zones, rules: &rules, holds: holds[record.teamID] ?? [],
        jitter: settings.jobs[record.kind]?.jitter ?? .zero)
      job?.ranEarly = early[record.id] ?? []
      return job
    }
    let replays = call.replay ?? (start < now.advanced(by: .hours(-1)))
    let ledger = replays ? try await ledger(from: start, to: end, team: team) : [:]
    let routes = settings.sinks.map(\.route)
    var runs = 0
    var events: [SimulatedEventView] = []
    var outcomes: [RunOutcome: Int] = [:]
    let simulation = Simulation(jobs: jobs, decisions: image.facts.mapValues { $0.decision }, install: store.install)
    for run in simulation.runs(from: start, to: end, replaying: replays) {
      runs += 1
      outcomes[run.outcome.result, default: 0] += 1
      events.append(view(of: run, routes: routes, was: ledger[RunKey(jobID: run.jobID, slot: run.slot)]))
      if let more {
        guard events.count >= Limits.eventsPerAnswer else { continue }
        try await more.send(SchedulerCall.Simulate.Reply(events: events))
        events = []
      } else if events.count > Limits.rowsPerAnswer {
        throw ControlError.answerTooLong
      }
    }
    let summary = SimulationView(
      from: start.description, to: end.description, runs: runs, notices: outcomes[.notified] ?? 0,
      skipped: outcomes[.skipped] ?? 0, failed: outcomes[.failed] ?? 0)
    return SchedulerCall.Simulate.Reply(events: events, summary: summary)
  }

  /// A rule to try out for one job kind.
  private struct Trial {
    let kind: JobKind
    let rule: String
  }

  /// The rule to try out; refuses a job without a rule and a rule without a job.
  private func trial(of call: SchedulerCall.Simulate) throws(ControlError) -> Trial? {
    guard let rule = call.rule else {
      guard let job = call.job else { return nil }
      throw ControlError.badValue(field: "job", value: job, why: "name the rule to try for this job, with --rule")
    }
    guard let job = call.job else {
      throw ControlError.badValue(field: "rule", value: rule, why: "name the job to try with this rule, with --job")
    }
    let kind = try finder.kind(named: job)
    do throws(RuleRefusal) {
      return Trial(kind: kind, rule: try CalendarExpression(ofJob: rule).description)
    } catch {
      throw ControlError.badValue(field: "rule", value: rule, why: "\(error)")
    }
  }

  /// The jobs as they would be with other settings, or with the rule to try out.
  private func planned(
    _ records: [JobRecord], _ teams: [TeamID: Team], by settings: Settings, _ trial: Trial?
  ) async throws -> [JobRecord] {
    var planned: [JobRecord] = []
    let server = JobPlan.server(finder.jobs.every, backup: settings.backupTime, defaults: settings.jobDefaults)
    var plans: [TeamID: [JobPlan]] = [:]
    for record in records {
      var plan: JobPlan?
      if let id = record.teamID, let team = teams[id], let zone = try? zones.zone(named: team.zone) {
        if plans[id] == nil {
          let chosen = try await store.timings(of: id)
          plans[id] = JobPlan.all(of: team, in: finder.jobs.of(team.trade), zone: zone, defaults: settings.jobDefaults)
            .map {
              var own = chosen[$0.kind] ?? .unchosen
              if let trial, trial.kind == $0.kind { own.rule = trial.rule }
              return $0.chosen(own)
            }
        }
        plan = plans[id]?.first { $0.kind == record.kind }
      } else if record.teamID == nil {
        plan = server.first { $0.kind == record.kind }?.chosen(.unchosen)
      }
      planned.append(plan.map { record.with(rule: $0.rule, timing: $0.timing) } ?? record)
    }
    return planned
  }

  /// The period to simulate; by default from the beginning of the present hour.
  private func period(
    of call: SchedulerCall.Simulate, team: Team?, now: Timestamp
  ) throws -> (start: Timestamp, end: Timestamp) {
    try FieldValue.check(call.days, in: 1...Limits.simulatedDays, field: "days")
    // Round down to the hour, so that repeated calls within an hour return the same bytes.
    let hour = Timestamp(seconds: now.seconds - now.seconds % 3_600)
    let start = try call.from.map { try zones.instant($0, team: team, now: now, field: "from") } ?? hour
    let end =
      try call.to.map { try zones.instant($0, team: team, now: now, field: "until") }
      ?? start.advanced(by: .hours(24 * call.days))
    guard end > start, end.since(start) <= .hours(24 * Limits.simulatedDays) else {
      throw ControlError.badValue(
        field: "until", value: end.description,
        why: "the end must be at most \(Limits.simulatedDays) days after the beginning")
    }
    return (start, end)
  }

  /// The settings that the call sends as text, or the effective ones.
  private func settings(of call: SchedulerCall.Simulate) async throws -> Settings {
    guard let text = call.config else { return await settings.reading.settings }
    let reading = SettingsReading(text: text, name: "config", catalogue: finder.jobs.every)
    guard reading.problems.isEmpty else {
      throw ControlError.badSettings(
        "the settings given cannot be used, so nothing was simulated",
        problems: "\(SettingsError.mistakes(reading.problems))")
    }
    return reading.settings
  }

  /// The real outcomes of the slots in the period, for a replay.
  private func ledger(from start: Timestamp, to end: Timestamp, team: Team?) async throws -> [RunKey: RunOutcome] {
    let runs = try await store.history(
      HistoryQuery(team: team?.id, since: start, notAfter: end, limit: Limits.rowsPerAnswer))
    guard runs.count < Limits.rowsPerAnswer else {
      throw ControlError.badValue(
        field: "replay", value: "true",
        why: "this would simulate \(runs.count) runs or more; name a team or a shorter time")
    }
    return Dictionary(
      runs.filter { $0.cause == .schedule }.map { (RunKey(jobID: $0.jobID, slot: $0.slot), $0.outcome) },
      uniquingKeysWith: { first, _ in first })
  }

  private func view(of run: SimulatedRun, routes: [SinkRoute], was: RunOutcome?) -> SimulatedEventView {
    let sinks = run.outcome.notice.map { notice in routes.filter { $0.takes(notice) }.map(\.sink) } ?? []
    return SimulatedEventView(
      at: run.slot.description, begins: run.begins.description, local: run.zone.dateText(at: run.slot),
      zone: run.zone.name, job: run.kind.rawValue, team: run.teamName.isEmpty ? nil : run.teamName,
      outcome: run.outcome.result.view,
      reason: run.outcome.reason ?? "", detail: run.outcome.detail ?? "", title: run.outcome.notice?.title,
      body: run.outcome.notice?.body, lines: run.outcome.notice?.lines ?? [],
      sinks: sinks, was: was?.view)
  }
}
