import FlowCalendar
import FlowModel
import Foundation
import PoolInterchange
import PoolModel
import Testing

/// Lists as other programs and people write them: `csv_lists.json`, with an expectation for each row.
struct CSVListTests {
  struct List: Decodable, Sendable, CustomTestStringConvertible {
    /// The expected values of a row; nil if not checked.
    struct ExpectedPool: Decodable, Sendable {
      var customer: String
      var address, day, notes, phone, email, gate, tags, technician, rule: String?
      var fee, volume, latitude, longitude: Double?
    }
    var name: String
    var language: Language
    var units: UnitSystem
    var lines: [String]
    var map: [String]?
    /// The missing columns for which the list is refused.
    var missing: [String]?
    var pools: [ExpectedPool]?
    /// `ROW COLUMN FAULT`, in file order.
    var warnings: [String]?
    var unused: [String]?
    var remarks: [String]?
    var inactive: Int?
    var testDescription: String { name }

    func table() throws -> CSVTable {
      let bytes = Array(lines.joined(separator: "\n").utf8)
      return try CSVImport.read(bytes: bytes, locale: language, units: units, map: try CSVHeadingMap(map ?? []))
    }
  }

  private static func plan(_ table: CSVTable, over plan: CSVPlan? = nil) -> CSVPlan {
    let ids = CountedIDs()
    for _ in plan?.pools ?? [] { _ = ids.make() }
    return CSVImport.plan(
      table, existing: plan?.pools ?? [], profiles: plan?.profiles ?? [], repeats: .keepFirst,
      now: Timestamp(seconds: 1_800_000_000), makeID: { _ in ids.make() })
  }

  /// The case name: `severalWeekdays` for `.severalWeekdays(.monday)`.
  private func word(_ value: some Any) -> String { String("\(value)".prefix { $0.isLetter }) }

  private func warnings(_ plan: CSVPlan) -> [String] {
    (plan.issues + plan.notices).enumerated()
      .sorted { ($0.element.row, $0.offset) < ($1.element.row, $1.offset) }
      .map { "\($0.element.row) \($0.element.field.rawValue) \(word($0.element.fault))" }
  }

