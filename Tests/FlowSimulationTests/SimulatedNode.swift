import FlowCalendar
import FlowDelivery
import FlowDeliveryKit
import FlowModel
import FlowNotices
import FlowPlatform
import FlowTestKit
import FlowWork
import PoolJobs
import Synchronization

import TradeStores
@testable import FlowNodes
@testable import FlowScheduler
@testable import FlowStore

/// One of several daemons on a database: the real store, scheduler, runner, lane, drop folder and partition assignment,
/// executed step by step over the world's network.
@Simulation final class SimulatedNode {
  /// A process.
  struct Life {
    let identity: NodeIdentity
    let watch: any ClusterWatch
    var keeping: PartitionAssignor
    var service: Service?
    var news: Int64?
    /// Partitions whose jobs other nodes have changed, not yet processed.
    var owed: PartitionSet?
  }

  /// The services of a serving process.
  struct Service {
    let store: Store
    let scheduler: Scheduler
    let timer: ArmedTimer
  }

  let name: String
  let proxy: CuttingProxy
  /// Ahead by `skew`.
  let clock: ManualWallClock
  let watchClock: SkewedClock
  var skew = Duration.zero {
    didSet { watchClock.skew.withLock { $0 = skew } }
  }
  /// The uptimes until which the process is paused and its network is down.
  var (pausedUntil, awayUntil): (Duration?, Duration?) = (nil, nil)
  private(set) var life: Life?
  private unowned let world: NodesWorld
  private let connection: String

  init(_ name: String, in world: NodesWorld, proxy: CuttingProxy, connection: String) {
    self.name = name
    self.world = world
    self.proxy = proxy
    self.connection = connection
    clock = ManualWallClock(world.now)
    watchClock = SkewedClock()
  }

  private func note(_ text: String) { world.note("\(name): \(text)") }

  var partitions: PartitionSet { life?.service?.store.partitions ?? .none }
  /// The time at which its scheduler is to wake.
  var wake: Timestamp? { life?.service?.timer.last.withLock { $0 } }

  // MARK: Life and death

  /// Starts a process; if it finds no server, it is started again at its next turn.
  func start() async {
    life = nil
    do {
      let identity = NodeIdentity(name: name)
      let watch = try place(identity).watch(
        own: identity, version: "simulated", schema: Schema.currentVersion, clock: watchClock)
      life = Life(identity: identity, watch: watch, keeping: PartitionAssignor(name: name, mark: identity.mark))
      guard let (seen, _) = try await look() else { return }
      try await serve(life?.keeping.nextSteps(seen, uptime: world.uptime) ?? [])
    } catch {
      note("no start: \(error)")
      await end()
    }
  }

  private func place(_ identity: NodeIdentity) -> ServerLocation {
    ServerLocation(connection: connection, node: identity, retriesWhileAway: false)
  }

  private func serve(_ steps: [PartitionAssignor.Step]) async throws {
    guard let life, life.service == nil, !steps.contains(where: \.isAside) else { return }
    let store = try Store(place: .server(place(life.identity)), now: clock.now(), version: "simulated")
    for case .take(let partitions) in steps { try await take(partitions, store) }
    let timer = ArmedTimer()
    let (world, name) = (world, name)
    let runner = JobRunner(
      store: store, zones: world.zones, clock: clock, routes: [SinkRoute(sink: World.sink, takesPersonal: true)],
      sleeper: StillClock()
    ) { settled in
      let strange = settled.contains { !store.partitions.contains(team: $0.run.teamID) }
      world.book.withLock { $0.append((name, settled, strange)) }
    }
    let scheduler = Scheduler(
      store: store, runner: runner, zones: world.zones,
      clocks: SchedulerClocks(clock, timer: timer, uptime: { world.machine.withLock { $0 } }),
      callbacks: SchedulerCallbacks(report: { text in world.said.withLock { $0.append("\(name): \(text)") } }))
    self.life?.service = Service(store: store, scheduler: scheduler, timer: timer)
    try await scheduler.prepare()
    note("serves")
  }

  /// Ends the process and waits until the server has noticed.
  func end() async {
    let mark = life?.identity.mark
    life = nil
    proxy.forgetCuts()
    proxy.dropAll()
    if let mark { await world.untilGone(mark) }
  }

