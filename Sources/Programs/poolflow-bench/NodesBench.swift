import Foundation
import Glibc
import PoolCalendar
import PoolControl
import PoolModel
import PoolPlatform
import PoolStore

/// Measures a morning of one, two and three nodes of a PostgreSQL store, on the built daemon, and what they cost while nothing is due.
///
/// `POOLFLOW_BENCH_SERVER` names a server as libpq does, whose user may make databases; `POOLFLOW_BENCH_TEAMS` (10,000) are told of
/// their low stock, without pages, to a drop folder of each node. `POOLFLOW_BENCH_NODES` measures so many nodes alone.
func benchNodes() {
  do {
    guard let server = ProcessInfo.processInfo.environment["POOLFLOW_BENCH_SERVER"] else {
      return print("nodes: POOLFLOW_BENCH_SERVER names no server")
    }
    let teams = ProcessInfo.processInfo.environment["POOLFLOW_BENCH_TEAMS"].flatMap(Int.init) ?? 10_000
    try NodesBench(server: server, teams: teams).run()
  } catch {
    print("nodes: \(error)")
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

  /// What a morning took, in ms after the slot, and how much of the processors' time nobody needed meanwhile.
  private struct Morning {
    var last = 0.0
    var idle = 0.0
    var ready = 0.0
  }

  func run() throws {
    defer {
      // What a bench leaves in the temporary folder is nobody's loss.
      try? FileManager.default.removeItem(at: folder)
    }
    print("nodes: \(teams) teams low on stock, without pages, on a server of this machine, the built daemon")
    try fill()
    let only = ProcessInfo.processInfo.environment["POOLFLOW_BENCH_NODES"].flatMap(Int.init)
    var one: Double?
    for count in only.map({ $0...$0 }) ?? 1...3 {
      let morning = try morning(of: count)
      if count == 1 { one = morning.last }
      print("  \(count) node(s)")
      figureLine("ready after the start, s, the slowest", [morning.ready], limit: 2)
      figureLine("last event known to the store after the slot, ms", [morning.last])
      if let one { figureLine("times as fast as one node", [one / morning.last]) }
      figureLine("processors' time that nobody needed meanwhile, %", [morning.idle * 100])
    }
  }

  private var seed: String { folder.appendingPathComponent("seed/state/poolflow.db").path }

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
  }

  private func morning(of count: Int) throws -> Morning {
    let database = "poolflow_nodes_\(getpid())_\(count)"
    let zone = try SystemZones().zone(named: "UTC")
    let clock = SystemWallClock()
    let setUp = try Connection.opened(.server(PostgresPlace(connection: server)), .readOnly)
    try setUp.execute("CREATE DATABASE \(database)", operation: "make a database")
    defer {
      // The server is a bench's own.
      try? setUp.execute("DROP DATABASE \(database) WITH (FORCE)", operation: "drop a database")
    }
    let place = PostgresPlace(connection: "\(server) dbname=\(database)")
    _ = try StoreCopy.run(fromFile: seed, to: place)
    // Beside the nodes, so without a lock of its own.
    let beside = PostgresPlace(connection: place.connection, isExclusive: false)
    let watch = try Connection.opened(.server(beside), .readWrite)
    let slot = Timestamp(seconds: clock.now().advanced(by: .seconds(30 + teams / 1_000)).seconds)
    try watch.execute(
      "UPDATE poolflow.jobs SET rule = '*-*-* \(zone.local(at: slot).time)', zone = 'UTC' WHERE kind = 'low-stock'",
      operation: "set the slot")
    var morning = Morning()
    var daemons: [BenchDaemon] = []
    defer { for daemon in daemons { daemon.stop() } }
    for number in 1...count {
      let home = folder.appendingPathComponent("\(count)-\(number)")
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
    usleep(useconds_t(slot.since(clock.now()).wholeMilliseconds) * 1_000)
    let before = try processors()
    try waitUntilTold(watch)
    let after = try processors()
    morning.idle = (after.idle - before.idle) / (after.all - before.all)
    let last = try watch.first("SELECT max(sent_ms) FROM poolflow.outbox") { row throws(StoreError) in row.integer(0) }
    morning.last = Double((last ?? 0) - slot.milliseconds)
    try idle(of: count, watch)
    return morning
  }

  private func waitUntilSpread(over count: Int) throws {
    let socket = folder.appendingPathComponent("\(count)-1/state/control.sock").path
    for _ in 0..<200 {
      let shares = try BenchCaller(socket).ask(DaemonCall.Nodes()).nodes.map(\.shares)
      if shares.count == count, shares.allSatisfy({ $0 >= ShareSet.count / count }) { return }
      usleep(100_000)
    }
    throw BenchFailure(description: "the shares were not spread within twenty seconds")
  }

  private func waitUntilTold(_ watch: Connection) throws {
    for _ in 0..<6_000 {
      let sent = try watch.first("SELECT count(*) FROM poolflow.outbox WHERE state = 'sent'") {
        row throws(StoreError) in row.number(0)
      }
      if (sent ?? 0) >= teams { return }
      usleep(useconds_t(50_000 + teams * 5))
    }
    throw BenchFailure(description: "the teams were not told within ten minutes")
  }

  /// Seconds of all processors since the machine's start, and of those that nobody needed.
  private func processors() throws -> (all: Double, idle: Double) {
    let line = try String(contentsOfFile: "/proc/stat", encoding: .utf8).split(separator: "\n").first ?? ""
    let ticks = line.split(separator: " ").dropFirst().compactMap { Double($0) }
    // The fourth and the fifth are idle, and idle while a disk works.
    return (ticks.prefix(8).reduce(0, +), ticks.dropFirst(3).prefix(2).reduce(0, +))
  }

  /// What the server does while nothing is due, but for what any server does after it was written to.
  private func idle(of count: Int, _ watch: Connection) throws {
    try watch.execute("VACUUM ANALYZE", operation: "settle the server")
    // For who is allowed to.
    try? watch.execute("CHECKPOINT", operation: "settle the server")
    let own = try watch.first("SELECT pg_backend_pid()") { row throws(StoreError) in row.number(0) }
    let postmaster = try stat(of: "\(own ?? 0)").parent
    sleep(5)
    let before = try seconds(ofChildrenOf: postmaster)
    sleep(20)
    let share = (try seconds(ofChildrenOf: postmaster) - before) / 20 * 100
    figureLine("server's processor while \(count) node(s) wait, % of a core", [share], limit: 1)
  }

  /// Seconds of processors that all of a server's processes have had, those that have ended included.
  private func seconds(ofChildrenOf postmaster: Int) throws -> Double {
    let ended = try stat(of: "\(postmaster)").ended
    return try FileManager.default.contentsOfDirectory(atPath: "/proc").filter { Int($0) != nil }.reduce(ended) {
      sum, pid in
      // A process may end while it is counted.
      guard let found = try? stat(of: pid), found.parent == postmaster else { return sum }
      return sum + found.seconds
    }
  }

  /// - Returns: `ended` is what its children had that have ended.
  private func stat(of pid: String) throws -> (parent: Int, seconds: Double, ended: Double) {
    let line = try String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
    // After the name, which ends with the last bracket.
    let words = line[(line.lastIndex(of: ")") ?? line.startIndex)...].split(separator: " ").dropFirst()
    func seconds(from field: Int) -> Double {
      words.dropFirst(field).prefix(2).compactMap { Double($0) }.reduce(0, +) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }
    return (words.dropFirst().first.flatMap { Int($0) } ?? 0, seconds(from: 11), seconds(from: 13))
  }
}
