import FlowControl
import FlowModel
import FlowPlatform
package import FlowServices
import FlowSettings
package import FlowStore
import Synchronization

/// A daemon that is one of several nodes of a PostgreSQL database: it sends heartbeats and lets `PartitionAssignor` decide which
/// partitions it owns. A drained node, or one whose clock is wrong, is on standby.
///
/// Advisory locks of the database session say which node owns which partition, and every write goes through that session, so a
/// node that lost its session cannot write. This class decides only when to ask for a partition and when to release it.
package final class ClusterMember: Sendable {
  /// How waiting on standby ended.
  package enum Ending: Sendable {
    /// The node may own partitions: the daemon restarts in-process and serves.
    case serve
    case reload
    case end
  }

  package let identity: NodeIdentity
  let watch: any ClusterWatch
  /// The version of this program's schema.
  let schema: Int
  let log: DaemonLog
  package let wakeUpSignal: WakeUpSignal
  /// Events of this node, and those that other nodes broadcast.
  package let events: EventBus
  /// The last scan of all nodes, for `pfctl nodes`, findings and metrics; nil before the first one.
  let lastScan = Mutex<ClusterStatus?>(nil)

  /// Makes the node `identity` of the database at `place`.
  ///
  /// - Parameter schema: the version of this program's schema.
  /// - Throws: `StoreError` if libpq is missing.
  package init(_ identity: NodeIdentity, at place: ServerLocation, schema: Int, log: DaemonLog) throws {
    let (wakeUpSignal, events) = (WakeUpSignal(), EventBus(isShared: true))
    watch = try place.watch(
      own: identity, version: ProductVersion.text, schema: schema, clock: SystemWallClock(),
      isTold: { call in
        guard let broadcast = EventBroadcast(call: call) else { return false }
        if broadcast.sender.mark != identity.mark { events.receive(broadcast) }
        return true
      },
      heard: { wakeUpSignal.send() })
    self.identity = identity
    self.schema = schema
    self.log = log
    self.wakeUpSignal = wakeUpSignal
    self.events = events
  }

  /// Sends a heartbeat, reads the state of all nodes and keeps it in `lastScan`.
  func look() async throws -> ClusterStatus {
    let seen = try await watch.look()
    lastScan.withLock { $0 = seen }
    return seen
  }

  /// Scans once without a heartbeat, for inspection while no daemon runs. Errors are ignored: the next query of the same server
  /// reports them.
  package func scanWithoutHeartbeat() async {
    guard let seen = try? await watch.look(isNode: false) else { return }
    lastScan.withLock { $0 = seen }
  }

  /// Ends the database sessions of nodes that are declared dead: no heartbeat for `Limits.nodeHeartbeatTimeout`.
  func endSilentSessions(_ steps: [PartitionAssignor.Step], _ seen: ClusterStatus) async throws {
    for case .end(let holder) in steps {
      log.warning(
        "node '\(holder.name)' has sent no heartbeat for \(Limits.nodeHeartbeatTimeout.inWords) and is declared dead: "
          + "its session is ended"
      )
      try await watch.end(holder, of: seen)
    }
  }

  // MARK: Active node

  /// Acquires the free partitions before any job is planned.
  package func begin(_ handoff: PartitionHandoff) async throws {
    var keeping = PartitionAssignor(name: identity.name, mark: identity.mark)
    let seen = try await look()
    for case .take(let partitions) in keeping.nextSteps(seen, uptime: MachineUptime.now()) {
      try await handoff.begin(with: partitions)
    }
  }

  /// Sends heartbeats while `body` runs, so that other nodes do not declare this node dead.
  package func sendHeartbeats(during body: @escaping @Sendable () async throws -> Void) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await body() }
      group.addTask {
        while !Task.isCancelled {
          try? await Task.sleep(for: Limits.nodeTick)
          _ = try? await self.look()
        }
      }
      try await group.next()
      group.cancelAll()
    }
  }

  /// The state of `serve` between two ticks.
  private struct Serving {
    var assignor: PartitionAssignor
    /// The last change of plans by other nodes that this node has seen; nil before the first scan.
    var news: Int64?
    /// Partitions whose teams other nodes changed and whose plans this node has not refreshed yet; nil for none.
    var partitionsToReplan: PartitionSet?
    /// True while the log says that this clock differs from the server's.
    var isClockOff = false
    /// Names of the other nodes at the last tick.
    var others: Set<String> = []
  }

  /// What one hand-off task does: refresh plans, then hand off partitions and acquire others.
  private struct PartitionChange {
    let steps: [PartitionAssignor.Step]
    let partitionsToReplan: PartitionSet?
    let retriesFailedWork: Bool
  }

  /// Sends heartbeats, acquires partitions and hands them off; returns once the daemon is to restart in-process.
  package func serve(_ handoff: PartitionHandoff, _ store: any ClusterPartitions) async {
    let handoffState = HandoffState()
    await withDiscardingTaskGroup { group in
      var serving = Serving(
        assignor: PartitionAssignor(name: identity.name, mark: identity.mark),
        news: lastScan.withLock { $0?.tables.news })
      while !Task.isCancelled {
        let signalCount = wakeUpSignal.count
        var pause = Limits.nodeTick
        // A failed scan is repeated at the next tick; calls and jobs report a server that is away.
        if let seen = try? await look() {
          if handoffState.isIdle, await hasLostPartitions(seen, store) { break }
          await broadcastEvents(seen)
          let sticky = await handoff.stickyPartitions
          let steps = serving.assignor.nextSteps(seen, uptime: MachineUptime.now(), keeping: sticky)
          do { try await endSilentSessions(steps, seen) } catch { log.warning("\(error); it is tried again") }
          if let reason = steps.lazy.compactMap(\.standbyReason).first {
            logStandby(reason)
            break
          }
          if let change = await nextChange(&serving, steps, seen, handoff, handoffState) {
            // In a task of its own: the loop must keep sending heartbeats.
            group.addTask { await self.perform(change, by: handoff, handoffState) }
          }
          logClockOffset(seen.clockAhead, &serving.isClockOff)
          // A node has just left; it may return within `Limits.unownedPartitionWait`.
          if !seen.free.isEmpty { pause = Limits.unownedPartitionWait }
          announce(seen.nodes.filter { $0.mark != identity.mark }, &serving.others)
        }
        await wakeUpSignal.wait(past: signalCount, atMost: pause)
      }
      group.cancelAll()
    }
  }

  /// True if another node has acquired partitions that this node's store still considers its own.
  private func hasLostPartitions(_ seen: ClusterStatus, _ store: any ClusterPartitions) async -> Bool {
    guard seen.partitions(of: identity.mark) != store.partitions else { return false }
    // The database session that held the partitions has ended, or another node owns some of them.
    do {
      try await store.verifyLocks()
    } catch StoreError.refused(_, .takenOver) {
      log.error("another node has acquired partitions of this node: it restarts with the remaining ones")
      return true
    } catch let error as StoreError where error.isServerAway {
      // The next tick checks again; calls and jobs report a server that is away.
    } catch {
      log.warning("the locks of this node's partitions cannot be checked: \(error); it is tried again")
    }
    return false
  }

  private func logStandby(_ reason: PartitionAssignor.Reason) {
    switch reason {
    case .drained:
      log.notice("node '\(identity.name)' is drained: it hands off all partitions and goes on standby")
    case .clockApart(let ahead):
      log.error(
        "this clock is \(Self.clockOffsetText(ahead)) the server's: this node hands off all partitions and goes "
          + "on standby")
    }
  }

  /// The change of partitions that is to begin now; nil if there is none, or while one is running.
  private func nextChange(
    _ serving: inout Serving, _ steps: [PartitionAssignor.Step], _ seen: ClusterStatus, _ handoff: PartitionHandoff,
    _ handoffState: HandoffState
  ) async -> PartitionChange? {
    let mine = seen.partitions(of: identity.mark)
    let hasFailedWork = handoffState.isIdle ? await handoff.hasFailedWork(mine) : false
    if let failed = handoffState.takePartitionsToReplan() {
      serving.partitionsToReplan = (serving.partitionsToReplan ?? .none) + failed
    }
    if serving.news != seen.tables.news {
      let changed = serving.news.map { seen.tables.partitions(changedAfter: $0) } ?? .all
      serving.partitionsToReplan = (serving.partitionsToReplan ?? .none) + changed
      serving.news = seen.tables.news
    }
    guard serving.partitionsToReplan != nil || hasFailedWork || steps.contains(where: \.movesPartitions),
      handoffState.begin()
    else { return nil }
    defer { serving.partitionsToReplan = nil }
    return PartitionChange(
      steps: steps, partitionsToReplan: serving.partitionsToReplan, retriesFailedWork: hasFailedWork)
  }

  /// Performs a change of partitions; after a failure the next tick begins another one.
  private func perform(_ change: PartitionChange, by handoff: PartitionHandoff, _ handoffState: HandoffState) async {
    do {
      if change.retriesFailedWork { try await handoff.retryFailedWork() }
      if let partitions = change.partitionsToReplan {
        try await handoff.refreshAfterRemoteChanges(planning: partitions)
      }
      for case .handOff(let partitions) in change.steps { try await handoff.handOff(partitions) }
      var takesMore = false
      for case .take(let partitions) in change.steps { takesMore = try await handoff.take(partitions) }
      handoffState.end()
      if takesMore { wakeUpSignal.send() }
    } catch {
      log.warning("\(error); the partitions are checked again")
      handoffState.end(leaving: change.partitionsToReplan)
    }
  }

  /// Logs when this clock begins and ends to differ from the server's.
  private func logClockOffset(_ ahead: Duration, _ wasOff: inout Bool) {
    let isOff = !ahead.isWithin(Limits.clockSkewLogged)
    guard isOff != wasOff else { return }
    wasOff = isOff
    if isOff {
      log.warning("this clock is \(Self.clockOffsetText(ahead)) the server's; set it (timedatectl)")
    } else {
      log.notice("this clock agrees with the server's again")
    }
  }

  /// Broadcasts the events since the last tick to the other nodes, if there are any.
  private func broadcastEvents(_ seen: ClusterStatus) async {
    let (events, lost) = self.events.takeUnsent()
    guard seen.nodes.contains(where: { $0.mark != identity.mark }) else { return }
    let broadcast = EventBroadcast(
      of: .init(name: identity.name, mark: identity.mark), events: events.map { BroadcastEvent($0) }, lost: lost)
    // If the broadcast fails, watchers on other nodes miss these events; the store has the facts.
    try? await watch.announce(broadcast.calls)
  }

  /// The state of the hand-off task: whether it is running, and the partitions whose plans its last run failed to refresh.
  private final class HandoffState: Sendable {
    /// Partitions whose plans a failed hand-off left unrefreshed, and whether a hand-off is running.
    private struct State {
      var isBusy = false
      var partitionsToReplan: PartitionSet?
    }
    private let state = Mutex(State())

    var isIdle: Bool { state.withLock { !$0.isBusy } }
    /// The partitions whose plans the last run failed to refresh, and clears them; nil for none.
    func takePartitionsToReplan() -> PartitionSet? {
      state.withLock { state in
        defer { state.partitionsToReplan = nil }
        return state.partitionsToReplan
      }
    }

    /// Marks a hand-off as running.
    ///
    /// - Returns: false if a hand-off is already running.
    func begin() -> Bool {
      state.withLock { state in
        if state.isBusy { return false }
        state.isBusy = true
        return true
      }
    }

    /// Marks the hand-off as ended.
    ///
    /// - Parameter partitionsToReplan: the partitions whose plans the next tick has to refresh; nil after a success.
    func end(leaving partitionsToReplan: PartitionSet? = nil) {
      state.withLock { $0 = State(partitionsToReplan: partitionsToReplan) }
    }
  }

  /// Logs which nodes came and left since the last tick.
  private func announce(_ seen: [NodeStatus], _ known: inout Set<String>) {
    let now = Set(seen.filter { $0.timeSinceHeartbeat < Limits.nodeHeartbeatTimeout }.map(\.name))
    for name in now.subtracting(known).sorted() { log.notice("node '\(name)' has joined") }
    for name in known.subtracting(now).sorted() { log.warning("node '\(name)' has left") }
    known = now
  }
}

extension PartitionAssignor.Step {
  /// True for a step that acquires or hands off partitions.
  fileprivate var movesPartitions: Bool {
    switch self {
    case .take, .handOff: true
    case .end, .standBy: false
    }
  }

  /// Why the node goes on standby; nil for any other step.
  fileprivate var standbyReason: PartitionAssignor.Reason? {
    if case .standBy(let reason) = self { reason } else { nil }
  }
}
