import FlowCalendar
import FlowModel
import FlowNotices
import FlowTestKit
import Foundation
import PoolChemistry
import PoolDigests
import PoolModel
import Testing

/// The morning's page as data.
struct DigestTests {
  private typealias Stand = DigestStand

  @Test func `arrivals start an hour after the summary and add driving and twenty minutes per stop`() throws {
    var stand = Stand(stops: [
      Stand.stop(1, latitude: 33, longitude: -111), Stand.stop(2, latitude: 33, longitude: -111),
    ])
    // 07:00 plus an hour; 20 minutes at the stop and 1.5 to park and start; rounded to five minutes.
    #expect(stand.digest.sections[0].stops.map(\.eta) == ["08:00", "08:20"])
    #expect(stand.digest.sections[0].done == "08:40")
    #expect(stand.digest.sections[0].stops[1].arrives == "2026-03-02T08:20:00Z")
    stand.stops[1] = Stand.stop(2, latitude: 33 + 28 / 69.09, longitude: -111)
    // 28 miles take an hour and 1.5 minutes.
    #expect(stand.digest.sections[0].stops[1].eta == "09:20")
    #expect(abs(stand.digest.sections[0].miles - 28) < 0.2)
    stand.stops[1] = Stand.stop(2, latitude: 0, longitude: 0)
    #expect(stand.digest.sections[0].stops[1].eta == "08:30")
  }

  @Test func `negative stock with almost no use lasts zero days`() {
    var stand = DigestStand(stops: [DigestStand.stop(1)])
    let soda = Samples.item(3_000, name: "Soda", stock: -5, threshold: 8)
    stand.stock = [StockItem(item: soda, technicianID: nil)]
    var facts = stand.facts
    facts.usedOz = [soda.id: 1e-300]
    let digest = MorningDigest(facts, at: DigestStand.moment)
    #expect(digest.lowStock.map(\.daysLeft) == [0])
    let text = digest.document().text()
    #expect(text.replacing(/\n +/, with: " ").contains("Lasts less than a day at the 90-day average."))
    #expect(!text.contains("Lasts about"))
  }

  @Test func `a very long day continues after midnight`() {
    let digest = Stand(stops: (1...200).map { Stand.stop($0) }).digest
    let section = digest.sections[0]
    // The fortieth stop is the first after midnight; nights are not skipped, so the last is on Thursday.
    #expect(section.stops[38].etaDays == nil && section.stops[39].etaDays == 1)
    #expect(section.stops[39].eta == "00:10" && section.stops[39].arrives == "2026-03-03T00:10:00Z")
    #expect(section.stops[199].eta == "18:25" && section.stops[199].etaDays == 3)
    #expect(section.stops[199].arrives == "2026-03-05T18:25:00Z")
    #expect(section.done == "18:45" && section.doneDays == 3)
    #expect(DigestJSON.morning(DigestJSON.text(digest)) == digest)
    let text = digest.document().text(width: 200)
    for words in ["The day does not fit: 161 stops after midnight.", "AM Tue Customer 40\n", "PM Thu Customer 200\n"] {
      #expect(text.contains(words), "\(words)")
    }
  }