  @Test(arguments: Fixtures.cases(List.self, "csv_lists.json"))
  func `each row of a list is imported or reported`(_ list: List) throws {
    guard let expected = list.pools else {
      let missing = try #require(list.missing).compactMap(CSVColumn.init(rawValue:))
      #expect(throws: CSVError.missingRequiredColumns(missing)) { try list.table() }
      return
    }
    let plan = Self.plan(try list.table())
    try #require(plan.pools.map(\.customerName) == expected.map(\.customer))
    let profiles = Dictionary(uniqueKeysWithValues: plan.profiles.map { ($0.poolID, $0) })
    for (pool, expected) in zip(plan.pools, expected) {
      if let address = expected.address { #expect(pool.address == address) }
      if let day = expected.day { #expect(pool.serviceDay.abbreviation == day) }
      if let fee = expected.fee { #expect(pool.monthlyServiceFee == fee) }
      if let volume = expected.volume { #expect((pool.volumeGallons * 100).rounded() / 100 == volume) }
      if let notes = expected.notes { #expect(pool.notes == notes) }
      if let latitude = expected.latitude { #expect(pool.latitude == latitude) }
      if let longitude = expected.longitude { #expect(pool.longitude == longitude) }
      if let rule = expected.rule { #expect(plan.rules[pool.id]??.description == rule) }
      let profile = profiles[pool.id]
      if let phone = expected.phone { #expect(profile?.contactPhone == phone) }
      if let email = expected.email { #expect(profile?.contactEmail == email) }
      if let gate = expected.gate { #expect(profile?.gateAccessType == gate) }
      if let tags = expected.tags { #expect(profile?.tagsCSV == tags) }
      if let technician = expected.technician { #expect(profile?.technicianTag == technician) }
    }
    #expect(warnings(plan) == list.warnings)
    let unused = try #require(list.unused)
    #expect(plan.warnings.first { word($0) == "unusedColumns" } == (unused.isEmpty ? nil : .unusedColumns(unused)))
    #expect(plan.warnings.map(word).filter { $0 != "unusedColumns" }.sorted() == list.remarks?.sorted())
    #expect(plan.inactive == list.inactive)
  }

  @Test(arguments: Fixtures.cases(List.self, "csv_lists.json").filter { $0.pools != nil })
  func `importing the same list again changes nothing`(_ list: List) throws {
    let table = try list.table()
    let first = Self.plan(table)
    let second = Self.plan(table, over: first)
    #expect(second.creates == 0 && second.pools == first.pools && second.updatedIDs.isEmpty)
    #expect(second.profiles.isEmpty && second.issues == first.issues)
  }

  @Test func `every case of the fixture of customer lists is read`() throws {
    let file = try JSONSerialization.jsonObject(with: Data(contentsOf: Fixtures.url("csv_lists.json")))
    let rows = try #require((file as? [String: Any])?["cases"] as? [Any])
    #expect(rows.count >= 60 && Fixtures.cases(List.self, "csv_lists.json").count == rows.count)
  }

  // MARK: Whole files

  private func plan(
    _ file: String, language: Language = .english, units: UnitSystem = .imperial, over known: CSVPlan? = nil
  ) throws -> CSVPlan {
    let table = try CSVImport.read(bytes: Fixtures.bytes("lists/\(file)"), locale: language, units: units)
    return Self.plan(table, over: known)
  }

  @Test func `city, state and code columns become part of the address`() throws {
    let plan = try plan("city-columns.csv")
    #expect(plan.creates == 40 && plan.issues == [] && plan.notices == [] && plan.warnings == [])
    #expect(plan.pools[0].address == "2752 E Baseline Rd, Gilbert, AZ 85234")
    #expect(plan.pools.allSatisfy { $0.address.contains(", AZ 85") && $0.hasCoordinates == false })
    let profile = plan.profiles[0]
    #expect(profile.gateAccessType == "1952*" && profile.contactEmail == "linda.alvarez@example.com")
    #expect(profile.technicianTag == "Maria Lopez" && profile.contactPhone == "(480) 555-0109")
    #expect(Set(plan.pools.map(\.serviceDay)) == [.monday, .tuesday, .wednesday, .thursday, .friday])
  }

  @Test func `a field-service export uses its service location and skips inactive customers`() throws {
    let plan = try plan("field-service-export.csv")
    #expect(plan.creates == 39 && plan.inactive == 1 && plan.skips == 0 && plan.issues == [])
    #expect(plan.pools[0].customerName == "Linda Alvarez")
    #expect(plan.pools[0].address == "2752 E Baseline Rd, Gilbert, AZ 85234")
    #expect(plan.pools[0].monthlyServiceFee == 150 && plan.pools[0].volumeGallons == 9_000)
    #expect(plan.pools[3].notes.hasPrefix("Leave chlorine tabs in blue bucket\nDog: Rex\n"))
    #expect(
      plan.notices.allSatisfy {
        if case .frequency(let rule) = $0.fault {
          rule.hasSuffix(" *-*-01..07") || rule.hasPrefix("every 2 weeks from ")
        } else {
          false
        }
      })
    #expect(plan.rules.count == 4)
    #expect(plan.notices.map(\.row) == [6, 15, 24, 33] && plan.notices.map(\.value).last == "Monthly")
    #expect(
      plan.warnings == [
        .unusedColumns([
          "Customer Code", "Billing Address", "Billing City", "Billing State", "Billing Zip", "Minutes At Stop",
        ]), .inactiveRows(1),
      ])
    #expect(!plan.pools.contains { $0.customerName == "Melissa Ostrowski" })
  }

  @Test func `European numbers are read in the file's own format`() throws {
    let plan = try plan("european-numbers.csv", language: .german)
    #expect(
      plan.pools.map(\.volumeGallons) == [15_000, 50_000] && plan.pools.map(\.monthlyServiceFee) == [180, 1_200])
    #expect(plan.pools.map(\.serviceDay) == [.tuesday, .thursday])
    #expect(plan.issues == [] && plan.notices == [] && plan.warnings == [.decimalComma])
  }

  @Test func `the same name and street in two cities are two pools`() throws {
    let plan = try plan("town-columns.csv")
    #expect(plan.pools.map(\.address) == ["12 Elm St, Mesa, AZ 08520", "12 Elm St, Tempe, AZ 08521"])
    #expect(plan.profiles.map(\.contactPhone) == ["602-555-0100", "602-555-0101"])
    #expect(plan.creates == 2 && plan.updates == 0)
  }

  @Test func `a pool imported without its city gets the complete address, without a second pool`() throws {
    let list = Array("Customer Name,Address\nAna Diaz,12 Elm St\n".utf8)
    let known = Self.plan(try CSVImport.read(bytes: list, locale: .english))
    let plan = try plan("town-columns.csv", over: known)
    #expect(plan.creates == 1 && plan.updates == 1 && plan.updatedIDs == known.createdIDs)
    #expect(plan.pools.map(\.address) == ["12 Elm St, Mesa, AZ 08520", "12 Elm St, Tempe, AZ 08521"])
    #expect(plan.notices.first?.fault == .completesAddress && plan.notices.first?.row == 2)
  }

  @Test func `the first five rows are previewed as the pools they create`() throws {
    let plan = try plan("field-service-export.csv")
    #expect(plan.preview.map(\.row) == [2, 3, 4, 5, 6] && plan.preview.allSatisfy { $0.outcome == .created })
    #expect(plan.preview[0].pool == plan.pools[0] && plan.preview[0].profile == plan.profiles[0])
    #expect(plan.columns.first { $0.heading == "Location Zip" }?.column == .postalCode)
    #expect(plan.columns.first { $0.heading == "Billing Zip" }?.column == nil)
  }

  // MARK: Encodings

  @Test func `Windows-1252 keeps its apostrophes, quotes, dashes and euros`() throws {
    let plan = try plan("windows-1252.csv")
    #expect(plan.encoding == .windows1252 && plan.issues == [])
    #expect(plan.pools.map(\.customerName) == ["O’Brien", "José"])
    #expect(plan.pools.map(\.address) == ["1 St", "2 Rue de l’Été"])
    #expect(plan.pools[0].monthlyServiceFee == 180 && plan.pools[0].notes == "“Gate” – code")
  }

  @Test func `the same list in UTF-8 creates no second pool`() throws {
    let first = try plan("windows-1252.csv")
    let (text, _) = try #require(CSVText.decode(Fixtures.bytes("lists/windows-1252.csv")))
    #expect(Self.plan(try CSVImport.read(bytes: text, locale: .english), over: first).creates == 0)
  }

  @Test func `a Mac Roman file is refused`() throws {
    #expect(throws: CSVError.unreadableTextFile) { try plan("mac-roman.csv") }
    #expect(CSVError.unreadableTextFile.description.contains("save it as CSV UTF-8"))
  }

  private static let names = [
    "José Peña", "Müller", "Lefèvre", "Muñoz", "López", "Ramón", "García", "Martínez", "Conceição", "Straße", "Bäcker",
    "Günther Köhler", "François", "Zoë",
  ]

  /// Bytes of the Mac and DOS encodings for the characters above.
  private static let foreign: [Character: (mac: UInt8, dos: UInt8)] = [
    "á": (0x87, 0xA0), "ä": (0x8A, 0x84), "ã": (0x8B, 0xC6), "ç": (0x8D, 0x87), "é": (0x8E, 0x82), "è": (0x8F, 0x8A),
    "ë": (0x91, 0x89), "í": (0x92, 0xA1), "ñ": (0x96, 0xA4), "ó": (0x97, 0xA2), "ö": (0x9A, 0x94), "ü": (0x9F, 0x81),
    "ß": (0xA7, 0xE1),
  ]

  @Test(arguments: names) func `a name in a Mac or DOS encoding is never read as another name`(_ name: String) throws {
    let latin = name.unicodeScalars.map { UInt8($0.value) }
    #expect(try #require(CSVText.decode(latin)).utf8 == Array(name.utf8))
    let mac = name.flatMap { letter in Self.foreign[letter].map { [$0.mac] } ?? Array(letter.utf8) }
    #expect(CSVText.decode(mac) == nil)
    // The ß of DOS reads as á in Windows-1252, which its neighbours do not reveal.
    guard !name.contains("ß") else { return }
    let dos = name.flatMap { letter in Self.foreign[letter].map { [$0.dos] } ?? Array(letter.utf8) }
    #expect(CSVText.decode(dos) == nil)
  }

  @Test(arguments: [
    "O\u{92}Brien", "don\u{92}t", "Dog\u{92}s gate", "\u{93}Gate\u{94}", "Mon\u{96}Fri", "2 \u{97} 3", "\u{80}180",
    "180 \u{80}",
    "gate code\u{97}call first", "5\u{BA} piso", "72\u{B0}", "caf\u{E9}", "\u{C9}t\u{E9}", "c\u{9C}ur",
  ])
  func `ordinary Windows-1252 text is read`(_ text: String) throws {
    let bytes = text.unicodeScalars.map { UInt8($0.value) }
    let decoded = try #require(CSVText.decode(bytes))
    #expect(!hasControls(String(decoding: decoded.utf8, as: UTF8.self)))
  }

  // MARK: Maps

  @Test func `a map of headings is validated`() throws {
    #expect(throws: CSVMapError.noPair("Who")) { try CSVHeadingMap(["Who"]) }
    #expect(throws: CSVMapError.noPair("=address")) { try CSVHeadingMap(["=address"]) }
    #expect(throws: CSVMapError.unknownColumn("adress")) { try CSVHeadingMap(["Who=adress"]) }
    #expect(throws: CSVMapError.columnTwice(.address)) { try CSVHeadingMap(["A=address", "B=address"]) }
    #expect(throws: CSVMapError.headingTwice("A")) { try CSVHeadingMap(["A=address", "A=notes"]) }
    let map = try CSVHeadingMap(["a = b=address", "Who?=customer_name"])
    #expect(map.firstMissing(in: ["a = b", "who"]) == nil && map.firstMissing(in: ["who"]) == "a = b")
    #expect(CSVMapError.unknownColumn("adress").description.contains("customer_name, address"))
    #expect(CSVMapError.unknownHeading("x", among: ["a", "b"]).description.contains("'a', 'b'"))
  }
}
