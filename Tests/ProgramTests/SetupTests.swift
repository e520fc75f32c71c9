import FlowControl
import FlowPlatform
import FlowTestKit
import Foundation
import Glibc
import Testing

extension Programs {
  /// `pfctl setup`, from an empty daemon to a technician's test event: with options, at a terminal, interrupted and repeated.
  @Suite struct SetupTests {
    struct Report: Decodable {
      let team: String
      let zone: String?
      let commands, files, remarks, gaps: [String]
      let first_morning: String?
      let shows_access: Bool?
    }

    /// A daemon without a team, and a post.conf whose drop folder belongs to the test.
    func stand() throws -> Daemon {
      let daemon = try Daemon(at: "2026-03-02T20:00:00Z", empty: true)
      let spool = try daemon.scratch.folder("spool")
      try daemon.scratch.write("post.conf", "[Post]\nFolder = \(spool)\nStateDirectory = \(spool)-state\n".utf8)
      return try daemon.start()
    }

    func setup(_ daemon: Daemon, _ words: [String]) throws -> Answer {
      try Pfctl.run(
        ["setup", "--socket", daemon.socket] + words, in: daemon.scratch,
        environment: ["CONFIGURATION_DIRECTORY": daemon.scratch.path])
    }

    private let all = [
      "--team", "desert-blue", "--zone", "America/Phoenix", "--archive", Checkout.backup, "--morning-time", "06:45",
      "--tell", "maria=mail:maria@example.com", "--tell", "Zoe Lund=ntfy:route-zoe", "--relay",
      "smtp://127.0.0.1:25", "--sender", "Routes <routes@example.com>",
    ]

    /// The recipients of the dropped events with their addresses.
    private func recipients(_ daemon: Daemon) throws -> [String: [[String: String]]] {
      let folder = daemon.scratch.path + "/spool/new"
      var found: [String: [[String: String]]] = [:]
      for name in Files.names(in: folder) where name.hasSuffix(".json") {
        let event = try JSONSerialization.jsonObject(with: Data(try Files.bytes("\(folder)/\(name)")))
        let data = (event as? [String: Any])?["data"] as? [String: Any]
        let recipient = try #require(data?["recipient"] as? [String: Any])
        found[try #require(recipient["name"] as? String)] = recipient["addresses"] as? [[String: String]]
      }
      return found
    }

    private func settings(_ daemon: Daemon) throws -> [String: String] {
      var files: [String: String] = [:]
      for name in ["post.conf.d/setup.conf", "poolflow.conf.d/post.conf"] {
        let path = "\(daemon.scratch.path)/\(name)"
        if Files.exists(path) { files[name] = try Files.text(path) }
      }
      return files
    }

    @Test func `setup with options sends a test; repeating it changes nothing`()
      throws
    {
      let daemon = try stand()
      let first = try setup(daemon, all)
      #expect(first.code == 0, "\(first.errors)")
      let own = "--socket \(daemon.socket)"
      for line in [
        "$ pfctl \(own) team add desert-blue --zone America/Phoenix",
        "$ pfctl \(own) import \(Checkout.backup) --team desert-blue",
        "$ pfctl \(own) team set desert-blue morning-time=06:45", "$ poolflow-post --check", "$ pfctl \(own) reload",
        "$ pfctl \(own) technician set maria --team desert-blue --mail ADDRESS",
        "$ pfctl \(own) technician add 'Zoe Lund' --team desert-blue --ntfy ADDRESS",
        "$ pfctl \(own) technician test maria --team desert-blue",
        "$ pfctl \(own) digest --team desert-blue --at tomorrow",
      ] {
        #expect(first.output.contains(line + "\n"), "\(line)")
      }
      #expect(
        first.output.contains("Tuesday, March 3")
          && first.output.contains("next morning's route is sent Tue 2026-03-03 06:45"))
      #expect(
        try recipients(daemon) == [
          "maria": [["channel": "mail", "address": "maria@example.com"]],
          "Zoe Lund": [["channel": "ntfy", "address": "route-zoe"]],
        ])
      let audit = try daemon.ask("audit", "--plain").output
      #expect(audit.contains("technician set"))
      for text in [first.output, first.errors, daemon.log, audit] {
        #expect(!text.contains("maria@example.com") && !text.contains("route-zoe"))
      }
      let files = try settings(daemon)
      #expect(files.count == 2)
      let check = try Program.run(
        Checkout.post, ["--config", daemon.scratch.path + "/post.conf", "--check"], in: daemon.scratch)
      #expect(check.code == 0, "\(check.errors)")

