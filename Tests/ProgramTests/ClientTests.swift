import FlowControl
import FlowTestKit
import Foundation
import Testing

extension Programs {
  /// Integrations: the schemas of all written documents, the example clients, and the metrics for Prometheus and Grafana.
  @Suite struct ClientTests {
    private static let examples = Checkout.root + "/units/examples"

    /// A daemon with the demo team, a plain drop folder and a sensitive one.
    private func daemon(at now: String, _ settings: String = "") throws -> Daemon {
      let daemon = try Daemon(at: now)
      let sinks = "[Sink drop]\nType = file-drop\n[Sink crew]\nType = file-drop\nSensitive = yes\n"
      try daemon.scratch.write("poolflow.conf", "[Daemon]\n\(settings)\(sinks)".utf8)
      return try daemon.start()
    }

    // MARK: Schemas

    @Test func `events of every kind, plain and sensitive, fit their schemas`()
      throws
    {
      let daemon = try daemon(at: "2026-03-02T15:00:00Z")
      let team = "desert-blue"
      try eventually("Monday's digest", { try daemon.unsent() == 0 })
      try daemon.change(
        "technician", "set", "dan", "--team", team, "--mail", "dan@example.com", "--quiet-hours", "20:00-05:30")
      try daemon.change("technician", "set", "office", "--team", team, "--ntfy", "office")
      try daemon.change("pool", "set", "Steve Baird", "--team", team, "--notes", "Behind the shed")
      // Low stock is reported by one kind of notice only, so the morning summary is switched off for it.
      try daemon.change("team", "set", team, "morning-summary=off")
      try daemon.change("run", "low-stock", "--team", team, "--at", "2026-03-02")
      try daemon.change("team", "set", team, "morning-summary=on", "route-preview=on")
      try daemon.change("closed", "add", "2026-03-05", "--team", team, "--notes", "Fair")
      try daemon.change(
        "reminder", "add", "filters", "--team", team, "--rule", "Mon 09:00", "--text", "Clean {pools.today}")
      for (job, day) in [
        ("morning-summary", "2026-03-02"), ("route-preview", "2026-03-02"),
        ("closed-day", "2026-03-04"), ("weekly-digest", "2026-03-01"), ("reminder-filters", "2026-03-02"),
      ] {
        try daemon.change("run", job, "--team", team, "--at", day)
      }
      try daemon.change("team", "plan", team, "trial", "--until", "2026-03-03T15:00:00Z")
      try daemon.change("run", "trial-reminder", "--team", team, "--at", "2026-03-02")
      try daemon.change("sink", "test", "drop")
      try daemon.change("technician", "test", "dan", "--team", team)
      try daemon.change("stop", "skip", "Steve Baird", "2026-03-02", "--team", team, "--reason", "gate locked")
      try eventually("the changed route", { try !daemon.runs("changed-today").isEmpty })
      try tellBarn(daemon)  // Stables
      try eventually("all are sent", { try daemon.unsent() == 0 })
      let schemas = try SchemaCheck()
      var members: Set<String> = []
      for folder in ["outbox", "outbox-crew"].map({ "\(daemon.state)/\($0)/new" }) {
        for name in Files.names(in: folder) where name.hasSuffix(".json") {
          let text = try Files.text("\(folder)/\(name)")
          try schemas.add(text, as: "event")
          let event = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
          members.formUnion(((event?["data"] as? [String: Any]) ?? [:]).keys)
        }
      }
      #expect(members.isSuperset(of: ["details", "recipient", "access"]))
      try Test.skipRest(unless: .python("jsonschema"))
      let fitted = try schemas.names()
      let list = try Pfctl.run(["help", "schema", "--plain"], in: daemon.scratch).output
      let events = list.split(separator: "\n").compactMap { $0.split(separator: "\t").first.map(String.init) }
        .filter { $0.hasPrefix("org.poolflow.") }
      #expect(fitted == Set(events))
      #expect(events.count >= 9)
      #expect(events.count >= 15)  // Stables
    }

