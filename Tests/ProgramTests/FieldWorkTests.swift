import PoolControl
import FlowControl
import FlowModel
import Foundation
import Testing

extension Programs {
  /// Visits, pools, stock and equipment through the built programs.
  @Suite struct FieldWorkTests {
    private func json(_ daemon: Daemon, _ words: String...) throws -> String {
      let answer = try Pfctl.run(words + ["--json", "--socket", daemon.socket], in: daemon.scratch)
      #expect(answer.code == 0, "\(words): \(answer.errors)")
      return answer.output
    }

    @Test func `a logged visit is listed and undone; undo restores the stock`() throws {
      let daemon = try Daemon(at: DemoStore.madeAt).start()
      let stock = try json(daemon, "inventory", "list", "--team", "desert-blue")
      let pool = try json(daemon, "pool", "show", "Steve Baird", "--team", "desert-blue")
      let logged = try daemon.query(
        FieldCall.LogVisit.Reply.self, "visit", "log", "Steve Baird", "--team", "desert-blue", "--ph", "8.3",
        "--alkalinity", "140", "--calcium", "420", "--temp", "29C", "--dose", "all")
      #expect(logged.visit.condition == .scaleForming)
      #expect(!logged.visit.doses.isEmpty && logged.visit.cost > 0)
      #expect(try json(daemon, "inventory", "list", "--team", "desert-blue") != stock)
      let visits = try daemon.query(
        FieldCall.ListVisits.Reply.self, "visit", "list", "Steve Baird", "--team", "desert-blue", "--limit", "1")
      #expect(visits.visits.first?.id == logged.visit.id && visits.visits.first?.undoable == true)
      try daemon.change("visit", "undo", "Steve Baird", "--team", "desert-blue")
      #expect(try json(daemon, "inventory", "list", "--team", "desert-blue") == stock)
      #expect(try json(daemon, "pool", "show", "Steve Baird", "--team", "desert-blue") == pool)
    }

    @Test func `an out-of-range reading is labelled; an implausible one gets a warning`() throws {
      let daemon = try Daemon(at: DemoStore.madeAt).start()
      let team = ["--team", "desert-blue"]
      func ask(_ words: [String]) throws -> Answer {
        try Pfctl.run(words + team + ["--socket", daemon.socket], in: daemon.scratch)
      }
      let logged = try ask(["visit", "log", "Steve Baird", "--ph", "9.4", "--cya", "50", "--dose", "none"])
      #expect(logged.output.contains("  pH 9.4 high, ") && logged.output.contains("Cyanuric acid 50\u{A0}ppm; older: "))
      #expect(
        logged.errors.contains("pH 9.4 is outside the usual range (6.0 to 9.0): measure again."),
        "\(logged.errors)")
      // An older reading is not warned about again.
      #expect(try !ask(["visit", "log", "Steve Baird", "--cya", "60", "--dose", "none"]).errors.contains("usual"))
      #expect(try ask(["pool", "show", "Steve Baird"]).output.contains("pH 9.4 high, "))
      let water = ["--ph", "9.4", "--temp", "80", "--calcium", "200", "--alkalinity", "90"]
      for words in [["lsi"] + water, ["dose", "--volume", "56m3"] + water] {
        let told = try Pfctl.run(words, in: daemon.scratch)
        #expect(told.errors == "pH 9.4 is outside the usual range (6.0 to 9.0): measure again.\n", "\(told.errors)")
      }
      let set = try ask(["pool", "set", "Steve Baird", "--calcium", "1200"])
      #expect(set.errors.contains("Calcium hardness 1,200\u{A0}ppm is outside the usual range"), "\(set.errors)")
    }

