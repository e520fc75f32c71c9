import PoolControl
import FlowControl
import FlowModel
import FlowTestKit
import Foundation
import Testing

extension Programs {
  /// `dose --pool`: the dosing calculator for one pool.
  @Suite struct PoolDoseTests {
    private static let water = [
      "--ph", "8.4", "--temp", "80F", "--calcium", "350", "--alkalinity", "100", "--cya", "30",
    ]

    private func one() throws -> OneTeam {
      let one = try OneTeam("coast", zone: "America/Phoenix")
      _ = try one.ask("pool", "add", "Ana", "1 Elm St", "--volume", "20000gal")
      return one
    }

    private func run(_ one: OneTeam, _ words: [String]) throws -> Answer {
      try one.daemon.ask(words + ["--team", one.team])
    }

    @Test func `dose --pool equals the visit's doses and prices, and changes nothing`() throws {
      let one = try one()
      let asked = try run(one, ["dose", "--pool", "Ana", "--json"] + Self.water)
      let dose = try JSONDecoder().decode(FieldCall.DosePool.Reply.self, from: Data(asked.output.utf8)).dose
      #expect(try one.query(FieldCall.ListVisits.Reply.self, "visit", "list").visits.isEmpty)
      let logged = try run(one, ["visit", "log", "Ana", "--dose", "all", "--json"] + Self.water)
      let visit = try JSONDecoder().decode(FieldCall.LogVisit.Reply.self, from: Data(logged.output.utf8)).visit
      #expect(!dose.doses.isEmpty && dose.doses.map { "\($0)" } == visit.doses.map { "\($0)" })
      #expect(dose.lsi == visit.lsi && dose.cost == visit.cost && dose.costText == visit.costText)
      #expect(dose.advice.map(\.message) == visit.advice.map(\.message) && dose.volumeText == "20,000 gal")
    }

    @Test func `without options the newest measured visit's readings count; options override single ones`() throws {
      let one = try one()
      #expect(try run(one, ["dose", "--pool", "Ana"]).errors.contains("no visit to Ana has a pH reading"))
      _ = try run(one, ["visit", "log", "Ana", "--at", "-2d"] + Self.water)
      _ = try one.ask("visit", "log", "Ana", "--notes", "Only brushed")
      let known = try one.query(FieldCall.DosePool.Reply.self, "dose", "--pool", "Ana").dose
      #expect(known.condition == .scaleForming && known.water.contains("8.4"))
      let typed = try one.query(FieldCall.DosePool.Reply.self, "dose", "--pool", "Ana", "--ph", "7.5").dose
      #expect(typed.water.contains("7.5") && typed.lsi < known.lsi)
      let large = try one.query(
        FieldCall.DosePool.Reply.self, "dose", "--pool", "Ana", "--volume", "40000", "--tds", "3000"
      ).dose
      #expect(large.volumeGallons == 40_000 && large.doses[0].ounces > known.doses[0].ounces && large.lsi != known.lsi)
    }

    @Test func `dose and why compare the rule's acid with the equilibrium's`() throws {
      let one = try one()
      let soft = ["--ph", "8.3", "--temp", "77F", "--calcium", "250", "--alkalinity", "60", "--cya", "50"]
      let start = "start with 15 fl oz, let it circulate, test again"
      _ = try one.ask("pool", "set", "Ana", "--volume", "12500gal", "--day", "fri")
      _ = try run(one, ["visit", "log", "Ana", "--at", "-1h"] + soft)
      let app = try one.ask("dose", "--pool", "Ana")
      #expect(app.contains("Add 114 fl oz of Muriatic Acid") && app.contains(start), "\(app)")
      #expect(app.contains("Assumed for the doses: ") && app.contains("Borate 0"))
      try one.daemon.change("team", "set", one.team, "dosing=carbonate")
      let carbonate = try one.ask("dose", "--pool", "Ana")
      #expect(carbonate.contains("Add 15 fl oz of Muriatic Acid") && !carbonate.contains("start with"), "\(carbonate)")
      #expect(carbonate.contains("By the carbonate equilibrium; the app's rule says 114 fl oz."))
      let bare = try Pfctl.run(["dose", "--volume", "12500"] + soft, in: one.daemon.scratch).output
      #expect(bare.contains("Add 7 lb(s) 2 oz of Muriatic Acid") && bare.contains("start with 15 oz, let it"))

      _ = try one.ask("run", "morning-summary", "--wait")
      let why = try one.ask("why", "morning-summary")
      #expect(
        why.contains("stop 1: 15 fl oz of muriatic acid by the carbonate equilibrium, 114 fl oz by the app's rule"))
      try one.daemon.change("team", "set", one.team, "dosing=app")
      _ = try one.ask("run", "morning-summary", "--wait")
      #expect(try one.ask("why", "morning-summary").contains(start))
      #expect(try one.pages("2026-11-27").allSatisfy { $0.contains(start) })
    }

