import FlowCalendar
import FlowDeliveryKit
import FlowModel
import FlowNotices
import FlowPlatform
import FlowStore
import FlowTestKit
import FlowWork
import PoolDigests
import PoolJobs
import PoolStore
import Synchronization
import TradeStores

/// A PostgreSQL server and two nodes behind a network that drops, delays and cuts connections, mostly at a COMMIT; nodes crash,
/// pause, leave and are drained, and their clocks go wrong.
///
/// A seed determines the world's choices, but not the order in which two concurrent queries of one node reach the server.
@Simulation final class NodesWorld: AuditedWorld {
  enum Event: String, CaseIterable {
    case declaredDead = "declared dead"
    case taken, given
    case cut, death, held, away, dropped, paused, left, killed, skewed, drained, changed, added
    case heldPast = "held until it was no use"
  }

  let server: PostgresServer
  let database: String
  let zones = SystemZones()
  var random: SeededNumbers
  private(set) var now: Timestamp
  private(set) var uptime = Duration.zero
  /// The machine's uptime, for readers outside of the world's own steps.
  let machine = Mutex(Duration.zero)
  private(set) var nodes: [SimulatedNode] = []
  private(set) var teams: [Team] = []
  /// The last heartbeat of each process's second session.
  var heard: [String: Duration] = [:]
  /// A process that runs but whose network drops everything.
  private var silent: String?
  let drop = MemoryDisk()
  /// The nodes' settlements, and whether any was for a partition of another node.
  let book = Mutex<[(node: String, settled: [RunSettlement], strange: Bool)]>([])
  /// A violation found during a node's turn.
  var violation: Violation?
  let said = Mutex<[String]>([])
  var met: [Event: Int] = [:]
  private(set) var trace: [String] = []
  private let onlooker: ServerOnlooker
  private let scratch: TemporaryFolder

  // Required by the audit.
  var tookBackTo: Timestamp?
  let choices = Choices()
  let barns = BarnBook()  // Stables
  private(set) var delivered: [String: Int] = [:]
  private(set) var claimsGranted: [String: Int] = [:]
  let powerCuts = 0
  var audited: Store {
    guard let store = nodes.lazy.compactMap(\.store).first else { preconditionFailure("no node serves") }
    return store
  }

  /// Teams with jobs every few minutes, in both halves of the partitions.
  static let busy = [1, 2, 3, 41, 42, 43]
  static let teams = 43

  init(server: PostgresServer, seed: UInt64) async throws {
    self.server = server
    database = try server.newDatabase()
    scratch = try TemporaryFolder()
    onlooker = try ServerOnlooker(server.connection(to: database))
    random = SeededNumbers(seed: seed)
    now = Timestamp(seconds: 1_772_438_400 + Int64.random(in: 0..<365 * 1_440, using: &random) * 60)
    for name in ["north", "south"] {
      let proxy = try CuttingProxy(to: server.socketFolder, port: server.port, in: scratch.path + "/" + name)
      let connection = server.connection(to: database, host: proxy.socketFolder)
      nodes.append(SimulatedNode(name, in: self, proxy: proxy, connection: connection))
    }
    await nodes[0].start()
    try await populate()
    await nodes[1].start()
  }

  var place: StoreLocation {
    .server(ServerLocation(connection: server.connection(to: database), isExclusive: false))
  }

  var plan: @Sendable (Team) throws -> [JobPlan] {
    let zones = zones
    return { JobPlan.all(of: $0, in: JobCatalogues.all.of($0.trade), zone: try zones.zone(named: $0.zone)) }
  }

  private func populate() async throws {
    guard let store = nodes[0].store else { throw Violation("the first node does not serve: \(trace)") }
    for number in 1...Self.teams {
      let draft = Samples.team("team-\(number)", zone: random.pick(World.zoneNames), plan: .paid)
      let team = try await store.addTeam(draft, defaultTechnician: "anna", now: now, plan: plan)
      teams.append(team)
      guard Self.busy.contains(number), let name = ReminderName("rinse") else { continue }
      let reminder = Reminder(
        name: name, title: try ReminderText(""), text: try ReminderText("Rinse"), technicianID: nil, severity: .info,
        condition: .always, timesLeft: nil)
      let rule = JobRule.calendar(try CalendarExpression("*:00/\(number % 4 + 2)").description)
      _ = try await store.changeReminder(
        name, of: team.name, now: now, change: { _, _, _ in TeamReminder(reminder, rule: rule, setBy: "anna") },
        plan: plan)
      _ = try await store.chooseTiming(
        of: .reminder(name), team: team.name, now: now,
        change: { _, _ in
          var timing = JobTiming()
          timing.catchUp = .all(limit: 50)
          return timing
        }, plan: plan)
    }
  }

  func note(_ text: String) { trace.append("\(now) \(text)") }

