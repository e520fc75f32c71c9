import FlowModel
import FlowPlatform
import FlowTestKit
import FoundationEssentials
import Testing
import TradeStores

@testable import FlowStore

/// A connection to the server that bypasses all faults of the nodes.
@Simulation final class ServerOnlooker {
  private let session: any ServerSession
  private var queries: [String: any ServerQuery] = [:]

  init(_ connection: String) throws {
    let place = ServerLocation(connection: connection, isExclusive: false)
    session = try place.engine.session(place, writes: false)
  }

  private func count(_ sql: String) throws -> Int {
    let query = queries[sql] ?? session.query("SELECT count(*) FROM \(sql)")
    queries[sql] = query
    defer { query.reset() }
    return try query.step() ? Int(query.integer(0)) : 0
  }

  func sessions(of mark: String) throws -> Int {
    try count("pg_stat_activity WHERE datname = current_database() AND application_name LIKE '% \(mark)%'")
  }

  func open() throws -> Int { try count("poolflow.runs WHERE outcome = 'running'") }

  func unsent() throws -> Int { try count("poolflow.outbox WHERE state <> 'sent'") }
}

/// Seeded hours of two nodes and an unreliable network; afterwards every guarantee is checked.
///
/// `POOLFLOW_SIMULATION_SECONDS` sets how long fresh seeds are tried, `POOLFLOW_SEED` the first seed (the others count on from
/// it), and `POOLFLOW_SIMULATION_SEED` repeats one seed.
@Suite(.serialized, .requires(.postgresql)) @Simulation struct SimulatedNodesTests {
  private static func setting(_ name: String) -> UInt64? {
    ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
  }

  private func live(_ server: PostgresServer, seed: UInt64, rounds: Int = 600) async throws -> NodesWorld {
    let world = try await NodesWorld(server: server, seed: seed)
    do {
      for _ in 0..<rounds { try await world.round() }
      try await world.settleDown()
      var audit = try Audit(place: world.place, zones: world.zones)
      world.tookBackTo = world.now
      try await audit.check(world, settledUpTo: world.now)
      try await audit.noJobIsDelayed(world)
    } catch {
      for line in world.trace.suffix(Self.setting("POOLFLOW_SIMULATION_SEED") == nil ? 60 : .max) { print(line) }
      throw error
    }
    for node in world.nodes { await node.end() }
    try server.drop(world.database)
    return world
  }

  @Test func `two nodes on a faulty network give every slot one verdict`() async throws {
    let server = try PostgresServer(settings: ["max_connections": "100", "fsync": "off"])
    if let seed = Self.setting("POOLFLOW_SIMULATION_SEED") {
      print("simulating seed \(seed)")
      let world = try await live(server, seed: seed)
      for line in world.trace { print(line) }
      return
    }
    let seconds = Self.setting("POOLFLOW_SIMULATION_SECONDS") ?? 10
    let first = Self.setting("POOLFLOW_SEED") ?? .random(in: 1...UInt64(UInt32.max))
    let start = ContinuousClock.now
    var (lives, notices, hours): (Int, Int, Double) = (0, 0, 0)
    var met: [NodesWorld.Event: Int] = [:]
    // A world without faults proves nothing.
    while ContinuousClock.now - start < .seconds(Int64(seconds))
      || lives < 12 && !NodesWorld.Event.allCases.allSatisfy({ met[$0] != nil })
    {
      let seed = first &+ UInt64(lives)
      do {
        let world = try await live(server, seed: seed)
        met.merge(world.met, uniquingKeysWith: +)
        notices += world.delivered.count
        hours += world.uptime / .seconds(3_600)
      } catch {
        Issue.record("seed \(seed): \(error); POOLFLOW_SIMULATION_SEED=\(seed) repeats it")
        return
      }
      lives += 1
    }
    let counts = met.sorted { $0.key.rawValue < $1.key.rawValue }.map { "\($0.value) \($0.key.rawValue)" }
    print(
      "simulated \(Int(hours)) hours of two nodes in \(lives) lives, \(notices) notices: \(counts.joined(separator: ", "))"
    )
    for event in NodesWorld.Event.allCases { #expect(met[event, default: 0] > 0, "\(event.rawValue)") }
    #expect(notices > lives * 20)
  }
}
