import StableControl
import FlowControl
import FlowTestKit
import Foundation
import Testing

extension Programs {
  /// Runs every example command line of help and the manual as printed.
  @Suite struct ExampleTests {
    /// The examples of every command's help; `ManualTests` checks that the manual has the same.
    private func examples(_ scratch: Scratch) throws -> [String] {
      let list = try Pfctl.run(["help"], in: scratch).output
      let names = list.split(separator: "\n").filter { $0.hasPrefix("  ") && !$0.hasPrefix("  --") }.map {
        ($0.dropFirst(2).split(separator: "  ").first ?? "").split(separator: " ").map(String.init)
      }
      return try names.flatMap { name in
        let help = try Pfctl.run(["help"] + name, in: scratch).output.split(separator: "\n")
        return help.drop { $0 != "Examples:" }.dropFirst().map { $0.trimmingCharacters(in: .whitespaces) }
      }
    }

    /// Examples whose output is no JSON document: other formats, or written to a file.
    private static var otherForms: Regex<(Substring, Substring?)> {
      /--(format|svg|man)|completion|route export|help schema [a-z]/
    }

    /// Creates the stable of the examples, with two weather files.
    ///
    /// - Returns: the id of a care event.
    private func makeBarn(_ daemon: Daemon) throws -> String {
      let barn = ["--team", "willow-barn"]
      try daemon.change("team", "add", "willow-barn", "--zone", "America/Phoenix", "--trade", "stable")
      for horse in ["Juniper", "Clover"] {
        #expect(try daemon.ask(["horse", "add", horse, "--added", "2026-02-01"] + barn).code == 0)
        #expect(try daemon.ask(["feed", "set", horse, "--am-grain", "oats", "--pm-grain", "hay"] + barn).code == 0)
      }
      #expect(try daemon.ask(["care", "log", "Clover", "dental", "--date", "2026-02-20"] + barn).code == 0)
      try daemon.scratch.write("horses.csv", "horse,owner\nJuniper,Ada Field\n".utf8)
      let hours = (0..<48).map { hour in "2026-03-0\(2 + hour / 24)T\(hour % 24 < 10 ? "0" : "")\(hour % 24):00" }
      try daemon.scratch.write(
        "forecast.csv", ("time,air_c\n" + hours.map { "\($0):00Z,4" }.joined(separator: "\n") + "\n").utf8)
      let units = #""hourly_units":{"time":"iso8601","temperature_2m":"°C"}"#
      let times = hours.map { "\"\($0)\"" }.joined(separator: ",")
      let air = hours.map { _ in "4" }.joined(separator: ",")
      try daemon.scratch.write(
        "forecast.json",
        """
        {"latitude":33.4,"longitude":-112,"utc_offset_seconds":0,\(units),\
        "hourly":{"time":[\(times)],"temperature_2m":[\(air)]}}
        """.utf8)
      let events = try daemon.query(CareCall.List.Reply.self, "care", "list", "--team", "willow-barn").events
      return try #require(events.first).id
    }

    @Test func `every example of help and the manual succeeds`() throws { _ = try typed(asJSON: false) }

    @Test func `every example of help and the manual writes JSON that fits its schema`() throws {
      let (daemon, schemas) = try typed(asJSON: true)
      try Test.skipRest(unless: .python("jsonschema"))
      let list = try Pfctl.run(["help", "schema", "--plain"], in: daemon.scratch).output
      let names = list.split(separator: "\n").compactMap { $0.split(separator: "\t").first.map(String.init) }
      let missing = Set(names.filter { $0.hasPrefix("pfctl.") }).subtracting(try schemas.names())
      // No example covers these schemas; `ClientTests` and `EventTests` check them.
      #expect(
        missing == [
          "pfctl.simulate-diff/1", "pfctl.cancel/1", "pfctl.store-copy/1", "pfctl.nodes-drain/1",
          "pfctl.nodes-resume/1",
        ], "of others nothing real was seen")
    }

