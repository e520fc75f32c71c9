import PoolCalendar
import PoolControl
import PoolDelivery
import PoolJobs
import PoolModel
import PoolNotices
import PoolPlatform
import PoolScheduler
import PoolStore

extension Backend {
  func status(_ call: SchedulerCall.Status, _ caller: Caller) async throws -> SchedulerCall.Status.Reply {
    let now = clock.now()
    let counts = try await store.stateCounts()
    let depth = try await store.outboxDepth()
    let outcomes = try await store.outcomes(since: now.advanced(by: .hours(-24)), notAfter: now)
    let oldest = try await store.oldestUndelivered()
    let (clockView, clockDetail) = try await clockWords(now: now)
    let (disk, diskDetail) = await diskWords()
    return SchedulerCall.Status.Reply(
      version: facts.version, pid: ProcessIdentity.own, startedAt: facts.startedAt.description, now: now.description,
      schemaVersion: Schema.currentVersion, clock: clockView, clockDetail: clockDetail,
      clockMended: try await recentMend(now: now)?.sentence, disk: disk, diskDetail: diskDetail,
      stateDir: facts.stateDirectory, configPath: await settings.path, teams: counts.teams, pools: counts.pools,
      jobs: counts.jobs,
      next: try await upcoming(count: 3, team: nil, kind: nil),
      runsLastDay: RunCountsView(
        done: outcomes[.done] ?? 0, notified: outcomes[.notified] ?? 0, skipped: outcomes[.skipped] ?? 0,
        failed: outcomes[.failed] ?? 0, missed: outcomes[.missed] ?? 0),
      outbox: OutboxCountsView(
        pending: depth[.pending] ?? 0, staged: depth[.staged] ?? 0, sent: depth[.sent] ?? 0, dead: depth[.dead] ?? 0,
        held: depth[.held] ?? 0, oldestPendingS: oldest.map { seconds(now.since($0)) }),
      sinks: await sinkViews(), troubles: Array(try await troubles().prefix(Limits.problemsShown)),
      failedWork: try await failedWork())
  }

  private func diskWords() async -> (DiskView, String?) {
    let path = facts.stateDirectory
    if await store.isOutOfRoom { return (.full, "there is no room in '\(path)': nothing can be written") }
    guard let free = DiskSpace(at: path)?.freeBytes, free < Limits.freeSpaceError else { return (.ok, nil) }
    return (.low, "only \(free >> 20) MiB are free in '\(path)'")
  }

  private func sinkViews() async -> [SinkView] {
    let folders = await settings.dropFolders
    return await dispatcher.statuses().map { lane in
      let detail = lane.trouble.map { "\($0)" } ?? folders[lane.sink] ?? ""
      return SinkView(
        name: lane.sink, kind: lane.kind.rawValue, state: lane.trouble == nil ? "ok" : "sick", detail: detail)
    }
  }