  /// Collects the nodes' log lines and settlements.
  func read() {
    for text in said.withLock({ said in said.take() }) { note(text) }
    for (node, settled, strange) in book.withLock({ book in book.take() }) {
      if strange { violation = violation ?? Violation("\(node) settled what was not its own") }
      for settlement in settled where settlement.outcome.result != .waiting {
        let run = settlement.run
        claimsGranted["\(run.jobID.number)@\(run.slot)", default: 0] += 1
        note("\(node): \(run.kind.rawValue) \(run.jobID.number) \(run.slot) \(settlement.outcome.result.rawValue)")
      }
    }
  }

  /// Waits until the server has ended every session of a process.
  func untilGone(_ mark: String) async {
    // The server does not report the end of a session, so poll.
    while (try? onlooker.sessions(of: mark)) != 0 { try? await Task.sleep(for: .milliseconds(2)) }
  }

  func takeDropped() throws { try drop.takeDropped(into: &delivered) }

  // MARK: Time

  func advance(_ duration: Duration) {
    now = now.advanced(by: duration)
    uptime += duration
    machine.withLock { $0 = uptime }
    for node in nodes {
      node.clock.set(now.advanced(by: node.skew))
      if let end = node.awayUntil, uptime >= end {
        node.awayUntil = nil
        node.proxy.comeBack()
      }
      // A running node sends a heartbeat each second, whatever else it does.
      if node.pausedUntil == nil, node.awayUntil == nil, let mark = node.life?.identity.mark, mark != silent {
        heard[mark] = uptime
      }
      if let end = node.pausedUntil, uptime >= end { node.pausedUntil = nil }
    }
  }

  /// True if no node has anything to do.
  private var isQuiet: Bool {
    nodes.allSatisfy { $0.store != nil && $0.pausedUntil == nil && $0.awayUntil == nil }
      && nodes.reduce(0) { $0 + $1.partitions.count } == PartitionSet.count
  }

  /// Gives each node a turn in random order and advances the time: to the next slot if all nodes are idle, else by a moment.
  func round() async throws {
    if random.chance(5) { try await trouble() }
    for node in random.chance(2) ? nodes : nodes.reversed() where node.pausedUntil == nil { await node.turn() }
    try takeDropped()
    if let violation { throw violation }
    let wake = nodes.compactMap(\.wake).min() ?? now
    advance(
      isQuiet && !random.chance(3)
        ? min(max(wake.since(now), .milliseconds(1)), .seconds(120))
        : .milliseconds(Int.random(in: 50...1_500, using: &random)))
  }

  // MARK: Trouble

  private func trouble() async throws {
    let number = Int.random(in: 0..<nodes.count, using: &random)
    let (node, other) = (nodes[number], nodes[1 - number])
    switch Int.random(in: 0..<14, using: &random) {
    case 0, 1: await cut(node)
    case 2, 3, 4: try await hold(node, other)
    case 5:
      met[.away, default: 0] += 1
      let time = someTime()
      note("\(node.name) has no network for \(time.inWords)")
      node.awayUntil = uptime + time
      node.proxy.goAway()
    case 6:
      met[.dropped, default: 0] += 1
      note("\(node.name)'s connections break")
      node.proxy.dropAll()
    case 7:
      met[.paused, default: 0] += 1
      let time = someTime()
      note("\(node.name) stops for \(time.inWords)")
      node.pausedUntil = uptime + time
    case 8:
      met[.left, default: 0] += 1
      note("\(node.name) is restarted")
      try? await node.store?.endEpoch(at: node.clock.now())
      await node.end()
    case 9:
      met[.killed, default: 0] += 1
      note("\(node.name) is killed")
      await node.end()
    case 10:
      met[.skewed, default: 0] += 1
      node.skew = .milliseconds(random.pick([0, 0, 1_500, -1_500, 700, -700, 40_000, -40_000]))
      note("\(node.name)'s clock is \(node.skew) ahead")
    case 11:
      // Rarely for long.
      let isDrained = random.chance(3)
      met[.drained, default: 0] += 1
      note("\(node.name) is \(isDrained ? "drained" : "resumed")")
      _ = try? await other.drain(node.name, isDrained)
    case 12:
      let name = "new-\(met[.added, default: 0])-\(node.name)"
      guard node.pausedUntil == nil, node.awayUntil == nil, node.store != nil else { return }
      do {
        try await node.add(name)
        met[.added, default: 0] += 1
        note("\(node.name) added \(name)")
      } catch {
        note("\(node.name) could not add \(name): \(error)")
      }
    default: await change(node, other)
    }
  }

  private func someTime() -> Duration {
    .milliseconds(random.pick([200, 900, 3_000, 8_000, 20_000, 120_000]))
  }

  /// Waits for a slot, so that there is something to commit.
  private func awaitSlot(of node: SimulatedNode) {
    guard let wake = node.wake, random.chance(5) == false else { return }
    advance(min(max(wake.since(node.clock.now()), .zero), .seconds(120)))
  }

