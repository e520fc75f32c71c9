import FlowCalendar
import FlowModel
import FlowNotices
import FlowPlatform
import FlowTestKit
import Foundation
import PoolChemistry
import PoolDigests
import PoolModel
import Testing

/// The monthly page as data and as a page: February 2026, whose Mondays are the 2nd, 9th, 16th and 23rd.
struct MonthTests {
  private func day(_ day: Int, month: Int = 2, hour: Int = 10) -> Timestamp {
    let date = CivilDate(year: 2026, month: month, day: 1).adding(days: day - 1)
    return Timestamp(seconds: Int64(date.daysSince1970 * 86_400 + hour * 3_600))
  }

  private func pool(
    _ number: Int, _ customer: String = "", fee: Double = 100, weekday: Weekday = .monday, made: Timestamp? = nil,
    located: Bool = true, technician: String = "maria"
  ) -> MonthFacts.Line {
    var pool = Samples.pool(number, customer: customer.isEmpty ? "Customer \(number)" : customer, day: weekday)
    pool.monthlyServiceFee = fee
    pool.createdAt = made ?? day(1, month: 1)
    if !located { (pool.latitude, pool.longitude) = (0, 0) }
    return MonthFacts.Line(pool: pool, technician: technician)
  }

  private func visit(_ pool: Int, _ at: Timestamp, lsi: Double = 0, cost: Double = 0) -> PeriodFacts.Visit {
    PeriodFacts.Visit(poolID: Samples.pool(pool).id, at: at, lsi: lsi, cost: cost)
  }

  private func use(_ type: String, _ ounces: Double, _ cost: Double, before: Bool = false) -> PeriodFacts.Use {
    PeriodFacts.Use(type: type, isBefore: before, ounces: ounces, cost: cost)
  }

  private func digest(
    _ pools: [MonthFacts.Line], visits: [PeriodFacts.Visit] = [], uses: [PeriodFacts.Use] = [],
    closed: [String] = [], today: CivilDate = CivilDate(year: 2026, month: 3, day: 20), language: Language = .english
  ) throws -> MonthDigest {
    var team = Samples.team(zone: "UTC")
    team.language = language
    let off = try closed.map {
      DayOff(id: 1, technicianID: nil, span: try DaySpan($0, today: today), note: "", setBy: "anna")
    }
    let period = Period(monthOf: CivilDate(year: 2026, month: 2, day: 14), in: .utc)
    return MonthDigest(
      MonthFacts(
        team: team, pools: pools,
        period: PeriodFacts(period: period, visits: visits.sorted { $0.at > $1.at }, uses: uses), daysOff: DaysOff(off)),
      today: today, zone: .utc)
  }

  @Test func `a month is bounded by local midnights, a week by week boundaries`() throws {
    let phoenix = try SystemZones().zone(named: "America/Phoenix")
    let march = Period(monthOf: CivilDate(year: 2026, month: 3, day: 31), in: phoenix)
    #expect(march.before.description == "2026-02-01T07:00:00Z" && march.start.description == "2026-03-01T07:00:00Z")
    #expect(march.end.description == "2026-04-01T07:00:00Z" && march.last.description == "2026-03-31")
    let january = Period(monthOf: CivilDate(year: 2026, month: 1, day: 1), in: .utc)
    #expect(january.firstBefore.description == "2025-12-01" && january.last.day == 31)
    let week = Period(weekTo: CivilDate(year: 2026, month: 3, day: 1), in: phoenix)
    #expect(week.first.description == "2026-02-23" && week.firstBefore.description == "2026-02-16")
    #expect(week.start.description == "2026-02-23T07:00:00Z" && week.end.description == "2026-03-02T07:00:00Z")
  }

