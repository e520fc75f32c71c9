import FlowCalendar
import FlowModel
import FlowTestKit
import Foundation
import PoolInterchange
import PoolModel
import Testing

/// Every store content is written and read back unchanged, including values that today's input rules refuse.
struct ArchiveRoundTripTests {
  private func reread(_ contents: ArchiveContents, origin: ArchiveOrigin) throws -> ArchiveContents {
    let members = Dictionary(uniqueKeysWithValues: ArchiveWriter.members(of: contents).map { ($0.name, $0.bytes()) })
    return try ArchiveReader.read(ListedMembers(members: members), origin: origin)
  }

  private func expectSame(
    _ contents: ArchiveContents, _ again: ArchiveContents, location: SourceLocation = #_sourceLocation
  ) {
    #expect(again.pools == contents.pools, sourceLocation: location)
    #expect(again.serviceEvents == contents.serviceEvents, sourceLocation: location)
    #expect(again.chemicalDoses == contents.chemicalDoses, sourceLocation: location)
    #expect(again.inventory == contents.inventory, sourceLocation: location)
    #expect(again.profiles == contents.profiles, sourceLocation: location)
    #expect(again.equipment == contents.equipment, sourceLocation: location)
  }

  /// A record of each kind, with texts and numbers from the two closures.
  private func contents(text: (TextRule) -> String, number: () -> Double, routeOrder: Int) -> ArchiveContents {
    var pool = Samples.pool(1, customer: text(.name), order: routeOrder)
    (pool.address, pool.notes) = (text(.name), text(.notes))
    (pool.latitude, pool.longitude, pool.volumeGallons) = (number(), number(), number())
    (pool.monthlyServiceFee, pool.cachedLSI) = (number(), number())
    pool.readings = WaterReadings(
      pH: number(), waterTempF: number(), calciumHardness: number(), totalAlkalinity: number(),
      cyanuricAcid: number(), totalDissolvedSolids: number())
    var visit = Samples.visit(2, to: pool.id)
    (visit.lsiValue, visit.totalChemicalCost, visit.techNotes) = (number(), number(), text(.notes))
    var item = Samples.item(3, name: text(.name), stock: number(), threshold: number())
    (item.chemicalType, item.unitLabel) = (text(.name), text(.unitLabel))
    (item.concentration, item.costPerOz) = (number(), number())
    var dose = Samples.dose(4, for: visit.id, of: item.id)
    (dose.quantityOz, dose.cost) = (number(), number())
    var profile = Samples.profile(of: pool.id, tags: text(.tags))
    (profile.contactName, profile.contactPhone, profile.contactEmail) = (text(.name), text(.name), text(.name))
    (profile.gateAccessType, profile.preferredArrivalWindow) = (text(.name), text(.name))
    var one = Samples.equipment(5, at: pool.id)
    (one.equipmentType, one.name, one.manufacturer) = (text(.name), text(.name), text(.name))
    (one.modelNumber, one.serialNumber, one.notes) = (text(.name), text(.name), text(.notes))
    return ArchiveContents(
      manifest: ArchiveManifest(
        schemaVersion: 2, appVersion: "poolflow", createdAt: Samples.mondayMorning, counts: RecordCounts()),
      pools: [pool], serviceEvents: [visit], chemicalDoses: [dose], inventory: [item], profiles: [profile],
      equipment: [one])
  }

  @Test func `a backup returns every text and number that a store can contain`() throws {
    for seed in 1...200 as ClosedRange<UInt64> {
      var random = SeededNumbers(seed: seed)
      let length = seed % 50 == 0 ? 20_000 : 60
      var texts = random
      var numbers = SeededNumbers(seed: seed + 1_000)
      let given = contents(
        text: { _ in Texts.any(upTo: length, using: &texts) }, number: { Texts.number(using: &numbers) },
        routeOrder: Int(Int32.max) + Int(random.next() % 1_000))
      expectSame(given, try reread(given, origin: .ownBackup))
    }
  }

  @Test func `every Unicode scalar survives a backup, even with thousands of combining marks`() throws {
    var random = SeededNumbers(seed: 1)
    var all = String.UnicodeScalarView()
    for value in 0...UInt32(0x10FFFF) { if let scalar = Unicode.Scalar(value) { all.append(scalar) } }
    let scalars = String(all)
    let marks = "e" + String(repeating: "\u{301}", count: 60_000)
    for text in [scalars, marks, "\0", "\u{7F}\u{80}\u{9F}", "\r\n\r\t\u{8}\u{C}"] {
      var texts = [text]
      let given = contents(
        text: { _ in texts.popLast() ?? "" }, number: { Texts.number(using: &random) }, routeOrder: 0)
      expectSame(given, try reread(given, origin: .ownBackup))
    }
  }

