import PoolCalendar
import PoolControl
import PoolJobs
import PoolModel
import PoolNotices
import PoolPlatform
import PoolScheduler
import PoolStore

extension Backend {
  /// What is to be explained.
  private struct Subject {
    let job: JobRecord
    /// Nil for a job of the server.
    let team: Team?
    /// Nil where the job has no slot at or before the instant asked about.
    let slot: Timestamp?
    let occurrence: Occurrence?
    let run: RunRecord?
    let span: RuleSpan?

    /// `morning-summary of desert-blue`, or `backup`.
    var name: String { job.kind.rawValue + (team.map { " of \($0.name)" } ?? "") }
    /// ` --team desert-blue`, for a command line.
    var teamOption: String { team.map { " --team \($0.name)" } ?? "" }
  }

  func why(_ call: SchedulerCall.Why, _ caller: Caller) async throws -> SchedulerCall.Why.Reply {
    let subject = try await subject(of: call)
    let job = subject.job
    let zone = subject.span?.zone ?? job.zone
    var explanation = Explanation { local($0, zone: zone) }
    if let span = subject.span {
      let since = span.since.milliseconds == 0 ? nil : span.since
      explanation.add("rule", at: since, "\(words(for: span.rule, zone: span.zone)), \(span.zone)")
    }
    var answer = "\(subject.name) has no slot that has come yet"
    if let slot = subject.slot {
      try await circumstances(of: slot, subject, &explanation)
      answer = try await verdict(on: slot, subject, &explanation)
      if let run = subject.run { try await consequences(of: run, &explanation, &answer) }
    }
    try await outlook(subject, &explanation)
    return SchedulerCall.Why.Reply(
      answer: answer, job: job.kind.rawValue, team: subject.team?.name, zone: zone, slot: subject.slot?.description,
      slotLocal: subject.slot.map { local($0, zone: zone) }, run: subject.run.map { view(of: $0) },
      facts: explanation.chain, advice: explanation.advice)
  }

  // MARK: What is asked about

  private func subject(of call: SchedulerCall.Why) async throws -> Subject {
    let jobs = try await store.jobs()
    if let kind = JobKind(rawValue: call.subject) {
      let team = try await owner(of: kind, named: call.team)
      let job = try await job(kind, of: team)
      let instant = try call.at.map { try self.instant($0, team: team, field: "at") } ?? clock.now()
      return try await subject(job: job, team: team, notAfter: instant)
    }
    // 20260302T140000Z-morning-summary-17, or a notice's id, which has the store's mark after it.
    for job in jobs {
      let parts = call.subject.split(separator: "-", maxSplits: 1).map(String.init)
      let name = "\(job.kind.rawValue)-\(job.id.number)"
      guard parts.count == 2, parts[1] == name || parts[1] == "\(name)-\(store.install)" else { continue }
      guard let slot = Timestamp(compact: parts[0]) else { continue }
      var team: Team?
      if let id = job.teamID { team = try await store.team(id) }
      let found = try await subject(job: job, team: team, notAfter: slot)
      if found.slot == slot { return found }
    }
    if call.subject.contains("Z-") {
      throw ControlError(
        .noSuchRun, "no run or notice is called \(call.subject); `pfctl history --json` shows them all",
        facts: ["name": call.subject])
    }
    throw ControlError.noSuchJob(
      call.subject, suggestion: Suggestion.nearest(to: call.subject, among: JobCatalogue.all.map(\.rawValue)))
  }

  /// The newest slot of the job at or before `instant`, by its rule of that time or by hand.
  private func subject(job: JobRecord, team: Team?, notAfter instant: Timestamp) async throws -> Subject {
    let rules = try await store.rules(of: job.id)
    let run = try await store.history(HistoryQuery(job: job.id, notAfter: instant, limit: 1)).first
    for span in rules.reversed() where span.since < instant {
      let end = min(instant, span.until ?? instant)
      let nominal = schedule(of: span)?.previous(before: end.advanced(by: .milliseconds(1)))
      guard let nominal, span.covers(nominal.instant) else { continue }
      if let run, run.slot > nominal.instant { break }
      let own = run.flatMap { $0.slot == nominal.instant ? $0 : nil }
      return Subject(job: job, team: team, slot: nominal.instant, occurrence: nominal, run: own, span: span)
    }
    let span = rules.last { span in run.map { span.covers($0.slot) } ?? (span.until == nil) }
    return Subject(job: job, team: team, slot: run?.slot, occurrence: nil, run: run, span: span)
  }

