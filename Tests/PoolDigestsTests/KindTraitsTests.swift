import FlowCalendar
import FlowModel
import FlowNotices
import FlowTestKit
import FlowWork
import PoolDigests
import PoolJobs
import Testing

/// The numeric promises of each kind of job, repeated by hand: a changed number must be intended.
struct KindTraitsTests {
  private static let slot = Timestamp(seconds: 1_772_434_800)

  private func hours(_ duration: Duration) -> String {
    let minutes = duration.components.seconds / 60
    return minutes.isMultiple(of: 60) ? "\(minutes / 60) h" : "\(minutes) min"
  }

  private func words(_ kind: JobKind) -> String {
    let catchUp =
      switch kind.catchUp {
      case .latest(let window): "the newest within \(hours(window))"
      case .untilDeadline: "the newest until the deadline"
      case .all(let limit): "the newest \(limit)"
      case .none: "none"
      }
    let rules = kind.attemptRules
    return "\(kind.severity.rawValue); \(catchUp); \(rules.backOff.count) more attempts of \(hours(rules.timeout))"
  }

  private func rule(_ kind: JobKind, _ team: Team) -> String {
    switch kind.scenario?.rule(team, .utc) {
    case .calendar(let text): text
    case .once(let instant): "\(instant)"
    case .never, nil: "never"
    }
  }

  @Test func `each kind has its documented severity, catch-up window and attempts`() throws {
    let promised: [(JobKind, String)] = [
      (.morningSummary, "notice; the newest within 5 h; 5 more attempts of 1 min"),
      (.routePreview, "notice; the newest within 5 h; 5 more attempts of 1 min"),
      (.lowStock, "warning; the newest within 3 h; 5 more attempts of 1 min"),
      (.closedDay, "notice; the newest within 5 h; 5 more attempts of 1 min"),
      (.weeklyDigest, "info; the newest within 24 h; 5 more attempts of 1 min"),
      (.trialReminder, "warning; the newest until the deadline; 5 more attempts of 1 min"),
      (.reminder(try #require(ReminderName("salt"))), "notice; the newest within 12 h; 5 more attempts of 1 min"),
      (.backup, "info; the newest within 24 h; 20 more attempts of 3 h"),
      (.lsiRefresh, "info; the newest within 24 h; 20 more attempts of 1 h"),
      (.routePrecompute, "info; the newest within 24 h; 20 more attempts of 3 h"),
    ]
    for (kind, expected) in promised { #expect(words(kind) == expected, "\(kind.rawValue)") }
    let told = Set(promised.map(\.0.rawValue))
    for kind in JobCatalogue.pools.ofTeam + JobCatalogue.pools.ofServer { #expect(told.contains(kind.rawValue)) }
  }

  @Test func `each kind of notice has its documented schedule and expiry`() throws {
    var team = Samples.team(zone: "UTC", settings: TeamSettings())
    team.settings.eveningPreview = true
    team.hasDaysOff = true
    let promised: [(JobKind, rule: String, hours: Int?)] = [
      (.morningSummary, "*-*-* 07:00:00", 16), (.routePreview, "*-*-* 18:00:00", 16),
      (.lowStock, "*-*-* 18:30:00", 12), (.closedDay, "*-*-* 18:00:00", 16),
      (.weeklyDigest, "Sun *-*-* 17:00:00", 168), (.trialReminder, "never", nil),
      (.reminder(try #require(ReminderName("salt"))), "never", 24),
    ]
    for (kind, rule, hours) in promised {
      #expect(self.rule(kind, team) == rule, "\(kind.rawValue)")
      let expiry = try #require(kind.scenario).expiry(Self.slot, team)
      #expect(expiry == hours.map { Self.slot.advanced(by: .hours($0)) }, "\(kind.rawValue)")
    }
    // A kind that is switched off has no slots, where it would otherwise have one every evening.
    team.settings.eveningPreview = false
    team.hasDaysOff = false
    #expect(rule(.routePreview, team) == "never" && rule(.closedDay, team) == "never")
    // One day before, in local time.
    team.plan = .trial(expires: Self.slot)
    #expect(rule(.trialReminder, team) == "\(Self.slot.advanced(by: .hours(-24)))")
    #expect(try #require(JobKind.trialReminder.scenario).expiry(Self.slot, team) == Self.slot)
  }

  @Test func `each kind of notice loads exactly the facts it needs`() throws {
    func wanted(_ kind: JobKind) throws -> String {
      let facts = try #require(kind.scenario).facts
      var parts = ["days \(facts.days)", "told \(facts.listedDays)"]
      if let days = facts.waterChangeDays { parts.append("crossings of \(days)") }
      if let day = facts.lastRoute { parts.append("the route of \(day)") }
      if let days = facts.useDays { parts.append("use of \(days)") }
      if let days = facts.weekDays { parts.append("visits of \(days)") }
      if let off = facts.daysOff { parts.append("\(off)") }
      if facts.people { parts.append("people") }
      return parts.joined(separator: ", ")
    }
    #expect(
      try wanted(.morningSummary)
        == "days [0, 1], told [0], crossings of 8, the route of 0, use of 90, nextWorkingDay, people")
    #expect(
      try wanted(.routePreview) == "days [1], told [1], crossings of 8, the route of 1, use of 90, plain, people")
    #expect(try wanted(.lowStock) == "days [1], told [1], use of 90, nextWorkingDay, people")
    #expect(try wanted(.closedDay) == "days [], told [], closedTomorrow")
    #expect(try wanted(.weeklyDigest) == "days [], told [], visits of 30, plain, people")
    #expect(try wanted(.trialReminder) == "days [], told []")
    #expect(
      try wanted(.reminder(try #require(ReminderName("salt")))) == "days [0, 1], told [0], plain, people")
  }

  @Test func `a slot is suppressed by the closure of the day it reports on`() throws {
    let monday = DigestStand.monday
    let off = DaysOff([
      DayOff(
        id: 1, technicianID: nil, span: try DaySpan(first: monday, last: monday.adding(days: 1)), note: "", setBy: "")
    ])
    func closed(_ kind: JobKind, _ day: Int) throws -> Bool {
      try #require(kind.scenario).closure(off, monday.adding(days: day)) != nil
    }
    #expect(try (-2...2).map { try closed(.morningSummary, $0) } == [false, false, true, true, false])
    #expect(try (-2...2).map { try closed(.routePreview, $0) } == [false, true, true, false, false])
    #expect(try (-2...2).map { try closed(.weeklyDigest, $0) } == [false, false, false, false, false])
  }
}
