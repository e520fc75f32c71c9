package import FlowCalendar
package import FlowModel
package import FlowNotices
package import FlowWork
package import PoolDigests
import PoolModel

/// Decision logic of one kind of notice: when it is due for a team, which facts it needs, and whether it sends a notice.
///
/// A pure function without clock, store or sink: equal facts at the same moment give the same text, so `simulate` and `why` run
/// the same code as the daemon.
package struct NoticeScenario: TeamDecision {
  /// Facts about a team that must be loaded before the decision.
  package let facts: RequiredFacts
  package let suppressionReasons: [SuppressionReason]
  package let rule: @Sendable (Team, Zone) -> JobRule
  /// Reason why the notice is suppressed whatever the day's facts; nil if it may be sent.
  package let permanentSuppression: @Sendable (Team) -> SuppressionReason?
  /// The decision for one day; called only if nothing suppresses the notice already.
  package let decide: @Sendable (TeamFacts, DecisionMoment) -> Decision
  /// Time after which a notice for a slot is outdated; nil if it never expires.
  package let expiry: @Sendable (Timestamp, Team) -> Timestamp?
  /// Summary of the facts for `why`, besides the stops: counts, no names; empty if there is none.
  package let countsText: @Sendable (TeamFacts) -> String
  /// Figures of the decision's day for `why`; empty if there is none.
  package var figuresText: @Sendable (TeamFacts, DigestMoment) -> String = { _, _ in "" }
  /// Summary of the team's switches and plan for `why`, besides its notifications.
  package let switchesText: @Sendable (TeamFacts) -> String
  /// The routes that the notice shows, if it may show several; nil for a notice with at most the route of its digest.
  package var shownRoutes: (@Sendable (TeamFacts, DecisionMoment) -> [SentRoute])?
  /// Days from the slot to the day of the route; nil for a notice without a route. If the day has no stop, later notices compare
  /// their route with an empty one.
  package var routeDays: Int?
  /// The day off that suppresses a slot on a local date; nil if none does.
  package var closure: @Sendable (DaysOff, CivilDate) -> DayOff? = { _, _ in nil }
  /// Personal notices to technicians; nil if only the team is notified.
  package var own: PersonalNotices?

  /// A decision that loads days off observes them.
  package var closedDays: JobTiming.ClosedDays? { facts.daysOff == nil ? nil : .observe }

  package var wants: Set<Person.Subscription> { own.map { [$0.want] } ?? [] }

  /// The complete decision, including suppression. A job that ignores closed days sees only technicians' absences.
  package func decision(_ facts: TeamFacts, at moment: DecisionMoment) -> Decision {
    if let silence = silence(facts.team) { return .suppressed(silence) }
    guard moment.ignoresClosedDays, !facts.daysOff.isEmpty else { return decide(facts, moment) }
    var facts = facts
    facts.daysOff = DaysOff(facts.daysOff.all.filter { $0.technicianID != nil })
    return decide(facts, moment)
  }

  /// Suppression reason that does not depend on the day's facts; nil if there is none.
  package func silence(_ team: Team) -> SuppressionReason? {
    team.settings.notificationsEnabled ? permanentSuppression(team) : .notificationsOff
  }
}

/// Personal notices to technicians, sent in addition to the team's notice.
package struct PersonalNotices: Sendable {
  /// Subscription that a technician needs to get the notice.
  let want: Person.Subscription
  /// The decision for each technician, in the given order; the facts are in the technician's language, and the last closure
  /// gives the notice's id.
  let decide: @Sendable (NoticeScenario, TeamFacts, [Technician], DecisionMoment, (Technician) -> String) -> [Decision]

  /// Repeats the team's notice to each technician for whom `concerns` is true.
  static func same(
    _ want: Person.Subscription,
    concerns: @escaping @Sendable (Technician, TeamFacts, JobKind) -> Bool = { _, _, _ in true }
  ) -> PersonalNotices {
    PersonalNotices(want: want) { scenario, facts, technicians, moment, id in
      technicians.map { technician in
        concerns(technician, facts, moment.kind)
          ? scenario.decision(facts, at: moment.run(as: id(technician))) : .suppressed(.forOthers)
      }
    }
  }

  /// Sends each technician their part of the route of the day `daysAhead` days after the slot.
  static func route(
    daysAhead: Int, _ draft: @escaping @Sendable (MorningDigest, Team) -> NoticeDraft
  ) -> PersonalNotices {
    PersonalNotices(want: .route) { _, facts, technicians, moment, id in
      let day = moment.digest.ahead(days: daysAhead)
      let off = moment.ignoresClosedDays ? nil : facts.daysOff.closure(on: day.date)
      let digest = MorningDigest(facts.withoutStops(on: day.date, because: off), at: day)
      return technicians.map { technician in
        guard let own = digest.only(technician.name, run: id(technician)) else { return .suppressed(.noOwnStops) }
        return own.sections.contains { $0.isAway == true } ? .suppressed(.away) : .notice(draft(own, facts.team))
      }
    }
  }
}

extension NoticeScenario {
  /// The personal decision for each technician, sent or suppressed; empty if no technician of the team can be reached.
  func personal(_ facts: TeamFacts, _ run: RunContext, zone: Zone) -> [PersonalDecision] {
    guard let own else { return [] }
    return PersonalDecision.all(
      of: facts.technicians.map { (.technician($0.id), $0.name) }, known: facts.people, wanting: wants,
      language: facts.team.language
    ) { language, keys in
      var translated = facts
      translated.team.language = language
      let moment = DecisionMoment(
        digest: JobDecision.moment(of: run, team: translated.team, zone: zone), now: run.now, kind: run.kind,
        ignoresClosedDays: run.timing.closed == .ignore)
      let reached = facts.technicians.filter { keys.contains(.technician($0.id)) }
      return own.decide(self, translated, reached, moment) { run.noticeID(for: .technician($0.id)) }
    }
  }
}

// Phrases for `why` that several kinds share.
extension NoticeScenario {
  /// Example: `2 of 7 chemicals low`.
  @Sendable static func lowStockCountText(_ facts: TeamFacts) -> String {
    "\(facts.lowStock.count) of \(facts.stock.count) chemicals low"
  }

  static func onOff(_ isOn: Bool) -> String { isOn ? "on" : "off" }
}

/// The instant of a decision and the day it is about.
package struct DecisionMoment: Sendable {
  package let digest: DigestMoment
  package let now: Timestamp
  package let kind: JobKind
  /// True if the job treats closed days like other days.
  package let ignoresClosedDays: Bool

  package init(digest: DigestMoment, now: Timestamp, kind: JobKind, ignoresClosedDays: Bool = false) {
    self.digest = digest
    self.now = now
    self.kind = kind
    self.ignoresClosedDays = ignoresClosedDays
  }

  /// A copy for a notice with another id.
  func run(as id: String) -> DecisionMoment {
    DecisionMoment(digest: digest.run(as: id), now: now, kind: kind, ignoresClosedDays: ignoresClosedDays)
  }

  /// Local date that the decision is about.
  package var date: CivilDate { digest.date }
}
