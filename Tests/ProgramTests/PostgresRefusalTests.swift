import FlowControl
import FlowModel
import FlowPlatform
import FlowStore
import FlowTestKit
import Foundation
import Glibc
import Testing

extension Programs {
  /// Servers that cannot be used: each gets one sentence with an exit code, and nothing is left half done.
  @Suite(.requires(.postgresql)) struct PostgresRefusalTests {
    private static let now = "2026-03-02T16:00:00Z"

    private func expectNothing(in postgres: PostgresCase) throws {
      #expect(try postgres.query("SELECT count(*) FROM pg_namespace WHERE nspname = 'poolflow'") == "0")
    }

    @Test func `without a server the start exits with 69 and succeeds later`() throws {
      let postgres = try PostgresCase(at: Self.now, ownServer: true, empty: true)
      try postgres.server.stop(.fast)
      let start = try postgres.failedStart()
      #expect(start.ending == .exit(69) && start.words.contains("does not answer"), "\(start)")
      let asked = try postgres.ask("status")
      #expect(asked.code == 69 && !asked.errors.isEmpty, "\(asked)")
      // systemd restarts it the same way.
      try postgres.server.start()
      try postgres.daemon.start()
      #expect(try postgres.daemon.stop() == .exit(0))
    }

    @Test func `without libpq the start exits with 78 and names the package`() throws {
      let postgres = try PostgresCase(at: Self.now, empty: true)
      // An invalid file of the library's name comes first in the search path.
      let folder = try postgres.daemon.scratch.folder("libraries")
      try postgres.daemon.scratch.write("libraries/libpq.so.5", "no library".utf8)
      try postgres.daemon.launch(environment: ["LD_LIBRARY_PATH": folder])
      let ending = try postgres.daemon.program?.end()
      #expect(ending == .exit(78) && postgres.daemon.log.contains("libpq5"), "\(postgres.daemon.log)")
      try expectNothing(in: postgres)
    }

    @Test func `login failures exit with 78 and reveal no password`() throws {
      let postgres = try PostgresCase(at: Self.now, ownServer: true, listens: true, empty: true)
      let server = postgres.server
      try server.query("ALTER ROLE poolflow PASSWORD 'right-secret'")
      try server.allow("host all poolflow 127.0.0.1/32 scram-sha-256", "local all poolflow trust")
      let place = "host=127.0.0.1 port=\(server.port) dbname=\(postgres.database) user=poolflow"
      let passfile = try postgres.daemon.scratch.write("pass", "*:*:*:poolflow:wrong-secret\n".utf8)
      chmod(passfile, 0o600)
      try postgres.settings(connection: "\(place) passfile=\(passfile)")
      for words in ["password authentication failed", "passfile"] {
        let start = try postgres.failedStart()
        #expect(start.ending == .exit(78), "\(start)")
        #expect(words == "passfile" || start.words.contains(words), "\(start)")
        #expect(!start.words.contains("wrong-secret"))
      }
      // The password comes from a credential.
      let credentials = try postgres.daemon.scratch.folder("credentials")
      try postgres.daemon.scratch.write("credentials/store-password", "right-secret\n".utf8)
      try postgres.settings("Credential = store-password\n", connection: place)
      let missing = try postgres.failedStart()
      #expect(missing.ending == .exit(78) && missing.words.contains("LoadCredential"), "\(missing)")
      try postgres.daemon.start(environment: ["CREDENTIALS_DIRECTORY": credentials])
      #expect(try postgres.daemon.stop() == .exit(0))
      try postgres.settings(connection: server.connection(to: "nothing"))
      let absent = try postgres.failedStart()
      #expect(absent.ending == .exit(78) && absent.words.contains("nothing"), "\(absent)")
      try postgres.settings(connection: server.connection(to: postgres.database, user: "unknown_user"))
      let unknownUser = try postgres.failedStart()
      #expect(unknownUser.ending == .exit(78), "\(unknownUser)")
      #expect(!postgres.daemon.log.contains("right-secret"))
    }

    @Test func `a foreign database or a newer schema is not modified`() throws {
      let postgres = try PostgresCase(at: Self.now, empty: true)
      _ = try postgres.query("CREATE TABLE public.invoices (number bigint)")
      let foreign = try postgres.failedStart()
      #expect(foreign.ending == .exit(65) && foreign.words.contains("public.invoices"), "\(foreign)")
      try expectNothing(in: postgres)
      _ = try postgres.query("DROP TABLE public.invoices")
      try postgres.daemon.start()
      try postgres.daemon.stop()
      _ = try postgres.query("UPDATE poolflow.engine SET version = version + 1")
      let newer = try postgres.failedStart()
      #expect(newer.ending == .exit(78) && newer.words.contains("newer poolflowd"), "\(newer)")
      let asked = try postgres.ask("status")
      #expect(asked.code == 69 && asked.errors.contains("newer poolflowd"), "\(asked)")
    }

    @Test func `a read-only server exits with 69, so that the start is retried`() throws {
      let postgres = try PostgresCase(at: Self.now, ownServer: true, empty: true)
      try postgres.server.set("default_transaction_read_only", "on")
      let start = try postgres.failedStart()
      #expect(start.ending == .exit(69) && start.words.contains("is read-only"), "\(start)")
      try expectNothing(in: postgres)
    }

    @Test func `a second daemon is refused with the name of the first`() throws {
      let postgres = try PostgresCase(at: Self.now, empty: true)
      try postgres.daemon.start()
      let other = try Daemon(at: Self.now, empty: true)
      try other.scratch.write(
        "poolflow.conf", "[Store]\nEngine = postgresql\nConnection = \(postgres.connection)\n".utf8)
      try other.launch()
      #expect(try other.program?.end() == .exit(75))
      #expect(other.log.contains("in use by another daemon: poolflowd"), "\(other.log)")
      #expect(try postgres.daemon.stop() == .exit(0))
    }

    @Test(.requires(.pgbouncer)) func `a pooler in transaction mode is refused, in session mode accepted`() throws {
      let postgres = try PostgresCase(at: Self.now, ownServer: true, empty: true)
      let program = try Requirement.pgbouncer.path()
      for (mode, isRefused) in [("transaction", true), ("session", false)] {
        let folder = try postgres.daemon.scratch.folder("pooler-\(mode)")
        chmod(folder, 0o777)
        try postgres.daemon.scratch.write("pooler-\(mode)/users", "\"poolflow\" \"\"\n".utf8)
        let settings = try postgres.daemon.scratch.write(
          "pooler-\(mode)/pgbouncer.ini",
          """
          [databases]
          * = host=\(postgres.server.socketFolder) port=\(postgres.server.port)
          [pgbouncer]
          listen_addr =
          listen_port = 6432
          unix_socket_dir = \(folder)
          auth_type = trust
          auth_file = \(folder)/users
          pool_mode = \(mode)
          ignore_startup_parameters = extra_float_digits
          """.utf8)
        chmod(folder + "/users", 0o644)
        chmod(settings, 0o644)
        // pgbouncer refuses to run as root.
        let (runner, words) =
          getuid() == 0
          ? ("/usr/bin/setpriv", ["--reuid=nobody", "--regid=nogroup", "--clear-groups", program, settings])
          : (program, [settings])
        let pooler = try RunningProgram(
          runner, words, environment: ["PATH": "/usr/bin:/bin"], output: .writing(folder + "/log"),
          errors: folder + "/log")
        try eventually("the pooler listens", { Files.exists(folder + "/.s.PGSQL.6432") })
        try postgres.settings(connection: "host=\(folder) port=6432 dbname=\(postgres.database) user=poolflow")
        if isRefused {
          let start = try postgres.failedStart()
          #expect(start.ending == .exit(78) && start.words.contains("pooler"), "\(start)")
          try expectNothing(in: postgres)
        } else {
          try postgres.daemon.start()
          #expect(try postgres.daemon.stop() == .exit(0))
        }
        // pgbouncer inherited this process's signal mask, which blocks SIGTERM.
        pooler.send(SIGKILL)
        try pooler.end()
      }
    }

    @Test func `a standby is refused until promoted; several hosts can be configured`() throws {
      let postgres = try PostgresCase(at: Self.now, ownServer: true)
      let standby = try postgres.server.standby()
      let place = standby.connection(to: postgres.database)
      try postgres.settings(connection: place)
      let start = try postgres.failedStart()
      #expect(start.ending == .exit(69) && start.words.contains("is read-only"), "\(start)")
      let both =
        "host=\(postgres.server.socketFolder),\(standby.socketFolder) port=5432,5432 dbname=\(postgres.database) "
        + "user=poolflow target_session_attrs=read-write"
      try postgres.settings(connection: both)
      let daemon = postgres.daemon
      try daemon.start()
      try eventually("Monday's morning", { daemon.notices.count == 1 })
      let runs = try daemon.runs("morning-summary").map(\.slot)
      // Wait until the daemon's writes have reached the standby, which is then promoted.
      let written = try postgres.query("SELECT pg_current_wal_lsn()")
      try eventually("the standby has it all") {
        try standby.query("SELECT pg_last_wal_replay_lsn() >= '\(written)'") == "t"
      }
      try postgres.server.kill()
      try standby.query("SELECT pg_promote()")
      try eventually(
        "the daemon has found it",
        {
          try daemon.query(SchedulerCall.Status.Reply.self, "status").store?.state == .ok
        })
      #expect(try daemon.runs("morning-summary").map(\.slot) == runs && daemon.notices.count == 1)
      try daemon.change("run", "morning-summary", "--team", "desert-blue")
      try eventually("another notice", { daemon.notices.count == 2 })
      #expect(try daemon.stop() == .exit(0))
    }

    @Test(.requires(.mounting))
    func `on a server with a full disk reads work and writes resume later`() throws {
      let scratch = try Scratch()
      let disk = try SmallDisk(at: scratch.path + "/disk", kilobytes: 160_000)
      let server = try PostgresServer(
        settings: ["max_wal_size": "48MB", "min_wal_size": "32MB"], dataAt: disk.path)
      let database = try server.newDatabase()
      let source = try Daemon(at: Self.now)
      let copied = try PostgresCase.copy(of: source, to: server.connection(to: database))
      #expect(copied.code == 0, "\(copied)")
      let daemon = try Daemon(at: Self.now, like: source)
      unlink(daemon.state + "/poolflow.db")
      try daemon.scratch.write(
        "poolflow.conf",
        "[Store]\nEngine = postgresql\nConnection = \(server.connection(to: database))\n".utf8)
      try daemon.start()
      try eventually("Monday's morning", { daemon.notices.count == 1 })
      // The present WAL segment still has space; write until it has not.
      disk.fill()
      var refused: Answer?
      for _ in 1...400 where refused == nil {
        let answer = try daemon.ask("import", Checkout.backup, "--team", "desert-blue", "--replace")
        if answer.code != 0 { refused = answer }
      }
      print("the full disk was told as: \(refused?.errors ?? "nothing")")
      #expect(refused?.errors.contains("nothing was changed") == true, "\(refused as Any)")
      #expect(try daemon.ask("status").code == 0)
      disk.makeRoom()
      if (try? server.query("SELECT 1")) == nil {
        // PostgreSQL stops itself when it cannot write WAL.
        try server.stop(.immediate)
        try server.start()
      }
      try eventually("it goes on", { try daemon.ask("team", "set", "desert-blue", "language=es").code == 0 })
      #expect(try daemon.ask("pool", "list", "--team", "desert-blue").code == 0)
      #expect(try daemon.stop() == .exit(0))
      try server.stop(.immediate)
      disk.unmount()
    }
  }
}
