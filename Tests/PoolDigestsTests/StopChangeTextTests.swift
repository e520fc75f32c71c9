import FlowCalendar
import FlowModel
import FlowNotices
import FlowTestKit
import PoolModel
import Testing

@testable import PoolDigests

/// Changed stops in every language: at the stop, in the week, and in the notice of a changed route.
struct StopChangeTextTests {
  private typealias Stand = DigestStand

  /// The texts of one language.
  struct Texts: Sendable {
    let language: Language
    let moved: String
    let covered: String
    let title: String
    let tomorrow: String
    let changes: [String]
    let weekMoved: @Sendable (String) -> String
    let weekSkipped: String
  }

  private static let texts = [
    Texts(
      language: .english, moved: "Moved from Tuesday: rain", covered: "Instead of maria: ill",
      title: "Route Changed Today: 3 stops have changed since this morning.",
      tomorrow: "Tomorrow's Route Changed: 3 of tomorrow's stops have changed since the route was sent.",
      changes: [
        "Customer 1 is new on this route. Moved from Tuesday: rain", "Customer 2 went from maria to ben (ill)",
        "Customer 3 skipped (gate locked)",
      ], weekMoved: { "Customer 1 moved to \($0) (rain)" }, weekSkipped: "Customer 4 skipped (away)"),
    Texts(
      language: .german, moved: "Verschoben vom Dienstag: rain", covered: "Vertretung für maria: ill",
      title: "Geänderte Route für heute: 3 Stopps haben sich seit heute Morgen geändert.",
      tomorrow: "Geänderte Route für morgen: 3 Stopps von morgen haben sich geändert, seit die Route verschickt wurde.",
      changes: [
        "Customer 1 ist neu auf dieser Route. Verschoben vom Dienstag: rain",
        "Customer 2 wechselt von maria zu ben (ill)", "Customer 3 fällt aus (gate locked)",
      ], weekMoved: { "Customer 1 verschoben auf \($0) (rain)" }, weekSkipped: "Customer 4 fällt aus (away)"),
    Texts(
      language: .spanish, moved: "Trasladada del martes: rain", covered: "En lugar de maria: ill",
      title: "Ruta de hoy modificada: 3 paradas han cambiado desde esta mañana.",
      tomorrow: "Ruta de mañana modificada: 3 paradas de mañana han cambiado desde el envío de la ruta.",
      changes: [
        "Customer 1 es nueva en esta ruta. Trasladada del martes: rain",
        "Customer 2 pasó de maria a ben (ill)", "Customer 3 se omite (gate locked)",
      ], weekMoved: { "Customer 1 pasa al \($0) (rain)" }, weekSkipped: "Customer 4 se omite (away)"),
    Texts(
      language: .french, moved: "Déplacé, initialement mardi : rain", covered: "À la place de maria : ill",
      title: "Tournée du jour modifiée: 3 arrêts ont changé depuis ce matin.",
      tomorrow: "Tournée de demain modifiée: 3 arrêts de demain ont changé depuis l'envoi de la tournée.",
      changes: [
        "Customer 1 est nouveau dans cette tournée. Déplacé, initialement mardi : rain",
        "Customer 2 passe de maria à ben (ill)", "Customer 3, arrêt annulé (gate locked)",
      ], weekMoved: { "Customer 1 déplacé au \($0) (rain)" }, weekSkipped: "Customer 4, arrêt annulé (away)"),
    Texts(
      language: .portuguese, moved: "Transferida de terça-feira: rain", covered: "No lugar de maria: ill",
      title: "Rota de hoje alterada: 3 paradas mudaram desde esta manhã.",
      tomorrow: "Rota de amanhã alterada: 3 paradas de amanhã mudaram desde o envio da rota.",
      changes: [
        "Customer 1 é nova nesta rota. Transferida de terça-feira: rain",
        "Customer 2 passou de maria para ben (ill)", "Customer 3, parada cancelada (gate locked)",
      ], weekMoved: { "Customer 1 passa para \($0) (rain)" }, weekSkipped: "Customer 4, parada cancelada (away)"),
  ]

