import PoolControl
import FlowControl
import FlowModel
import FlowTestKit
import Foundation
import Testing

extension Programs {
  /// The same fact has the same value in every format: random teams, asked through the built programs.
  @Suite struct SameFactTests {
    private static let zones = ["America/Phoenix", "America/Toronto", "Europe/London", "Europe/Berlin", "Asia/Tokyo"]
    private static let monday = "2026-11-30"

    /// One pool's input, from which the expected values follow.
    private struct Given {
      let customer: String
      let isMeasured: Bool
    }

    @Test func `facts of random teams agree in all formats, reports and notices`()
      throws
    {
      let seed = UInt64.random(in: 1...UInt64.max)
      var random = SeededNumbers(seed: seed)
      for number in 0..<4 {
        let zone = Self.zones.randomElement(using: &random) ?? "America/Phoenix"
        let one = try OneTeam("team-\(number)", zone: zone)
        let doses = ["app", "by-kind"].randomElement(using: &random) ?? "app"
        let both = Bool.random(using: &random) ? "on" : "off"
        try one.daemon.change("team", "set", one.team, "dose-units=\(doses)", "show-both-units=\(both)")
        _ = try one.ask("inventory", "set", "Muriatic", "--threshold", "\(Int.random(in: 300...900, using: &random))oz")
        let given = try (1...3).map { try fill($0, one, &random) }
        let told = "seed \(seed), \(one.team), \(zone), \(doses), both units \(both)"
        try comparePools(given, one, told)
        try compareUnits(one, isBoth: both == "on", told)
        try compareStock(one, told)
        try compareNotice(given, one, told)
      }
    }

    private func fill(_ place: Int, _ one: OneTeam, _ random: inout SeededNumbers) throws -> Given {
      let customer = "Customer \(place)"
      let gallons = Int.random(in: 3_000...40_000, using: &random)
      _ = try one.ask("pool", "add", customer, "\(place) Elm St", "--day", "Mon", "--volume", "\(gallons)gal")
      let isMeasured = place == 1 || Bool.random(using: &random)
      guard isMeasured else { return Given(customer: customer, isMeasured: false) }
      func number(_ range: ClosedRange<Int>) -> String { "\(Int.random(in: range, using: &random))" }
      let pH = "\(Int.random(in: 6...8, using: &random)).\(Int.random(in: 0...9, using: &random))"
      _ = try one.ask(
        "visit", "log", customer, "--ph", pH, "--temp", number(50...95) + "F", "--calcium", number(150...500),
        "--alkalinity", number(40...180), "--cya", number(10...90), "--at", "-\(number(0...12))d",
        "--dose", Bool.random(using: &random) ? "all" : "none")
      return Given(customer: customer, isMeasured: true)
    }