  func list(_ call: SchedulerCall.List, _ caller: Caller) async throws -> SchedulerCall.List.Reply {
    let team = try await optionalTeam(named: call.team)
    let now = clock.now()
    let records = try await store.settled(team == nil ? store.jobs() : store.jobs(of: team?.id), asOf: now)
    let early = try await store.slotsRunEarly(after: now)
    let teams = Dictionary(try await store.teams().map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let last = try await store.lastRuns(notAfter: now)
    let holds = try await holds(of: team?.id)
    var rules = RuleShelf()
    var order: [ListPosition] = []
    var views: [JobView] = []
    for record in records {
      let team = record.teamID.flatMap { teams[$0] }
      // A rule that cannot be read any more has no next slot; the scheduler's log says why.
      var planned = try? PlannedJob(record, zones: zones, rules: &rules, holds: holds[record.teamID] ?? [])
      planned?.ranEarly = early[record.id] ?? []
      let next = planned?.nextToRun(after: now)
      let hold = planned?.holds.last { $0.isInForce(at: now) }
      let position = ListPosition(
        next: next?.instant, team: record.teamName, job: record.kind.rawValue, index: views.count)
      order.append(position)
      views.append(view(of: record, team: team, next: next, hold: hold, last: last[record.id]))
    }
    order.sort()
    return SchedulerCall.List.Reply(jobs: order.map { views[$0.index] })
  }

  private func view(
    of record: JobRecord, team: Team?, next: Occurrence?, hold: Hold?, last: RunRecord?
  ) -> JobView {
    let state: JobStateView
    if last?.outcome == .running {
      state = .running
    } else if hold != nil {
      state = .paused
    } else {
      state = next == nil ? .never : isSilenced(record.kind, team) == nil ? .scheduled : .disabled
    }
    let rule: String =
      switch record.rule {
      case .calendar(let text): (try? CalendarExpression(text).description) ?? text
      case .once(let instant): "once \(local(instant, zone: record.zone))"
      case .never: "never"
      }
    let notes = [next.flatMap { dstNote($0, zone: record.zone) }, isSilenced(record.kind, team)].compactMap { $0 }
    let hold = hold.map { view(of: $0, kind: record.kind, team: team) }
    return JobView(
      job: record.kind.rawValue, team: team?.name, rule: rule, zone: record.zone, state: state,
      next: next?.instant.description, nextLocal: next.map { local($0.instant, zone: record.zone) },
      note: notes.isEmpty ? nil : notes.joined(separator: "; "), hold: hold, last: last?.slot.description,
      lastLocal: last.map { local($0.slot, zone: record.zone) }, lastResult: last.map { $0.outcome.view },
      lastReason: last?.reason, lastLateS: last?.lateness.map(seconds))
  }

  /// Why a job of this team would stay silent whatever its facts, in a sentence; nil when it may speak.
  private func isSilenced(_ kind: JobKind, _ team: Team?) -> String? {
    team.flatMap { kind.scenario?.silence($0)?.sentence }
  }

  func next(_ call: SchedulerCall.Next, _ caller: Caller) async throws -> SchedulerCall.Next.Reply {
    guard (1...Limits.slotsPerCatchUp).contains(call.count) else {
      throw ControlError.badValue(
        field: "count", value: String(call.count), why: "it is from 1 to \(Limits.slotsPerCatchUp)")
    }
    let team = try await optionalTeam(named: call.team)
    let kind = try call.job.map { try self.kind(named: $0) }
    return SchedulerCall.Next.Reply(occurrences: try await upcoming(count: call.count, team: team?.id, kind: kind))
  }

  /// The coming slots in order of time, over all the jobs asked about.
  private func upcoming(count: Int, team: TeamID?, kind: JobKind?) async throws -> [OccurrenceView] {
    let now = clock.now()
    let records = try await store.settled(store.jobs(), asOf: now).filter {
      (team == nil || $0.teamID == team) && (kind == nil || $0.kind == kind)
    }
    let early = try await store.slotsRunEarly(after: now)
    let holds = try await holds(of: team)
    var candidates: [(record: JobRecord, slot: Occurrence)] = []
    var planned: [JobID: PlannedJob] = [:]
    for record in records {
      guard var job = try? PlannedJob(record, zones: zones, holds: holds[record.teamID] ?? []) else { continue }
      job.ranEarly = early[record.id] ?? []
      planned[record.id] = job
      if let slot = job.nextToRun(after: now) { candidates.append((record, slot)) }
    }
    // Only as many jobs as slots were asked for can come first.
    candidates.sort { ($0.slot.instant, $0.record.id) < ($1.slot.instant, $1.record.id) }
    var waiting = Array(candidates.prefix(count))
    var found: [OccurrenceView] = []
    while found.count < count, !waiting.isEmpty {
      let (record, slot) = waiting.removeFirst()
      found.append(
        OccurrenceView(
          job: record.kind.rawValue, team: record.team, at: slot.instant.description,
          local: local(slot.instant, zone: record.zone), zone: record.zone, note: dstNote(slot, zone: record.zone)))
      if let following = planned[record.id]?.nextToRun(after: slot.instant) {
        let place = waiting.firstIndex { ($0.slot.instant, $0.record.id) > (following.instant, record.id) }
        waiting.insert((record, following), at: place ?? waiting.endIndex)
      }
    }
    return found
  }

  private func dstNote(_ slot: Occurrence, zone: String) -> String? {
    guard let zone = try? zones.zone(named: zone) else { return nil }
    return slot.note(in: zone)
  }

  func history(_ call: SchedulerCall.History, _ caller: Caller) async throws -> SchedulerCall.History.Reply {
    guard (1...Limits.rowsPerAnswer).contains(call.limit) else {
      throw ControlError.badValue(
        field: "limit", value: String(call.limit), why: "it is from 1 to \(Limits.rowsPerAnswer)")
    }
    let team = try await optionalTeam(named: call.team)
    let kind = try call.job.map { try self.kind(named: $0) }
    let runs = try await store.history(
      HistoryQuery(
        team: team?.id, kind: kind, since: try call.since.map { try instant($0, team: team, field: "since") },
        onlyFailed: call.failed, limit: call.limit))
    return SchedulerCall.History.Reply(runs: runs.map { view(of: $0) })
  }

  func run(
    _ call: SchedulerCall.Run, _ caller: Caller, _ more: MoreAnswers<SchedulerCall.Run.Reply>?
  ) async throws -> SchedulerCall.Run.Reply {
    if let more, call.wait == true { return try await runAndWait(call, caller, more) }
    return SchedulerCall.Run.Reply(run: view(of: try await runNow(call)))
  }

  /// Runs a job once; what failed and is tried again later comes back as waiting.
  func runNow(_ call: SchedulerCall.Run) async throws -> RunRecord {
    let kind = try self.kind(named: call.job)
    let team = try await owner(of: kind, named: call.team)
    if kind.isServers, let asOf = call.asOf {
      throw ControlError.badValue(field: "as-of", value: asOf, why: "\(kind.rawValue) is about what there is now")
    }
    let now = clock.now()
    guard now >= Limits.earliestPlausibleNow else {
      throw ControlError(.clockImplausible, "the clock says \(now), so nothing is run; set it first")
    }
    let asOf = try call.asOf.map { try instant($0, team: team, field: "as-of") } ?? now
    let job = try await job(kind, of: team)
    let slot = try await refusing { try await runner.runNow(job, asOf: asOf) }
    return try await record(of: RunKey(jobID: job.id, slot: slot))
  }

  /// RFC 3339, or a date with or without a time in the team's zone.
  func instant(_ text: String, team: Team?, field: String) throws -> Timestamp {
    if let instant = Timestamp(rfc3339: text) { return instant }
    let parts = text.split(separator: " ", maxSplits: 1)
    if let date = parts.first.flatMap({ Timestamp(rfc3339: $0 + "T00:00:00Z") }) {
      let day = LocalDateTime(secondsAsIfUTC: date.seconds).date
      let time = parts.count == 2 ? TimeOfDay(parts[1]) : TimeOfDay(secondOfDay: 0)
      if let time { return try zone(named: team?.zone ?? "UTC").resolve(LocalDateTime(date: day, time: time)).standard }
    }
    throw ControlError.badValue(
      field: field, value: text,
      why: "write 2026-03-02, '2026-03-02 07:00' (in the team's zone) or 2026-03-02T14:00:00Z")
  }

  func view(of run: RunRecord) -> RunView {
    RunView(
      id: "\(run.slot.compact)-\(run.kind.rawValue)-\(run.jobID.number)", job: run.kind.rawValue, team: run.team,
      slot: run.slot.description,
      slotLocal: local(run.slot, zone: run.zone), zone: run.zone, trigger: run.cause == .manual ? .manual : .schedule,
      outcome: run.outcome.view, reason: run.reason ?? "", detail: run.detail ?? "",
      note: run.note, inputs: run.inputs, nextTryAt: run.nextTryAt?.description,
      lateS: seconds(run.lateness ?? .zero), startedAt: run.startedAt?.description,
      finishedAt: run.finishedAt?.description, attempts: run.attempts, noticeId: run.noticeID)
  }

  func seconds(_ duration: Duration) -> Double { Double(duration.wholeMilliseconds) / 1_000 }
}

extension JobRecord {
  /// Nil for the server's own.
  var team: String? { teamID == nil ? nil : teamName }
}

extension RunRecord {
  /// Nil for the server's own.
  var team: String? { teamID == nil ? nil : teamName }
  /// `of team 'desert-blue'`, for the log.
  var ownerWords: String { teamID == nil ? "of the server" : "of team '\(teamName)'" }
}

extension RunOutcome {
  var view: OutcomeView {
    switch self {
    case .running: .running
    case .waiting: .waiting
    case .coalesced: .coalesced
    case .paused: .paused
    case .done: .done
    case .notified: .notified
    case .skipped: .skipped
    case .missed: .missed
    case .failed: .failed
    }
  }
}

/// Where a job stands in a list: the next to run first, what never runs last. Light, since sorting moves it about.
private struct ListPosition: Comparable {
  let next: Timestamp?
  let team: String
  let job: String
  /// In the unsorted list.
  let index: Int

  static func < (left: ListPosition, right: ListPosition) -> Bool {
    switch (left.next, right.next) {
    case (let left?, let right?) where left != right: left < right
    case (nil, _?): false
    case (_?, nil): true
    default: (left.team, left.job) < (right.team, right.job)
    }
  }
}
