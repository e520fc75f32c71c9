import FlowCalendar
import FlowControl
import FlowModel
import FlowPlatform
import FlowStore
import Foundation
import Glibc
import TradeStores

/// Measures a morning of one, two and three nodes on a PostgreSQL store with the built daemon, and their cost while nothing is
/// due.
///
/// `POOLFLOW_BENCH_SERVER` is a libpq connection string whose user may create databases. `POOLFLOW_BENCH_TEAMS` (10,000) teams
/// get their low stock, without pages, in a drop folder of each node. `POOLFLOW_BENCH_NODES` measures only this number of
/// nodes, `POOLFLOW_BENCH_ROUNDS` sets the mornings for each (three; one for more than 20,000 teams).
func benchNodes() {
  do {
    guard let server = ProcessInfo.processInfo.environment["POOLFLOW_BENCH_SERVER"] else {
      return notMeasured("a morning on several nodes", "POOLFLOW_BENCH_SERVER names no server")
    }
    let teams = ProcessInfo.processInfo.environment["POOLFLOW_BENCH_TEAMS"].flatMap(Int.init) ?? 10_000
    try NodesBench(server: server, teams: teams).run()
  } catch {
    benchFailed("nodes", error)
  }
}

private struct NodesBench {
  let server: String
  let teams: Int
  private let folder: URL

