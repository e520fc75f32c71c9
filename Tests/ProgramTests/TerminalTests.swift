import FlowControl
import Foundation
import Glibc
import Testing

extension Programs {
  /// `pfctl` at a pseudo-terminal: width, colours, paging, progress lines.
  @Suite struct TerminalTests {
    private static let noon = "2026-03-02T19:00:00Z"
    /// Without a pager, which would wait for a key.
    private func environment(_ daemon: Daemon, _ more: [String: String] = [:]) -> [String: String] {
      ["PAGER": "", "LC_ALL": "C.UTF-8"].merging(daemon.clock.environment) { $1 }.merging(more) { $1 }
    }

    private func screen(
      _ daemon: Daemon, _ words: [String], columns: UInt16, _ more: [String: String] = [:]
    ) throws -> [String] {
      let terminal = try PseudoTerminal(
        Checkout.pfctl, words + ["--socket", daemon.socket], columns: columns, environment: environment(daemon, more))
      let (text, code) = try terminal.end()
      #expect(code == 0, "\(text)")
      return text.split(separator: "\r\n").map(String.init)
    }

    private func plain(_ line: String) -> String { line.replacing(/\u{1B}\[[0-9;]*m/, with: "") }

    @Test(arguments: [40, 80, 200] as [UInt16])
    func `no line of a table is wider than the terminal, and no row is lost`(columns: UInt16) throws {
      let daemon = try Daemon(at: Self.noon).start()
      for words in [["list"], ["pool", "list", "--team", "desert-blue"], ["team", "list"], ["audit"]] {
        let lines = try screen(daemon, words + ["--no-legend"], columns: columns)
        let rows = try Pfctl.run(words + ["--no-legend", "--socket", daemon.socket], in: daemon.scratch).output
          .split(separator: "\n")
        // A row may fold over several lines, but none is lost.
        #expect(columns < 200 ? lines.count >= rows.count : lines.count == rows.count)
        for line in lines { #expect(plain(line).count <= Int(columns), "\(words) \(line)") }
        // Less important columns are cut or left out, never the record's name.
        let names = ["list": "morning", "pool": "Steve Ba", "team": "desert-", "audit": "team plan"]
        if let name = names[words[0]] { #expect(lines.contains { $0.contains(name) }, "\(words) \(columns)") }
      }
    }

    @Test func `colours are used on capable terminals only, and can be turned off`() throws {
      let daemon = try Daemon(at: Self.noon).start()
      #expect(try screen(daemon, ["status"], columns: 100).joined().contains("\u{1B}["))
      #expect(try screen(daemon, ["status"], columns: 100, ["NO_COLOR": "1"]).joined().contains("\u{1B}[") == false)
      #expect(try screen(daemon, ["status"], columns: 100, ["TERM": "dumb"]).joined().contains("\u{1B}[") == false)
      #expect(try screen(daemon, ["status", "--color=never"], columns: 100).joined().contains("\u{1B}[") == false)
      let piped = try daemon.ask("status")
      #expect(piped.output.contains("\u{1B}") == false)
      #expect(try daemon.ask("status", "--color", "always").output.contains("\u{1B}["))
    }

    @Test func `progress of a long command is not written to a pipe`() throws {
      let daemon = try Daemon(at: Self.noon).start()
      for words in [
        ["backup", "create"], ["backup", "verify", "latest", "--full"], ["backup", "restore", "latest", "--dry-run"],
        ["import", Checkout.backup, "--team", "desert-blue", "--dry-run"],
      ] {
        let answer = try Pfctl.run(words + ["--socket", daemon.socket], in: daemon.scratch)
        #expect(answer.code == 0 && !(answer.output + answer.errors).contains { "\r\u{1B}".contains($0) }, "\(answer)")
      }
    }

    /// A fake daemon that answers the long call only after two progress calls over another connection.
    private func slowDaemon(at path: String, answer: [UInt8], meanwhile: [UInt8]) throws {
      let listener = try ListeningSocket(at: path)
      Thread.detachNewThread {
        let asks = listener.accepted()
        listener.hear(asks)
        let looks = listener.accepted()
        listener.hear(looks)
        listener.say(meanwhile, to: looks)
        // After the second progress call the first answer is on the screen.
        listener.hear(looks)
        listener.say(meanwhile, to: looks)
        listener.say(answer, to: asks)
        for descriptor in [asks, looks] { close(descriptor) }
      }
    }

    @Test func `at a terminal a long command shows the daemon's progress until its answer`() throws {
      let scratch = try Scratch()
      let path = scratch.path + "/s"
      let backup = BackupView(
        id: "20260302T021500Z", state: .tested, createdAt: "", createdLocal: "", reason: "", bytes: 4_096, archives: 1,
        path: "/backups")
      try slowDaemon(
        at: path, answer: Envelope.answer(BackupCall.Create.Reply(backup: backup, withheld: [])),
        meanwhile: Envelope.answer(BackupCall.Progress.Reply(work: "copying the store", done: 1, total: 4)))
      let (screen, code) = try PseudoTerminal(
        Checkout.pfctl, ["backup", "create", "--socket", path], columns: 80, environment: ["PAGER": ""]
      ).end()
      #expect(code == 0, "\(screen)")
      #expect(screen.contains("\r\u{1B}[Kcopying the store  [#####---------------]  25 %"), "\(screen)")
      #expect(screen.contains("%\r\u{1B}[K20260302T021500Z"), "the line goes before the answer: \(screen)")
    }

    @Test func `a waiting command shows the elapsed seconds and then erases that line`() throws {
      let scratch = try Scratch()
      let path = scratch.path + "/s"
      let listener = try ListeningSocket(at: path)
      let terminal = try PseudoTerminal(
        Checkout.pfctl, ["team", "list", "--socket", path], columns: 80, environment: ["PAGER": ""])
      let caller = listener.accepted()
      defer { close(caller) }
      listener.hear(caller)
      let before = try terminal.screen(until: "waiting for the daemon, 2s …")
      #expect(before.contains("\r\u{1B}[Kwaiting for the daemon, 1s …"), "\(before)")
      listener.say(try Envelope.answer(TeamsCall.List.Reply(teams: [])), to: caller)
      let (after, code) = try terminal.end()
      #expect(code == 0 && after.contains("\r\u{1B}[K") && !after.hasSuffix("…"), "\(after)")
    }

    @Test(arguments: [[], ["--json"], ["--plain"]] as [[String]])
    func `a silent simulation shows progress to people, not in --json or --plain`(options: [String])
      throws
    {
      let scratch = try Scratch()
      let path = scratch.path + "/s"
      let listener = try ListeningSocket(at: path)
      let terminal = try PseudoTerminal(
        Checkout.pfctl, ["simulate", "--socket", path] + options, columns: 80, environment: ["PAGER": ""])
      let caller = listener.accepted()
      defer { close(caller) }
      listener.hear(caller)
      // With --json or --plain nothing is shown, so there is nothing to wait for.
      let before = options.isEmpty ? try terminal.screen(until: "\r\u{1B}[Ksimulating, 2s …") : ""
      let summary = SimulationView(from: "a", to: "b", runs: 7, notices: 0, skipped: 0, failed: 0)
      listener.say(try Envelope.answer(SchedulerCall.Simulate.Reply(events: [], summary: summary)), to: caller)
      let (after, code) = try terminal.end()
      #expect(code == 0 && after.contains("7"), "\(after)")
      #expect((before + after).contains("\u{1B}[K") == options.isEmpty, "\(before + after)")
    }

    @Test(arguments: [[], ["--json"], ["--plain"]] as [[String]])
    func `a long route solve shows progress to people, not in --json or --plain`(options: [String]) throws {
      let scratch = try Scratch()
      var stops = ""
      // 1,500 stops in arbitrary positions without any order.
      for stop in 0..<1_500 {
        stops += "\(33 + Double(stop * 7_919 % 1_500) / 1_500),\(-112 + Double(stop * 104_729 % 1_499) / 1_499)\n"
      }
      try scratch.write("stops.csv", stops.utf8)
      let words = ["route", "solve", scratch.path + "/stops.csv", "--effort", "3"] + options
      let terminal = try PseudoTerminal(Checkout.pfctl, words, columns: 80, environment: ["PAGER": ""])
      if options.isEmpty {
        let screen = try terminal.screen(until: "\r\u{1B}[Kputting 1,500 stops in order, 1s …", within: .seconds(120))
        #expect(!screen.contains("PLACE"))
        return
      }
      // It takes as long, and only the answer is written.
      let screen = try terminal.screen(until: "1499", within: .seconds(240))
      #expect(!screen.contains("putting") && !screen.contains("\u{1B}[K"), "\(screen.prefix(300))")
    }

    @Test func `route solve prints names, legs and the saving of the order`() throws {
      let scratch = try Scratch()
      try scratch.write(
        "stops.csv",
        "latitude,longitude,name\n33.45,-112.07,The yard\n33.50,-112.00,\"Ann, by the park\"\n33.46,-112.06,Bo\n".utf8)
      let answer = try Pfctl.run(["route", "solve", scratch.path + "/stops.csv"], in: scratch)
      let lines = answer.output.split(separator: "\n")
      try #require(lines.count == 5, "\(answer)")
      #expect(
        lines[0].hasPrefix("3 stops: ") && lines[0].contains("; as given ") && lines[0].hasSuffix("no order is better"))
      #expect(lines[1].contains("PLACE") && lines[1].contains("NAME") && lines[1].contains("MINUTES SO FAR"))
      #expect(lines[2].contains("The yard") && lines[3].contains("Bo") && lines[4].contains("Ann, by the park"))
      #expect(lines[3].contains(" 2  Bo") && lines[4].contains(" 1  Ann"), "the stop's number in the file")
      let plain = try Pfctl.run(["route", "solve", scratch.path + "/stops.csv", "--plain"], in: scratch)
      #expect(
        plain.output.split(separator: "\n").last?.split(separator: "\t").prefix(3) == ["3", "1", "Ann, by the park"])
    }

    @Test func `long output goes through the pager, and quitting the pager is no error`() throws {
      let daemon = try Daemon(at: Self.noon).start()
      let page = daemon.scratch.path + "/page"
      let words = ["pool", "list", "--team", "desert-blue", "--socket", daemon.socket]
      let through = try PseudoTerminal(
        Checkout.pfctl, words, columns: 120, rows: 24,
        environment: environment(daemon, ["PAGER": "cat >'\(page)'"])
      ).end()
      #expect(through.code == 0)
      #expect(try Files.text(page).split(separator: "\n").count == DemoStore.counts.get().pools + 1)
      // The closing line is printed after the pager has ended.
      #expect(try through.screen.contains("\(DemoStore.counts.get().pools) pools"))
      let quitting = try PseudoTerminal(
        Checkout.pfctl, words, columns: 120, rows: 24, environment: environment(daemon, ["PAGER": "head -n 1"])
      ).end()
      #expect(quitting.code == 0)
      #expect(quitting.screen.contains("CUSTOMER"))
      let direct = try PseudoTerminal(
        Checkout.pfctl, words + ["--no-pager"], columns: 120, rows: 24,
        environment: environment(daemon, ["PAGER": "cat >'\(page).none'"])
      ).end()
      #expect(direct.code == 0)
      #expect(Files.exists("\(page).none") == false)
    }

    @Test func `a pool's name cannot write control characters to the terminal`() throws {
      let daemon = try Daemon(at: Self.noon).start()
      try daemon.scratch.write(
        "bad.csv",
        "customer_name,address,service_day,pool_volume\n\u{1B}]0;owned\u{7}\u{202E}evil,\"1 Main St, Mesa\",Monday,10000\n"
          .utf8)
      try daemon.change("import", daemon.scratch.path + "/bad.csv", "--team", "desert-blue")
      let text = try screen(daemon, ["pool", "list", "--team", "desert-blue", "--color=never"], columns: 200).joined()
      #expect(text.contains("evil"))
      for mark in ["\u{1B}]", "\u{7}", "\u{202E}"] { #expect(text.contains(mark) == false) }
    }
  }
}
