// What org.poolflow.Scheduler tells about jobs and runs. Times are RFC 3339 in UTC, durations seconds.

/// Whether the daemon believes its clock; it schedules nothing while it does not.
package enum ClockView: String, Codable, Sendable, CaseIterable {
  case ok, probation, implausible
}

/// Whether there is room on the store's disk; nothing is written while it is full.
package enum DiskView: String, Codable, Sendable, CaseIterable {
  case ok, low, full
}

/// Where a job stands now.
package enum JobStateView: String, Codable, Sendable, CaseIterable {
  case scheduled, running, never, disabled, paused
}

/// Why a run began.
package enum TriggerView: String, Codable, Sendable, CaseIterable {
  case schedule, manual
}

/// How a run ended, or stands: a waiting one is tried again; a missed, coalesced or paused slot never began.
package enum OutcomeView: String, Codable, Sendable, CaseIterable {
  case running, waiting, done, notified, skipped, failed, missed, coalesced, paused
}

/// One coming slot of a job.
package struct OccurrenceView: Codable, Sendable {
  package let job: String
  /// None for work of the server itself.
  package let team: String?
  /// RFC 3339, UTC.
  package let at: String
  /// Ready to print, in `zone`: `Sat 2026-11-21 07:00 MST`.
  package let local: String
  package let zone: String
  /// Why the slot is not where the rule says: a sentence about the clock change.
  package let note: String?

  package init(job: String, team: String? = nil, at: String, local: String, zone: String, note: String? = nil) {
    self.job = job
    self.team = team
    self.at = at
    self.local = local
    self.zone = zone
    self.note = note
  }
}

/// Runs of the last 24 hours by outcome.
package struct RunCountsView: Codable, Sendable {
  package let done: Int
  package let notified: Int
  package let skipped: Int
  package let failed: Int
  package let missed: Int

  package init(done: Int, notified: Int, skipped: Int, failed: Int, missed: Int) {
    self.done = done
    self.notified = notified
    self.skipped = skipped
    self.failed = failed
    self.missed = missed
  }
}

/// Entries of the outbox by state.
package struct OutboxCountsView: Codable, Sendable {
  package let pending: Int
  package let staged: Int
  package let sent: Int
  package let dead: Int
  package let held: Int
  /// Age of the oldest entry still to be sent.
  package let oldestPendingS: Double?

  package init(pending: Int, staged: Int, sent: Int, dead: Int, held: Int, oldestPendingS: Double? = nil) {
    self.pending = pending
    self.staged = staged
    self.sent = sent
    self.dead = dead
    self.held = held
    self.oldestPendingS = oldestPendingS
  }

  private enum CodingKeys: String, CodingKey {
    case pending, staged, sent, dead, held
    case oldestPendingS = "oldest_pending_s"
  }
}

/// One way out, and how it is doing.
package struct SinkView: Codable, Sendable {
  package let name: String
  package let kind: String
  /// `ok`, or what is wrong in one word.
  package let state: String
  package let detail: String

  package init(name: String, kind: String, state: String, detail: String) {
    self.name = name
    self.kind = kind
    self.state = state
    self.detail = detail
  }
}

/// One job with its next and its last run.
package struct JobView: Codable, Sendable {
  package let job: String
  /// None for work of the server itself.
  package let team: String?
  /// Normalised calendar expression.
  package let rule: String
  package let zone: String
  package let state: JobStateView
  package let next: String?
  package let nextLocal: String?
  /// About the next slot: a clock change, a suppression.
  package let note: String?
  /// What keeps it from running, if anything does.
  package let hold: HoldView?
  package let last: String?
  package let lastLocal: String?
  package let lastResult: OutcomeView?
  package let lastReason: String?
  package let lastLateS: Double?

  package init(
    job: String, team: String? = nil, rule: String, zone: String, state: JobStateView, next: String? = nil,
    nextLocal: String? = nil, note: String? = nil, hold: HoldView? = nil, last: String? = nil, lastLocal: String? = nil,
    lastResult: OutcomeView? = nil, lastReason: String? = nil, lastLateS: Double? = nil
  ) {
    self.job = job
    self.team = team
    self.rule = rule
    self.zone = zone
    self.state = state
    self.next = next
    self.nextLocal = nextLocal
    self.note = note
    self.hold = hold
    self.last = last
    self.lastLocal = lastLocal
    self.lastResult = lastResult
    self.lastReason = lastReason
    self.lastLateS = lastLateS
  }

  private enum CodingKeys: String, CodingKey {
    case job, team, rule, zone, state, next, note, hold, last
    case nextLocal = "next_local"
    case lastLocal = "last_local"
    case lastResult = "last_result"
    case lastReason = "last_reason"
    case lastLateS = "last_late_s"
  }
}

