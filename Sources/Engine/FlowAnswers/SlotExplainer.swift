import FlowCalendar
import FlowControl
import FlowModel
import FlowNotices
import FlowPlatform
import FlowScheduler
import FlowServices
import FlowStore
import FlowWork

/// All records about one slot of a job and its consequences.
struct SlotRecord {
  let job: JobRecord
  /// Nil for a job of the server.
  let team: Team?
  /// Nil if the job has no slot at or before the instant asked about.
  let slot: Timestamp?
  let occurrence: Occurrence?
  let run: RunRecord?
  /// The rule that was effective at the slot.
  let span: RuleSpan?
  /// Downtimes of the daemon that cover the slot.
  var downtimes: [Downtime] = []
  /// Takeovers of the slot's partition after a node crashed, between the slot and the end of its run.
  var takeovers: [Takeover] = []
  /// Pauses and skips of the job or its team at the slot.
  var holds: [Hold] = []
  /// The range of skipped slots that contains the slot, if it has no run.
  var skippedRange: SkippedSlotRange?
  /// Outbox entries of all notices of the run, grouped by notice; those for the whole team first.
  var entries: [OutboxEntry] = []
  /// Delivery receipts by notice id, losses first.
  var receipts: [String: [Receipt]] = [:]
  /// Names of the persons who get the notices, by key.
  var names: [PersonKey: String] = [:]
  var now = Timestamp(milliseconds: 0)
  /// Nil if the rule or zone cannot be read.
  var planned: PlannedJob?
  var ranEarly: Set<Timestamp> = []
  var isClockBelieved = false
  /// True if the caller named no instant and no run: the question is about the present state.
  var isAboutNow = false
  var closures = TeamClosures(daysOff: [:])

  init(job: JobRecord, team: Team?, slot: Timestamp?, occurrence: Occurrence?, run: RunRecord?, span: RuleSpan?) {
    self.job = job
    self.team = team
    self.slot = slot
    self.occurrence = occurrence
    self.run = run
    self.span = span
  }

  var zone: String { span?.zone ?? job.zone }
  /// `morning-summary of desert-blue`, or `backup`.
  var name: String { job.kind.rawValue + (team.map { " of \($0.name)" } ?? "") }
  /// ` --team desert-blue`, for a command line.
  var teamOption: String { team.map { " --team \($0.name)" } ?? "" }
}

/// Explains the outcome of a slot from its record alone.
struct SlotExplainer {
  private(set) var answer: String
  private(set) var explanation: Explanation
  private let record: SlotRecord
  private let zones: SystemZones

  init(of record: SlotRecord, zones: SystemZones) {
    self.record = record
    self.zones = zones
    explanation = Explanation { zones.local($0, zone: record.zone) }
    answer = "\(record.name) has not been due yet"
    if let span = record.span {
      let since = span.since.milliseconds == 0 ? nil : span.since
      explanation.add("rule", at: since, "\(words(for: span.rule, zone: span.zone)), \(span.zone)")
    }
    if let slot = record.slot {
      addCircumstances(of: slot)
      answer = verdict(on: slot)
      addNotices()
    }
    if record.isAboutNow { addSuppression() }
    outlook()
  }

  /// Adds the setting that suppresses the job now, whichever slot is asked about.
  private mutating func addSuppression() {
    let job = record.job.kind
    guard let silence = record.team.flatMap({ job.decision?.silence($0) }) else { return }
    answer =
      record.run?.reason == silence.code
      ? "\(record.name) stays silent: \(silence.sentence)"
      : "\(record.name) stays silent: \(silence.sentence); until now: \(answer)"
    advise(silence)
  }

  /// Advises the command that lifts a suppression, if there is one.
  private mutating func advise(_ silence: SuppressionReason?) {
    guard let remedy = silence?.remedy else { return }
    let command = remedy.command.replacing("{team}", with: record.team?.name ?? "")
      .replacing("{job}", with: record.job.kind.rawValue)
    explanation.advise(command, remedy.effect)
  }

  /// A rule as text for people.
  private func words(for rule: JobRule, zone: String) -> String {
    switch rule {
    case .calendar(let text): (try? CalendarExpression(text).description) ?? text
    case .once(let instant): "once, \(zones.local(instant, zone: zone))"
    case .never: "never due by itself"
    }
  }

