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
    let changes: [String]
    let weekMoved: @Sendable (String) -> String
    let weekSkipped: String
  }

  private static let texts = [
    Texts(
      language: .english, moved: "Moved from Tuesday: rain", covered: "Instead of maria: ill",
      title: "Route Changed Today: 3 stops have changed since this morning.",
      changes: [
        "Customer 1 is new on this route (Moved from Tuesday: rain)", "Customer 2 by ben (Instead of maria: ill)",
        "Customer 3 skipped (gate locked)",
      ], weekMoved: { "Customer 1 moved to \($0) (rain)" }, weekSkipped: "Customer 4 skipped (away)"),
    Texts(
      language: .german, moved: "Verschoben von Dienstag: rain", covered: "Vertretung für maria: ill",
      title: "Geänderte Route für heute: 3 Stopps haben sich seit heute Morgen geändert.",
      changes: [
        "Customer 1 ist neu auf dieser Route (Verschoben von Dienstag: rain)",
        "Customer 2 durch ben (Vertretung für maria: ill)", "Customer 3 fällt aus (gate locked)",
      ], weekMoved: { "Customer 1 verschoben auf \($0) (rain)" }, weekSkipped: "Customer 4 fällt aus (away)"),
    Texts(
      language: .spanish, moved: "Trasladada desde el martes: rain", covered: "En lugar de maria: ill",
      title: "Ruta de hoy modificada: 3 paradas han cambiado desde esta mañana.",
      changes: [
        "Customer 1 es nueva en esta ruta (Trasladada desde el martes: rain)",
        "Customer 2 con ben (En lugar de maria: ill)", "Customer 3 se omite (gate locked)",
      ], weekMoved: { "Customer 1 pasa al \($0) (rain)" }, weekSkipped: "Customer 4 se omite (away)"),
    Texts(
      language: .french, moved: "Déplacé, initialement mardi : rain", covered: "À la place de maria : ill",
      title: "Tournée du jour modifiée: 3 arrêts ont changé depuis ce matin.",
      changes: [
        "Customer 1 est nouveau dans cette tournée (Déplacé, initialement mardi : rain)",
        "Customer 2 par ben (À la place de maria : ill)", "Customer 3 annulé (gate locked)",
      ], weekMoved: { "Customer 1 déplacé au \($0) (rain)" }, weekSkipped: "Customer 4 annulé (away)"),
    Texts(
      language: .portuguese, moved: "Transferida de terça-feira: rain", covered: "No lugar de maria: ill",
      title: "Rota de hoje alterada: 3 paradas mudaram desde esta manhã.",
      changes: [
        "Customer 1 é nova nesta rota (Transferida de terça-feira: rain)",
        "Customer 2 com ben (No lugar de maria: ill)", "Customer 3 cancelada (gate locked)",
      ], weekMoved: { "Customer 1 passa para \($0) (rain)" }, weekSkipped: "Customer 4 cancelada (away)"),
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
    let route = ChangedRoute(Self.facts(texts.language), since: told, at: Stand.moment)
    let draft = route.draft()
    #expect(plain("\(draft.title): \(draft.body)") == texts.title)
    #expect(draft.lines.prefix(3).map(plain) == texts.changes)
    let ben = try #require(route.draft(for: "ben", run: "run-1"))
    #expect(plain(ben.lines[0]) == texts.changes[1] && ben.lines.dropFirst().contains { $0.contains("Customer 2") })
    #expect(
      NoticeIdentifier.isRoute(ben.identifier) && NoticeIdentifier.publishedPage(of: ben.identifier) == "today.html")
    #expect(route.draft(for: "nina", run: "run-2") == nil)
    #expect(
      ChangedRoute(
        Self.facts(texts.language), since: MorningDigest(Self.facts(texts.language), at: Stand.moment).route,
        at: Stand.moment
      ).changes.isEmpty)
  }
}