    @Test func `a visit of yesterday is found, edited and removed by its listed id`() throws {
      let daemon = try Daemon(at: DemoStore.madeAt).start()
      func stock() throws -> String { try json(daemon, "inventory", "list", "--team", "desert-blue") }
      let before = try stock()
      func photos() -> Int { Files.names(in: daemon.state + "/photos/1").count }
      let pictures = photos()
      try daemon.scratch.write("pool.jpg", [0xFF, 0xD8, 0xFF, 0xE0] + Array("picture".utf8))
      let logged = try daemon.ask(
        "visit", "log", "Steve Baird", "--team", "desert-blue", "--ph", "8.3", "--calcium", "420", "--notes",
        "Skimmer broken", "--at", "-1d", "--dose", "all", "--photo", daemon.scratch.path + "/pool.jpg")
      #expect(logged.output.hasPrefix("Steve Baird, Sat 2026-02-28"), "\(logged.output)\(logged.errors)")
      #expect(try stock() != before)
      let found = try daemon.ask("visit", "list", "--team", "desert-blue", "--search", "skimmer", "--plain")
      let id = String(found.output.split(separator: "\t").first ?? "")
      #expect(id.count == 8 && found.output.contains("Steve Baird"), "\(found.output)\(found.errors)")
      let edited = try daemon.query(
        FieldCall.EditVisit.Reply.self, "visit", "set", id, "--team", "desert-blue", "--ph", "7.4", "--dose", "none")
      #expect(edited.visit.id.hasPrefix(id) && edited.visit.doses.isEmpty)
      #expect(try stock() == before)
      #expect(photos() == pictures + 1)
      let removed = try daemon.ask("visit", "remove", id, "--team", "desert-blue", "--yes")
      #expect(removed.output.hasPrefix("visit to Steve Baird of Sat 2026-02-28"), "\(removed.output)\(removed.errors)")
      #expect(photos() == pictures)
      let book = try daemon.ask("audit").output
      #expect(book.contains("visit log 'Steve Baird' --team desert-blue --at -1d --ph 8.3"), "\(book)")
      #expect(book.contains("visit set '\(id)' --team desert-blue --ph 7.4 --dose none") && !book.contains("Skimmer"))
      #expect(book.components(separatedBy: "visit remove").count == 2, "the question before it is no change")
    }

    @Test func `the CSV export of one pool's visits neutralises spreadsheet formulas`() throws {
      let daemon = try Daemon(at: DemoStore.madeAt).start()
      try daemon.change(
        "visit", "log", "Steve Baird", "--team", "desert-blue", "--dose", "none", "--notes", "=1+1, \"quoted\"")
      func lines(_ words: String...) throws -> [String] {
        let answer = try Pfctl.run(["export"] + words + ["--socket", daemon.socket], in: daemon.scratch)
        #expect(answer.code == 0, "\(answer.errors)")
        return answer.output.split(separator: "\n").map(String.init)
      }
      let all = try lines("visits", "--team", "desert-blue")
      let own = try lines("visits", "--team", "desert-blue", "--pool", "steve baird")
      #expect(own.first == all.first && own.dropFirst() == all.filter { $0.contains(",Steve Baird,") }[...])
      #expect(own.count > 2 && own.last?.hasSuffix(",\"'=1+1, \"\"quoted\"\"\",USD") == true, "\(own.last ?? "")")
      let file = daemon.scratch.path + "/baird.csv"
      try daemon.change("export", "visits", "--team", "desert-blue", "--pool", "Steve Baird", "--output", file)
      #expect(try Files.text(file) == own.joined(separator: "\n") + "\n")
      for (words, part) in [
        (["pools", "--team", "desert-blue", "--pool", "Steve Baird"], "only visits"),
        (["visits", "--team", "desert-blue", "--pool", "Unknown Customer"], "no pool"),
        (["template", "--pool", "X"], "contains no data"),
      ] {
        let answer = try Pfctl.run(["export"] + words + ["--socket", daemon.socket], in: daemon.scratch)
        #expect(answer.code != 0 && answer.errors.contains(part), "\(words): \(answer.errors)")
      }
    }