  /// Adds the time at which the slot was due, and the downtimes, takeovers and pauses around it.
  private mutating func addCircumstances(of slot: Timestamp) {
    let zone = record.zone
    let isManual = record.run?.cause == .manual
    for downtime in record.downtimes {
      explanation.add("away", at: downtime.from, downtime.sentence { zones.local($0, zone: zone) })
    }
    for takeover in record.takeovers {
      let lost = takeover.lost.map { "'\($0)'" } ?? "another"
      explanation.add(
        "taken over", at: takeover.at,
        "by node '\(takeover.node)' from \(lost), which disappeared: its last heartbeat was at "
          + zones.local(takeover.last, zone: zone))
    }
    for hold in record.holds where hold.concerns(record.job) && hold.pauses(slot) && !isManual {
      explanation.add("paused", at: hold.from, hold.sentence)
      explanation.advise(
        "pfctl resume\(hold.jobID == nil ? "" : " \(record.job.kind.rawValue)")\(record.teamOption)",
        "ends the pause")
    }
    var due = isManual ? "asked for by hand" : "by its rule"
    let note =
      record.run?.note
      ?? record.occurrence.flatMap { slot in
        (try? zones.zone(named: zone)).flatMap { slot.note(in: $0) }
      }
    if let note { due += record.occurrence?.event == .plain ? "; \(note)" : "; moved: \(note)" }
    explanation.add("due", at: slot, due)
  }

  /// Adds the facts of the run, and returns the answer in one sentence.
  private mutating func verdict(on slot: Timestamp) -> String {
    let job = record.job
    let name = record.name
    guard let run = record.run else {
      if let skippedRange = record.skippedRange {
        explanation.add("missed", at: slot, "one of a range of slots: \(skippedRange.detail)")
        return "\(name) missed this slot: \(skippedRange.detail)"
      }
      if let until = record.span?.until {
        explanation.add("swept", at: until, "the rule was changed before this slot was run")
        return
          "\(name) did not run: its rule was changed at \(zones.local(until, zone: job.zone)), before the slot was run"
      }
      return slot > record.now ? outlook(on: slot) : "\(name) is due and starts in a moment"
    }
    if let started = run.startedAt {
      let late = run.lateness ?? .zero
      var text = late > .seconds(1) ? "\(late.inWords) late" : run.cause == .manual ? "at once" : "on time"
      if run.attempts > 1 { text += ", attempt \(run.attempts)" }
      explanation.add("started", at: started, text)
    }
    let detail = run.detail ?? ""
    let looked = run.inputs.map { " (looked at: \($0))" } ?? ""
    explanation.add(run.outcome.rawValue, at: run.finishedAt ?? run.startedAt ?? slot, detail + looked)
    if let next = run.nextTryAt, run.outcome == .waiting { explanation.add("next try", at: next, "") }
    advise(on: run)
    return sentence(for: run, name: name)
  }