    @Test func `the result files in the inbox fit their schema, for accepted and refused files`() throws {
      let scratch = try Scratch()
      let inbox = try scratch.folder("inbox")
      let folder = inbox + "/desert-blue"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
      try FileManager.default.copyItem(atPath: Checkout.customers, toPath: folder + "/customers.csv")
      try Data("no archive".utf8).write(to: URL(filePath: folder + "/broken.zip"))
      let daemon = try daemon(at: "2026-03-02T06:00:00Z", "Inbox = \(inbox)\n")
      var results: [String] { Files.names(in: folder).filter { $0.hasSuffix(".result") } }
      // The scan at start may be running; then `inbox take` takes nothing.
      try eventually("both have their answers") {
        try daemon.ask("inbox", "take")
        return results.count == 2
      }
      let schemas = try SchemaCheck()
      for name in results { try schemas.add(try Files.text("\(folder)/\(name)")) }
      try Test.skipRest(unless: .python("jsonschema"))
      #expect(try schemas.names() == ["poolflow.inbox/1"])
    }

    @Test func `the output of simulate --diff fits its schema`() throws {
      let daemon = try daemon(at: "2026-03-02T15:00:00Z")
      let settings = try daemon.scratch.write("other.conf", "[Job weekly-digest]\nRule = Fri 16:00\n".utf8)
      let schemas = try SchemaCheck()
      let answer = try daemon.ask("simulate", "--days", "7", "--config", settings, "--diff", "--json")
      #expect(answer.code == 0 && answer.output.contains("weekly-digest"), "\(answer)")
      try schemas.add(answer.output)
      try Test.skipRest(unless: .python("jsonschema"))
      #expect(try schemas.names() == ["pfctl.simulate-diff/1"])
    }

