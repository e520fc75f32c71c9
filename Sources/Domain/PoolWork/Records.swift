package import PoolModel

/// A job as the store keeps it.
package struct JobRecord: Hashable, Sendable {
  package let id: JobID
  /// Nil for a job of the server.
  package let teamID: TeamID?
  /// Empty for a job of the server.
  package let teamName: String
  package let kind: JobKind
  package let rule: JobRule
  /// A name of the tz database.
  package let zone: String
  /// Rises with every change of the rule.
  package let generation: Int64
  /// The last settled slot; the next one is sought strictly after it.
  package let cursor: Timestamp
  /// Until when its work is of use, where it has an end, such as a trial's.
  package let deadline: Timestamp?
  /// What was chosen besides its rule.
  fileprivate let kept: KeptTiming
  package var timing: JobTiming { kept.value }

  package init(
    id: JobID, teamID: TeamID?, teamName: String, kind: JobKind, rule: JobRule, zone: String, generation: Int64,
    cursor: Timestamp, deadline: Timestamp?, timing: JobTiming = .unchosen
  ) {
    self.id = id
    self.teamID = teamID
    self.teamName = teamName
    self.kind = kind
    self.rule = rule
    self.zone = zone
    self.generation = generation
    self.cursor = cursor
    self.deadline = deadline
    kept = KeptTiming(timing)
  }

  package func with(cursor: Timestamp) -> JobRecord {
    JobRecord(
      id: id, teamID: teamID, teamName: teamName, kind: kind, rule: rule, zone: zone, generation: generation,
      cursor: cursor, deadline: deadline, timing: timing)
  }
}

extension JobRecord {
  /// The same job by another rule.
  package func with(rule: JobRule, timing: JobTiming) -> JobRecord {
    JobRecord(
      id: id, teamID: teamID, teamName: teamName, kind: kind, rule: rule, zone: zone, generation: generation,
      cursor: cursor, deadline: deadline, timing: timing)
  }
}

/// Who asked for a run: the calendar, or a person.
package enum RunCause: String, Sendable { case schedule, manual }

/// A slot that somebody wants to run. The store grants it once.
package struct ClaimRequest: Hashable, Sendable {
  package let jobID: JobID
  /// Nil for a job of the server.
  package let teamID: TeamID?
  package let kind: JobKind
  package let zone: String
  /// The rule that this was planned by: a claim for an older one is refused, so the facts above hold where it is granted.
  package let generation: Int64
  package let slot: Timestamp
  package let cause: RunCause
  package let asOf: Timestamp
  /// How long after its slot the run was meant to begin, so that not all begin at once.
  package let spread: Duration
  /// What the clocks did to the slot, in a sentence.
  package let note: String?
  /// Of the job as it was planned.
  private let kept: KeptTiming
  package var timing: JobTiming { kept.value }

  package init(
    job: JobRecord, slot: Timestamp, cause: RunCause, asOf: Timestamp, spread: Duration = .zero, note: String? = nil
  ) {
    jobID = job.id
    teamID = job.teamID
    kind = job.kind
    zone = job.zone
    generation = job.generation
    kept = job.kept
    self.slot = slot
    self.cause = cause
    self.asOf = asOf
    self.spread = spread
    self.note = note
  }
}

/// A granted claim: this process, and nobody else, runs the slot.
package struct ClaimedRun: Hashable, Sendable {
  package let jobID: JobID
  /// Nil for a job of the server.
  package let teamID: TeamID?
  package let kind: JobKind
  package let zone: String
  package let slot: Timestamp
  package let cause: RunCause
  package let asOf: Timestamp
  package let startedAt: Timestamp
  package let attempts: Int
  package let spread: Duration
  /// What was chosen for its job besides the rule.
  private let kept: KeptTiming
  package var timing: JobTiming { kept.value }

  package init(
    jobID: JobID, teamID: TeamID?, kind: JobKind, zone: String, slot: Timestamp, cause: RunCause, asOf: Timestamp,
    startedAt: Timestamp, attempts: Int, spread: Duration = .zero, timing: JobTiming = .unchosen
  ) {
    self.jobID = jobID
    self.teamID = teamID
    self.kind = kind
    self.zone = zone
    self.slot = slot
    self.cause = cause
    self.asOf = asOf
    self.startedAt = startedAt
    self.attempts = attempts
    self.spread = spread
    kept = KeptTiming(timing)
  }

  /// Actual start minus the instant it was meant for; zero for a run that a person asked for.
  package var lateness: Duration {
    cause == .manual ? .zero : max(.zero, startedAt.since(slot) - spread)
  }
}

