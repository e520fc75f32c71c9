import FlowControl
import FlowPlatform
import Foundation
import Glibc
import Testing

extension Programs {
  /// Backups and restores with the built programs.
  @Suite struct BackupRestoreTests {
    @Test func `a restore replaces the store in the running process and keeps the old file`() throws {
      let daemon = try Daemon(at: "2026-03-02T14:30:00Z").start()
      let backup = try daemon.query(BackupCall.Create.Reply.self, "backup", "create").backup
      #expect(try backup.state == .tested && backup.archives == DemoStore.archives())
      try daemon.change("team", "add", "later", "--zone", "UTC")
      let before = try daemon.query(SchedulerCall.Status.Reply.self, "status")
      let refused = try daemon.ask("backup", "restore", "latest", "--confirm", "yes")
      #expect(refused.code == ExitCode.declined && refused.errors.contains(backup.id))
      let preview = try daemon.query(BackupCall.Restore.Reply.self, "backup", "restore", "latest", "--dry-run")
      #expect(preview.tables.first { $0.table == "teams" } == RestoredTableView(table: "teams", before: 2, after: 1))
      #expect(try daemon.query(TeamsCall.List.Reply.self, "team", "list").teams.count == 2)

      let reply = try daemon.query(
        BackupCall.Restore.Reply.self, "backup", "restore", backup.id, "--confirm", backup.id)
      let kept = try #require(reply.keptAs)
      #expect(Files.exists(kept))
      #expect(try daemon.query(TeamsCall.List.Reply.self, "team", "list").teams.map(\.name) == ["desert-blue"])
      let after = try daemon.query(SchedulerCall.Status.Reply.self, "status")
      #expect(after.pid == before.pid)
      #expect(try daemon.stop() == .exit(0))
      #expect(!daemon.log.contains("cannot"), "\(daemon.log)")
    }

    @Test func `an interrupted backup create reports that the backup continues, and it completes`() throws {
      let daemon = try Daemon(at: "2026-03-02T14:30:00Z").start()
      let errors = daemon.scratch.path + "/errors"
      func backups() throws -> [BackupView] {
        try daemon.query(BackupCall.List.Reply.self, "backup", "list").backups
      }
      // A backup that finishes before the interrupt arrives shows nothing: repeat.
      for round in 1... {
        let asked = try RunningProgram(
          Checkout.pfctl, ["backup", "create", "--socket", daemon.socket], output: .writing("/dev/null"), errors: errors
        )
        try eventually("a backup that has begun") {
          let isPart = Files.names(in: daemon.state + "/backups").contains { $0.hasPrefix(".partial") }
          return isPart || asked.wait(by: Deadline(.zero)) != nil
        }
        daemon.program?.send(SIGSTOP)
        asked.send(SIGINT)
        let ending = try asked.end()
        daemon.program?.send(SIGCONT)
        guard ending != .exit(0) else { continue }
        #expect(ending == .exit(ExitCode.interrupted))
        #expect(try Files.text(errors).contains("the backup continues in poolflowd: `pfctl backup list` shows it"))
        try eventually("the backup", { try backups().count == round })
        return #expect(try backups().allSatisfy { $0.state == .tested })
      }
    }

    @Test func `a damaged backup is detected, exits with 65 and is not restored`() throws {
      let daemon = try Daemon(at: "2026-03-02T14:30:00Z").start()
      let backup = try daemon.query(BackupCall.Create.Reply.self, "backup", "create").backup
      #expect(try daemon.ask("backup", "verify", "latest", "--full").code == 0)
      let path = backup.path + "/poolflow.db"
      var bytes = try Files.bytes(path)
      bytes[bytes.count / 2] ^= 1
      try Data(bytes).write(to: URL(filePath: path))
      let verified = try daemon.ask("backup", "verify", backup.id)
      #expect(verified.code == ExitCode.badData && verified.output.contains("SHA-256"))
      let refused = try daemon.ask("backup", "restore", backup.id, "--confirm", backup.id)
      #expect(refused.code == ExitCode.badData && refused.errors.contains("nothing was changed"), "\(refused.errors)")
    }

    @Test(arguments: [true, false])
    func `a missing store is never recreated; each recovery command works`(isEmpty: Bool) throws {
      let daemon = try Daemon(at: "2026-03-02T14:30:00Z").start()
      let backup = try daemon.query(BackupCall.Create.Reply.self, "backup", "create").backup
      try daemon.stop()
      let store = daemon.state + "/poolflow.db"
      for suffix in ["", "-wal", "-shm"] where Files.exists(store + suffix) {
        try FileManager.default.removeItem(atPath: store + suffix)
      }
      if isEmpty { try Data().write(to: URL(filePath: store)) }
      func recover(_ words: String...) throws -> Answer {
        try Program.run(Checkout.daemon, ["--state-dir", daemon.state, "--recover"] + words, in: daemon.scratch)
      }
      try daemon.launch()
      #expect(try #require(daemon.program).end() == .exit(ExitCode.badData))
      #expect(daemon.log.contains("--recover restore \(backup.path)"))
      #expect(try recover("retry").code == ExitCode.badData)
      #expect(try recover("restore", backup.path + "x").code == ExitCode.badData)
      #expect(try recover("restore", backup.path).code == 0)
      #expect(try recover("retry").code == 0)
      try daemon.start()
      #expect(try daemon.query(TeamsCall.List.Reply.self, "team", "list").teams.map(\.name) == ["desert-blue"])
      try daemon.stop()
      #expect(try recover("reset").code == 0)
      try daemon.start()
      #expect(try daemon.query(TeamsCall.List.Reply.self, "team", "list").teams.isEmpty)
      #expect(try FileManager.default.contentsOfDirectory(atPath: daemon.state).contains { $0.contains(".kept-") })
    }
  }
}
