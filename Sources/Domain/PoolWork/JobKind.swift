package import PoolCalendar
package import PoolModel
package import PoolNotices

/// A kind of work, as a value: its word, when it falls due, how it is tried, and what it decides or does.
///
/// A trade makes its kinds, a file each, and lists them in a `JobCatalogue`. Nothing else knows them one by one: what differs
/// between kinds is asked of the value.
package struct JobKind: Sendable {
  /// Shared by all its copies: a hundred thousand jobs hold one each.
  private let traits: Traits

  private final class Traits: Sendable {
    let word: String
    let severity: Severity
    let catchUp: CatchUp
    let attemptRules: AttemptRules
    let work: Work

    init(_ word: String, _ severity: Severity, _ catchUp: CatchUp, _ attemptRules: AttemptRules, _ work: Work) {
      self.word = word
      self.severity = severity
      self.catchUp = catchUp
      self.attemptRules = attemptRules
      self.work = work
    }
  }

  /// The word of the ledger, of `pfctl` and of file names; stable for ever.
  package var rawValue: String { traits.word }
  /// How much its notices matter: what a sink's `Severity=` is compared with.
  package var severity: Severity { traits.severity }
  /// What becomes of slots that were slept through.
  package var catchUp: CatchUp { traits.catchUp }
  package var attemptRules: AttemptRules { traits.attemptRules }
  package var work: Work { traits.work }

  package enum Work: Sendable {
    /// Facts in, a notice or a reason for silence out: a job of every team.
    case decision(any TeamDecision)
    /// Heavy work for all teams: a job of the server.
    case effect(Effect)
  }

  package init(_ word: String, severity: Severity, catchUp: CatchUp, attemptRules: AttemptRules, work: Work) {
    traits = Traits(word, severity, catchUp, attemptRules, work)
  }

  /// What a run decides; nil where it is an effect.
  package var decision: (any TeamDecision)? { if case .decision(let decision) = work { decision } else { nil } }

  /// What a run does that decides nothing and tells nobody; nil where a run is a decision.
  package var effect: Effect? { if case .effect(let effect) = work { effect } else { nil } }

  /// Of no team: its effect is heavy work for all of them.
  package var isServers: Bool { effect != nil }
}

extension JobKind: Hashable, Comparable {
  package static func == (left: JobKind, right: JobKind) -> Bool { left.rawValue == right.rawValue }
  package static func < (left: JobKind, right: JobKind) -> Bool { left.rawValue < right.rawValue }
  package func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}

/// What a trade's kind decides for a team, as much of it as is known without the trade's facts.
package protocol TeamDecision: Sendable {
  /// Every reason it may have to say nothing.
  var silences: [Silence] { get }
  /// What somebody must want one of, to be told it; empty for what nobody can do without.
  var wants: Set<Person.Want> { get }
  /// When it is due by default, in the team's zone.
  var rule: @Sendable (Team, Zone) -> JobRule { get }
  /// How long after its slot a notice is still worth reading; nil for no end.
  var expiry: @Sendable (Timestamp, Team) -> Timestamp? { get }
  /// How it treats its team's closed days unless the team or the settings choose; nil where every day is alike.
  var closedDays: JobTiming.ClosedDays? { get }
  /// The closed day that keeps a slot of a local date silent while closed days are observed; nil for none.
  var closure: @Sendable (DaysOff, CivilDate) -> DayOff? { get }

  /// Why a team's switches keep it silent whatever the facts of a day; nil when it may speak.
  func silence(_ team: Team) -> Silence?
}

/// When a job's work falls due, before zones are looked up: what the store keeps.
package enum JobRule: Hashable, Sendable {
  /// A calendar expression, in the team's zone.
  case calendar(String)
  case once(Timestamp)
  case never

  /// Every day at a time.
  package static func daily(_ time: TimeOfDay) -> JobRule {
    .calendar("*-*-* \(padded(time.hour, 2)):\(padded(time.minute, 2)):\(padded(time.second, 2))")
  }
}

/// What becomes of slots that were slept through.
package enum CatchUp: Hashable, Sendable {
  /// The newest runs if it is young enough; older ones are missed.
  case latest(within: Duration)
  /// The newest runs until the job's deadline; without one nothing is caught up.
  case untilDeadline
  /// The newest so many run, oldest first.
  case all(limit: Int)
  case none

  /// - Parameter deadline: until when the job's work is of use, where it has an end.
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