  /// The answer about a future slot: when it is due, and whether it will run by the present settings.
  private mutating func outlook(on slot: Timestamp) -> String {
    let due = "\(record.name) is not due yet: it is due \(zones.local(slot, zone: record.zone))"
    let planned = record.planned
    if let pause = planned?.holds.first(where: { $0.pauses(slot) }) {
      return "\(due), and will not run then: \(pause.sentence)"
    }
    let next = planned?.nextToRun(after: slot.advanced(by: .milliseconds(-1)))
    if next?.instant != slot, let skip = planned?.holds.last(where: \.isSkip) {
      explanation.add("skipped", at: slot, skip.sentence)
      return "\(due), and will not run then: \(skip.sentence)"
    }
    if let closed = record.closures.note(of: record.job, at: slot, zones) {
      explanation.add("silent", at: slot, closed)
      return "\(due), and will stay silent: \(closed)"
    }
    guard let silence = record.team.flatMap({ record.job.kind.decision?.silence($0) }) else { return due }
    advise(silence)
    return "\(due), and will stay silent by the present settings: \(silence.sentence)"
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

  /// Advises commands that fit the outcome of the run.
  private mutating func advise(on run: RunRecord) {
    let job = record.job.kind.rawValue
    let day = record.span.flatMap { try? zones.zone(named: $0.zone) }.map { "\($0.local(at: run.slot).date)" }
    if run.outcome.isOpen { explanation.advise("pfctl cancel \(ShownIDs(runs: [run.id])[run.id])", "ends it") }
    switch run.outcome {
    case .missed, .paused, .coalesced, .failed, .waiting:
      guard record.team != nil else {
        explanation.advise("pfctl run \(job)", "runs it now")
        break
      }
      let asOf = day.map { " --at \($0)" } ?? ""
      explanation.advise("pfctl run \(job)\(record.teamOption)\(asOf)", "runs it now, for that day")
    case .skipped:
      advise(run.kind.decision?.suppressionReasons.first { $0.code == run.reason })
    case .running, .done, .notified: break
    }
  }

  private var shownIDs: ShownIDs { ShownIDs(notices: record.entries.map(\.notice.id)) }

  /// Adds the notices of the run with their deliveries: those for the whole team first, then each person's own.
  private mutating func addNotices() {
    var shownNotices: Set<String> = []
    var unsent: [String] = []
    for entry in record.entries {
      let notice = entry.notice
      if shownNotices.insert(notice.id).inserted {
        let owner = notice.person.map { " for \(record.names.name(of: $0))" } ?? ""
        explanation.add("notice", at: notice.createdAt, "\(shownIDs[notice.id])\(owner): \(notice.title)")
      }
      addFacts(entry)
      for receipt in record.receipts[notice.id] ?? [] where receipt.sink == entry.sink { addFacts(receipt, of: notice) }
      if entry.state != .sent, !unsent.contains(entry.sink) { unsent.append(entry.sink) }
    }
    let losses = record.receipts.values.joined().count { $0.outcome.isLoss }
    if losses > 0 { answer += ", of which \(losses == 1 ? "a delivery was" : "\(losses) deliveries were") lost" }
    if !unsent.isEmpty { answer += ", which \(unsent.joined(separator: ", ")) did not take yet" }
  }

  /// Adds one delivery receipt.
  private mutating func addFacts(_ receipt: Receipt, of notice: Notice) {
    let whom =
      PersonKey(receipt.recipient).map { " for \(record.names.name(of: $0))" }
      ?? (receipt.recipient == "office" && notice.person == nil ? " for the office" : "")
    let tries = receipt.tries > 1 ? ", try \(receipt.tries)" : ""
    explanation.add(receipt.outcome.rawValue, at: receipt.at, "by \(receipt.channel)\(whom)\(tries): \(receipt.words)")
    if receipt.outcome.isLoss { explanation.advise("pfctl outbox show \(notice.id)", "shows each delivery") }
  }

  /// Adds the state of one outbox entry.
  private mutating func addFacts(_ entry: OutboxEntry) {
    let id = shownIDs[entry.notice.id]
    let tries = entry.attempts == 0 ? "" : " after \(entry.attempts) refusal\(entry.attempts == 1 ? "" : "s")"
    let error = entry.lastError.map { ": \($0)" } ?? ""
    switch entry.state {
    case .sent: explanation.add("sent", at: entry.sentAt, "to \(entry.sink)\(tries)")
    case .pending, .staged:
      explanation.add("waiting", at: entry.nextTryAt, "for \(entry.sink)\(tries)\(error)")
      explanation.advise("pfctl outbox show \(id)", "shows each try")
    case .dead:
      explanation.add("dead", "\(entry.sink) never took it\(tries)\(error)")
      explanation.advise("pfctl outbox show \(id)", "shows what was refused")
    case .held:
      explanation.add("held", "for \(entry.sink), since a restore")
      explanation.advise("pfctl outbox list --state held", "shows what a restore holds back")
    }
  }

  /// Adds the job's next slot, and the reasons why nothing may run.
  private mutating func outlook() {
    let now = record.now
    var planned = record.planned
    if let first = planned?.nextToRun(after: now), record.ranEarly.contains(first.instant) {
      explanation.add(
        "settled", at: first.instant, "it ran already, by a clock that was ahead; it does not run again")
    }
    planned?.ranEarly = record.ranEarly
    if let next = planned?.nextToRun(after: now) {
      let closed = record.closures.note(of: record.job, at: next.instant, zones).map { "silent: \($0)" }
      explanation.add("next", at: next.instant, closed ?? next.note(in: planned?.zone ?? .utc) ?? "by its rule")
    } else if let hold = planned?.holds.last(where: { $0.isEffective(at: now) }) {
      explanation.add("next", at: now, "nothing while it is \(hold.sentence)")
    }
    if !record.isClockBelieved {
      explanation.add("clock", at: now, "the clock is not trusted, so nothing is scheduled")
      explanation.advise("timedatectl", "shows and sets the clock")
    }
    if explanation.advice.isEmpty {
      explanation.advise(
        "pfctl history \(record.job.kind.rawValue)\(record.teamOption)", "shows the runs before it")
    }
  }
}

extension Hold {
  fileprivate var isSkip: Bool { if case .skip = kind { true } else { false } }
}
