import FlowControl
import FlowModel
import FlowPlatform
import FlowStore
import FlowTestKit
import Foundation
import Glibc
import Testing
import TradeStores

extension Programs {
  /// The built daemon with its records on a PostgreSQL server.
  @Suite(.requires(.postgresql)) struct PostgresTests {
    private static let monday = "2026-03-02T14:29:10Z"

    // MARK: The same answers

    /// Every query about the demo's team.
    private static let questions: [[String]] =
      [
        "list", "next --limit 9", "history", "why morning-summary", "outbox list", "team list",
        "team show desert-blue", "technician list", "pool list", "pool show Steve", "pool trend Steve",
        "pool usage Steve", "visit list", "visit list --pool Steve", "health", "profit --days 60", "inventory list",
        "equipment list", "route show --day mon --technician maria", "route compare --day mon --technician maria",
        "route progress", "digest --at 2026-03-02", "digest --at 2026-03-02 --technician maria",
        "digest --at 2026-03-02 --format ics", "report month --month 2026-02", "report visit Steve",
        "simulate --days 7", "job show morning-summary", "closed list", "reminder list", "export pools",
        "export visits", "export stock", "audit --limit 0", "sink list", "inbox list",
      ].map { $0.split(separator: " ").map(String.init) }

    private static let teamless: Set = ["team", "audit", "sink", "inbox"]

    @Test func `every query has the same answer on both engines, byte for byte`() throws {
      let postgres = try PostgresCase(at: Self.monday)
      let sqlite = try Daemon(at: Self.monday)
      for daemon in [sqlite, postgres.daemon] { try daemon.start() }
      for daemon in [sqlite, postgres.daemon] {
        try eventually("Monday's notice", { try daemon.unsent() == 0 && daemon.notices.count == 1 })
      }
      var asked = 0
      for question in Self.questions {
        let team = Self.teamless.contains(question[0]) ? [] : ["--team", "desert-blue"]
        for form in [[], ["--json"], ["--plain"]] {
          let answers = try [sqlite, postgres.daemon].map { daemon in
            let answer = try daemon.ask(question + team + form)
            return "\(answer.code)\n\(steady(answer.output, daemon))\n\(steady(answer.errors, daemon))"
          }
          #expect(answers[0] == answers[1], "\(question) \(form)")
          if answers[0].hasPrefix("0\n") { asked += 1 }
        }
      }
      print("\(asked) answers were the same")
      #expect(asked > 2 * Self.questions.count)
      // The delivered files are the same, too.
      let files = try [sqlite, postgres.daemon].map { daemon in
        try daemon.notices.map { steady(try Files.text("\(daemon.drop)/\($0)"), daemon) }
      }
      #expect(files[0] == files[1])
    }

    /// Replaces paths and values that depend on how fast a daemon started.
    private func steady(_ text: String, _ daemon: Daemon) -> String {
      text.replacing(daemon.state, with: "/STATE").replacing(daemon.scratch.path, with: "/SCRATCH")
        .replacing(/29m ?[0-9]{1,2}s/, with: "29m 10s").replacing(/1 ?7[0-9]{2}\.[0-9]+/, with: "1750")
        .replacing(/2026-03-02T14:29:[0-9.]+Z/, with: "T").replacing(/"late_s": ?[0-9.]+/, with: "LATE")
        .replacing(/07:29:[0-9]{2}/, with: "07:29:10").replacing(/T14:29:[0-9.]+Z/, with: "T14:29:10Z")
    }

    // MARK: A copy, and back

    @Test func `a store is copied to a server and back, but never over a store`() async throws {
      let server = try PostgresServer.shared.get()
      let source = try Daemon(at: DemoStore.madeAt)
      let database = try server.newDatabase()
      let place = server.connection(to: database)
      let rows = try await StoreReader(path: source.state + "/poolflow.db").rows()
      let bytes = try Files.bytes(source.state + "/poolflow.db")
      let copied = try PostgresCase.copy(of: source, to: place)
      #expect(copied.code == 0 && copied.errors.contains("rows copied and compared"), "\(copied)")
      #expect(try Files.bytes(source.state + "/poolflow.db") == bytes)
      let again = try PostgresCase.copy(of: source, to: place)
      #expect(again.code == 65 && again.errors.contains("the target holds a store already"), "\(again)")
      // Back, into another directory.
      let target = try Daemon(at: DemoStore.madeAt, empty: true)
      try FileManager.default.createDirectory(atPath: target.state, withIntermediateDirectories: false)
      chmod(target.state, 0o700)
      try target.scratch.write(
        "poolflow.conf", "[Daemon]\nStateDirectory = \(target.state)\n[Store]\nConnection = \(place)\n".utf8)
      let back = try Pfctl.run(
        ["store", "copy", "--to", "sqlite", "--json"], in: target.scratch,
        environment: ["CONFIGURATION_DIRECTORY": target.scratch.path])
      #expect(back.code == 0, "\(back)")
      #expect(try await StoreReader(path: target.state + "/poolflow.db").rows() == rows)
      #expect(Files.names(in: target.state).filter { $0.contains("partial") } == [])
      let twice = try Pfctl.run(
        ["store", "copy", "--to", "sqlite"], in: target.scratch,
        environment: ["CONFIGURATION_DIRECTORY": target.scratch.path])
      #expect(twice.code == 65, "\(twice)")
      // The copy works as a store, and its id sequences continue.
      try target.start()
      try target.change("team", "add", "second", "--zone", "America/Boise")
      #expect(try target.ask("team", "list").output.contains("second"))
    }

    @Test func `store copy is refused beside a running daemon; a killed copy leaves nothing`() throws {
      let server = try PostgresServer.shared.get()
      let source = try Daemon(at: DemoStore.madeAt).start()
      let database = try server.newDatabase()
      let place = server.connection(to: database)
      let held = try PostgresCase.copy(of: source, to: place)
      #expect(held.code == 75 && held.errors.contains("holds the state directory"), "\(held)")
      try source.stop()
      // A connection cut in the middle leaves tables without any row, as a kill would.
      let cut = try CuttingProxy(to: server.socketFolder, in: source.scratch.path + "/cut")
      cut.cut(.before, afterCommits: 1)
      let lost = try PostgresCase.copy(of: source, to: server.connection(to: database, host: cut.socketFolder))
      if lost.code != 0 {
        #expect(try server.query("SELECT count(*) FROM poolflow.teams", in: database) == "0")
        let after = try PostgresCase.copy(of: source, to: place)
        #expect(after.code == 0, "\(after)")
      }
      #expect(try server.query("SELECT count(*) FROM poolflow.teams", in: database) == "1")
    }

    @Test func `photos are stored in the database and copied there and back`() throws {
      let postgres = try PostgresCase(at: DemoStore.madeAt)
      let daemon = postgres.daemon
      func photos(_ state: String) throws -> [String: [UInt8]] {
        let names = Files.names(in: state + "/photos/1")
        return Dictionary(
          uniqueKeysWithValues: try names.map { ($0, try Files.bytes("\(state)/photos/1/\($0)")) })
      }
      func kept() throws -> String { try postgres.query("SELECT count(DISTINCT event_id) FROM poolflow.photo_pieces") }
      let demo = try photos(daemon.state)
      #expect(try !demo.isEmpty && kept() == "\(demo.count)")
      // Another machine has no photo files.
      try FileManager.default.removeItem(atPath: daemon.state + "/photos")
      try daemon.start()
      let picture = Data([0xFF, 0xD8, 0xFF, 0xE0]) + Data((0..<900_000).map { UInt8(truncatingIfNeeded: $0 * 7) })
      try daemon.scratch.write("pool.jpg", picture)
      try daemon.change(
        "visit", "log", "Steve Baird", "--team", "desert-blue", "--ph", "7.5", "--dose", "none", "--photo",
        daemon.scratch.path + "/pool.jpg")
      #expect(try kept() == "\(demo.count + 1)")
      let largest = try postgres.query("SELECT max(length(piece)) FROM poolflow.photo_pieces")
      #expect(largest == "\(Limits.fileChunkBytes)")
      try FileManager.default.removeItem(atPath: daemon.state + "/photos")
      let page = try daemon.ask("report", "visit", "Steve Baird", "--team", "desert-blue", "--format", "html").output
      #expect(page.contains(picture.base64EncodedString()))
      try daemon.change("backup", "create")
      let archives = try daemon.query(BackupCall.Show.Reply.self, "backup", "show", "latest").archives
      #expect(archives.map(\.photos).reduce(0, +) == demo.count + 1)
      let fetched = try photos(daemon.state)
      #expect(fetched.count == demo.count + 1 && demo.allSatisfy { fetched[$0.key] == $0.value })
      try daemon.change("visit", "undo", "Steve Baird", "--team", "desert-blue")
      #expect(try kept() == "\(demo.count)")
      try daemon.stop()
      // Back into a SQLite file.
      let target = try Scratch()
      let state = try target.folder("state")
      chmod(state, 0o700)
      try target.write(
        "poolflow.conf", "[Daemon]\nStateDirectory = \(state)\n[Store]\nConnection = \(postgres.connection)\n".utf8)
      let back = try Pfctl.run(
        ["store", "copy", "--to", "sqlite"], in: target, environment: ["CONFIGURATION_DIRECTORY": target.path])
      #expect(back.code == 0, "\(back)")
      #expect(try photos(state) == demo)
    }

    // MARK: A life on a server

    @Test func `a daemon creates its store on a server; pfctl reads it while stopped`() throws {
      let postgres = try PostgresCase(at: Self.monday, empty: true)
      let daemon = postgres.daemon
      try daemon.start()
      try daemon.change("team", "add", "desert-blue", "--zone", "America/Phoenix")
      try daemon.change("team", "plan", "desert-blue", "paid")
      try daemon.change("import", Checkout.backup, "--team", "desert-blue")
      let status = try daemon.query(SchedulerCall.Status.Reply.self, "status")
      #expect(status.store?.engine == .postgresql && status.store?.state == .ok && status.pools > 30)
      #expect(!Files.exists(daemon.state + "/poolflow.db"))
      #expect(try daemon.ask("status").output.contains("PostgreSQL, \(postgres.database) on "))
      let doctor = try daemon.ask("doctor", "--all")
      #expect(doctor.output.contains("the database (PostgreSQL, "), "\(doctor)")
      let backup = try daemon.ask("backup", "create")
      #expect(backup.code == 0 && backup.errors.contains("only the teams' archives"), "\(backup)")
      #expect(try daemon.ask("backup", "verify", "latest", "--full").code == 0)
      let whole = try daemon.ask("backup", "restore", "latest", "--dry-run")
      #expect(whole.code != 0 && whole.errors.contains("pg_restore"), "\(whole)")
      let team = try daemon.ask("backup", "restore", "latest", "--team", "desert-blue", "--confirm", "desert-blue")
      #expect(team.code == 0, "\(team)")
      let pools = try daemon.ask("pool", "list", "--team", "desert-blue").output
      #expect(try daemon.stop() == .exit(0))
      let left = try postgres.ask("pool", "list", "--team", "desert-blue")
      #expect(left.code == 0 && left.output == pools && left.errors.contains("is not running"), "\(left)")
      // A change of the engine needs a restart, and the reload says so.
      try daemon.start()
      try daemon.scratch.write("poolflow.conf", "[Store]\nEngine = sqlite\n".utf8)
      let reload = try daemon.ask("reload")
      #expect(reload.code == 78 && reload.errors.contains("needs a restart"), "\(reload)")
      try daemon.stop()
      // An empty SQLite path is not accepted in place of the existing records.
      let restart = try postgres.failedStart()
      #expect(restart.ending == .exit(65), "\(restart)")
    }

    @Test func `while the server is away the daemon serves and later catches up`() throws {
      let postgres = try PostgresCase(at: "2026-03-02T13:59:30Z", ownServer: true)
      let daemon = postgres.daemon
      let metrics = daemon.scratch.path + "/metrics.prom"
      try postgres.settings("[Daemon]\nMetricsFile = \(metrics)\n[Sink drop]\nType = file-drop\n")
      try daemon.start()
      try postgres.server.stop(.fast)
      daemon.clock.step(by: .seconds(90))
      try eventually(
        "status says so",
        {
          try daemon.query(SchedulerCall.Status.Reply.self, "status").store?.state == .away
        })
      let status = try daemon.ask("status")
      #expect(status.output.contains("does not answer"), "\(status)")
      let check = try daemon.ask("status", "--check")
      #expect(check.code == 2 && check.output.contains("the store's server does not answer"), "\(check)")
      try eventually("the metrics say so", { (try? Files.text(metrics).contains("poolflow_store_up 0")) == true })
      let refused = try daemon.ask("team", "set", "desert-blue", "language=es")
      #expect(refused.code != 0 && refused.errors.contains("nothing was changed"), "\(refused)")
      #expect(daemon.notices == [])
      try postgres.server.start()
      try eventually("the morning is told", { daemon.notices.contains { $0.contains("morning-summary") } })
      #expect(daemon.notices.count { $0.contains("morning-summary") } == 1)
      let runs = try daemon.runs("morning-summary")
      #expect(runs.map(\.outcome) == [.notified], "\(runs)")
      #expect(try daemon.query(SchedulerCall.Status.Reply.self, "status").store?.state == .ok)
      daemon.clock.step(by: .seconds(61))
      try eventually("the metrics say so", { try Files.text(metrics).contains("poolflow_store_up 1") })
      #expect(try daemon.stop() == .exit(0))
    }

    // MARK: Kills

    /// Injected faults of the server, its connections and its daemon.
    private enum Fault: CaseIterable {
      case daemon, fast, immediate, postmaster, sessions, before, passed, answered, network
    }

    /// `POOLFLOW_POSTGRES_KILLS` faults, seeded by `POOLFLOW_SEED`.
    private static let (kills, seed): (Int, UInt64) = {
      let environment = ProcessInfo.processInfo.environment
      return (
        environment["POOLFLOW_POSTGRES_KILLS"].flatMap { Int($0) } ?? 20,
        environment["POOLFLOW_SEED"].flatMap { UInt64($0) } ?? 1
      )
    }()

    @Test func `whatever is killed or cut, each slot runs exactly once`() throws {
      let postgres = try PostgresCase(at: "2026-03-02T15:00:00Z", ownServer: true, isCut: true)
      let proxy = try #require(postgres.proxy)
      let (daemon, server) = (postgres.daemon, postgres.server)
      try daemon.start()
      try eventually("the late morning", { daemon.notices.count == 1 })
      let first = daemon.notices
      let begin = daemon.clock.now
      try daemon.change("job", "set", "morning-summary", "--team", "desert-blue", "rule=*:0/1", "catch-up=all 10")
      let watch = try DropWatch(daemon.drop, takesAway: true)
      var random = SeededNumbers(seed: Self.seed)
      var tally: [Fault: Int] = [:]
      for round in 1...Self.kills {
        let fault = Fault.allCases[round % Fault.allCases.count]
        tally[fault, default: 0] += 1
        switch fault {
        case .before: proxy.cut(.before, afterCommits: Int.random(in: 0...6, using: &random))
        case .passed: proxy.cut(.passed, afterCommits: Int.random(in: 0...6, using: &random))
        case .answered: proxy.cut(.answered, afterCommits: Int.random(in: 0...6, using: &random))
        case .daemon, .fast, .immediate, .postmaster, .sessions, .network: break
        }
        // The next slot is 150 ms ahead.
        let now = daemon.clock.now
        let next = Timestamp(seconds: (now.seconds / 60 + 1) * 60)
        daemon.clock.set(to: next.advanced(by: .milliseconds(-150)))
        let moment = next.advanced(by: .milliseconds(Int.random(in: -20...60, using: &random)))
        while daemon.clock.now < moment { poll(nil, 0, 1) }
        switch fault {
        case .daemon:
          try daemon.kill()
          try daemon.start()
        case .fast:
          try server.stop(.fast)
          try server.start()
        case .immediate:
          try server.stop(.immediate)
          try server.start()
        case .postmaster:
          try server.kill()
          try server.start()
        case .sessions: try server.terminateBackends(of: postgres.database)
        case .network:
          proxy.goAway()
          proxy.comeBack()
        case .before, .passed, .answered: break
        }
        do {
          try eventually(
            "round \(round), \(fault): slot \(next) is told",
            {
              watch.look()
              return watch.arrivals.contains { $0.hasPrefix("\(next.compact)-morning-summary") }
            })
        } catch {
          let runs = try postgres.query("SELECT * FROM poolflow.runs ORDER BY slot_ms DESC LIMIT 5")
          Issue.record("\(error)\n\(runs)\n\(daemon.log.suffix(3_000))")
          break
        }
      }
      try eventually(
        "every sink has it",
        {
          try postgres.query(
            "SELECT count(*) FROM poolflow.outbox WHERE state <> 'sent'") == "0"
        })
      watch.look()
      let outcomes = try postgres.query(
        """
        SELECT outcome, (max(slot_ms) - min(slot_ms)) / 60000 + 1 - count(*)
        FROM poolflow.runs JOIN poolflow.jobs USING (job_id)
        WHERE kind = 'morning-summary' AND slot_ms > \(begin.milliseconds) GROUP BY outcome
        """)
      let notices = try postgres.query("SELECT notice_id FROM poolflow.notices").split(separator: "\n").map {
        "\($0).json"
      }
      let files = watch.arrivals + first
      let kinds = tally.map { "\($0.value) \($0.key)" }.sorted().joined(separator: ", ")
      print(
        "\(Self.kills) injected faults (\(kinds)), \(proxy.cuts) cut commits among \(proxy.commits): \(outcomes), "
          + "\(notices.count) notices, \(files.count) files")
      #expect(outcomes == "notified|0")
      #expect(files.count == Set(files).count && Set(files) == Set(notices))
      #expect(try daemon.stop() == .exit(0))
    }
  }
}
