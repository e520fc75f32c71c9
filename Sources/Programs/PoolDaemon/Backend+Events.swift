import PoolControl
import PoolJobs
import PoolModel
import PoolPlatform
import PoolScheduler
import PoolStore

extension Backend {
  // MARK: What happens

  func events(
    _ call: SchedulerCall.Events, _ caller: Caller, _ more: MoreAnswers<SchedulerCall.Events.Reply>?
  ) async throws -> SchedulerCall.Events.Reply {
    if let more {
      try await followEvents(of: call.team, for: caller, more)
      return SchedulerCall.Events.Reply(events: [], lost: 0)
    }
    let team = try await optionalTeam(named: call.team)
    var views: [EventView] = []
    for event in events.recent {
      if let view = try await view(of: event), team == nil || view.team == team?.name { views.append(view) }
    }
    return SchedulerCall.Events.Reply(events: views, lost: 0)
  }

  /// Tells what happens until the connection ends or the daemon stops.
  private func followEvents(
    of name: String?, for caller: Caller, _ more: MoreAnswers<SchedulerCall.Events.Reply>
  ) async throws {
    let team = try await optionalTeam(named: name)
    try await events.listen(for: caller.connection) { stream, lost in
      // Says that it listens: what happens after this answer is told.
      try await more.send(SchedulerCall.Events.Reply(events: [], lost: 0))
      for await event in stream {
        guard let view = try await view(of: event), team == nil || view.team == team?.name else { continue }
        try await more.send(SchedulerCall.Events.Reply(events: [view], lost: lost()))
      }
    }
  }

  func hungUp(_ caller: Caller) async { events.hangUp(caller.connection) }

  /// Nil for what has vanished since.
  private func view(of stamped: EventBus.Stamped) async throws -> EventView? {
    let at = stamped.at.description
    func view(
      _ kind: EventKindView, zone: String = LocalZone.name(environment: [:]), team: String? = nil, job: String? = nil,
      id: String? = nil, sink: String? = nil, state: String, detail: String
    ) -> EventView {
      EventView(
        at: at, local: local(stamped.at, zone: zone), kind: kind, team: team, job: job, id: id, sink: sink,
        state: state,
        detail: detail)
    }
    switch stamped.event {
    case .settled(let settlement):
      let run = settlement.run
      var team: Team?
      if let id = run.teamID {
        team = try await store.team(id)
        guard team != nil else { return nil }
      }
      return view(
        .run, zone: run.zone, team: team?.name, job: run.kind.rawValue,
        id: "\(run.slot.compact)-\(run.kind.rawValue)-\(run.jobID.number)",
        state: settlement.outcome.result.rawValue, detail: settlement.outcome.detail ?? "")
    case .cancelled(let key):
      guard let run = try await store.history(HistoryQuery(job: key.jobID, slot: key.slot, limit: 1)).first else {
        return nil
      }
      return view(
        .run, zone: run.zone, team: run.team, job: run.kind.rawValue, id: self.view(of: run).id,
        state: run.outcome.rawValue, detail: run.detail ?? "")
    case .delivered(let entry, let state, let detail):
      return view(
        .delivery, team: entry.teamName, job: entry.job, id: entry.noticeID, sink: entry.sink, state: state,
        detail: detail)
    case .sink(let name, let state, let detail): return view(.sink, sink: name, state: state, detail: detail)
    case .team(let name, let detail): return view(.team, team: name, state: "changed", detail: detail)
    case .settings(let detail): return view(.settings, state: "changed", detail: detail)
    }
  }

  /// Into the log, and to whoever watches.
  /// - Parameter team: nil for the server itself.
  func announce(_ team: Team?, _ words: String) {
    guard let team else {
      log.notice("the server's \(words)")
      return events.publish(.settings(words), at: clock.now())
    }
    log.notice("team '\(team.name)' \(words)")
    events.publish(.team(team.name, words), at: clock.now())
  }

  // MARK: Runs under way

  /// Runs a job and tells the run whenever it has changed.
  /// - Returns: the run with its verdict, or as it was when the daemon stopped.
  func runAndWait(
    _ call: SchedulerCall.Run, _ caller: Caller, _ more: MoreAnswers<SchedulerCall.Run.Reply>
  ) async throws -> SchedulerCall.Run.Reply {
    try await events.listen(for: caller.connection) { stream, _ in
      var run = try await runNow(call)
      let key = RunKey(jobID: run.jobID, slot: run.slot)
      if !run.outcome.isOpen { return SchedulerCall.Run.Reply(run: view(of: run)) }
      try await more.send(SchedulerCall.Run.Reply(run: view(of: run)))
      for await event in stream {
        switch event.event {
        case .settled(let settlement) where settlement.run.key == key: break
        case .cancelled(key): break
        default: continue
        }
        run = try await record(of: key)
        if !run.outcome.isOpen { break }
        try await more.send(SchedulerCall.Run.Reply(run: view(of: run)))
      }
      return SchedulerCall.Run.Reply(run: view(of: run))
    }
  }

  func cancel(_ call: SchedulerCall.Cancel, _ caller: Caller) async throws -> SchedulerCall.Cancel.Reply {
    let unknown = ControlError(
      .noSuchRun, "no run is called \(call.run); `pfctl history --json` shows them all", facts: ["name": call.run])
    guard let key = RunKey(id: call.run) else { throw unknown }
    guard let run = try await store.history(HistoryQuery(job: key.jobID, slot: key.slot, limit: 1)).first,
      view(of: run).id == call.run
    else { throw unknown }
    guard try await refusing({ try await runner.cancel(key, by: caller.words) }) else {
      throw ControlError(
        .runHasEnded, "\(call.run) has had its end: \(run.outcome.rawValue); see: pfctl why \(call.run)",
        facts: ["name": call.run])
    }
    events.publish(.cancelled(key), at: clock.now())
    log.notice("run \(call.run) \(run.ownerWords) cancelled by \(caller.words)")
    return SchedulerCall.Cancel.Reply(run: view(of: try await record(of: key)))
  }

  func record(of key: RunKey) async throws -> RunRecord {
    guard let run = try await store.history(HistoryQuery(job: key.jobID, slot: key.slot, limit: 1)).first else {
      throw ControlError(.internal, "the run left no trace in the ledger; see the daemon's journal")
    }
    return run
  }
}

extension RunOutcome {
  /// No verdict yet.
  var isOpen: Bool { self == .running || self == .waiting }
}

extension RunKey {
  /// Reads `20260302T140000Z-morning-summary-17`; nil for anything else.
  init?(id: String) {
    let parts = id.split(separator: "-")
    guard let first = parts.first, let last = parts.last, parts.count > 2, let slot = Timestamp(compact: String(first)),
      let job = Int64(last)
    else { return nil }
    self.init(jobID: JobID(job), slot: slot)
  }
}
