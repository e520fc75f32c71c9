import FlowControl
import FlowPlatform
import FlowTestKit
import Foundation
import Glibc
import Testing

extension Programs {
  /// `pfctl` without a daemon: queries are answered from the stored data, changes are refused, and nothing is written.
  @Suite struct InspectionTests {
    private static let noon = "2026-03-02T19:00:00Z"

    /// A file's size and modification time.
    private struct FileMark: Equatable {
      let size: Int
      let changed: Date?
    }

    private func marks(_ state: String) throws -> [String: FileMark] {
      try Files.below(state) { path, _ in
        let facts = try FileManager.default.attributesOfItem(atPath: path)
        return FileMark(size: (facts[.size] as? NSNumber)?.intValue ?? -1, changed: facts[.modificationDate] as? Date)
      }
      // SQLite's readers create these files for the write-ahead log and leave them empty.
      .filter { !$0.key.hasSuffix("-shm") && !$0.key.hasSuffix("-wal") }
    }

    @Test(arguments: [
      ["list"], ["next"], ["history"], ["simulate", "--days", "2"], ["team", "list"], ["team", "show", "desert-blue"],
      ["pool", "list", "--team", "desert-blue"], ["pool", "show", "Elena Calloway", "--team", "desert-blue"],
      ["outbox", "list", "--state", "sent"], ["audit"], ["why", "morning-summary", "--team", "desert-blue"],
    ])
    func `queries give the same answer after the daemon stopped, with a notice`(
      words: [String]
    ) throws {
      let daemon = try Daemon(at: Self.noon).start()
      // The missed morning's run is settled after the first tick; READY does not wait for it.
      try eventually(
        "the first look",
        {
          let runs = try daemon.query(SchedulerCall.History.Reply.self, "history").runs
          return !runs.isEmpty && runs.allSatisfy(\.outcome.isSettled)
        })
      let running = try Pfctl.run(
        words + ["--socket", daemon.socket], in: daemon.scratch, environment: daemon.clock.environment)
      try daemon.stop()
      let stopped = try Pfctl.run(
        words + ["--socket", daemon.socket], in: daemon.scratch, environment: daemon.clock.environment)
      #expect(running.code == 0 && stopped.code == 0, "\(stopped.errors)")
      // Remaining minutes may have decreased by one since, and with them the column's width.
      func steady(_ text: String) -> String {
        text.replacing(/[0-9]+[dhms]( [0-9]+[hms])?/, with: "…").replacing(/[ ]+/, with: " ")
      }
      #expect(steady(stopped.output) == steady(running.output))
      #expect(
        stopped.errors.hasPrefix("poolflowd is not running; this is its last state, read from '\(daemon.state)'\n"))
    }

    @Test func `after a kill the last commits are readable, and no file changes`() throws {
      let daemon = try Daemon(at: Self.noon).start()
      try daemon.change("team", "add", "second", "--zone", "Europe/Berlin")
      try daemon.kill()
      let before = try marks(daemon.state)
      #expect(try daemon.ask("team", "list").output.contains("second"))
      #expect(try marks(daemon.state) == before)
      try daemon.start()
      #expect(try daemon.ask("team", "list").errors.contains("not running") == false)
    }

    @Test(arguments: [
      ["team", "plan", "desert-blue", "paid"], ["run", "low-stock", "--team", "desert-blue"],
      ["pause", "--team", "desert-blue"], ["reload"], ["team", "add", "third", "--zone", "Etc/UTC"],
      ["pool", "set", "Steve Baird", "fee=1"],
    ])
    func `a change without a daemon is refused with the command that starts it`(words: [String]) throws {
      let daemon = try Daemon(at: Self.noon).start()
      try daemon.stop()
      let before = try marks(daemon.state)
      let answer = try Pfctl.run(words + ["--socket", daemon.socket], in: daemon.scratch)
      #expect(answer.code == 69)
      #expect(answer.errors.contains("start it with `systemctl start poolflowd` or `poolflowd`"))
      #expect(try marks(daemon.state) == before)
    }

    @Test func `the read-only inspector refuses every change`() throws {
      let daemon = try Daemon(at: Self.noon).start()
      try daemon.stop()
      let reader = try Inspector(
        program: Checkout.daemon, arguments: ["--state-dir", daemon.state], environment: ["TMPDIR": daemon.scratch.path]
      )
      let caller = try ControlCaller(reader.socketPath)
      try caller.send(#"{"method":"org.poolflow.Teams.Plan","parameters":{"name":"desert-blue","plan":"paid"}}"# + "\0")
      let answer = try caller.frame()
      #expect(answer.contains("org.poolflow.Control.NotRunning"), "\(answer)")
    }

    @Test func `the status of a stopped daemon is shown with exit code 69`() throws {
      let daemon = try Daemon(at: Self.noon).start()
      try daemon.stop()
      let answer = try daemon.ask("status")
      #expect(answer.code == 69)
      #expect(answer.output.hasPrefix("○ poolflowd is not running\n"))
      #expect(try answer.output.contains("1 team, \(DemoStore.counts.get().pools) pools, 9 jobs"))
      let doctor = try daemon.ask("doctor", "--all")
      #expect(doctor.code == 1)
      #expect(doctor.output.contains("✗ socket: no daemon answers at"))
      #expect(doctor.output.contains("✓ store: "))
    }

    /// The inspector runs as its caller: root, if an operator checks a stopped service.
    @Test(.requires(.root))
    func `permissions of a stopped daemon's data are judged by its folder's owner`() throws {
      let daemon = try Daemon(at: Self.noon).start()
      try daemon.stop()
      for name in ["", "/poolflow.db"] { #expect(chown(daemon.state + name, 4_711, 4_711) == 0) }
      let fine = try daemon.ask("doctor", "--all").output
      #expect(fine.contains("✓ permissions: ") && !fine.contains("runs as root"), "\(fine)")
      #expect(chown(daemon.state + "/poolflow.db", 0, 0) == 0)
      let told = try daemon.ask("doctor").output
      #expect(told.contains("poolflow.db' belongs to uid 0, its folder to 4711\n    chown 4711 '"), "\(told)")
    }

    @Test func `an unreadable store is reported with the reason`() throws {
      let daemon = try Daemon(at: Self.noon).start()
      try daemon.stop()
      try Data("not a database at all, but long enough to be looked at".utf8)
        .write(to: URL(filePath: daemon.state + "/poolflow.db"))
      let answer = try daemon.ask("list")
      #expect(answer.code == 69)
      let lines = answer.errors.split(separator: "\n")
      #expect(lines.count == 2 && lines[1].hasPrefix("pfctl: its files cannot be read either: "), "\(answer.errors)")
      #expect(answer.errors.contains("is not a poolflow store"))
    }
  }
}
