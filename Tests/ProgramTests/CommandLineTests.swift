import FlowControl
import Foundation
import Testing

extension Programs {
  /// Every command line gets the requested answer or an understandable error.
  @Suite struct CommandLineTests {
    /// The random seed. Set POOLFLOW_SEED for other command lines: 2323 finds defects that 23 does not.
    private static let seed = ProcessInfo.processInfo.environment["POOLFLOW_SEED"].flatMap { UInt64($0) } ?? 23

    /// The defect of an answer, such as an unknown exit code or an empty message; nil if it has none.
    private func fault(of answer: Answer, to words: [String], codes: Set<Int32>) -> String? {
      guard codes.contains(answer.code) else { return "exit \(answer.code) is in no help" }
      let said = answer.errors.split(separator: "\n").map(String.init)
      // Numbers in machine-readable output are unrounded; those for people must be rounded. Solver times have six digits.
      let isForPeople = !words.contains("--json") && !words.contains("json") && !words.contains("export")
      if isForPeople, let number = (answer.output + answer.errors).firstMatch(of: /[0-9]\.[0-9]{7,}/) {
        return "an unrounded number: \(number.0)"
      }
      if let twice = said.last?.firstMatch(of: /\b([a-z-]{3,})(?:,| or| and) \1\b/) { return "twice: \(twice.0)" }
      if answer.code == 0 {
        // Only `--no-legend` (closing lines) and `--quiet` (success messages) may leave an answer empty.
        let isMute =
          answer.output.isEmpty && said.isEmpty && !words.contains { ["--no-legend", "--quiet"].contains($0) }
        return isMute ? "it says nothing" : nil
      }
      // `status --check`, `doctor` and the check of a damaged backup report problems on standard output.
      guard let last = said.last else { return answer.output.isEmpty ? "no word why" : nil }
      if last.hasPrefix("{") { return last.contains("\"message\":\"\"") ? "an empty message" : nil }
      if last.split(separator: " ").count < 4 { return "no sentence: \(last)" }
      for sign in ["Optional(", " nil", "()"] where last.contains(sign) { return "'\(sign)' in: \(last)" }
      // A missing value must not be quoted as ''; but the user may have typed an apostrophe.
      if let empty = last.firstMatch(of: /cannot be ''(?!')/) { return "'\(empty.0)' in: \(last)" }
      guard let end = last.unicodeScalars.last, !":;,(".unicodeScalars.contains(end) else { return "no end: \(last)" }
      return nil
    }

    /// Every exit code documented in `pfctl help exit-codes`.
    private func codes(_ scratch: Scratch) throws -> Set<Int32> {
      let help = try Pfctl.run(["help", "exit-codes"], in: scratch).output
      let codes = help.split(separator: "\n").compactMap { line in
        line.hasPrefix("  ") ? line.split(separator: " ").first.flatMap { Int32($0) } : nil
      }
      #expect(codes.count > 15)
      return Set(codes)
    }

    private func answers(
      _ count: Int, _ lines: inout RandomLines, _ ask: ([String]) throws -> Answer, _ codes: Set<Int32>
    ) throws {
      var done = 0
      for number in 1...count {
        let words = lines.next()
        let answer = try ask(words)
        if answer.code == 0 { done += 1 }
        if let fault = fault(of: answer, to: words, codes: codes) {
          Issue.record(
            "line \(number): pfctl \(words): \(fault)\nexit \(answer.code)\n\(answer.output.prefix(300))\n\(answer.errors.prefix(600))"
          )
        }
      }
      // If nearly all lines are refused, the test proves little.
      #expect(done > count / 50, "\(done) of \(count) were answered")
    }

    @Test func `2,000 random command lines get a clear answer without a daemon`() throws {
      let scratch = try Scratch()
      for name in ["stops.csv", "empty.zip"] { try scratch.write(name, "33.4,-112\n33.5,-112.1\n".utf8) }
      // A copy of pfctl alone in its folder: it finds no poolflowd to inspect a stopped daemon's store with.
      let program = scratch.path + "/pfctl"
      try FileManager.default.copyItem(atPath: Checkout.pfctl, toPath: program)
      let codes = try codes(scratch)
      var lines = try RandomLines(
        help: try Pfctl.run(["help", "--json"], in: scratch).output, seed: Self.seed, values: [:])
      let environment = [
        "POOLFLOW_SOCKET": scratch.path + "/none.sock", "CONFIGURATION_DIRECTORY": scratch.path,
        "STATE_DIRECTORY": scratch.path + "/none", "POOLFLOW_TEAM": "desert-blue",
      ]
      try answers(
        2_000, &lines,
        { words in
          try Program.run(
            "/bin/sh", ["-c", #"cd "$0" && exec "$@""#, scratch.path, program] + words, in: scratch,
            environment: environment)
        }, codes)
    }

    @Test func `600 random command lines get a clear answer; the daemon keeps running`() throws {
      let daemon = try Daemon(at: "2026-03-02T14:30:00Z").start()
      try daemon.scratch.write("stops.csv", "33.4,-112\n33.5,-112.1\n".utf8)
      try daemon.scratch.write("empty.zip", [])
      let notice = try daemon.query(OutboxCall.List.Reply.self, "outbox", "list").entries.first?.noticeId ?? "none"
      let codes = try codes(daemon.scratch)
      let values = [
        "TEAM": ["desert-blue"], "POOL": ["Steve Baird", "Al"], "TECHNICIAN": ["maria", "dan", "office"],
        "JOB": ["morning-summary", "low-stock", "backup"], "JOB|RUN|NOTICE": ["morning-summary", notice],
        "JOB|RUN": ["low-stock", "latest"],
        "NOTICE": [notice], "BACKUP": ["latest"], "SINK": ["drop", "stdout"], "ITEM": ["Muriatic"],
        "EQUIPMENT": ["Pump"], "NAME": ["filters", "maria", "desert-red"], "RUN": ["none"],
      ]
      // `--follow` never returns, `setup` has its own suite, and with a second team most lines would only ask for `--team`.
      var lines = try RandomLines(
        help: try Pfctl.run(["help", "--json"], in: daemon.scratch).output, seed: Self.seed + 1, values: values,
        leaving: ["follow"], commandsLeft: ["setup", "team add", "team rename"])
      let environment = ["POOLFLOW_SOCKET": daemon.socket, "CONFIGURATION_DIRECTORY": daemon.scratch.path]
      try answers(
        600, &lines,
        { words in
          try Program.run(
            "/bin/sh", ["-c", #"cd "$0" && exec "$@""#, daemon.scratch.path, Checkout.pfctl] + words,
            in: daemon.scratch, environment: environment)
        }, codes)
      #expect(try daemon.ask("status").code == 0, "\(daemon.log.suffix(2_000))")
    }

    @Test func `an invalid rule, zone or time is a usage error`() throws {
      let scratch = try Scratch()
      let mistakes: [(words: [String], part: String)] = [
        (["Mon 25:00"], "'Mon 25:00' is not a calendar expression"), ([""], "'' is not a calendar expression"),
        (["07:00 Mars/Olympus"], "Mars/Olympus"), (["07:00", "--zone", "Mars/Olympus"], "Mars/Olympus"),
        (["07:00", "--from", "bogus"], "--from must be a time such as"),
      ]
      for (words, part) in mistakes {
        let refused = try Pfctl.run(["calendar"] + words, in: scratch)
        #expect(refused.code == ExitCode.usage && refused.errors.contains(part), "\(words): \(refused)")
      }
    }

    @Test func `every number that a refusal names as valid is accepted`() throws {
      let daemon = try Daemon(at: "2026-03-02T14:30:00Z").start()
      func ask(_ words: [String], _ option: String, _ value: String) throws -> Answer {
        try Pfctl.run(words + ["--\(option)", value, "--socket", daemon.socket], in: daemon.scratch)
      }
      let numbers: [(words: [String], option: String)] = [
        (["next"], "limit"), (["history"], "limit"), (["audit"], "limit"), (["visit", "list"], "limit"),
        (["outbox", "list"], "limit"), (["calendar", "07:00"], "limit"), (["skip", "low-stock"], "count"),
        (["profit"], "days"), (["simulate", "--job", "low-stock", "--rule", "Fri 16:00"], "days"),
        (["route", "solve", Checkout.stops], "effort"),
      ]
      for (words, option) in numbers {
        let refused = try ask(words, option, "x")
        #expect(refused.code == ExitCode.usage, "\(words)")
        let named = refused.errors.matches(of: /[0-9]+/).compactMap { Int($0.0) }
        var taken = named
        if refused.errors.contains("from \(named.first ?? 0) to"), let least = named.first, let most = named.last {
          // Expensive commands are tried near their minimum only.
          taken = [
            least, least + 1, min((least + most) / 2, 45), option == "effort" || option == "days" ? least + 2 : most,
          ]
        }
        #expect(taken.count >= 3, "\(refused.errors)")
        for number in taken {
          let answer = try ask(words, option, "\(number)")
          #expect(answer.code == 0, "\(words) --\(option) \(number): \(answer.errors)")
        }
      }
    }

    @Test func `answering no, success and a needed repair have different exit codes`() throws {
      let daemon = try Daemon(at: "2026-03-02T14:30:00Z").start()
      func asked(_ words: [String], _ answer: String) throws -> (screen: String, code: Int32) {
        let terminal = try PseudoTerminal(
          Checkout.pfctl, words + ["--socket", daemon.socket], columns: 120, environment: ["PAGER": ""])
        _ = try terminal.screen(until: words.contains("remove") ? "[y/N]" : "to clear it: ")
        try terminal.type(answer + "\n")
        return try terminal.end()
      }
      let pool = ["pool", "remove", "Steve Baird"]
      let refused = try asked(pool, "n")
      #expect(refused.code == ExitCode.declined && refused.screen.contains("nothing was changed"), "\(refused)")
      let mistyped = try asked(["team", "clear", "desert-blue"], "desert")
      #expect(mistyped.code == ExitCode.declined && mistyped.screen.contains("is not desert-blue"), "\(mistyped)")
      #expect(try daemon.ask("pool", "show", "Steve Baird").code == 0)
      // Without a terminal the question cannot be asked: a usage error.
      #expect(try daemon.ask("pool", "remove", "Steve Baird").code == ExitCode.usage)
      #expect(try asked(pool, "y").code == ExitCode.done)
      try daemon.scratch.write("poolflow.conf", "[Deamon]\n".utf8)
      #expect(try daemon.ask("doctor").code == ExitCode.attention)
    }

    @Test func `the team is the named one, else $POOLFLOW_TEAM, else the only one`() throws {
      let daemon = try Daemon(at: "2026-03-02T14:30:00Z").start()
      func ask(_ words: [String], _ environment: [String: String] = [:]) throws -> Answer {
        try Pfctl.run(words + ["--socket", daemon.socket], in: daemon.scratch, environment: environment)
      }
      let whole = try ask(["pool", "list", "--team", "desert-blue"])
      #expect(whole.code == 0)
      #expect(try ask(["pool", "list"]).output == whole.output)
      #expect(try ask(["why", "morning-summary"]).code == 0)
      try daemon.change("team", "add", "coast", "--zone", "America/Los_Angeles")
      let unsaid = try ask(["pool", "list"])
      #expect(unsaid.code == ExitCode.usage)
      #expect(
        unsaid.errors
          == "pfctl: `pfctl pool list` needs a team: name it with --team, or set $POOLFLOW_TEAM for all commands; the "
          + "teams are coast and desert-blue\n")
      let usual = ["POOLFLOW_TEAM": "desert-blue"]
      #expect(try ask(["pool", "list"], usual).output == whole.output)
      #expect(try ask(["pool", "list", "--team", "coast"], usual).output != whole.output)
      let wrong = try ask(["pool", "list"], ["POOLFLOW_TEAM": "dessert"])
      #expect(wrong.code == ExitCode.notFound && wrong.errors.contains("$POOLFLOW_TEAM names it"), "\(wrong.errors)")
      // A command that would pause a whole team never takes the team from the environment; lists of all teams ignore it.
      let bare = try ask(["pause"], usual)
      #expect(
        bare.code == ExitCode.usage && bare.errors.hasPrefix("pfctl: name a subject: a job"), "\(bare.errors)")
      #expect(bare.errors.contains("`pfctl pause --team TEAM`"))
      let resumed = try ask(["resume"], usual)
      #expect(resumed.errors.contains("`pfctl resume low-stock --team TEAM`") && !resumed.errors.contains("pause"))
      for words in [["pause", "backup"], ["closed", "add", "tomorrow", "--team", "coast"], ["backup", "create"]] {
        let long = try ask(words + ["--notes", String(repeating: "x", count: 1_000)], [:])
        #expect(long.code == ExitCode.usage && long.errors.contains("notes cannot be"), "\(long.errors)")
      }
      #expect(try ask(["list"], usual).output.contains("coast"))
      // A job of the server belongs to no team.
      #expect(try ask(["skip", "backup"], usual).code == 0)
      let empty = try Daemon(at: "2026-03-02T14:30:00Z", empty: true).start()
      let none = try Pfctl.run(["health", "--socket", empty.socket], in: empty.scratch)
      #expect(none.code == ExitCode.usage && none.errors.contains("there is no team yet"), "\(none.errors)")
    }

    @Test func `an unknown record has its own exit code`() throws {
      let daemon = try Daemon(at: "2026-03-02T14:30:00Z").start()
      let none = "none-of-these"
      for words in [
        ["team", "show", none], ["pool", "show", none], ["pool", "list", "--team", none],
        ["technician", "remove", none],
        ["visit", "undo", none], ["visit", "remove", "abcd", "--yes"],
        ["report", "visit", "Steve Baird", "--visit", "abcd"],
        ["inventory", "remove", none, "--yes"], ["equipment", "set", "Steve Baird", none, "service=none"],
        ["run", none], ["why", "0102T0304-9"], ["history", "0102T0304-9"], ["cancel", "0102T0304-9"],
        ["job", "show", none],
        ["outbox", "show", none], ["outbox", "remove", none, "--yes"], ["sink", "test", none],
        ["backup", "show", none],
        ["reminder", "set", none, "text=x"], ["closed", "remove", "99"], ["route", "move", none, "--place", "1"],
      ] {
        let answer = try daemon.ask(words)
        #expect(answer.code == ExitCode.notFound, "\(words): \(answer.code) \(answer.errors)")
      }
      #expect(try daemon.ask("pool", "show", "0fE").errors.contains("of an id has 4 characters or more"))
    }

    @Test func `--quiet hides success messages but not requested output`() throws {
      let daemon = try Daemon(at: "2026-03-02T14:30:00Z").start()
      for words in [
        ["pool", "set", "Steve Baird", "fee=150"], ["visit", "log", "Steve Baird", "--ph", "7.5", "--dose", "none"],
        ["inventory", "add", "Salt", "--type", "chlorine"], ["inventory", "remove", "Salt", "--yes"],
        ["pause", "low-stock"], ["resume", "low-stock"], ["run", "low-stock", "--wait"], ["lsi", "refresh"],
        ["team", "set", "desert-blue", "language=es"], ["route", "move", "Steve Baird", "--place", "2"],
        ["import", Checkout.customers, "--team", "desert-blue", "--technician", "maria"], ["reload"],
        ["reminder", "add", "filters", "--rule", "Mon 09:00", "--text", "Rinse"], ["outbox", "retry", "--all"],
      ] {
        let answer = try daemon.ask(words + ["-q"])
        let isMute = answer.output.isEmpty || answer.output.hasPrefix("warning: ")
        #expect(answer.code == 0 && isMute && answer.errors.isEmpty, "\(words): \(answer)")
      }
      for words in [
        ["pool", "list"], ["history"], ["backup", "create"], ["status"], ["route", "optimise", "--day", "Mon"],
      ] {
        let quiet = try daemon.ask(words + ["--quiet"])
        #expect(quiet.code == 0 && !quiet.output.isEmpty && quiet.errors.isEmpty, "\(words): \(quiet)")
      }
      // A dry run's output and JSON documents are requested output; errors are always shown.
      let dry = ["reminder", "set", "filters", "times=3", "-q"]
      #expect(try daemon.ask(dry + ["--dry-run"]).output.hasPrefix("filters of desert-blue"))
      #expect(
        try daemon.ask("pool", "set", "Steve Baird", "fee=151", "-q", "--json").output.contains("pfctl.pool-set/1"))
      let refused = try daemon.ask("pool", "set", "Steve Baird", "fee=x", "-q")
      #expect(refused.code == ExitCode.usage && refused.errors.contains("fee cannot be 'x'"), "\(refused)")
      // The warning about an unusual reading is shown.
      let doubted = try daemon.ask("visit", "log", "Steve Baird", "--cya", "600", "--dose", "none", "-q")
      #expect(doubted.code == 0 && doubted.output.isEmpty && !doubted.errors.isEmpty, "\(doubted)")
    }

    @Test func `a duration without a sign counts back for --since and ahead for --until`() throws {
      let daemon = try Daemon(at: "2026-03-02T14:30:00Z").start()
      try daemon.change("run", "low-stock", "--team", "desert-blue")
      for words in [["history"], ["audit"]] {
        for since in ["2w", "14d", "12h", "90m", "yesterday"] {
          let lines = try daemon.ask(words + ["--since", since, "--plain"]).output.split(separator: "\n")
          #expect(!lines.isEmpty, "\(words) \(since)")
        }
        #expect(try daemon.ask(words + ["--since", "tomorrow", "--plain"]).output.isEmpty, "\(words)")
      }
      #expect(try daemon.ask("outbox", "retry", "--all", "--since", "2d").code == 0)
      #expect(try daemon.ask("pause", "low-stock", "--until", "2h").output.contains("until Mon 2026-03-02 09:"))
      #expect(try daemon.ask("visit", "log", "Steve Baird", "--at", "2h").code == ExitCode.usage)
    }

    @Test func `an alternative spelling gives the same answer without a message`() throws {
      let daemon = try Daemon(at: "2026-03-02T14:30:00Z").start()
      func same(_ other: [String], _ own: [String]) throws {
        let socket = ["--socket", daemon.socket]
        let answers = try [other, own].map { try Pfctl.run($0 + socket, in: daemon.scratch) }
        #expect(answers[0].code == answers[1].code && answers[0].output == answers[1].output, "\(answers)")
        #expect(answers[0].errors == answers[1].errors, "\(answers)")
      }
      try same(["route", "optimize", "--day", "Mon"], ["route", "optimise", "--day", "Mon"])
      try same(["stock", "list", "--colour=never"], ["inventory", "list", "--color", "never"])
      try same(["job", "next", "--limit", "2"], ["next", "--limit", "2"])
    }

    @Test func `a spelling of version 0_1 is refused and changes nothing`() throws {
      let daemon = try Daemon(at: "2026-03-02T14:30:00Z").start()
      let before = try daemon.ask("pool", "list", "--json").output
      for old in [
        ["dead", "list"], ["profit", "desert-blue"], ["digest", "--for", "maria"],
        ["profile", "set", "Steve Baird", "--email", "s@example.com"],
        ["pool", "set", "Steve Baird", "--latitude", "33.4", "--longitude", "-112"],
      ] {
        #expect(try daemon.ask(old).code == ExitCode.usage, "\(old)")
      }
      #expect(try daemon.ask("pool", "list", "--json").output == before)
    }
  }
}