      let again = try setup(daemon, all + ["--json"])
      let report = try JSONDecoder().decode(Report.self, from: Data(again.output.utf8))
      #expect(again.code == 0 && report.commands == [] && report.files == [] && report.remarks == [], "\(report)")
      #expect(report.first_morning?.hasPrefix("Tue 2026-03-03 06:45") == true)
      #expect(try daemon.ask("audit", "--plain").output == audit)
      #expect(try settings(daemon) == files)
      #expect(try recipients(daemon).count == 2)
      #expect(try daemon.stop() == .exit(0))
    }

    @Test func `the commands of a dry run, typed by hand, do the same as setup`() throws {
      let daemon = try stand()
      let dry = try setup(daemon, all + ["--dry-run"])
      #expect(dry.code == 0 && !dry.output.contains("@example.com --"), "\(dry.errors)")
      #expect(try settings(daemon).isEmpty && daemon.query(TeamsCall.List.Reply.self, "team", "list").teams.isEmpty)
      // The archive creates maria, which a dry run cannot know.
      let script = dry.output.split(separator: "\n", omittingEmptySubsequences: false).map {
        String($0.hasPrefix("$ ") ? $0.dropFirst(2) : $0)
      }.joined(separator: "\n").replacing("--mail ADDRESS", with: "--mail maria@example.com")
        .replacing("--ntfy ADDRESS", with: "--ntfy route-zoe").replacing(
          "technician add maria", with: "technician set maria")
      let binaries = URL(filePath: Checkout.pfctl).deletingLastPathComponent().path
      let typed = try Program.run(
        "/bin/sh", ["-ec", script], in: daemon.scratch,
        environment: ["PATH": "\(binaries):/usr/bin:/bin", "CONFIGURATION_DIRECTORY": daemon.scratch.path])
      #expect(typed.code == 0, "\(typed.errors)\n\(script)")
      let report = try JSONDecoder().decode(Report.self, from: Data(try setup(daemon, all + ["--json"]).output.utf8))
      #expect(report.commands == [] && report.files == [], "\(report)")
      #expect(try Set(recipients(daemon).keys) == ["maria", "Zoe Lund"])
    }

    @Test func `setup --json writes one document only`() throws {
      let daemon = try stand()
      let answer = try setup(daemon, all + ["--json"])
      let report = try JSONDecoder().decode(Report.self, from: Data(answer.output.utf8))
      #expect(answer.code == 0 && answer.errors == "", "\(answer)")
      #expect(report.team == "desert-blue" && report.zone == "America/Phoenix" && report.files.count == 2)
      #expect(report.commands.count >= 9 && !report.commands.joined().contains("maria@example.com"))
    }

