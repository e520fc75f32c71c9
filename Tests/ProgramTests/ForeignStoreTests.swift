import Foundation
import Glibc
import PoolBackup
import PoolControl
import PoolModel
import PoolPlatform
import PoolStore
import PoolTestKit
import Testing

extension Programs {
  /// Stores and backups that somebody else had in hands, whose sums are right all the same, with the built daemon.
  @Suite struct ForeignStoreTests {
    private static let noon = "2026-03-02T19:00:00Z"

    private static let trigger = "CREATE TRIGGER t AFTER INSERT ON epochs BEGIN UPDATE teams SET name = 'gone'; END"

    private func recover(_ daemon: Daemon, _ words: String...) throws -> Answer {
      try Program.run(Checkout.daemon, ["--state-dir", daemon.state, "--recover"] + words, in: daemon.scratch)
    }

    @Test func `a backup with right sums and a foreign thing in it takes nobody's place`() throws {
      let named = "its trigger 't' is none that poolflow makes"
      let daemon = try Daemon(at: Self.noon).start()
      let backup = try daemon.query(BackupCall.Create.Reply.self, "backup", "create").backup
      // From another machine: the store does not remember it.
      let name = "20260101T000000Z"
      let foreign = "\(daemon.state)/backups/\(name)"
      try FileManager.default.copyItem(atPath: backup.path, toPath: foreign)
      try ForeignBackup(foreign).change(Self.trigger, id: name)
      let pid = try daemon.query(SchedulerCall.Status.Reply.self, "status").pid
      for words in [["verify", name], ["restore", name, "--confirm", name]] {
        let refused = try Pfctl.run(["backup"] + words + ["--socket", daemon.socket], in: daemon.scratch)
        #expect(refused.code == ExitCode.badData, "\(words): \(refused)")
        #expect((refused.output + refused.errors).contains(named), "\(words): \(refused)")
      }
      #expect(try daemon.query(SchedulerCall.Status.Reply.self, "status").pid == pid)
      #expect(try daemon.query(TeamsCall.List.Reply.self, "team", "list").teams.map(\.name) == ["desert-blue"])
      try daemon.stop()
      let before = try Files.tree(daemon.state).filter { $0.key.hasPrefix("poolflow.db") }
      for source in [foreign, foreign + "/poolflow.db"] {
        let refused = try recover(daemon, "restore", source)
        #expect(refused.code == ExitCode.badData && refused.errors.contains(named), "\(source): \(refused)")
      }
      #expect(try Files.tree(daemon.state).filter { $0.key.hasPrefix("poolflow.db") } == before)
      #expect(Files.names(in: daemon.state).filter { $0.hasPrefix("restore.") } == [])
      // The one that nobody changed is taken all the same.
      #expect(try recover(daemon, "restore", backup.path).code == 0)
      try daemon.start()
      #expect(try daemon.query(TeamsCall.List.Reply.self, "team", "list").teams.map(\.pools) == [120])
    }

    @Test func `a store with a trigger is refused by the daemon and its readers, and stays byte for byte`() throws {
      let daemon = try Daemon(at: Self.noon)
      let store = daemon.state + "/poolflow.db"
      try Connection.change(store, [Self.trigger])
      let before = try Files.bytes(store)
      try daemon.launch()
      #expect(try #require(daemon.program).end(within: .seconds(10)) == .exit(ExitCode.badData), "\(daemon.log)")
      #expect(
        daemon.log.contains("'\(store)' is damaged: its trigger 't' is none that poolflow makes"), "\(daemon.log)")
      let asked = try daemon.ask("team", "list")
      #expect(asked.code != 0 && asked.errors.contains("its trigger 't'"), "\(asked)")
      #expect(try recover(daemon, "retry").code == ExitCode.badData)
      #expect(try Files.bytes(store) == before)
    }

    // MARK: What restores keep

    @Test func `the stores that restores have kept are few after the next start, and told`() throws {
      let daemon = try Daemon(at: Self.noon)
      for hour in 1...162 {
        let instant = daemon.clock.now.advanced(by: .hours(-hour)).seconds
        let name = "\(daemon.state)/poolflow.db.kept-\(Timestamp(seconds: instant).compact)"
        for suffix in ["", "-wal"] { try Data([1]).write(to: URL(filePath: name + suffix)) }
      }
      try Data([1]).write(to: URL(filePath: daemon.state + "/poolflow.db.kept-for-my-aunt"))
      func kept() -> [String] { Files.names(in: daemon.state).filter { $0.contains(".kept-2") } }
      let newest = kept().suffix(2 * Limits.keptStores)
      try daemon.start()
      #expect(kept() == Array(newest))
      #expect(daemon.log.contains("\(162 - Limits.keptStores) of the stores that restores kept aside are removed"))
      #expect(Files.exists(daemon.state + "/poolflow.db.kept-for-my-aunt"))
      let doctor = try daemon.ask("doctor", "--all")
      #expect(doctor.output.contains("\(Limits.keptStores) stores that restores kept aside lie in"), "\(doctor.output)")
      // Restores after restores: never more, and the one just made is there.
      let backup = try daemon.query(BackupCall.Create.Reply.self, "backup", "create").backup
      for _ in 1...2 {
        daemon.clock.step(by: .seconds(60))
        let reply = try daemon.query(
          BackupCall.Restore.Reply.self, "backup", "restore", backup.id, "--confirm", backup.id)
        #expect(Files.exists(try #require(reply.keptAs)))
        try eventually("few are left") {
          kept().filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }.count == Limits.keptStores
        }
        #expect(Files.exists(try #require(reply.keptAs)))
      }
      try daemon.stop()
      for _ in 1...2 { #expect(try recover(daemon, "restore", backup.path).code == 0) }
      #expect(kept().filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }.count <= Limits.keptStores)
    }

