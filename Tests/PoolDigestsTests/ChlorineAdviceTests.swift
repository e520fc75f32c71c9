import FlowCalendar
import FlowModel
import FlowNotices
import FlowTestKit
import FoundationEssentials
import PoolChemistry
import PoolJobs
import PoolModel
import Testing

@testable import PoolDigests

/// Free chlorine and salt on pages, and the chlorine dose in place of the usual amount.
struct ChlorineAdviceTests {
  private static let asOf = DigestStand.moment.asOf

  /// Balanced water in 15,000 gallons with stabiliser 50, measured `daysAgo` days before the digest.
  private static func care(
    chlorine: Double?, salt: Double? = nil, saltIsOlder: Bool = false, assumed: ReadingSet = [], daysAgo: Int = 7
  ) -> StopCare {
    var water = DigestStand.balanced
    (water.cyanuricAcid, water.freeChlorine, water.salt) = (50, chlorine, salt)
    let visit = asOf.advanced(by: .hours(-24 * daysAgo))
    var measured = water.present.subtracting(assumed)
    if saltIsOlder { measured.remove(.salt) }
    return StopCare(
      volumeGallons: 15_000,
      water: MeasuredWater(water, at: visit, measured: measured, assumed: assumed, totalDissolvedSolids: 1_000),
      lastVisit: visit, updatedAt: visit, usualChlorine: [UsualDose(name: "Liquid", ounces: 64)])
  }

  private static func item(_ number: Int, _ name: String, _ percent: Double, stock: Double) -> InventoryItem {
    var item = Samples.item(number, name: name, stock: stock, threshold: 0)
    (item.chemicalType, item.concentration) = (ChemicalType.chlorine.rawValue, percent)
    return item
  }

  private static let liquid = StockItem(item: item(1, "Liquid", 12.5, stock: 500), technicianID: nil)

  private func stand(_ cares: [StopCare], _ language: Language = .english) -> DigestStand {
    var stand = DigestStand(stops: cares.enumerated().map { DigestStand.stop($0 + 1, care: $1) })
    stand.team.language = language
    stand.stock = [Self.liquid]
    return stand
  }

  @Test(arguments: [
    (Language.english, "Free chlorine 2.0\u{A0}ppm low, Salt 3,600\u{A0}ppm high", "Chlorine", "Salt"),
    (.spanish, "Cloro libre 2,0\u{A0}ppm bajo, Sal 3600\u{A0}ppm alta", "Cloro", "Sal"),
    (.french, "Chlore libre 2,0\u{A0}ppm bas, Sel 3\u{202F}600\u{A0}ppm élevé", "Chlore", "Sel"),
    (.portuguese, "Cloro livre 2,0\u{A0}ppm baixo, Sal 3.600\u{A0}ppm alto", "Cloro", "Sal"),
    (.german, "Freies Chlor 2,0\u{A0}ppm niedrig, Salz 3.600\u{A0}ppm hoch", "Chlor", "Salz"),
  ])
  func `the page shows both readings, marked outside their range`(
    language: Language, text: String, chlorine: String, salt: String
  ) {
    let digest = stand([Self.care(chlorine: 2, salt: 3_600)], language).digest
    #expect(digest.document().text(width: 400).contains(text), "\(digest.document().text(width: 400))")
    let html = digest.document().html
    #expect(html.contains("<i>\(chlorine) ppm</i>") && html.contains("<i>\(salt) ppm</i>"), "\(html)")
    #expect(DigestJSON.morning(DigestJSON.text(digest)) == digest)
  }

  @Test func `an older salt reading is in brackets, and readings in their range are not marked`() {
    let text = stand([Self.care(chlorine: 3.5, salt: 3_000, saltIsOlder: true)]).digest.document().text(width: 400)
    #expect(text.contains("Free chlorine 3.5\u{A0}ppm, pH 7.5"), "\(text)")
    #expect(text.contains("; older: Salt 3,000\u{A0}ppm"), "\(text)")
  }

  @Test func `on paper five readings have their names, and more than five fit in two lines by their labels`() {
    let app = stand([Self.care(chlorine: nil)]).digest.document().html
    #expect(app.contains("'--wr:\"pH\u{A0}________ Temperature\u{A0}________ "))
    let all = stand([Self.care(chlorine: 2, salt: 3_000)]).digest.document().html
    #expect(all.contains("'--wr:\"Chlorine\u{A0}________ Salt\u{A0}________ pH\u{A0}________ Temp\u{A0}________ "))
  }

  @Test func `a mail has at most five readings beside each other`() {
    func rows(_ care: StopCare) -> [Int] {
      let table = stand([care]).digest.document().mailHTML().components(separatedBy: "border=\"1\">").last ?? ""
      return table.components(separatedBy: "</table>")[0].components(separatedBy: "</tr>").dropLast().map {
        $0.components(separatedBy: "<td").count - 1
      }
    }
    #expect(rows(Self.care(chlorine: nil)) == [5])
    #expect(rows(Self.care(chlorine: 2)) == [4, 2] && rows(Self.care(chlorine: 2, salt: 3_000)) == [4, 3])
  }