    @Test func `without a terminal setup refuses missing or wrong options before any change`()
      throws
    {
      let daemon = try stand()
      try daemon.scratch.write("page.pdf", "%PDF-1.7\nroutes".utf8)
      try daemon.scratch.write("list.csv", "colour,size\nred,1\n".utf8)
      let pdf = daemon.scratch.path + "/page.pdf"
      let new = ["--team", "coast", "--zone", "America/Phoenix"]
      let mistakes: [([String], Int32, String)] = [
        ([], ExitCode.usage, "needs --team and --zone"), (["--yes"], ExitCode.usage, "needs --team and --zone"),
        (["--team", "coast"], ExitCode.usage, "needs --zone"),
        (["--team", "a b", "--zone", "UTC"], ExitCode.usage, "--team: 'a b' is not a valid team name"),
        (["--team", "Blue Water Pools", "--zone", "UTC"], ExitCode.usage, "did you mean blue-water-pools?"),
        (new + ["--feed-am", "08:00", "--trade", "pool-service"], ExitCode.usage, "is for a stable"),  // Stables
        (new + ["--trade", "stable", "--customers", pdf], ExitCode.usage, "is given with --horses"),  // Stables
        (new + ["--trade", "cats"], ExitCode.usage, "answer pools"),
        (new + ["--trade", "cats"], ExitCode.usage, "answer pools, or horses"),  // Stables
        (["--team", "coast", "--zone", "Phoenx"], ExitCode.usage, "did you mean America/Phoenix"),
        (new + ["--morning-time", "25:00"], ExitCode.usage, "--morning-time: '25:00' is not a time of day"),
        (new + ["--language", "it"], ExitCode.usage, "--language: 'it' is not one"),
        (new + ["--archive", "/none.zip"], ExitCode.noInput, "cannot read '/none.zip'"),
        (new + ["--archive", pdf], ExitCode.badData, "is not a ZIP archive"),
        (new + ["--customers", pdf], ExitCode.badData, "is not a customer list"),
        (new + ["--archive", daemon.scratch.path + "/list.csv"], ExitCode.badData, "is given with --customers"),
        (new + ["--archive", Checkout.backup, "--customers", pdf], ExitCode.usage, "give one of them"),
        (new + ["--tell", "Maria"], ExitCode.usage, "write NAME=CHANNEL:ADDRESS"),
        (new + ["--tell", "Maria=maria@@secret"], ExitCode.usage, "one @"),
        (new + ["--tell", "M=a@b.c", "--tell", "m=d@e.f"], ExitCode.usage, "names m twice"),
        (new + ["--show-access", "maybe"], ExitCode.usage, "--show-access: answer yes or no, not 'maybe'"),
        (new + ["--trade", "stable", "--show-access", "no"], ExitCode.usage, "and this is a stable"),  // Stables
        (["--instance", "coast", "--show-access", "no"] + new, ExitCode.usage, "--show-access works only"),
        (new + ["--relay", "smtp://127.0.0.1:25"], ExitCode.usage, "needs --sender"),
        (new + ["--sender", "routes@example.com"], ExitCode.usage, "--relay, the server"),
        (new + ["--relay", "127.0.0.1", "--sender", "a@b.c"], ExitCode.usage, "--relay: a mail relay cannot be that"),
        (
          new + ["--ntfy-server", "http://ntfy.example.com"], ExitCode.usage,
          "--ntfy-server: an ntfy server cannot be that"
        ),
        (
          ["--instance", "coast", "--ntfy-server", "https://ntfy.example.com"] + new, ExitCode.usage, "poolflowd@coast"
        ),
      ]
      for (words, code, why) in mistakes {
        let answer = try setup(daemon, words)
        #expect(answer.code == code && answer.errors.contains(why), "\(words): \(answer.errors)")
        #expect(answer.output == "" && !answer.errors.contains("secret"), "\(words)")
      }
      #expect(try daemon.query(TeamsCall.List.Reply.self, "team", "list").teams.isEmpty)
      let none = try Pfctl.run(
        ["setup", "--socket", daemon.scratch.path + "/none.sock"] + new, in: daemon.scratch,
        environment: ["STATE_DIRECTORY": daemon.scratch.path + "/none"])
      #expect(none.code == ExitCode.unavailable, "\(none)")
      // Refusals by the daemon come later; the message says that the earlier steps are kept.
      let refused = try setup(
        daemon, new + ["--customers", daemon.scratch.path + "/list.csv", "--morning-time", "06:00"])
      #expect(refused.code == ExitCode.badData && refused.errors.contains("the steps before it stay"), "\(refused)")
      #expect(try daemon.query(TeamsCall.List.Reply.self, "team", "list").teams.map(\.name) == ["coast"])
    }

