import FlowCalendar
import FlowModel
import FlowNotices
import FlowTestKit
import FlowWork
import PoolChemistry
import PoolJobs
import PoolModel
import Testing

@testable import PoolDigests

/// Doses for the pH on pages, in load lists and in `why`, by both methods.
struct DoseAdviceTests {
  /// In 12,500 gal the rule says 114 fl oz of acid, the equilibrium 15.3.
  private static let soft = WaterReadings(
    pH: 8.3, waterTempF: 77, calciumHardness: 250, totalAlkalinity: 60, cyanuricAcid: 50, totalDissolvedSolids: 1_000)

  private func care(_ water: WaterReadings = soft, assumed: ReadingSet = []) -> StopCare {
    let visit = DigestStand.moment.asOf.advanced(by: .hours(-24 * 7))
    return StopCare(
      volumeGallons: 12_500,
      water: MeasuredWater(water, at: visit, assumed: assumed, totalDissolvedSolids: water.totalDissolvedSolids),
      lastVisit: visit, updatedAt: visit)
  }

  private func stand(
    _ method: DosingMethod, _ language: Language = .english, _ cares: [StopCare]? = nil
  ) -> DigestStand {
    var stand = DigestStand(stops: (cares ?? [care()]).enumerated().map { DigestStand.stop($0 + 1, care: $1) })
    stand.team.language = language
    stand.team.settings.dosing = method
    return stand
  }

  private func dose(_ digest: MorningDigest) -> MorningDigest.Dose? { digest.sections[0].stops[0].doses.first }