  @Test func `a German condition about free chlorine has a small adjective`() {
    let text = stand([Self.care(chlorine: 2)], .german).digest.document().text(width: 400)
    #expect(text.contains("falls freies Chlor noch 2,0\u{A0}ppm ist"), "\(text)")
  }

  @Test func `a reading gives a dose in place of the usual amount`() throws {
    // 3.6 ppm to 5.6 in 15,000 gallons: 55 fl oz of 12.5 %.
    let digest = stand([Self.care(chlorine: 2), Self.care(chlorine: nil), Self.care(chlorine: 8)]).digest
    let stops = digest.sections[0].stops
    #expect(stops.map { $0.doses.map(\.ounces) } == [[55], [], []])
    #expect(stops[0].doses[0].name == "Liquid" && stops[0].doses[0].loadPlace == 1)
    #expect(stops.map(\.usual?.count) == [nil, 1, nil])
    let load = try #require(digest.sections[0].load.first)
    #expect(load.name == "Liquid" && load.neededOz == 119 && load.isUsual == true)
    let text = digest.document().text(width: 400)
    #expect(text.contains("if free chlorine is still 2.0\u{A0}ppm"), "\(text)")
    let alone = stand([Self.care(chlorine: 2)]).digest.sections[0].load
    #expect(alone.map(\.isUsual) == [nil] && alone.map(\.neededOz) == [55])
  }

  @Test func `old readings keep the usual amount`() {
    let digest = stand([Self.care(chlorine: 2, daysAgo: 40)]).digest
    let stop = digest.sections[0].stops[0]
    #expect(stop.doses.isEmpty && stop.usual?.count == 1)
  }

  @Test func `chlorine is dosed without a pH reading`() {
    let digest = stand([Self.care(chlorine: 2, assumed: .pH)]).digest
    let stop = digest.sections[0].stops[0]
    #expect(stop.attention.map(\.kind) == [.readingsOld] && stop.doses.map(\.ounces) == [55])
    #expect(digest.document().text(width: 400).contains("if free chlorine is still"))
  }

  @Test func `each technician doses the chlorine of the truck`() {
    var stand = stand([Self.care(chlorine: 2)])
    stand.stock = [
      StockItem(item: Self.item(2, "Cal-hypo", 65, stock: 50), technicianID: TechnicianID(1)),
      StockItem(item: Self.item(3, "Trichlor", 90, stock: 50), technicianID: nil),
    ]
    let dose = stand.digest.sections[0].stops[0].doses[0]
    // 204.4 g of chlorine in granules of 65 %: 11.09 oz.
    #expect(dose.name == "Cal-hypo" && dose.isDry == true && dose.ounces == 11)
  }

  @Test func `why names reading and target`() throws {
    let digest = stand([Self.care(chlorine: 2)]).digest
    let texts = digest.doseTexts(.english(.imperial))
    let text = try #require(texts.first)
    #expect(texts.count == 1 && text.contains("of Liquid from 2.0\u{A0}ppm to 5.6\u{A0}ppm of free chlorine"))
  }

  @Test func `digests without these readings have no new members`() {
    let json = DigestJSON.text(stand([Self.care(chlorine: nil)]).digest)
    #expect(!json.contains("free_chlorine") && !json.contains("\"salt\"") && !json.contains("index_by_ph"))
  }

  @Test(arguments: Language.allCases)
  func `the rule of the index is in the footer if it is not the app's`(language: Language) {
    var stand = stand([Self.care(chlorine: nil)], language)
    let note = language.phrases.indexByPH()
    #expect(!stand.digest.document().text(width: 400).contains(note))
    let before = stand.digest.sections[0].stops[0].lsi
    stand.team.settings.lsiMethod = .phCorrected
    let digest = stand.digest
    #expect(digest.document().text(width: 400).contains(note))
    #expect(digest.sections[0].stops[0].lsi != before)
    #expect(DigestJSON.morning(DigestJSON.text(digest)) == digest)
  }

  @Test func `the month counts pools by their last free chlorine`() throws {
    func chlorine(_ ppm: Double) -> PeriodFacts.Chlorine { .init(ppm: ppm, ideal: 2...4) }
    let spread = try #require(
      ChlorineSpread([("Ana", chlorine(0.5)), ("Bo", chlorine(3)), ("Cy", chlorine(1)), ("Di", chlorine(6))]))
    #expect(spread.low == 2 && spread.ideal == 1 && spread.high == 1)
    #expect(spread.lowest.map(\.customer) == ["Ana", "Cy"])
    #expect(ChlorineSpread([]) == nil)
  }
}