  init(server: String, teams: Int) throws {
    self.server = server
    self.teams = teams
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("poolflow-nodes-\(getpid())")
    try FileManager.default.createDirectory(
      at: folder.appendingPathComponent("seed/state"), withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
  }

  /// The times of a morning in ms after the slot, and the idle share of the processors.
  private struct Morning {
    var last = 0.0
    var idle = 0.0
    var ready = 0.0
    /// CPU seconds of the server and of the nodes.
    var (server, nodes) = (0.0, 0.0)
    /// The server's load while nothing is due, as a percentage of a core; nil if not measured.
    var waiting: Double?
  }

  func run() throws {
    defer {
      // A leftover temporary folder does no harm.
      try? FileManager.default.removeItem(at: folder)
    }
    let environment = ProcessInfo.processInfo.environment
    let counts = environment["POOLFLOW_BENCH_NODES"].flatMap(Int.init).map { $0...$0 } ?? 1...3
    let rounds = environment["POOLFLOW_BENCH_ROUNDS"].flatMap(Int.init) ?? (teams > 20_000 ? 1 : 3)
    print(
      "nodes: \(teams) teams low on stock, without pages, on a server of this machine, the built daemon; \(rounds) mornings"
    )
    let setUp = try Connection.opened(.server(ServerLocation(connection: server)), .readOnly)
    try setUp.execute("CREATE DATABASE \(filled)", operation: "make a database")
    defer { drop(filled, setUp) }
    try fill()
    var mornings: [Int: [Morning]] = [:]
    for round in 0..<rounds {
      // Alternate, so that other load on the machine affects all counts equally.
      for count in counts { mornings[count, default: []].append(try morning(of: count, isFirst: round == 0, setUp)) }
    }
    for count in counts {
      let found = mornings[count] ?? []
      let nodes = count == 1 ? "1 node" : "\(count) nodes"
      figureLine("\(nodes): ready after the start, s, the slowest", found.map(\.ready), .reference(2))
      figureLine("\(nodes): last event known to the store after the slot, ms", found.map(\.last))
      if count > 1, let alone = mornings[1] {
        figureLine(
          "\(nodes): times as fast as one node", zip(alone, found).map { $0.last / $1.last },
          count == 2 ? .atLeast(1.5) : nil)
      }
      figureLine("\(nodes): idle time of the processors meanwhile, %", found.map { $0.idle * 100 })
      figureLine("\(nodes): processor of the server for it, s", found.map(\.server))
      figureLine("\(nodes): processor of the nodes for it, s", found.map(\.nodes))
      figureLine(
        "\(nodes): server's processor while nothing is due, % of a core", found.compactMap(\.waiting), .atMost(1))
    }
  }

  private var seed: String { folder.appendingPathComponent("seed/state/poolflow.db").path }
  /// The template of each morning's database.
  private var filled: String { "poolflow_nodes_\(getpid())" }

  private func drop(_ database: String, _ setUp: Connection) {
    // The server belongs to the benchmark.
    try? setUp.execute("DROP DATABASE \(database) WITH (FORCE)", operation: "drop a database")
  }

  private func fill() throws {
    let home = folder.appendingPathComponent("seed")
    let daemon = try BenchDaemon(folder: home)
    let pfctl = BenchDaemon.programs.appendingPathComponent("pfctl").path
    let socket = home.appendingPathComponent("state/control.sock").path
    try spawn(pfctl, ["--socket", socket, "team", "add", "desert-blue", "--zone", "UTC"])
    try spawn(pfctl, ["--socket", socket, "import", "config/demo/demo-backup.zip", "--team", "desert-blue"])
    daemon.stop()
    let today = try SystemZones().zone(named: "UTC").local(at: SystemWallClock().now()).date
    try HerdTeams(count: teams, today: today, hasPeople: false, isThin: true, isBarn: false).fill(seed)
    _ = try StoreCopy.run(fromFile: seed, to: ServerLocation(connection: "\(server) dbname=\(filled)"))
  }

  private func morning(of count: Int, isFirst: Bool, _ setUp: Connection) throws -> Morning {
    let database = "\(filled)_\(count)"
    let zone = try SystemZones().zone(named: "UTC")
    let clock = SystemWallClock()
    // Otherwise a current server writes each page to its log. Before PostgreSQL 15, files are copied anyway.
    let isNew = try setUp.first("SELECT current_setting('server_version_num')::int >= 150000") {
      row throws(StoreError) in row.flag(0)
    }
    try setUp.execute(
      "CREATE DATABASE \(database) TEMPLATE \(filled)" + (isNew == true ? " STRATEGY file_copy" : ""),
      operation: "copy a database")
    defer { drop(database, setUp) }
    let place = ServerLocation(connection: "\(server) dbname=\(database)")
    // Beside the nodes, so without an exclusive lock.
    let beside = ServerLocation(connection: place.connection, isExclusive: false)
    let watch = try Connection.opened(.server(beside), .readWrite)
    let postmaster = try postmaster(watch)
    let slot = Timestamp(seconds: clock.now().advanced(by: .seconds(30 + teams / 1_000)).seconds)
    try watch.execute(
      "UPDATE poolflow.jobs SET rule = '*-*-* \(zone.local(at: slot).time)', zone = 'UTC' WHERE kind = 'low-stock'",
      operation: "set the slot")
    try settle(watch)
    var morning = Morning()
    var daemons: [BenchDaemon] = []
    defer { for daemon in daemons { daemon.stop() } }
    for number in 1...count {
      let home = folder.appendingPathComponent("\(count)-\(number)")
      try? FileManager.default.removeItem(at: home)
      try FileManager.default.createDirectory(
        at: home.appendingPathComponent("state"), withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
      try """
      [Store]
      Engine = postgresql
      Connection = \(place.connection)
      Node = node-\(number)
      [Sink drop]
      Type = file-drop

      """.write(to: home.appendingPathComponent("state/poolflow.conf"), atomically: true, encoding: .utf8)
      daemons.append(try BenchDaemon(folder: home))
    }
    morning.ready = daemons.map(\.secondsToReady).max() ?? 0
    try waitUntilSpread(over: count)
    guard slot > clock.now() else { throw BenchFailure(description: "the nodes were not ready in time") }
    Thread.sleep(forTimeInterval: Double(slot.since(clock.now()).wholeMilliseconds) / 1_000)
    func nodes() throws -> Double { try daemons.reduce(0) { try $0 + $1.work().processor } }
    let before = (all: try processors(), server: try seconds(ofChildrenOf: postmaster), nodes: try nodes())
    try waitUntilTold(watch)
    let after = try processors()
    morning.idle = (after.idle - before.all.idle) / (after.all - before.all.all)
    morning.server = try seconds(ofChildrenOf: postmaster) - before.server
    morning.nodes = try nodes() - before.nodes
    let last = try watch.first("SELECT max(sent_ms) FROM poolflow.outbox") { row throws(StoreError) in row.integer(0) }
    morning.last = Double((last ?? 0) - slot.milliseconds)
    if isFirst { morning.waiting = try waiting(postmaster, watch) }
    return morning
  }

  private func waitUntilSpread(over count: Int) throws {
    let socket = folder.appendingPathComponent("\(count)-1/state/control.sock").path
    for _ in 0..<200 {
      let owned = try BenchCaller(socket).ask(DaemonCall.Nodes()).nodes.map(\.shares)
      if owned.count == count, owned.allSatisfy({ $0 >= PartitionSet.count / count }) { return }
      Thread.sleep(forTimeInterval: 0.1)
    }
    throw BenchFailure(description: "the partitions were not spread within twenty seconds")
  }

  private func waitUntilTold(_ watch: Connection) throws {
    for _ in 0..<6_000 {
      let sent = try watch.first("SELECT count(*) FROM poolflow.outbox WHERE state = 'sent'") {
        row throws(StoreError) in row.number(0)
      }
      if (sent ?? 0) >= teams { return }
      Thread.sleep(forTimeInterval: 0.05 + Double(teams) * 5e-6)
    }
    throw BenchFailure(description: "the teams were not told within ten minutes")
  }

  /// CPU seconds of all processors since boot, and the idle part.
  private func processors() throws -> (all: Double, idle: Double) {
    let line = try String(contentsOfFile: "/proc/stat", encoding: .utf8).split(separator: "\n").first ?? ""
    let ticks = line.split(separator: " ").dropFirst().compactMap { Double($0) }
    // The fourth and fifth fields are idle and iowait.
    return (ticks.prefix(8).reduce(0, +), ticks.dropFirst(3).prefix(2).reduce(0, +))
  }

  private func postmaster(_ watch: Connection) throws -> Int {
    let own = try watch.first("SELECT pg_backend_pid()") { row throws(StoreError) in row.number(0) }
    return try stat(of: "\(own ?? 0)").parent
  }

  /// Runs now the maintenance that a server does after writes.
  private func settle(_ watch: Connection) throws {
    try watch.execute("VACUUM ANALYZE", operation: "settle the server")
    // Ignored if the user may not.
    try? watch.execute("CHECKPOINT", operation: "settle the server")
  }

  /// The CPU time of the server's processes in a minute without due slots, including the work done once a minute; as a
  /// percentage of a core.
  private func waiting(_ postmaster: Int, _ watch: Connection) throws -> Double {
    // Sessions report their writes up to a minute later, which triggers autovacuum.
    Thread.sleep(forTimeInterval: 60)
    try settle(watch)
    Thread.sleep(forTimeInterval: 5)
    let before = try seconds(ofChildrenOf: postmaster)
    Thread.sleep(forTimeInterval: 60)
    return (try seconds(ofChildrenOf: postmaster) - before) / 60 * 100
  }

  /// CPU seconds of all of a server's processes, including ended ones.
  private func seconds(ofChildrenOf postmaster: Int) throws -> Double {
    let ended = try stat(of: "\(postmaster)").ended
    return try FileManager.default.contentsOfDirectory(atPath: "/proc").filter { Int($0) != nil }.reduce(ended) {
      sum, pid in
      // A process may end while it is counted.
      guard let found = try? stat(of: pid), found.parent == postmaster else { return sum }
      return sum + found.seconds
    }
  }

  /// - Returns: the parent, the CPU seconds, and in `ended` those of its ended children.
  private func stat(of pid: String) throws -> (parent: Int, seconds: Double, ended: Double) {
    let line = try String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
    // After the name, which ends at the last bracket.
    let words = line[(line.lastIndex(of: ")") ?? line.startIndex)...].split(separator: " ").dropFirst()
    func seconds(from field: Int) -> Double {
      words.dropFirst(field).prefix(2).compactMap { Double($0) }.reduce(0, +) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }
    return (words.dropFirst().first.flatMap { Int($0) } ?? 0, seconds(from: 11), seconds(from: 13))
  }
}