  @Test func `an archive accepts every typed field's value without a warning`() throws {
    for seed in 1...100 as ClosedRange<UInt64> {
      var random = SeededNumbers(seed: seed)
      var numbers = SeededNumbers(seed: seed + 1_000)
      let given = contents(
        text: { rule in
          // Remove characters that cannot be typed.
          var text = rule.truncated(withoutControls(Texts.any(upTo: 300, using: &random)))
          if !rule.takesLines { text = String(text.filter { !"\t\n\r\r\n".contains($0) }) }
          #expect(rule.fault(in: text) == nil)
          return text
        },
        number: {
          let rules: [NumberRule] = [.pH, .waterTempF, .quantity, .costPerOz, .monthlyFee, .volume, .longitude]
          guard let rule = rules.randomElement(using: &numbers) else { return 0 }
          return .random(in: rule.range, using: &numbers)
        }, routeOrder: Limits.rowsPerAnswer)
      let again = try reread(given, origin: .anywhere)
      expectSame(given, again)
      let unlocated = Set(again.pools.map { ArchiveWarning.impossibleCoordinates($0.id) })
      #expect(again.warnings.allSatisfy { unlocated.contains($0) }, "\(again.warnings)")
    }
  }

  @Test func `the contents of an accepted archive are exported and accepted again`() throws {
    for seed in 1...200 as ClosedRange<UInt64> {
      var texts = SeededNumbers(seed: seed)
      var numbers = SeededNumbers(seed: seed + 1_000)
      let given = contents(
        text: { $0.truncated(Texts.any(upTo: 300, using: &texts)) },
        number: { max(-Limits.recordNumber, min(Limits.recordNumber, Texts.number(using: &numbers))) }, routeOrder: 3)
      let first = try reread(given, origin: .anywhere)
      expectSame(first, try reread(first, origin: .anywhere))
      expectSame(first, try reread(first, origin: .ownBackup))
    }
  }

  @Test func `earlier rules of a pool are written beside its rule, and an archive without them is accepted`() throws {
    let pool = Samples.pool(1)
    let services = [
      PoolServiceRecord(
        poolID: pool.id, rule: try CalendarDates("Tue,Fri"), pauses: [], orders: [],
        earlier: [
          EarlierRule(until: CivilDate(year: 2026, month: 3, day: 2), weekday: .monday, rule: nil),
          EarlierRule(
            until: CivilDate(year: 2026, month: 4, day: 7), weekday: .tuesday,
            rule: try CalendarDates("every 2 weeks from 2026-03-03")),
        ])
    ]
    var given = contents(text: { _ in "x" }, number: { 1 }, routeOrder: 3)
    given.services = services
    for origin in [ArchiveOrigin.anywhere, .ownBackup] {
      let again = try reread(given, origin: origin)
      #expect(again.services == services && again.warnings == [])
    }
    var members = Dictionary(
      uniqueKeysWithValues: ArchiveWriter.members(of: given).map { ($0.name, $0.bytes()) })
    let rule = #"[{"orders": "", "poolID": "\#(pool.id)", "rule": "Tue,Fri *-*-*"}]"#
    members[ArchiveName.services] = Array(rule.utf8)
    let before = try ArchiveReader.read(ListedMembers(members: members), origin: .ownBackup)
    #expect(before.services?.map(\.earlier) == [[]] && before.services?.first?.rule == services[0].rule)
    let damaged = #"[{"poolID": "\#(pool.id)", "until": "2026-03-02", "weekday": "someday"}]"#
    members[ArchiveName.services] = Array(damaged.utf8)
    #expect(throws: ArchiveError.self) {
      try ArchiveReader.read(ListedMembers(members: members), origin: .ownBackup)
    }
  }

  @Test(arguments: [Double.infinity, -.infinity, .nan])
  func `every writer replaces NaN and infinities by finite numbers`(_ number: Double) throws {
    let given = contents(text: { _ in "x" }, number: { number }, routeOrder: 0)
    #expect(try reread(given, origin: .ownBackup).pools[0].monthlyServiceFee == finite(number))
    for line in [
      CSVExportTests.export.poolLine(
        of: CSVPoolExport.Row(pool: given.pools[0], profile: nil, stop: 1, isMeasured: true)),
      CSVExport.line(of: given.serviceEvents[0], customer: "x", currency: .euro),
      CSVExport.line(of: given.inventory[0], technician: nil, currency: .euro),
    ] { #expect(!line.contains("inf") && !line.contains("nan"), "\(line)") }
    var json = JSONText()
    json.object { $0.member("a", number) }
    #expect(json.bytes == Array("{}".utf8))
  }
}
