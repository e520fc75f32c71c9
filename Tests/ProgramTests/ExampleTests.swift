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
    ///
    /// `pfctl route export` writes its document if it writes a file, whatever the file's format.
    private static var otherForms: Regex<(Substring, Substring, Substring?)> {
      /^(?!pfctl route export .*--output).*(--(format|svg|man)|completion|route export|help schema [a-z])/
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
      let namesOfTrades: [[(example: String, name: String)]] = [
        try makeBarn(daemon)  // Stables
      ]
      let run = try #require(try daemon.runs("morning-summary").first).id
      let notice = try daemon.query(OutboxCall.List.Reply.self, "outbox", "list").entries.first?.noticeId ?? "none"
      let binaries = URL(filePath: Checkout.pfctl).deletingLastPathComponent().path
      let environment = [
        "PATH": "\(binaries):/usr/bin:/bin", "POOLFLOW_SOCKET": daemon.socket,
        "CONFIGURATION_DIRECTORY": daemon.scratch.path,
      ]
      // Replaces the team name, which exists already, and the ids, which examples cannot know.
      let names =
        namesOfTrades.joined() + [
          ("team add desert-blue", "team add desert-red"), ("20260302T140000Z-morning-summary-17-f3a91c02", notice),
          ("20260302T140000Z-morning-summary-1", run),
        ]
      let all = try examples(daemon.scratch)
      let schemas = try SchemaCheck()
      #expect(all.count > 40)
      for example in all {
        let line = names.reduce(example) { $0.replacing($1.example, with: $1.name) }
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
