package import FlowModel

/// A job as stored in the ledger.
package struct JobRecord: Hashable, Sendable {
  package let id: JobID
  /// The team of the job; nil for a job of the server.
  package let teamID: TeamID?
  /// The team's name; empty for a job of the server.
  package let teamName: String
  package let kind: JobKind
  package let rule: JobRule
  /// A zone name of the tz database.
  package let zone: String
  /// Increases with every change of the rule.
  package let generation: Int64
  /// The newest settled slot; the search for the next slot begins strictly after it.
  package let cursor: Timestamp
  /// The instant after which the job's work is useless, such as the end of a trial; nil for none.
  package let deadline: Timestamp?
  /// The chosen options besides the rule.
  fileprivate let boxedTiming: BoxedTiming
  package var timing: JobTiming { boxedTiming.value }

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
    boxedTiming = BoxedTiming(timing)
  }

  /// The same job with another cursor.
  package func with(cursor: Timestamp) -> JobRecord {
    JobRecord(
      id: id, teamID: teamID, teamName: teamName, kind: kind, rule: rule, zone: zone, generation: generation,
      cursor: cursor, deadline: deadline, timing: timing)
  }
}

extension JobRecord {
  /// The same job with another rule and other options.
  package func with(rule: JobRule, timing: JobTiming) -> JobRecord {
    JobRecord(
      id: id, teamID: teamID, teamName: teamName, kind: kind, rule: rule, zone: zone, generation: generation,
      cursor: cursor, deadline: deadline, timing: timing)
  }
}

/// The origin of a run: the job's schedule, or a person.
package enum RunCause: String, Sendable { case schedule, manual }

/// A request to run a slot. The store grants it at most once.
package struct ClaimRequest: Hashable, Sendable {
  package let jobID: JobID
  /// The team of the job; nil for a job of the server.
  package let teamID: TeamID?
  package let kind: JobKind
  package let zone: String
  /// The rule's generation when the request was planned. The store refuses a request with an older generation, so the members
  /// above match the job whenever it is granted.
  package let generation: Int64
  package let slot: Timestamp
  package let cause: RunCause
  /// The instant whose local date the work is about.
  package let asOf: Timestamp
  /// The jitter: how long after its slot the run should begin, so that jobs with the same slot do not all begin at once.
  package let jitter: Duration
  /// The effect of a daylight saving change on the slot, as a sentence; nil for none.
  package let note: String?
  /// The job's options when the request was planned.
  private let boxedTiming: BoxedTiming
  package var timing: JobTiming { boxedTiming.value }

  package init(
    job: JobRecord, slot: Timestamp, cause: RunCause, asOf: Timestamp, jitter: Duration = .zero, note: String? = nil
  ) {
    jobID = job.id
    teamID = job.teamID
    kind = job.kind
    zone = job.zone
    generation = job.generation
    boxedTiming = job.boxedTiming
    self.slot = slot
    self.cause = cause
    self.asOf = asOf
    self.jitter = jitter
    self.note = note
  }
}

/// A granted claim: only this process runs the slot.
package struct ClaimedRun: Hashable, Sendable {
  package let jobID: JobID
  /// The team of the job; nil for a job of the server.
  package let teamID: TeamID?
  package let kind: JobKind
  package let zone: String
  package let slot: Timestamp
  package let cause: RunCause
  /// The instant whose local date the work is about.
  package let asOf: Timestamp
  package let startedAt: Timestamp
  package let attempts: Int
  /// The jitter: how long after its slot the run should begin.
  package let jitter: Duration
  /// The job's chosen options besides the rule.
  private let boxedTiming: BoxedTiming
  package var timing: JobTiming { boxedTiming.value }

  package init(
    jobID: JobID, teamID: TeamID?, kind: JobKind, zone: String, slot: Timestamp, cause: RunCause, asOf: Timestamp,
    startedAt: Timestamp, attempts: Int, jitter: Duration = .zero, timing: JobTiming = .unchosen
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
    self.jitter = jitter
    boxedTiming = BoxedTiming(timing)
  }

  /// The delay of the actual start against the slot plus jitter; zero for a manual run.
  package var lateness: Duration {
    cause == .manual ? .zero : max(.zero, startedAt.since(slot) - jitter)
  }
}

/// One row of the ledger: a slot with its outcome.
package struct RunRecord: Hashable, Sendable {
  package let jobID: JobID
  /// The team of the job; nil for a job of the server.
  package let teamID: TeamID?
  /// The team's name; empty for a job of the server.
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
  /// The effect of a daylight saving change on the slot, as a sentence; nil for none.
  package let note: String?
  /// The facts that the decision used, as text.
  package let inputs: String?
  /// The start of the next attempt of a waiting run; nil for other runs.
  package let nextTryAt: Timestamp?
  /// The id of the team's notice; nil if the run sent none.
  package let noticeID: String?
  /// The people for whom the run made a notice of their own.
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
  /// The ids of the notices made for individual people.
  package var personalNoticeIDs: [String] { noticeID.map { id in people.map { "\(id)-\($0.text)" } } ?? [] }
}

/// A filter for rows of the ledger; a nil member restricts nothing.
package struct HistoryQuery: Sendable {
  package var team: TeamID?
  package var kind: JobKind?
  package var slot: Timestamp?
  /// The earliest slot, inclusive.
  package var since: Timestamp?
  /// The latest slot, inclusive.
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

/// A job's options in the size of one pointer, because most of a hundred thousand jobs have none.
fileprivate struct BoxedTiming: Hashable, Sendable {
  /// The allocated options.
  private final class Box: Sendable {
    let timing: JobTiming

    init(_ timing: JobTiming) { self.timing = timing }
  }

  private let box: Box?

  init(_ timing: JobTiming) { box = timing.isEmpty ? nil : Box(timing) }

  var value: JobTiming { box?.timing ?? .unchosen }

  static func == (left: BoxedTiming, right: BoxedTiming) -> Bool { left.value == right.value }

  func hash(into hasher: inout Hasher) { hasher.combine(value) }
}
