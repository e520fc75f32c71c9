import PoolControl
import FlowControl
import FlowTestKit
import Foundation
import Testing

extension Programs {
  /// `pool show` and `pool usage`, through the built programs.
  @Suite struct PoolViewTests {
    /// A team with one pool and `visits` daily visits up to today, each with acid; the newest one with soda ash, too.
    private func pool(visits: Int) throws -> OneTeam {
      let one = try OneTeam("desert", zone: "America/Phoenix")
      _ = try one.ask("pool", "add", "Anna", "1 Elm St", "--day", "Mon", "--volume", "15000gal", "--fee", "100")
      _ = try one.ask("inventory", "set", "Muriatic", "--stock", "2000oz")
      for day in (0..<visits).reversed() {
        _ = try one.ask(
          "visit", "log", "Anna", "--ph", "7.4", "--temp", "80F", "--calcium", "300", "--alkalinity", "100", "--cya",
          "30", "--at", "-\(day)d", "--dose", day == 0 ? "Muriatic=20oz,Soda=8oz" : "Muriatic=\(16 + day)oz")
      }
      return one
    }

    private func usage(_ one: OneTeam, _ words: String...) throws -> UsageView {
      let answer = try one.daemon.ask(["pool", "usage", "Anna", "--team", one.team, "--json"] + words)
      return try JSONDecoder().decode(WaterCall.Usage.Reply.self, from: Data(answer.output.utf8)).usage
    }

    @Test func `usage lists every visit with its chemicals and counts the omitted ones`() throws {
      let one = try pool(visits: 20)
      let all = try usage(one)
      #expect(all.visits == 20 && all.costs.count == 20 && all.furtherChemicals == 0)
      #expect(all.costs.map(\.at) == all.costs.map(\.at).sorted(by: >))
      #expect(abs(all.costs.map(\.cost).reduce(0, +) - all.spent) < 1e-9)
      let chemicals = all.costs.flatMap { $0.chemicals ?? [] }
      #expect(all.costs[0].chemicals?.map(\.ounces) == [20, 8] && chemicals.count == 21)
      for use in all.top {
        let own = chemicals.filter { $0.chemical == use.chemical }
        #expect(own.map(\.ounces).reduce(0, +) == use.ounces, "\(use.chemical)")
      }
      let text = try one.daemon.ask("pool", "usage", "Anna", "--team", one.team)
      for visit in all.costs {
        for use in visit.chemicals ?? [] {
          let line = text.output.split(separator: "\n").first { $0.contains(visit.local) && $0.contains(use.chemical) }
          #expect(line?.contains(use.text) == true && line?.contains(use.costText) == true, "\(visit): \(text.output)")
        }
      }
      #expect(text.errors.contains("20 visits") && !text.errors.contains("not shown"), "\(text.errors)")
      // Totals include the visits beyond the limit.
      let few = try usage(one, "--limit", "3")
      #expect(few.costs.map(\.at) == Array(all.costs.prefix(3).map(\.at)))
      #expect(few.visits == 20 && few.spentText == all.spentText && few.top.map(\.ounces) == all.top.map(\.ounces))
      for words in [[], ["--no-legend"]] {
        let short = try one.daemon.ask(["pool", "usage", "Anna", "--team", one.team, "--limit", "3"] + words)
        #expect(short.errors.contains("3 visits; 17 older visits not shown"), "\(short.errors)")
      }
      let whole = try one.daemon.ask("pool", "usage", "Anna", "--team", one.team, "--limit", "20")
      #expect(!whole.errors.contains("not shown"), "\(whole.errors)")
      let bad = try one.daemon.ask("pool", "usage", "Anna", "--team", one.team, "--limit", "0")
      #expect(bad.code == 64 && bad.errors.contains("--limit must be a whole number"), "\(bad.errors)")
    }

    @Test func `usage includes chemicals removed from stock and limits the top list to five`() throws {
      let one = try pool(visits: 1)
      for number in 1...6 {
        _ = try one.ask(
          "inventory", "add", "Item \(number)", "--type", "base", "--stock", "64", "--cost", "0.\(number)")
      }
      _ = try one.ask(
        "visit", "log", "Anna", "--ph", "7.4", "--dose", (1...6).map { "Item \($0)=1oz" }.joined(separator: ","))
      let six = try usage(one)
      #expect(six.top.count == 5 && six.furtherChemicals == 3, "\(six)")
      let text = try one.daemon.ask("pool", "usage", "Anna", "--team", one.team)
      #expect(text.errors.contains("3 chemicals that cost less") && text.output.contains("Item 1 1 oz"), "\(text)")
      _ = try one.ask("inventory", "remove", "Item 6", "--yes")
      #expect(try usage(one).costs[0].chemicals?.contains { $0.chemical == "not from stock" } == true)
      // A pool without visits has neither table.
      _ = try one.ask("pool", "add", "Ben", "2 Elm St", "--day", "Tue")
      let none = try one.daemon.ask("pool", "usage", "Ben", "--team", one.team)
      #expect(none.code == 0 && none.output.contains("visits") && !none.output.contains("oz"), "\(none.output)")
    }

