import PoolCalendar
import PoolControl
import PoolJobs
import PoolModel
import PoolNotices
import PoolPlatform
import PoolScheduler
import PoolSettings
import PoolStore

/// What a span of time would bring: the decisions of the daemon over an image of the store.
struct Simulations: Sendable {
  let store: Store
  let reader: StoreReader
  let settings: SettingsInForce
  let finder: TeamFinder
  let zones: SystemZones
  let clock: any WallClock
  let refusing: StoreRefusals

  func simulate(
    _ call: SchedulerCall.Simulate, _ more: MoreAnswers<SchedulerCall.Simulate.Reply>?
  ) async throws -> SchedulerCall.Simulate.Reply {
    let team = try await finder.optionalTeam(named: call.team)
    let (start, end) = try period(of: call)
    let settings = try await settings(of: call)
    let image = try await refusing { try await reader.image(team: team?.id) }
    let holds = try await store.holdsByOwner(of: team?.id)
    var rules = RuleShelf()
    // What cannot be planned has no coming slot; the scheduler's log says why.
    let now = clock.now()
    let early = try await store.slotsRunEarly(after: now)
    let jobs = try await store.settled(image.jobs, asOf: now).compactMap { record in
      var job = try? PlannedJob(
        record, zones: zones, rules: &rules, holds: holds[record.teamID] ?? [],
        jitter: settings.jobs[record.kind]?.jitter ?? .zero)
      job?.ranEarly = early[record.id] ?? []
      return job
    }
    let replays = call.replay == true
    let ledger = replays ? try await ledger(from: start, to: end, team: team) : [:]
    let routes = settings.sinks.map(\.route)
    var runs = 0
    var events: [SimulatedEventView] = []
    var outcomes: [RunOutcome: Int] = [:]
    let simulation = Simulation(jobs: jobs, facts: image.facts, install: store.install)
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

  private func period(of call: SchedulerCall.Simulate) throws -> (start: Timestamp, end: Timestamp) {
    try FieldValue.check(call.days, in: 1...Limits.simulatedDays, field: "days")
    // The hour's beginning, so that asking twice within it gives the same bytes.
    let now = clock.now()
    let hour = Timestamp(seconds: now.seconds - now.seconds % 3_600)
    let start = try call.from.map { try rfc3339($0, field: "from") } ?? hour
    let end = try call.to.map { try rfc3339($0, field: "to") } ?? start.advanced(by: .hours(24 * call.days))
    guard end > start, end.since(start) <= .hours(24 * Limits.simulatedDays) else {
      throw ControlError.badValue(
        field: "to", value: end.description, why: "it lies after the beginning, by at most \(Limits.simulatedDays) days"
      )
    }
    return (start, end)
  }

  private func rfc3339(_ text: String, field: String) throws(ControlError) -> Timestamp {
    guard let instant = Timestamp(rfc3339: text) else {
      throw .badValue(field: field, value: text, why: "write RFC 3339, such as 2026-03-02T14:00:00Z")
    }
    return instant
  }

  private func settings(of call: SchedulerCall.Simulate) async throws -> Settings {
    guard let text = call.config else { return await settings.reading.settings }
    let reading = SettingsReading(text: text, name: "config")
    guard reading.problems.isEmpty else {
      throw ControlError.badSettings(
        "the settings given cannot be used, so nothing was simulated",
        problems: "\(SettingsError.mistakes(reading.problems))")
    }
    return reading.settings
  }

  /// What really became of the slots.
  private func ledger(from start: Timestamp, to end: Timestamp, team: Team?) async throws -> [RunKey: RunOutcome] {
    let runs = try await store.history(
      HistoryQuery(team: team?.id, since: start, notAfter: end, limit: Limits.rowsPerAnswer))
    guard runs.count < Limits.rowsPerAnswer else {
      throw ControlError.badValue(
        field: "replay", value: "true", why: "that are \(runs.count) runs and more; name a team or a shorter time")
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
