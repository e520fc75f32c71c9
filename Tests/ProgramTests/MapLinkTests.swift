import FlowTestKit
import Foundation
import Testing

extension Programs {
  /// The map links of each stop of a digest, through the built programs.
  @Suite struct MapLinkTests {
    @Test func `each stop has three map links, by coordinates or else by address`() throws {
      let one = try OneTeam("maps", zone: "America/Phoenix")
      _ = try one.ask("pool", "add", "Anna", "1 Elm St", "--day", "Mon", "--locate", "33.4484,-112.074")
      _ = try one.ask("pool", "add", "Ben", "2 Rúa \"A\" & B?", "--day", "Mon")
      let address = "2%20R%C3%BAa%20%22A%22%20%26%20B%3F"
      let targets = [
        "https://www.google.com/maps/dir/?api=1&destination=33.44840,-112.07400",
        "https://maps.apple.com/?daddr=33.44840,-112.07400", "geo:0,0?q=33.44840,-112.07400",
        "https://www.google.com/maps/dir/?api=1&destination=\(address)", "https://maps.apple.com/?daddr=\(address)",
        "geo:0,0?q=\(address)",
      ]
      let html = try one.ask("digest", "--at", "2026-11-30", "--format", "html").replacing("&amp;", with: "&")
      let links = html.matches(of: /<a href="([^"#][^"]*)">([^<]*)<\/a>/).map {
        (String($0.output.1), String($0.output.2))
      }
      let route = "https://www.google.com/maps/dir/?api=1&destination=\(address)&waypoints=33.44840,-112.07400"
      #expect(links.map(\.0) == [route] + targets, "\(html)")
      // A browser shows the link for its platform.
      #expect(links.map(\.1) == ["Whole route"] + targets.map { _ in "Navigate" })
      let markdown = try one.ask("digest", "--at", "2026-11-30", "--format", "md")
      for target in targets { #expect(markdown.contains("(<\(target)>)"), "\(target) in \(markdown)") }
      let text = try one.ask("digest", "--at", "2026-11-30")
      #expect(!text.contains("geo:") && !text.contains("http"), "\(text)")
      // A calendar event has one URL only.
      let calendar = try one.ask("digest", "--at", "2026-11-30", "--format", "ics").replacing("\r\n ", with: "")
      #expect(calendar.contains("URL:\(targets[0])\r\n") && !calendar.contains("apple"), "\(calendar)")
      try one.daemon.change("team", "set", "maps", "language=de")
      #expect(try one.ask("digest", "--at", "2026-11-30", "--format", "html").contains(">Navigieren<"))
    }
  }
}
