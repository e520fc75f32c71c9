import PoolControl
import FlowControl
import FlowPlatform
import Foundation
import Testing

extension Programs {
  /// The first commands of a new operator: a team, its import, the simulated week and the notices.
  @Suite struct RoadTests {
    @Test func `a fresh team imports the demo backup with counts before and after`() throws {
      let daemon = try Daemon(at: DemoStore.madeAt, empty: true).start()
      let added = try daemon.ask("team", "add", "desert-blue", "--zone", "America/Phoenix")
      #expect(added.code == 0, "\(added.errors)")
      #expect(added.output == "created team desert-blue (America/Phoenix)\n")
      let first = try daemon.query(ImportCall.Apply.Reply.self, "import", Checkout.backup, "--team", "desert-blue")
      let demo = try DemoStore.counts.get()
      #expect(first.report.before == .catalogue)
      #expect(first.report.after == demo)
      // Importing again replaces the same records and adds none.
      let second = try daemon.query(ImportCall.Apply.Reply.self, "import", Checkout.backup, "--team", "desert-blue")
      #expect(second.report.before == demo)
      #expect(second.report.after == demo)
    }

    @Test func `an import with --dry-run reports the result and changes nothing`() throws {
      let daemon = try Daemon(at: DemoStore.madeAt, empty: true).start()
      try daemon.change("team", "add", "desert-blue", "--zone", "America/Phoenix")
      let told = try daemon.query(
        ImportCall.Apply.Reply.self, "import", Checkout.backup, "--team", "desert-blue", "--dry-run")
      #expect(try told.report.after.pools == DemoStore.counts.get().pools)
      #expect(try daemon.query(PoolsCall.List.Reply.self, "pool", "list", "--team", "desert-blue").pools.isEmpty)
      #expect(Files.names(in: daemon.state + "/photos").isEmpty)
    }

    @Test func `simulate gives the same bytes twice, with the demo's names`() throws {
      let daemon = try Daemon(at: DemoStore.madeAt).start()
      let first = try daemon.ask("simulate", "--days", "7")
      let second = try daemon.ask("simulate", "--days", "7")
      #expect(first.code == 0)
      #expect(first.output == second.output)
      // Monday's first stop, and the stock below its threshold.
      #expect(first.output.contains("Mon 2026-03-02 07:00 MST  desert-blue  morning-summary  notified"))
      #expect(try first.output.contains("    You have \(DemoStore.stops(day: 2)) pool(s) scheduled today."))
      #expect(first.output.contains("Elena Calloway, 5336 N 74th Pl, Chandler, AZ 85224"))
      #expect(first.output.contains("Liquid Chlorine (12.5% Sodium Hypochlorite)"))
      #expect(try first.output.contains("\(DemoStore.counts.get().pools) active pools."))
      // Nothing is sent or written.
      #expect(try daemon.query(SchedulerCall.History.Reply.self, "history").runs.isEmpty)
      #expect(daemon.notices.isEmpty)
    }

    @Test func `no private data of the demo is in output, logs or files`() throws {
      let daemon = try Daemon(at: "2026-03-02T14:30:00Z").start()
      try eventually("Monday's file", { daemon.notices.count == 1 })
      let secrets = try DemoStore.secrets()
      #expect(secrets.count > 100)
      var told = try daemon.ask("simulate", "--days", "7").output
      told += try daemon.ask("pool", "show", "Elena Calloway", "--team", "desert-blue").output
      told += daemon.log + (try Files.text(daemon.outputFile))
      for name in Files.names(in: daemon.drop) { told += try Files.text("\(daemon.drop)/\(name)") }
      #expect(told.count > 10_000)
      #expect(secrets.filter { told.contains($0) } == [])
    }

    @Test(arguments: [
      ["status"], ["list"], ["list", "--team", "desert-blue"], ["next", "--limit", "3"], ["history"],
      ["simulate", "--days", "2"], ["team", "list"], ["team", "show", "desert-blue"],
      ["team", "set", "desert-blue", "language=es"], ["team", "plan", "desert-blue", "paid"],
      ["team", "add", "second", "--zone", "Europe/Berlin"], ["pool", "list", "--team", "desert-blue", "--day", "mon"],
      ["pool", "show", "Elena Calloway", "--team", "desert-blue"],
      ["import", Checkout.backup, "--team", "desert-blue", "--dry-run"],
      ["run", "morning-summary", "--team", "desert-blue"], ["outbox", "list"], ["version"],
    ])
    func `every command answers --json with one document that names its schema`(words: [String]) throws {
      let daemon = try Daemon(at: "2026-03-02T17:00:00Z").start()
      let answer = try Pfctl.run(words + ["--json", "--socket", daemon.socket], in: daemon.scratch)
      #expect(answer.code == 0)
      #expect(answer.errors == "")
      let document = try JSONSerialization.jsonObject(with: Data(answer.output.utf8)) as? [String: Any]
      let schema = try #require(document?["schema"] as? String)
      #expect(schema.hasPrefix("pfctl.") && schema.hasSuffix("/1"))
    }

    @Test func `a notice is shown as text and as JSON`() throws {
      let daemon = try Daemon(at: "2026-03-02T17:00:00Z").start()
      try daemon.change("run", "morning-summary", "--team", "desert-blue")
      let entry = try #require(try daemon.query(OutboxCall.List.Reply.self, "outbox", "list").entries.first)
      let shown = try daemon.query(OutboxCall.Show.Reply.self, "outbox", "show", entry.noticeId)
      #expect(shown.notice.title == "Today's Route")
      #expect(shown.entries.map(\.sink).sorted() == ["drop", "stdout"])
      #expect(try daemon.ask("outbox", "show", entry.noticeId).output.contains("Elena Calloway"))
    }

    @Test func `an error with --json is one document on stderr with its code`() throws {
      let daemon = try Daemon(at: DemoStore.madeAt).start()
      let answer = try daemon.ask("team", "show", "desrt-blue", "--json")
      let document = try JSONSerialization.jsonObject(with: Data(answer.errors.utf8)) as? [String: Any]
      #expect(answer.output == "")
      #expect(document?["schema"] as? String == "pfctl.error/1")
      #expect(document?["error"] as? String == "org.poolflow.Teams.NoSuchTeam")
      #expect(document?["exit_code"] as? Int == Int(answer.code))
    }
  }
}

extension RecordCountsView {
  /// The record counts of a new team: only the default stock items.
  static let catalogue = RecordCountsView(
    pools: 0, serviceEvents: 0, chemicalDoses: 0, inventoryItems: 7, customerProfiles: 0, equipment: 0, photos: 0)
}

extension DemoStore {
  /// The telephone numbers, e-mail addresses and gate codes in the demo backup's profiles.
  static func secrets() throws -> Set<String> {
    let archive = try ZIPArchive(path: Checkout.backup)
    var secrets: Set<String> = []
    for entry in archive.entries where entry.name.hasSuffix(".json") {
      let records = try JSONSerialization.jsonObject(with: Data(try archive.read(entry, limit: 64 << 20)))
      for case let record as [String: Any] in (records as? [Any]) ?? [] {
        for key in ["contactPhone", "contactEmail", "gateAccessType"] {
          // Short values such as "none" are not secret.
          if let value = record[key] as? String, value.count >= 6 { secrets.insert(value) }
        }
      }
    }
    return secrets
  }
}
