import FlowModel
import FlowTestKit
import Foundation
import PoolChemistry
import PoolModel
import Testing

@testable import PoolInterchange

struct CSVExportTests {
  private let now = Samples.mondayMorning

  private static let words = [
    "Steve Baird", "=1+1", "+1 480 555 0140", "-2", "-2+3", "@SUM(A1)", "'quoted'", "'=odd", "''=odder", "a,b",
    "say \"hi\"",
    "two\nlines", "Ünïcode 🏊", "O'Neill", "=HYPERLINK(\"http://example.com\")", "-", "+", "=",
    "\u{FF1D}1+1", "\u{FF0B}1", "\u{FF0D}1", "\u{FF20}SUM(A1)", "'\u{FF1D}quoted",
  ]

  private func pool(_ number: Int, _ text: String) -> Pool {
    var pool = Samples.pool(number, customer: text, day: Weekday.allCases[number % 7])
    pool.address = "\(number) \(text)"
    pool.notes = text
    pool.latitude = number % 3 == 0 ? 0 : 33.123456789 + Double(number)
    pool.longitude = number % 3 == 0 ? 0 : -111.00001
    pool.monthlyServiceFee = Double(number) * 12.25
    return pool
  }

  static let team = Team(
    id: TeamID(1), name: "coast", trade: .poolService, zone: "Europe/Berlin", language: .english, units: .metric,
    objective: .time,
    plan: .paid,
    settings: TeamSettings(), createdAt: Samples.mondayMorning)
  static let export = CSVPoolExport(of: team, includesAccessData: true)

  private func export(_ pools: [Pool], _ profiles: [CustomerProfile]) -> String {
    let known = Dictionary(profiles.map { ($0.poolID, $0) }, uniquingKeysWith: { $1 })
    let lines = pools.map { pool in
      Self.export.poolLine(
        of: CSVPoolExport.Row(
          pool: pool, profile: known[pool.id], stop: 1, isMeasured: pool.routeOrder.isMultiple(of: 2)))
    }
    return ([Self.export.poolHeader] + lines).joined(separator: "\n") + "\n"
  }

  @Test func `exported pools are imported unchanged, and export to the same bytes`() throws {
    let pools = Self.words.enumerated().map { pool($0.offset + 1, $0.element) }
    let profiles = pools.enumerated().map { index, pool in
      var profile = Samples.profile(of: pool.id, tags: index.isMultiple(of: 2) ? "vip,tech:dan" : "")
      profile.contactName = Self.words[index]
      profile.contactPhone = index.isMultiple(of: 3) ? "" : "+1 480 555 0140"
      return profile
    }
    let text = export(pools, profiles)
    let table = try CSVImport.read(bytes: Array(text.utf8), locale: .english)
    let plan = CSVImport.plan(table, existing: [], now: now, makeID: { _ in UUID() })
    #expect(plan.issues == [])
    try #require(plan.pools.count == pools.count)
    for (read, written) in zip(plan.pools, pools) {
      #expect(read.customerName == written.customerName)
      #expect(read.address == written.address)
      #expect(read.serviceDay == written.serviceDay)
      #expect(read.monthlyServiceFee == written.monthlyServiceFee)
      #expect(read.volumeGallons == written.volumeGallons)
      #expect(read.latitude == written.latitude && read.longitude == written.longitude)
      #expect(read.notes == written.notes && read.id == written.id && read.routeOrder == written.routeOrder)
    }
    #expect(export(plan.pools, plan.profiles) == text)
  }

