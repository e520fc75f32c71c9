import PoolControl
import FlowControl
import Foundation
import Testing

extension Programs {
  /// Runs, notices and other records named by a prefix of their ids, by the short ids in tables, and by `latest`.
  @Suite struct RecordNameTests {
    private static let noon = "2026-03-02T19:00:00Z"

    /// A daemon with one run that sent a notice.
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

    @Test func `a run is found by its id, a prefix, its short id and latest`() throws {
      let stand = try Stand()
      let id = stand.run.id
      let short = ShownIDs(runs: [id])[id]
      #expect(short.count < 20 && !id.hasPrefix(short))
      let whole = try stand.daemon.query(SchedulerCall.Why.Reply.self, "why", id)
      #expect(whole.run?.id == id)
      let time = String(id.prefix { $0 != "-" })
      for name in [short, "latest", stand.notice, ShownIDs(notices: [stand.notice])[stand.notice], time] {
        let reply = try stand.daemon.query(SchedulerCall.Why.Reply.self, "why", name)
        #expect(reply.run?.id == id, "\(name): \(reply.run?.id ?? "none")")
      }
      // A complete id matches only itself: this job has no run with one more digit.
      let none = try stand.daemon.ask("why", id + "9")
      #expect(
        none.code == ExitCode.notFound && none.errors.contains("`pfctl history` and `pfctl outbox list`"), "\(none)")
      let ended = try stand.daemon.ask("cancel", short)
      #expect(ended.code == ExitCode.usage && ended.errors.contains("\(short) has ended already"), "\(ended)")
    }

    @Test func `history shows a single run by each of its names`() throws {
      let stand = try Stand()
      let short = ShownIDs(runs: [stand.run.id])[stand.run.id]
      for name in [short, stand.run.id, "latest"] {
        let runs = try stand.daemon.query(SchedulerCall.History.Reply.self, "history", name).runs
        #expect(runs.map(\.id) == [stand.run.id], "\(name)")
      }
      #expect(try stand.daemon.ask("history", short).output.contains(short))
      #expect(try stand.daemon.ask("history", "2026").errors.contains("'2026' could be several runs: "))
    }

