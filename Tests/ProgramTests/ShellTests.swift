import FlowTestKit
import Foundation
import Testing

extension Programs {
  /// Completion in bash, zsh and fish, and the manual pages in man, mandoc and shellcheck.
  @Suite struct ShellTests {
    private static let bash = "/bin/bash"

    private func run(_ program: String, _ words: [String], in scratch: Scratch, socket: String = "") throws -> Answer {
      let binaries = URL(filePath: Checkout.pfctl).deletingLastPathComponent().path
      // The package installs pfctl under both names.
      let second = scratch.path + "/poolflowctl"
      if !Files.exists(second) {
        try FileManager.default.createSymbolicLink(atPath: second, withDestinationPath: Checkout.pfctl)
      }
      return try Program.run(
        program, words, in: scratch,
        environment: [
          "PATH": "\(binaries):\(scratch.path):/usr/bin:/bin", "POOLFLOW_SOCKET": socket, "HOME": scratch.path,
          "LC_ALL": "C.UTF-8",
        ])
    }

    private static let scripts = Checkout.root + "/config/completions"

    @Test func `bash completes commands, live teams and values after '='`() throws {
      let daemon = try Daemon(at: DemoStore.madeAt).start()
      func complete(_ words: String...) throws -> [Substring] { try complete(words) }
      func complete(_ words: [String]) throws -> [Substring] {
        let script = """
          source '\(Self.scripts)/pfctl.bash'; complete -p pfctl poolflowctl >/dev/null || exit 1
          COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _pfctl 2>/dev/null; printf '%s\\n' "${COMPREPLY[@]}"
          """
        let answer = try run(Self.bash, ["-c", script, "bash"] + words, in: daemon.scratch, socket: daemon.socket)
        return answer.output.split(separator: "\n")
      }
      #expect(try complete("pfctl", "team", "s") == ["show", "set"])
      #expect(try complete("pfctl", "team", "show", "") == ["desert-blue"])
      #expect(try complete("pfctl", "run", "morn") == ["morning-summary"])
      #expect(try complete("pfctl", "list", "--team", "=", "de") == ["desert-blue"])
      #expect(try complete("pfctl", "list", "--team", "=") == ["desert-blue"])
      // A name with a space is completed as one word, inside and outside quotes.
      let pool: [Substring] = ["Steve\\ Baird"]
      let words = ["pool", "show", "--team", "desert-blue"]
      #expect(try complete(["pfctl"] + words + ["Steve\\ Ba"]) == pool)
      #expect(try complete(["pfctl"] + words + ["\"Steve Ba"]) == ["Steve Baird"])
      #expect(
        try complete("pfctl", "team", "set", "desert-blue", "zone", "=", "America/Phoe").first == "America/Phoenix")
      #expect(try !complete("pfctl", "pool", "list", "--technician", "").isEmpty)
    }

    /// Types `line` and a Tab key in an interactive shell, and waits for the completed text.
    private func typed(
      _ program: String, _ options: [String], _ setUp: String, _ line: String, until wanted: String, _ daemon: Daemon
    ) throws {
      let binaries = URL(filePath: Checkout.pfctl).deletingLastPathComponent().path
      let terminal = try PseudoTerminal(
        program, options, columns: 200,
        environment: [
          "PATH": "\(binaries):/usr/bin:/bin", "POOLFLOW_SOCKET": daemon.socket, "HOME": daemon.scratch.path,
          "LC_ALL": "C.UTF-8", "PS1": "> ", "INPUTRC": "/dev/null",
        ])
      try terminal.type("\(setUp); echo rea''dy\n")
      _ = try terminal.screen(until: "ready")
      try terminal.type(line + "\t")
      let screen = try terminal.screen(until: wanted)
      #expect(screen.contains(wanted))
    }

    private static let line = "pfctl pool show --team desert-blue Steve\\ Ba"

    @Test func `in bash Tab completes a name with a space, and values after '='`() throws {
      let daemon = try Daemon(at: DemoStore.madeAt).start()
      for (line, wanted) in [
        (Self.line, "Baird "), ("pfctl team set desert-blue low-stock=of", "low-stock=off"),
      ] {
        try typed(
          Self.bash, ["--norc", "--noprofile", "-i"], "source '\(Self.scripts)/pfctl.bash'", line, until: wanted, daemon
        )
      }
    }

    @Test(.requires(.zsh)) func `in zsh Tab completes a name with a space as one word`() throws {
      let daemon = try Daemon(at: DemoStore.madeAt).start()
      try typed(
        Requirement.zsh.path(), ["-f", "-i"],
        "autoload -U compinit; compinit -u -D; source '\(Self.scripts)/pfctl.zsh'", Self.line, until: "Baird", daemon)
    }