/// A line of the ledger.
package struct RunRecord: Hashable, Sendable {
  package let jobID: JobID
  /// Nil for a job of the server.
  package let teamID: TeamID?
  /// Empty for a job of the server.
  package let teamName: String
  package let kind: JobKind
  package let zone: String
  package let slot: Timestamp
  package let cause: RunCause
  package let outcome: RunOutcome
  package let reason: String?
  package let detail: String?
  package let attempts: Int
  package let startedAt: Timestamp?
  package let finishedAt: Timestamp?
  package let lateness: Duration?
  /// What the clocks did to the slot, in a sentence.
  package let note: String?
  /// What the decision looked at.
  package let inputs: String?
  /// When a waiting run is tried again.
  package let nextTryAt: Timestamp?
  /// For the whole team.
  package let noticeID: String?
  /// To whom else a notice of his own was made.
  package let people: [PersonKey]

  package init(
    jobID: JobID, teamID: TeamID?, teamName: String, kind: JobKind, zone: String, slot: Timestamp, cause: RunCause,
    outcome: RunOutcome, reason: String?, detail: String?, attempts: Int, startedAt: Timestamp?,
    finishedAt: Timestamp?, lateness: Duration?, note: String? = nil, inputs: String? = nil,
    nextTryAt: Timestamp? = nil, noticeID: String?, people: [PersonKey] = []
  ) {
    self.jobID = jobID
    self.teamID = teamID
    self.teamName = teamName
    self.kind = kind
    self.zone = zone
    self.slot = slot
    self.cause = cause
    self.outcome = outcome
    self.reason = reason
    self.detail = detail
    self.attempts = attempts
    self.startedAt = startedAt
    self.finishedAt = finishedAt
    self.lateness = lateness
    self.note = note
    self.inputs = inputs
    self.nextTryAt = nextTryAt
    self.noticeID = noticeID
    self.people = people
  }
}

extension RunRecord {
  /// Of the notices of single persons.
  package var ownNoticeIDs: [String] { noticeID.map { id in people.map { "\(id)-\($0.text)" } } ?? [] }
}

/// Which lines of the ledger to read.
package struct HistoryQuery: Sendable {
  package var team: TeamID?
  package var kind: JobKind?
  package var slot: Timestamp?
  /// Slots at or after it.
  package var since: Timestamp?
  /// Slots at or before it.
  package var notAfter: Timestamp?
  package var job: JobID?
  package var onlyFailed: Bool
  package var limit: Int

  package init(
    team: TeamID? = nil, kind: JobKind? = nil, job: JobID? = nil, slot: Timestamp? = nil, since: Timestamp? = nil,
    notAfter: Timestamp? = nil, onlyFailed: Bool = false, limit: Int = 50
  ) {
    self.team = team
    self.kind = kind
    self.job = job
    self.slot = slot
    self.since = since
    self.notAfter = notAfter
    self.onlyFailed = onlyFailed
    self.limit = limit
  }
}

/// A choice that most jobs do not have: one word for each of a hundred thousand.
fileprivate struct KeptTiming: Hashable, Sendable {
  private final class Choice: Sendable {
    let timing: JobTiming

    init(_ timing: JobTiming) { self.timing = timing }
  }

  private let choice: Choice?

  init(_ timing: JobTiming) { choice = timing.isEmpty ? nil : Choice(timing) }

  var value: JobTiming { choice?.timing ?? .unchosen }

  static func == (left: KeptTiming, right: KeptTiming) -> Bool { left.value == right.value }

  func hash(into hasher: inout Hasher) { hasher.combine(value) }
}
