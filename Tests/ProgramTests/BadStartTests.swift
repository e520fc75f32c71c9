import FlowControl
import FlowPlatform
import FlowTestKit
import Foundation
import Glibc
import Testing

extension Programs {
  /// Conditions under which `poolflowd` refuses to start: one sentence, the right exit code, nothing changes.
  @Suite struct BadStartTests {
    /// Starts a daemon that must refuse to start.
    ///
    /// - Returns: the text the daemon logged.
    @discardableResult
    private func refuse(
      _ daemon: Daemon, code: Int32, saying: String..., lines: Int? = 1, environment: [String: String] = [:],
      location: SourceLocation = #_sourceLocation
    ) throws -> String {
      let already = daemon.log.count
      try daemon.launch(environment: environment)
      let ending = try #require(daemon.program).end()
      let words = String(daemon.log.dropFirst(already))
      #expect(ending == .exit(code), "\(words)", sourceLocation: location)
      #expect(words.contains("poolflowd: cannot start: "), "\(words)", sourceLocation: location)
      if let lines {
        #expect(words.split(separator: "\n").count == lines, "\(words)", sourceLocation: location)
      }
      for part in saying { #expect(words.contains(part), "\(words)", sourceLocation: location) }
      daemon.manager.takeAll()
      #expect(!daemon.manager.lines.contains("READY=1"), sourceLocation: location)
      return words
    }

    @Test func `a second daemon on one state directory exits; the first keeps running`() throws {
      let first = try Daemon(at: DemoStore.madeAt).start()
      let pid = try #require(first.program).pid
      let answer = try Program.run(
        Checkout.daemon, ["--state-dir", first.state, "--socket", first.scratch.path + "/other.sock"],
        in: first.scratch)
      #expect(answer.code == ExitCode.tryAgain)
      #expect(answer.errors.contains("another poolflowd (process \(pid)) holds the state directory '\(first.state)'"))
      #expect(!Files.exists(first.scratch.path + "/other.sock"))
      #expect(try first.query(SchedulerCall.Status.Reply.self, "status").pid == Int(pid))
    }

    @Test func `a socket on which another daemon answers is not replaced`() throws {
      let first = try Daemon(at: DemoStore.madeAt).start()
      let second = try Daemon(at: DemoStore.madeAt, empty: true)
      second.options = ["--socket", first.socket]
      try refuse(second, code: ExitCode.cannotCreate, saying: "another daemon answers at '\(first.socket)'")
      #expect(try first.ask("status").code == 0)
    }

    @Test func `a socket file left by a killed daemon is replaced`() throws {
      let daemon = try Daemon(at: DemoStore.madeAt).start()
      try daemon.kill()
      #expect(Files.exists(daemon.socket))
      try daemon.start()
      #expect(try daemon.ask("status").code == 0)
    }

    @Test func `a regular file at the socket's path is not replaced`() throws {
      let daemon = try Daemon(at: DemoStore.madeAt)
      let path = try daemon.scratch.write("precious", Array("keep".utf8))
      daemon.options = ["--socket", path]
      try refuse(daemon, code: ExitCode.cannotCreate, saying: "'\(path)' exists and is not a socket")
      #expect(try Files.text(path) == "keep")
    }

    @Test func `a socket path of 108 bytes is refused, one of 107 works`() throws {
      let daemon = try Daemon(at: DemoStore.madeAt)
      let folder = daemon.scratch.path + "/"
      let name = String(repeating: "s", count: 108 - folder.utf8.count)
      daemon.options = ["--socket", folder + name]
      try refuse(daemon, code: ExitCode.badSettings, saying: "108 bytes", "107")
      daemon.options = ["--socket", folder + name.dropFirst()]
      try daemon.start()
    }

    @Test func `a state directory below a regular file is refused`() throws {
      let scratch = try Scratch()
      let file = try scratch.write("file", [1])
      for path in [file, file + "/state"] {
        let answer = try Program.run(Checkout.daemon, ["--state-dir", path], in: scratch)
        #expect(answer.code == ExitCode.cannotCreate)
        #expect(answer.errors.contains("'\(path)'") && answer.errors.contains("--state-dir"))
      }
      #expect(try Files.bytes(file) == [1])
    }

    @Test func `a state directory without write permission is refused and left empty`() throws {
      let scratch = try Scratch()
      let state = try scratch.folder("state")
      // Root may write anywhere, so the daemon runs as user 65534 (nobody) then.
      let isRoot = geteuid() == 0
      if isRoot { #expect(chown(state, 65_534, 65_534) == 0) }
      #expect(chmod(state, 0o555) == 0)
      let answer = try asNobody(isRoot, state, in: scratch)
      #expect(answer.code == ExitCode.cannotCreate)
      #expect(answer.errors.contains("cannot write to the state directory '\(state)': Permission denied"))
      #expect(Files.names(in: state).isEmpty)
    }

    @Test(.requires(.root))
    func `a state directory owned or writable by another user is refused`() throws {
      let scratch = try Scratch()
      let state = try scratch.folder("state")
      let foreign = try asNobody(true, state, in: scratch)
      #expect(foreign.code == ExitCode.notPermitted)
      #expect(foreign.errors.contains("belongs to user 0"))
      #expect(chmod(state, 0o777) == 0)
      let open = try Program.run(Checkout.daemon, ["--state-dir", state], in: scratch)
      #expect(open.code == ExitCode.notPermitted)
      #expect(open.errors.contains("chmod go-w"))
      #expect(Files.names(in: state).isEmpty)
    }

    private func asNobody(_ isRoot: Bool, _ state: String, in scratch: Scratch) throws -> Answer {
      let own = [Checkout.daemon, "--state-dir", state]
      guard isRoot else { return try Program.run(own[0], Array(own.dropFirst()), in: scratch) }
      let words = ["--reuid", "65534", "--regid", "65534", "--clear-groups"] + own
      return try Program.run("/usr/bin/setpriv", words, in: scratch)
    }

    @Test func `an unknown option is refused with the nearest known one`() throws {
      let daemon = try Daemon(at: DemoStore.madeAt)
      daemon.options = ["--sate-dir", "/tmp"]
      try refuse(daemon, code: ExitCode.usage, saying: "unknown argument '--sate-dir'", "did you mean --state-dir?")
      daemon.options = ["--config"]
      try refuse(daemon, code: ExitCode.usage, saying: "--config needs a value")
    }

    @Test func `all mistakes in the settings are listed with line, column and caret`() throws {
      let daemon = try Daemon(at: DemoStore.madeAt)
      let before = try Files.tree(daemon.state)
      let file = try daemon.scratch.write(
        "poolflow.conf",
        Array(
          """
          # Settings with four mistakes.
          [Daemon]
          Soket = /run/poolflow/control.sock
          StateDirectory = relative/path
          [Sink drop]
          Type = file-drip
          nonsense

          """.utf8))
      _ = try daemon.scratch.folder("poolflow.conf.d")
      let extra = try daemon.scratch.write("poolflow.conf.d/10-more.conf", Array("[Demon]\nSocket = /tmp/x\n".utf8))
      let words = try refuse(daemon, code: ExitCode.badSettings, lines: nil)
      let lines = words.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      func place(_ line: Int, _ column: Int, _ file: String, _ text: String, _ caret: String) {
        let index = lines.firstIndex { $0.contains("\(file):\(line):\(column): error: ") }
        guard let index, index + 2 < lines.count else {
          Issue.record("\(file):\(line):\(column) with its line and a caret is not in \(words)")
          return
        }
        #expect(lines[index + 1].hasSuffix("\(line) | \(text)"), "\(words)")
        #expect(lines[index + 2].contains("| \(caret)"), "\(words)")
      }
      place(3, 1, file, "Soket = /run/poolflow/control.sock", "^~~~~ did you mean \"Socket\"?")
      place(4, 18, file, "StateDirectory = relative/path", "                 ^~~~~~~~~~~~~")
      place(6, 8, file, "Type = file-drip", "       ^~~~~~~~~ did you mean \"file-drop\"?")
      place(7, 1, file, "nonsense", "^~~~~~~~")
      place(1, 2, extra, "[Demon]", " ^~~~~ did you mean \"Daemon\"?")
      #expect(words.contains("5 mistakes in the settings; nothing was started"))
      #expect(try Files.tree(daemon.state) == before)
    }

    @Test func `settings with CRLF line endings are read`() throws {
      let daemon = try Daemon(at: DemoStore.madeAt)
      try daemon.settings("# A comment\r\n[Sink only]\r\nType = file-drop\r\nDirectory = \(daemon.scratch.path)\r\n")
      try daemon.start()
      let sinks = try daemon.query(SchedulerCall.Status.Reply.self, "status").sinks
      #expect(sinks.map(\.name) == ["only"])
    }

    @Test func `a missing settings file given with --config is refused`() throws {
      let daemon = try Daemon(at: DemoStore.madeAt)
      daemon.options = ["--config", "/nonexistent/poolflow.conf"]
      try refuse(daemon, code: ExitCode.noInput, saying: "'/nonexistent/poolflow.conf'", "No such file or directory")
    }

    @Test func `a store of a newer poolflowd is refused and not modified`() throws {
      let daemon = try Daemon(at: DemoStore.madeAt)
      let store = daemon.state + "/poolflow.db"
      // SQLite's `user_version` is stored in the file's header, bytes 60 to 63; a clean stop leaves no write-ahead log.
      var bytes = try Files.bytes(store)
      bytes.replaceSubrange(60..<64, with: [0, 0, 3, 0xE7])
      try Data(bytes).write(to: URL(filePath: store))
      try refuse(
        daemon, code: ExitCode.badSettings, saying: "'\(store)' was made by a newer poolflowd (schema 999")
      #expect(try Files.bytes(store) == bytes)
    }

    @Test func `a database of another application is refused and not modified`() throws {
      let daemon = try Daemon(at: DemoStore.madeAt)
      let store = daemon.state + "/poolflow.db"
      var bytes = try Files.bytes(store)
      bytes.replaceSubrange(68..<72, with: [1, 2, 3, 4])
      try Data(bytes).write(to: URL(filePath: store))
      try refuse(daemon, code: ExitCode.badData, saying: "'\(store)' is not a poolflow store")
      #expect(try Files.bytes(store) == bytes)
    }

    @Test(arguments: ["text", "noise", "zeros", "header"])
    func `a file that is no SQLite database is refused and not modified`(kind: String) throws {
      let daemon = try Daemon(at: DemoStore.madeAt)
      let store = daemon.state + "/poolflow.db"
      var random = SeededNumbers(seed: 2)
      var bytes = try Files.bytes(store)
      switch kind {
      case "text": bytes = Array("this is a letter to my aunt\n".utf8)
      case "noise": bytes = (0..<8_192).map { _ in UInt8.random(in: 0...255, using: &random) }
      case "zeros": bytes = Array(repeating: 0, count: 8_192)
      default: bytes.replaceSubrange(0..<16, with: Array(repeating: 0x20, count: 16))
      }
      try Data(bytes).write(to: URL(filePath: store))
      try refuse(daemon, code: ExitCode.badData, saying: "'\(store)'")
      #expect(try Files.bytes(store) == bytes)
    }

    @Test func `a store with damaged pages is refused and not modified`() throws {
      let daemon = try Daemon(at: DemoStore.madeAt)
      let store = daemon.state + "/poolflow.db"
      var bytes = try Files.bytes(store)
      var random = SeededNumbers(seed: 3)
      for page in stride(from: 8, to: bytes.count / 4_096, by: 4) {
        for offset in 0..<512 { bytes[page * 4_096 + offset] = UInt8.random(in: 0...255, using: &random) }
      }
      try Data(bytes).write(to: URL(filePath: store))
      try refuse(daemon, code: ExitCode.badData, saying: "is damaged", "restore a backup")
      #expect(try Files.bytes(store) == bytes)
    }

    @Test func `without a time zone database the daemon asks for tzdata`() throws {
      let daemon = try Daemon(at: DemoStore.madeAt)
      try refuse(
        daemon, code: ExitCode.badSettings, saying: "/nonexistent", "tzdata", environment: ["TZDIR": "/nonexistent"])
    }

    @Test(arguments: ["", "junk", "/nonexistent/notify", "@poolflow-absent"])
    func `an unusable NOTIFY_SOCKET does not prevent the daemon's start`(path: String) throws {
      let daemon = try Daemon(at: DemoStore.madeAt)
      try daemon.launch(environment: ["NOTIFY_SOCKET": path, "LC_ALL": "tr_TR.junk", "TZ": ":/nonexistent"])
      try eventually("it answers", { try daemon.ask("status").code == 0 })
      #expect(try daemon.stop() == .exit(0))
    }
  }
}
