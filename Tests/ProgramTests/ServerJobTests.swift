import FlowControl
import Foundation
import Testing

extension Programs {
  /// Jobs of the server itself (backup, lsi-refresh), through the built daemon and `pfctl`.
  @Suite struct ServerJobTests {
    private func daemon() throws -> Daemon {
      try Daemon(at: "2026-03-02T06:00:10Z").start(environment: ["TZ": "UTC"])
    }

    private func servers(_ daemon: Daemon) throws -> [JobView] {
      try daemon.query(SchedulerCall.List.Reply.self, "list").jobs.filter { $0.team == nil }
    }

    @Test func `server jobs are listed, run, explained and simulated like team jobs`() throws {
      let daemon = try daemon()
      let jobs = try servers(daemon)
      #expect(Set(jobs.map(\.job)).isSuperset(of: ["backup", "lsi-refresh"]))
      #expect(jobs.first { $0.job == "backup" }?.next == "2026-03-03T02:15:00Z")
      let run = try daemon.query(SchedulerCall.Run.Reply.self, "run", "lsi-refresh", "--wait").run
      #expect(run.outcome == .done && run.team == nil && run.trigger == .manual && !run.detail.isEmpty)
      let why = try daemon.query(SchedulerCall.Why.Reply.self, "why", run.id)
      #expect(why.answer == "lsi-refresh ran" && why.team == nil)
      let history = try daemon.query(SchedulerCall.History.Reply.self, "history", "lsi-refresh").runs
      #expect(history.map(\.id) == [run.id])
      let coming = try daemon.ask("simulate", "--days", "1")
      #expect(coming.code == 0 && coming.output.contains("backup") && coming.output.contains("lsi-refresh"))
    }

    @Test func `server jobs are paused, skipped and resumed without a team`() throws {
      let daemon = try daemon()
      try daemon.change("skip", "backup")
      #expect(try servers(daemon).first { $0.job == "backup" }?.next == "2026-03-04T02:15:00Z")
      try daemon.change("resume", "backup")
      try daemon.change("pause", "backup", "--notes", "disk")
      #expect(try servers(daemon).first { $0.job == "backup" }?.state == .paused)
      try daemon.change("resume", "backup")
      #expect(try servers(daemon).first { $0.job == "backup" }?.next == "2026-03-03T02:15:00Z")
    }

    @Test func `server jobs take neither a team nor a date`() throws {
      let daemon = try daemon()
      let withTeam = try daemon.ask("run", "backup", "--team", "desert-blue")
      #expect(withTeam.code == 64 && withTeam.errors.contains("the server's own job; leave the team out"))
      #expect(try daemon.ask("run", "lsi-refresh", "--at", "2026-03-01").code == 64)
      let withoutTeam = try daemon.ask("pause")
      #expect(withoutTeam.code == 64 && withoutTeam.errors.contains("a job of the server such as `pfctl pause backup`"))
      // With one team `--team` is optional, with two it is required.
      try daemon.change("skip", "low-stock")
      try daemon.change("team", "add", "coast", "--zone", "America/Los_Angeles")
      let unnamed = try daemon.ask("skip", "low-stock")
      #expect(unnamed.code == 64 && unnamed.errors.contains("needs a team"), "\(unnamed.errors)")
      #expect(unnamed.errors.contains("coast and desert-blue"), "\(unnamed.errors)")
    }

    @Test func `a changed backup time is effective after a reload`() throws {
      let daemon = try daemon()
      try daemon.scratch.write("poolflow.conf", "[Backup]\nTime = 03:45\n".utf8)
      try daemon.change("reload")
      #expect(try servers(daemon).first { $0.job == "backup" }?.next == "2026-03-03T03:45:00Z")
      try daemon.scratch.write("poolflow.conf", "[Backup]\nTime = off\n".utf8)
      try daemon.change("reload")
      #expect(try servers(daemon).first { $0.job == "backup" }?.state == .never)
    }
  }
}