    @Test func `--json selects fields; an unknown field is refused before any change`() throws {
      let daemon = try daemon(at: "2026-03-02T15:00:00Z")
      func lines(_ words: String...) throws -> String {
        let answer = try Pfctl.run(words + ["--socket", daemon.socket], in: daemon.scratch)
        #expect(answer.code == 0, "\(words): \(answer.errors)")
        return answer.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      }
      #expect(
        try lines("team", "list", "--json=zone,name")
          == "[ { \"zone\": \"America/Phoenix\", \"name\": \"desert-blue\" } ]")
      #expect(
        try lines("team", "show", "desert-blue", "--json=name,plan")
          == "{ \"name\": \"desert-blue\", \"plan\": \"paid\" }")
      #expect(try lines("status", "--json=teams") == "{ \"teams\": 1 }")
      try eventually("an event is told") { try lines("events", "--json=kind,state").hasPrefix("{\"kind\":\"") }
      let refused = try daemon.ask("team", "set", "desert-blue", "language=es", "--json=teem")
      #expect(refused.code == ExitCode.usage && refused.errors.contains("did you mean team?"), "\(refused)")
      #expect(try lines("team", "show", "desert-blue", "--json=language") == "{ \"language\": \"en\" }")
    }

    // MARK: Clients

    @Test(.requires(.python3)) func `the Python client prints tomorrow's jobs of each team`() throws {
      let daemon = try daemon(at: "2026-03-02T15:00:00Z")
      try daemon.change("team", "add", "coast", "--zone", "America/New_York")
      let answer = try PythonTools.run(["\(Self.examples)/tomorrow.py", daemon.socket], in: daemon.scratch)
      #expect(answer.code == 0, "\(answer.errors)")
      #expect(answer.output.contains("desert-blue, Tue 2026-03-03 (America/Phoenix):\n"), "\(answer)")
      #expect(answer.output.contains("  07:00  morning-summary\n"), "\(answer)")
      #expect(answer.output.hasPrefix("coast, "), "\(answer)")
      let failed = try PythonTools.run(["\(Self.examples)/tomorrow.py", "/none.sock"], in: daemon.scratch)
      #expect(failed.code == ExitCode.unavailable && failed.errors.contains("no daemon answers"), "\(failed)")
    }

    @Test(.requires(.jq)) func `the shell client prints tomorrow's jobs of each team`() throws {
      let daemon = try daemon(at: "2026-03-02T15:00:00Z")
      try daemon.change("team", "add", "coast", "--zone", "America/New_York")
      func ask(_ program: String, _ words: [String], at socket: String) throws -> Answer {
        try Program.run(
          program, words, in: daemon.scratch,
          environment: [
            "PATH": "\(URL(filePath: Checkout.pfctl).deletingLastPathComponent().path):/usr/bin:/bin",
            "POOLFLOW_SOCKET": socket, "TOMORROW": "2026-03-03",
          ])
      }
      let script = ["\(Self.examples)/tomorrow.sh"]
      let answer = try ask("/bin/sh", script, at: daemon.socket)
      #expect(answer.code == 0 && !answer.errors.contains("--limit"), "\(answer.errors)")
      #expect(answer.output.contains("desert-blue, 2026-03-03 (America/Phoenix):\n"), "\(answer)")
      #expect(answer.output.contains("  07:00  morning-summary\n") && answer.output.hasPrefix("coast, "), "\(answer)")
      // Without a daemon the script shows pfctl's own message and exit code.
      let failed = try ask("/bin/sh", script, at: "/none.sock")
      let own = try ask(Checkout.pfctl, ["team", "list", "--json=name,zone"], at: "/none.sock")
      #expect(own.code != 0 && failed.code == own.code && failed.output.isEmpty, "\(failed)")
      #expect(!failed.errors.isEmpty && failed.errors == own.errors, "\(failed)")
    }

    @Test(.requires(.jq))
    func `take-events.sh takes each event once, with its page, even after a kill`() throws {
      let daemon = try daemon(at: "2026-03-02T15:00:00Z")
      try eventually("Monday's digest", { try daemon.unsent() == 0 && !daemon.notices.isEmpty })
      func take() throws -> Answer {
        try Program.run("/bin/sh", ["\(Self.examples)/take-events.sh", "\(daemon.state)/outbox"], in: daemon.scratch)
      }
      let taken = try take()
      #expect(taken.code == 0 && taken.output.hasPrefix("desert-blue: "), "\(taken)")
      #expect(taken.output.contains("Steve Baird") && Files.names(in: daemon.drop).isEmpty, "\(taken)")
      // The event's HTML page is moved too; the script prints its path.
      let page = try #require(taken.output.firstMatch(of: /page: (\/[^\n]+\.html)/)?.1)
      #expect(try Files.text(String(page)).contains("Steve Baird"))
      #expect(try take().output.isEmpty)
      // An event that was moved to `taken/` but not processed.
      try daemon.change("sink", "test", "drop")
      let event = try #require(daemon.notices.first)
      try FileManager.default.moveItem(
        atPath: "\(daemon.drop)/\(event)", toPath: "\(daemon.state)/outbox/taken/\(event)")
      #expect(try take().output.hasPrefix("poolflow: Test of sink 'drop'"))
      #expect(!Files.names(in: "\(daemon.state)/outbox/taken").contains { $0.hasSuffix(".json") })
      // Another work folder is possible; a path that cannot be created is named.
      try daemon.change("sink", "test", "drop")
      let outbox = "\(daemon.state)/outbox"
      func run(_ folder: String, _ work: String) throws -> Answer {
        try Program.run("/bin/sh", ["\(Self.examples)/take-events.sh", folder, work], in: daemon.scratch)
      }
      let file = try daemon.scratch.write("file", "".utf8)
      let refused = try run(outbox, file + "/work")
      #expect(refused.code == 73 && refused.errors.contains("cannot make '\(file)/work'"), "\(refused)")
      #expect(try run("/nowhere", outbox).code == 77)
      #expect(!daemon.notices.isEmpty)
      #expect(try run(outbox, daemon.scratch.path + "/own").output.hasPrefix("poolflow: Test of sink 'drop'"))
    }

    // MARK: Monitoring

    @Test func `the dashboard and the alerts use only metrics that are written`() throws {
      let scratch = try Scratch()
      let file = scratch.path + "/poolflow.prom"
      let daemon = try daemon(at: "2026-03-02T15:00:00Z", "MetricsFile = \(file)\n")
      try eventually("Monday's digest is sent") { try daemon.unsent() == 0 }
      // Metrics of a sender are written only after its first report.
      _ = try daemon.scratch.folder("state/outbox-crew/receipts")
      let channel = #"{"name":"mail","kind":"smtp","waiting":0,"last_delivered":"2026-03-02T14:00:00Z"}"#
      try daemon.scratch.write("state/outbox-crew/receipts/sender.report", #"{"channels":[\#(channel)]}"#.utf8)
      // Metrics of routes are written only after the first route comparison.
      try daemon.ask("route", "compare", "--team", "desert-blue")
      daemon.clock.step(by: .seconds(61))
      try eventually("the metrics tell a run") {
        guard Files.exists(file) else { return false }
        let text = try Files.text(file)
        return text.contains("poolflow_job_last_success_timestamp_seconds{")
          && text.contains("poolflow_travel_time_cache_hit_ratio") && text.contains("poolflow_channel_failing{")
      }
      let text = try Files.text(file)
      let written = Set(text.matches(of: /# TYPE (poolflow_[a-z_]+)/).map { String($0.1) })
      for name in ["poolflow-dashboard.json", "poolflow-alerts.yml"] {
        let asked = Set(try Files.text("\(Self.examples)/\(name)").matches(of: /poolflow_[a-z_]+/).map { String($0.0) })
        #expect(asked.count > 7 && asked.isSubset(of: written), "\(name): \(asked.subtracting(written))")
      }
      try Test.skipRest(unless: .promtool)
      let promtool = try Requirement.promtool.path()
      let check = try Program.run("/bin/sh", ["-c", "'\(promtool)' check metrics <'\(file)'"], in: scratch)
      #expect(check.code == 0 && check.output.isEmpty && check.errors.isEmpty, "\(check)")
    }

    @Test func `Grafana's dashboard has non-overlapping panels, each with an expression`()
      throws
    {
      let bytes = Data(try Files.bytes("\(Self.examples)/poolflow-dashboard.json"))
      let dashboard = try #require(try JSONSerialization.jsonObject(with: bytes) as? [String: Any])
      #expect(dashboard["title"] as? String == "poolflow" && dashboard["uid"] as? String == "poolflow")
      let panels = try #require(dashboard["panels"] as? [[String: Any]])
      var cells: Set<String> = []
      for panel in panels {
        let title = try #require(panel["title"] as? String)
        let place = try #require(panel["gridPos"] as? [String: Int], "\(title)")
        let (x, y, w, h) = (place["x"] ?? -1, place["y"] ?? -1, place["w"] ?? 0, place["h"] ?? 0)
        #expect(x >= 0 && y >= 0 && w > 0 && h > 0 && x + w <= 24, "\(title)")
        for column in x..<x + w {
          for row in y..<y + h { #expect(cells.insert("\(column),\(row)").inserted, "\(title)") }
        }
        let targets = try #require(panel["targets"] as? [[String: Any]], "\(title)")
        #expect(!targets.isEmpty && targets.allSatisfy { ($0["expr"] as? String)?.contains("poolflow_") == true })
      }
      #expect(Set(panels.compactMap { $0["id"] as? Int }).count == panels.count && panels.count > 10)
    }

    @Test(.requires(.promtool))
    func `every alert fires exactly when it should; all dashboard expressions parse`() throws {
      let promtool = try Requirement.promtool.path()
      let scratch = try Scratch()
      let fixtures = Checkout.root + "/Tests/ProgramTests/Fixtures/poolflow-alerts-test.yml"
      for path in ["\(Self.examples)/poolflow-alerts.yml", fixtures] {
        let name = URL(filePath: path).lastPathComponent
        try FileManager.default.copyItem(atPath: path, toPath: "\(scratch.path)/\(name)")
      }
      let check = try Program.run(promtool, ["check", "rules", "\(scratch.path)/poolflow-alerts.yml"], in: scratch)
      #expect(check.code == 0, "\(check)")
      let test = try Program.run(promtool, ["test", "rules", "\(scratch.path)/poolflow-alerts-test.yml"], in: scratch)
      #expect(test.code == 0, "\(test)")
      let rules = try Files.text("\(scratch.path)/poolflow-alerts.yml").matches(of: /- alert: (\w+)/).map {
        String($0.1)
      }
      let tested = try Files.text(fixtures)
      for rule in rules {
        // Each rule is tested once firing and once not firing.
        #expect(tested.components(separatedBy: "alertname: \(rule)").count > 2, "\(rule)")
      }
      let bytes = Data(try Files.bytes("\(Self.examples)/poolflow-dashboard.json"))
      let panels =
        (try JSONSerialization.jsonObject(with: bytes) as? [String: Any])?["panels"] as? [[String: Any]] ?? []
      let expressions = panels.flatMap { $0["targets"] as? [[String: Any]] ?? [] }.compactMap { $0["expr"] as? String }
      var recorded = "groups:\n  - name: dashboard\n    rules:\n"
      for (number, expression) in expressions.enumerated() {
        recorded += "      - {record: 'poolflow:\(number)', expr: '\(expression)'}\n"
      }
      let path = try scratch.write("dashboard.yml", recorded.utf8)
      let readable = try Program.run(promtool, ["check", "rules", path], in: scratch)
      #expect(expressions.count > 10 && readable.code == 0, "\(readable)")
    }
  }
}
