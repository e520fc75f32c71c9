import FlowModel
import FlowNotices
import FlowPlatform
import FlowTestKit
import FlowWork
import Foundation
import Glibc
import PoolJobs
import Testing

import TradeStores
@testable import FlowStore
@testable import PoolStore

/// Refused PostgreSQL servers and their errors, and the behaviour of a store while its server is away.
@Suite(.serialized, .requires(.postgresql))
struct ServerTests {
  private let folder: TemporaryFolder
  private let now = Samples.mondayMorning

  init() throws { folder = try TemporaryFolder() }

  private func open(_ connection: String, exclusive: Bool = true) throws -> Store {
    try Store(
      place: .server(ServerLocation(connection: connection, isExclusive: exclusive)), now: now, version: "test")
  }

  /// The error with which opening fails.
  private func refusal(_ connection: String) -> StoreError? {
    #expect(throws: StoreError.self) { try open(connection) }
  }

  // MARK: Refusals

  @Test func `an unreachable server counts as away, and an invalid connection string is a settings error`() throws {
    let away = try #require(refusal("host=\(folder.path) dbname=poolflow"))
    #expect(away.isServerAway && away.isTransient && away.exitCode == 69)
    #expect(away.description.contains("'poolflow' at \(folder.path)") && away.description.contains("does not answer"))
    let bad = try #require(refusal("host='secret"))
    #expect(bad.exitCode == 78 && !bad.isTransient && !bad.description.contains("secret"))
  }

  @Test func `a wrong password or database is refused without waiting`() throws {
    let server = try PostgresServer(listens: true)
    let database = try server.newDatabase()
    try server.query("ALTER ROLE poolflow PASSWORD 'right'")
    try server.allow("local all poolflow trust", "host all all 127.0.0.1/32 scram-sha-256")
    let words = "host=127.0.0.1 port=\(server.port) user=poolflow"
    for connection in [
      "\(words) dbname=\(database) password=wrong", "\(words) dbname=\(database) passfile=/dev/null",
      server.connection(to: "absent"), server.connection(to: database, user: "unknown"),
    ] {
      let error = try #require(refusal(connection))
      #expect(error.exitCode == 78 && !error.isTransient && error.description.contains("refused the login"), "\(error)")
      #expect(!error.description.contains("wrong"))
    }
    #expect(try open("\(words) dbname=\(database) password=right").epoch == 1)
  }

  @Test(arguments: [
    ("CREATE TABLE orders (number int)", "the table public.orders", Int32(65)),
    ("CREATE SCHEMA poolflow; CREATE TABLE poolflow.engine (x int)", "the table poolflow.engine", 65),
    ("CREATE SCHEMA poolflow; CREATE VIEW poolflow.jobs AS SELECT 1", "the table poolflow.jobs", 65),
    ("ALTER DATABASE self SET default_transaction_read_only = on", "is read-only", 69),
  ])
  func `a database of another program is refused and left unchanged`(script: String, words: String, code: Int32) throws
  {
    let server = try PostgresServer.shared.get()
    let database = try server.newDatabase()
    let own = script.replacing("self", with: database).replacing(
      "CREATE SCHEMA poolflow", with: "CREATE SCHEMA poolflow AUTHORIZATION poolflow")
    try server.query(own + "; GRANT ALL ON ALL TABLES IN SCHEMA public TO poolflow", in: database)
    let before = try server.query("SELECT count(*) FROM pg_class", in: database)
    let error = try #require(refusal(server.connection(to: database)))
    #expect(error.description.contains(words) && error.exitCode == code, "\(error)")
    #expect(try server.query("SELECT count(*) FROM pg_class", in: database) == before)
    try server.drop(database)
  }