    // MARK: What is no file

    @Test func `what bears the store's name and is no file is named, and no door replaces it`() throws {
      let daemon = try Daemon(at: Self.noon).start()
      let backup = try daemon.query(BackupCall.Create.Reply.self, "backup", "create").backup
      try daemon.stop()
      let (store, moved) = (daemon.state + "/poolflow.db", daemon.scratch.path + "/moved.db")
      try FileManager.default.moveItem(atPath: store, toPath: moved)
      #expect(symlink(moved, store) == 0)
      let words = "a symbolic link to '\(moved)'"
      let what = FileKind(at: store)
      let before = try Files.bytes(moved)
      let already = daemon.log.count
      try daemon.launch()
      #expect(try #require(daemon.program).end(within: .seconds(10)) == .exit(ExitCode.badData))
      let said = String(daemon.log.dropFirst(already))
      #expect(said.contains("the store '\(store)' is \(words), which poolflow neither follows nor replaces"), "\(said)")
      #expect(!said.contains("empty"), "\(said)")
      for door in [["retry"], ["restore", backup.path], ["reset"]] {
        let refused = try Program.run(
          Checkout.daemon, ["--state-dir", daemon.state, "--recover"] + door, in: daemon.scratch)
        #expect(refused.code == ExitCode.badData && refused.errors.contains(words), "\(door): \(refused)")
      }
      let asked = try daemon.ask("team", "list")
      #expect(asked.code == ExitCode.unavailable && asked.errors.contains(words), "\(asked)")
      #expect(FileKind(at: store) == what)
      #expect(try Files.bytes(moved) == before)
      #expect(Files.names(in: daemon.state).filter { $0.hasPrefix("restore.") || $0.contains(".kept-") } == [])
    }

    // MARK: A socket where nobody is

    @Test(arguments: [true, false])
    func `a socket that was named and has nobody is not answered for from another folder`(byOption: Bool) throws {
      let daemon = try Daemon(at: Self.noon).start()
      try daemon.stop()
      let socket = daemon.scratch.path + "/elsewhere.sock"
      let environment = [
        "STATE_DIRECTORY": daemon.state, "CONFIGURATION_DIRECTORY": daemon.scratch.path,
        "RUNTIME_DIRECTORY": daemon.state,
      ].merging(byOption ? [:] : ["POOLFLOW_SOCKET": socket]) { $1 }
      func ask(_ socket: String, _ words: String...) throws -> Answer {
        try Pfctl.run(words + (byOption ? ["--socket", socket] : []), in: daemon.scratch, environment: environment)
      }
      for words in ["list", "status", "next"] {
        let answer = try ask(socket, words)
        #expect(answer.code == ExitCode.unavailable, "\(words): \(answer)")
        #expect(!answer.output.contains("desert-blue"), "\(words): \(answer)")
        #expect(answer.errors.contains("'\(socket)'") || answer.output.contains("not running"), "\(words): \(answer)")
      }
      #expect(try ask(socket, "list").errors.contains("no store lies beside '\(socket)'"))
      // Beside a store, and at the socket of the settings, what the daemon left is told as before.
      guard byOption else { return }
      #expect(try ask(daemon.socket, "list").output.contains("desert-blue"))
      try daemon.settings("[Daemon]\nSocket = \(socket)\nStateDirectory = \(daemon.state)\n")
      #expect(try ask(socket, "list").output.contains("desert-blue"))
    }

    // MARK: Zones

    @Test func `a copy of the database is no zone, and a team that has one stops nobody`() throws {
      let daemon = try Daemon(at: Self.noon)
      try Connection.change(
        daemon.state + "/poolflow.db",
        ["UPDATE teams SET zone = 'right/UTC'; UPDATE jobs SET zone = 'right/UTC' WHERE team_id IS NOT NULL"])
      try daemon.start()
      let refused = try daemon.ask("team", "add", "another", "--zone", "right/UTC")
      #expect(refused.code != 0 && refused.errors.contains("did you mean 'UTC'?"), "\(refused)")
      let doctor = try daemon.ask("doctor")
      #expect(doctor.code == 1, "\(doctor)")
      #expect(doctor.output.contains("the zone 'right/UTC' of team 'desert-blue' cannot be read"), "\(doctor.output)")
      #expect(doctor.output.contains("pfctl team set desert-blue zone="), "\(doctor.output)")
      #expect(daemon.log.contains("right/UTC"), "\(daemon.log)")
      #expect(try daemon.ask("status").code == 0)
      try daemon.change("team", "add", "another", "--zone", "Europe/Berlin")
      try daemon.change("team", "set", "desert-blue", "zone=UTC")
      #expect(try daemon.ask("next", "--team", "desert-blue").code == 0)
      #expect(try !daemon.ask("doctor").output.contains("right/UTC"))
      #expect(try daemon.stop() == .exit(0))
    }

