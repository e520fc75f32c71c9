import FlowTestKit
import Foundation
import RegexBuilder
import Testing

extension Programs {
  /// `show-both-units`: figures in US and metric units, through the built programs.
  @Suite struct BothUnitsTests {
    private func filled(_ team: String, zone: String) throws -> OneTeam {
      let one = try OneTeam(team, zone: zone)
      _ = try one.ask("pool", "add", "Anna", "1 Elm St", "--day", "Mon", "--volume", "13209gal")
      _ = try one.ask("inventory", "set", "Muriatic", "--stock", "512oz", "--threshold", "600oz")
      _ = try one.ask(
        "visit", "log", "Anna", "--ph", "8.2", "--temp", "79F", "--calcium", "350", "--alkalinity", "120", "--cya",
        "30",
        "--dose", "none")
      return one
    }

    @Test(arguments: [
      ("America/Phoenix", ["13,209 gal (50,001 L)", "79 °F (26 °C)", "4.0 gal (15.1 L)"]),
      ("Europe/Berlin", ["50,001 L (13,209 gal)", "26 °C (79 °F)", "15.1 L (4.0 gal)"]),
    ])
    func `figures have both units with show-both-units, the team's own first`(zone: String, figures: [String]) throws {
      let one = try filled("both", zone: zone)
      func pages() throws -> [String] {
        let asked = [
          ["pool", "show", "Anna"], ["pool", "list"], ["inventory", "list"], ["report", "visit", "Anna"],
          ["digest", "--at", "2026-11-30"], ["digest", "--at", "2026-11-30", "--format", "html"],
          ["digest", "--at", "2026-11-30", "--format", "md"], ["digest", "--kind", "weekly", "--at", "2026-11-29"],
        ]
        return try asked.map { words in
          let answer = try one.daemon.ask(words + ["--team", one.team])
          return SameFactTests.plain(OneTeam.unwrapped(answer.output))
        }
      }
      for page in try pages() { #expect(!page.contains(Figures.pair), "\(page)") }
      try one.daemon.change("team", "set", one.team, "show-both-units=on")
      #expect(try one.daemon.ask("team", "show", one.team).output.contains(/show-both-units +on/))
      let both = try pages()
      for page in both { #expect(Figures.alone(in: page) == [], "\(page)") }
      #expect(both[0].contains(figures[0]) && both[0].contains(figures[1]), "\(both[0])")
      #expect(both[1].contains(figures[0]) && both[2].contains(figures[2]), "\(both[1]) \(both[2])")
      for page in both[3...6] { #expect(page.contains(figures[0]) && page.contains(figures[1]), "\(page)") }
      for page in both[4...6] { #expect(page.contains(figures[2] + " left"), "\(page)") }
      let logged = try one.ask("visit", "log", "Anna", "--ph", "8.2", "--dose", "Muriatic=64oz")
      #expect(Figures.alone(in: SameFactTests.plain(logged)) == [] && logged.contains(Figures.pair), "\(logged)")
      try one.daemon.change("team", "set", one.team, "show-both-units=off")
      for page in try pages() { #expect(!page.contains(Figures.pair), "\(page)") }
    }

    @Test func `the HTML page of a notice has both units, in the team's language`() throws {
      let one = try filled("told", zone: "America/Phoenix")
      try one.daemon.change("team", "set", one.team, "show-both-units=on", "language=fr")
      _ = try one.ask("run", "morning-summary", "--at", "2026-11-30", "--wait")
      let file = try one.daemon.notice(of: "morning-summary")
      let page = SameFactTests.plain(try Files.text(file.replacing(".json", with: ".html")))
      #expect(page.contains("13 209 gal (50 001 L)") && page.contains("4,0 gal (15,1 L)"), "\(page)")
      #expect(Figures.alone(in: page) == [], "\(page)")
    }
  }
}

/// Finds quantities of water, temperature and chemicals in the plain text of a page (no tags, no non-breaking spaces).
enum Figures {
  /// One figure, such as `13,209 gal`, `53 lb(s) 9 oz` or `13 lb`.
  private static var one: Regex<Substring> {
    /[0-9][0-9.,\ ]*(?:lb(?:\(s\))?(?: [0-9]+ oz)?|fl oz|oz|gal|L|mL|kg|g|°F|°C)\b/
  }

  /// A figure with its second unit, such as `13,209 gal (50,001 L)`.
  static var pair: Regex<Substring> {
    Regex {
      one
      " ("
      one
      ")"
    }
  }

  /// The figures without a second figure in brackets after them.
  static func alone(in page: String) -> [String] {
    page.replacing(pair, with: "").matches(of: one).map { String($0.output) }
  }
}