  private func leave() async {
    note("leaves")
    // A process that cannot record its end is gone anyway.
    try? await life?.service?.store.endEpoch(at: clock.now())
    await end()
  }

  // MARK: One turn

  /// One iteration of a daemon: checks the other nodes, runs due slots and delivers.
  func turn(delivers: Bool? = nil) async {
    if life == nil { return await start() }
    await living {
      try await stand()
      await life?.service?.scheduler.runDueJobs()
      if delivers ?? world.random.chance(2), let service = life?.service { try await deliver(service.store) }
    }
  }

  /// Only the delivery part of a turn.
  func deliver() async { await living { if let service = life?.service { try await deliver(service.store) } } }

  private func living(_ body: () async throws -> Void) async {
    do {
      try await body()
    } catch {
      note("\(error)")
      if case StoreError.refused(_, .takenOver) = error { await end() }
      if let violation = error as? Violation { world.violation = world.violation ?? violation }
    }
    world.read()
  }

  /// The node's view of the cluster, by the world's uptime instead of the server's clock.
  private func look() async throws -> (seen: ClusterStatus, asTold: ClusterStatus)? {
    guard let life else { return nil }
    let told = try await life.watch.look()
    world.heard[life.identity.mark] = world.uptime
    let nodes = told.nodes.map { node in
      NodeStatus(
        name: node.name, mark: node.mark, version: node.version, since: node.since,
        timeSinceHeartbeat: world.uptime - (world.heard[node.mark] ?? world.uptime), clockAhead: node.clockAhead,
        backend: node.backend)
    }
    let seen = ClusterStatus(
      soleDaemon: told.soleDaemon, holders: told.holders, nodes: nodes, clockAhead: told.clockAhead, tables: told.tables
    )
    return (seen, told)
  }

  /// The node's view as text, to debug a stalled world.
  func view() async -> String {
    guard let (seen, _) = try? await look() else { return "\(name) sees nothing" }
    let nodes = seen.nodes.map { node in
      "\(node.name) \(node.mark)\(node.isWaiting ? " waits" : ""), silent for \(node.timeSinceHeartbeat.inWords), its clock "
        + "\(node.clockAhead) ahead, with \(seen.partitions(of: node.mark).count) partitions"
    }
    return "\(name) sees \(nodes.joined(separator: "; ")); its own clock is \(seen.clockAhead) ahead; "
      + "drained \(seen.tables.drained.sorted()), requested \(seen.tables.requested), released \(seen.tables.released), free \(seen.free)"
  }

  private func stand() async throws {
    guard let (seen, told) = try await look(), var life else { return }
    let mark = life.identity.mark
    if let store = life.service?.store, seen.partitions(of: mark) != store.partitions { try await store.verifyLocks() }
    let steps = life.keeping.nextSteps(seen, uptime: world.uptime)
    if let known = life.news, known != seen.tables.news {
      life.owed = (life.owed ?? .none) + seen.tables.partitions(changedAfter: known)
    }
    life.news = seen.tables.news
    self.life = life
    for case .end(let holder) in steps {
      note("\(holder.name) is declared dead")
      world.met[.declaredDead, default: 0] += 1
      try await life.watch.end(holder, of: told)
    }
    guard let service = life.service else { return try await serve(steps) }
    if steps.contains(where: \.isAside) {
      await leave()
      return await start()
    }
    try await mend(service)
    if let planned = self.life?.owed {
      await service.store.dropCachedFacts()
      try await service.scheduler.replan(planned & service.store.partitions)
      self.life?.owed = nil
    }
    for case .handOff(let partitions) in steps { try await handOff(partitions, service) }
    for case .take(let partitions) in steps {
      if try await take(partitions, service.store) {
        try await service.scheduler.acquire(service.store.partitions & partitions)
      }
    }
  }

  /// Resumes partitions that could not be handed off.
  private func mend(_ service: Service) async throws {
    let stranded = await service.store.releasedHere()
    guard !stranded.isEmpty else { return }
    try await service.store.acquire(stranded)
    try await service.scheduler.acquire(stranded)
  }

  @discardableResult
  private func take(_ wanted: PartitionSet, _ store: Store) async throws -> Bool {
    let (taken, lost) = try await store.take(wanted)
    guard !taken.isEmpty else { return false }
    world.met[.taken, default: 0] += 1
    note("takes \(taken)\(lost.isEmpty ? "" : " from who was gone without a word")")
    return true
  }

