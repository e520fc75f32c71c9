import FlowModel
import Foundation
import Testing

extension Programs.FactsTests {
  private struct BarnWeek: Decodable {
    struct Line: Decodable { let horse: String }

    let missed: [Line]
  }

  @Test func `a medication is always shown with its time of day`() throws {
    let one = try OneTeam("willow", zone: "America/Denver", trade: "stable")
    _ = try one.ask("horse", "add", "Juniper")
    _ = try one.ask("feed", "set", "Juniper", "--am-medications", "Previcox 57 mg", "--pm-medications", "Bute 1 g")
    for page in try one.pages("2026-11-28") {
      #expect(page.contains("AM: Previcox 57\u{A0}mg") && page.contains("PM: Bute 1\u{A0}g"))
      #expect(!page.contains("Medication:"), "\(page)")
    }
    _ = try one.ask("run", "barn-digest", "--wait")
    let notice = try Files.text(one.daemon.notice(of: "barn-digest"))
    for words in ["Juniper: AM: Previcox 57 mg", "Juniper: PM: Bute 1 g"] {
      #expect(notice.contains(words), "\(notice)")
    }
  }

  @Test func `no feed is reported missed before the board's first mark`() throws {
    let one = try OneTeam("willow", zone: "America/Denver", trade: "stable", at: "2026-11-29T20:00:00Z")
    for horse in ["Juniper", "Sage"] {
      _ = try one.ask("horse", "add", horse, "--added", "2024-01-01")
      _ = try one.ask("feed", "set", horse, "--am-grain", "2 qt oats", "--pm-grain", "2 qt oats")
    }
    #expect(try one.ask("digest", "--at", "2026-11-29").contains("Nothing was missed yesterday."))
    let week = try JSONDecoder().decode(
      BarnWeek.self,
      from: Data(try one.ask("digest", "--kind", "weekly", "--at", "2026-11-29", "--format", "json").utf8))
    #expect(week.missed.isEmpty)
    // From the first mark on, unmarked feeds are missed.
    _ = try one.ask("feed", "mark", "Juniper", "pm")
    one.daemon.clock.set(to: try #require(Timestamp(rfc3339: "2026-11-30T20:00:00Z")))
    let next = OneTeam.unwrapped(try one.ask("digest", "--at", "2026-11-30"))
    #expect(next.contains("Sage: Evening") && !next.contains("Sage: Morning"), "\(next)")
  }
}