    @Test func `setup --yes uses the machine's zone and the only team without questions`() throws {
      let daemon = try stand()
      func setup(_ words: String...) throws -> Answer {
        try Pfctl.run(
          ["setup", "--yes", "--socket", daemon.socket] + words, in: daemon.scratch,
          environment: ["CONFIGURATION_DIRECTORY": daemon.scratch.path, "TZ": "America/Phoenix"])
      }
      let first = try setup("--team", "desert-blue")
      #expect(first.code == 0 && first.output.contains(" team add desert-blue --zone America/Phoenix\n"), "\(first)")
      let second = try setup("--morning-time", "06:45")
      #expect(second.code == 0 && second.output.contains(" team set desert-blue morning-time=06:45\n"), "\(second)")
      #expect(!(first.errors + second.errors).contains("]: "))
      // The zone UTC is not used as default, and with two teams --team is required.
      let utc = try Pfctl.run(
        ["setup", "--yes", "--team", "coast", "--socket", daemon.socket], in: daemon.scratch, environment: ["TZ": "UTC"]
      )
      #expect(utc.code == ExitCode.usage && utc.errors.contains("needs --zone"), "\(utc)")
      try daemon.change("team", "add", "coast", "--zone", "America/Los_Angeles")
      #expect(try setup("--morning-time", "06:45").code == ExitCode.usage)
    }

    @Test func `for an address without a channel setup names the missing option`() throws {
      let daemon = try stand()
      let first = try setup(
        daemon,
        [
          "--team", "desert-blue", "--zone", "America/Phoenix", "--tell",
          "maria=mail:maria@example.com,ntfy:maria,slack:crew",
        ])
      for words in [
        "no program delivers mail yet: `pfctl setup --team desert-blue --relay smtp://HOST:25 --sender ADDRESS`",
        "no program delivers ntfy yet: `pfctl setup --team desert-blue --ntfy-server https://HOST`",
        "no program delivers slack yet: poolflow-post(1)",
      ] { #expect(first.errors.contains(words), "\(first.errors)") }
      #expect(!first.output.contains("technician test"))
      let second = try setup(
        daemon,
        [
          "--team", "desert-blue", "--tell", "maria=mail:maria@example.com,ntfy:maria,slack:crew", "--relay",
          "smtp://127.0.0.1:1", "--sender", "routes@example.com", "--dry-run",
        ])
      #expect(second.output.contains(" technician test maria --team desert-blue"), "\(second)")
    }

    @Test func `settings that cannot be written are printed, and setup continues`() throws {
      let daemon = try stand()
      // A regular file in place of the folder: even root cannot create files in it.
      try daemon.scratch.write("poolflow.conf.d", "".utf8)
      let answer = try setup(daemon, all)
      #expect(answer.code == ExitCode.attention, "\(answer.errors)")
      #expect(answer.output.contains("[Channel mail]\nType = smtp\n") && answer.output.contains("Sensitive = yes\n"))
      #expect(
        answer.errors.contains("the settings were not changed") && answer.errors.contains("no sink has Sensitive=yes")
      )
      #expect(try settings(daemon).isEmpty)
      let people = try daemon.query(PeopleCall.List.Reply.self, "technician", "list").people
      #expect(people.filter { !$0.reach.isEmpty }.map(\.name).sorted() == ["Zoe Lund", "maria"])
    }

