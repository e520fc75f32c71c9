import FlowCalendar
import FlowControl
import FlowModel
import FlowNotices
import FlowPlatform
import FlowScheduler
import FlowServices
import FlowStore
import FlowWork

/// Answers `why`: collects the records about a slot, which `SlotExplainer` explains.
struct Explanations: Sendable {
  let store:
    any ClockLog & HoldChanges & Holds & Ledger & LedgerReport & ClusterPartitions & OutboxAdmin & People & Receipts
      & TeamDaysOff & Teams
  let scheduler: Scheduler?
  let named: RecordFinder
  let finder: TeamFinder
  let zones: SystemZones
  let clock: any WallClock

  func why(_ call: SchedulerCall.Why) async throws -> SchedulerCall.Why.Reply {
    var record = try await subject(of: call)
    try await gatherPast(of: &record)
    try await gatherOutlook(of: &record)
    let explainer = SlotExplainer(of: record, zones: zones)
    return SchedulerCall.Why.Reply(
      answer: explainer.answer, job: record.job.kind.rawValue, team: record.team?.name, zone: record.zone,
      slot: record.slot?.description, slotLocal: record.slot.map { zones.local($0, zone: record.zone) },
      run: try await view(of: record.run), facts: explainer.explanation.factsByTime,
      advice: explainer.explanation.advice)
  }

  private func view(of run: RunRecord?) async throws -> RunView? {
    guard let run else { return nil }
    return try await RunRecords(store: store, zones: zones).view(of: run)
  }

  /// Adds the records about the slot: downtimes, takeovers, pauses, and notices with their deliveries.
  private func gatherPast(of record: inout SlotRecord) async throws {
    guard let slot = record.slot else { return }
    record.downtimes = try await store.downtimes(since: slot, limit: Limits.downtimesRemembered).filter {
      $0.covers(slot)
    }
    record.takeovers = try await store.takeovers(
      of: record.team?.id, from: slot, to: max(slot, record.run?.finishedAt ?? record.run?.startedAt ?? slot))
    record.holds = try await store.holds(of: record.team?.id, from: slot, to: slot)
    if record.run == nil { record.skippedRange = try await store.skippedRange(of: record.job.id, covering: slot) }
    if record.run?.noticeID != nil {
      record.entries = try await store.entries(of: record.job.id, slot: slot)
      let receipts = try await store.receipts(
        of: record.job.id, slot: slot, limit: Limits.receiptsPerNotice * Limits.receiptsShown)
      record.receipts = Dictionary(grouping: receipts, by: \.notice)
      record.names = try await store.names(
        of: Set(record.entries.compactMap(\.notice.person) + receipts.compactMap { PersonKey($0.recipient) }))
    }
  }

  /// Adds the present state: the plan, pauses, days off, and whether the clock is trusted.
  private func gatherOutlook(of record: inout SlotRecord) async throws {
    let now = clock.now()
    record.now = now
    let holds = try await store.holds(of: record.team?.id)
    let job = try await store.settled([record.job], asOf: now).first ?? record.job
    record.planned = try? PlannedJob(job, zones: zones, holds: holds)
    if let team = record.team, team.hasDaysOff {
      record.closures = TeamClosures(daysOff: [team.id: try await store.daysOff(of: team.id)])
    }
    record.ranEarly = try await store.slotsRunEarly(after: now)[job.id] ?? []
    if case .believable = await scheduler?.clockFinding ?? .believable { record.isClockBelieved = true }
  }

  /// The slot that the call names: by job kind, by run or notice id, or by part of an id.
  private func subject(of call: SchedulerCall.Why) async throws -> SlotRecord {
    let jobs = try await store.jobs()
    if let kind = finder.jobs.kind(named: call.subject) {
      let team = try await finder.owner(of: kind, named: call.team)
      let job = try await finder.job(kind, of: team)
      let instant = try call.at.map { try zones.instant($0, team: team, now: clock.now(), field: "at") } ?? clock.now()
      var found = try await subject(job: job, team: team, notAfter: instant)
      found.isAboutNow = call.at == nil
      return found
    }
    // Runs and notices are found by part of an id; a slot without a run needs its full id.
    let owner = try await finder.optionalTeam(named: call.team)
    var found = try await named.run(call.subject, of: owner?.id)
    if found == nil { found = try await named.notice(call.subject) }
    let asked = found ?? call.subject
    // A run id such as `20260302T140000Z-morning-summary-17`, or a notice id, which has the store's install id appended.
    for job in jobs {
      let parts = asked.split(separator: "-", maxSplits: 1).map(String.init)
      let name = "\(job.kind.rawValue)-\(job.id.number)"
      let notice = "\(name)-\(store.install)"
      guard parts.count == 2, parts[1] == name || parts[1] == notice || parts[1].hasPrefix(notice + "-") else {
        continue
      }
      guard let slot = Timestamp(compact: parts[0]) else { continue }
      var team: Team?
      if let id = job.teamID { team = try await store.team(id) }
      let found = try await subject(job: job, team: team, notAfter: slot)
      if found.slot == slot { return found }
    }
    if call.subject.first?.isNumber == true || call.subject == RecordFinder.latest {
      throw ControlError(
        .noSuchRun,
        "no run, and no notice of a run, has the id \(call.subject); see `pfctl history` and `pfctl outbox list`, and "
          + "`pfctl outbox show` for the delivery of other notices",
        facts: ["name": call.subject])
    }
    throw finder.noSuchKind(call.subject)
  }

  /// The newest slot of the job at or before `instant`, by the rule effective then or run by hand.
  private func subject(job: JobRecord, team: Team?, notAfter instant: Timestamp) async throws -> SlotRecord {
    let rules = try await store.rules(of: job.id)
    let run = try await store.history(HistoryQuery(job: job.id, notAfter: instant, limit: 1)).first
    for span in rules.reversed() where span.since < instant {
      let end = min(instant, span.until ?? instant)
      let nominal = schedule(of: span)?.previous(before: end.advanced(by: .milliseconds(1)))
      guard let nominal, span.covers(nominal.instant) else { continue }
      if let run, run.slot > nominal.instant { break }
      let own = run.flatMap { $0.slot == nominal.instant ? $0 : nil }
      return SlotRecord(job: job, team: team, slot: nominal.instant, occurrence: nominal, run: own, span: span)
    }
    let span = rules.last { span in run.map { span.covers($0.slot) } ?? (span.until == nil) }
    return SlotRecord(job: job, team: team, slot: run?.slot, occurrence: nil, run: run, span: span)
  }

  /// The schedule of a rule as it was effective; nil if the rule has no slots or cannot be parsed.
  private func schedule(of span: RuleSpan) -> Schedule? {
    switch span.rule {
    case .never: return nil
    case .once(let instant): return .once(instant)
    case .calendar(let text):
      // A rule or zone that cannot be parsed has no slots; the explanation still shows the rule.
      guard let zone = try? zones.zone(named: span.zone), let expression = try? CalendarExpression(text) else {
        return nil
      }
      return .calendar(CalendarRule(expression, zone: zone, policy: span.timing.policy))
    }
  }
}