  @Test func `a service day is missed without a visit within three days`() throws {
    func missed(_ visits: [Int], closed: [String] = [], made: Int = -30, today: Int = 60, weekday: Weekday = .monday)
      throws -> Int
    {
      let last = CivilDate(year: 2026, month: 2, day: 1).adding(days: today - 1)
      return try digest(
        [pool(1, weekday: weekday, made: day(made))], visits: visits.map { visit(1, day($0)) }, closed: closed,
        today: last
      ).technicians[0].missed
    }
    #expect(try missed([2, 9, 16, 23]) == 0)
    #expect(try missed([]) == 4)
    // A visit three days early or late counts; the 20th is nearest to the 23rd, so the 16th is missed.
    #expect(try missed([2, 12, 20]) == 1)
    #expect(try missed([2, 13]) == 2)
    // Each visit counts for one day only.
    #expect(try missed([5, 6]) == 2)
    #expect(try missed([2, 9, 23], closed: ["2026-02-16"]) == 0)
    // A pool can be missed only from its creation date on.
    #expect(try missed([], made: 17) == 1 && missed([], made: 16) == 2)
    // A day is not missed while a visit near it is still possible.
    #expect(try missed([], today: 26) == 3 && missed([], today: 27) == 4)
    // Across month boundaries: the 28th is a Saturday, and the 3rd of March is near; so is the 29th of January to the 1st.
    #expect(try missed([7, 14, 21, 31], weekday: .saturday) == 0)
    #expect(try missed([-2, 8, 15, 22], weekday: .sunday) == 0)
  }

  @Test func `visits count for the pool's current technician, beside the previous month`() throws {
    let month = try digest(
      [pool(1, technician: "maria"), pool(2, technician: "dan"), pool(3, technician: "dan")],
      visits: [
        visit(1, day(2)), visit(1, day(9)), visit(1, day(31, month: 1)), visit(2, day(1, hour: 0)),
        visit(3, day(28, hour: 23)),
        // Counted in neither month: a visit that only covers a nearby day, and one to a removed pool.
        visit(2, day(29)), visit(9, day(3)),
      ])
    #expect(month.technicians.map(\.technician) == ["dan", "maria"])
    #expect(month.technicians.map(\.visits) == [2, 2] && month.technicians.map(\.visitsBefore) == [0, 1])
    #expect(month.visits == 4 && month.visitsBefore == 1 && month.missedPools == 3)
    // Customer 1 was missed on the 16th and 23rd; the others on three Mondays, or on two where a visit on the 1st was near.
    #expect(month.missed.map(\.customer) == ["Customer 3", "Customer 2", "Customer 1"])
    #expect(month.missed.map(\.missed) == [4, 3, 2])
  }

  @Test func `chemicals are listed by kind, most expensive first, with unknown ones as one kind`() throws {
    let month = try digest(
      [],
      uses: [
        use("acid", 128, 6.4), use("chlorine", 256, 5.12), use("acid", 64, 3.2, before: true), use("", 10, 9),
        use("borates", 5, 1), use("base", 16, 1.44, before: true), use("none", 1, 0.5, before: true),
      ])
    #expect(month.chemicals.map(\.type) == [nil, .acid, .chlorine, .base])
    #expect(month.chemicals.map(\.cost) == [10, 6.4, 5.12, 0] && month.chemicals.map(\.ounces) == [15, 128, 256, 0])
    #expect(month.chemicals.map(\.costBefore) == [0.5, 3.2, 0, 1.44])
    let text = month.document().text()
    #expect(text.contains("Muriatic acid") && text.contains("1.0 gal · $6.40") && text.contains("0.50 gal · $3.20"))
    #expect(text.contains("Other chemicals"))
  }