  private static let tuesday = Stand.monday.adding(days: 1)

  private static func change(
    _ number: Int, _ from: CivilDate, _ to: CivilDate?, technician: Int64? = nil, _ reason: String
  ) -> ServiceDateChange {
    ServiceDateChange(
      id: Int64(number), batch: Int64(number), pool: Samples.pool(number).id, from: from, to: to,
      technician: technician.map { TechnicianID($0) }, reason: reason, setBy: "anna", madeAt: Stand.moment.asOf)
  }

  /// Maria's Monday: a stop of Tuesday is moved to it, another one is given to Ben, a third one is skipped. A fourth one is
  /// skipped on Tuesday.
  private static func facts(_ language: Language) -> TeamFacts {
    var stand = Stand(names: ["maria", "ben"], stops: (1...3).map { Stand.stop($0) })
    stand.team.language = language
    var facts = stand.facts
    func service(_ day: Weekday, _ change: ServiceDateChange) -> PoolService {
      PoolService(weekday: day, changes: [change])
    }
    facts.services = ServiceCalendar([
      Samples.pool(1).id: service(.tuesday, change(1, tuesday, Stand.monday, "rain")),
      Samples.pool(2).id: service(.monday, change(2, Stand.monday, Stand.monday, technician: 2, "ill")),
      Samples.pool(3).id: service(.monday, change(3, Stand.monday, nil, "gate locked")),
      Samples.pool(4).id: service(.tuesday, change(4, tuesday, nil, "away")),
    ])
    facts.week = WeekFacts(
      pools: (1...4).map { number in
        WeekFacts.Line(
          poolID: Samples.pool(number).id, customer: "Customer \(number)", technicianID: TechnicianID(1),
          monthlyFee: 100, hasCoordinates: true, chemicalCost: 0, care: Stand.care())
      }, periodDays: 30, week: Stand.week())
    return facts
  }

  /// A text with plain spaces, as the expected ones are written.
  private func plain(_ text: String) -> String {
    text.replacing("\u{A0}", with: " ").replacing("\u{202F}", with: " ")
  }

  @Test(arguments: texts)
  func `a changed stop is told in the team's language`(texts: Texts) throws {
    let facts = Self.facts(texts.language)
    let digest = MorningDigest(facts, at: Stand.moment)
    #expect(digest.sections.map { $0.stops.map(\.customer) } == [["Customer 1"], ["Customer 2"]])
    #expect(plain(digest.lines.joined(separator: "\n")).contains("Customer 1, 1 Elm St (\(texts.moved))"))
    for text in [digest.document().text(), digest.document().html, digest.calendar.replacing("\r\n ", with: "")] {
      #expect(plain(text).replacing("\\,", with: ",").contains(texts.moved))
      #expect(plain(text).contains(texts.covered))
    }
    // The page is made of what is stored with the notice.
    #expect(DigestJSON.morning(DigestJSON.text(digest)) == digest)

    let localizer = Localizer(facts.team)
    let week = WeekDigest(facts, at: Stand.moment)
    let lines = try #require(week.changedStops).map { plain($0.words(localizer)) }
    func day(_ date: CivilDate) -> String { plain(localizer.dateFormats.shortDay(date)) }
    #expect(lines.count == 2 && lines[0].hasPrefix(day(Self.tuesday)))
    #expect(lines[0].hasSuffix(texts.weekMoved(day(Stand.monday))) && lines[1].hasSuffix(texts.weekSkipped))
    #expect(DigestJSON.week(DigestJSON.text(week)) == week)
  }