  private func schedule(of span: RuleSpan) -> Schedule? {
    switch span.rule {
    case .never: return nil
    case .once(let instant): return .once(instant)
    case .calendar(let text):
      // A rule or zone that cannot be read any more has no slots to tell of; the chain still names it.
      guard let zone = try? zones.zone(named: span.zone), let expression = try? CalendarExpression(text) else {
        return nil
      }
      return .calendar(CalendarRule(expression, zone: zone))
    }
  }

  private func words(for rule: JobRule, zone: String) -> String {
    switch rule {
    case .calendar(let text): (try? CalendarExpression(text).description) ?? text
    case .once(let instant): "once, \(local(instant, zone: zone))"
    case .never: "never due by itself"
    }
  }

  // MARK: The chain

  /// When it was due, and what was the matter at that time.
  private func circumstances(of slot: Timestamp, _ subject: Subject, _ chain: inout Explanation) async throws {
    let zone = subject.span?.zone ?? subject.job.zone
    let isManual = subject.run?.cause == .manual
    for absence in try await store.absences(since: slot) where absence.covers(slot) {
      chain.add("away", at: absence.from, absence.sentence { local($0, zone: zone) })
    }
    let holds = try await store.holds(of: subject.team?.id, from: slot, to: slot)
    for hold in holds where hold.concerns(subject.job) && hold.pauses(slot) && !isManual {
      chain.add("paused", at: hold.from, hold.sentence)
      chain.advise(
        "pfctl resume\(hold.jobID == nil ? "" : " \(subject.job.kind.rawValue)")\(subject.teamOption)",
        "ends the pause")
    }
    var due = isManual ? "asked for by hand" : "by its rule"
    let note =
      subject.run?.note
      ?? subject.occurrence.flatMap { slot in
        (try? zones.zone(named: zone)).flatMap { slot.note(in: $0) }
      }
    if let note { due += subject.occurrence?.event == .plain ? "; \(note)" : "; moved: \(note)" }
    chain.add("due", at: slot, due)
  }

  /// The answer, and the facts of the run itself.
  private func verdict(
    on slot: Timestamp, _ subject: Subject, _ chain: inout Explanation
  ) async throws -> String {
    let job = subject.job
    let name = subject.name
    guard let run = subject.run else {
      if let stretch = try await store.stretch(of: job.id, covering: slot) {
        chain.add("missed", at: slot, "one of a stretch: \(stretch.detail)")
        return "\(name) missed it: \(stretch.detail)"
      }
      if let until = subject.span?.until {
        chain.add("swept", at: until, "the rule was changed before this slot was run")
        return "\(name) did not run: its rule was changed at \(local(until, zone: job.zone)), before the slot was run"
      }
      return "\(name) is due and is being taken up"
    }
    if let started = run.startedAt {
      let late = run.lateness ?? .zero
      var text = late > .seconds(1) ? "\(late.inWords) late" : run.cause == .manual ? "at once" : "on time"
      if run.attempts > 1 { text += ", attempt \(run.attempts)" }
      chain.add("started", at: started, text)
    }
    let detail = run.detail ?? ""
    let looked = run.inputs.map { " (looked at: \($0))" } ?? ""
    chain.add(run.outcome.rawValue, at: run.finishedAt ?? run.startedAt ?? slot, detail + looked)
    if let next = run.nextTryAt, run.outcome == .waiting { chain.add("next try", at: next, "") }
    advise(on: run, subject, &chain)
    return sentence(for: run, name: name)
  }

  private func sentence(for run: RunRecord, name: String) -> String {
    let detail = run.detail ?? ""
    let late = (run.lateness ?? .zero) >= Limits.lateAfter ? ", \((run.lateness ?? .zero).inWords) late" : ""
    return switch run.outcome {
    case .running: "\(name) is running"
    case .waiting: "\(name) failed and will be tried again: \(detail)"
    case .done: "\(name) ran\(late)"
    case .notified: "\(name) ran\(late) and sent a notice"
    case .skipped where ["skipped-by-hand", "cancelled", "rule-changed"].contains(run.reason):
      "\(name) did not run: \(detail)"
    case .skipped: "\(name) ran\(late) and stayed silent: \(detail)"
    case .missed: "\(name) did not run: \(detail)"
    case .coalesced: "\(name) did not run: \(detail)"
    case .paused: "\(name) did not run: \(detail)"
    case .failed: "\(name) failed: \(detail)"
    }
  }

