import FlowModel
import FlowTestKit
import Foundation
import PoolChemistry
import PoolDigests
import PoolModel
import Testing

/// The text of dosing advice: equal to the golden file in English, and never English in other languages.
struct AdviceWordsTests {
  private struct File: Decodable {
    struct Case: Decodable {
      struct Water: Decodable {
        let lsi: Double
        let pH: Double
        let totalAlkalinity: Double
        let calciumHardness: Double
        let poolVolumeGallons: Double
      }
      struct Expected: Decodable {
        struct Recommendation: Decodable {
          let message: String?
          let note: String?
          let direction: String?
        }
        let recommendations: [Recommendation]
      }
      let name: String
      let input: Water
      let expected: Expected
    }
    let cases: [Case]
  }

  private func cases() throws -> [(advice: [DoseRecommendation], expected: File.Case)] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let file = folder.appending(path: "PoolChemistryTests/Fixtures/dosing.json")
    let rows = try JSONDecoder().decode(File.self, from: Data(contentsOf: file)).cases
    try #require(!rows.isEmpty)
    return rows.map { row in
      let water = row.input
      return (
        Dosing(
          lsi: water.lsi, pH: water.pH, totalAlkalinity: water.totalAlkalinity, calciumHardness: water.calciumHardness,
          volumeGallons: water.poolVolumeGallons
        ).recommendations(inventory: []), row
      )
    }
  }

  private func team(_ language: Language, _ units: UnitSystem) -> Team {
    var team = Samples.team(zone: units == .metric ? "Europe/Berlin" : "America/Phoenix")
    team.language = language
    team.units = units
    // The golden texts are the app's.
    team.settings.doseUnits = .app
    return team
  }

  @Test func `English advice equals every golden case`() throws {
    let localizer = Localizer(team(.english, .imperial))
    var said = (messages: 0, notes: 0, directions: 0)
    for (advice, row) in try cases() {
      try #require(advice.count == row.expected.recommendations.count, "\(row.name)")
      for (one, wanted) in zip(advice, row.expected.recommendations) {
        let words = localizer.advice(one)
        if let message = wanted.message {
          #expect(words == message, "\(row.name)")
          said.messages += 1
        }
        if let direction = wanted.direction {
          #expect(words.contains("nudge pH \(direction) "), "\(row.name)")
          said.directions += 1
        }
        if let note = wanted.note {
          #expect(words.hasSuffix(", \(note)."), "\(row.name)")
          said.notes += 1
        } else {
          #expect(!words.contains("aerate"), "\(row.name)")
        }
      }
    }
    #expect(said.messages > 0 && said.notes > 0 && said.directions > 0)
  }

  @Test(arguments: Language.allCases)
  func `metric advice has no imperial unit, and other languages no English`(language: Language) throws {
    let localizer = Localizer(team(language, .metric))
    for (advice, row) in try cases() {
      for one in advice {
        let words = localizer.advice(one)
        #expect(!words.isEmpty && !words.contains(/\b(oz|lb|gal)\b/), "\(row.name): \(words)")
        #expect(language == .english || !words.contains(/\b(Add|Soda Ash|Muriatic|water|Retest)\b/), "\(words)")
      }
    }
    for type in ChemicalType.stockable {
      let price = localizer.price(perOunce: 0.05, of: type, isDry: false)
      #expect(price.hasSuffix(type.isLiquid ? "/L" : "/kg") && price.contains("€"), "\(price)")
    }
  }

  @Test func `faults of a customers file's row are explained in each language`() {
    let faults: [(RowFault, String)] = [
      (.empty, "fee is empty"), (.tooLong(.name, leavesOutRow: true), "fee has more than 200 characters or 800 bytes"),
      (.tooLong(.name, leavesOutRow: false), "fee has more than 200 characters or 800 bytes; left out"),
      (.tooLongTogether(.notes), "with fee there would be more than 4,000 characters or 16,000 bytes; left out"),
      (.controlCharacters, "fee has control characters; they are left out"),
      (.noFee, "fee is not an amount of 0 to 1000000, such as 145, 120.50 or $1,200.50; left out"),
      (.noVolume, "fee is not a number of gallons above 0, such as 15000; left out"),
      (.noWeekday, "fee is not a day of the week; Monday is used"),
      (.noDegrees(-90...90), "fee is not a number from -90 to 90; the coordinates are left out"),
      (.reservedTechnician, "fee names a technician office or all, which are reserved names; no technician is created"),
      (
        .ambiguousNumber,
        "fee is ambiguous: the file does not show whether it has a decimal or a thousands separator; left out"
      ),
      (.decidedVolume(15_000), "fee is read as 15,000 gal"),
      (.smallVolume(least: 1_000), "fee is less than 1,000 gal; it is used unchanged, please check it"),
      (.tinyVolume(least: 100), "fee is less than 100 gal, too little for a pool; left out"),
      (.feeNotMonthly, "fee is not a monthly fee; left out"),
      (
        .severalWeekdays(.monday),
        "fee names several days, but a pool has one; Monday is used, plan the others by hand"
      ),
      (.weekdayAmongWords(.tuesday), "fee is read as Tuesday"),
      (.noDay, "fee is empty; the new pool is scheduled on Monday"),
      (
        .anotherBody(row: 2),
        "fee: the same customer and address as row 2 with another body of water; it becomes a pool of its own"
      ), (.otherFrequency, "fee is not weekly; the pool is planned for every week, the frequency is kept in its notes"),
      (.unknownStatus, "fee is not understood; the row is imported"),
    ]
    for (fault, sentence) in faults {
      #expect(Localizer(team(.english, .imperial)).words(of: fault, field: "fee") == sentence)
      let words = Language.allCases.map { Localizer(team($0, .metric)).words(of: fault, field: "fee") }
      #expect(Set(words).count == 5 && words.allSatisfy { $0.contains("fee") }, "\(words)")
    }
  }

  @Test func `duplicate rows and file-wide faults are explained in each language`() {
    let faults: [(RowFault, String)] = [
      (.moreCells, "the row has more cells than there are headings; the text beyond them is not used"),
      (.repeats(row: 2), "the same customer and address as row 2; added to that pool"),
      (
        .contradicts(row: 2, columns: ["service_day", "monthly_fee"]),
        "the same customer and address as row 2 with another service_day, monthly_fee; row 2 stays as it is, add a pool by "
          + "hand for a second day or body of water"
      ),
      (
        .completesAddress,
        "an existing pool of this customer in this street, without a town, is updated with the whole address"
      ),
    ]
    let warnings: [(CSVWarning, String)] = [
      (.unusedColumns(["Route", "#3"]), "columns not used: 'Route', '#3'"),
      (.noDayColumn(3), "no row names a day of service; new pools scheduled on Monday: 3"),
      (.inactiveRows(2), "rows of inactive customers left out: 2"),
      (
        .volumesInLitres,
        "volumes are read in litres, because the team is metric; use a heading such as Gallons for another unit"
      ), (.volumesInGallons, "volumes are read in US gallons, as in poolflow's own export"),
      (.decimalComma, "this file has decimal commas: 1.200 is read as 1200"),
      (.numericDays, "days are numbers: 1 is Sunday, 7 is Saturday"),
    ]
    let english = Localizer(team(.english, .imperial))
    let all = Language.allCases.map { Localizer(team($0, .metric)) }
    for (fault, sentence) in faults {
      #expect(english.words(of: fault, field: "address") == sentence)
      #expect(Set(all.map { $0.words(of: fault, field: "address") }).count == 5)
    }
    for (warning, sentence) in warnings {
      #expect(english.words(of: warning) == sentence)
      #expect(Set(all.map { $0.words(of: warning) }).count == 5)
    }
  }

  @Test func `an archive's doubtful records are explained in each language`() {
    let (pool, visit) = (PoolID(Samples.uuid(1)), ServiceEventID(Samples.uuid(2)))
    let warnings: [(ArchiveWarning, String)] = [
      (.equipmentOfNoPool(1, of: 3), "1 of 3 equipment records belong to pools that are not in the archive; left out"),
      (.profileTwice(pool), "customer_profiles.json has more than one profile of pool \(pool); the last one is used"),
      (.profileOfNoPool(pool), "customer_profiles.json has a profile of pool \(pool), which is not in the archive"),
      (.impossibleCoordinates(pool), "pool \(pool) has impossible coordinates; it counts as not located"),
      (
        .reservedTechnician(pool),
        "the tags of pool \(pool) name a technician office or all, which are reserved names; no technician is created"
      ),
      (.photoMissing(visit), "visit \(visit) names a photo that is not in the archive"),
      (.countDiffers(name: "pools", claimed: 4, found: 1), "manifest.json counts 4 pools, the archive has 1"),
      (.photoOfNoVisit(name: "media/x"), "'media/x' is a photo that no visit names; left out"),
      (.foreign(name: "a.txt"), "'a.txt' is not part of a PoolFlow backup; left out"),
      (
        .controlCharacters(file: "pools.json", record: 1, field: "notes"),
        "pools.json record 1: notes has control characters; they are left out"
      ),
      (.more(7), "and 7 more"),
    ]
    for (warning, sentence) in warnings {
      #expect(Localizer(team(.english, .imperial)).words(of: warning) == sentence)
      #expect(Set(Language.allCases.map { Localizer(team($0, .metric)).words(of: warning) }).count == 5, "\(sentence)")
    }
  }

  @Test func `prices, amounts and warnings use the team's language and units`() {
    let phoenix = Localizer(team(.english, .imperial))
    let berlin = Localizer(team(.german, .metric))
    #expect(
      phoenix.price(perOunce: 0.05, of: .acid, isDry: false) == "$0.05/oz"
        && phoenix.price(perOunce: 0.125, of: .acid, isDry: false) == "$0.125/oz"
    )
    #expect(
      berlin.price(perOunce: 0.05, of: .acid, isDry: false) == "1,69\u{A0}€/L"
        && berlin.price(perOunce: 0.05, of: .base, isDry: false) == "1,76\u{A0}€/kg")
    var water = Samples.pool().readings
    water.pH = 9.4
    water.waterTempF = 130
    #expect(
      phoenix.doubts(about: water, typed: [.pH]) == ["pH 9.4 is outside the usual range (6.0 to 9.0): measure again."])
    #expect(
      berlin.doubts(about: water, typed: [.waterTempF]).first?.hasPrefix("Temperatur 54\u{A0}°C liegt außerhalb")
        == true)
    #expect(phoenix.doubts(about: water, typed: [.cyanuricAcid]).isEmpty)
    // Salt in grams per litre instead of ppm.
    water.salt = 3.2
    #expect(phoenix.doubts(about: water, typed: [.salt]).first?.contains("(400\u{A0}ppm to 7,000\u{A0}ppm)") == true)
    water.pH = 9
    #expect(phoenix.doubts(about: water, typed: [.pH]).isEmpty, "both ends are usual")
    let measured = MeasuredWater(water, at: Samples.mondayMorning, totalDissolvedSolids: nil)
    #expect(phoenix.water(measured).hasPrefix("pH 9.0 high, Temperature 130\u{A0}°F high, "))
  }
}