    @Test func `settings written by an interrupted setup are loaded by the next setup`() throws {
      let first = try stand()
      #expect(try setup(first, all + ["--no-test"]).code == 0)
      let daemon = try stand()
      for (name, text) in try settings(first) {
        _ = try daemon.scratch.folder(String(name.prefix { $0 != "/" }))
        try daemon.scratch.write(name, text.replacing(first.scratch.path, with: daemon.scratch.path).utf8)
      }
      let report = try JSONDecoder().decode(Report.self, from: Data(try setup(daemon, all + ["--json"]).output.utf8))
      #expect(report.files == [] && report.commands.contains { $0.hasSuffix(" reload") }, "\(report)")
      #expect(try Set(recipients(daemon).keys) == ["maria", "Zoe Lund"])
    }

    @Test func `if the check refuses setup's settings, the former ones are restored`() throws {
      let daemon = try stand()
      // The operator's own channel is incomplete: poolflow-post refuses the settings, and setup restores them.
      let text = try Files.text(daemon.scratch.path + "/post.conf")
      try daemon.scratch.write("post.conf", (text + "[Channel crew]\nType = slack\n").utf8)
      let answer = try setup(daemon, all)
      #expect(
        answer.code == ExitCode.attention && answer.errors.contains("[Channel crew] has no Credential"), "\(answer)")
      #expect(answer.errors.contains("the previous settings are in place again"))
      #expect(try settings(daemon).isEmpty)
    }

    @Test(.requires(.python3, .curl))
    func `poolflow-post delivers setup's test to the mail server with its settings`() throws {
      let post = try PostCase()
      try post.settings("")
      let main = try post.scratch.write("poolflow.conf", "[Sink drop]\nType = file-drop\n".utf8)
      // Both programs use the real clock here; a test notice expires after an hour.
      let daemon = try Daemon.atMachineTime(empty: true)
      daemon.options = ["--config", main]
      try daemon.start()
      let answer = try Pfctl.run(
        [
          "setup", "--socket", daemon.socket, "--team", "desert-blue", "--zone", "America/Phoenix", "--tell",
          "Maria=maria@example.com", "--relay", "smtp://127.0.0.1:\(post.mailPort)", "--sender",
          "Routes <routes@example.com>",
        ], in: daemon.scratch)
      #expect(answer.code == 0 && answer.output.contains("config check --config \(main)\n"), "\(answer)")
      try post.start()
      #expect(try post.receipts(1).map(\.verdict) == ["delivered"], "\(post.log)")
      let mails = try post.mails()
      #expect(
        mails.count == 1 && mails[0].to.contains("maria@example.com") && mails[0].from.contains("routes@example.com"))
      try post.stop()
    }

    // MARK: Names, servers of several teams, days

    @Test func `a similar name creates no second technician; unreachable technicians are listed`() throws {
      let daemon = try stand()
      #expect(try setup(daemon, Array(all.prefix(8)) + ["--no-test"]).code == 0)
      try daemon.change("technician", "add", "Maria Lopez", "--team", "desert-blue")
      try daemon.change("pool", "add", "Anne Post", "1 Elm St", "--team", "desert-blue", "--day", "Mon")
      try daemon.change("pool", "set", "Anne Post", "--team", "desert-blue", "--tags", "tech:Maria Lopez")
      let own = ["--team", "desert-blue"]
      let taken = try setup(daemon, own + ["--tell", "lopez=mail:a@example.com", "--no-test"])
      #expect(taken.code == 0 && taken.errors.contains("lopez means Maria Lopez"), "\(taken)")
      #expect(taken.output.contains(" technician set 'Maria Lopez' --team desert-blue --mail ADDRESS"), "\(taken)")
      for (name, why) in [
        ("Maria Lopes", "did you mean "), ("Desert Blue", "is the team, not a technician"),
        ("keisah", "did you mean keisha?"),
      ] {
        let refused = try setup(daemon, own + ["--tell", "\(name)=mail:b@example.com"])
        #expect(refused.code == ExitCode.usage && refused.errors.contains(why), "\(refused)")
        #expect(!(refused.output + refused.errors).contains("b@example.com"))
      }
      let people = try daemon.query(PeopleCall.List.Reply.self, "technician", "list").people
      #expect(people.map(\.name).sorted() == ["Maria Lopez", "dan", "desert-blue", "keisha", "maria"])
      for said in [taken, try daemon.ask("technician", "list"), try daemon.ask("doctor")] {
        #expect((said.output + said.errors).contains("who service pools have no address"), "\(said)")
      }
      let report = try JSONDecoder().decode(Report.self, from: Data(try setup(daemon, own + ["--json"]).output.utf8))
      #expect(report.gaps.count == 1, "\(report)")
    }

    @Test func `a second team's sender replaces the first only with --all-teams`() throws {
      let daemon = try stand()
      #expect(try setup(daemon, all + ["--no-test"]).code == 0)
      let before = try settings(daemon)
      let coast = [
        "--team", "coast", "--zone", "America/Los_Angeles", "--relay", "smtp://127.0.0.1:26", "--sender",
        "coast@example.com",
      ]
      let kept = try setup(daemon, coast)
      #expect(kept.code == ExitCode.attention, "\(kept)")
      #expect(
        kept.errors.contains(
          "not changed, because also used by desert-blue: mail by smtp://127.0.0.1:25 from Routes <routes@example.com>. All"
        ),
        "\(kept.errors)")
      #expect(try settings(daemon) == before)
      let changed = try setup(daemon, coast + ["--all-teams"])
      #expect(changed.code == 0, "\(changed)")
      #expect(try settings(daemon)["post.conf.d/setup.conf"]?.contains("From = coast@example.com\n") == true)
      // The server that is configured already is no change, so it is accepted for a single team.
      let same = try setup(
        daemon, ["--team", "desert-blue", "--relay", "smtp://127.0.0.1:26", "--sender", "coast@example.com"])
      #expect(same.code == 0, "\(same)")
    }

    @Test func `--show-access decides whether mail shows access data, and no answer keeps it`() throws {
      let daemon = try stand()
      let dry = try setup(daemon, all + ["--show-access", "yes", "--dry-run"])
      #expect(dry.code == 0 && dry.output.contains("Type = smtp\nDetail = full\n"), "\(dry)")
      #expect(dry.errors.contains("mail is set to show gate codes, phone numbers and notes"), "\(dry.errors)")
      #expect(try setup(daemon, all + ["--show-access", "no"]).code == 0)
      let hidden = try settings(daemon)
      #expect(hidden["post.conf.d/setup.conf"]?.contains("Detail") == false)
      #expect(try Set(recipients(daemon).keys) == ["maria", "Zoe Lund"])
      let own = ["--team", "desert-blue"]
      let answer = try setup(daemon, own + ["--show-access", "yes", "--json"])
      let report = try JSONDecoder().decode(Report.self, from: Data(answer.output.utf8))
      #expect(answer.code == 0 && report.shows_access == true && report.files.count == 1, "\(answer)")
      let shown = try settings(daemon)
      #expect(shown["post.conf.d/setup.conf"]?.contains("Detail = full\n") == true)
      #expect(shown["poolflow.conf.d/post.conf"] == hidden["poolflow.conf.d/post.conf"])
      #expect(try setup(daemon, all).code == 0 && settings(daemon) == shown)
      // A second team's answer would change the mail of the first.
      let coast = ["--team", "coast", "--zone", "America/Los_Angeles", "--show-access", "no"]
      let kept = try setup(daemon, coast)
      #expect(kept.code == ExitCode.attention && kept.errors.contains("also used by desert-blue: mail"), "\(kept)")
      #expect(try settings(daemon) == shown)
      #expect(try setup(daemon, coast + ["--all-teams"]).code == 0 && settings(daemon) == hidden)
    }

    @Test func `--show-access decides what the pages of a publish sink show`() throws {
      let daemon = try Daemon(at: "2026-03-02T20:00:00Z", empty: true)
      let web = try daemon.scratch.folder("www")
      let sinks = "[Sink stdout]\nType = stdout\n\n[Sink web]\nType = publish\nDirectory = \(web)\n"
      try daemon.scratch.write("poolflow.conf", sinks.utf8)
      try daemon.start()
      let team = ["--team", "desert-blue", "--zone", "America/Phoenix"]
      let answer = try setup(daemon, team + ["--show-access", "yes"])
      #expect(answer.code == 0, "\(answer)")
      #expect(answer.errors.contains("published pages are set to show gate codes, phone numbers and notes"))
      #expect(answer.output.contains("- Sensitive = no\n+ Sensitive = yes\n"), "\(answer.output)")
      let file = daemon.scratch.path + "/poolflow.conf.d/setup-pages.conf"
      #expect(try Files.text(file).hasSuffix("[Sink web]\nSensitive = yes\n"))
      let hidden = try setup(daemon, team + ["--show-access", "no"])
      #expect(hidden.code == 0 && hidden.output.contains("- Sensitive = yes\n+ Sensitive = no\n"), "\(hidden)")
      #expect(try Files.text(file).hasSuffix("[Sink web]\nSensitive = no\n"))
    }

    @Test func `setup shows the next day that has stops`() throws {
      let daemon = try Daemon(at: "2026-03-06T20:00:00Z", empty: true)
      try daemon.scratch.write(
        "list.csv", "customer_name,address,service_day\nAnne Post,1 Elm St,tue\n".utf8)
      try daemon.start()
      let words = ["--team", "desert-blue", "--zone", "America/Phoenix"]
      let answer = try setup(daemon, words + ["--customers", daemon.scratch.path + "/list.csv"])
      #expect(answer.code == 0 && answer.errors.contains("tomorrow has no stops"), "\(answer)")
      #expect(
        answer.output.contains(" digest --team desert-blue --at 2026-03-10\n") && answer.output.contains("Anne Post"))
    }

    // MARK: At a terminal

    func terminal(_ daemon: Daemon, _ words: [String] = []) throws -> PseudoTerminal {
      try PseudoTerminal(
        Checkout.pfctl, ["setup", "--socket", daemon.socket, "--color=never"] + words, columns: 120,
        environment: [
          "CONFIGURATION_DIRECTORY": daemon.scratch.path, "TZ": "America/Phoenix", "LC_ALL": "C.UTF-8",
        ])
    }

    /// Waits for each question and types its answer.
    func talk(_ terminal: PseudoTerminal, _ lines: [(question: String, answer: String)]) throws -> String {
      var screen = ""
      for line in lines {
        screen += try terminal.screen(until: line.question)
        try terminal.type(line.answer + "\n")
      }
      return screen
    }

    @Test func `at a terminal a wrong answer is explained and asked again`() throws {
      let daemon = try stand()
      try daemon.scratch.write("page.pdf", "%PDF-1.7\nroutes".utf8)
      try daemon.scratch.write("list.csv", "colour,size\nred,1\n".utf8)
      let terminal = try terminal(daemon)
      let file = "customer list (CSV) [later]: "
      var screen = try talk(
        terminal,
        [
          ("Team: ", "Desert Blue"), ("did you mean desert-blue?", ""),
          ("Time zone [America/Phoenix]: ", "phoenix"), ("did you mean America/Phoenix", ""),
        ])
      // The empty line accepted the default of the repeated question.
      screen += try talk(
        terminal,
        [
          ("Language [en]: ", "it"), ("not one of the languages", ""),
          ("Pools or horses [pools]: ", "cats"), ("answer pools, or horses", ""),  // Stables
          (file, "/none.zip"), ("cannot read '/none.zip'", "\(daemon.scratch.path)/page.pdf"),
          ("is neither a ZIP", "\(daemon.scratch.path)/list.csv"), (file, Checkout.backup),
          ("the morning's route [07:00]: ", "25:00"), ("is not a time of day", "06:45"),
          ("Mail relay", "127.0.0.1"), ("a mail relay cannot be that", "smtp://127.0.0.1:25"),
          ("From, such", "routes"), ("write From as", "Routes <routes@example.com>"),
          ("Show gate codes, phone numbers and notes in mail and on published pages? [y/N] ", "y"),
          ("Address of dan, ", "dan"), ("write CHANNEL:ADDRESS", "dan@example.com"),
          ("Send dan a test now? [Y/n] ", ""), ("Address of ", "telegram:@keishapools"),
          ("no program delivers telegram yet", "n"), ("Address of ", ""),
        ])
      #expect(screen.contains("$ pfctl --socket"))
      try terminal.type("\n\n\n\n\n\n\n\n")
      let (rest, code) = try terminal.end()
      #expect(code == 0, "\(screen)\(rest)")
      #expect(rest.contains("Another technician") && rest.contains("next morning's route is sent Tue 2026-03-03 06:45"))
      // At the terminal the commands are shown with addresses.
      #expect((screen + rest).contains("technician set dan --team desert-blue --mail dan@example.com"))
      #expect(try recipients(daemon) == ["dan": [["channel": "mail", "address": "dan@example.com"]]])
      #expect(screen.contains("With no, they are left out"))
      let files = try settings(daemon)
      #expect(files.count == 2 && files["post.conf.d/setup.conf"]?.contains("Detail = full\n") == true, "\(files)")
      let teams = try daemon.query(TeamsCall.List.Reply.self, "team", "list").teams
      #expect(teams.map(\.name) == ["desert-blue"] && teams[0].settings.morningTime == "06:45" && teams[0].pools > 0)
    }

    @Test func `Ctrl-C loses no finished step, and the next setup continues there`() throws {
      let daemon = try stand()
      let first = try terminal(daemon)
      _ = try talk(
        first,
        [
          ("Team: ", "desert-blue"), ("Time zone", ""), ("Language", "es"),
          ("Pools or", ""),  // Stables
        ])
      _ = try first.screen(until: "[later]: ")
      try first.type("\u{3}")
      #expect(try first.end().code == 128 + SIGINT)
      let team = try daemon.query(TeamsCall.List.Reply.self, "team", "list").teams
      #expect(team.map(\.name) == ["desert-blue"] && team[0].language == "es")

      let second = try terminal(daemon)
      var screen = try talk(second, [("Team [desert-blue]: ", ""), ("[later]: ", Checkout.backup)])
      #expect(!screen.contains("Time zone") && screen.contains("desert-blue already exists (America/Phoenix)"))
      screen = try talk(second, [("the morning's route [07:00]: ", "06:30"), ("Mail relay", "")])
      _ = try second.screen(until: "Address of dan, ")
      // Ctrl-D ends the setup, too, with a message.
      try second.type("\u{4}")
      let (rest, code) = try second.end()
      #expect(code == ExitCode.declined && rest.contains("the finished steps stay"), "\(rest)")

      let third = try terminal(daemon, ["--tell", "dan=dan@example.com"])
      screen = try talk(
        third,
        [
          ("Team [desert-blue]: ", "desert-bleu"), ("Create desert-bleu? [Y/n] ", "n"), ("Team [desert-blue]: ", ""),
          ("Time of the morning's route [06:30]: ", ""), ("Mail relay", ""),
        ])
      #expect(screen.contains("pools\r\n") && !screen.contains("[later]: /"))
      try third.type("\n\n\n\n\n\n\n\n")
      let end = try third.end()
      #expect(end.code == 0 && !end.screen.contains("Address of dan"), "\(end.screen)")
      let people = try daemon.query(PeopleCall.List.Reply.self, "technician", "list").people
      #expect(people.filter { !$0.reach.isEmpty }.map(\.name) == ["dan"])
    }
  }
}
