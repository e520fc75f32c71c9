import Foundation
import Testing

extension Programs {
  /// Completion in the shells themselves, the manual before the manual's own readers. A tool that is not installed is
  /// passed over, and the output says so.
  @Suite struct ShellTests {
    private static func path(of tool: String) -> String? {
      ["/usr/bin", "/bin", "/usr/local/bin"].map { "\($0)/\(tool)" }.first { Files.exists($0) }
    }

    private func run(_ tool: String, _ words: [String], in scratch: Scratch, socket: String = "") throws -> Answer? {
      guard let program = Self.path(of: tool) else {
        print("\(tool) is not installed, so nothing was checked with it: apt-get install \(tool)")
        return nil
      }
      let binaries = URL(filePath: Checkout.pfctl).deletingLastPathComponent().path
      // The package has it under both names.
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
      func complete(_ words: String...) throws -> [Substring]? { try complete(words) }
      func complete(_ words: [String]) throws -> [Substring]? {
        let script = """
          source '\(Self.scripts)/pfctl.bash'; complete -p pfctl poolflowctl >/dev/null || exit 1
          COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _pfctl 2>/dev/null; printf '%s\\n' "${COMPREPLY[@]}"
          """
        let answer = try run("bash", ["-c", script, "bash"] + words, in: daemon.scratch, socket: daemon.socket)
        return answer?.output.split(separator: "\n")
      }
      #expect(try complete("pfctl", "team", "s") ?? ["show", "set"] == ["show", "set"])
      #expect(try complete("pfctl", "team", "show", "") ?? ["desert-blue"] == ["desert-blue"])
      #expect(try complete("pfctl", "run", "morn") ?? ["morning-summary"] == ["morning-summary"])
      #expect(try complete("pfctl", "list", "--team", "=", "de") ?? ["desert-blue"] == ["desert-blue"])
      #expect(try complete("pfctl", "list", "--team", "=") ?? ["desert-blue"] == ["desert-blue"])
      // A name with a space stands as one word, whether a quote was begun or not.
      let pool: [Substring] = ["Steve\\ Baird"]
      let words = ["pool", "show", "--team", "desert-blue"]
      #expect(try complete(["pfctl"] + words + ["Steve\\ Ba"]) ?? pool == pool)
      #expect(try complete(["pfctl"] + words + ["\"Steve Ba"]) ?? pool == ["Steve Baird"])
      #expect(
        try complete("pfctl", "team", "set", "desert-blue", "zone", "=", "America/Phoe")?.first == "America/Phoenix")
      #expect(try complete("pfctl", "pool", "list", "--technician", "")?.isEmpty == false)
    }