    @Test func `every invalid input gets one sentence and changes nothing`() throws {
      let daemon = try Daemon(at: DemoStore.madeAt).start()
      try daemon.change("visit", "log", "Steve Baird", "--team", "desert-blue", "--ph", "7.5", "--dose", "none")
      try daemon.change("visit", "undo", "Steve Baird", "--team", "desert-blue")
      try daemon.change("pool", "remove", "Victor Mercer", "--team", "desert-blue", "--yes")
      func state() throws -> String {
        try ["pools", "visits", "stock"].map {
          try json(daemon, "export", $0, "--team", "desert-blue")
        }.joined()
      }
      let before = try state()
      let visit = ["visit", "log", "Steve Baird", "--team", "desert-blue"]
      let bad: [([String], String)] = [
        (visit + ["--ph", "15"], "between 0 and 14"), (visit + ["--ph=-1"], "between 0 and 14"),
        (visit + ["--ph", "nan"], "plain number"), (visit + ["--ph", "inf"], "plain number"),
        (visit + ["--ph", "1e1"], "plain number"), (visit + ["--temp", "300"], "32 and 140"),
        (visit + ["--calcium", "999999"], "5000"), (visit + ["--at", "tomorrow"], "is in the future"),
        (["visit", "set", "Steve Baird", "--team", "desert-blue"], "needs something to change"),
        (["visit", "set", "Steve Baird", "--team", "desert-blue", "--dose", "Muriatic=x"], "NAME=AMOUNT"),
        (["visit", "remove", "Steve Baird", "--team", "desert-blue"], "--yes"),
        (["visit", "remove", "ffffffff", "--team", "desert-blue", "--yes"], "no visit whose id begins"),
        (visit + ["--ph", "7.5", "--dose", "Unobtainium=4"], "no stock item 'Unobtainium'"),
        (visit + ["--ph", "7.5", "--dose", "Muriatic=100000"], "the stock of Muriatic Acid"),
        (visit + ["--ph", "7.5", "--dose", "Muriatic=-3"], "more than 0"),
        (visit + ["--ph", "7.5", "--dose", "some"], "all, none, or NAME=AMOUNT"),
        (["visit", "log", "Victor Mercer", "--team", "desert-blue", "--ph", "7.5"], "no pool"),
        (["visit", "undo", "Steve Baird", "--team", "desert-blue"], "can be undone"),
        (["pool", "set", "Steve Baird", "--team", "desert-blue", "--volume", "999"], "Minimum 1,000 gal"),
        (["pool", "set", "Steve Baird", "--team", "desert-blue", "--volume", "1000000000"], "Maximum 200,000 gal"),
        (["pool", "set", "Steve Baird", "--team", "desert-blue", "--fee", "0"], "greater than 0"),
        (["pool", "set", "Steve Baird", "--team", "desert-blue", "--locate", "91,0"], "between -90 and 90 degrees"),
        (["pool", "remove", "Steve Baird", "--team", "desert-blue"], "--yes"),
        (["pool", "list", "--team", "desert-blue", "--search", " "], "a part of a customer's name or of an address"),
        (["pool", "list", "--team", "desert-blue", "--search", String(repeating: "x", count: 201)], "200"),
        (["inventory", "add", "X", "--team", "desert-blue", "--type", "acidd"], "did you mean 'acid'"),
        (["inventory", "set", "Muriatic", "--team", "desert-blue", "--stock=-1"], "between 0 and"),
        (["inventory", "set", "Muriatic", "--team", "desert-blue", "--stock", "two"], "an amount such as 12oz"),
        (["inventory", "set", "Muriatic", "--team", "desert-blue", "--threshold", "2,5L"], "with a decimal point"),
        (["inventory", "set", "Muriatic", "--team", "desert-blue", "--cost", "1/bag"], "a price such as"),
        (["pool", "set", "Steve Baird", "--team", "desert-blue", "--volume", "1m3"], "Minimum 3,785 L"),
        (
          ["equipment", "add", "Steve Baird", "Cell", "--team", "desert-blue", "--type", "chlorinator"],
          "equipment is pump, filter, heater, cleaner, salt-system, automation, light, cover, other"
        ),
        (["equipment", "set", "Steve Baird", "Nothing", "--team", "desert-blue", "--model", "A"], "no equipment"),
        (["profit", "--team", "desert-blue", "--days", "31"], "30, 60 or 90"),
        (["lsi", "--ph", "7", "--temp", "80", "--calcium", "inf", "--alkalinity", "100"], "plain number"),
        (
          ["dose", "--ph", "7", "--temp", "80", "--calcium", "1", "--alkalinity", "1", "--volume", "1e9"],
          "valid number"
        ),
      ]
      for (words, part) in bad {
        let answer = try Pfctl.run(words + ["--socket", daemon.socket], in: daemon.scratch)
        #expect(answer.code != 0, "\(words)")
        #expect(answer.errors.contains(part), "\(words): \(answer.errors)")
        #expect(answer.errors.split(separator: "\n").count == 1, "\(words): \(answer.errors)")
      }
      #expect(try state() == before)
    }