  @Test func `a newer store is refused, and an older one too if opened read-only`() throws {
    let server = try PostgresServer.shared.get()
    let database = try server.newDatabase()
    let connection = server.connection(to: database)
    _ = try Store(
      place: .server(ServerLocation(connection: connection)), now: now, version: "old",
      migrations: Array(Schema.migrations.prefix(3)))
    let older = #expect(throws: StoreError.self) {
      try Store(reading: .server(ServerLocation(connection: connection)))
    }
    #expect(older?.description.contains("schema 3") == true && older?.exitCode == 78)
    _ = try open(connection)
    try server.query("UPDATE poolflow.engine SET version = 99", in: database)
    let newer = try #require(refusal(connection))
    #expect(newer.exitCode == 78 && newer.description.contains("schema 99"))
    try server.drop(database)
  }

  @Test func `a second daemon is refused and the holder of the database is named`() throws {
    let server = try PostgresServer.shared.get()
    let database = try server.newDatabase()
    let connection = server.connection(to: database)
    let first = try open(connection)
    let error = try #require(refusal(connection))
    #expect(error.description.contains("poolflowd, process ") && error.exitCode == 75, "\(error)")
    // Readers are allowed beside the daemon, and another database is free.
    #expect(try Store(reading: .server(ServerLocation(connection: connection))).epoch == first.epoch)
    let other = try server.newDatabase()
    #expect(try open(server.connection(to: other)).install != first.install)
    try server.terminateBackends(of: database)
    for name in [database, other] { try server.drop(name) }
  }

  @Test(.requires(.pgbouncer)) func `a connection pooler in transaction mode is refused`() async throws {
    let server = try PostgresServer.shared.get()
    for (mode, isRefused) in [("transaction", true), ("session", false)] {
      let database = try server.newDatabase()
      try folder.make(mode)
      // The pooler's user must be able to enter the folder.
      chmod(folder.path, 0o711)
      let pooler = try await Pooler(to: server, database: database, mode: mode, in: "\(folder.path)/\(mode)")
      let connection = "host=\(pooler.folder) port=6432 dbname=\(database) user=poolflow"
      if isRefused {
        let error = try #require(refusal(connection))
        #expect(error.description.contains("pooler") && error.exitCode == 78, "\(error)")
        let made = try server.query("SELECT count(*) FROM pg_namespace WHERE nspname = 'poolflow'", in: database)
        #expect(made == "0")
      } else {
        #expect(try open(connection).epoch == 1)
      }
      pooler.end()
    }
  }

  // MARK: A server that goes away

  private func addJob(_ store: Store) async throws -> JobRecord {
    let team = try await store.addTeam(Samples.team(), defaultTechnician: "anna", now: now) { _ in
      [JobPlan(kind: .morningSummary, rule: .calendar("*-*-* 07:00:00"))]
    }
    return try #require(try await store.jobs(of: team.id).first)
  }

  private func claim(_ store: Store, _ job: JobRecord, _ slot: Int) async throws -> [ClaimedRun] {
    let slot = now.advanced(by: .minutes(slot))
    return try await store.claim([ClaimRequest(job: job, slot: slot, cause: .schedule, asOf: slot)], now: now)
  }

  @Test func `sessions that end between two calls fail no call`() async throws {
    let server = try PostgresServer.shared.get()
    let database = try server.newDatabase()
    let store = try open(server.connection(to: database))
    let job = try await addJob(store)
    for round in 1...5 {
      #expect(try server.terminateBackends(of: database) > 0)
      #expect(try await claim(store, job, round).count == 1)
      try server.terminateBackends(of: database)
      #expect(try await store.history(HistoryQuery()).count == round)
      try server.terminateBackends(of: database)
      #expect(try await store.facts([FactsRequest.everyDay(of: #require(job.teamID))]).count == 1)
    }
    #expect(await store.serverAway == nil)
  }

  @Test func `a transaction whose session ends midway is run again and applied once`() async throws {
    let server = try PostgresServer.shared.get()
    let database = try server.newDatabase()
    let store = try open(server.connection(to: database))
    let job = try await addJob(store)
    let connection = try Connection.opened(
      .server(ServerLocation(connection: server.connection(to: database), isExclusive: false)), .readWrite)
    var calls = 0
    try connection.transaction {
      calls += 1
      try connection.run("UPDATE jobs SET generation = generation + 1")
      if calls == 1 { try server.terminateBackends(of: database) }
      try connection.run("UPDATE jobs SET generation = generation + 1")
    }
    #expect(calls == 2)
    #expect(try await store.jobs().first?.generation == job.generation + 2)
  }

  @Test(arguments: CuttingProxy.Cut.allCases)
  func `a commit whose reply is lost is recognised as committed or rolled back`(_ cut: CuttingProxy.Cut) async throws {
    let server = try PostgresServer.shared.get()
    let database = try server.newDatabase()
    let proxy = try CuttingProxy(to: server.socketFolder, port: server.port, in: folder.path + "/proxy")
    let store = try open(server.connection(to: database, host: proxy.socketFolder))
    let job = try await addJob(store)
    for round in 1...20 {
      proxy.cut(cut)
      #expect(try await claim(store, job, round).count == 1)
      #expect(proxy.cuts == 3 * round - 2)
      // Audit entries have no unique key: a body that ran twice would write two.
      proxy.cut(cut)
      _ = try await store.beginAudit(uid: 0, userName: nil, command: "round \(round)", at: now)
      proxy.cut(cut)
      _ = try await store.hold(
        HoldRequest(teamID: nil, jobID: nil, kind: .pause(until: nil), note: "\(round)", setBy: "test"), now: now)
      #expect(proxy.cuts == 3 * round)
    }
    #expect(try await store.history(HistoryQuery(limit: 100)).count == 20)
    #expect(try await store.audit(since: nil, limit: 100).map(\.command) == (1...20).reversed().map { "round \($0)" })
    #expect(try server.query("SELECT count(*) FROM poolflow.holds", in: database) == "20")
    #expect(try await store.unsettledRuns().count == 20)
  }

  @Test func `every call fails while the server is away and succeeds when it is back`() async throws {
    let server = try PostgresServer()
    let database = try server.newDatabase()
    let store = try open(server.connection(to: database))
    let job = try await addJob(store)
    for stop in [PostgresServer.Stop.fast, .immediate] {
      try server.stop(stop)
      for _ in 1...3 {
        let error = await #expect(throws: StoreError.self) { try await claim(store, job, 1) }
        #expect(error?.isServerAway == true && error?.isTransient == true, "\(String(describing: error))")
        await #expect(throws: StoreError.self) { try await store.history(HistoryQuery()) }
      }
      #expect(await store.serverAway != nil)
      try server.start()
      // The store waits before it reconnects after a failure.
      while await store.serverAway != nil { _ = try? await store.history(HistoryQuery()) }
      #expect(try await store.jobs().count == 1)
    }
    #expect(try await claim(store, job, 1).count == 1)
    #expect(try await claim(store, job, 1).isEmpty)
  }

  @Test func `a daemon whose store was taken by another daemon cannot write`() async throws {
    let server = try PostgresServer.shared.get()
    let database = try server.newDatabase()
    let connection = server.connection(to: database)
    let store = try open(connection)
    let job = try await addJob(store)
    try server.terminateBackends(of: database)
    let second = try open(connection)
    let error = await #expect(throws: StoreError.self) { try await claim(store, job, 1) }
    #expect(error?.description.contains("another daemon") == true, "\(String(describing: error))")
    #expect(try await claim(second, job, 1).count == 1)
    // Not even after the other daemon has ended: its epoch is later.
    try await second.endEpoch(at: now)
    let after = await #expect(throws: StoreError.self) {
      // The store waits before it reconnects after a failure.
      while true {
        do { _ = try await claim(store, job, 2) } catch  where "\(error)".contains("by another daemon") { continue }
        break
      }
    }
    #expect(after?.description.contains("taken over") == true, "\(String(describing: after))")
  }
}