    /// What a person's shell makes of a Tab key: the word that then stands on the line.
    private func typed(
      _ shell: String, _ options: [String], _ setUp: String, _ line: String, until wanted: String, _ daemon: Daemon
    ) throws {
      guard let program = Self.path(of: shell) else {
        return print("\(shell) is not installed, so nothing was checked with it: apt-get install \(shell)")
      }
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

    @Test func `in bash and zsh a Tab key puts a name with a space there as one word`() throws {
      let daemon = try Daemon(at: DemoStore.madeAt).start()
      let line = "pfctl pool show --team desert-blue Steve\\ Ba"
      try typed(
        "bash", ["--norc", "--noprofile", "-i"], "source '\(Self.scripts)/pfctl.bash'", line, until: "Baird ", daemon)
      try typed(
        "zsh", ["-f", "-i"], "autoload -U compinit; compinit -u -D; source '\(Self.scripts)/pfctl.zsh'", line,
        until: "Baird", daemon)
      try typed(
        "bash", ["--norc", "--noprofile", "-i"], "source '\(Self.scripts)/pfctl.bash'",
        "pfctl team set desert-blue low-stock=of", until: "low-stock=off", daemon)
    }

    @Test func `completion gives up in time where the daemon hears and does not answer`() throws {
      let scratch = try Scratch()
      let path = scratch.path + "/s"
      let listener = try ListeningSocket(at: path)
      defer { withExtendedLifetime(listener) {} }
      let began = ContinuousClock.now
      let answer = try Program.run(
        Checkout.pfctl, ["completion", "words", "--", "team", "show", ""], in: scratch,
        environment: ["POOLFLOW_SOCKET": path])
      #expect(answer.output.isEmpty && answer.errors.isEmpty && answer.code == 0, "\(answer)")
      // The machine may be busy; a daemon that is asked by a command is waited for longer.
      #expect(began.duration(to: .now) < .seconds(5))
      let away = try Program.run(
        Checkout.pfctl, ["completion", "words", "--", "pool", "show", "--team", "x", ""], in: scratch,
        environment: ["POOLFLOW_SOCKET": scratch.path + "/none"])
      #expect(away.output.isEmpty && away.errors.isEmpty && away.code == 0, "\(away)")
    }

    @Test func `fish completes commands, live teams and values after '='`() throws {
      let daemon = try Daemon(at: DemoStore.madeAt).start()
      func complete(_ line: String) throws -> [Substring]? {
        let script = "source '\(Self.scripts)/pfctl.fish'; complete -C '\(line)'"
        let answer = try run("fish", ["--no-config", "-c", script], in: daemon.scratch, socket: daemon.socket)
        return answer?.output.split(separator: "\n").map { $0.prefix { $0 != "\t" } }
      }
      #expect(try complete("pfctl team s") ?? ["set", "show"] == ["set", "show"])
      #expect(try complete("pfctl team show ") ?? ["desert-blue"] == ["desert-blue"])
      #expect(try complete("pfctl list --team=de") ?? ["--team=desert-blue"] == ["--team=desert-blue"])
      #expect(try complete("poolflowctl team s") ?? ["set", "show"] == ["set", "show"])
      let pool: [Substring] = ["Steve Baird"]
      #expect(try complete("pfctl pool show --team desert-blue Steve\\ Ba") ?? pool == pool)
    }

    @Test func `zsh loads its script and hands over words with their meanings`() throws {
      let daemon = try Daemon(at: DemoStore.madeAt).start()
      func complete(_ words: String...) throws -> [Substring]? {
        let script = """
          compdef() { : }; _describe() { print -l -- "${candidates[@]}" }; source '\(Self.scripts)/pfctl.zsh'
          words=("$@"); CURRENT=$#; _pfctl
          """
        let answer = try run("zsh", ["-f", "-c", script, "zsh"] + words, in: daemon.scratch, socket: daemon.socket)
        return answer?.output.split(separator: "\n")
      }
      let shown: [Substring] = ["show:one team with its settings"]
      #expect(try complete("pfctl", "team", "sh") ?? shown == shown)
      let team: [Substring] = ["desert-blue:America/Phoenix"]
      #expect(try complete("pfctl", "team", "show", "") ?? team == team)
      let pool = try complete("poolflowctl", "pool", "show", "--team", "desert-blue", "Steve\\ Ba")
      #expect(pool?.first?.hasPrefix("Steve Baird:") ?? true, "\(pool ?? [])")
    }

    @Test func `shellcheck has nothing to say about the completion for bash`() throws {
      let scratch = try Scratch()
      let answer = try run("shellcheck", ["--shell=bash", Self.scripts + "/pfctl.bash"], in: scratch)
      #expect(answer?.output ?? "" == "")
    }

    @Test(arguments: Files.names(in: Checkout.root + "/config/man"))
    func `the manual's readers have nothing to say about a page`(page: String) throws {
      let scratch = try Scratch()
      let path = "\(Checkout.root)/config/man/\(page)"
      let lint = try run("mandoc", ["-Tlint", "-Wwarning", path], in: scratch)
      #expect(lint?.output ?? "" == "")
      let man = try run("man", ["--warnings", "-l", path], in: scratch)
      #expect(man?.errors ?? "" == "")
    }

    @Test func `the daemon's page names every option that the daemon's help names`() throws {
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