  @Test func `a nightly plan supplies times and proposes a better order`() throws {
    let stand = Stand(stops: [Stand.stop(1), Stand.stop(2), Stand.stop(3)])
    var facts = stand.facts
    let ids = stand.stops.map(\.poolID)
    func plan(
      _ order: [PoolID], minutes: Double = 50, miles: Double = 12.34, best: Double = 41.6, bestMiles: Double = 7.92,
      late: Double = 0, bestLate: Double = 0
    ) -> PlannedRoute {
      PlannedRoute(
        order: order, figures: RouteFigures(minutes: minutes, miles: miles, late: late),
        bestFigures: RouteFigures(minutes: best, miles: bestMiles, late: bestLate))
    }
    func digest(_ plan: PlannedRoute) -> MorningDigest {
      facts.plannedRoutes[TechnicianID(1)] = plan
      return MorningDigest(facts, at: Stand.moment)
    }
    let told = digest(plan(ids))
    let section = told.sections[0]
    #expect(section.stops.map(\.customer) == ["Customer 1", "Customer 2", "Customer 3"])
    // 08:00, fifty minutes of driving and an hour at the pools.
    #expect(section.stops[0].eta == "08:00" && section.done == "09:50")
    #expect(section.isPlanned && section.miles == 12.3)
    // From the rounded figures: 50 and 42 minutes, 12.3 and 7.9 miles.
    #expect(section.better?.minutes == 8 && section.better?.miles == 4.4)
    let sentence =
      "A better order saves 8 min, 4.4 mi: pfctl route apply --team desert-blue --day Mon --technician maria applies it."
    #expect(told.lines[1] == "     " + sentence)
    #expect(told.document().text().contains("saves 8 min, 4.4 mi"))
    #expect(DigestJSON.morning(DigestJSON.text(told)) == told)
    for equal in [plan(ids, best: 49.6), plan(ids, best: 60), plan(ids, best: 50)] {
      #expect(digest(equal).sections[0].better == nil)
    }
    #expect(digest(plan(ids, bestMiles: 13)).lines[1].contains("saves 8 min: pfctl"))
    // A minute of lateness at a customer weighs as much as an hour of driving.
    let punctual = digest(plan(ids, best: 56, bestMiles: 13, late: 25))
    #expect(punctual.lines[1].contains("saves 25 min of lateness at the price of 6 min of driving: pfctl"))
    #expect(DigestJSON.morning(DigestJSON.text(punctual)) == punctual)
    #expect(
      digest(plan(ids, best: 20, bestLate: 2)).lines[1].contains("saves 30 min, 4.4 mi at the price of 2 min of late"))
    #expect(digest(plan(ids, best: 90, late: 4)).sections[0].better == nil)
    // A plan for other stops or another order is ignored, and so are invalid figures.
    let other = [ids[1], ids[0], ids[2]]
    for stale in [
      plan([ids[2], ids[0]]), plan(other), plan(ids, minutes: .nan), plan(ids, minutes: -1), plan(ids, best: .infinity),
    ] {
      let section = digest(stale).sections[0]
      #expect(section.stops.map(\.customer) == ["Customer 1", "Customer 2", "Customer 3"] && !section.isPlanned)
      #expect(section.better == nil)
    }
  }

  // MARK: What needs attention

  @Test func `each reason for attention is listed separately`() {
    let asOf = Stand.moment.asOf
    let machines = [
      DatedEquipment(name: "Pump", nextService: asOf.advanced(by: .hours(-24 * 3)), warrantyEnd: nil),
      DatedEquipment(
        name: "Heater", nextService: asOf.advanced(by: .hours(24)), warrantyEnd: asOf.advanced(by: .hours(-1))),
    ]
    let stand = Stand(
      stops: [
        Stand.stop(1), Stand.stop(2, care: Stand.care(daysAgo: 36)), Stand.stop(3, care: Stand.care(daysAgo: nil)),
        Stand.stop(4, care: Stand.care(equipment: machines)), Stand.stop(5, latitude: 0, longitude: 0),
        Stand.stop(6, care: Stand.care(Stand.corrosive)),
      ],
      changes: [
        WaterChange(
          poolID: Samples.pool(6).id, customerName: "Customer 6", at: asOf.advanced(by: .hours(-30)), before: .balanced,
          after: .corrosive, lsi: -0.614),
        // Back within limits: no reason for a visit.
        WaterChange(
          poolID: Samples.pool(1).id, customerName: "Customer 1", at: asOf.advanced(by: .hours(-30)),
          before: .corrosive,
          after: .balanced, lsi: 0),
      ])
    let stops = stand.digest.sections[0].stops
    #expect(
      stops.map { $0.attention.map(\.kind) } == [
        [], [.stale, .readingsOld], [.neverVisited], [.serviceOverdue, .warrantyEnded], [.noCoordinates],
        [.waterCrossed, .waterOff],
      ])
    let text = stand.digest.document().text(width: 300)
    for line in [
      "! Equipment service due: 4\n", "! Test first, no dose yet: 2, 3\n", "! Needs soda ash: 6\n",
      "Customer 2\n     2 Elm St\n     ! Last visit 36 days ago\n"
        + "     [ ] The readings are 36 days old, too old for a dose: test first\n",
      "Customer 3\n     3 Elm St\n     ! Never visited\n     No readings yet\n     15,000 gal\n",
      "     ! Heater: warranty ended Mar 2, 2026\n     [ ] Pump: service overdue since Feb 27, 2026\n",
      "     ! No coordinates, so not on the map\n",
      "     ! The water was balanced and is now corrosive (LSI -0.61)\n"
        + "     [ ] 1 lb 3 oz Soda ash (if pH is still 7.0)\n",
    ] { #expect(text.contains(line), "\(line)") }
    // Nothing crossed a limit within a day, so no change is reported.
    #expect(stand.digest.waterChanges == nil)
  }

  @Test func `each stop lists its last readings, out-of-range values and doses`() throws {
    let ended = DatedEquipment(
      name: "Heater", nextService: nil, warrantyEnd: Stand.moment.asOf.advanced(by: .hours(-24)))
    var hard = Stand.balanced
    hard.pH = 8.2
    hard.calciumHardness = 450
    let stand = Stand(stops: [
      Stand.stop(1, care: Stand.care(hard, equipment: [ended])), Stand.stop(2), Stand.stop(3, care: nil),
    ])
    let section = stand.digest.sections[0]
    #expect(section.stops[0].attention.map(\.kind) == [.waterOff, .warrantyEnded])
    // By the golden dosing: (8.2 - 7.6) / 0.2 × 26 oz × 1.5, rounded up.
    let doses = Dosing(hard, volumeGallons: 15_000).recommendations(inventory: []).filter { $0.quantityOz > 0 }
    let told = try #require(section.stops[0].attention[0].doses)
    #expect(told.map(\.type) == [.acid] && told.map(\.ounces) == doses.map(\.quantityOz))
    #expect(told[0].loadPlace == 1 && section.load[0].type == .acid && section.stops[0].attention[0].drain == true)
    #expect(section.stops[1].readings?.pH == Stand.balanced.pH && section.stops[2].readings == nil)
    let text = stand.digest.document().text(width: 400)
    #expect(
      text.contains(
        "pH 8.2 high, Temperature 80\u{A0}°F, Calcium hardness 450\u{A0}ppm high, Total alkalinity 100\u{A0}ppm"))
    #expect(
      text.contains(
        "[ ] 120 fl oz Muriatic acid (if pH is still 8.2)\n"
          + "         ! The water's chemistry asks for far less: start with 25 fl oz, let it circulate, test again\n"
          + "     [ ] Calcium too high to treat: partly drain and refill\n"
      ))
    #expect(text.contains("[ ] Muriatic acid: 117 fl oz\n") && text.contains("! Heater: warranty ended"))
    // The page read back from the notice is the same.
    #expect(DigestJSON.morning(DigestJSON.text(stand.digest)) == stand.digest)
    // An absent technician loads nothing; the doses are listed for the substitute.
    var facts = stand.facts
    facts.daysOff = DaysOff([
      DayOff(
        id: 1, technicianID: facts.technicians[0].id,
        span: try DaySpan(first: Stand.moment.date, last: Stand.moment.date),
        note: "", setBy: "anna")
    ])
    let uncovered = MorningDigest(facts, at: Stand.moment).sections[0]
    #expect(uncovered.load.isEmpty && uncovered.stops[0].attention[0].doses?[0].loadPlace == nil)
  }

  @Test(arguments: [(0, 14), (1, 21), (2, 28), (4, 28)])
  func `readings get a dose until two planned services have passed`(closedWeeks: Int, days: Int) throws {
    var facts = Stand(stops: []).facts
    facts.daysOff = DaysOff(
      try (0..<closedWeeks).map { week in
        let day = Stand.monday.adding(days: -7 * (week + 1))
        return DayOff(id: Int64(week), technicianID: nil, span: try DaySpan(first: day, last: day), note: "", setBy: "")
      })
    let off = facts.daysOff
    #expect(facts.oldestReadings(on: Stand.monday) == Stand.monday.adding(days: -days))
    func attention(_ age: Int) -> [MorningDigest.Attention.Kind] {
      var facts = Stand(stops: [Stand.stop(1, care: Stand.care(Stand.corrosive, daysAgo: age))]).facts
      facts.daysOff = off
      return MorningDigest(facts, at: Stand.moment).sections[0].stops[0].attention.map(\.kind)
    }
    #expect(attention(days) == [.waterOff] && attention(days + 1) == [.readingsOld])
  }

  @Test(arguments: [("every 2 weeks from 2026-01-05", 28), ("Mon *-*-1..7", 56), ("Mon,Thu", 7)])
  func `a pool's own services decide how long its readings get a dose`(rule: String, days: Int) throws {
    let service = PoolService(weekday: .monday, rule: try CalendarDates(rule))
    func attention(_ age: Int) -> [MorningDigest.Attention.Kind] {
      let stop = Stand.stop(1, care: Stand.care(Stand.corrosive, daysAgo: age))
      var facts = Stand(stops: [stop]).facts
      facts.services = ServiceCalendar([stop.poolID: service])
      return MorningDigest(facts, at: Stand.moment).sections[0].stops[0].attention.map(\.kind)
        .filter { $0 == .waterOff || $0 == .readingsOld }
    }
    #expect(attention(days) == [.waterOff] && attention(days + 1) == [.readingsOld])
  }

  @Test
  func `a planned arrival outside of the customer's time window is reported unless ignored`() throws {
    let stops = [
      Stand.stop(1, window: "8-10"), Stand.stop(2, window: "after 14:00"), Stand.stop(3, window: "before 8:15"),
      Stand.stop(4, window: "the gate code is 1234"),
    ]
    func lines(_ rule: WindowRule, order: StopOrder = .kept, start: String = "08:00", minutes: Int = 20)
      -> [MorningDigest.StopLine]
    {
      var facts = Stand(stops: stops).facts
      facts.team.settings.windows = rule
      facts.team.settings.stopOrder = order
      facts.team.settings.dayStart = TimeOfDay(start)
      facts.team.settings.stopMinutes = minutes
      let digest = MorningDigest(facts, at: Stand.moment)
      #expect(!digest.document().text().contains("1234") && digest.stopMinutes == minutes)
      return digest.sections[0].stops
    }
    func outside(_ lines: [MorningDigest.StopLine]) -> [Bool] {
      lines.map { $0.attention.contains { $0.kind == .outsideWindow } }
    }
    let warned = lines(.warn)
    #expect(outside(warned) == [false, true, true, false])
    #expect(
      warned.map(\.opens) == ["08:00", "14:00", nil, nil] && warned.map(\.closes) == ["10:00", nil, "08:15", nil])
    // The planned order waits until the customer is available; a manual order does not.
    #expect(lines(.respect) == warned)
    let respected = lines(.respect, order: .best)
    #expect(respected[1].eta == "14:00" && outside(respected) == [false, false, true, false])
    let ignored = lines(.ignore)
    #expect(
      outside(ignored) == [false, false, false, false] && ignored.allSatisfy { $0.opens == nil && $0.closes == nil })
    #expect(lines(.warn, start: "06:30")[0].eta == "06:30")
    #expect(outside(lines(.warn, start: "06:30"))[0])
    // A measured time may be any number.
    for minutes in [1e20, -1e20, .infinity, -.infinity, .nan] {
      let arrival = DayTime(minutes: minutes)
      #expect((0..<86_400).contains(arrival.time.secondOfDay) && (0...365).contains(arrival.daysLater), "\(minutes)")
    }
    let short = try #require(TimeOfDay(lines(.warn)[3].eta))
    let long = try #require(TimeOfDay(lines(.warn, minutes: 60)[3].eta))
    #expect(long.secondOfDay - short.secondOfDay == 3 * 40 * 60)
    var facts = Stand(stops: stops).facts
    facts.team.settings.windows = .warn
    let text = MorningDigest(facts, at: Stand.moment).document().text(width: 300)
    for words in [
      "! Outside their hours: 2, 3\n", "     Wants 8\u{202F}AM – 10\u{202F}AM\n",
      "! Wants after 2\u{202F}PM; you are early\n", "! Wants before 8:15\u{202F}AM; you are late\n",
    ] { #expect(text.contains(words), "\(words)") }
  }

  @Test func `a pool is stale after thirty-five days and a minute`() {
    let asOf = Stand.moment.asOf
    func kinds(_ age: Duration) -> [MorningDigest.Attention.Kind] {
      let care = StopCare(
        volumeGallons: 1, water: nil, lastVisit: asOf.advanced(by: age * -1), updatedAt: asOf)
      return Stand(stops: [Stand.stop(1, care: care)]).digest.sections[0].stops[0].attention.map(\.kind)
    }
    #expect(kinds(.hours(24 * 35)) == [])
    #expect(kinds(.hours(24 * 35) + .minutes(1)) == [.stale])
  }

  // MARK: What to load

  @Test
  func `the load is the doses minus the truck's stock, without promising store stock twice`() {
    func item(_ number: Int, _ type: String, _ stock: Double, _ technician: Int64?) -> StockItem {
      var item = Samples.item(number, name: "Soda \(number)", stock: stock, threshold: 0)
      item.chemicalType = type
      return StockItem(item: item, technicianID: technician.map { TechnicianID($0) })
    }
    var stand = Stand(
      names: ["maria", "dan"],
      stops: [
        Stand.stop(1, care: Stand.care(Stand.corrosive)),
        Stand.stop(2, technician: 2, care: Stand.care(Stand.corrosive)),
      ], stock: [item(3_000, "base", 20, nil), item(3_001, "base", 4, 1)])
    let need = Dosing(Stand.corrosive, volumeGallons: 15_000).recommendations(inventory: [])
    let soda = need.first { $0.chemicalType == .base }?.quantityOz ?? 0
    #expect(soda > 14)
    let loads = stand.digest.sections.map { $0.load.first { $0.type == .base } }
    #expect(loads[0]?.neededOz == soda && loads[0]?.truckOz == 4 && loads[0]?.takeOz == soda - 4)
    #expect(loads[0]?.name == "Soda 3001" && loads[1]?.name == "Soda 3000")
    #expect(loads[0]?.shortOz == 0)
    #expect(loads[1]?.takeOz == soda && loads[1]?.shortOz == soda - (20 - (soda - 4)))
    #expect(loads[1]?.shortFor == ["Customer 2"] && loads[0]?.shortFor == nil)
    #expect(stand.digest.document().text(width: 200).contains("! Shop is "))
    #expect(stand.digest.document().text(width: 200).contains(" short; affects Customer 2."))
    stand.stock = [item(3_001, "base", 1_000, 1), item(3_002, "base", 1_000, 2)]
    #expect(stand.digest.sections.allSatisfy { $0.load.allSatisfy { $0.type != .base || $0.takeOz == 0 } })
  }

  @Test func `chlorine is counted by its usual dose and marked as usual`() throws {
    let items = ["Tabs", "Liquid Chlorine"].enumerated().map { number, name in
      var chlorine = Samples.item(3_000 + number, name: name, stock: 100, threshold: 1)
      chlorine.chemicalType = "chlorine"
      chlorine.concentration = name == "Tabs" ? 90 : 12.5
      return StockItem(item: chlorine, technicianID: nil)
    }
    let ounces = [64.0, 0, 40, 30]
    func liquid(_ ounces: Double) -> UsualDose { UsualDose(name: "Liquid Chlorine", ounces: ounces) }
    var stand = Stand(
      stops: ounces.enumerated().map { Stand.stop($0 + 1, care: Stand.care(chlorine: $1 > 0 ? [liquid($1)] : [])) },
      stock: items)
    let line = try #require(stand.digest.sections[0].load.first)
    #expect(stand.digest.sections[0].load.map(\.name) == ["Liquid Chlorine"])
    #expect(line.type == .chlorine && line.neededOz == 134 && line.shortOz == 34 && line.isUsual == true)
    // 64 of 100 ounces are used before the third stop, which needs 40.
    #expect(line.shortFor == ["Customer 3", "Customer 4"])
    #expect(stand.digest.sections[0].stops.map { $0.usual?.first?.ounces } == [64, nil, 40, 30])
    #expect(stand.digest.sections[0].stops[0].attention.isEmpty, "there is no advice to use it")
    func page() -> String { stand.digest.document().text(width: 200).replacing(/\n +/, with: " ") }
    #expect(page().contains("[ ] 64 fl oz Liquid Chlorine (usual amount)"))
    #expect(page().contains("short; affects Customer 3, Customer 4."))
    #expect(DigestJSON.morning(DigestJSON.text(stand.digest)) == stand.digest)
    stand.team.settings.doseUnits = .app
    #expect(page().contains("[ ] 4 lb(s) 0 oz Liquid Chlorine (usual amount)"))
    stand.team.settings.doseUnits = .byKind
    // Tablets do not replace a liquid.
    stand.stops.append(
      Stand.stop(5, care: Stand.care(chlorine: [liquid(1), UsualDose(name: "Tabs", ounces: 3, isDry: true)])))
    #expect(stand.digest.sections[0].load.map(\.name) == ["Liquid Chlorine", "Tabs"])
    #expect(stand.digest.sections[0].stops[4].usual?.map(\.loadPlace) == [1, 2])
    #expect(stand.digest.sections[0].load.map(\.isDry) == [nil, true])
    #expect(page().contains("[ ] 1 fl oz Liquid Chlorine (usual amount) [ ] 3 oz Tabs (usual amount)"))
    #expect(DigestJSON.morning(DigestJSON.text(stand.digest)) == stand.digest)
    let visits = [[liquid(4), UsualDose(name: "Tabs", ounces: 9)], [liquid(6), liquid(2)], []]
    #expect(
      UsualDose.medians(visits) == [liquid(4)] && UsualDose.medians([]).isEmpty && UsualDose.medians([[]]).isEmpty)
    #expect(UsualDose.medians([[liquid(4)], [], [], [liquid(2)]]) == [liquid(1)])
  }

  @Test func `a long name in a list of customers is shortened, and whole at its stop`() {
    let name = "Homeowners Association of Superstition Springs Villas"
    let stop = Stand.stop(1, name, care: Stand.care(chlorine: [UsualDose(name: "Liquid Chlorine", ounces: 64)]))
    var chlorine = Samples.item(3_000, name: "Liquid Chlorine", stock: 1, threshold: 0)
    chlorine.chemicalType = ChemicalType.chlorine.rawValue
    let page = Stand(stops: [stop], stock: [StockItem(item: chlorine, technicianID: nil)]).digest.document()
    #expect(page.text(width: 200).contains("affects Homeowners Association of Sup….\n"), "\(page.text(width: 200))")
    #expect(page.text(width: 200).contains(" \(name)\n"))
  }

  @Test func `balanced water needs nothing, and the page says so`() {
    let stand = Stand(stops: [Stand.stop(1)])
    #expect(stand.digest.sections[0].load.isEmpty)
    #expect(stand.digest.document().text().contains("Nothing to load"))
  }

  @Test func `low stock shows how long it lasts and what tomorrow needs`() throws {
    var low = Samples.item(3_000, name: "Acid", stock: 90, threshold: 160)
    low.chemicalType = "acid"
    var soda = Samples.item(3_001, name: "Soda", stock: 3, threshold: 1)
    soda.chemicalType = "base"
    let fine = Samples.item(3_002, name: "Tabs", stock: 900, threshold: 1)
    let stand = Stand(
      stops: [Stand.stop(1)], tomorrow: [Stand.stop(2, care: Stand.care(Stand.corrosive))],
      stock: [low, soda, fine].map { StockItem(item: $0, technicianID: nil) })
    var facts = stand.facts
    // 180 oz in 90 days are 2 a day.
    facts.usedOz = [low.id: 180]
    let lines = MorningDigest(facts, at: Stand.moment).lowStock
    #expect(lines.map(\.name) == ["Acid", "Soda"])
    #expect(lines[0].daysLeft == 45 && lines[0].tomorrowOz == nil && lines[1].daysLeft == nil)
    let need = try #require(lines[1].tomorrowOz)
    #expect(need == 19)
    let text = MorningDigest(facts, at: Stand.moment).document().text(width: 200)
    #expect(
      text.contains("Acid: 0.70 gal left, threshold 1.2 gal. Lasts about 45 days at the 90-day average."))
    #expect(
      text.contains(
        "Soda: 3 oz left, threshold 1 oz. Tuesday needs 1 lb 3 oz: short by 1 lb 0 oz. Affects Customer 2."))
  }

  // MARK: What changed

  private func last(_ stops: [(Int, String)], days: [Int: Weekday] = [:]) -> SentRoute {
    SentRoute(
      date: CivilDate(year: 2026, month: 2, day: 23),
      stops: stops.map { SentRoute.Stop(poolID: Samples.pool($0).id, customer: "Customer \($0)", technician: $1) },
      currentDays: Dictionary(days.map { (Samples.pool($0).id, $1) }, uniquingKeysWith: { first, _ in first }))
  }

  private func kinds(_ digest: MorningDigest) -> [String] {
    digest.changes?.changes.map { "\($0.kind.rawValue) \($0.customer)" } ?? ["-"]
  }

  @Test func `added, moved, removed and reordered stops are reported as changes`() {
    var stand = Stand(names: ["maria", "dan"], stops: (1...4).map { Stand.stop($0) })
    #expect(kinds(stand.digest) == ["-"])
    stand.last = last([(1, "maria"), (2, "maria"), (3, "maria"), (4, "maria")])
    #expect(kinds(stand.digest) == [])
    #expect(stand.digest.document().text().contains("Nothing changed since Mon, Feb 23."))
    stand.last = last([(1, "maria"), (2, "dan"), (7, "maria"), (8, "maria"), (3, "maria")], days: [7: .friday])
    #expect(
      kinds(stand.digest) == [
        "moved-to-technician Customer 2", "added Customer 4", "moved-to-day Customer 7", "removed Customer 8",
      ])
    let text = stand.digest.document().text()
    for line in [
      "Changed since Mon, Feb 23", "- Customer 2 went from dan to maria.", "- Customer 4 is new on this route.",
      "- Customer 7 moved to Friday.", "- Customer 8 is no longer a customer.",
    ] { #expect(text.contains(line), "\(line)") }
  }

  @Test func `a stop that moved up is a single change`() {
    var stand = Stand(stops: [4, 1, 2, 3, 5].map { Stand.stop($0) })
    stand.last = last((1...5).map { ($0, "maria") })
    #expect(kinds(stand.digest) == ["reordered Customer 4"])
    #expect(stand.digest.document().text().contains("- Customer 4 is now stop 1, it was stop 4."))
    stand.stops = [9, 1, 2, 3, 4, 5].map { Stand.stop($0) }
    #expect(kinds(stand.digest) == ["added Customer 9"])
  }

  @Test func `a technician's page contains only that technician's sections and changes`() throws {
    var stand = Stand(
      names: ["maria", "dan"], stops: [Stand.stop(1), Stand.stop(2, technician: 2), Stand.stop(3, technician: 2)])
    stand.last = last([(1, "maria"), (3, "maria"), (8, "dan")])
    let dan = try #require(stand.digest.only("DAN"))
    #expect(dan.sections.map(\.technician) == ["dan"])
    #expect(kinds(dan) == ["added Customer 2", "moved-to-technician Customer 3", "removed Customer 8"])
    #expect(!dan.document().html.contains("Customer 1<"))
    #expect(stand.digest.only("keisha") == nil)
  }

  // MARK: As bytes

  @Test func `a digest is read back as written, with the same bytes for the same facts`() throws {
    var stand = Stand(names: ["maria", "dan"], stops: (1...6).map { Stand.stop($0, technician: Int64($0 % 2 + 1)) })
    stand.last = last([(1, "maria"), (8, "dan")])
    let digest = stand.digest
    let json = DigestJSON.text(digest)
    #expect(DigestJSON.morning(json) == digest)
    #expect(DigestJSON.text(stand.digest) == json)
    #expect(try #require(DigestJSON.morning(json)).document().html == stand.digest.document().html)
    for broken in ["", "{}", "[1]", #"{"date":3}"#] { #expect(DigestJSON.morning(broken) == nil) }
  }

  @Test func `digest JSON equals Foundation's sorted output except for escaped invisible characters`() throws {
    var stand = Stand(
      names: ["maria", "d/an\u{7}\u{8}\u{C}\u{1F}"],
      stops: (1...6).map { Stand.stop($0, technician: Int64($0 % 2 + 1)) } + [Stand.stop(7, "\"\\\n\r\t é 🏊 \u{2028}")])
    stand.last = last([(1, "maria"), (8, "dan")])
    let json = DigestJSON.text(stand.digest)
    #expect(Array(json.utf8) == escapedInJSON(Array(try asFoundationWritesIt(json).utf8)))
    #expect(json.contains("\\u2028") && DigestJSON.morning(json) == stand.digest)
  }

  @Test func `a late digest says so at the top, its footer names data and run`() {
    let stand = Stand(stops: [Stand.stop(1)])
    let moment = DigestMoment(
      zone: .utc, asOf: Stand.moment.asOf, run: "20260302T070000Z-morning-summary-1-abc",
      late: .init(due: "Mon 7:00 AM UTC", sent: "Mon 9:12 AM UTC"))
    let html = MorningDigest(stand.facts, at: moment).document().html
    #expect(html.contains("</h1><p class=\"w\">▲ Late: due Mon 7:00 AM UTC, sent Mon 9:12 AM UTC.</p>"))
    #expect(html.contains("Data as of Mon, Feb 23, 7:00\u{202F}AM."))
    #expect(html.contains("straight-line distance at 28 mph, 20 minutes a stop, first stop at 8:00\u{202F}AM."))
    #expect(html.contains("Run 20260302T070000Z-morning-summary-1-abc."))
    #expect(stand.digest.document().html.contains("Preview: nothing was sent."))
  }

  @Test func `the weekly digest names ten incomplete pools and counts the others`() throws {
    var facts = Stand(stops: []).facts
    facts.week = WeekFacts(
      pools: (1...12).map { number in
        WeekFacts.Line(
          poolID: Samples.pool(number).id, customer: "C\(number)", technicianID: TechnicianID(1),
          monthlyFee: number > 11 ? 100 : 0,
          hasCoordinates: number > 10, chemicalCost: 0, care: Stand.care())
      }, periodDays: 30, week: Stand.week())
    let names = (1...10).map { "C\($0)" }.joined(separator: ", ")
    let text = WeekDigest(facts, at: Stand.moment).document().text().replacing(/\n +/, with: " ")
    #expect(text.contains("! 10 pools have no coordinates: \(names)\n"))
    #expect(text.contains("! 11 pools have no service fee: \(names) and 1 more\n"))
    for language in Language.allCases {
      facts.team.language = language
      let digest = WeekDigest(facts, at: Stand.moment)
      let page = digest.document().text().replacing(/\n +/, with: " ")
      #expect(page.contains(": \(names)\n") && !page.contains("C11"), "\(language)")
      // A digest stored before the names were added shows the counts.
      let old = DigestJSON.text(digest).replacing(/,"unlocated":.*?\],"unpriced":.*?\]/, with: "")
      let oldPage = try #require(DigestJSON.week(old)).document().text()
      #expect(oldPage.contains("! 11 ") && !oldPage.contains("C1"), "\(language)")
    }
  }

  @Test func `the weekly digest compares visits, chemicals and water balance with the previous week`() throws {
    var stand = Stand(stops: [])
    stand.names = ["maria", "dan", "ann"]
    var facts = stand.facts
    // Days before the Monday of the digest.
    func visit(_ pool: Int, _ daysAgo: Int) -> PeriodFacts.Visit {
      PeriodFacts.Visit(
        poolID: Samples.pool(pool).id, at: Stand.moment.asOf.advanced(by: .hours(-24 * daysAgo)), lsi: 0, cost: 1)
    }
    facts.week = WeekFacts(
      pools: [(1, 1, Stand.balanced), (2, 2, Stand.corrosive)].map { number, technician, water in
        WeekFacts.Line(
          poolID: Samples.pool(number).id, customer: "C\(number)", technicianID: TechnicianID(Int64(technician)),
          monthlyFee: 100, hasCoordinates: true, chemicalCost: 0, care: Stand.care(water))
      }, periodDays: 30,
      week: Stand.week(
        visits: [visit(1, 0), visit(2, 2), visit(2, 2), visit(1, 6), visit(1, 7), visit(2, 13), visit(9, 1)],
        uses: [PeriodFacts.Use(type: "acid", isBefore: false, ounces: 28, cost: 1.4)]))
    let week = WeekDigest(facts, at: Stand.moment)
    let lines = try #require(week.technicians)
    // Ann has no pools, so no line; a removed pool belongs to no technician.
    #expect(lines.map(\.technician) == ["maria", "dan"])
    #expect(
      lines[0].days.map(\.visits) == [1, 0, 0, 0, 0, 0, 1] && lines[1].days.map(\.visits) == [0, 0, 0, 0, 2, 0, 0])
    #expect(
      lines[0].days.map(\.before) == [0, 0, 0, 0, 0, 0, 1] && lines[1].days.map(\.before) == [1, 0, 0, 0, 0, 0, 0])
    #expect(lines[0].days.first?.date == "2026-02-24" && lines[0].days.last?.date == "2026-03-02")
    #expect(week.balance?.corrosive == 1 && week.balance?.balanced == 1 && week.chemicals?.map(\.type) == [.acid])
    let json = DigestJSON.text(week)
    #expect(DigestJSON.week(json) == week)
    #expect(json == (try asFoundationWritesIt(json)))
    let text = week.document().text()
    #expect(text.contains("Technician       Tue  Wed  Thu  Fri  Sat  Sun  Mon"))
    #expect(text.contains("maria              1    0    0    0    0    0    1"))
    #expect(text.contains("The week before    0    0    0    0    0    0    1"))
    for language in Language.allCases {
      facts.team.language = language
      let page = WeekDigest(facts, at: Stand.moment).document()
      #expect(page.html.components(separatedBy: "role=\"img\"").count == 4, "\(language)")
      #expect(!page.text().contains("…"), "\(language): a column is cut")
    }
    // A digest stored before these sections has its page without them.
    let old = json.replacing(/"balance":.*"data_as_of"/, with: #""data_as_of""#)
      .replacing(/,"technicians":\[.*\}\]/, with: "")
    let page = try #require(DigestJSON.week(old)).document()
    #expect(!page.html.contains("<svg") && page.text().contains("Money"))
  }

  @Test func `the owner's weekly digest contains money, gaps and next week's load`() throws {
    func line(_ number: Int, fee: Double, cost: Double, care: StopCare = Stand.care(), located: Bool = true)
      -> WeekFacts.Line
    {
      WeekFacts.Line(
        poolID: Samples.pool(number).id, customer: "Customer \(number)", technicianID: TechnicianID(1), monthlyFee: fee,
        hasCoordinates: located,
        chemicalCost: cost, care: care)
    }
    var facts = Stand(stops: []).facts
    facts.week = WeekFacts(
      pools: [
        line(1, fee: 100, cost: 20), line(2, fee: 100, cost: 31, care: Stand.care(Stand.corrosive)),
        line(3, fee: 50, cost: 60, care: Stand.care(daysAgo: 40)), line(4, fee: 0, cost: 1, located: false),
      ], periodDays: 30, week: Stand.week())
    let week = WeekDigest(facts, at: Stand.moment)
    let money = try #require(week.money)
    #expect(money.revenue == 250 && money.chemicals == 112 && money.profit == 138)
    #expect(money.losers.map(\.customer) == ["Customer 3", "Customer 2"])
    #expect((week.missingCoordinates, week.missingFee, week.stale) == (1, 1, 1))
    #expect(week.nextWeek.contains { $0.type == .base && $0.neededOz > 0 })
    let json = DigestJSON.text(week)
    #expect(DigestJSON.week(json) == week)
    #expect(json == (try asFoundationWritesIt(json)))
    let text = week.document().text()
    #expect(text.contains("! Customer 3: fee $50.00, chemicals $60.00, profit -$10.00"))
    #expect(text.contains("! 1 pool was not visited for more than 35 days."))
    #expect(text.contains("! 1 pool has no coordinates: Customer 4"))
    #expect(text.contains("! 1 pool has no service fee: Customer 4"))
    facts.team.plan = .free
    let free = WeekDigest(facts, at: Stand.moment)
    #expect(free.money == nil)
    #expect(free.document().text().contains("The free plan holds no profit analysis."))
  }
}
