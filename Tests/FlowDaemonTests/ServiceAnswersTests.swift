import FlowCalendar
import FlowControl
import FlowDelivery
import FlowModel
import FlowNotices
import FlowPlatform
import FlowStore
import FlowTestKit
import FlowWork
import Foundation
import PoolControl
import PoolDigests
import PoolJobs
import PoolModel
import PoolStore
import PoolTestKit
import Testing
import Trades

@testable import FlowAnswers
@testable import FlowDaemon
@testable import FlowServices
@testable import PoolServices

/// Compares the daemon's answers about the stops of a date with the model of `ServiceModelTests`: routes and progress, published
/// pages and calendar feeds, the month and data health, `simulate`, and customers files.
struct ServiceAnswersTests {
  /// A model, and the team with the same records.
  private struct Compared {
    let model: ServiceModel
    let team: Team
    let zone: Zone
    let fixture: ServiceFixture

    func comment(_ words: String, _ date: CivilDate) -> Comment { "team \(model.number), \(words) of \(date)" }

    /// Dates from which an answer is asked for: some of those that a mistake would show first, so many days before them that
    /// the answer has them, and others all over the two years.
    ///
    /// - Parameter span: the number of days that the answer is about.
    func todays(_ count: Int, span: Int) -> [CivilDate] {
      let last = ServiceModel.first.adding(days: ServiceModel.days - span)
      let notable = model.notableDates.enumerated().map { $1.adding(days: -($0 * 5 % span)) }
        .filter { model.firstToday <= $0 && $0 < last }
      let step = max(1, notable.count / count)
      let chosen = stride(from: model.number % step, to: notable.count, by: step).map { notable[$0] }
      return Set(chosen.prefix(count) + [model.firstToday, last.adding(days: -model.number)]).sorted()
    }

    /// Sets the clock to 18:00 in the team's zone, when the day's visits were made.
    func goTo(_ date: CivilDate) {
      let evening = TimeOfDay(hour: 18, minute: 0) ?? .sevenInTheMorning
      fixture.clock.set(zone.resolve(LocalDateTime(date: date, time: evening)).standard)
    }
  }

  @Test func `every answer agrees with the model of rules, pauses and changes`() async throws {
    for compared in try await teams() {
      try await compareRoutes(compared)
      try await comparePublished(compared)
      try await compareFigures(compared)
      try await compareSimulation(compared)
      try await compareFile(compared)
    }
  }

  /// The teams of the model, all in one store.
  private func teams() async throws -> [Compared] {
    let zones = SystemZones()
    // 12:00 UTC, when each zone of the model has its first date.
    let now = Timestamp(seconds: Int64(ServiceModel.first.daysSince1970) * 86_400 + 43_200)
    let fixture = try await ServiceFixture(at: now, demo: false)
    var teams: [Compared] = []
    // Nine teams have every zone and every setting. On a server all of them would take minutes.
    for number in 0..<(ServerStores.isChosen ? 9 : ServiceModel.teams) {
      var random = SeededNumbers(seed: UInt64(number) + 152)
      var model = ServiceModel(number, &random)
      let zone = try zones.zone(named: model.zone)
      var sample = Samples.team(model.name, zone: model.zone)
      // A third each tells low stock in the morning, in the evening before, and on its own.
      sample.settings.morningNotice = number % 3 != 2
      let added = try await fixture.store.addTeam(sample, defaultTechnician: "anna", now: now) { _ in [] }
      if number % 3 == 1 {
        _ = try await fixture.services.teams.set(
          TeamsCall.Set(name: model.name, changes: [SettingChangeView(key: "route-preview", value: "on")]),
          fixture.caller)
      }
      try await model.write(to: added, in: fixture.store, zone: zone, now: now) { team in
        JobPlan.all(of: team, in: .pools, zone: zone)
      }
      let differences = try await model.change(added, in: fixture.store, zone: zone, &random)
      #expect(differences == [])
      let team = try #require(try await fixture.store.team(added.id))
      teams.append(Compared(model: model, team: team, zone: zone, fixture: fixture))
    }
    return teams
  }

  // MARK: Routes

  private func compareRoutes(_ compared: Compared) async throws {
    for (number, date) in compared.todays(6, span: 7).enumerated() {
      compared.goTo(date)
      try await compareRoutes(compared, date)
      try await compareProgress(compared, date)
      try await compareDigest(compared, date.adding(days: number % 7))
      try await compareDaysOff(compared, date)
      try await compareNextDates(compared, date)
      if number % 4 == 0 { try await comparePlan(compared, date) }
    }
  }

