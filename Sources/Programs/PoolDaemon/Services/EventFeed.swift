import PoolControl
import PoolModel
import PoolPlatform
import PoolScheduler
import PoolStore
import PoolWork

/// What happened of late, and what happens now.
struct EventFeed: Sendable {
  let events: EventBus
  let store: any Ledger & Teams
  let zones: SystemZones
  let finder: TeamFinder

  func events(
    _ call: SchedulerCall.Events, _ caller: Caller, _ more: MoreAnswers<SchedulerCall.Events.Reply>?
  ) async throws -> SchedulerCall.Events.Reply {
    if let more {
      try await followEvents(of: call.team, for: caller, more)
      return SchedulerCall.Events.Reply(events: [], lost: 0)
    }
    let team = try await finder.optionalTeam(named: call.team)
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
    let team = try await finder.optionalTeam(named: name)
    try await events.listen(for: caller.connection) { stream, lost in
      // Says that it listens: what happens after this answer is told.
      try await more.send(SchedulerCall.Events.Reply(events: [], lost: 0))
      for await event in stream {
        guard let view = try await view(of: event), team == nil || view.team == team?.name else { continue }
        try await more.send(SchedulerCall.Events.Reply(events: [view], lost: lost()))
      }
    }
  }

  /// Nil for what has vanished since.
  private func view(of stamped: EventBus.Stamped) async throws -> EventView? {
    let at = stamped.at.description
    func view(
      _ kind: EventKindView, zone: String = LocalZone.own, team: String? = nil, job: String? = nil,
      id: String? = nil, sink: String? = nil, state: EventStateView, detail: String
    ) -> EventView {
      EventView(
        at: at, local: zones.local(stamped.at, zone: zone), kind: kind, team: team, job: job, id: id, sink: sink,
        state: state, detail: detail)
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
        id: run.key.id(of: run.kind), state: EventStateView(settlement.outcome.result),
        detail: settlement.outcome.detail ?? "")
    case .cancelled(let key):
      guard let run = try await store.history(HistoryQuery(job: key.jobID, slot: key.slot, limit: 1)).first else {
        return nil
      }
      return view(
        .run, zone: run.zone, team: run.team, job: run.kind.rawValue, id: run.id,
        state: EventStateView(run.outcome), detail: run.detail ?? "")
    case .delivered(let entry, let state, let detail):
      return view(
        .delivery, zone: await zone(of: entry.teamName), team: entry.teamName, job: entry.job, id: entry.noticeID,
        sink: entry.sink, state: state,
        detail: detail)
    case .sink(let name, let state, let detail): return view(.sink, sink: name, state: state, detail: detail)
    case .team(let name, let detail):
      return view(.team, zone: await zone(of: name), team: name, state: .changed, detail: detail)
    case .settings(let detail): return view(.settings, state: .changed, detail: detail)
    }
  }

  /// The clocks that a team's times are told by; the machine's for what is no team's.
  private func zone(of team: String?) async -> String {
    // A team that is gone, or cannot be read, has no clocks.
    guard let team, let found = try? await store.team(named: team) else { return LocalZone.own }
    return found.zone
  }
}