  /// Every character that starts a formula, after every prefix that a spreadsheet may ignore.
  private static let formulas = ["", " ", "  ", "\u{A0}", "\u{3000}", "\u{200B}", "\u{FEFF} ", "\u{202E}"].flatMap {
    space in
    ["=", "+", "-", "@", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}"].flatMap { sign in
      ["\(space)\(sign)", "\(space)\(sign)A1", "'\(space)\(sign)A1"]
    }
  }

  @Test func `the CSV export neutralises spreadsheet formulas`() throws {
    for text in Self.words + Self.formulas {
      let line = CSVExport.line([text])
      let cell = line.hasPrefix("\"") ? line.dropFirst() : line[...]
      let begin = cell.unicodeScalars.first { !$0.properties.isWhitespace && !isHidden($0) }
      if let begin, "=+-@\u{FF1D}\u{FF0B}\u{FF0D}\u{FF20}".unicodeScalars.contains(begin) {
        #expect(Double(cell) != nil, "\(line)")
      }
    }
    #expect(CSVExport.line(["-112.07", "+1", "-5", "\t=1", "\u{FF0D}5"]) == "-112.07,+1,-5,'\t=1,'\u{FF0D}5")
  }

  @Test func `import removes the guard that export adds`() throws {
    for text in Self.words + Self.formulas {
      let cell = Array(CSVExport.guarded(text).utf8)
      #expect(String(decoding: CSVExport.unguarded(cell[...]), as: UTF8.self) == text, "\(text)")
    }
  }

  @Test func `random pools and profiles survive export and import`() throws {
    for seed in 1...200 as ClosedRange<UInt64> {
      var random = SeededNumbers(seed: seed)
      let pools = (1...8).map { Self.randomPool($0, &random) }
      let profiles = pools.map { Self.randomProfile(of: $0, &random) }
      let known = Dictionary(profiles.map { ($0.poolID, $0) }, uniquingKeysWith: { $1 })
      let lines = pools.map {
        Self.export.poolLine(of: CSVPoolExport.Row(pool: $0, profile: known[$0.id], stop: 1, isMeasured: true))
      }
      let text = ([Self.export.poolHeader] + lines).joined(separator: "\n")
      let table = try CSVImport.read(bytes: Array(text.utf8), locale: .german, units: .metric)
      let plan = CSVImport.plan(
        table, existing: [], team: CSVTeam(Self.team), repeats: .keepFirst, now: now, makeID: { _ in UUID() })
      #expect(plan.issues == [] && plan.notices == [] && plan.warnings == [.volumesInGallons], "seed \(seed): \(text)")
      var expected = pools
      for index in expected.indices { (expected[index].createdAt, expected[index].updatedAt) = (now, now) }
      #expect(plan.pools == expected, "seed \(seed)")
      #expect(plan.profiles == profiles.filter { $0.tagsCSV != "" || $0.contactName != "" }, "seed \(seed)")
      let again = CSVImport.plan(
        table, existing: pools, profiles: profiles, team: CSVTeam(Self.team), repeats: .keepFirst, now: now,
        makeID: { _ in UUID() })
      #expect(
        again.creates == 0 && again.updatedIDs == [] && again.profiles == [] && again.notices == [], "seed \(seed)")
    }
  }

  private static func randomPool(_ number: Int, _ random: inout SeededNumbers) -> Pool {
    // Few names, so that some pools have the same customer and address.
    let name = ["Ana", "=1+1", "Bo, \"the\" Oak", "Ünal"].randomElement(using: &random) ?? ""
    var pool = Samples.pool(number, customer: name, day: Weekday.allCases.randomElement(using: &random) ?? .monday)
    pool.address = ["1 Elm St", "2 Oak St\nMesa"].randomElement(using: &random) ?? ""
    pool.notes = ["", "Gate left", "a\nContact: Erin • 5\nTags: dog", "'=x"].randomElement(using: &random) ?? ""
    pool.volumeGallons = [0, 50, 150.125, 15_000, 13_208.609, 1.5, 756.25].randomElement(using: &random) ?? 0
    pool.monthlyServiceFee = [0, 145, 99.5, 12.345, 1.125, 1_200.333, 0.1].randomElement(using: &random) ?? 0
    if Bool.random(using: &random) { (pool.latitude, pool.longitude) = (0, 0) }
    pool.routeOrder = Int.random(in: -3...40, using: &random)
    pool.readings.pH = Double(Int.random(in: 60...90, using: &random)) / 10
    pool.readings.waterTempF = Double.random(in: 33...120, using: &random)
    pool.readings.totalDissolvedSolids = Bool.random(using: &random) ? nil : 1_234.5
    pool.cachedLSI = LSIResult(pool.readings).lsiValue
    return pool
  }

  private static func randomProfile(of pool: Pool, _ random: inout SeededNumbers) -> CustomerProfile {
    guard Bool.random(using: &random) else { return Samples.profile(of: pool.id, tags: "").emptied }
    return CustomerProfile(
      poolID: pool.id, contactName: "Erin", contactPhone: "+1 480 555 0100", contactEmail: "e@example.com",
      gateAccessType: "#1234*", preferredArrivalWindow: "8-10", tagsCSV: "tech:dan,vip,pin:3")
  }

  @Test func `another program's file with pool_id and ph is matched by names and addresses`() throws {
    let text = "customer_name,address,pool_id,ph\nAna,1 Elm,4711,7.9\nBo,2 Elm,4712,70\n"
    let table = try CSVImport.read(bytes: Array(text.utf8), locale: .english)
    let plan = CSVImport.plan(table, existing: [], now: now, makeID: { _ in UUID() })
    #expect(plan.creates == 2 && plan.warnings.contains(.unusedColumns(["pool_id"])))
    #expect(plan.pools.map(\.readings.pH) == [7.9, 7.4])
    #expect(plan.issues.map(\.fault) == [.noNumber(0...14)])
    let other = try CSVImport.read(
      bytes: Array("customer_name,address,ph,lsi\nAna,1 Elm,7.9,0\n".utf8), locale: .english)
    let unused = CSVImport.plan(other, existing: [], now: now, makeID: { _ in UUID() })
    #expect(unused.warnings.contains(.unusedColumns(["ph", "lsi"])) && unused.pools[0].readings.pH == 7.4)
  }

  @Test func `a row with a known pool's id changes it and keeps its readings`() throws {
    let known = Samples.pool(1)
    let text = """
      customer_name,address,pool_id,route_order,ph,total_dissolved_solids,notes
      New Name,9 Elm,\(known.id),7,9.1,1500,
      """
    let table = try CSVImport.read(bytes: Array(text.utf8), locale: .english)
    let plan = CSVImport.plan(table, existing: [known], now: now, makeID: { _ in UUID() })
    let pool = plan.pools[0]
    #expect(plan.pools.count == 1 && pool.customerName == "New Name" && pool.address == "9 Elm" && pool.routeOrder == 7)
    #expect(pool.readings.pH == known.readings.pH && pool.readings.totalDissolvedSolids == 1_500)
    #expect(plan.notices.map(\.fault) == [.readingsStay] && plan.notices.map(\.field) == [.pH])
  }

  @Test(
    arguments: [
      (145, "145.00"), (99.5, "99.50"), (12.345, "12.3450"), (0, "0.00"), (0.05, "0.05"), (1_200, "1200.00"),
      (0.12345, "0.12345"),
    ] as [(Double, String)]) func `money has two decimals, or all of its decimals but never three`(
      value: Double, text: String
    )
  {
    #expect(CSVExport.money(value) == text)
  }

  @Test(
    arguments: [
      (145, "145"), (-111.8, "-111.8"), (0.00001, "0.00001"), (1e16, "10000000000000000"), (0, "0"),
      (-0.000123, "-0.000123"), (1.5e-7, "0.00000015"),
    ] as [(Double, String)]) func `numbers have no exponent and read back exactly`(value: Double, text: String)
  {
    #expect(CSVExport.number(value) == text)
    #expect(Double(text) == value)
  }
}

extension CustomerProfile {
  fileprivate var emptied: CustomerProfile {
    CustomerProfile(
      poolID: poolID, contactName: "", contactPhone: "", contactEmail: "", gateAccessType: "",
      preferredArrivalWindow: "", tagsCSV: "")
  }
}