    /// Runs every example against a daemon of its own.
    ///
    /// - Parameter asJSON: adds `--json` to each example and its output to the schema check.
    private func typed(asJSON: Bool) throws -> (Daemon, SchemaCheck) {
      let daemon = try Daemon(at: "2026-03-02T14:30:00Z")
      let inbox = daemon.scratch.path + "/inbox"
      try FileManager.default.createDirectory(atPath: inbox, withIntermediateDirectories: false)
      let sinks =
        "[Sink drop]\nType = file-drop\n[Sink crew]\nType = file-drop\nSensitive = yes\n"
        + "[Sink web]\nType = publish\nDirectory = \(try daemon.scratch.folder("www"))\n"
      try daemon.scratch.write("poolflow.conf", "[Daemon]\nInbox = \(inbox)\n\(sinks)".utf8)
      try daemon.start()
      try eventually("Monday's file", { daemon.notices.count == 1 })
      try daemon.scratch.write("list.csv", "Who,Where,Day\nAnn Lee,1 Elm St,Tue\n".utf8)
      try daemon.scratch.write("profiles.csv", "customer_name,address\nAnn Lee,1 Elm St\n".utf8)
      let files = ["backup.zip": Checkout.backup, "customers.csv": Checkout.customers, "stops.csv": Checkout.stops]
      for (name, source) in files {
        try FileManager.default.copyItem(atPath: source, toPath: "\(daemon.scratch.path)/\(name)")
      }
      // The answer of an OSRM server's table service for two coordinates of the demo.
      let places = "[{\"location\":[-112.074,33.4484]},{\"location\":[-111.94,33.42]}]"
      try daemon.scratch.write(
        "table.json",
        "{\"code\":\"Ok\",\"durations\":[[0,900],[870,0]],\"sources\":\(places),\"destinations\":\(places)}".utf8)
      try daemon.scratch.write(
        "holidays.ics",
        """
        BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nDTSTART;VALUE=DATE:20261225\r\nRRULE:FREQ=YEARLY\r\nSUMMARY:Christmas\r\n\
        END:VEVENT\r\nEND:VCALENDAR\r\n
        """.utf8)
      let care = try makeBarn(daemon)
      let run = try #require(try daemon.runs("morning-summary").first).id
      let notice = try daemon.query(OutboxCall.List.Reply.self, "outbox", "list").entries.first?.noticeId ?? "none"
      let binaries = URL(filePath: Checkout.pfctl).deletingLastPathComponent().path
      let environment = [
        "PATH": "\(binaries):/usr/bin:/bin", "POOLFLOW_SOCKET": daemon.socket,
        "CONFIGURATION_DIRECTORY": daemon.scratch.path,
      ]
      let all = try examples(daemon.scratch)
      let schemas = try SchemaCheck()
      #expect(all.count > 40)
      for example in all {
        // Replaces the team name, which exists already, and the ids, which examples cannot know.
        let line = example.replacing("team add desert-blue", with: "team add desert-red")
          .replacing("horse add Juniper", with: "horse add Pepper").replacing("3f2a", with: care)
          .replacing("20260302T140000Z-morning-summary-17-f3a91c02", with: notice)
          .replacing("20260302T140000Z-morning-summary-1", with: run)
        let typed = line + (asJSON && !line.contains("--json") && !line.contains(" -- ") ? " --json" : "")
        let answer = try Program.run(
          "/bin/sh", ["-c", "cd '\(daemon.scratch.path)' && \(typed)"], in: daemon.scratch, environment: environment)
        let isOfNodes = line.hasPrefix("pfctl nodes ")
        let isRefused = line.hasPrefix("pfctl cancel") || line.hasPrefix("pfctl store copy") || isOfNodes
        if asJSON, isRefused {
          try schemas.add(answer.errors)
        } else if asJSON, !line.contains(Self.otherForms) {
          try schemas.add(answer.output, as: line.hasPrefix("pfctl events") ? "line" : "json")
        }
        if line.hasPrefix("pfctl cancel") {
          // The example's run has ended, so `cancel` is refused with that reason.
          #expect(answer.code == ExitCode.usage && answer.errors.contains("has ended already"), "\(answer)")
          continue
        }
        if isOfNodes {
          // A single daemon refuses `nodes` commands; `NodesTests` runs several.
          #expect(answer.code == ExitCode.usage && answer.errors.contains("uses its store alone"), "\(answer)")
          continue
        }
        if line.hasPrefix("pfctl store copy") {
          // `store copy` is refused while the daemon runs or without a configured server; `PostgresTests` tests copies.
          #expect(
            answer.code == 75 && answer.errors.contains("stop it first")
              || answer.code == ExitCode.usage && answer.errors.contains("set Connection ="), "\(answer)")
          continue
        }
        #expect(answer.code == 0, "\(line): \(answer.errors)")
        // With `--json` a command that wrote a file may print nothing.
        let isSilent = answer.output.isEmpty && answer.errors.isEmpty
        #expect(!isSilent || asJSON && line.contains(Self.otherForms), "\(line) says nothing")
      }
      return (daemon, schemas)
    }

    @Test func `every example of settings in the manual is valid, alone and combined`() throws {
      let scratch = try Scratch()
      let page = try Pfctl.run(["help", "--man", "poolflow.conf.5"], in: scratch).output
      let listed = page.components(separatedBy: ".SH \"EXAMPLES\"").dropFirst().joined()
      let examples = listed.components(separatedBy: ".nf\n").dropFirst().compactMap {
        $0.components(separatedBy: ".fi").first?.replacing("\\-", with: "-")
      }
      #expect(examples.count >= 2)
      for example in examples + [examples.joined()] {
        try scratch.write("example.conf", example.utf8)
        let answer = try Pfctl.run(["config", "check", "--config", "\(scratch.path)/example.conf"], in: scratch)
        #expect(answer.code == 0, "\(example)\n\(answer.errors)")
      }
    }
  }
}