  @Test func `each pool is in one bin by its last visit; the middle bins are balanced`() throws {
    let indexes = [-9, -0.71, -0.7, -0.5, -0.31, -0.3, -0.1, 0, 0.1, 0.11, 0.3, 0.31, 0.5, 0.7, 0.71, 9]
    let month = try digest(
      indexes.indices.map { pool($0 + 1) } + [pool(99)],
      visits: indexes.enumerated().flatMap { [visit($0 + 1, day(20), lsi: $1), visit($0 + 1, day(3), lsi: 5)] })
    let balance = month.balance
    #expect(balance.bins.map(\.pools) == [2, 1, 2, 1, 3, 2, 2, 1, 2])
    #expect(balance.bins[3...5].reduce(0) { $0 + $1.pools } == balance.balanced)
    for condition in WaterCondition.allCases {
      let count = indexes.count { WaterCondition(lsi: $0) == condition }
      let told = [
        WaterCondition.corrosive: balance.corrosive, .balanced: balance.balanced, .scaleForming: balance.scaleForming,
      ]
      #expect(told[condition] == count)
    }
    let text = month.document().text()
    for line in ["< -0.7                  corrosive          2", "-0.1 – +0.1             balanced           3"] {
      #expect(text.contains(line), "\(line)")
    }
    #expect(text.contains("corrosive: 5 · balanced: 6 · scale-forming: 5"))
  }

  @Test func `the least balanced water is listed visit by visit, worst first`() throws {
    let month = try digest(
      (1...8).map { pool($0) },
      visits: (1...8).flatMap { number -> [PeriodFacts.Visit] in
        let sign = number % 2 == 0 ? 1.0 : -1
        return [visit(number, day(20), lsi: sign * Double(number) / 10), visit(number, day(15, month: 1), lsi: 0.05)]
      })
    #expect(month.worst.map(\.customer) == (4...8).reversed().map { "Customer \($0)" })
    #expect(month.worst[1].points.map(\.lsi) == [0.05, -0.7])
    #expect(month.worst[1].points.map(\.date) == ["2026-01-15", "2026-02-20"])
    #expect(month.document().text().contains("Customer 7         +0.05          -0.70"))
    let fine = try digest([pool(1)], visits: [visit(1, day(20), lsi: 0.3)])
    #expect(fine.worst.isEmpty && fine.document().text().contains("No pool's water was out of balance."))
  }

  @Test func `pools that lose money are first and marked, with the monthly fee`() throws {
    let month = try digest(
      [pool(1, fee: 100), pool(2, fee: 100), pool(3, fee: 200), pool(4, fee: 0), pool(5, fee: 50)],
      visits: [
        visit(1, day(3), cost: 30), visit(2, day(3), cost: 30.01), visit(3, day(3), cost: 61),
        visit(4, day(3), cost: 1),
        visit(5, day(3), cost: 60), visit(1, day(3, month: 1), cost: 500),
      ])
    #expect(month.profits.map(\.customer) == [5, 2, 3, 4, 1].map { "Customer \($0)" })
    #expect(month.profits.map(\.isMarked) == [true, true, true, true, false])
    #expect(zip(month.profits.map(\.profit), [-10, 69.99, 139, -1, 70]).allSatisfy { abs($0 - $1) < 1e-9 })
    #expect(month.money.revenue == 450 && abs(month.money.chemicals - 182.01) < 1e-9 && month.money.loserCount == 3)
    let page = month.document()
    #expect(page.text().contains("▲ Customer 5       $50.00     $60.00  -$10.00"))
    #expect(page.text().contains("Fee a month") && page.text().contains("more than 30% of the fee"))
    #expect(page.html.contains("▲ Customer 5</text>"))
    // Only the first pools are listed; the others are counted.
    let many = try digest((1...40).map { pool($0, located: false) })
    #expect(many.profits.count == 15 && many.document().text().contains("and 25 more"))
    #expect(many.missingCoordinates == 40 && many.unlocated.count == 10)
    #expect(many.document().text().replacing(/\n +/, with: " ").contains("Customer 10 and 30 more"))
  }

