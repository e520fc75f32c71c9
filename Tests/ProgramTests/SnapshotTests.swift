import FlowControl
import Foundation
import Testing

extension Programs {
  /// Snapshots of `pfctl`'s output: help of every command, tables at three widths, errors as text and JSON.
  ///
  /// POOLFLOW_SNAPSHOTS=write rewrites the files; review the difference before committing it.
  @Suite struct SnapshotTests {
    private static let folder = Checkout.root + "/Tests/ProgramTests/Fixtures/Snapshots"
    private static let writes = ProcessInfo.processInfo.environment["POOLFLOW_SNAPSHOTS"] == "write"

    func compare(_ name: String, _ text: String) throws {
      let path = "\(Self.folder)/\(name).txt"
      if Self.writes {
        try FileManager.default.createDirectory(atPath: Self.folder, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(filePath: path))
      }
      let known = try Files.text(path).split(separator: "\n", omittingEmptySubsequences: false)
      let now = text.split(separator: "\n", omittingEmptySubsequences: false)
      for (index, pair) in zip(known, now).enumerated() where pair.0 != pair.1 {
        Issue.record("\(name).txt:\(index + 1)\n was: \(pair.0)\n  is: \(pair.1)")
        return
      }
      #expect(known.count == now.count, "\(name).txt has another number of lines")
    }

    /// Replaces paths and numbers that differ from run to run.
    private func steady(_ text: String, _ daemon: Daemon) -> String {
      text.replacing(daemon.state, with: "/STATE").replacing(daemon.scratch.path, with: "/SCRATCH")
        .replacing(/pid [0-9]+/, with: "pid N").replacing(/up [0-9]+[smhd]( [0-9]+[smhd])?/, with: "up T")
        // How late Monday's run began: the daemon started 29 minutes and 10 seconds after the slot.
        .replacing(/29m [0-9]{2}s/, with: "29m 10s")
    }

    @Test(arguments: [40, 80, 200] as [UInt16])
    func `tables at a terminal match their snapshots`(columns: UInt16) throws {
      let daemon = try Daemon(at: "2026-03-02T14:29:10Z").start()
      try eventually(
        "Monday's notice at both sinks",
        {
          try daemon.query(SchedulerCall.Status.Reply.self, "status").outbox.sent == 2
        })
      var text = ""
      for words in [
        ["status"], ["list"], ["next", "--limit", "3"], ["history"], ["team", "list"], ["team", "show", "desert-blue"],
        ["pool", "list", "--team", "desert-blue", "--day", "tue", "--technician", "dan"],
      ] {
        let terminal = try PseudoTerminal(
          Checkout.pfctl, words + ["--socket", daemon.socket, "--color=never"], columns: columns,
          environment: ["PAGER": "", "LC_ALL": "C.UTF-8"].merging(daemon.clock.environment) { $1 })
        let (screen, code) = try terminal.end()
        #expect(code == 0, "\(screen)")
        text += "$ pfctl \(words.joined(separator: " "))\n\(screen.replacing("\r\n", with: "\n"))\n"
      }
      try compare("tables-\(columns)", steady(text, daemon))
    }

    @Test func `errors match their snapshots and have the documented codes`() throws {
      let daemon = try Daemon(at: "2026-03-02T14:30:00Z").start()
      try daemon.scratch.write("poolflow.conf", "[Sink out]\nTyp = journl\n[Deamon]\n".utf8)
      try daemon.scratch.write("empty.zip", [])
      let mistakes = [
        ["lst"], ["list", "--tem", "x"], ["list", "--team", "desrt-blue"], ["team", "show"], ["team", "shw", "x"],
        ["team", "add", "desert-blue", "--zone", "America/Phoenix"], ["team", "add", "x", "--zone", "America/Phenix"],
        ["team", "set", "desert-blue", "morning-time=25:00"], ["team", "set", "desert-blue", "languag=es"],
        ["run", "morning-sumary", "--team", "desert-blue"], ["pool", "show", "Steve", "--team", "desert-blue"],
        ["pool", "show", "Unknown", "--team", "desert-blue"], ["import", "/none.zip", "--team", "desert-blue"],
        ["import", "\(daemon.scratch.path)/empty.zip", "--team", "desert-blue"], ["outbox", "show", "no-such-notice"],
        ["calendar", "Mon..Funday 07:00"], ["calendar", "Feb 30 07:00"], ["next", "--limit", "0"],
        ["config", "check", "--config", "\(daemon.scratch.path)/poolflow.conf"], ["config", "explain", "MaxFile"],
        ["help", "lst"], ["list", "--color=sometimes"], ["list", "--socket", "\(daemon.scratch.path)/none.sock"],
      ]
      var text = ""
      for words in mistakes {
        // The environment names empty folders, so that the state of this machine's own daemon is not used.
        let elsewhere = daemon.scratch.path + "/none"
        let environment = ["STATE_DIRECTORY": elsewhere, "RUNTIME_DIRECTORY": elsewhere]
        let line = words + (words.contains("--socket") ? [] : ["--socket", daemon.socket])
        let plain = try Pfctl.run(line, in: daemon.scratch, environment: environment)
        let json = try Pfctl.run(line + ["--json"], in: daemon.scratch, environment: environment)
        #expect(plain.code != 0 && plain.code == json.code, "\(words)")
        text += "$ pfctl \(words.joined(separator: " "))\n\(plain.output)\(plain.errors)= \(plain.code)\n\n"
        let document = try JSONSerialization.jsonObject(with: Data(json.errors.utf8))
        #expect((document as? [String: Any])?["schema"] != nil, "\(words): \(json.errors)")
      }
      try compare("errors", steady(text, daemon))
    }
  }
}