    @Test func `a zone of the wrong sign or without summer time is not chosen again, and a team that has one goes on`()
      throws
    {
      let daemon = try Daemon(at: Self.noon)
      try Connection.change(
        daemon.state + "/poolflow.db",
        ["UPDATE teams SET zone = 'EST'; UPDATE jobs SET zone = 'EST' WHERE team_id IS NOT NULL"])
      try daemon.start()
      let cases = [
        ("GMT+5", "'GMT+5' means UTC+05:00 to people and UTC-05:00 to the tz database; name a city"),
        ("Etc/GMT+5", "means UTC+05:00 to people and UTC-05:00"), ("UTC-3:30", "name a city, such as America/St_Johns"),
        ("EST", "America/New_York, or America/Panama for a place without summer time"),
        ("MST", "America/Denver, or America/Phoenix for a place without summer time"), ("HST", "Pacific/Honolulu"),
      ]
      for (zone, part) in cases {
        for words in [["team", "add", "another", "--zone", zone], ["team", "set", "desert-blue", "zone=\(zone)"]] {
          let refused = try daemon.ask(words)
          #expect(refused.code != 0 && refused.errors.contains(part), "\(refused)")
          #expect(!refused.errors.contains("did you mean"), "\(refused)")
        }
      }
      #expect(try daemon.ask("next", "--team", "desert-blue").code == 0)
      let doctor = try daemon.ask("doctor").output
      #expect(
        doctor.contains("! zones: the zone of team 'desert-blue' may not be the one that is meant: 'EST'"), "\(doctor)")
      #expect(!doctor.contains("cannot be read"), "\(doctor)")
      try daemon.change("team", "add", "another", "--zone", "EST5EDT")
      #expect(try daemon.ask("team", "show", "another").output.contains("imperial"))
      try daemon.change("team", "set", "desert-blue", "zone=America/Panama")
      #expect(try !daemon.ask("doctor").output.contains("may not be the one"))
      let tried = try daemon.ask("calendar", "07:00", "--zone", "EST")
      #expect(tried.code == 0 && tried.errors.contains("note: 'EST' never changes its clocks"), "\(tried)")
    }

    // MARK: Without /proc

    /// Runs a program where no /proc is mounted.
    private static func hidden(_ program: String, _ words: [String], in scratch: Scratch) throws -> Answer {
      let script = #"mount -t tmpfs none /proc && test ! -e /proc/self && exec "$0" "$@""#
      return try Program.run(
        "/usr/bin/unshare", ["--mount", "/bin/sh", "-c", script, program] + words, in: scratch)
    }

    @Test(.requires(.mounting))
    func `without proc the programs have their arguments all the same`() throws {
      let daemon = try Daemon(at: Self.noon)
      #expect(try Self.hidden(Checkout.daemon, ["--version"], in: daemon.scratch).output.hasPrefix("poolflowd "))
      let mistake = try Self.hidden(Checkout.daemon, ["--sate-dir", "/tmp"], in: daemon.scratch)
      #expect(mistake.code == ExitCode.usage && mistake.errors.contains("did you mean --state-dir?"), "\(mistake)")
      let retry = try Self.hidden(
        Checkout.daemon, ["--state-dir", daemon.state, "--recover", "retry"], in: daemon.scratch)
      #expect(retry.code == 0 && retry.output.contains("'\(daemon.state)/poolflow.db' is whole"), "\(retry)")
      // `pfctl` finds the program beside it and says why that reads nothing.
      let asked = try Self.hidden(Checkout.pfctl, ["team", "list", "--socket", daemon.socket], in: daemon.scratch)
      #expect(asked.code == ExitCode.unavailable && asked.errors.contains("no /proc is mounted here"), "\(asked)")
    }

    @Test(.requires(.mounting))
    func `without proc the daemon does not begin what it could not go on with`() throws {
      let daemon = try Daemon(at: Self.noon)
      let before = try Files.bytes("\(daemon.state)/poolflow.db")
      let refused = try Self.hidden(Checkout.daemon, ["--state-dir", daemon.state], in: daemon.scratch)
      #expect(refused.code == ExitCode.badSettings && refused.errors.contains("mount it: `mount -t proc"), "\(refused)")
      #expect(try Files.bytes("\(daemon.state)/poolflow.db") == before && FileKind(at: daemon.socket) == nil)
    }
  }
}
