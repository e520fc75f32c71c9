import PoolModel
import FlowCalendar
import FlowModel
import FlowNotices
import FlowTestKit
import FlowWork
import PoolDigests
import PoolJobs
import Testing

/// Personal notices to technicians, decided together with the team's notice.
struct OwnNoticeTests {
  private static let day = DigestStand.moment.asOf

  /// Maria and dan drive on Monday, eve on no day, and fay has no address.
  private func stand() -> DigestStand {
    var stand = DigestStand()
    stand.names = ["maria", "dan", "eve", "fay"]
    stand.stops = [
      DigestStand.stop(1, "Steve Baird"), DigestStand.stop(2, "Ann Cole", technician: 2),
      DigestStand.stop(3, "Bob Dunn", technician: 2), DigestStand.stop(4, "Fred Gray", technician: 4),
    ]
    return stand
  }

  private func person(_ number: Int64, _ language: Language? = nil, wants: Set<Person.Subscription> = [.route])
    -> Person
  {
    Person(key: .technician(TechnicianID(number)), language: language, wants: wants, channels: [.mail])
  }

  private func decide(
    _ facts: TeamFacts, _ kind: JobKind = .morningSummary, timing: JobTiming = .unchosen
  ) -> Outcome {
    let run = RunContext(
      jobID: JobID(17), kind: kind, slot: Self.day, asOf: Self.day, now: Self.day, lateness: .zero, install: "f3a91c02",
      timing: timing)
    return JobDecision.decide(run, facts: facts, zone: .utc)
  }

  @Test func `a technician gets only their own stops, in their language, with a separate id`() throws {
    var facts = stand().facts
    let before = decide(facts)
    facts.people = [person(1, .german), person(2), person(3)]
    let outcome = decide(facts)
    let team = try #require(outcome.notice)
    // The team's notice is the same with and without personal notices.
    #expect(team == before.notice && before.personal.isEmpty)
    #expect(outcome.personal.map(\.id) == ["\(team.id)-t1", "\(team.id)-t2"])
    #expect(outcome.personal.map(\.person) == [.technician(TechnicianID(1)), .technician(TechnicianID(2))])
    let (maria, dan) = (outcome.personal[0], outcome.personal[1])
    #expect(maria.title == "Route für heute" && dan.title == team.title)
    #expect(maria.identifier == team.identifier && maria.expiresAt == team.expiresAt && maria.jobID == team.jobID)
    #expect(dan.body == "You have 2 pool(s) scheduled today." && maria.body != team.body)
    for (own, customers, others) in [
      (maria, ["Steve Baird"], ["Ann Cole", "Bob Dunn", "Fred Gray"]),
      (dan, ["Ann Cole", "Bob Dunn"], ["Steve Baird", "Fred Gray"]),
    ] {
      let words = ([own.title, own.body, own.dataJSON] + own.lines).joined(separator: "\n")
      #expect(customers.allSatisfy(words.contains) && !others.contains(where: words.contains))
      #expect(DigestJSON.morning(own.dataJSON)?.run == own.id)
    }
    let words = try #require(outcome.account?.words)
    #expect(words.hasSuffix("own notices for 2 of 4 technicians; eve: no stops; fay: no address"), "\(words)")
  }

  @Test func `the evening preview to a technician contains tomorrow's stops`() throws {
    var stand = stand()
    stand.team.settings.eveningPreview = true
    stand.stops = [DigestStand.stop(1, "Steve Baird")]
    stand.tomorrow = [DigestStand.stop(2, "Ann Cole", technician: 2)]
    var facts = stand.facts
    facts.people = [person(1), person(2)]
    let own = decide(facts, .routePreview).personal
    #expect(own.map(\.person) == [.technician(TechnicianID(2))])
    #expect(own.first.map { ([$0.body] + $0.lines).joined(separator: "\n").contains("Ann Cole") } == true)
  }

  @Test func `an absent or unsubscribed technician gets no personal notice`() throws {
    var facts = stand().facts
    facts.people = [person(1, wants: [.week]), person(2)]
    facts.daysOff = DaysOff([
      DayOff(
        id: 1, technicianID: TechnicianID(2), span: try DaySpan(first: DigestStand.monday, last: DigestStand.monday),
        note: "", setBy: "anna")
    ])
    let outcome = decide(facts)
    #expect(outcome.notice != nil && outcome.personal.isEmpty)
    #expect(outcome.account?.words.contains("maria: not wanted; dan: away on that day") == true)
    // An office with addresses gets what every sink gets.
    facts.people = [Person(key: .office(TeamID(1)), wants: [.route], channels: [.mail])]
    #expect(decide(facts).account?.words.contains("own notices") == false)
  }

  @Test func `a team with notifications off has no personal notices either`() {
    var facts = stand().facts
    facts.people = [person(1)]
    facts.team.settings.notificationsEnabled = false
    #expect(decide(facts).result == .skipped && decide(facts).personal.isEmpty)
  }

  @Test func `a personal reminder goes only to its technician`() throws {
    var facts = stand().facts
    facts.people = [person(1, .french, wants: [.week, .reminders]), person(2, wants: [.reminders])]
    let name = try #require(ReminderName("filters"))
    facts.reminders = [
      name: Reminder(
        name: name, title: try ReminderText(""), text: try ReminderText("{pools.today}"),
        technicianID: TechnicianID(2), severity: .notice, condition: .always, timesLeft: nil)
    ]
    #expect(decide(facts, .reminder(name)).personal.map(\.person) == [.technician(TechnicianID(2))])
  }