    @Test func `a pool's view has its money, water condition and equipment badges`() throws {
      let one = try pool(visits: 3)
      for (name, settings) in [
        ("Late pump", ["--service", "2026-11-20", "--warranty", "2025-11-20"]),
        ("Next filter", ["--service", "2026-12-10"]),
        ("Far heater", ["--service", "2027-06-01", "--warranty", "2028-06-01"]), ("Plain light", []),
      ] {
        let words = ["equipment", "add", "Anna", name, "--team", one.team, "--type", "pump"] + settings
        #expect(try one.daemon.ask(words).code == 0)
      }
      let details = try one.query(PoolsCall.Show.Reply.self, "pool", "show", "Anna").details
      let report = try one.query(WaterCall.Profit.Reply.self, "profit").report
      let line = try #require(report.pools.first { $0.customer == "Anna" })
      let money = try #require(details.money)
      #expect(money.days == report.days && money.feeText == line.feeText && money.chemicalsText == line.chemicalsText)
      #expect(money.profitText == line.profitText && money.loser == line.loser && money.red == line.red)
      #expect(details.condition != nil && details.recentVisits.count == 3)
      let dates = details.equipment.map {
        "\($0.name) \($0.overdue == true) \($0.dueSoon == true) \($0.expired == true)"
      }
      #expect(
        dates == [
          "Far heater false false false", "Late pump true false true", "Next filter false true false",
          "Plain light false false false",
        ])
      let page = try one.ask("pool", "show", "Anna")
      func value(_ name: String) -> String {
        page.split(separator: "\n").first { $0.hasPrefix(name + " ") }.map { String($0.dropFirst(name.count)) } ?? ""
      }
      #expect(value("chemicals").contains(money.chemicalsText) && value("chemicals").contains("30 days"), "\(page)")
      #expect(value("profit").contains(money.profitText), "\(page)")
      #expect(page.contains("Late pump (pump): service overdue since 2026-11-20, out of warranty since 2025-11-20"))
      #expect(page.contains("Next filter (pump): service due soon, 2026-12-10"))
      #expect(page.contains("Far heater (pump)\n") && page.contains("Plain light (pump)\n"), "\(page)")
      let list = try one.ask("equipment", "list")
      #expect(list.contains("2026-11-20 overdue") && list.contains("2026-12-10 due soon"), "\(list)")
      // Chemicals above 30 % of the fee, then above the fee.
      _ = try one.ask("pool", "set", "Anna", "--fee", "6")
      #expect(try one.ask("pool", "show", "Anna").contains("chemicals above 30 % of the fee"))
      _ = try one.ask("pool", "set", "Anna", "--fee", "1")
      #expect(try one.ask("pool", "show", "Anna").contains("in the red"))
    }

    @Test(arguments: [("6.8", "corrosive"), ("8.4", "scale-forming"), ("zero", "balanced")])
    func `the saturation index has its sign everywhere and is a number in JSON`(pH: String, water: String)
      throws
    {
      let one = try OneTeam("signs", zone: "America/Phoenix")
      _ = try one.ask("pool", "add", "Anna", "1 Elm St", "--day", "Mon", "--volume", "15000gal")
      var readings = ["--temp", "80F", "--calcium", "300", "--alkalinity", "100", "--cya", "30"]
      func index(_ pH: String) throws -> Double {
        let answer = try one.daemon.ask(["lsi", "--ph", pH, "--json"] + readings)
        return try JSONDecoder().decode(Index.self, from: Data(answer.output.utf8)).lsi
      }
      // The index increases by the same amount as the pH.
      let neutral = String(format: "%.3f", 7.4 - (try index("7.4")))
      let typed = pH == "zero" ? neutral : pH
      let lsi = try index(typed)
      readings += ["--ph", typed]
      let size = String(format: "%.2f", abs(lsi))
      let text = size == "0.00" ? size : (lsi > 0 ? "+" : "-") + size
      #expect((pH == "zero") == (text == "0.00"))
      let plain = try one.daemon.ask(["lsi"] + readings).output
      let dose = try one.daemon.ask(["dose", "--volume", "15000"] + readings).output
      let logged = try one.daemon.ask(["visit", "log", "Anna", "--team", one.team, "--dose", "none"] + readings).output
      for line in [plain, dose, logged] { #expect(line.contains("LSI \(text), \(water)"), "\(line)") }
      let stored = try #require(try one.query(PoolsCall.List.Reply.self, "pool", "list").pools.first?.lsi)
      #expect(abs(stored - lsi) < 1e-9)
      for words in [["pool", "list"], ["pool", "show", "Anna"], ["visit", "list"], ["pool", "trend", "Anna"]] {
        let answer = try one.daemon.ask(words + ["--team", one.team]).output
        let isSigned = answer.contains("+0.00") || answer.contains("-0.00")
        #expect(answer.contains(text) && !isSigned, "\(words): \(answer)")
      }
      for format in ["text", "md", "html"] {
        for words in [["report", "visit", "Anna"], ["digest", "--at", "2026-11-30"]] {
          let answer = try one.daemon.ask(words + ["--team", one.team, "--format", format]).output
          #expect(OneTeam.unwrapped(answer).contains(text), "\(words): \(answer)")
        }
      }
      for format in ["html", "svg"] {
        #expect(try one.ask("pool", "trend", "Anna", "--format", format).contains(text))
      }
      let json = try one.ask("digest", "--at", "2026-11-30", "--format", "json")
      #expect(!json.contains("\"lsi\":\"") && !json.contains("\"lsi\":+"), "\(json)")
    }

    private struct Index: Decodable { let lsi: Double }
  }
}
