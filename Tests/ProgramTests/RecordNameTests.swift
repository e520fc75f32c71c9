import Foundation
import PoolControl
import Testing

extension Programs {
  /// Runs and notices by a beginning of their ids, by what tables show, and by `latest`.
  @Suite struct RecordNameTests {
    private static let noon = "2026-03-02T19:00:00Z"

    private struct Stand {
      let daemon: Daemon
      let run: RunView
      let notice: String

      init() throws {
        daemon = try Daemon(at: RecordNameTests.noon).start()
        try daemon.change("run", "morning-summary", "--team", "desert-blue")
        run = try #require(try daemon.runs("morning-summary").first { $0.noticeId != nil })
        notice = try #require(run.noticeId)
      }
    }

    @Test func `a run is explained by its whole id, a beginning, its short form and latest`() throws {
      let stand = try Stand()
      let id = stand.run.id
      let short = ShownIDs(runs: [id])[id]
      #expect(short.count < 16 && !id.hasPrefix(short))
      let whole = try stand.daemon.query(SchedulerCall.Why.Reply.self, "why", id)
      #expect(whole.run?.id == id)
      let time = String(id.prefix { $0 != "-" })
      for name in [short, "latest", stand.notice, ShownIDs(notices: [stand.notice])[stand.notice], time] {
        let reply = try stand.daemon.query(SchedulerCall.Why.Reply.self, "why", name)
        #expect(reply.run?.id == id, "\(name): \(reply.run?.id ?? "none")")
      }
      // What is complete means itself: there is no run of a job with one digit more.
      let none = try stand.daemon.ask("why", id + "9")
      #expect(none.code == ExitCode.usage && none.errors.contains("`pfctl history` and `pfctl outbox list`"), "\(none)")
      let ended = try stand.daemon.ask("cancel", short)
      #expect(ended.code == ExitCode.usage && ended.errors.contains("\(short) has had its end"), "\(ended)")
    }

    @Test func `a beginning that many have is refused with some of them`() throws {
      let stand = try Stand()
      func candidates() throws -> [String] {
        let answer = try stand.daemon.ask("why", "2026")
        #expect(answer.code == ExitCode.usage)
        #expect(answer.errors.contains("'2026' could be several runs: "), "\(answer.errors)")
        #expect(answer.errors.contains("type as much as one of them alone begins with"))
        let names = answer.errors.split(separator: ": ").last?.split(separator: ";").first ?? ""
        return names.split(separator: ", ").map(String.init)
      }
      try stand.daemon.change("run", "low-stock", "--team", "desert-blue")
      let few = try candidates()
      #expect(few.count == (try stand.daemon.query(SchedulerCall.History.Reply.self, "history").runs.count))
      for name in few { #expect(try stand.daemon.ask("why", name).code == 0, "\(name)") }
      for _ in 0..<5 { try stand.daemon.change("run", "low-stock", "--team", "desert-blue") }
      let many = try candidates()
      #expect(many.count == 5 && many.last?.hasSuffix(" and more") == true, "\(many)")
      let json = try stand.daemon.ask("cancel", "2026", "--json")
      #expect(json.errors.contains("\"matches\""), "\(json.errors)")
    }

    @Test func `a notice is shown and repaired by what the table shows of it, and JSON has the whole id`() throws {
      let stand = try Stand()
      let short = ShownIDs(notices: [stand.notice])[stand.notice]
      let table = try stand.daemon.ask("outbox", "list").output
      #expect(table.contains(short) && !table.contains(stand.notice), "\(table)")
      #expect(try stand.daemon.ask("history").output.contains(ShownIDs(runs: [stand.run.id])[stand.run.id]))
      for name in [short, "latest", stand.run.id, String(stand.notice.prefix(18))] {
        let reply = try stand.daemon.query(OutboxCall.Show.Reply.self, "outbox", "show", name)
        #expect(reply.notice.id == stand.notice, "\(name)")
      }
      for words in [["outbox", "retry"], ["outbox", "release", "--yes"], ["outbox", "discard", "--yes"]] {
        let answer = try Pfctl.run(words + [short, "--socket", stand.daemon.socket], in: stand.daemon.scratch)
        #expect(answer.code == 0, "\(words) \(answer)")
      }
      let stranger = try stand.daemon.ask("outbox", "show", "0102T0304-9999")
      #expect(stranger.code == ExitCode.usage && stranger.errors.contains("`pfctl outbox list` shows them all"))
    }

    @Test func `a backup is named by its beginning`() throws {
      let daemon = try Daemon(at: Self.noon).start()
      let first = try daemon.query(BackupCall.Create.Reply.self, "backup", "create").backup.id
      let second = try daemon.query(BackupCall.Create.Reply.self, "backup", "create").backup.id
      let unique = try #require((1...second.count).map { String(second.prefix($0)) }.first { !first.hasPrefix($0) })
      #expect(try daemon.query(BackupCall.Show.Reply.self, "backup", "show", unique).backup.id == second)
      let many = try daemon.ask("backup", "show", "2026")
      #expect(many.code == ExitCode.usage && many.errors.contains("could be several backups"), "\(many)")
      #expect(many.errors.contains(first) && many.errors.contains(second))
      #expect(try daemon.ask("backup", "show", "1999").code == ExitCode.usage)
    }
  }
}