  @Test func `subscribed technicians get low stock and the weekly digest in their language`() throws {
    var stand = stand()
    stand.team.settings.morningNotice = false
    stand.tomorrow = [DigestStand.stop(5)]
    stand.stock = [StockItem(item: Samples.item(stock: 1, threshold: 2), technicianID: nil)]
    var facts = stand.facts
    facts.people = [person(1, .french, wants: [.lowStock]), person(2)]
    let outcome = decide(facts, .lowStock)
    let own = try #require(outcome.personal.first)
    #expect(outcome.personal.count == 1 && outcome.notice.map { "\($0.id)-t1" } == own.id)
    #expect(own.title != outcome.notice?.title && own.severity == outcome.notice?.severity)
    #expect(decide(facts, .weeklyDigest).personal.isEmpty)
    facts.people = [person(2, .spanish, wants: [.week])]
    let week = decide(facts, .weeklyDigest)
    #expect(week.personal.map(\.title) == ["Resumen semanal de PoolFlow"])
  }

  @Test(arguments: [true, false])
  func `on a closed day personal notices follow the team's job`(ignores: Bool) throws {
    var stand = stand()
    stand.team.settings.morningNotice = false
    stand.tomorrow = [DigestStand.stop(5)]
    stand.stock = [StockItem(item: Samples.item(stock: 1, threshold: 2), technicianID: nil)]
    var facts = stand.facts
    facts.people = [person(1, wants: [.lowStock])]
    let tomorrow = DigestStand.monday.adding(days: 1)
    facts.daysOff = DaysOff([
      DayOff(
        id: 1, technicianID: nil, span: try DaySpan(first: DigestStand.monday, last: tomorrow), note: "", setBy: "anna")
    ])
    var timing = JobTiming()
    if ignores { timing.closed = .ignore }
    let outcome = decide(facts, .lowStock, timing: timing)
    #expect((outcome.notice != nil) == ignores)
    #expect(outcome.personal.map(\.person) == (ignores ? [.technician(TechnicianID(1))] : []))
  }

  @Test(arguments: [
    (ReachChannel.mail, "maria@example.com", true), (.mail, "maria", false), (.mail, "a@b@c", false),
    (.mail, "@example.com", false), (.mail, "maria @example.com", false), (.mail, "märia@example.com", false),
    (.mail, "maria@example.com\nBcc: x@y.z", false), (.mail, "a@b.c,d@e.f", false), (.mail, "M <a@b.c>", false),
    (.ntfy, "route-maria_1", true), (.ntfy, "", false), (.ntfy, "a/b", false), (.ntfy, "ä", false),
    (.ntfy, String(repeating: "x", count: 65), false), (.telegram, "-100123", true), (.telegram, "@mariapools", true),
    (.telegram, "maria", false), (.telegram, "@m", false), (.telegram, "-", false), (.telegram, "1 2", false),
    (.matrix, "!room:example.com", true), (.matrix, "room:example.com", false), (.matrix, "!room", false),
    (.slack, "crew", true), (.teams, "https://example.com/x", false), (.webhook, "-x", false),
  ])
  func `an address is accepted if its channel allows it`(channel: ReachChannel, address: String, isOne: Bool) {
    let fault = channel.fault(in: address)
    #expect((fault == nil) == isOne, "\(fault ?? "taken")")
    var addresses = Addresses()
    addresses[channel] = address
    #expect(("\(addresses)" + String(reflecting: addresses)).contains(address) == address.isEmpty)
    if isOne { #expect(Addresses(lines: addresses.lines) == addresses) }
  }

  @Test(arguments: [
    ("22:00-06:00", true), ("12:00-13:30", true), ("22-06", false), ("22:00-22:00", false), ("24:00-06:00", false),
    ("22:00", false), ("", false), ("22:00-06:00-07:00", false),
  ])
  func `quiet hours are two different times of day`(text: String, areSome: Bool) {
    #expect(QuietHours(text)?.description == (areSome ? text : nil))
  }

  @Test(arguments: [(-1, "(told)"), (0, "already-past"), (1, "already-past")])
  func `the end of a trial is announced until it has come`(milliseconds: Int, told: String) {
    var facts = stand().facts
    facts.team.plan = .trial(expires: Self.day.advanced(by: .milliseconds(-milliseconds)))
    let outcome = decide(facts, .trialReminder)
    #expect((outcome.notice != nil ? "(told)" : outcome.reason) == told)
  }

  @Test func `the explanation contains counts of what was checked`() throws {
    var stand = stand()
    stand.team.settings.morningNotice = false
    stand.tomorrow = [DigestStand.stop(5)]
    stand.stock = [StockItem(item: Samples.item(stock: 1, threshold: 2), technicianID: nil)]
    let low = try #require(decide(stand.facts, .lowStock).account?.words)
    #expect(low.contains(": 1 pool; 1 of 1 chemicals low; notifications on"), "\(low)")
    var facts = stand.facts
    facts.team.plan = .trial(expires: Self.day.advanced(by: .hours(1)))
    let trial = try #require(decide(facts, .trialReminder).account?.words)
    #expect(trial.hasPrefix("notifications on, trial until "), "\(trial)")
  }
}