/// PgBouncer between a store and its server.
private final class Pooler {
  let folder: String
  private let child: ChildProgram

  /// Returns once the pooler listens.
  init(to server: PostgresServer, database: String, mode: String, in folder: String) async throws {
    self.folder = folder
    let settings = """
      [databases]
      \(database) = host=\(server.socketFolder) port=\(server.port) dbname=\(database) user=poolflow
      [pgbouncer]
      listen_port = 6432
      unix_socket_dir = \(folder)
      auth_type = any
      pool_mode = \(mode)
      ignore_startup_parameters = extra_float_digits
      """
    try Data(settings.utf8).write(to: URL(filePath: folder + "/pgbouncer.ini"))
    chmod(folder + "/pgbouncer.ini", 0o644)
    chmod(folder, 0o777)
    var words = [try Requirement.pgbouncer.path(), folder + "/pgbouncer.ini"]
    if getuid() == 0 { words = ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] + words }
    child = try ChildProgram(
      words[0], Array(words.dropFirst()), environment: ["PATH": "/usr/bin:/bin"],
      [0: .reading("/dev/null"), 1: .writing(folder + "/log"), 2: .writing(folder + "/log")])
    try await waitUntil("pgbouncer listens") { Self.takesCalls(folder + "/.s.PGSQL.6432") }
  }

  /// Between `bind` and `listen` the socket file exists but refuses connections.
  private static func takesCalls(_ path: String) -> Bool {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
    return withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
  }

  func end() {
    kill(child.pid, SIGKILL)
    _ = child.end()
  }
}