  @Test(arguments: texts)
  func `a changed route is told in the team's language, to each technician what concerns them`(texts: Texts) throws {
    let told = SentRoute(
      date: Stand.monday,
      stops: (2...3).map { .init(poolID: Samples.pool($0).id, customer: "Customer \($0)", technician: "maria") })
    var facts = Self.facts(texts.language)
    facts.toldRoute = told
    let routes = ChangedRoutes(facts, at: Stand.moment)
    let draft = try #require(routes.draft())
    #expect(plain("\(draft.title): \(draft.body)") == texts.title)
    #expect(draft.lines.prefix(3).map(plain) == texts.changes)
    let ben = try #require(routes.draft(for: "ben", run: "run-1"))
    #expect(plain(ben.lines[0]) == texts.changes[1] && ben.lines.dropFirst().contains { $0.contains("Customer 2") })
    #expect(
      NoticeIdentifier.isRoute(ben.identifier) && NoticeIdentifier.publishedPage(of: ben.identifier) == "today.html")
    #expect(routes.draft(for: "nina", run: "run-2") == nil)
    #expect(routes.routes.map(\.date) == [Stand.monday])
    facts.toldRoute = routes.routes.first
    #expect(ChangedRoutes(facts, at: Stand.moment).draft() == nil)

    // The same changes on the evening before.
    let sunday = DigestMoment(zone: Stand.moment.zone, asOf: Stand.moment.asOf.advanced(by: .hours(-12)))
    (facts.toldRoute, facts.toldTomorrow) = (nil, told)
    let evening = ChangedRoutes(facts, at: sunday)
    let tomorrow = try #require(evening.draft())
    #expect(plain("\(tomorrow.title): \(tomorrow.body)") == texts.tomorrow)
    #expect(tomorrow.lines.prefix(3).map(plain) == texts.changes)
    #expect(NoticeIdentifier.isRoute(tomorrow.identifier) && evening.routes.map(\.date) == [Stand.monday])
    #expect(NoticeIdentifier.publishedPage(of: tomorrow.identifier) == "tomorrow.html")
    #expect((tomorrow.kept as? MorningDigest)?.isPreview == true)
  }

  @Test func `changes of today and tomorrow are one notice`() throws {
    func told(_ date: CivilDate, _ numbers: [Int]) -> SentRoute {
      SentRoute(
        date: date,
        stops: numbers.map { .init(poolID: Samples.pool($0).id, customer: "Customer \($0)", technician: "maria") })
    }
    var facts = Self.facts(.english)
    (facts.toldRoute, facts.toldTomorrow) = (told(Stand.monday, [2, 3]), told(Self.tuesday, [4]))
    let routes = ChangedRoutes(facts, at: Stand.moment)
    let notice = try #require(routes.draft())
    #expect(
      notice.body == "3 stops have changed since this morning. "
        + "1 of tomorrow's stops has changed since the route was sent.")
    #expect(notice.lines[3] == "Tomorrow's Route:" && notice.lines[4] == "     Customer 4 skipped (away)")
    #expect(routes.routes.map(\.date) == [Stand.monday, Self.tuesday] && routes.routes[1].stops.isEmpty)
    // Ben has a change of today only.
    let ben = try #require(routes.draft(for: "ben", run: "run-1"))
    #expect(!ben.lines.contains("Tomorrow's Route:"))
    // A day that was closed after its route was sent has no stop any more.
    facts.daysOff = DaysOff([
      DayOff(
        id: 1, technicianID: nil, span: try DaySpan(first: Self.tuesday, last: Self.tuesday), note: "fair",
        setBy: "anna")
    ])
    facts.toldTomorrow = told(Self.tuesday, [5])
    let closed = ChangedRoutes(facts, at: Stand.moment)
    #expect(closed.routes.map(\.date) == [Stand.monday, Self.tuesday] && closed.routes[1].stops.isEmpty)
    #expect(closed.draft()?.lines[4] == "     Customer 5 skipped (fair)")
  }

  /// The digest that is stored with a notice of a changed route, for a page, a mail or a message.
  private func stored(_ draft: NoticeDraft) throws -> MorningDigest {
    try #require(DigestJSON.morning(draft.dataJSON))
  }

  @Test(arguments: texts)
  func `the page, the mail and the messages about a changed route begin with what has changed`(texts: Texts) throws {
    var facts = Self.facts(texts.language)
    let told = SentRoute(
      date: Stand.monday,
      stops: (2...3).map { .init(poolID: Samples.pool($0).id, customer: "Customer \($0)", technician: "maria") })
    facts.toldRoute = told
    let routes = ChangedRoutes(facts, at: Stand.moment)
    let digest = try stored(try #require(routes.draft()))
    let document = digest.document()
    let title = texts.title.prefix { $0 != ":" }
    #expect(document.title.hasPrefix(title) && document.subject.hasPrefix("\(title) · "))
    for page in [plain(document.text(width: 200)), plain(document.html), plain(document.mailHTML())] {
      let positions = try texts.changes.map { try #require(page.firstRange(of: $0)?.lowerBound, "\($0)") }
      let stop = try #require(page.firstRange(of: "1 Elm St")?.lowerBound)
      #expect(positions == positions.sorted() && positions.allSatisfy { $0 < stop })
    }
    let summary = try #require(digest.summary)
    #expect(summary.title == document.subject && summary.body == nil && summary.lines.isEmpty)
    #expect(summary.namedLines.map(plain) == texts.changes)
    let ben = try stored(try #require(routes.draft(for: "ben", run: "run-1")))
    #expect(ben.summary?.namedLines.map(plain) == [texts.changes[1]])
    #expect(MorningDigest(facts, at: Stand.moment).changedStops == nil)

    // The same changes on the evening before.
    let sunday = DigestMoment(zone: Stand.moment.zone, asOf: Stand.moment.asOf.advanced(by: .hours(-12)))
    (facts.toldRoute, facts.toldTomorrow) = (nil, told)
    let evening = try stored(try #require(ChangedRoutes(facts, at: sunday).draft())).document()
    #expect(evening.subject.hasPrefix("\(texts.tomorrow.prefix { $0 != ":" }) · "))
    #expect(plain(evening.mailHTML()).contains(texts.changes[0]))
  }

  @Test func `the page of a changed route tells the changes of tomorrow, too`() throws {
    var facts = Self.facts(.english)
    func told(_ date: CivilDate, _ number: Int) -> SentRoute {
      let stop = SentRoute.Stop(poolID: Samples.pool(number).id, customer: "Customer \(number)", technician: "maria")
      return SentRoute(date: date, stops: [stop])
    }
    (facts.toldRoute, facts.toldTomorrow) = (told(Stand.monday, 2), told(Self.tuesday, 4))
    let digest = try stored(try #require(ChangedRoutes(facts, at: Stand.moment).draft()))
    let lines = ["Tomorrow's Route:", "Customer 4 skipped (away)"]
    #expect(digest.summary?.namedLines.suffix(2) == lines[...])
    #expect(digest.document().text(width: 200).contains("! \(lines[0])\n! \(lines[1])\n"))
  }

  @Test func `of many changes the first three are told above the stops and all of them below`() throws {
    var facts = Stand(stops: [Stand.stop(1)]).facts
    facts.toldRoute = SentRoute(
      date: Stand.monday,
      stops: (1...9).map { .init(poolID: Samples.pool($0 + 20).id, customer: "Gone \($0)", technician: "maria") })
    let text = try stored(try #require(ChangedRoutes(facts, at: Stand.moment).draft())).document().text(width: 200)
    let head = text.prefix(upTo: try #require(text.firstRange(of: "10 stops have changed")?.lowerBound))
    #expect(head.contains("Gone 2 skipped") && !head.contains("Gone 3 skipped") && head.contains("and 7 more"))
    #expect((1...9).allSatisfy { text.contains("- Gone \($0) skipped") || text.contains("! Gone \($0) skipped") })
  }

  @Test func `French elides the name of a technician whose place another one takes`() {
    let covered = MorningDigest.StopChange(from: nil, technician: "Anna", reason: "")
    var team = Samples.team()
    team.language = .french
    #expect(Localizer(team).words(of: covered, on: Stand.monday) == "À la place d'Anna")
  }
}
