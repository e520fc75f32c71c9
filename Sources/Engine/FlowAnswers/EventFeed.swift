import FlowControl
import FlowModel
import FlowNodes
import FlowPlatform
import FlowScheduler
import FlowServices
import FlowStore
import FlowWork

/// Recent events, and a stream of new ones.
struct EventFeed: Sendable {
  let events: EventBus
  let store: any Teams
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

  /// Sends events until the connection ends or the daemon stops.
  private func followEvents(
    of name: String?, for caller: Caller, _ more: MoreAnswers<SchedulerCall.Events.Reply>
  ) async throws {
    let team = try await finder.optionalTeam(named: name)
    try await events.listen(for: caller.connection) { stream, lost in
      // An empty answer shows the caller that later events will be sent.
      try await more.send(SchedulerCall.Events.Reply(events: [], lost: 0))
      for await event in stream {
        guard let view = try await view(of: event), team == nil || view.team == team?.name else { continue }
        try await more.send(SchedulerCall.Events.Reply(events: [view], lost: lost()))
      }
    }
  }

  /// Nil if the event's team no longer exists.
  private func view(of stamped: EventBus.Stamped) async throws -> EventView? {
    let event = BroadcastEvent(stamped)
    var name = event.team
    if let number = event.teamID {
      guard let team = try await store.team(TeamID(number)) else { return nil }
      name = team.name
    }
    var zone = event.zone
    if zone == nil { zone = await self.zone(of: name) }
    return EventView(
      at: stamped.at.description, local: zones.local(stamped.at, zone: zone ?? LocalZone.own), kind: event.kind,
      team: name,
      job: event.job, id: event.id, sink: event.sink, state: event.state, detail: event.detail)
  }

  /// The team's zone; the machine's zone without a team.
  private func zone(of team: String?) async -> String {
    // A team that was removed or cannot be read has no known zone.
    guard let team, let found = try? await store.team(named: team) else { return LocalZone.own }
    return found.zone
  }
}
