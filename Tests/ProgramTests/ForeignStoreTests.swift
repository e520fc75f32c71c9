import FlowBackup
import FlowControl
import FlowModel
import FlowPlatform
import FlowStore
import FlowTestKit
import Foundation
import Glibc
import Testing

extension Programs {
  /// Manipulated stores and backups with correct checksums, through the built daemon.
  @Suite struct ForeignStoreTests {
    private static let noon = "2026-03-02T19:00:00Z"

    private static let trigger = "CREATE TRIGGER t AFTER INSERT ON epochs BEGIN UPDATE teams SET name = 'gone'; END"

    private func recover(_ daemon: Daemon, _ words: String...) throws -> Answer {
      try Program.run(Checkout.daemon, ["--state-dir", daemon.state, "--recover"] + words, in: daemon.scratch)
    }

    @Test func `a backup with a foreign trigger and correct checksums is refused`() throws {
      let named = "its trigger 't' is not part of a poolflow store"
      let daemon = try Daemon(at: Self.noon).start()
      let backup = try daemon.query(BackupCall.Create.Reply.self, "backup", "create").backup
      // A backup of another machine: the store has no record of it.
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
      // The unmodified backup is accepted.
      #expect(try recover(daemon, "restore", backup.path).code == 0)
      try daemon.start()
      #expect(try daemon.query(TeamsCall.List.Reply.self, "team", "list").teams.map(\.pools) == [120])
    }

    @Test func `a store with a foreign trigger is refused and not modified`() throws {
      let daemon = try Daemon(at: Self.noon)
      let store = daemon.state + "/poolflow.db"
      try Connection.change(store, [Self.trigger])
      let before = try Files.bytes(store)
      try daemon.launch()
      #expect(try #require(daemon.program).end(within: .seconds(10)) == .exit(ExitCode.badData), "\(daemon.log)")
      #expect(
        daemon.log.contains("'\(store)' is damaged: its trigger 't' is not part of a poolflow store"), "\(daemon.log)")
      let asked = try daemon.ask("team", "list")
      #expect(asked.code != 0 && asked.errors.contains("its trigger 't'"), "\(asked)")
      #expect(try recover(daemon, "retry").code == ExitCode.badData)
      #expect(try Files.bytes(store) == before)
    }

    // MARK: What restores keep

    @Test func `old stores kept by restores are removed at start, except the newest`() throws {
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
      #expect(daemon.log.contains("\(162 - Limits.keptStores) old stores that restores had kept were removed"))
      #expect(Files.exists(daemon.state + "/poolflow.db.kept-for-my-aunt"))
      let doctor = try daemon.ask("doctor", "--all")
      #expect(doctor.output.contains("\(Limits.keptStores) old stores, kept by restores, are in"), "\(doctor.output)")
      // More restores never exceed the limit, and the newest kept store exists.
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

    @Test func `a symbolic link in the store's place is named and never replaced`() throws {
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
      #expect(said.contains("the store '\(store)' is \(words), which poolflow does not use"), "\(said)")
      #expect(!said.contains("empty"), "\(said)")
      for arguments in [["retry"], ["restore", backup.path], ["reset"]] {
        let refused = try Program.run(
          Checkout.daemon, ["--state-dir", daemon.state, "--recover"] + arguments, in: daemon.scratch)
        #expect(refused.code == ExitCode.badData && refused.errors.contains(words), "\(arguments): \(refused)")
      }
      let asked = try daemon.ask("team", "list")
      #expect(asked.code == ExitCode.unavailable && asked.errors.contains(words), "\(asked)")
      #expect(FileKind(at: store) == what)
      #expect(try Files.bytes(moved) == before)
      #expect(Files.names(in: daemon.state).filter { $0.hasPrefix("restore.") || $0.contains(".kept-") } == [])
    }

    // MARK: A socket without a daemon

    @Test(arguments: [true, false])
    func `a named socket without a daemon never shows another folder's store`(byOption: Bool) throws {
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
      #expect(try ask(socket, "list").errors.contains("there is no store next to '\(socket)'"))
      // Beside the store, and at the configured socket, the stopped daemon's data is shown.
      guard byOption else { return }
      #expect(try ask(daemon.socket, "list").output.contains("desert-blue"))
      try daemon.settings("[Daemon]\nSocket = \(socket)\nStateDirectory = \(daemon.state)\n")
      #expect(try ask(socket, "list").output.contains("desert-blue"))
    }

    // MARK: Zones

    @Test func `a leap-second zone is refused; a team with one harms no other team`() throws {
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

    @Test func `ambiguous zones are refused for new values and keep working for old ones`()
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
        doctor.contains("! zones: the zone of team 'desert-blue' may be the wrong one: 'EST'"), "\(doctor)")
      #expect(!doctor.contains("cannot be read"), "\(doctor)")
      try daemon.change("team", "add", "another", "--zone", "EST5EDT")
      #expect(try daemon.ask("team", "show", "another").output.contains("imperial"))
      try daemon.change("team", "set", "desert-blue", "zone=America/Panama")
      #expect(try !daemon.ask("doctor").output.contains("may be the wrong one"))
      let tried = try daemon.ask("calendar", "07:00", "--zone", "EST")
      #expect(tried.code == 0 && tried.errors.contains("note: 'EST' never changes its clocks"), "\(tried)")
    }

    // MARK: Without /proc

    /// Runs a program with an empty /proc.
    private static func hidden(_ program: String, _ words: [String], in scratch: Scratch) throws -> Answer {
      let script = #"mount -t tmpfs none /proc && test ! -e /proc/self && exec "$0" "$@""#
      return try Program.run(
        "/usr/bin/unshare", ["--mount", "/bin/sh", "-c", script, program] + words, in: scratch)
    }

    @Test(.requires(.mounting))
    func `without /proc the programs still read their arguments`() throws {
      let daemon = try Daemon(at: Self.noon)
      #expect(try Self.hidden(Checkout.daemon, ["--version"], in: daemon.scratch).output.hasPrefix("poolflowd "))
      let mistake = try Self.hidden(Checkout.daemon, ["--sate-dir", "/tmp"], in: daemon.scratch)
      #expect(mistake.code == ExitCode.usage && mistake.errors.contains("did you mean --state-dir?"), "\(mistake)")
      let retry = try Self.hidden(
        Checkout.daemon, ["--state-dir", daemon.state, "--recover", "retry"], in: daemon.scratch)
      #expect(retry.code == 0 && retry.output.contains("'\(daemon.state)/poolflow.db' is undamaged"), "\(retry)")
      // `pfctl` starts the poolflowd beside it, which reports why it cannot read the store.
      let asked = try Self.hidden(Checkout.pfctl, ["team", "list", "--socket", daemon.socket], in: daemon.scratch)
      #expect(asked.code == ExitCode.unavailable && asked.errors.contains("/proc is not mounted"), "\(asked)")
    }

    @Test(.requires(.mounting))
    func `without /proc the daemon refuses to start before it changes anything`() throws {
      let daemon = try Daemon(at: Self.noon)
      let before = try Files.bytes("\(daemon.state)/poolflow.db")
      let refused = try Self.hidden(Checkout.daemon, ["--state-dir", daemon.state], in: daemon.scratch)
      #expect(refused.code == ExitCode.badSettings && refused.errors.contains("mount it: `mount -t proc"), "\(refused)")
      #expect(try Files.bytes("\(daemon.state)/poolflow.db") == before && FileKind(at: daemon.socket) == nil)
    }
  }
}
