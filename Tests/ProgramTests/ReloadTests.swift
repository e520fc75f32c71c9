import FlowControl
import FlowPlatform
import Foundation
import Glibc
import Testing

extension Programs {
  /// Settings that change while the daemon runs.
  @Suite struct ReloadTests {
    private func settings(_ daemon: Daemon, _ text: String, file: String = "poolflow.conf") throws {
      try daemon.scratch.write(file, text.utf8)
    }

    private func config(_ daemon: Daemon, _ words: String...) throws -> Answer {
      try Pfctl.run(
        ["config"] + words + ["--socket", daemon.socket], in: daemon.scratch,
        environment: ["CONFIGURATION_DIRECTORY": daemon.scratch.path])
    }

    @Test func `config check refuses exactly what a reload would refuse`()
      throws
    {
      let daemon = try Daemon(at: "2026-03-02T17:00:00Z")
      try settings(daemon, "[Sink drop]\nType = file-drop\n")
      try daemon.start()
      #expect(try config(daemon, "check").code == 0)
      try settings(daemon, "[Sink drop]\nType = file-drop\nSign = drop-key\n")
      let check = try config(daemon, "check")
      #expect(check.code == 78 && check.errors.contains("there is no credential 'drop-key'"), "\(check)")
      #expect(check.errors.contains("a reload would be refused; the effective settings are not changed"))
      let reload = try daemon.ask("reload")
      #expect(reload.code == 78 && reload.errors.contains("there is no credential 'drop-key'"))
      #expect(try config(daemon, "check", "--json").code == 78)
      // With `--config` the daemon is not asked.
      #expect(try config(daemon, "check", "--config", daemon.scratch.path + "/poolflow.conf").code == 0)
      try daemon.stop()
      #expect(try config(daemon, "check").code == 0)
    }

    @Test func `a reload is effective when it returns and lists the changes`() throws {
      let daemon = try Daemon(at: "2026-03-02T17:00:00Z")
      try settings(daemon, "[Sink drop]\nType = file-drop\n")
      try daemon.start()
      // The late morning uses the old settings, so it must be settled before the reload.
      try eventually("Monday's digest", { daemon.notices.count == 1 })
      try settings(daemon, "[Sink drop]\nType = file-drop\nMaxFiles = 50\n[Sink line]\nType = stdout\nFormat = text\n")
      let planned = try config(daemon, "diff")
      #expect(
        planned.output
          == "[Sink drop]\n- MaxFiles = 100000\n+ MaxFiles = 50\n[Sink line]\n+ Type = stdout\n+ Format = text\n"
          + "+ Severity = info\n+ Timeout = 15s\n")
      let answer = try daemon.ask("reload")
      #expect(answer.code == 0, "\(answer.errors)")
      #expect(answer.output == planned.output)
      #expect(answer.errors == "the settings were reloaded: 5 values changed\n")
      #expect(try daemon.query(SchedulerCall.Status.Reply.self, "status").sinks.map(\.name) == ["drop", "line"])
      let before = try Files.text(daemon.outputFile)
      #expect(before == "")
      try daemon.change("run", "morning-summary", "--team", "desert-blue")
      try eventually("a line", { try Files.text(daemon.outputFile).contains("scheduled today") })
      #expect(try config(daemon, "diff").output == "")
      #expect(try daemon.ask("reload").errors == "the settings were reloaded: nothing has changed\n")
    }