  /// Cuts a COMMIT, and perhaps also the node's network, or kills the process.
  private func cut(_ node: SimulatedNode) async {
    let cut = random.pick(CuttingProxy.Cut.allCases)
    let (dies, isAway) = (random.chance(3), random.chance(3))
    let before = node.proxy.cuts
    awaitSlot(of: node)
    node.proxy.cut(cut, afterCommits: Int.random(in: 0...6, using: &random), goesAway: dies || isAway)
    if node.pausedUntil == nil { await node.turn(delivers: true) }
    node.proxy.forgetCuts()
    guard node.proxy.cuts != before else { return }
    met[.cut, default: 0] += 1
    note("\(node.name)'s COMMIT was cut, \(cut)\(dies ? ", and it died" : isAway ? ", and the network with it" : "")")
    if dies {
      met[.death, default: 0] += 1
      await node.end()
      node.proxy.comeBack()
    } else if isAway {
      node.awayUntil = uptime + someTime()
    }
  }

  /// Delays a COMMIT while the other node continues.
  private func hold(_ node: SimulatedNode, _ other: SimulatedNode) async throws {
    guard node.pausedUntil == nil, node.life != nil else { return }
    awaitSlot(of: node)
    let delivers = random.chance(2)
    if delivers { await node.turn(delivers: false) }
    let held = node.proxy.hold(afterCommits: Int.random(in: 0...3, using: &random))
    let turn = Task { @Simulation in
      if delivers { await node.deliver() } else { await node.turn() }
      held.giveUp()
    }
    if await held.arrives() {
      met[.held, default: 0] += 1
      let time = random.pick([Duration.milliseconds(200), .seconds(3), .seconds(8)])
      note("\(node.name)'s COMMIT is under way for \(time.inWords)")
      // Writers of the same row wait for the delayed COMMIT.
      let letGo = Task {
        try? await Task.sleep(for: .milliseconds(400))
        held.release()
      }
      let before = met[.declaredDead]
      silent = node.life?.identity.mark
      for _ in 0..<8 where other.pausedUntil == nil {
        advance(time / 8)
        await other.turn()
      }
      silent = nil
      if met[.declaredDead] != before { met[.heldPast, default: 0] += 1 }
      letGo.cancel()
    }
    held.release()
    await turn.value
    node.proxy.forgetCuts()
    try takeDropped()
  }

  /// Asks this node to change a team that may belong to the other node.
  private func change(_ node: SimulatedNode, _ other: SimulatedNode) async {
    let team = teams[random.pick(Self.busy) - 1]
    do {
      for _ in 0..<6 {
        if try await node.change(team) {
          met[.changed, default: 0] += 1
          return note("\(node.name) changed \(team.name)")
        }
        try await node.requestHandoff(for: team)
        for one in [other, node] where one.pausedUntil == nil { await one.turn() }
        advance(.milliseconds(400))
      }
    } catch {
      note("\(node.name) could not change \(team.name): \(error)")
    }
  }

  // MARK: The end

  /// After the last injected fault, all work completes without intervention.
  func settleDown() async throws {
    note("no more trouble")
    for node in nodes {
      node.skew = .zero
      (node.pausedUntil, node.awayUntil) = (nil, nil)
      node.proxy.comeBack()
      node.proxy.forgetCuts()
    }
    // Hand-off requests expire after three seconds of the server's clock, which is independent of simulated time: they may have
    // expired sooner.
    try server.query("UPDATE poolflow.node_wishes SET at = at - interval '1 minute'", in: database)
    for round in 0..<200 {
      for node in nodes { await node.turn() }
      if round < 4 { for name in nodes.map(\.name) { for node in nodes { _ = try? await node.drain(name, false) } } }
      try takeDropped()
      advance(.milliseconds(900))
      let isSpread = nodes.allSatisfy { $0.partitions.count == PartitionSet.count / nodes.count }
      if round > 30, isSpread, try onlooker.unsent() == 0 { break }
    }
    read()
    if let violation { throw violation }
    let open = try onlooker.open()
    guard open == 0 else { throw Violation("\(open) runs are claimed by no running node") }
    for node in nodes where node.partitions.count != PartitionSet.count / nodes.count {
      for node in nodes { note(await node.view()) }
      throw Violation("\(node.name) owns \(node.partitions.count) partitions long after the last failure")
    }
    let unsent = try onlooker.unsent()
    guard unsent == 0 else { throw Violation("\(unsent) entries are not sent long after the last failure") }
    try await tellOfNew()
  }
}

// MARK: A new team

extension NodesWorld {
  /// With no restarts and no hand-offs: the owner of a new team's partition is notified of a team added on another node, and
  /// runs its next slot.
  private func tellOfNew() async throws {
    let begin = now
    for node in nodes { try await node.add("last-\(node.name)") }
    for node in nodes { await node.turn(delivers: false) }
    advance(.seconds(241))
    for node in nodes { await node.turn(delivers: true) }
    try takeDropped()
    for job in try await audited.jobs() where job.teamName.hasPrefix("last-") && job.cursor <= begin {
      throw Violation("\(job.teamName) is new, and no node has run its slot of the last four minutes")
    }
  }
}

extension Array {
  fileprivate mutating func take() -> Self {
    defer { self = [] }
    return self
  }
}
