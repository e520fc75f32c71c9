import Foundation
import Testing

/// A daemon with one empty team, and helpers that run commands for that team.
struct OneTeam {
  let daemon: Daemon
  let team: String

  init(_ team: String, zone: String, trade: String? = nil, at now: String = "2026-11-27T18:00:00Z") throws {
    daemon = try Daemon(at: now, empty: true).start()
    self.team = team
    try daemon.change("team", "add", team, "--zone", zone, "--trade", trade ?? "pool-service")
  }

  func ask(_ words: String...) throws -> String {
    let answer = try daemon.ask(words + ["--team", team])
    #expect(answer.code == 0, "\(words): \(answer.errors)")
    return answer.output
  }

  func errors(_ words: String...) throws -> String { try daemon.ask(words + ["--team", team]).errors }

  func query<Reply: Decodable>(_ reply: Reply.Type, _ words: String...) throws -> Reply {
    let answer = try daemon.ask(words + ["--team", team, "--json"])
    #expect(answer.code == 0, "\(words): \(answer.errors)")
    return try JSONDecoder().decode(reply, from: Data(answer.output.utf8))
  }

  /// The digest of a day in every text format, each as one line.
  func pages(_ date: String, kind: String = "morning") throws -> [String] {
    try ["text", "md", "html"].map { Self.unwrapped(try ask("digest", "--at", date, "--kind", kind, "--format", $0)) }
  }

  /// A text without line breaks and without Markdown's backslashes.
  static func unwrapped(_ text: String) -> String {
    text.split { $0 == " " || $0.isNewline }.joined(separator: " ").replacing("\\", with: "")
  }
}
