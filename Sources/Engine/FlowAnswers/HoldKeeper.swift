import FlowCalendar
import FlowControl
import FlowModel
import FlowPlatform
import FlowScheduler
import FlowServices
import FlowStore
import FlowWork

/// Sets and ends pauses and skips of jobs.
struct HoldKeeper: Sendable {
  let store: any HoldChanges & Holds & LedgerReport
  let scheduling: TeamScheduling
  let finder: TeamFinder
  let zones: SystemZones
  let clock: any WallClock
  let mappingErrors: StoreErrorMapper
  let announce: Announcements

  func pause(_ call: SchedulerCall.Pause, _ caller: Caller) async throws -> SchedulerCall.Pause.Reply {
    let (team, job) = try await subject(of: "pause", job: call.job, team: call.team)
    let now = clock.now()
    let until = try call.until.map { try zones.instant($0, team: team, now: now, field: "until") }
    if let until, until <= now {
      throw ControlError.badValue(
        field: "until", value: call.until ?? "", why: "this time is past; name a time in the future")
    }
    let note = try FieldValue("notes", call.note ?? "").words(.holdNote)
    let hold = try await hold(
      HoldRequest(teamID: team?.id, jobID: job?.id, kind: .pause(until: until), note: note, setBy: caller.words),
      now: now)
    announce(team, "\(job?.kind.rawValue ?? "every job") \(hold.sentence)")
    return SchedulerCall.Pause.Reply(hold: HoldView(hold: hold, kind: job?.kind, team: team, zones: zones))
  }

  func resume(_ call: SchedulerCall.Resume, _ caller: Caller) async throws -> SchedulerCall.Resume.Reply {
    let (team, job) = try await subject(of: "resume", job: call.job, team: call.team)
    let now = clock.now()
    // Slots that are already due are settled under the pause that was effective then.
    let ended = try await scheduling.perform(.holds(of: team?.id)) { _ in
      try await store.release(team: team?.id, job: job?.id, now: now, by: caller.words)
    }
    announce(team, "\(job?.kind.rawValue ?? "every job") resumed by \(caller.words)")
    return SchedulerCall.Resume.Reply(ended: ended)
  }

  func skip(_ call: SchedulerCall.Skip, _ caller: Caller) async throws -> SchedulerCall.Skip.Reply {
    try FieldValue.check(call.count, in: 1...Limits.slotsPerSkip, field: "count")
    let (team, held) = try await subject(of: "skip", job: call.job, team: call.team)
    guard let job = held else { throw ControlError.noSuchJob(call.job) }
    let now = clock.now()
    let hold = try await hold(
      HoldRequest(teamID: team?.id, jobID: job.id, kind: .skip(left: call.count), note: "", setBy: caller.words),
      now: now)
    announce(team, "\(job.kind.rawValue): the next \(call.count) slot(s) \(hold.sentence)")
    var planned = try? PlannedJob(job, zones: zones, holds: try await store.holds(of: team?.id))
    planned?.ranEarly = try await store.slotsRunEarly(after: now)[job.id] ?? []
    let next = planned?.nextToRun(after: now).map { slot in
      OccurrenceView(
        job: job.kind.rawValue, team: team?.name, at: slot.instant.description,
        local: zones.local(slot.instant, zone: job.zone), zone: job.zone, note: slot.note(in: planned?.zone ?? .utc))
    }
    return SchedulerCall.Skip.Reply(hold: HoldView(hold: hold, kind: job.kind, team: team, zones: zones), next: next)
  }

  /// Stores a pause or skip and re-plans the jobs.
  private func hold(_ request: HoldRequest, now: Timestamp) async throws -> Hold {
    try await scheduling.perform(.holds(of: request.teamID)) { _ in try await store.hold(request, now: now) }
  }

  /// The target of a pause, resume or skip: one job of a team, all jobs of a team, or a job of the server.
  ///
  /// - Parameter verb: the name of the command, for the refusal.
  private func subject(of verb: String, job name: String?, team: String?) async throws -> (team: Team?, job: JobRecord?)
  {
    guard let name else {
      guard let team else {
        let why =
          "name a subject: a job such as `pfctl \(verb) low-stock --team TEAM`, all jobs of a team with `pfctl \(verb) "
          + "--team TEAM`, or a job of the server such as `pfctl \(verb) backup`"
        throw ControlError(.badValue, why, facts: ["field": "team", "value": "", "why": why])
      }
      return (try await finder.team(named: team), nil)
    }
    let kind = try finder.kind(named: name)
    let owner = try await finder.owner(of: kind, named: team)
    return (owner, try await finder.job(kind, of: owner))
  }
}

extension HoldView {
  init(hold: Hold, kind: JobKind?, team: Team?, zones: SystemZones) {
    var until: Timestamp?
    var skips: Int?
    switch hold.kind {
    case .pause(let end): until = end
    case .skip(let left): skips = left
    }
    self.init(
      kind: skips == nil ? .pause : .skip, job: hold.jobID == nil ? nil : kind?.rawValue, team: team?.name,
      from: hold.from.description, until: until?.description,
      untilLocal: until.map { zones.local($0, zone: team?.zone ?? LocalZone.own) },
      skipsLeft: skips, note: hold.note, setBy: hold.setBy)
  }
}