  @Test func `the month's JSON has the same content with reproducible bytes`() throws {
    let month = try digest(
      [pool(1), pool(2, fee: 0)], visits: [visit(1, day(2), lsi: 0.5, cost: 2.5)], uses: [use("acid", 28, 1.4)])
    let json = DigestJSON.text(month)
    #expect(json == (try asFoundationWritesIt(json)))
    for part in [
      #""month":"2026-02""#, #""technicians":[{"missed":7,"technician":"maria","visits":1,"visits_before":0}]"#,
      #""worst":[{"customer":"Customer 1","points":[{"date":"2026-02-02","lsi":0.5}]}]"#, #""unpriced":["Customer 2"]"#,
    ] { #expect(json.contains(part), "\(part) in \(json)") }
  }

  @Test(arguments: Language.allCases)
  func `the month's page is complete in every language, and names add no markup`(language: Language) throws {
    let nasty = [
      "<script>alert(1)</script>", "\"><img src=x>", "שלום", "\u{202E}x", String(repeating: "W", count: 200),
    ]
    let full = try digest(
      nasty.enumerated().map { pool($0 + 1, $1, fee: 10, technician: $1) },
      visits: nasty.indices.map { visit($0 + 1, day(20), lsi: 0.9, cost: 5) }, uses: [use("acid", 28, 1.4)],
      language: language)
    let empty = try digest([], language: language)
    for page in [full.document(), empty.document()] {
      for sign in ["<script", "<img", "\u{202E}", "{0}", "{1}"] { #expect(!page.html.contains(sign), "\(sign)") }
      #expect(!page.text().contains("{0}") && page.html.hasSuffix("</html>\n"))
      for line in page.text(width: 78).split(separator: "\n") { #expect(columns(of: String(line)) <= 78, "\(line)") }
    }
    #expect(full.document().html.components(separatedBy: "role=\"img\"").count == 6)
    #expect(!empty.document().html.contains("role=\"img\""))
    try Snapshot.compare("month-\(language.rawValue).txt", full.document().text())
  }
}

/// One pool's water, visit by visit.
struct TrendPageTests {
  private func page(_ visits: Int, customer: String = "Steve Baird", language: Language = .english) -> TrendPage {
    var team = Samples.team(zone: "UTC")
    team.language = language
    let pool = Samples.pool().id
    return TrendPage(
      team: team, zone: .utc, customer: customer,
      visits: (0..<visits).map { number in
        var visit = Samples.visit(
          1_000 + number, to: pool, at: Samples.mondayMorning.advanced(by: .hours(-24 * 7 * number)))
        visit.readings.pH = 8.2 - Double(number) / 10
        visit.lsiValue = 0.5 - Double(number) / 10
        return visit
      })
  }

  @Test func `trend points are in time order with their ideal ranges and figures`() {
    let html = page(3).document.html
    #expect(html.contains("desert-blue, 3 visits, Feb 16, 2026 to Mar 2, 2026"))
    for text in [">pH</text>", ">8.2</text>", ">7.2</text>", ">7.8</text>", ">-0.3</text>", ">+0.50</text>"] {
      #expect(html.contains(text), "\(text)")
    }
    #expect(page(3).document.text().contains("Feb 16, 2026  8.0  +0.30  balanced"))
    #expect(page(1).document.text().contains("desert-blue, 1 visit\n"))
    #expect(page(0).document.text().contains("No readings yet.") && !page(0).document.html.contains("<svg"))
  }

  @Test(arguments: Language.allCases)
  func `a trend picture is a standalone file without markup from names`(language: Language) {
    let svg = page(15, customer: "<b>&\u{202E}", language: language).svg
    #expect(svg.hasPrefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg viewBox=") && svg.hasSuffix("</svg>\n"))
    #expect(
      svg.contains("&lt;b&gt;&amp;") && !svg.contains("<b>") && !svg.contains("\u{202E}") && !svg.contains("var("))
    #expect(svg.components(separatedBy: "<circle").count == 31 && svg.utf8.count < 6_000)
  }
}