    @Test func `pools are found by name, address and notes; reports omit pool notes`() throws {
      let daemon = try Daemon(at: DemoStore.madeAt).start()
      let team = ["--team", "desert-blue"]
      try daemon.change(
        "pool", "set", "Steve Baird", "--notes", "Spa on the roof; gate 4711\nDoberman", "--team", team[1])
      func found(_ text: String) throws -> [String] {
        try daemon.query(PoolsCall.List.Reply.self, "pool", "list", "--team", team[1], "--search", text).pools
          .map(\.customer)
      }
      for text in ["steve baird", "ON THE ROOF", "doberman"] { #expect(try found(text) == ["Steve Baird"], "\(text)") }
      #expect(try found("no such words").isEmpty)
      let listed = try daemon.ask(["pool", "list", "--search", "doberman"] + team)
      #expect(listed.output.contains("Steve Baird") && !listed.output.contains("4711"), "\(listed.output)")

      let log = ["visit", "log", "Steve Baird", "--ph", "7.4", "--dose", "none"] + team
      #expect(try daemon.ask(log + ["--notes", "New basket <b>.\n\nPlease keep the lid shut."]).code == 0)
      for (format, basket) in [("text", "New basket <b>."), ("md", "New basket"), ("html", "New basket &lt;b&gt;.")] {
        let report = try daemon.ask(["report", "visit", "Steve Baird", "--format", format] + team).output
        #expect(report.contains("Notes") && report.contains(basket), "\(report)")
        #expect(report.contains("Please keep the lid shut"), "\(report)")
        #expect(!report.contains("4711") && !report.contains("Doberman"), "\(report)")
      }
      #expect(try daemon.ask(log).code == 0)
      #expect(try !daemon.ask(["report", "visit", "Steve Baird"] + team).output.contains("Notes"))
    }

    @Test func `a pool is added with --locate; an incomplete location is refused`() throws {
      let daemon = try Daemon(at: DemoStore.madeAt).start()
      let add = ["pool", "add", "Zoë Quill", "12 N Fröbel St", "--team", "desert-blue"]
      let bad: [([String], String)] = [
        (["--locate", "33.4"], "LAT,LON"), (["--locate", "33.4,"], "LAT,LON"), (["--locate", "1,2,3"], "LAT,LON"),
        (["--locate", ""], "LAT,LON"), (["--locate", "north,west"], "plain number"),
        (["--locate", "91,10"], "between -90 and 90"), (["--locate", "33.4,-181"], "between -180 and 180"),
        (["--latitude", "33"], "no option --latitude"),
      ]
      for (words, part) in bad {
        let answer = try Pfctl.run(add + words + ["--socket", daemon.socket], in: daemon.scratch)
        #expect(answer.code != 0 && answer.errors.contains(part), "\(words): \(answer.errors)")
      }
      func found(_ text: String) throws -> [String] {
        try daemon.query(PoolsCall.List.Reply.self, "pool", "list", "--team", "desert-blue", "--search", text).pools
          .map(\.customer)
      }
      #expect(try found("zoe").isEmpty)
      try daemon.change(
        "pool", "add", "Zoë Quill", "12 N Fröbel St", "--team", "desert-blue", "--locate", "33.4152, -111.8315",
        "--notes", "gate 77\nbeware of\tdog\n")
      #expect(try found("ZOE") == ["Zoë Quill"] && found("frobel") == ["Zoë Quill"])
      let shown = try daemon.ask("pool", "show", "zoë quill", "--team", "desert-blue", "--reveal")
      #expect(shown.output.contains("33.41520, -111.83150"), "\(shown.output)\(shown.errors)")
      #expect(
        shown.output.contains("\nnotes       gate 77\n            beware of\\u{9}dog\nvisits "), "\(shown.output)")
      try daemon.change("pool", "set", "Zoë Quill", "--team", "desert-blue", "--locate=-33.5,151.25")
      let moved = try daemon.query(PoolsCall.Show.Reply.self, "pool", "show", "Zoë", "--team", "desert-blue").details
      #expect(moved.latitude == -33.5 && moved.longitude == 151.25)
      // An exact name wins over a longer name that starts with it.
      try daemon.change("pool", "add", "zoë quill jr", "14 N Fröbel St", "--team", "desert-blue")
      try daemon.change("pool", "set", "Zoë Quill", "--team", "desert-blue", "--fee", "160")
      #expect(
        try daemon.ask("pool", "show", "Zo", "--team", "desert-blue").errors.contains("type more of the name or id"))
    }

    @Test func `a change of the dates of service prints the command that restores them`() throws {
      let daemon = try Daemon(at: "2026-03-02T14:00:00Z").start()
      let set = ["pool", "set", "Steve Baird", "--team", "desert-blue"]
      let first = try daemon.ask(set + ["--service", "Tue,Thu"])
      let restore = "to restore the dates of service before: pfctl pool set 'Steve Baird' "
      #expect(first.errors == restore + "--service weekly --day Mon --team desert-blue\n")
      let second = try daemon.ask(set + ["--service", "every 2 weeks from 2026-03-10"])
      #expect(second.errors == restore + "--service Tue,Thu --team desert-blue\n")
      let third = try daemon.ask(set + ["--service", "weekly", "--day", "Mon"])
      #expect(third.errors == restore + "--service 'every 2 weeks from 2026-03-10' --day Tue --team desert-blue\n")
      #expect(try daemon.ask(set + ["--fee", "150"]).errors.isEmpty)
    }

    @Test func `profit names its period and calls no profitable pool a loser`() throws {
      let daemon = try Daemon(at: "2026-03-02T14:00:00Z").start()
      let answer = try daemon.ask("profit", "--team", "desert-blue", "--days", "60")
      #expect(answer.output.contains("FEE/MONTH") && answer.output.contains("CHEMICALS/60 DAYS"), "\(answer.output)")
      #expect(answer.output.contains("chemicals above 30 %") && !answer.output.contains("loser"), "\(answer.output)")
      #expect(answer.errors.hasPrefix("one month's fees "), "\(answer.errors)")
      #expect(answer.errors.contains("minus the chemicals of 60 days"), "\(answer.errors)")
      #expect(answer.errors.contains("with chemicals above 30 % of the fee"), "\(answer.errors)")
      #expect(try daemon.ask("help", "profit").output.replacing("\n", with: " ").contains("more than 30 % of the fee"))
      let week = try daemon.ask("digest", "--team", "desert-blue", "--kind", "weekly", "--at", "2026-03-01").output
      #expect(week.contains("Chemicals above 30") && !week.lowercased().contains("loser"), "\(week)")
    }

    @Test func `with PlanLimits on, plans close the features they do not include`() throws {
      let daemon = try Daemon(at: DemoStore.madeAt)
      try daemon.settings("[Daemon]\nPlanLimits = on\n")
      try daemon.start()
      try daemon.change("team", "plan", "desert-blue", "free")
      for words in [
        ["profit", "--team", "desert-blue"], ["pool", "add", "One More", "1 A St", "--team", "desert-blue"],
      ] {
        let answer = try Pfctl.run(words + ["--socket", daemon.socket], in: daemon.scratch)
        #expect(answer.code == 65, "\(words)")
        #expect(answer.errors.contains("free plan"), "\(answer.errors)")
        #expect(answer.errors.contains("pfctl team plan desert-blue trial"), "\(answer.errors)")
      }
      // Features that every plan includes, as in the app.
      try daemon.change("pool", "trend", "Steve Baird", "--team", "desert-blue")
      try daemon.change("pool", "usage", "Steve Baird", "--team", "desert-blue")
      try daemon.change("report", "month", "--team", "desert-blue", "--month", "2026-02")
      let closed = try daemon.query(BackupCall.Create.Reply.self, "backup", "create")
      #expect(closed.backup.archives == 0 && closed.withheld.count == 1)
      #expect(closed.withheld.first?.contains("run: pfctl team plan desert-blue trial") == true)
      // By default (PlanLimits off) plans limit no team.
      try daemon.settings("")
      try daemon.change("reload")
      try daemon.change("profit", "--team", "desert-blue")
      try daemon.change("pool", "trend", "Steve Baird", "--team", "desert-blue")
      let open = try daemon.query(BackupCall.Create.Reply.self, "backup", "create")
      #expect(open.backup.archives > 0 && open.withheld.isEmpty)
      try daemon.change("pool", "add", "One More", "1 A St", "--team", "desert-blue")
    }

    @Test func `the audit log omits notes, phone numbers and gate codes`() throws {
      let daemon = try Daemon(at: DemoStore.madeAt).start()
      try daemon.change(
        "pool", "set", "Steve Baird", "--team", "desert-blue", "--phone", "480-555-9999", "--gate", "code 7777")
      try daemon.change(
        "visit", "log", "Steve Baird", "--team", "desert-blue", "--ph", "7.5", "--notes", "gate 8888 is broken")
      try daemon.change("pool", "set", "Steve Baird", "--team", "desert-blue", "--notes", "gate 6666")
      let book = try daemon.ask("audit").output
      #expect(book.contains("pool set 'Steve Baird'") && book.contains("visit log 'Steve Baird'"))
      for secret in ["9999", "7777", "8888", "6666"] {
        #expect(!book.contains(secret))
        #expect(!daemon.log.contains(secret))
      }
    }

    @Test func `profit, health, trend and usage match the demo's expected values`() throws {
      let daemon = try Daemon(at: "2026-03-02T14:00:00Z").start()
      let file = Checkout.root + "/config/demo/demo-expected.json"
      let expected = try JSONDecoder().decode(Demo.self, from: Data(contentsOf: URL(filePath: file)))
      for (days, wanted) in expected.analytics {
        let report = try daemon.query(WaterCall.Profit.Reply.self, "profit", "--team", "desert-blue", "--days", days)
          .report
        #expect(abs(report.chemicals - wanted.totalChemicalCost) < 1e-6, "\(days)")
        #expect(abs(report.revenue - wanted.totalRevenue) < 1e-6, "\(days)")
        #expect(report.losers == wanted.moneyLoserCount, "\(days)")
      }
      let health = try daemon.query(WaterCall.Health.Reply.self, "health", "--team", "desert-blue").health
      #expect(health.unlocated.count == 3 && health.unpriced.count == 1 && health.stale.count == 3)
      #expect(health.low.count == 2)
      let trend = try daemon.query(
        WaterCall.Trend.Reply.self, "pool", "trend", "Steve Baird", "--team", "desert-blue")
      try daemon.change(
        "pool", "trend", "Steve Baird", "--team", "desert-blue", "--format", "svg", "--output", daemon.state + "/t.svg")
      #expect(trend.points.count == 15)
      #expect(try Files.text(daemon.state + "/t.svg").contains("<circle class=\"cn\""))
      let page = try daemon.ask("pool", "trend", "Steve Baird", "--team", "desert-blue", "--format", "html")
      #expect(page.output.contains("<figure>") && page.output.contains("Saturation index (LSI)"))
      let usage = try daemon.query(WaterCall.Usage.Reply.self, "pool", "usage", "Steve Baird", "--team", "desert-blue")
      #expect(usage.usage.visits > 15 && !usage.usage.top.isEmpty && usage.usage.top.count <= 5)
      #expect(abs(usage.usage.average * Double(usage.usage.visits) - usage.usage.spent) < 1e-6)
    }

    @Test func `the nightly refresh reports a pool whose water crossed a limit`() throws {
      let daemon = try Daemon(at: "2026-03-02T20:00:00Z")
      try daemon.launch(environment: ["TZ": "UTC"])
      try daemon.ready()
      let calm = ["visit", "log", "Steve Baird", "--team", "desert-blue", "--dose", "none", "--temp", "78F"]
      func visit(_ readings: String...) throws {
        let answer = try Pfctl.run(calm + readings + ["--socket", daemon.socket], in: daemon.scratch)
        #expect(answer.code == 0, "\(answer.errors)")
      }
      try visit("--ph", "7.4", "--calcium", "250", "--alkalinity", "100", "--cya", "30")
      try daemon.change("lsi", "refresh")
      try visit("--ph", "8.4", "--calcium", "400", "--alkalinity", "140", "--cya", "30")
      daemon.clock.set(to: try #require(Timestamp(rfc3339: "2026-03-03T02:30:01Z")))
      try eventually("the night", { daemon.log.contains("checked the water of 1 pool:") })
      let crossed = try daemon.query(WaterCall.Health.Reply.self, "health", "--team", "desert-blue").health.crossed
      #expect(crossed.first?.customer == "Steve Baird")
      #expect(crossed.first?.detail.hasPrefix("balanced to scale-forming") == true)
      let before = Set(daemon.notices)
      daemon.clock.set(to: try #require(Timestamp(rfc3339: "2026-03-03T13:59:59Z")))
      try eventually("Tuesday's file", { daemon.notices.count > before.count })
      let name = try #require(daemon.notices.first { !before.contains($0) && $0.contains("morning") })
      #expect(try Files.text("\(daemon.drop)/\(name)").contains("Steve Baird: balanced to scale-forming"))
    }

    private struct Demo: Decodable {
      struct Totals: Decodable {
        let totalRevenue: Double
        let totalChemicalCost: Double
        let moneyLoserCount: Int
      }
      let analytics: [String: Totals]
    }
  }
}
