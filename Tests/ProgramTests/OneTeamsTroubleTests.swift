import FlowControl
import FlowModel
import FlowStore
import Foundation
import Testing
import TradeStores

extension Programs {
  /// Unreadable records of one team do not affect other teams, and are reported by status, doctor, metrics and a notice.
  @Suite struct OneTeamsTroubleTests {
    private static let bad = "desert-blue"
    private static let good = "coast"

    /// A daemon with two teams with pools. `damage` is applied to the file of the stopped daemon, because no command accepts
    /// such values.
    private func daemon(
      at now: String = "2026-03-02T06:30:00Z", settings: String = "", damage: [String]
    ) throws -> Daemon {
      let daemon = try Daemon(at: now)
      try daemon.scratch.write("poolflow.conf", settings.utf8)
      let before = try Daemon(at: "2026-03-02T06:10:00Z")
      try FileManager.default.removeItem(atPath: before.state)
      try FileManager.default.moveItem(atPath: daemon.state, toPath: before.state)
      try before.start(environment: ["TZ": "UTC"])
      try before.change("team", "add", Self.good, "--zone", "America/Phoenix")
      try before.change("team", "plan", Self.good, "paid")
      try before.change("import", Checkout.customers, "--team", Self.good)
      try before.stop()
      try FileManager.default.moveItem(atPath: before.state, toPath: daemon.state)
      try change(daemon, damage)
      return try daemon.start(environment: ["TZ": "UTC"])
    }

    private func change(_ daemon: Daemon, _ statements: [String]) throws {
      let connection = try Connection(path: daemon.state + "/poolflow.db", mode: .readWrite)
      for statement in statements { try connection.run(statement) }
    }

    private func create(_ daemon: Daemon) throws -> (code: Int32, backup: BackupView) {
      let answer = try daemon.ask("backup", "create", "--json")
      return (
        answer.code,
        try JSONDecoder().decode(BackupCall.Create.Reply.self, from: Data(answer.output.utf8)).backup
      )
    }

    /// The teams whose archives the backup has.
    private func teams(of backup: BackupView, _ daemon: Daemon) throws -> Set<String> {
      Set(try daemon.query(BackupCall.Show.Reply.self, "backup", "show", backup.id).archives.map(\.team))
    }

    private func notices(_ daemon: Daemon) throws -> [String] {
      try ["pending", "staged", "sent", "dead"].flatMap {
        try daemon.query(OutboxCall.List.Reply.self, "outbox", "list", "--state", $0).entries.map(\.title)
      }.filter { $0.contains("make its jobs fail") }
    }

    private static let damage = """
      UPDATE pools SET updated_ms = 9223372036854775807 WHERE rowid = (SELECT min(rowid) FROM pools WHERE team_id =
        (SELECT team_id FROM teams WHERE name = 'desert-blue'))
      """

