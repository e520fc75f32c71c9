import PoolControl
import FlowControl
import FlowModel
import FlowTestKit
import Foundation
import PoolModel
import Testing

extension Programs {
  /// Figures computed in two places agree, through the built programs.
  @Suite struct FiguresTests {
    @Test(arguments: [
      ("America/Phoenix", 15_000, 78), ("America/Toronto", 15_000, 78), ("Europe/London", 13_209, 77),
      ("Europe/Berlin", 13_209, 77), ("Europe/Madrid", 13_209, 82), ("Atlantic/Canary", 13_209, 82),
      ("America/Sao_Paulo", 13_209, 82), ("Australia/Sydney", 13_209, 79), ("Europe/Paris", 13_209, 79),
      ("Asia/Tokyo", 13_209, 79),
    ])
    func `a new pool gets the usual values of its team's country`(zone: String, gallons: Int, degrees: Int)
      throws
    {
      let one = try OneTeam("here", zone: zone)
      _ = try one.ask("pool", "add", "A", "B")
      #expect(try one.query(PoolsCall.List.Reply.self, "pool", "list").pools.map { Int($0.volumeGallons) } == [gallons])
      // The exported CSV file has the same volume.
      let folder = one.daemon.scratch.path + "/pools.csv"
      try one.daemon.change("export", "pools", "--team", "here", "--output", folder)
      #expect(try Files.text(folder).contains("\(gallons)"))
      _ = try one.ask("pool", "add", "C", "D", "--region", "ES")
      #expect(
        try one.query(PoolsCall.List.Reply.self, "pool", "list").pools.map { Int($0.volumeGallons) } == [
          gallons, 13_209,
        ])
    }

    @Test func `a metric pool has the same volume on every page`() throws {
      let one = try OneTeam("litres", zone: "Europe/Berlin")
      _ = try one.ask("pool", "add", "A", "B", "--day", "Mon", "--volume", "13209gal")
      #expect(try one.ask("pool", "show", "A").contains("50,001 L"))
      #expect(try one.ask("pool", "list").contains("50,001 L"))
      #expect(try one.ask("digest", "--at", "2026-11-30").contains("50,001 L"))
    }

