import FlowControl
import FlowModel
import FlowServices
import FlowWork

/// Answers `org.poolflow.Scheduler` by passing each call to the component for it.
struct SchedulerAnswers: SchedulerService {
  let status: StatusReport
  let slots: UpcomingSlots
  let finder: TeamFinder
  let runs: ManualRuns
  let eventStream: EventFeed
  let holds: HoldKeeper
  let explanations: Explanations
  let simulations: Simulations

  func status(_ call: SchedulerCall.Status, _ caller: Caller) async throws -> SchedulerCall.Status.Reply {
    try await status.status()
  }

  func list(_ call: SchedulerCall.List, _ caller: Caller) async throws -> SchedulerCall.List.Reply {
    SchedulerCall.List.Reply(jobs: try await slots.jobs(of: try await finder.optionalTeam(named: call.team)))
  }

  func next(_ call: SchedulerCall.Next, _ caller: Caller) async throws -> SchedulerCall.Next.Reply {
    try FieldValue.check(call.count, in: 1...Limits.slotsPerCatchUp, field: "count")
    let team = try await finder.optionalTeam(named: call.team)
    let kind = try call.job.map { try finder.kind(named: $0) }
    return SchedulerCall.Next.Reply(
      occurrences: try await slots.upcoming(count: call.count, team: team?.id, kind: kind))
  }

  func run(
    _ call: SchedulerCall.Run, _ caller: Caller, _ more: MoreAnswers<SchedulerCall.Run.Reply>?
  ) async throws -> SchedulerCall.Run.Reply {
    try await runs.run(call, caller, more)
  }

  func cancel(_ call: SchedulerCall.Cancel, _ caller: Caller) async throws -> SchedulerCall.Cancel.Reply {
    try await runs.cancel(call, caller)
  }

  func history(_ call: SchedulerCall.History, _ caller: Caller) async throws -> SchedulerCall.History.Reply {
    try await runs.history(call)
  }

  func events(
    _ call: SchedulerCall.Events, _ caller: Caller, _ more: MoreAnswers<SchedulerCall.Events.Reply>?
  ) async throws -> SchedulerCall.Events.Reply {
    try await eventStream.events(call, caller, more)
  }

  func pause(_ call: SchedulerCall.Pause, _ caller: Caller) async throws -> SchedulerCall.Pause.Reply {
    try await holds.pause(call, caller)
  }

  func resume(_ call: SchedulerCall.Resume, _ caller: Caller) async throws -> SchedulerCall.Resume.Reply {
    try await holds.resume(call, caller)
  }

  func skip(_ call: SchedulerCall.Skip, _ caller: Caller) async throws -> SchedulerCall.Skip.Reply {
    try await holds.skip(call, caller)
  }

  func why(_ call: SchedulerCall.Why, _ caller: Caller) async throws -> SchedulerCall.Why.Reply {
    try await explanations.why(call)
  }

  func simulate(
    _ call: SchedulerCall.Simulate, _ caller: Caller, _ more: MoreAnswers<SchedulerCall.Simulate.Reply>?
  ) async throws -> SchedulerCall.Simulate.Reply {
    try await simulations.simulate(call, more)
  }
}