  @Test(arguments: [
    (
      Language.english, "The water's chemistry asks for far less: start with 15 fl oz, let it circulate, test again",
      "Assumed for the doses: Dissolved solids 1,000\u{A0}ppm, Borate 0\u{A0}ppm."
    ),
    (
      .spanish, "La química del agua pide mucho menos: empieza con 15 fl oz, deja circular y vuelve a medir",
      "Supuesto para las dosis: Sólidos disueltos 1000\u{A0}ppm, Borato 0\u{A0}ppm."
    ),
    (
      .french,
      "La chimie de l'eau en demande bien moins\u{A0}: commencer par 15\u{A0}fl\u{A0}oz, laisser circuler, mesurer à nouveau",
      "Supposé pour les dosages\u{A0}: Solides dissous 1\u{202F}000\u{A0}ppm, Borate 0\u{A0}ppm."
    ),
    (
      .portuguese, "A química da água pede bem menos: comece com 15 fl oz, deixe circular e meça de novo",
      "Suposto para as doses: Sólidos dissolvidos 1.000\u{A0}ppm, Borato 0\u{A0}ppm."
    ),
    (
      .german, "Die Wasserchemie verlangt viel weniger: mit 15 fl oz beginnen, umwälzen lassen, erneut messen",
      "Für die Dosen angenommen: Gelöste Stoffe 1.000\u{A0}ppm, Borat 0\u{A0}ppm."
    ),
  ])
  func `a page says with how much to start where the rule is excessive`(
    language: Language, start: String, assumed: String
  ) throws {
    let digest = stand(.app, language).digest
    #expect(dose(digest)?.ounces == 114 && dose(digest)?.equilibrium?.startOz == 15)
    let document = digest.document()
    let text = document.text(width: 300)
    #expect(text.contains("    ! \(start)\n") && text.contains(assumed), "\(text)")
    #expect(plain(text).contains("112 fl oz"))
    let html = document.html.replacing("&#39;", with: "'").replacing("&#x27;", with: "'")
    #expect(html.contains(start) && html.contains(assumed))
    #expect(DigestJSON.morning(DigestJSON.text(digest)) == digest)
    // The rule is not mentioned where the equilibrium decides.
    let other = stand(.carbonate, language).digest
    let page = other.document().text(width: 300)
    #expect(
      plain(page).contains("16 fl oz") && !page.contains("112") && !page.contains(start) && page.contains(assumed))
    #expect(DigestJSON.morning(DigestJSON.text(other)) == other)
  }

  @Test func `the amount to start with is in the team's units`() {
    var stand = stand(.app)
    stand.team.settings.doseUnits = .app
    #expect(stand.digest.document().text(width: 300).contains("start with 15 oz, let it circulate, test again"))
    stand.team.units = .metric
    #expect(stand.digest.document().text(width: 300).contains("start with 440 mL, let it circulate, test again"))
  }

  @Test func `page, load list, low stock and week use the same amount by the equilibrium`() throws {
    for (method, ounces) in [(DosingMethod.app, 114.0), (.carbonate, 15)] {
      var stand = stand(method, .english, [care(), care()])
      stand.tomorrow = [DigestStand.stop(3, care: care())]
      stand.stock = [StockItem(item: Samples.item(stock: 20, threshold: 0), technicianID: nil)]
      let digest = stand.digest
      #expect(digest.sections[0].stops.map { $0.doses.map(\.ounces) } == [[ounces], [ounces]])
      let load = try #require(digest.sections[0].load.first)
      #expect(load.neededOz == 2 * ounces && load.shortOz == 2 * ounces - 20)
      #expect(digest.lowStock.map(\.tomorrowOz) == (method == .app ? [114] : []))
      var facts = stand.facts
      facts.week = WeekFacts(
        pools: [
          .init(
            poolID: Samples.pool(1).id, customer: "Ana", technicianID: TechnicianID(1), monthlyFee: 100,
            hasCoordinates: true, chemicalCost: 1, care: care())
        ], periodDays: 30, week: DigestStand.week())
      #expect(WeekDigest(facts, at: DigestStand.moment).nextWeek.map(\.neededOz) == [ounces])
    }
  }

  @Test(arguments: [
    (ReadingSet.cyanuricAcid, soft, "By the app's rule: the carbonate equilibrium needs a reading of Cyanuric acid"),
    (
      ReadingSet(),
      WaterReadings(
        pH: 9.6, waterTempF: 77, calciumHardness: 250, totalAlkalinity: 60, cyanuricAcid: 50,
        totalDissolvedSolids: 1_000), "By the app's rule: the carbonate equilibrium does not cover pH 9.6"
    ),
    (
      ReadingSet(),
      WaterReadings(
        pH: 7.2, waterTempF: 77, calciumHardness: 250, totalAlkalinity: 60, cyanuricAcid: 250,
        totalDissolvedSolids: 1_000),
      "By the app's rule: alkalinity and cyanuric acid contradict each other, test again"
    ),
  ])
  func `without a dose by the equilibrium the rule's amount stays, with the reason`(
    assumed: ReadingSet, water: WaterReadings, reason: String
  ) {
    let cares = [care(water, assumed: assumed)]
    let (app, carbonate) = (stand(.app, .english, cares).digest, stand(.carbonate, .english, cares).digest)
    #expect(dose(app)?.ounces == dose(carbonate)?.ounces && dose(app)?.equilibrium == nil)
    #expect(carbonate.document().text(width: 300).contains("    ! \(reason)\n"))
    #expect(!app.document().text(width: 300).contains("By the app's rule"))
    #expect(DigestJSON.morning(DigestJSON.text(carbonate)) == carbonate)
  }

  @Test func `an amount that is not excessive has no note`() {
    let hard = WaterReadings(
      pH: 7.9, waterTempF: 84, calciumHardness: 400, totalAlkalinity: 400, cyanuricAcid: 0, totalDissolvedSolids: 1_000)
    let digest = stand(.app, .english, [care(hard)]).digest
    #expect(dose(digest)?.equilibrium == nil && dose(digest)?.type == .acid)
    #expect(!digest.document().text(width: 300).contains("Assumed"))
  }

  @Test func `why compares the amounts of each stop without names`() throws {
    func words(_ stand: DigestStand) throws -> String {
      let run = RunContext(
        jobID: JobID(17), kind: .morningSummary, slot: DigestStand.moment.asOf, asOf: DigestStand.moment.asOf,
        now: DigestStand.moment.asOf, lateness: .zero, install: "f3a91c02", timing: .unchosen)
      return try #require(JobDecision.decide(run, facts: stand.facts, zone: .utc).account?.words)
    }
    let cares = [care(), care(DigestStand.balanced), care(), care(Self.soft, assumed: .cyanuricAcid)]
    let app = try words(stand(.app, .german, cares))
    #expect(
      app.contains(
        "; stop 1: 114 fl oz of muriatic acid by the app's rule, 15 fl oz by the carbonate equilibrium: start with "
          + "15 fl oz, let it circulate, test again; stop 3: 114 fl oz"), "\(app)")
    #expect(
      app.contains("; assumed for the doses: Dissolved solids 1,000\u{A0}ppm, Borate 0\u{A0}ppm; notifications on"))
    #expect(!app.contains("Customer") && !app.contains("stop 4"))
    let carbonate = try words(stand(.carbonate, .english, cares))
    #expect(
      carbonate.contains(
        "; stop 1: 15 fl oz of muriatic acid by the carbonate equilibrium, 114 fl oz by the app's rule; stop 3: "),
      "\(carbonate)")
    #expect(
      carbonate.contains(
        "; stop 4: 114 fl oz of muriatic acid by the app's rule: the carbonate equilibrium needs a reading of "
          + "Cyanuric acid; "), "\(carbonate)")
    let many = try words(stand(.app, .english, Array(repeating: care(), count: 8)))
    #expect(many.contains("stop 5: ") && !many.contains("stop 6: ") && many.contains("; 3 more such doses; "))
  }

  @Test(arguments: Language.allCases)
  func `the calculator names both amounts in each language`(language: Language) throws {
    var team = Samples.team()
    team.language = language
    let localizer = Localizer(team)
    func notes(_ method: DosingMethod, _ assumed: ReadingSet = []) -> [String] {
      let advice = method.recommendations(for: Self.soft, assumed: assumed, volumeGallons: 12_500)
      return localizer.notes(on: advice[0], by: method)
    }
    let (app, carbonate) = (notes(.app), notes(.carbonate))
    #expect(app.count == 2 && plain(app[0]).contains("15 fl oz") && app[1] == carbonate[1])
    #expect(carbonate.count == 2 && plain(carbonate[0]).contains("114 fl oz"))
    #expect(notes(.app, .cyanuricAcid).isEmpty && notes(.carbonate, .totalAlkalinity).count == 1)
    for note in app + carbonate + notes(.carbonate, .totalAlkalinity) { #expect(note.hasSuffix(".")) }
    #expect(language == .english || !(app + carbonate).contains { $0.contains(/\b(start|rule|Assumed)\b/) })
    let missing = notes(.app, [.waterTemp, .calciumHardness])[1]
    #expect(missing.contains("77\u{A0}°F") && missing.contains("250\u{A0}ppm"))
  }
}

/// The text with plain spaces; French does not break a line between an amount and its unit.
private func plain(_ text: String) -> String { text.replacing("\u{A0}", with: " ") }
