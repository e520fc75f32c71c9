import FlowControl
import FlowModel
import FlowStore
import Foundation
import Testing
import TradeStores

extension Programs {
  /// Names with terminal control sequences, through every command that prints.
  @Suite struct TerminalSafetyTests {
    private static let team = "desert-blue"
    /// A C1 control, a bidi override, an OSC title, a tag character, a line separator, a zero-width space and a full-width
    /// "=".
    private static let evil = "\u{9B}31m\u{202E}gnp\u{1B}]0;pwned\u{7}\u{E0041}\u{2028}\u{200B}\u{FF1D}1+1"

    /// Writes the names directly into the file, because every command refuses them.
    private func daemon() throws -> Daemon {
      let daemon = try Daemon(at: "2026-03-02T19:00:00Z")
      let connection = try Connection(path: daemon.state + "/poolflow.db", mode: .readWrite)
      try connection.run("UPDATE pools SET customer_name = ?1 || customer_name, address = ?1", .text(Self.evil))
      try connection.run("UPDATE inventory_items SET name = ?1 || name, unit_label = ?1", .text(Self.evil))
      try connection.run("UPDATE equipment SET name = ?1 || name, notes = ?1", .text(Self.evil))
      try connection.run("UPDATE technicians SET name = ?1 || name", .text(Self.evil))
      try connection.run("UPDATE service_events SET tech_notes = ?1", .text(Self.evil))
      return try daemon.start()
    }

    private func screen(_ daemon: Daemon, _ words: [String]) throws -> String {
      let terminal = try PseudoTerminal(
        Checkout.pfctl, words + ["--socket", daemon.socket], columns: 200,
        environment: ["PAGER": "", "LC_ALL": "C.UTF-8"].merging(daemon.clock.environment) { $1 })
      // An answer, in case the command asks a question.
      try terminal.type("n\n")
      return try terminal.end().screen
    }

    /// Control and hidden characters on the screen, except those that pfctl writes itself: line ends, tabs, colours, the
    /// progress line.
    private func strange(_ screen: String) -> [String] {
      var rest = screen.replacing("\r\n", with: "\n").replacing(/\u{1B}\[[0-9]{1,2}m/, with: "")
      rest = rest.replacing("\r\u{1B}[K", with: "").replacing("\r\r\n", with: "\n")
      rest = rest.replacing(/\u{2068}([^\u{2068}\u{2069}\n]*)\u{2069}/) { String($0.output.1) }
      return rest.unicodeScalars.filter { isHidden($0) && $0 != "\n" && $0 != "\t" }.map { String($0.value, radix: 16) }
    }

    @Test func `no command prints control characters of a stored name`() throws {
      let daemon = try daemon()
      try daemon.change("run", "morning-summary", "--team", Self.team)
      var shown = 0
      let team = ["--team", Self.team]
      let lists: [[String]] = [
        ["pool", "list"] + team, ["visit", "list"] + team, ["inventory", "list"] + team, ["equipment", "list"] + team,
        ["export", "pools"] + team, ["export", "visits"] + team, ["export", "stock"] + team, ["health"] + team,
        ["profit"] + team, ["route", "show"] + team, ["route", "show", "--map"] + team,
        ["digest", "--team", Self.team], ["digest", "--team", Self.team, "--format", "md"],
        ["digest", "--team", Self.team, "--format", "html"],
        ["digest", "--team", Self.team, "--format", "ics"], ["digest", "--team", Self.team, "--format", "json"],
        ["digest", "--team", Self.team, "--kind", "weekly"], ["team", "show", Self.team], ["simulate"], ["events"],
        ["outbox", "list"], ["history"], ["list"], ["audit"], ["status"], ["doctor"],
        ["why", "morning-summary"] + team,
        ["pool", "show", "unknown"] + team, ["route", "export", "--team", Self.team],
        ["route", "export", "--team", Self.team, "--format", "gpx"],
        ["route", "export", "--team", Self.team, "--format", "vroom"],
      ]
      for words in lists {
        for form in [[], ["--json"], ["--plain"]] {
          let screen = try screen(daemon, words + form)
          #expect(strange(screen) == [], "\(words + form)")
          if screen.contains("u{9B}") || screen.contains("u009b") { shown += 1 }
        }
      }
      #expect(shown > 20, "the names were not on the screens: \(shown)")
    }

    @Test func `no command prints control characters of its arguments`() throws {
      let daemon = try daemon()
      let help = try daemon.ask("help").output
      let commands = help.split(separator: "\n").compactMap { line -> [String]? in
        guard line.hasPrefix("  "), !line.hasPrefix("  -"), let end = line.dropFirst(2).firstRange(of: "  ") else {
          return nil
        }
        return line[line.index(line.startIndex, offsetBy: 2)..<end.lowerBound].split(separator: " ").map(String.init)
      }
      #expect(commands.count > 70, "\(commands)")
      for command in commands where command != ["help"] {
        // Some commands write to the file named in their arguments, so a path is tried, too.
        for words in [
          command + ["\(daemon.scratch.path)/\(Self.evil)"], command + ["--\(Self.evil)"],
          command + ["--team", Self.evil],
        ] {
          #expect(strange(try screen(daemon, words)) == [], "\(words)")
        }
      }
      for words in [["help", Self.evil], [Self.evil], ["--color", Self.evil, "status"]] {
        #expect(strange(try screen(daemon, words)) == [], "\(words)")
      }
    }

    @Test func `a pipe gets all printable characters, JSON escapes every hidden one`()
      throws
    {
      let daemon = try daemon()
      let plain = try daemon.ask("export", "stock", "--team", Self.team)
      // CSV has no escapes: control characters, which no import keeps, are removed.
      #expect(plain.output.contains("31m\u{202E}gnp]0;pwned\u{E0041}\u{2028}\u{200B}\u{FF1D}1+1"))
      let answer = try daemon.ask("inventory", "list", "--team", Self.team, "--json")
      #expect(answer.output.unicodeScalars.allSatisfy { !isHidden($0) || $0 == "\n" })
      let reply = try JSONSerialization.jsonObject(with: Data(answer.output.utf8)) as? [String: Any]
      let items = try #require(reply?["items"] as? [[String: Any]])
      #expect(items.allSatisfy { ($0["name"] as? String)?.hasPrefix(Self.evil) == true })
    }

    @Test func `log, event and page contain no terminal control characters`() throws {
      let daemon = try daemon()
      try daemon.change("run", "morning-summary", "--team", Self.team)
      try eventually("the notice is there") { !daemon.notices.isEmpty }
      for name in Files.names(in: daemon.drop) {
        let text = try Files.text("\(daemon.drop)/\(name)")
        let own = text.replacing(/\u{2068}([^\u{2068}\u{2069}\n]*)\u{2069}/) { String($0.output.1) }
        #expect(own.unicodeScalars.allSatisfy { !isHidden($0) || $0 == "\n" }, "\(name)")
      }
      #expect(daemon.log.unicodeScalars.allSatisfy { !isHidden($0) || $0 == "\n" })
    }
  }
}