    @Test func `completion times out silently if the daemon does not answer`() throws {
      let scratch = try Scratch()
      let path = scratch.path + "/s"
      let listener = try ListeningSocket(at: path)
      defer { withExtendedLifetime(listener) {} }
      let began = ContinuousClock.now
      let answer = try Program.run(
        Checkout.pfctl, ["completion", "words", "--", "team", "show", ""], in: scratch,
        environment: ["POOLFLOW_SOCKET": path])
      #expect(answer.output.isEmpty && answer.errors.isEmpty && answer.code == 0, "\(answer)")
      // A generous bound for a busy machine; other commands wait longer than that for a daemon.
      #expect(began.duration(to: .now) < .seconds(5))
      let away = try Program.run(
        Checkout.pfctl, ["completion", "words", "--", "pool", "show", "--team", "x", ""], in: scratch,
        environment: ["POOLFLOW_SOCKET": scratch.path + "/none"])
      #expect(away.output.isEmpty && away.errors.isEmpty && away.code == 0, "\(away)")
    }

    @Test(.requires(.fish)) func `fish completes commands, live teams and values after '='`() throws {
      let daemon = try Daemon(at: DemoStore.madeAt).start()
      func complete(_ line: String) throws -> [Substring] {
        let script = "source '\(Self.scripts)/pfctl.fish'; complete -C '\(line)'"
        let answer = try run(
          Requirement.fish.path(), ["--no-config", "-c", script], in: daemon.scratch, socket: daemon.socket)
        return answer.output.split(separator: "\n").map { $0.prefix { $0 != "\t" } }
      }
      #expect(try complete("pfctl team s") == ["set", "show"])
      #expect(try complete("pfctl team show ") == ["desert-blue"])
      #expect(try complete("pfctl list --team=de") == ["--team=desert-blue"])
      #expect(try complete("poolflowctl team s") == ["set", "show"])
      let pool: [Substring] = ["Steve Baird"]
      #expect(try complete("pfctl pool show --team desert-blue Steve\\ Ba") == pool)
    }

    @Test(.requires(.zsh)) func `zsh loads its script and completes words with descriptions`() throws {
      let daemon = try Daemon(at: DemoStore.madeAt).start()
      func complete(_ words: String...) throws -> [Substring] {
        let script = """
          compdef() { : }; _describe() { print -l -- "${candidates[@]}" }; source '\(Self.scripts)/pfctl.zsh'
          words=("$@"); CURRENT=$#; _pfctl
          """
        let answer = try run(
          Requirement.zsh.path(), ["-f", "-c", script, "zsh"] + words, in: daemon.scratch, socket: daemon.socket)
        return answer.output.split(separator: "\n")
      }
      let shown: [Substring] = ["show:one team with its settings"]
      #expect(try complete("pfctl", "team", "sh") == shown)
      let team: [Substring] = ["desert-blue:America/Phoenix"]
      #expect(try complete("pfctl", "team", "show", "") == team)
      let pool = try complete("poolflowctl", "pool", "show", "--team", "desert-blue", "Steve\\ Ba")
      #expect(pool.first?.hasPrefix("Steve Baird:") == true, "\(pool)")
    }

    @Test(.requires(.shellcheck)) func `shellcheck accepts the bash completion`() throws {
      let scratch = try Scratch()
      let answer = try run(Requirement.shellcheck.path(), ["--shell=bash", Self.scripts + "/pfctl.bash"], in: scratch)
      #expect(answer.code == 0 && answer.output == "", "\(answer)")
    }

    private static let pages = Files.names(in: Checkout.root + "/config/man")

    @Test(.requires(.mandoc), arguments: pages)
    func `mandoc accepts each page of the manual`(page: String) throws {
      let lint = try run(
        Requirement.mandoc.path(), ["-Tlint", "-Wwarning", "\(Checkout.root)/config/man/\(page)"], in: Scratch())
      #expect(lint.code == 0 && lint.output == "", "\(lint)")
    }

    @Test(.requires(.man), arguments: pages)
    func `man shows a page of the manual without a warning`(page: String) throws {
      let man = try run(
        Requirement.man.path(), ["--warnings", "-l", "\(Checkout.root)/config/man/\(page)"], in: Scratch())
      #expect(man.code == 0 && man.errors == "" && man.output.contains("NAME"), "\(man)")
    }

    @Test func `the daemon's manual page has every option of its help`() throws {
      let scratch = try Scratch()
      let help = try Program.run(Checkout.daemon, ["--help"], in: scratch).output
      let page = try Files.text(Checkout.root + "/config/man/poolflowd.8").replacing("\\-", with: "-")
      let options = help.split(separator: "\n").filter { $0.hasPrefix("  --") }.compactMap {
        $0.split(separator: " ").first
      }
      #expect(options.count == 10)
      #expect(options.filter { !page.contains(".B \"\($0)") } == [])
    }
  }
}
