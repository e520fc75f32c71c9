import FlowControl
import FlowControlServer
import FlowModel
import FlowNodes
import FlowPlatform
import FlowScheduler
import FlowServices
import FlowStore
import FlowWork

/// Runs that a caller starts, cancels or lists.
struct ManualRuns: Sendable {
  let runner: JobRunner?
  let records: RunRecords
  let named: RecordFinder
  let finder: TeamFinder
  let zones: SystemZones
  let clock: any WallClock
  let events: EventBus
  let mappingErrors: StoreErrorMapper
  let log: DaemonLog

  func history(_ call: SchedulerCall.History) async throws -> SchedulerCall.History.Reply {
    try FieldValue.check(call.limit, in: 1...Limits.rowsPerAnswer, field: "limit")
    let team = try await finder.optionalTeam(named: call.team)
    if let name = call.job, name == RecordFinder.latest || name.first?.isNumber == true {
      return SchedulerCall.History.Reply(runs: [try await records.view(of: try await run(named: name, of: team).record)]
      )
    }
    let kind = try call.job.map { try finder.kind(named: $0) }
    let runs = try await records.store.history(
      HistoryQuery(
        team: team?.id, kind: kind,
        since: try call.since.map { try zones.instant($0, team: team, now: clock.now(), field: "since") },
        onlyFailed: call.failed, limit: call.limit))
    var views: [RunView] = []
    for run in runs { views.append(try await records.view(of: run)) }
    return SchedulerCall.History.Reply(runs: views)
  }

  func run(
    _ call: SchedulerCall.Run, _ caller: Caller, _ more: MoreAnswers<SchedulerCall.Run.Reply>?
  ) async throws -> SchedulerCall.Run.Reply {
    if let more, call.wait == true { return try await runAndWait(call, caller, more) }
    return SchedulerCall.Run.Reply(run: RunView(try await runNow(call), zones: zones))
  }

  /// Runs a job once; a failed run that will be retried is returned as waiting.
  private func runNow(_ call: SchedulerCall.Run) async throws -> RunRecord {
    let kind = try finder.kind(named: call.job)
    let team = try await finder.owner(of: kind, named: call.team)
    if kind.isServerJob, let asOf = call.asOf {
      throw ControlError.badValue(
        field: "at", value: asOf, why: "\(kind.rawValue) always uses the present records; leave --at out")
    }
    let now = clock.now()
    guard now >= Limits.earliestPlausibleNow else {
      throw ControlError(.clockImplausible, "the clock says \(now), so nothing is run; set the clock first")
    }
    let asOf = try call.asOf.map { try zones.instant($0, team: team, now: now, field: "at") } ?? now
    let job = try await finder.job(kind, of: team)
    guard let runner else { throw ControlError.notRunning }
    let slot = try await mappingErrors { try await runner.runNow(job, asOf: asOf) }
    return try await records.record(of: RunKey(jobID: job.id, slot: slot))
  }

  /// Runs a job and sends the run after each change.
  ///
  /// - Returns: the settled run, or its last state if the daemon stops first.
  private func runAndWait(
    _ call: SchedulerCall.Run, _ caller: Caller, _ more: MoreAnswers<SchedulerCall.Run.Reply>
  ) async throws -> SchedulerCall.Run.Reply {
    try await events.listen(for: caller.connection) { stream, _ in
      var run = try await runNow(call)
      let key = RunKey(jobID: run.jobID, slot: run.slot)
      if !run.outcome.isOpen { return SchedulerCall.Run.Reply(run: RunView(run, zones: zones)) }
      try await more.send(SchedulerCall.Run.Reply(run: RunView(run, zones: zones)))
      for await event in stream {
        switch event.event {
        case .settled(let settlement) where settlement.run.key == key: break
        case .cancelled(let run) where run.jobID == key.jobID && run.slot == key.slot: break
        default: continue
        }
        run = try await records.record(of: key)
        if !run.outcome.isOpen { break }
        try await more.send(SchedulerCall.Run.Reply(run: RunView(run, zones: zones)))
      }
      return SchedulerCall.Run.Reply(run: RunView(run, zones: zones))
    }
  }

  /// The run with this id, short id or `latest`.
  ///
  /// - Throws: `ControlError` if no run matches, or several do.
  private func run(named name: String, of team: Team?) async throws -> (id: String, key: RunKey, record: RunRecord) {
    guard let id = try await mappingErrors({ try await named.run(name, of: team?.id) }), let key = RunKey(id: id),
      let run = try await records.find(key)
    else {
      throw ControlError(
        .noSuchRun, "no run has the id \(name); `pfctl history` shows all runs", facts: ["name": name])
    }
    return (id, key, run)
  }

  func cancel(_ call: SchedulerCall.Cancel, _ caller: Caller) async throws -> SchedulerCall.Cancel.Reply {
    let (id, key, run) = try await run(named: call.run, of: nil)
    guard let runner else { throw ControlError.notRunning }
    guard try await mappingErrors({ try await runner.cancel(key, by: caller.words) }) else {
      let shown = ShownIDs(runs: [id])[id]
      throw ControlError(
        .runHasEnded, "\(shown) has ended already: \(run.outcome.rawValue); see: pfctl why \(shown)",
        facts: ["name": id])
    }
    let cancelled = try await records.record(of: key)
    events.publish(.cancelled(cancelled), at: clock.now())
    log.notice("run \(id) \(run.ownerText) cancelled by \(caller.words)")
    return SchedulerCall.Cancel.Reply(run: RunView(cancelled, zones: zones))
  }
}