    @Test func `pools, items, machines and visits are found by short ids`() throws {
      let daemon = try Daemon(at: Self.noon).start()
      let pool = try #require(
        try daemon.query(PoolsCall.List.Reply.self, "pool", "list").pools.first { $0.customer == "Steve Baird" })
      try daemon.change("equipment", "add", pool.id, "Spa blower", "--type", "pump")
      try daemon.change("visit", "log", pool.id, "--ph", "7.5", "--dose", "none")
      let item = try daemon.query(FieldCall.ListStock.Reply.self, "inventory", "list").items[0]
      let machines = try daemon.query(FieldCall.ListEquipment.Reply.self, "equipment", "list", pool.id).items
      let machine = try #require(machines.first { $0.name == "Spa blower" })
      let visit = try daemon.query(FieldCall.ListVisits.Reply.self, "visit", "list", pool.id).visits[0]
      let lists: [(String, [String])] = [
        (pool.id, ["pool", "list"]), (item.id, ["inventory", "list"]), (machine.id, ["equipment", "list", pool.id]),
        (visit.id, ["visit", "list"]), (pool.id, ["profit"]),
      ]
      for (id, list) in lists {
        let table = try daemon.ask(list).output
        #expect(id.count == 36 && table.contains(id.prefix(8)) && !table.contains(id), "\(list): \(table)")
      }
      func short(_ id: String) -> String { String(id.prefix(8)) }
      let own = short(pool.id)
      let commands: [[String]] = [
        ["pool", "set", own.lowercased(), "fee=151"], ["route", "pin", own, "--place", "2"], ["pool", "show", own],
        ["visit", "list", own.lowercased()], ["equipment", "set", own, short(machine.id), "service=none"],
        ["inventory", "set", short(item.id).lowercased(), "stock=9lb"], ["pool", "usage", own],
        ["visit", "set", short(visit.id), "ph=7.4"],
        ["report", "visit", own, "--visit", String(visit.id.prefix(4))],
        ["equipment", "remove", own, short(machine.id), "--yes"], ["inventory", "remove", short(item.id), "--yes"],
      ]
      for words in commands {
        let answer = try daemon.ask(words)
        #expect(answer.code == 0, "\(words): \(answer.errors)")
      }
    }

    @Test func `commands that remove something ask with the record's full name`() throws {
      let daemon = try Daemon(at: Self.noon).start()
      let item = try #require(
        try daemon.query(FieldCall.ListStock.Reply.self, "inventory", "list").items.first { $0.name.hasPrefix("Mur") })
      let asked = try daemon.ask("inventory", "remove", "Mur").errors
      #expect(
        asked.contains("Remove \(item.name) (\(item.stockText) left) from the stock of desert-blue?"))
      let machine = try daemon.query(FieldCall.ListEquipment.Reply.self, "equipment", "list").items[0]
      let question = try daemon.ask("equipment", "remove", machine.pool, String(machine.id.prefix(8))).errors
      #expect(question.contains("Remove \(machine.name) (") && question.contains("at the pool of \(machine.customer)?"))
      #expect(try daemon.ask("inventory", "list").output.contains(item.name))
    }

    @Test func `an ambiguous prefix is refused with some of the matches`() throws {
      let stand = try Stand()
      func candidates() throws -> [String] {
        let answer = try stand.daemon.ask("why", "2026")
        #expect(answer.code == ExitCode.usage)
        #expect(answer.errors.contains("'2026' could be several runs: "), "\(answer.errors)")
        #expect(answer.errors.contains("; type more of the "))
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

    @Test func `notices are found by short ids; JSON has whole ids`() throws {
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
      let unknown = try stand.daemon.ask("outbox", "show", "0102T0304-9999")
      #expect(unknown.code == ExitCode.notFound && unknown.errors.contains("`pfctl outbox list` shows them all"))
    }

    @Test func `a prefix of two pools is refused and lists both`() throws {
      let daemon = try Daemon(at: Self.noon).start()
      // A text that is a prefix of one pool's id and of another pool's name.
      let pool = try #require(
        try daemon.query(PoolsCall.List.Reply.self, "pool", "list").pools.first {
          $0.id.prefix(4).contains { $0.isLetter }
        })
      let four = String(pool.id.prefix(4))
      try daemon.change("pool", "add", four + " Estate", "1 Elm St", "--volume", "15000")
      let refused = try daemon.ask("pool", "show", four)
      #expect(
        refused.code == ExitCode.usage && refused.errors.contains("'\(four)' could be several pools: "), "\(refused)")
      #expect(
        refused.errors.contains("\(pool.customer) (\(pool.id.prefix(8)))")
          && refused.errors.contains("\(four) Estate ("))
      #expect(try daemon.ask("pool", "show", four + " estate").code == 0)
      #expect(try daemon.ask("pool", "show", String(pool.id.prefix(8))).output.contains(pool.customer))
    }

    @Test func `a backup is named by a prefix of its id`() throws {
      let daemon = try Daemon(at: Self.noon).start()
      let first = try daemon.query(BackupCall.Create.Reply.self, "backup", "create").backup.id
      let second = try daemon.query(BackupCall.Create.Reply.self, "backup", "create").backup.id
      let unique = try #require((1...second.count).map { String(second.prefix($0)) }.first { !first.hasPrefix($0) })
      #expect(try daemon.query(BackupCall.Show.Reply.self, "backup", "show", unique).backup.id == second)
      let many = try daemon.ask("backup", "show", "2026")
      #expect(many.code == ExitCode.usage && many.errors.contains("could be several backups"), "\(many)")
      #expect(many.errors.contains(first) && many.errors.contains(second))
      #expect(try daemon.ask("backup", "show", "1999").code == ExitCode.notFound)
    }
  }
}