  private func advise(on run: RunRecord, _ subject: Subject, _ chain: inout Explanation) {
    let (job, team) = (subject.job.kind.rawValue, subject.team?.name ?? "")
    let day = subject.span.flatMap { try? zones.zone(named: $0.zone) }.map { "\($0.local(at: run.slot).date)" }
    if run.outcome.isOpen { chain.advise("pfctl cancel \(view(of: run).id)", "ends it") }
    switch run.outcome {
    case .missed, .paused, .coalesced, .failed, .waiting:
      guard subject.team != nil else {
        chain.advise("pfctl run \(job)", "runs it now")
        break
      }
      let asOf = day.map { " --as-of \($0)" } ?? ""
      chain.advise("pfctl run \(job)\(subject.teamOption)\(asOf)", "runs it now, about that day")
    case .skipped:
      let silence = run.kind.scenario?.silences.first { $0.code == run.reason }
      if let remedy = silence?.remedy {
        let command = remedy.command.replacing("{team}", with: team).replacing("{job}", with: job)
        chain.advise(command, remedy.effect)
      }
    case .running, .done, .notified: break
    }
  }

  /// What became of its notice.
  private func consequences(of run: RunRecord, _ chain: inout Explanation, _ answer: inout String) async throws {
    guard let id = run.noticeID else { return }
    let entries = try await store.outbox(OutboxQuery(noticeID: id)).sorted { $0.sequence < $1.sequence }
    if let notice = entries.first?.notice { chain.add("notice", at: notice.createdAt, "\(id): \(notice.title)") }
    for entry in entries {
      let tries = entry.attempts == 0 ? "" : " after \(entry.attempts) refusal\(entry.attempts == 1 ? "" : "s")"
      let error = entry.lastError.map { ": \($0)" } ?? ""
      switch entry.state {
      case .sent: chain.add("sent", at: entry.sentAt, "to \(entry.sink)\(tries)")
      case .pending, .staged:
        chain.add("waiting", at: entry.nextTryAt, "for \(entry.sink)\(tries)\(error)")
        chain.advise("pfctl outbox show \(id)", "shows each try")
      case .dead:
        chain.add("dead", "\(entry.sink) never took it\(tries)\(error)")
        chain.advise("pfctl outbox show \(id)", "shows what was refused")
      case .held:
        chain.add("held", "for \(entry.sink), since a restore")
        chain.advise("pfctl outbox list --state held", "shows what a restore holds back")
      }
    }
    let unsent = entries.filter { $0.state != .sent }
    if !unsent.isEmpty { answer += ", which \(unsent.map(\.sink).joined(separator: ", ")) did not take yet" }
  }

  /// What comes next.
  private func outlook(_ subject: Subject, _ chain: inout Explanation) async throws {
    let now = clock.now()
    let holds = try await store.holds(of: subject.team?.id)
    let job = try await store.settled([subject.job], asOf: now).first ?? subject.job
    var planned = try? PlannedJob(job, zones: zones, holds: holds)
    let early = try await store.slotsRunEarly(after: now)[job.id] ?? []
    if let first = planned?.nextToRun(after: now), early.contains(first.instant) {
      chain.add(
        "settled", at: first.instant, "it has its verdict already, by a clock that was ahead; it does not run again")
    }
    planned?.ranEarly = early
    if let next = planned?.nextToRun(after: now) {
      chain.add("next", at: next.instant, next.note(in: planned?.zone ?? .utc) ?? "by its rule")
    } else if let hold = planned?.holds.last(where: { $0.isInForce(at: now) }) {
      chain.add("next", at: now, "nothing while it is \(hold.sentence)")
    }
    if case .believable = await scheduler.clockFinding {
    } else {
      chain.add("clock", at: now, "the clock is not believed, so nothing is scheduled")
      chain.advise("timedatectl", "shows and sets the clock")
    }
    if chain.advice.isEmpty {
      chain.advise(
        "pfctl history \(subject.job.kind.rawValue)\(subject.teamOption)", "shows the runs before it")
    }
  }
}