  /// The technician and weekday of each day with stops within a week from a date, with its customers.
  private func expectedDays(_ model: ServiceModel, from date: CivilDate) -> [String: Set<String>] {
    var days: [String: Set<String>] = [:]
    for day in (0..<7).map({ date.adding(days: $0) }) {
      for (customer, technician) in model.served(day) {
        days["\(technician) \(day.weekday.abbreviation)", default: []].insert(customer)
      }
    }
    return days
  }

  /// The routes of the seven days from a date on, with their arrival windows.
  private func compareRoutes(_ compared: Compared, _ date: CivilDate) async throws {
    let expected = expectedDays(compared.model, from: date)
    guard !expected.isEmpty else { return }
    let routes = try await compared.fixture.poolService.routes.show(
      RoutesCall.Show(team: compared.team.name, day: "all"), compared.fixture.caller
    ).routes
    let shown = routes.map { ("\($0.technician) \($0.day)", Set($0.stops.map(\.customer))) }
    #expect(
      Dictionary(shown, uniquingKeysWith: { first, _ in first }) == expected, compared.comment("the routes", date))
    for stop in routes.flatMap(\.stops) {
      let window = try #require(compared.model.lines.first { $0.customer == stop.customer }).window
      #expect(
        stop.opensMinute == window.opens && stop.closesMinute == window.closes,
        compared.comment("the window of \(stop.customer)", date))
    }
  }

  private func compareProgress(_ compared: Compared, _ date: CivilDate) async throws {
    let model = compared.model
    let visited = Set(model.lines.filter { $0.visits.contains(date) }.map(\.customer))
    var shown: [String: Set<String>] = [:]
    do {
      let reply = try await compared.fixture.poolService.routes.progress(
        RoutesCall.Progress(team: compared.team.name, technician: nil), compared.fixture.caller)
      for day in reply.progress {
        shown[day.technician] = Set(day.missing)
        let all = model.customers(date, of: day.technician)
        #expect(
          day.stops == all.count && day.serviced == all.intersection(visited).count,
          compared.comment("the progress of \(day.technician)", date))
      }
    } catch let error as ControlError where error.message.contains("has no stop") {}
    let expected = Dictionary(grouping: model.served(date), by: \.value).mapValues { stops in
      Set(stops.map(\.key)).subtracting(visited)
    }
    #expect(shown == expected, compared.comment("the progress", date))
  }

  /// A report of a date, which has the stops of closed days, too.
  private func compareDigest(_ compared: Compared, _ date: CivilDate) async throws {
    let reply = try await compared.fixture.poolService.reports.digest(
      ReportsCall.Digest(team: compared.team.name, kind: .morning, date: date.description, format: .json),
      compared.fixture.caller)
    let told = try #require(DigestJSON.morning(reply.text)).sections.flatMap { section in
      section.stops.map { ($0.customer, section.technician) }
    }
    #expect(
      Dictionary(told, uniquingKeysWith: { _, _ in "twice" }) == compared.model.served(date),
      compared.comment("the digest", date))
  }

  /// The stops that would need another day or technician if the next days were days off.
  private func compareDaysOff(_ compared: Compared, _ date: CivilDate) async throws {
    let (days, fixture) = ((0..<10).map { date.adding(days: $0) }, compared.fixture)
    for technician in [nil] + (try await fixture.store.technicians(of: compared.team.id)).map({ Optional($0.name) }) {
      let open = try await fixture.services.daysOff.add(
        DaysOffCall.Add(
          days: "\(date)..\(date.adding(days: 9))", team: compared.team.name, technician: technician, dryRun: true),
        fixture.caller
      ).open
      let expected = days.map { ($0.description, compared.model.customers($0, of: technician).count) }
      #expect(
        Dictionary(open.map { ($0.date, $0.stops) }, uniquingKeysWith: +)
          == Dictionary(expected.filter { $0.1 > 0 }, uniquingKeysWith: +),
        compared.comment("the open stops of \(technician ?? "the team")", date))
    }
  }

  private func compareNextDates(_ compared: Compared, _ date: CivilDate) async throws {
    let services = try await compared.fixture.poolService.pools.listServices(
      PoolsCall.ListServices(team: compared.team.name), compared.fixture.caller
    ).services
    for service in services {
      let line = try #require(compared.model.lines.first { $0.customer == service.customer })
      // The table ends some weeks after the two years.
      guard let next = compared.model.next(line, onOrAfter: date) else { continue }
      #expect(service.next == next.description, compared.comment("the next date of \(line.customer)", date))
    }
  }

  private func comparePlan(_ compared: Compared, _ date: CivilDate) async throws {
    let fixture = compared.fixture
    _ = try await fixture.poolService.planner.plan(ofNight: compared.team)
    let names = Dictionary(
      try await fixture.store.technicians(of: compared.team.id).map { ($0.id, $0.name) },
      uniquingKeysWith: { first, _ in first })
    let customers = Dictionary(
      compared.model.lines.map { ($0.pool.id, $0.customer) }, uniquingKeysWith: { first, _ in first })
    let planned = try await fixture.store.routes(of: compared.team.id).map { route in
      (
        "\(names[route.technicianID] ?? "unknown") \(route.day.abbreviation)",
        Set(route.current.compactMap { customers[$0] })
      )
    }
    #expect(
      Dictionary(planned, uniquingKeysWith: { first, _ in first }) == expectedDays(compared.model, from: date),
      compared.comment("the nightly plan", date))
  }

  // MARK: Pages

  private func comparePublished(_ compared: Compared) async throws {
    let fixture = compared.fixture
    let sites = TeamSites(
      store: fixture.store, trades: .every, published: fixture.context.published, zones: fixture.context.zones,
      clock: fixture.clock, publishedTeams: nil, isSensitive: false)
    for date in compared.todays(3, span: 14) {
      compared.goTo(date)
      let pages = try await sites.pages(of: compared.team.id)
      let technicians = try await fixture.store.technicians(of: compared.team.id)
      for (owner, name) in try await fixture.context.published.given(to: compared.team.id) {
        let files = try #require(pages.first { $0.name == name }).files.mapValues {
          String(decoding: $0, as: UTF8.self)
        }
        var technician: String?
        if case .technician(let id) = owner { technician = technicians.first { $0.id == id }?.name }
        try comparePages(compared, date, files, of: technician)
        try compareFeed(compared, date, files["route.ics"] ?? "", of: technician)
      }
    }
  }

  /// The customers in a text, in their order.
  private func customers(in text: some StringProtocol) -> [String] {
    String(text).matches(of: /Customer \d\d/).map { String($0.output) }
  }

  /// The customers on whose pages a date is: of the team, or of a technician who is not away.
  private func expected(_ model: ServiceModel, _ date: CivilDate, of technician: String?) -> Set<String> {
    guard !model.isClosed(date) else { return [] }
    guard let number = ServiceModel.technicians.firstIndex(where: { $0 == technician }) else {
      return model.customers(date, of: nil)
    }
    return model.isAway(number, date) ? [] : model.customers(date, of: technician)
  }

  private func comparePages(
    _ compared: Compared, _ date: CivilDate, _ files: [String: String], of technician: String?
  ) throws {
    let model = compared.model
    for (name, day) in [("today.html", date), ("tomorrow.html", date.adding(days: 1))] {
      // At the end of the office's page are the customers for whom there is too little of a chemical on the next working day.
      let page = try #require(files[name]).components(separatedBy: "Low stock")[0]
      #expect(
        Set(customers(in: page)) == expected(model, day, of: technician),
        compared.comment("\(name) of \(technician ?? "the office")", date))
    }
    guard let technician else {
      // The page lists the days from the tenth to the fourth before today.
      let days = (4...10).map { date.adding(days: -$0) }.sorted()
      let missed = days.flatMap { day in
        model.lines.filter { !model.missed($0, [day], today: date).isEmpty }.map(\.customer).sorted()
      }
      let page = try #require(files["index.html"]?.components(separatedBy: "Service days without a visit").last)
      #expect(
        customers(in: page.prefix(upTo: page.range(of: "<h2")?.lowerBound ?? page.endIndex))
          == Array(missed.prefix(Limits.missedDaysOnPage)), compared.comment("the missed days", date))
      return
    }
    let week = try #require(files["week.html"]).components(separatedBy: "<h2").dropFirst()
    #expect(week.count == 7)
    for (offset, part) in week.enumerated() {
      let day = date.adding(days: offset)
      #expect(
        Set(customers(in: part)) == expected(model, day, of: technician),
        compared.comment("the week of \(technician) on \(day)", date))
    }
  }

  /// The stops of a feed by their beginning, and the number of stops in the title of each day.
  private func compareFeed(
    _ compared: Compared, _ date: CivilDate, _ feed: String, of technician: String?
  ) throws {
    let (model, zone) = (compared.model, compared.zone)
    var stops: [CivilDate: Set<String>] = [:]
    var titles: [CivilDate: Int] = [:]
    for event in feed.replacing("\r\n ", with: "").components(separatedBy: "BEGIN:VEVENT\r\n").dropFirst() {
      let lines = event.components(separatedBy: "\r\n")
      func value(_ name: String) -> String? {
        lines.first { $0.hasPrefix(name) }.map { String($0.dropFirst(name.count)) }
      }
      let title = try #require(value("SUMMARY:"))
      if let start = value("DTSTART:") {
        let day = zone.local(at: try #require(Timestamp(compact: start))).date
        for customer in customers(in: title) { stops[day, default: []].insert(customer) }
      } else {
        let start = try #require(value("DTSTART;VALUE=DATE:"))
        let day = try #require(CivilDate("\(start.prefix(4))-\(start.dropFirst(4).prefix(2))-\(start.suffix(2))"))
        titles[day] = title.firstMatch(of: /\d+/).flatMap { Int($0.output) }
      }
    }
    var expectedStops: [CivilDate: Set<String>] = [:]
    for day in (0..<14).map({ date.adding(days: $0) }) {
      var customers = expected(model, day, of: technician)
      if technician == nil {
        for (number, name) in ServiceModel.technicians.enumerated() where model.isAway(number, day) {
          customers.subtract(model.customers(day, of: name))
        }
      }
      if !customers.isEmpty { expectedStops[day] = customers }
    }
    let words = "the feed of \(technician ?? "the office")"
    #expect(stops == expectedStops, compared.comment(words, date))
    #expect(titles == expectedStops.mapValues(\.count), compared.comment("the titles of \(words)", date))
  }

  // MARK: Figures

  private func compareFigures(_ compared: Compared) async throws {
    for date in compared.todays(8, span: 1) {
      compared.goTo(date)
      let health = try await compared.fixture.poolService.water.health(
        WaterCall.Health(team: compared.team.name), compared.fixture.caller
      ).health
      #expect(
        Set(health.stale.map(\.customer)) == compared.model.stale(date, isAfterNoon: true),
        compared.comment("data health", date))
    }
    let months = Set(
      (compared.model.lines.flatMap(\.visits) + compared.model.notableDates).map {
        CivilDate(year: $0.year, month: $0.month, day: 1)
      })
    for month in months.filter({ $0 >= ServiceModel.first }) { try await compareMonth(compared, month) }
  }

  private struct Month: Decodable {
    struct Technician: Decodable {
      let technician: String
      let missed: Int
    }
    struct Missed: Decodable {
      let customer: String
      let missed: Int
    }

    let technicians: [Technician]
    let missed: [Missed]
    let missed_pools: Int
    let visits: Int
  }

  private func compareMonth(_ compared: Compared, _ first: CivilDate) async throws {
    let model = compared.model
    let length = CivilDate.length(ofMonth: first.month, year: first.year)
    let dates = (0..<length).map { first.adding(days: $0) }
    // Two days after the month, when its last days may still get a visit.
    let today = first.adding(days: length + 2)
    compared.goTo(today)
    let text = try await compared.fixture.poolService.reports.month(
      ReportsCall.Month(team: compared.team.name, month: String("\(first)".dropLast(3)), format: .json),
      compared.fixture.caller
    ).text
    let month = try JSONDecoder().decode(Month.self, from: Data(text.utf8))
    let missed = model.lines.map { (line: $0, days: model.missed($0, dates, today: today).count) }
    let words = compared.comment("the month", first)
    let technicians = Dictionary(month.technicians.map { ($0.technician, $0.missed) }, uniquingKeysWith: +)
    #expect(
      technicians
        == Dictionary(missed.map { (ServiceModel.technicians[$0.line.technician], $0.days) }, uniquingKeysWith: +),
      words)
    #expect(month.missed_pools == missed.count { $0.days > 0 }, words)
    for one in month.missed { #expect(missed.first { $0.line.customer == one.customer }?.days == one.missed, words) }
    #expect(month.visits == model.lines.flatMap(\.visits).count { dates.contains($0) }, words)
  }

  // MARK: Simulation

  private func compareSimulation(_ compared: Compared) async throws {
    for date in compared.todays(1, span: 25) {
      compared.goTo(date)
      let events = try await compared.fixture.services.scheduler.simulate(
        SchedulerCall.Simulate(days: 25, team: compared.team.name), compared.fixture.caller, nil
      ).events
      #expect(events.count > 25, compared.comment("the simulation", date))
      for event in events { try compareEvent(compared, event) }
    }
  }

  private func compareEvent(_ compared: Compared, _ event: SimulatedEventView) throws {
    let model = compared.model
    let date = compared.zone.local(at: try #require(Timestamp(rfc3339: event.at))).date
    let isTold = event.outcome == .notified
    let numbers = (event.body ?? "").split { !$0.isASCII || !$0.isNumber }.compactMap { Int($0) }
    let words = compared.comment("the simulated \(event.job)", date)
    switch event.job {
    case "morning-summary", "route-preview":
      let settings = compared.team.settings
      guard event.job == "morning-summary" ? settings.morningNotice : settings.eveningPreview else {
        #expect(!isTold, words)
        return
      }
      let about = event.job == "morning-summary" ? date : date.adding(days: 1)
      let served = model.worked(about)
      let stops = event.lines.compactMap { $0.wholeMatch(of: /\s*\d+  (Customer \d\d), .*/) }.map { String($0.1) }
      #expect(Set(stops) == Set(served.keys) && stops.count == served.count, words)
      #expect(isTold == !served.isEmpty && (!isTold || numbers == [served.count]), words)
    case "low-stock":
      let next = model.nextWorkingDay(after: date)
      let isBetween = model.isClosed(date) && next != date.adding(days: 1)
      let isOwn = !compared.team.settings.morningNotice && !compared.team.settings.eveningPreview
      let stops = isBetween || !isOwn ? 0 : model.served(next).count
      #expect(isTold == (stops > 0) && (!isTold || numbers == [1, stops]), words)
    case "closed-day":
      let tomorrow = date.adding(days: 1)
      let closed = (0..<Limits.closedDaysListed).map { tomorrow.adding(days: $0) }.prefix { model.isClosed($0) }
      let stops = model.isClosed(date) ? 0 : closed.reduce(0) { $0 + model.served($1).count }
      #expect(isTold == (stops > 0) && (!isTold || numbers == [stops]), words)
    case "weekly-digest": #expect(isTold && numbers == [ServiceModel.poolsPerTeam], words)
    default: break
    }
  }

  // MARK: Customers files

  /// The team's pools, exported and imported into an empty team. Rules are part of a customers file; pauses and changed dates
  /// are not.
  private func compareFile(_ compared: Compared) async throws {
    let (model, fixture) = (compared.model, compared.fixture)
    compared.goTo(model.firstToday.adding(days: model.number * 20))
    var lines: [String] = []
    var after: String?
    repeat {
      let reply = try await fixture.poolService.water.export(
        WaterCall.Export(team: model.name, table: .pools, after: after), fixture.caller)
      lines += reply.lines
      after = reply.next
    } while after != nil
    let copy = "copy-\(model.number)"
    try await fixture.addTeam(copy, zone: model.zone)
    let file = Array(lines.joined(separator: "\r\n").utf8)
    for _ in 0..<2 {
      // A second import moves no date.
      try await fixture.importFile(file, as: "customers.csv", team: copy)
      try await compareRules(compared, of: try await fixture.store.team(named: copy))
    }
  }

  private func compareRules(_ compared: Compared, of team: Team) async throws {
    let (model, store) = (compared.model, compared.fixture.store)
    let facts = try #require(try await store.facts([.everyDay(of: team.id)]).first ?? nil)
    let names = Dictionary(
      try await store.technicians(of: team.id).map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
    for offset in 0..<ServiceModel.days {
      let date = ServiceModel.first.adding(days: offset)
      let served = facts.stops(on: date).map { ($0.customerName, names[$0.technicianID] ?? "unknown") }
      let expected = model.lines.filter { $0.lastRule.contains(date) }.map {
        ($0.customer, ServiceModel.technicians[$0.technician])
      }
      #expect(
        Dictionary(served, uniquingKeysWith: { _, _ in "twice" })
          == Dictionary(expected, uniquingKeysWith: { first, _ in first }), compared.comment("the copy", date))
    }
  }
}