    @Test func `a backup lacks only the damaged team's archive and reports the reason`()
      throws
    {
      let metrics = try Scratch()
      let daemon = try daemon(
        settings: "[Daemon]\nMetricsFile = \(metrics.path)/m.prom\n\n[Sink drop]\nType = file-drop\n",
        damage: [Self.damage])
      let (code, backup) = try create(daemon)
      #expect(code == ExitCode.attention && backup.state == .tested)
      #expect(try teams(of: backup, daemon) == [Self.good])
      #expect(backup.troubles?.map(\.team) == [Self.bad])
      #expect(backup.troubles?.first?.why.contains("pools.updated_ms = '9223372036854775807'") == true, "\(backup)")
      let told = try daemon.ask("backup", "create")
      #expect(told.code == ExitCode.attention && told.errors.contains("no archive of team 'desert-blue': "), "\(told)")
      let shown = try daemon.ask("backup", "show", backup.id)
      #expect(shown.output.contains("coast.") && shown.output.contains("no archive"), "\(shown.output)")
      #expect(try daemon.ask("backup", "list").output.contains("no archives of desert-blue"))
      #expect(try daemon.ask("backup", "verify", backup.id, "--full").code == 0)

      let check = try daemon.ask("status", "--check")
      #expect(check.code == ExitCode.attention && check.output.contains("1 team in trouble: desert-blue"))
      #expect(check.output.split(separator: "\n").dropFirst().first?.hasPrefix("team 'desert-blue': backup: ") == true)
      let doctor = try daemon.ask("doctor")
      #expect(doctor.code == 1 && doctor.output.contains("✗ teams: backup of team 'desert-blue' fails since"))
      #expect(try daemon.ask("status").errors.contains("team 'desert-blue' has a failure, backup: "))
      try eventually("the operator is told") { try notices(daemon).count == 1 }
      daemon.clock.step(by: .seconds(61))
      try eventually("the metrics tell") {
        guard Files.exists(metrics.path + "/m.prom") else { return false }
        return try Files.text(metrics.path + "/m.prom").contains(
          #"poolflow_team_trouble{team="desert-blue",work="backup"} 1"#)
      }
      #expect(try notices(daemon).count == 1, "told once, however often it is found")
      let restore = try daemon.ask("backup", "restore", backup.id, "--team", Self.bad, "--dry-run")
      #expect(restore.code == ExitCode.badData && restore.errors.contains("because none could be made"), "\(restore)")

      // The failure survives a restart without a second notice, and ends when the data is repaired.
      try daemon.stop()
      try daemon.start(environment: ["TZ": "UTC"])
      #expect(try daemon.ask("status", "--check").output.contains("desert-blue"))
      try daemon.stop()
      try change(daemon, ["UPDATE pools SET updated_ms = created_ms WHERE updated_ms = 9223372036854775807"])
      try daemon.start(environment: ["TZ": "UTC"])
      let mended = try create(daemon)
      #expect(mended.code == 0 && mended.backup.archives > 1 && mended.backup.troubles == nil)
      #expect(try daemon.query(SchedulerCall.Status.Reply.self, "status").troubles == [])
      #expect(try notices(daemon).count == 1)
    }

    @Test func `the nightly backup is made without the damaged team's archive`() throws {
      let daemon = try daemon(at: "2026-03-03T09:00:00Z", damage: [Self.damage])
      try eventually(
        "the night's backup",
        { try daemon.query(BackupCall.List.Reply.self, "backup", "list").backups.contains { $0.reason == "nightly" } })
      try eventually(
        "its verdict",
        {
          try daemon.query(SchedulerCall.History.Reply.self, "history", "backup").runs.contains {
            $0.outcome == .done && $0.reason == "archives-missing"
              && $0.detail.contains("no archive of team 'desert-blue'")
          }
        })
      let backup = try #require(try daemon.query(BackupCall.List.Reply.self, "backup", "list").backups.first)
      #expect(try teams(of: backup, daemon) == [Self.good] && backup.troubles?.map(\.team) == [Self.bad])
    }

    @Test func `a failed nightly backup is reported until the next one succeeds`() throws {
      let daemon = try daemon(at: "2026-03-02T23:00:00Z", damage: [])
      let folder = "\(daemon.state)/backups"
      try FileManager.default.moveItem(atPath: folder, toPath: folder + ".aside")
      try Data("no folder".utf8).write(to: URL(filePath: folder))
      func runs() throws -> [RunView] { try daemon.query(SchedulerCall.History.Reply.self, "history", "backup").runs }
      daemon.clock.set(to: try #require(Timestamp(rfc3339: "2026-03-03T02:15:01Z")))
      // Advance the clock from try to try until none is left.
      var known = 0
      while try runs().first?.outcome != .failed {
        try eventually("try \(known + 1)") {
          guard let run = try runs().first else { return false }
          return run.outcome == .failed || run.outcome == .waiting && run.attempts > known
        }
        guard let run = try runs().first, let next = run.nextTryAt.flatMap({ Timestamp(rfc3339: $0) }) else { break }
        known = run.attempts
        daemon.clock.set(to: next.advanced(by: .seconds(1)))
      }
      #expect(try runs().first?.outcome == .failed && known >= 1)
      let check = try daemon.ask("status", "--check")
      #expect(check.code == ExitCode.attention)
      #expect(check.output.contains("\nbackup of 2026-03-03T02:15:00Z failed: "), "\(check.output)")
      #expect(try daemon.ask("doctor").output.contains("✗ runs: backup of 2026-03-03T02:15:00Z failed: "))

      try FileManager.default.removeItem(atPath: folder)
      try FileManager.default.moveItem(atPath: folder + ".aside", toPath: folder)
      daemon.clock.set(to: try #require(Timestamp(rfc3339: "2026-03-04T02:15:01Z")))
      try eventually("the next night", within: .seconds(20)) { try runs().first?.outcome == .done }
      #expect(try daemon.query(SchedulerCall.Status.Reply.self, "status").failedWork == [])
    }

    @Test func `an unreadable morning affects its own team only`() throws {
      let daemon = try daemon(
        damage: [
          """
          UPDATE pools SET updated_ms = 9223372036854775807 WHERE service_day = 2 AND team_id =
            (SELECT team_id FROM teams WHERE name = 'desert-blue')
          """,
          "UPDATE pools SET service_day = 2 WHERE team_id = (SELECT team_id FROM teams WHERE name = 'coast')",
        ])
      daemon.clock.step(by: .hours(8))
      try eventually("coast's morning, and none of the other's") {
        let runs = try daemon.query(SchedulerCall.History.Reply.self, "history", "morning-summary").runs
        return runs.contains { $0.team == Self.good && $0.outcome == .notified }
          && runs.contains { $0.team == Self.bad && $0.outcome == .waiting && $0.reason == "record-unreadable" }
      }
      let check = try daemon.ask("status", "--check")
      #expect(check.output.contains("\nteam 'desert-blue': morning-summary: "), "\(check.output)")
      #expect(check.output.contains("updated_ms = '9223372036854775807'"))
    }

    @Test func `unreadable notices are dead-lettered with a reason and delay no other`() throws {
      // More notices than a lane reads at once, all of them before the readable ones.
      let daemon = try daemon(
        settings: "[Sink drop]\nType = file-drop\n",
        damage: [
          """
          INSERT INTO notices (notice_id, team_id, job_id, slot_ms, identifier, title, body, lines, data, late_ms, created_ms,
            severity)
          WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 600)
          SELECT 'damaged-' || n, team_id, job_id, 0, 'i', 't', 'b', '', '', 0, 0, 'loud' FROM numbers, jobs
          WHERE kind = 'morning-summary' AND team_id = (SELECT team_id FROM teams WHERE name = 'desert-blue')
          """,
          """
          INSERT INTO outbox (notice_id, team_id, sink, state, attempts, next_try_ms)
          SELECT notice_id, team_id, 'drop', 'pending', 0, 0 FROM notices WHERE severity = 'loud'
          """,
        ])
      try daemon.change("sink", "test", "drop")
      #expect(daemon.notices.count == 1)
      let dead = try daemon.query(
        OutboxCall.List.Reply.self, "outbox", "list", "--state", "dead", "--limit", "1000"
      ).entries
      #expect(dead.count == 600)
      #expect(dead.allSatisfy { $0.lastError?.contains("notices.severity = 'loud'") == true && $0.team == Self.bad })
      let check = try daemon.ask("status", "--check")
      #expect(check.code == ExitCode.attention && check.output.contains("600"), "\(check.output)")
    }

    @Test func `an unreadable team leaves lists and the start of the daemon working`() throws {
      let daemon = try daemon(damage: ["UPDATE teams SET morning_time_s = 99999999 WHERE name = 'desert-blue'"])
      #expect(try daemon.query(TeamsCall.List.Reply.self, "team", "list").teams.map(\.name) == [Self.good])
      #expect(try create(daemon).code == ExitCode.attention)
      #expect(try daemon.ask("doctor").output.contains("team of team 'desert-blue' fails since"))
      #expect(try daemon.ask("status", "--check").code == ExitCode.attention)
    }

    @Test func `an unreadable zone affects its own team only`() throws {
      let daemon = try daemon(damage: [
        "UPDATE jobs SET zone = 'Nowhere/Land' WHERE team_id = (SELECT team_id FROM teams WHERE name = 'desert-blue')"
      ])
      let jobs = try daemon.query(SchedulerCall.List.Reply.self, "list").jobs
      #expect(jobs.filter { $0.team == Self.good && $0.next != nil }.count >= 3)
      daemon.clock.step(by: .seconds(61))
      try eventually(
        "it is told",
        {
          try daemon.query(SchedulerCall.Status.Reply.self, "status").troubles?.contains {
            $0.team == Self.bad && $0.work == "schedule"
          } == true
        })
      #expect(try create(daemon).code == 0)
    }

    @Test func `unreadable photos prevent neither a start nor other teams' archives`() throws {
      let daemon = try Daemon(at: "2026-03-02T14:30:00Z").start()
      let picture = try daemon.scratch.write(
        "pool.jpg", Data([0xFF, 0xD8, 0xFF, 0xE0]) + Data(repeating: 7, count: 1_000))
      try daemon.change("team", "add", Self.good, "--zone", "America/Phoenix")
      try daemon.change("team", "plan", Self.good, "paid")
      try daemon.change("import", Checkout.customers, "--team", Self.good)
      try daemon.change(
        "visit", "log", "Steve Baird", "--team", Self.bad, "--ph", "7.5", "--dose", "none", "--photo", picture)
      // A directory in place of the photo: it can be opened but not read.
      let folder = "\(daemon.state)/photos/1"
      let photo = try #require(Files.names(in: folder).first { $0.hasSuffix(".bin") })
      try FileManager.default.removeItem(atPath: "\(folder)/\(photo)")
      try FileManager.default.createDirectory(atPath: "\(folder)/\(photo)", withIntermediateDirectories: false)
      let (code, backup) = try create(daemon)
      #expect(code == ExitCode.attention && backup.troubles?.map(\.team) == [Self.bad])
      #expect(try teams(of: backup, daemon) == [Self.good])
      try daemon.stop()
      try FileManager.default.removeItem(atPath: folder)
      try Data("no folder".utf8).write(to: URL(filePath: folder))
      try daemon.start()
      let troubles = try daemon.query(SchedulerCall.Status.Reply.self, "status").troubles ?? []
      #expect(troubles.contains { $0.team == Self.bad && $0.work == "photos" }, "\(troubles)")
    }
  }
}
