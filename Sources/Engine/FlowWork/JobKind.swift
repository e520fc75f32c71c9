package import FlowCalendar
package import FlowModel
package import FlowNotices

/// A kind of job as a value: its raw value, schedule, attempt rules, and the decision or background task that it runs.
///
/// A trade defines each kind in a file of its own and lists all of them in a `JobCatalogue`. All other code asks the value
/// instead of switching over kinds.
package struct JobKind: Sendable {
  /// The traits, shared by all copies because a hundred thousand jobs hold a kind each.
  private let traits: Traits

  /// The properties of a kind, allocated once.
  private final class Traits: Sendable {
    let word: String
    let severity: Severity
    let catchUp: CatchUp
    let attemptRules: AttemptRules
    let work: Work
    let ruleCommand: String?

    init(
      _ word: String, _ severity: Severity, _ catchUp: CatchUp, _ attemptRules: AttemptRules, _ work: Work,
      _ ruleCommand: String?
    ) {
      self.word = word
      self.severity = severity
      self.catchUp = catchUp
      self.attemptRules = attemptRules
      self.work = work
      self.ruleCommand = ruleCommand
    }
  }

  /// The stable name used in the ledger, in `pfctl` and in file names; never changes.
  package var rawValue: String { traits.word }
  /// The severity of the kind's notices, which a sink compares with its `Severity=` setting.
  package var severity: Severity { traits.severity }
  /// The policy for slots that were missed while the daemon was down.
  package var catchUp: CatchUp { traits.catchUp }
  package var attemptRules: AttemptRules { traits.attemptRules }
  package var work: Work { traits.work }
  /// The command that changes the rule, without the team, such as `pfctl reminder set filters`, for a job that a team made itself;
  /// nil for a kind of a catalogue.
  package var ruleCommand: String? { traits.ruleCommand }

  /// The work of a run: a decision for one team, or a background task of the server.
  package enum Work: Sendable {
    /// Reads facts and returns a notice or a suppression reason; every team has one such job.
    case decision(any TeamDecision)
    /// A background task for all teams; the server has one such job.
    case serverTask(ServerTask)
  }

  package init(
    _ word: String, severity: Severity, catchUp: CatchUp, attemptRules: AttemptRules, work: Work,
    ruleCommand: String? = nil
  ) {
    traits = Traits(word, severity, catchUp, attemptRules, work, ruleCommand)
  }

  /// The kind's decision; nil if the kind is a background task.
  package var decision: (any TeamDecision)? { if case .decision(let decision) = work { decision } else { nil } }

  /// The kind's background task; nil if the kind is a decision.
  package var serverTask: ServerTask? { if case .serverTask(let serverTask) = work { serverTask } else { nil } }

  /// Whether the job belongs to the server and to no team; true for background tasks.
  package var isServerJob: Bool { serverTask != nil }
}

extension JobKind: Hashable, Comparable {
  package static func == (left: JobKind, right: JobKind) -> Bool { left.rawValue == right.rawValue }
  package static func < (left: JobKind, right: JobKind) -> Bool { left.rawValue < right.rawValue }
  package func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}

/// The part of a kind's decision that needs no facts: its schedule, expiry and suppression by settings.
package protocol TeamDecision: Sendable {
  /// All reasons for which the decision may suppress its notice.
  var suppressionReasons: [SuppressionReason] { get }
  /// The subscriptions of which a recipient needs at least one to get the notice; empty if the notice needs no subscription.
  var wants: Set<Person.Subscription> { get }
  /// The default schedule, in the team's zone.
  var rule: @Sendable (Team, Zone) -> JobRule { get }
  /// The instant after which the notice of a slot is useless; nil for never.
  var expiry: @Sendable (Timestamp, Team) -> Timestamp? { get }
  /// The default treatment of the team's closed days, unless the team or the settings choose; nil if closed days do not
  /// matter.
  var closedDays: JobTiming.ClosedDays? { get }
  /// The day off that suppresses a slot on the given local date while closed days are observed; nil if none does.
  var closure: @Sendable (DaysOff, CivilDate) -> DayOff? { get }

  /// The reason for which the team's settings suppress the notice regardless of the day's facts; nil if they allow it.
  func silence(_ team: Team) -> SuppressionReason?
}

/// A job's schedule in the form that the store keeps, not yet resolved in a zone.
package enum JobRule: Hashable, Sendable {
  /// A calendar expression, in the team's zone.
  case calendar(String)
  case once(Timestamp)
  case never

  /// Every day at the given local time.
  package static func daily(_ time: TimeOfDay) -> JobRule {
    .calendar("*-*-* \(padded(time.hour, 2)):\(padded(time.minute, 2)):\(padded(time.second, 2))")
  }
}

/// The policy for slots that were missed while the daemon was down.
package enum CatchUp: Hashable, Sendable {
  /// The newest missed slot runs if it is at most `within` old; older slots are recorded as missed.
  case latest(within: Duration)
  /// The newest missed slot runs until the job's deadline; a job without a deadline catches up nothing.
  case untilDeadline
  /// The newest `limit` missed slots run, oldest first.
  case all(limit: Int)
  /// No missed slot runs.
  case none

  /// The policy in the calendar module's form.
  ///
  /// - Parameter deadline: the instant after which the job's work is useless; nil for none.
  package func policy(rule: JobRule, deadline: Timestamp?) -> MissedRunPolicy {
    switch self {
    case .latest(let window): .latest(within: window)
    case .all(let limit): .all(limit: limit)
    case .none: .none
    case .untilDeadline:
      if let deadline, case .once = rule { .latestUntil(deadline: deadline) } else { .none }
    }
  }
}