  private func handOff(_ wanted: PartitionSet, _ service: Service) async throws {
    let given = wanted & service.store.partitions
    guard !given.isEmpty else { return }
    try await service.store.releasePartitions(given)
    try await service.scheduler.replan(given)
    guard try await service.store.claimed(of: given) == 0 else {
      try await service.store.acquire(given)
      return try await service.scheduler.acquire(given)
    }
    try await service.store.handOff(given)
    world.met[.given, default: 0] += 1
    note("gives \(given)")
  }

  private func deliver(_ store: Store) async throws {
    let cluster = DropFolderOptions.Cluster(own: name, checkOwnership: { try await store.verifyLocks() })
    let sink = FileDropSink(
      name: World.sink, path: "/drop", source: "/poolflow/\(name)",
      bounds: .init(batchTime: .seconds(3_600), timeout: .seconds(3_600)),
      attachments: DropFolderOptions(cluster: cluster), calls: world.drop)
    let dispatcher = Dispatcher(
      store: store, sinks: [sink], wallClock: ManualWallClock(clock.now()), clock: StillClock(),
      random: SeededNumbers(seed: world.random.next()))
    await dispatcher.drain(clock: StillClock())
    try world.takeDropped()
  }

  // MARK: What people ask of it

  /// Changes a team that this node works, as a call does once the partition is here.
  ///
  /// - Returns: false if the partition belongs to another node.
  func change(_ team: Team) async throws -> Bool {
    guard let service = life?.service, service.store.partitions.contains(team: team.id) else { return false }
    try await service.scheduler.perform(.rules(of: team.id)) {
      let now = clock.now()
      if world.random.chance(2) {
        let minute = Int.random(in: 0...59, using: &world.random)
        _ = try await service.store.changeTeam(
          named: team.name, now: now,
          change: { $0.settings.morningTime = TimeOfDay(hour: 7, minute: minute) ?? .sevenInTheMorning },
          plan: world.plan)
      } else if world.random.chance(2) {
        _ = try await service.store.hold(
          HoldRequest(
            teamID: team.id, jobID: nil, kind: .pause(until: now.advanced(by: .seconds(400))), note: "", setBy: "anna"),
          now: now)
      } else {
        _ = try await service.store.release(team: team.id, job: nil, now: now, by: "ben")
      }
    }
    return true
  }

  /// Adds a team, whose partition may belong to the other node.
  func add(_ name: String) async throws {
    guard let (store, scheduler) = life?.service.map({ ($0.store, $0.scheduler) }) else { return }
    let team = try await store.addTeam(
      Samples.team(name, zone: world.random.pick(World.zoneNames), plan: .paid), defaultTechnician: "anna",
      now: clock.now()
    ) { _ in [JobPlan(kind: .lowStock, rule: .calendar("*:00/4"))] }
    // For another node's partition, that node is notified by the transaction.
    if store.partitions.contains(team: team.id) { try await scheduler.perform(.record(of: team.id)) {} }
  }

  func requestHandoff(for team: Team) async throws {
    try await life?.service?.store.requestHandoff(for: PartitionSet(of: team.id))
  }

  func drain(_ other: String, _ isDrained: Bool) async throws -> Bool {
    guard let store = life?.service?.store else { return false }
    try await store.drain(other, isDrained)
    return true
  }

  var store: Store? { life?.service?.store }
}

extension PartitionAssignor.Step {
  fileprivate var isAside: Bool {
    if case .standBy = self { true } else { false }
  }
}

/// The machine's clock, wrong by the world's choice.
final class SkewedClock: WallClock {
  let skew = Mutex(Duration.zero)
  func now() -> Timestamp { SystemWallClock().now().advanced(by: skew.withLock { $0 }) }
}

/// A timer that records its wake-up time and never fires.
final class ArmedTimer: WakeSource {
  let last = Mutex<Timestamp?>(nil)
  func arm(at instant: Timestamp) { last.withLock { $0 = instant } }
  func interrupt() { last.withLock { $0 = Timestamp(seconds: 0) } }
  func events() -> AsyncStream<WakeTimer.Wake> { AsyncStream { $0.finish() } }
}