    @Test func `a dose shows how much of it the stock lacks`() throws {
      let one = try one()
      _ = try run(one, ["visit", "log", "Ana"] + Self.water)
      _ = try one.ask("inventory", "set", "Muriatic", "--stock", "16oz", "--cost", "0.10")
      let dose = try one.query(FieldCall.DosePool.Reply.self, "dose", "--pool", "Ana").dose.doses[0]
      #expect(dose.short == dose.ounces - 16 && dose.left == 0 && dose.cost == dose.ounces * 0.1)
      #expect(try one.ask("dose", "--pool", "Ana").contains("the stock lacks \(dose.shortText ?? "?") of it"))
      _ = try one.ask("inventory", "remove", "Muriatic", "--yes")
      let none = try one.query(FieldCall.DosePool.Reply.self, "dose", "--pool", "Ana").dose.doses[0]
      #expect(none.short == none.ounces && none.left == nil)
      #expect(try one.ask("dose", "--pool", "Ana").contains("none of it is in stock"))
    }

    @Test func `dose --save logs the visit as visit log does`() throws {
      let one = try one()
      let saved = try run(
        one, ["dose", "--pool", "Ana", "--save", "--dose", "all", "--notes", "Kit", "--json"] + Self.water)
      #expect(saved.code == 0, "\(saved)")
      let visit = try JSONDecoder().decode(FieldCall.LogVisit.Reply.self, from: Data(saved.output.utf8)).visit
      #expect(!visit.doses.isEmpty && visit.cost > 0)
      let listed = try one.query(FieldCall.ListVisits.Reply.self, "visit", "list", "--search", "Kit").visits
      #expect(listed.map(\.id) == [visit.id])
      #expect(try one.daemon.ask("audit").output.contains("visit log 'Ana' --team coast --ph 8.4"))
    }

    @Test(arguments: [
      (["--pool", "Ana", "--save"], "name at least one reading"),
      (["--pool", "Ana", "--save", "--ph", "7.4", "--volume", "9000"], "pfctl pool set"),
      (["--pool", "Ana", "--save", "--ph", "7.4", "--tds", "900"], "pfctl pool set"),
      (["--pool", "Ana", "--dose", "all"], "add --save"), (["--pool", "Ana", "--units", "metric"], "--units"),
      (["--save", "--ph", "7.4"], "--save needs --pool"), (["--pool", "Ana", "--ph", "77"], "ph"),
      (["--pool", "Ana", "--ph", "7.4", "--volume", "12"], "Minimum 1,000 gal"), (["--pool", "Zoe"], "Zoe"),
    ])
    func `conflicting options of dose are refused, and nothing is logged`(words: [String], why: String) throws {
      let one = try one()
      let refused = try run(one, ["dose"] + words)
      #expect(refused.code != 0 && refused.errors.contains(why), "\(refused)")
      #expect(try one.query(FieldCall.ListVisits.Reply.self, "visit", "list").visits.isEmpty)
    }

    @Test func `a metric team's dose is shown in its units, language and currency`() throws {
      let one = try OneTeam("berlin", zone: "Europe/Berlin")
      try one.daemon.change("team", "set", "berlin", "language=de")
      _ = try one.ask("pool", "add", "Ana", "1 Elm St", "--volume", "50000")
      let text = try one.ask(
        "dose", "--pool", "Ana", "--ph", "8.4", "--temp", "27", "--calcium", "350", "--alkalinity", "100", "--cya", "30"
      )
      #expect(
        text.contains("50.000 L") && text.contains("€") && text.contains("Salzsäure")
          && text.contains("kalkabscheidend") && text.contains("L "), "\(text)")
    }
  }
}