    @Test func `a page shows a chemical's stock, need, load and shortage in one unit`() throws {
      let one = try OneTeam("acid-blue", zone: "America/Phoenix")
      _ = try one.ask("inventory", "set", "Muriatic", "--stock", "512", "--threshold", "600")
      for (day, count) in [("Mon", 1), ("Tue", 3)] {
        for number in 1...count {
          _ = try one.ask("pool", "add", "\(day) \(number)", "\(number) Elm St", "--day", day, "--volume", "30000gal")
          _ = try one.ask(
            "visit", "log", "\(day) \(number)", "--ph", "8.4", "--temp", "80F", "--calcium", "350", "--alkalinity",
            "100",
            "--cya", "30")
        }
      }
      let page = try one.ask("digest", "--at", "2026-11-30")
      let low = try #require(page.split(whereSeparator: \.isNewline).first { $0.contains("left, threshold") })
      #expect(low.contains("4.0 gal left, threshold 4.7 gal"), "\(page)")
      #expect(!low.contains("lb(s)"), "\(low)")
      let match = try #require(OneTeam.unwrapped(page).firstMatch(of: /needs ([0-9.]+) gal: short by ([0-9.]+) gal/))
      let (need, missing) = (try #require(Double(match.output.1)), try #require(Double(match.output.2)))
      #expect(((need - 4.0) * 10).rounded() == (missing * 10).rounded(), "\(low)")
      let list = try one.ask("inventory", "list")
      #expect(list.contains("4.0 gal") && list.contains("4.7 gal"), "\(list)")
      // The number of items in the notice equals that of its list.
      try one.daemon.change("team", "set", "acid-blue", "morning-summary=off")
      _ = try one.ask("inventory", "set", "Soda Ash", "--stock", "1", "--threshold", "0")
      _ = try one.ask("visit", "log", "Mon 1", "--ph", "6.9")
      one.daemon.clock.set(to: try #require(Timestamp(rfc3339: "2026-11-29T20:00:00Z")))
      _ = try one.ask("run", "low-stock", "--wait")
      let notice = try JSONDecoder().decode(
        Notice.self, from: Data(try Files.bytes(one.daemon.notice(of: "low-stock"))))
      let lines = notice.data.lines.filter { $0.hasPrefix("     ") }
      #expect(lines.count == 2 && notice.data.body.hasPrefix("2 low-stock"), "\(notice.data)")
    }

    private struct Notice: Decodable {
      struct Body: Decodable {
        let body: String
        let lines: [String]
      }

      let data: Body
    }

    @Test(arguments: [[], ["dose-units=by-kind"]])
    func `tablets stocked in kilograms are shown by weight and priced by weight`(settings: [String]) throws {
      let one = try OneTeam("tabs", zone: "Europe/Berlin")
      for setting in settings { try one.daemon.change("team", "set", "tabs", setting) }
      _ = try one.ask(
        "inventory", "add", "Chlor-Tabletten", "--type", "chlorine", "--stock", "10kg", "--threshold", "12kg", "--cost",
        "6.09/kg")
      func item() throws -> StockItemView {
        try #require(
          try one.query(FieldCall.ListStock.Reply.self, "inventory", "list").items.first {
            $0.name == "Chlor-Tabletten"
          })
      }
      #expect(try item().stockText == "10.0 kg" && item().thresholdText == "12.0 kg")
      let cost = try item().costText
      #expect(cost.hasSuffix("6.09/kg"), "\(cost)")
      _ = try one.ask("pool", "add", "Anna", "Ringstr. 1", "--day", "Mon")
      let logged = try one.ask("visit", "log", "Anna", "--ph", "7.4", "--dose", "Chlor=700g")
      #expect(logged.contains("700 g of Chlor-Tabletten") && logged.contains("9.3 kg left"), "\(logged)")
      let page = OneTeam.unwrapped(try one.ask("digest", "--at", "2026-11-30"))
      #expect(page.contains("700 g") && !page.contains("mL") && page.contains("9.3 kg left"), "\(page)")
      #expect(try one.ask("report", "visit", "Anna").contains("700 g"))
      #expect(try one.ask("pool", "usage", "Anna").contains("700 g"))
      let week = OneTeam.unwrapped(try one.ask("digest", "--kind", "weekly", "--at", "2026-11-29"))
      #expect(week.contains("Chlorine (dry) 700 g · €4.26"), "\(week)")
      // Liquid bleach is shown in litres; acid without a concentration counts as liquid, too.
      _ = try one.ask("inventory", "add", "Bleiche", "--type", "chlorine", "--stock", "5L")
      _ = try one.ask("inventory", "add", "Salzsäure", "--type", "acid", "--stock", "5000")
      let list = try one.ask("inventory", "list")
      #expect(list.components(separatedBy: "5.0 L").count == 3, "\(list)")
    }

    @Test func `a day of sixty stops continues past midnight and warns about it`() throws {
      let one = try OneTeam("long", zone: "America/Phoenix")
      for number in 1...60 { _ = try one.ask("pool", "add", "Pool \(number)", "\(number) Elm St", "--day", "Mon") }
      let page = OneTeam.unwrapped(try one.ask("digest", "--at", "2026-11-30"))
      #expect(
        !page.contains("11:55\u{202F}PM") || page.components(separatedBy: "11:55\u{202F}PM").count == 2, "\(page)")
      let json = try one.ask("digest", "--at", "2026-11-30", "--format", "json")
      let digest = try JSONDecoder().decode(Day.self, from: Data(json.utf8))
      let stops = digest.sections[0].stops
      let late = stops.count { ($0.eta_days ?? 0) == 1 }
      #expect(
        late > 0 && stops.map(\.arrives) == stops.map(\.arrives).sorted() && Set(stops.map(\.arrives)).count == 60)
      #expect(page.contains("The day does not fit: \(late) stops after midnight."), "\(page)")
      #expect(page.contains("AM Tue"), "\(page)")
      let calendar = try one.ask("digest", "--at", "2026-11-30", "--format", "ics")
      #expect(calendar.contains("DTSTART:20261201T"), "\(calendar)")
    }

    private struct Day: Decodable {
      struct Section: Decodable {
        let stops: [Stop]
      }
      struct Stop: Decodable {
        let arrives: String
        let eta_days: Int?
      }

      let sections: [Section]
    }

    @Test func `the saving of a better order equals the difference of the shown minutes`() throws {
      let daemon = try Daemon(at: "2026-03-02T14:00:00Z").start()
      let table = try daemon.ask("route", "compare", "--team", "desert-blue", "--day", "all", "--plain").output
      var rows = 0
      for line in table.split(whereSeparator: \.isNewline) {
        let minutes = line.matches(of: /([0-9]+) min/).compactMap { Int($0.output.1) }
        guard minutes.count == 4 else { continue }
        rows += 1
        #expect(max(0, minutes[0] - minutes[2]) == minutes[3], "\(line)")
      }
      #expect(rows > 10, "\(table)")
    }
  }
}
