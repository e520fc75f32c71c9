import FlowControl
import Foundation
import Testing

extension Programs {
  /// The nightly backup, scheduled in the machine's time zone.
  @Suite struct NightlyBackupTests {
    private func backups(_ daemon: Daemon) throws -> [BackupView] {
      try daemon.query(BackupCall.List.Reply.self, "backup", "list").backups
    }

    @Test func `a missed nightly backup is caught up once at the next start`() throws {
      // The store was made at 06:00 on the 2nd; the backup of the 3rd is due at 02:15.
      let daemon = try Daemon(at: "2026-03-03T02:00:00Z").start(environment: ["TZ": "UTC"])
      #expect(try backups(daemon).isEmpty)
      try daemon.stop()
      let later = try Daemon(at: "2026-03-03T09:00:00Z").start(environment: ["TZ": "UTC"])
      try eventually("the night's backup", { try backups(later).map(\.reason) == ["nightly"] })
      try later.stop()
      try later.start(environment: ["TZ": "UTC"])
      #expect(try backups(later).count == 1)
    }

    @Test func `a failed nightly backup is reported to the operator; the daemon keeps running`() throws {
      let daemon = try Daemon(at: "2026-03-03T09:00:00Z")
      try daemon.scratch.write(
        "poolflow.conf", "[Backup]\nDirectory = /nonexistent/backups\n\n[Sink drop]\nType = file-drop\n".utf8)
      try daemon.start(environment: ["TZ": "UTC"])
      try eventually(
        "the operator's notice",
        {
          try daemon.query(OutboxCall.List.Reply.self, "outbox", "list").entries.contains {
            $0.title == "The nightly backup failed"
          }
        })
      #expect(try backups(daemon).map(\.state) == [.tested], "the backup itself is whole")
    }

    @Test func `with Time = off no backup is made automatically`() throws {
      let daemon = try Daemon(at: "2026-03-03T09:00:00Z")
      try daemon.scratch.write("poolflow.conf", "[Backup]\nTime = off\n".utf8)
      try daemon.start(environment: ["TZ": "UTC"])
      #expect(try daemon.ask("backup", "create").code == 0)
      #expect(try backups(daemon).map(\.reason).allSatisfy { $0 != "nightly" })
    }
  }
}
