import FlowCalendar
import FlowControl
import FlowModel
import FlowNotices
import FlowPlatform
import FlowScheduler
import FlowServices
import FlowStore
import FlowWork

/// Jobs with their next slots, for `status`, `list` and `next`.
struct UpcomingSlots: Sendable {
  let store: any Holds & Ledger & LedgerReport & TeamDaysOff & Teams
  let zones: SystemZones
  let clock: any WallClock
  /// Nil during an inspection, when no daemon runs.
  let scheduler: Scheduler?

  /// The jobs of one team, or all jobs for nil, in the order of their next slots.
  func jobs(of team: Team?) async throws -> [JobView] {
    let now = clock.now()
    let records = try await store.settled(team == nil ? store.jobs() : store.jobs(of: team?.id), asOf: now)
    let early = try await store.slotsRunEarly(after: now)
    let teams = Dictionary(try await store.teams().map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let last = try await store.lastRuns(notAfter: now)
    let holds = try await store.holdsByOwner(of: team?.id)
    let closures = try await closures(of: Array(teams.values))
    var rules = RuleCache()
    var order: [JobSortKey] = []
    var views: [JobView] = []
    for record in records {
      let team = record.teamID.flatMap { teams[$0] }
      // A job whose rule cannot be parsed has no next slot; the scheduler logs the reason.
      var planned = try? PlannedJob(record, zones: zones, rules: &rules, holds: holds[record.teamID] ?? [])
      planned?.ranEarly = early[record.id] ?? []
      let next = planned?.nextToRun(after: now)
      let hold = planned?.holds.last { $0.isEffective(at: now) }
      let position = JobSortKey(
        next: next?.instant, team: record.teamName, job: record.kind.rawValue, index: views.count)
      order.append(position)
      let closed = next.flatMap { closures.note(of: record, at: $0.instant, zones) }
      views.append(view(of: record, team: team, next: next, closed: closed, hold: hold, last: last[record.id]))
    }
    order.sort()
    return order.map { views[$0.index] }
  }

  private func view(
    of record: JobRecord, team: Team?, next: Occurrence?, closed: String?, hold: Hold?, last: RunRecord?
  ) -> JobView {
    let state: JobStateView
    if last?.outcome == .running {
      state = .running
    } else if hold != nil {
      state = .paused
    } else {
      state = next == nil ? .never : suppressionReason(record.kind, team) == nil ? .scheduled : .disabled
    }
    let rule: String =
      switch record.rule {
      case .calendar(let text): (try? CalendarExpression(text).description) ?? text
      case .once(let instant): "once \(zones.local(instant, zone: record.zone))"
      case .never: "never"
      }
    // A job without a next slot needs no further reason.
    let notes =
      next.map { [dstNote($0, zone: record.zone), suppressionReason(record.kind, team), closed].compactMap(\.self) }
      ?? []
    let hold = hold.map { HoldView(hold: $0, kind: record.kind, team: team, zones: zones) }
    return JobView(
      job: record.kind.rawValue, team: team?.name, rule: rule, zone: record.zone, state: state,
      next: next?.instant.description, nextLocal: next.map { zones.local($0.instant, zone: record.zone) },
      note: notes.isEmpty ? nil : notes.joined(separator: "; "), hold: hold, last: last?.slot.description,
      lastLocal: last.map { zones.local($0.slot, zone: record.zone) }, lastResult: last.map { $0.outcome.view },
      lastReason: last?.reason, lastLateS: last?.lateness?.inSeconds)
  }

  /// Why a job of this team is suppressed by settings or plan, as a sentence; nil if it may send notices.
  private func suppressionReason(_ kind: JobKind, _ team: Team?) -> String? {
    team.flatMap { kind.decision?.silence($0)?.sentence }
  }

  /// The next `count` slots of all selected jobs, in order of time.
  func upcoming(count: Int, team: TeamID?, kind: JobKind?) async throws -> [OccurrenceView] {
    let now = clock.now()
    let records = try await store.settled(store.jobs(), asOf: now).filter {
      (team == nil || $0.teamID == team) && (kind == nil || $0.kind == kind)
    }
    let early = try await store.slotsRunEarly(after: now)
    let holds = try await store.holdsByOwner(of: team)
    let closures = try await closures(of: try await store.teams().filter { team == nil || $0.id == team })
    var candidates: [(record: JobRecord, slot: Occurrence)] = []
    var planned: [JobID: PlannedJob] = [:]
    var rules = RuleCache()
    for record in records {
      guard
        var job = try? PlannedJob(record, zones: zones, rules: &rules, holds: holds[record.teamID] ?? [])
      else { continue }
      job.ranEarly = early[record.id] ?? []
      planned[record.id] = job
      if let slot = job.nextToRun(after: now) { candidates.append((record, slot)) }
    }
    return firstSlots(candidates, planned, count: count).map { view(of: $0.slot, $0.record, closures) }
  }

  /// The next `count` slots of all jobs, for `status`. Uses the scheduler's plan, so that frequent calls do not read every job
  /// of thousands of teams from the store.
  func first(_ count: Int) async throws -> [OccurrenceView] {
    let now = clock.now()
    guard let scheduler, let upcomingJobs = await scheduler.upcomingJobs(Limits.jobsReadForNextSlots, now: now) else {
      return try await upcoming(count: count, team: nil, kind: nil)
    }
    let early = try await store.slotsRunEarly(after: now)
    var candidates: [(record: JobRecord, slot: Occurrence)] = []
    var planned: [JobID: PlannedJob] = [:]
    for var job in upcomingJobs.jobs {
      job.ranEarly = early[job.record.id] ?? []
      planned[job.record.id] = job
      if let slot = job.nextToRun(after: now) { candidates.append((job.record, slot)) }
    }
    let found = firstSlots(candidates, planned, count: count)
    if let bound = upcomingJobs.bound {
      guard found.count == count, let last = found.last, (last.slot.instant, last.record.id) < bound else {
        return try await upcoming(count: count, team: nil, kind: nil)
      }
    }
    var daysOff: [TeamID: DaysOff] = [:]
    for case let team? in Set(found.map(\.record.teamID)) { daysOff[team] = try? await store.daysOff(of: team) }
    return found.map { view(of: $0.slot, $0.record, TeamClosures(daysOff: daysOff)) }
  }

  /// The first `count` slots of the candidates and their successors, in order of time.
  ///
  /// - Parameter candidates: each job with its next slot.
  private func firstSlots(
    _ candidates: [(record: JobRecord, slot: Occurrence)], _ planned: [JobID: PlannedJob], count: Int
  ) -> [(record: JobRecord, slot: Occurrence)] {
    // A job beyond the first `count` candidates cannot be among the first `count` slots.
    var waiting = Array(
      candidates.sorted { ($0.slot.instant, $0.record.id) < ($1.slot.instant, $1.record.id) }.prefix(count))
    var found: [(record: JobRecord, slot: Occurrence)] = []
    while found.count < count, !waiting.isEmpty {
      let (record, slot) = waiting.removeFirst()
      found.append((record, slot))
      if let following = planned[record.id]?.nextToRun(after: slot.instant) {
        let insertionIndex = waiting.firstIndex { ($0.slot.instant, $0.record.id) > (following.instant, record.id) }
        waiting.insert((record, following), at: insertionIndex ?? waiting.endIndex)
      }
    }
    return found
  }

  private func view(of slot: Occurrence, _ record: JobRecord, _ closures: TeamClosures) -> OccurrenceView {
    OccurrenceView(
      job: record.kind.rawValue, team: record.team, at: slot.instant.description,
      local: zones.local(slot.instant, zone: record.zone), zone: record.zone,
      note: note(of: slot, record, closures))
  }

  /// Notes on a slot: a clock change that moves it, a day off that suppresses it; nil without any.
  private func note(of slot: Occurrence, _ record: JobRecord, _ closures: TeamClosures) -> String? {
    let notes = [dstNote(slot, zone: record.zone), closures.note(of: record, at: slot.instant, zones)]
    let texts = notes.compactMap(\.self)
    return texts.isEmpty ? nil : texts.joined(separator: "; ")
  }

  /// Days off of those teams that have some; a team whose days off cannot be read counts as open.
  private func closures(of teams: [Team]) async throws -> TeamClosures {
    var daysOff: [TeamID: DaysOff] = [:]
    for team in teams where team.hasDaysOff { daysOff[team.id] = try? await store.daysOff(of: team.id) }
    return TeamClosures(daysOff: daysOff)
  }

  /// A note if a clock change moves the slot; nil otherwise.
  private func dstNote(_ slot: Occurrence, zone: String) -> String? {
    guard let zone = try? zones.zone(named: zone) else { return nil }
    return slot.note(in: zone)
  }
}

extension Holds {
  /// Holds by the team that owns them; the key nil is the server.
  ///
  /// - Parameter team: nil for all teams and the server.
  func holdsByOwner(of team: TeamID?) async throws -> [TeamID?: [Hold]] {
    Dictionary(grouping: try await team == nil ? holds() : holds(of: team), by: \.teamID)
  }
}

extension JobRecord {
  /// The team's name; nil for a job of the server.
  var team: String? { teamID == nil ? nil : teamName }
}

/// Sort key of a list of jobs: by next slot, jobs without a slot last. Kept small, because sorting copies it.
private struct JobSortKey: Comparable {
  let next: Timestamp?
  let team: String
  let job: String
  /// Index in the unsorted list.
  let index: Int

  static func < (left: JobSortKey, right: JobSortKey) -> Bool {
    switch (left.next, right.next) {
    case (let left?, let right?) where left != right: left < right
    case (nil, _?): false
    case (_?, nil): true
    default: (left.team, left.job) < (right.team, right.job)
    }
  }
}

/// Finds the next slots that days off will suppress.
struct TeamClosures: Sendable {
  /// Only teams that have days off.
  let daysOff: [TeamID: DaysOff]

  /// `the team is closed: Christmas`; nil if the team works that day, or the job ignores days off.
  func note(of record: JobRecord, at slot: Timestamp, _ zones: SystemZones) -> String? {
    guard let days = record.teamID.flatMap({ daysOff[$0] }), let decision = record.kind.decision,
      (record.timing.closed ?? decision.closedDays) == .observe, let zone = try? zones.zone(named: record.zone),
      let off = decision.closure(days, zone.local(at: slot).date)
    else { return nil }
    return "the team is closed" + (off.note.isEmpty ? "" : ": \(off.note)")
  }
}