/// One run of a slot, as the ledger keeps it.
package struct RunView: Codable, Sendable {
  /// Names the run in `pfctl why`: `20260302T140000Z-morning-summary-17`.
  package let id: String
  package let job: String
  /// None for work of the server itself.
  package let team: String?
  package let slot: String
  package let slotLocal: String
  package let zone: String
  package let trigger: TriggerView
  package let outcome: OutcomeView
  /// A stable code, such as `no-stops-today`.
  package let reason: String
  /// The reason as a sentence.
  package let detail: String
  /// What the clocks did to the slot.
  package let note: String?
  /// What the decision looked at.
  package let inputs: String?
  /// When a waiting run is tried again.
  package let nextTryAt: String?
  package let lateS: Double
  package let startedAt: String?
  package let finishedAt: String?
  package let attempts: Int
  package let noticeId: String?

  package init(
    id: String, job: String, team: String? = nil, slot: String, slotLocal: String, zone: String, trigger: TriggerView,
    outcome: OutcomeView, reason: String, detail: String, note: String? = nil, inputs: String? = nil,
    nextTryAt: String? = nil, lateS: Double, startedAt: String? = nil,
    finishedAt: String? = nil, attempts: Int, noticeId: String? = nil
  ) {
    self.id = id
    self.job = job
    self.team = team
    self.slot = slot
    self.slotLocal = slotLocal
    self.zone = zone
    self.trigger = trigger
    self.outcome = outcome
    self.reason = reason
    self.detail = detail
    self.note = note
    self.inputs = inputs
    self.nextTryAt = nextTryAt
    self.lateS = lateS
    self.startedAt = startedAt
    self.finishedAt = finishedAt
    self.attempts = attempts
    self.noticeId = noticeId
  }

  private enum CodingKeys: String, CodingKey {
    case id, job, team, slot, zone, trigger, outcome, reason, detail, note, inputs, attempts
    case nextTryAt = "next_try_at"
    case slotLocal = "slot_local"
    case lateS = "late_s"
    case startedAt = "started_at"
    case finishedAt = "finished_at"
    case noticeId = "notice_id"
  }
}

/// One decision of a simulated day, with the notice it would send.
package struct SimulatedEventView: Codable, Hashable, Sendable {
  package let at: String
  /// When the run would begin: the slot, or as much later as its kind's jitter says.
  package let begins: String
  package let local: String
  package let zone: String
  package let job: String
  /// None for work of the server itself.
  package let team: String?
  package let outcome: OutcomeView
  package let reason: String
  package let detail: String
  package let title: String?
  package let body: String?
  package let lines: [String]
  /// Where its notice would go; empty without one.
  package let sinks: [String]
  /// Of a replay: what the ledger has for this slot.
  package let was: OutcomeView?

  package init(
    at: String, begins: String, local: String, zone: String, job: String, team: String? = nil, outcome: OutcomeView,
    reason: String, detail: String, title: String? = nil, body: String? = nil, lines: [String], sinks: [String],
    was: OutcomeView? = nil
  ) {
    self.at = at
    self.begins = begins
    self.local = local
    self.zone = zone
    self.job = job
    self.team = team
    self.outcome = outcome
    self.reason = reason
    self.detail = detail
    self.title = title
    self.body = body
    self.lines = lines
    self.sinks = sinks
    self.was = was
  }
}

/// What a whole simulation came to.
package struct SimulationView: Codable, Sendable {
  package let from: String
  package let to: String
  package let runs: Int
  package let notices: Int
  package let skipped: Int
  package let failed: Int

  package init(from: String, to: String, runs: Int, notices: Int, skipped: Int, failed: Int) {
    self.from = from
    self.to = to
    self.runs = runs
    self.notices = notices
    self.skipped = skipped
    self.failed = failed
  }
}

/// What of one team stands in the way of some work for it, and of nobody else's.
package struct TeamTroubleView: Codable, Sendable, Hashable {
  package let team: String
  /// A kind of job, or what of the team it is: `team`, `schedule`, `photos`.
  package let work: String
  /// A sentence.
  package let why: String
  package let since: String

  package init(team: String, work: String, why: String, since: String) {
    self.team = team
    self.work = work
    self.why = why
    self.since = since
  }
}