    @Test func `one mistake refuses the whole reload with its line and caret`() throws {
      let daemon = try Daemon(at: "2026-03-02T17:00:00Z")
      try settings(daemon, "[Sink drop]\nType = file-drop\n")
      try daemon.start()
      try settings(daemon, "[Sink drop]\nType = file-drop\nMaxFiles = 7\n[Sink line]\nType = stdot\n")
      let answer = try daemon.ask("reload")
      #expect(answer.code == 78)
      #expect(
        answer.errors.hasPrefix(
          """
          \(daemon.scratch.path)/poolflow.conf:5:8: error: Type cannot be "stdot": a sink is stdout or journal or file-drop or publish
              5 | Type = stdot
                |        ^~~~~ did you mean "stdout"?
          1 mistake in the settings
          pfctl: the settings on disk cannot be used; the daemon keeps those it loaded at Mon 2026-03-02 17:00
          """))
      #expect(try daemon.query(SchedulerCall.Status.Reply.self, "status").sinks.map(\.name) == ["drop"])
      #expect(try config(daemon, "show", "--running").output.contains("MaxFiles = 100000"))
      let checked = try config(daemon, "check")
      #expect(checked.code == 78)
      #expect(checked.errors.contains("^~~~~ did you mean \"stdout\"?"))
      // Invalid values of a folder are found before any setting changes, too.
      try settings(daemon, "[Sink away]\nType = file-drop\nDirectory = relative\n")
      #expect(try daemon.ask("reload").code == 78)
    }

    @Test func `a setting that needs a restart is named at each reload`() throws {
      let daemon = try Daemon(at: "2026-03-02T17:00:00Z")
      try settings(daemon, "[Sink drop]\nType = file-drop\n")
      try daemon.start()
      try settings(daemon, "[Daemon]\nSocket = /run/elsewhere.sock\n[Sink drop]\nType = file-drop\n")
      for _ in 1...2 {
        let answer = try daemon.ask("reload")
        #expect(answer.code == 0)
        #expect(answer.output == "[Daemon]\n+ Socket = /run/elsewhere.sock\n")
        #expect(answer.errors.contains("Socket needs a restart: `systemctl restart poolflowd`"))
      }
    }

    @Test func `SIGHUP reloads; mistakes are logged line by line`() throws {
      let daemon = try Daemon(at: "2026-03-02T17:00:00Z")
      try settings(daemon, "[Sink drop]\nType = file-drop\n")
      try daemon.start()
      try settings(daemon, "[Sink drop]\nType = file-drop\nMaxFiles = 8\n")
      daemon.program?.send(SIGHUP)
      try eventually("the change", { daemon.log.contains("settings: [Sink drop] MaxFiles: 100000 → 8\n") })
      try settings(daemon, "[Sink drop]\nMaxFile = 9\n")
      daemon.program?.send(SIGHUP)
      try eventually("the refusal", { daemon.log.contains("the effective settings stay as they are\n") })
      #expect(
        daemon.log.contains("\n    2 | MaxFile = 9\n      | ^~~~~~~ did you mean \"MaxFiles\"?\n"))
      #expect(try config(daemon, "show", "--running").output.contains("MaxFiles = 8"))
    }

    @Test func `a start with mistakes shows all of them and exits with 78`() throws {
      let daemon = try Daemon(at: "2026-03-02T17:00:00Z")
      try settings(daemon, "[Sink drop]\nTyp = file-drop\n[Sink x\n")
      try daemon.launch()
      #expect(try daemon.program?.end() == .exit(78))
      #expect(daemon.log.contains("\n      | ^~~ did you mean \"Type\"?\n"))
      #expect(daemon.log.contains("2 mistakes in the settings; nothing was started\n"))
    }

    @Test func `config show --origin names each value's source, and its output is valid`() throws {
      let scratch = try Scratch()
      let folder = try scratch.folder("poolflow.conf.d")
      try scratch.write("poolflow.conf", "[Sink log]\nType = journal\n".utf8)
      try scratch.write("poolflow.conf.d/10.conf", "[Daemon]\nSocket = /run/p.sock\n".utf8)
      let environment = ["CONFIGURATION_DIRECTORY": scratch.path]
      let shown = try Pfctl.run(["config", "show", "--origin"], in: scratch, environment: environment)
      #expect(
        shown.output == """
          [Daemon]
          # default
          # StateDirectory is not set: see `pfctl config explain StateDirectory`
          # \(folder)/10.conf:2
          Socket = /run/p.sock
          # default
          PlanLimits = off
          # default
          # MetricsFile is not set: see `pfctl config explain MetricsFile`
          # default
          # Inbox is not set: see `pfctl config explain Inbox`

          [Store]
          # default
          Engine = sqlite
          # default
          # Connection is not set: see `pfctl config explain Connection`
          # default
          # Credential is not set: see `pfctl config explain Credential`
          # default
          # Node is not set: see `pfctl config explain Node`

          [Backup]
          # default
          Time = 02:15
          # default
          Keep = 7 daily, 4 weekly, 6 monthly
          # default
          # Directory is not set: see `pfctl config explain Directory`

          [Sink log]
          # \(scratch.path)/poolflow.conf:2
          Type = journal
          # default
          # Teams is not set: see `pfctl config explain Teams`
          # default
          # Jobs is not set: see `pfctl config explain Jobs`
          # default
          Severity = info
          # default
          Timeout = 15s
          # default
          # Rate is not set: see `pfctl config explain Rate`

          """)
      try scratch.write("again.conf", shown.output.utf8)
      let again = try Pfctl.run(
        ["config", "check", "--config", scratch.path + "/again.conf"], in: scratch)
      #expect(again.output == "\(scratch.path)/again.conf: no mistake\n")
    }
  }
}