    private func comparePools(_ given: [Given], _ one: OneTeam, _ told: String) throws {
      let pages = try one.pages(Self.monday).map { Self.plain($0) }
      let json = try one.ask("digest", "--at", Self.monday, "--format", "json")
      let digest = try JSONDecoder().decode(Digest.self, from: Data(json.utf8))
      let stops = digest.sections.flatMap(\.stops)
      let list = try one.query(PoolsCall.List.Reply.self, "pool", "list").pools
      let lines = Self.plain(try one.ask("pool", "list"))
      let csv = try one.ask("export", "visits")
      #expect(stops.count == list.count && list.count == given.count, "\(told)")
      for page in pages { #expect(page.contains("\(list.count) stops · "), "\(told): \(page)") }
      for (pool, own) in zip(list, given) {
        let stop = try #require(stops.first { $0.customer == pool.customer })
        let shown = Self.plain(try one.ask("pool", "show", pool.customer))
        let details = try one.query(PoolsCall.Show.Reply.self, "pool", "show", pool.customer).details
        let volume = try #require(
          shown.firstMatch(of: /volume +([0-9,]+ (?:gal|L)(?: \([0-9,]+ (?:gal|L)\))?)/)?.output.1)
        for page in pages + [lines] { #expect(page.contains(volume), "\(told): \(volume) in \(page)") }
        #expect((details.readings != nil) == own.isMeasured && (stop.readings != nil) == own.isMeasured, "\(told)")
        guard own.isMeasured, let lsi = pool.lsi, let stopLSI = stop.lsi, let days = details.readingsDays else {
          #expect(
            pool.lsi == nil && stop.lsi == nil && pool.lastVisit == nil && stop.days_since_visit == nil, "\(told)")
          continue
        }
        let index = (lsi > 0.005 ? "+" : "") + String(format: "%.2f", lsi + 0.0)
        #expect(abs(stopLSI - lsi) <= 0.005 + 1e-9, "\(told)")
        let report = Self.plain(try one.ask("report", "visit", pool.customer))
        for page in pages + [lines, shown, report] where index != "-0.00" {
          #expect(page.contains(index), "\(told): LSI \(index) of \(pool.customer) in \(page)")
        }
        let water = Self.plain(details.water)
        for page in pages.dropLast() { #expect(page.contains(water), "\(told): \(water) in \(page)") }
        for cell in Self.cells(of: water) { #expect(pages[2].contains(cell), "\(told): \(cell) in \(pages[2])") }
        // Monday is three days after the daemon's date; in Tokyo that date is a Saturday, two days before.
        let ahead = told.contains("Asia/Tokyo") ? 2 : 3
        #expect(stop.days_since_visit == days + ahead && stop.readings?.days == days + ahead, "\(told)")
        let at = try #require(pool.lastVisit)
        #expect(csv.contains(at) && csv.contains("\(pool.customer),\(at)"), "\(told): \(at) in \(csv)")
        for dose in stop.attention.flatMap({ $0.doses ?? [] }) { #expect(dose.oz > 0, "\(told)") }
      }
    }

    /// Checks that every figure has both units, or none has.
    private func compareUnits(_ one: OneTeam, isBoth: Bool, _ told: String) throws {
      let pages = try one.pages(Self.monday) + ["pool", "inventory", "visit"].map { try one.ask($0, "list") }
      for page in pages.map(Self.plain) {
        if isBoth {
          #expect(Figures.alone(in: page) == [], "\(told): \(page)")
        } else {
          #expect(!page.contains(Figures.pair), "\(told): \(page)")
        }
      }
    }

    private func compareStock(_ one: OneTeam, _ told: String) throws {
      let items = try one.query(FieldCall.ListStock.Reply.self, "inventory", "list").items
      let list = Self.plain(try one.ask("inventory", "list"))
      let csv = try one.ask("export", "stock")
      for item in items {
        #expect(list.contains(Self.plain(item.stockText)) && list.contains(Self.plain(item.thresholdText)), "\(told)")
        #expect(csv.contains(item.id), "\(told)")
        let units = [item.stockText, item.thresholdText].compactMap {
          $0.split(separator: " (").first?.split(separator: " ").last
        }.filter { $0 != "0" }
        let metric = Set(["mL", "L"]), weight = Set(["g", "kg"])
        #expect(
          Set(
            units.map { metric.contains(String($0)) ? "volume" : weight.contains(String($0)) ? "weight" : String($0) }
          )
          .count <= 1, "\(told): \(item)")
      }
    }

    /// Checks that the notice and its page agree with the digest.
    private func compareNotice(_ given: [Given], _ one: OneTeam, _ told: String) throws {
      _ = try one.ask("run", "morning-summary", "--at", Self.monday, "--wait")
      let file = try one.daemon.notice(of: "morning-summary")
      let notice = try Files.text(file)
      #expect(
        notice.contains("\(given.count) pool(s)") || notice.contains("\(given.count) stops"), "\(told): \(notice)")
      let page = Self.plain(try Files.text(file.replacing(".json", with: ".html")))
      let digest = Self.plain(try one.ask("digest", "--at", Self.monday, "--format", "html"))
      for amount in digest.matches(of: /[0-9][0-9.,]* (fl oz|oz|gal|lb\(s\)|L|mL|kg|g|ppm|°F|°C)\b/) {
        #expect(page.contains(amount.output.0), "\(told): \(amount.output.0)")
      }
    }

    /// The readings of a sentence as an HTML page shows them in cells: `pH 7.9 ▲ high`, `Calcium ppm 300`.
    private static func cells(of water: String) -> [String] {
      let labels = [
        "pH": "pH", "Temperature": "Temp", "Calcium hardness": "Calcium ppm", "Total alkalinity": "Alk ppm",
        "Cyanuric acid": "CYA ppm",
      ]
      return water.components(separatedBy: ", ").compactMap { reading in
        guard let name = labels.keys.first(where: { reading.hasPrefix($0 + " ") }), let label = labels[name] else {
          Issue.record("no label of '\(reading)'")
          return nil
        }
        var value = String(reading.dropFirst(name.count + 1)).replacing(" ppm", with: "")
        for (word, sign) in [(" low", " ▼ low"), (" high", " ▲ high")] where value.hasSuffix(word) {
          value = value.dropLast(word.count) + (name == "Temperature" ? "" : sign)
        }
        return "\(label) \(value)"
      }
    }

    /// The text without tags, non-breaking spaces and escapes.
    static func plain(_ text: String) -> String {
      text.replacing(/<style.*?<\/style>/.dotMatchesNewlines(), with: "").replacing(/<[^>]+>/, with: "")
        .replacing("\u{A0}", with: " ").replacing("\u{202F}", with: " ").replacing("&#39;", with: "'")
        .replacing("&quot;", with: "\"").replacing("&amp;", with: "&").replacing("\\", with: "").replacing(
          /\s+/, with: " ")
    }

    private struct Digest: Decodable {
      struct Section: Decodable { let stops: [Stop] }
      struct Stop: Decodable {
        struct Readings: Decodable { let days: Int? }
        struct Attention: Decodable { let doses: [Dose]? }
        struct Dose: Decodable { let oz: Double }

        let customer: String
        let lsi: Double?
        let readings: Readings?
        let days_since_visit: Int?
        let attention: [Attention]
      }

      let sections: [Section]
    }
  }
}
