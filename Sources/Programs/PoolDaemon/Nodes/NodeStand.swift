import PoolControl
import PoolModel
import PoolPlatform
import PoolSettings
import PoolStore
import Synchronization

/// A daemon that is one of several nodes of a PostgreSQL database: it sends heartbeats and lets `ShareKeeping` decide which
/// partitions of the teams it works. A drained node, or one whose clock is wrong, stands by.
///
/// Advisory locks of the database session say which node owns which partition, and every write goes through that session, so a
/// node that lost its session cannot write. This class decides only when to ask for a partition and when to release it.
final class NodeStand: Sendable {
  /// How waiting in standby ended.
  enum Ending: Sendable {
    /// The node may own partitions: the daemon restarts in-process and serves.
    case serve
    case reload
    case end
  }

  let identity: NodeIdentity
  let watch: NodeWatch
  let log: DaemonLog
  let bell: NodeBell
  /// Events of this node, and those that other nodes broadcast.
  let events: EventBus
  /// The last scan of all nodes, for `pfctl nodes`, findings and metrics; nil before the first one.
  let last = Mutex<NodesSeen?>(nil)

  /// Makes the node that the settings name; `%H` stands for the machine's short host name.
  ///
  /// - Returns: nil if the settings name no node, or the store is a SQLite file.
  /// - Throws: `StoreError` if libpq is missing, `Credential.Failure`.
  static func named(
    by settings: Settings.StoreSettings, paths: DaemonPaths, environment: [String: String], log: DaemonLog
  ) throws -> NodeStand? {
    guard let name = settings.node else { return nil }
    let own = NodeIdentity(name: name == "%H" ? String(MachineName.short.prefix(Limits.nodeNameLength)) : name)
    let choice = try StoreChoice(settings, paths, node: own, environment: environment)
    guard case .server(let place) = choice.place else { return nil }
    let (bell, events) = (NodeBell(), EventBus(isShared: true))
    let watch = try NodeWatch(
      place, own: own, version: Daemon.version, clock: SystemWallClock(),
      isTold: { call in
        guard let told = ToldEvents(call: call) else { return false }
        if told.teller.mark != own.mark { events.hear(told) }
        return true
      },
      heard: { bell.ring() })
    return NodeStand(own, watch, bell, events, log)
  }

  private init(_ identity: NodeIdentity, _ watch: NodeWatch, _ bell: NodeBell, _ events: EventBus, _ log: DaemonLog) {
    self.events = events
    self.identity = identity
    self.watch = watch
    self.bell = bell
    self.log = log
  }

  /// Sends a heartbeat, reads the state of all nodes and keeps it in `last`.
  func look() async throws -> NodesSeen {
    let seen = try await watch.look()
    last.withLock { $0 = seen }
    return seen
  }

  /// Scans once without a heartbeat, for inspection while no daemon runs. Errors are ignored: the next query of the same server
  /// reports them.
  func glance() async {
    guard let seen = try? await watch.look(isNode: false) else { return }
    last.withLock { $0 = seen }
  }

  /// Ends the database sessions of nodes that are declared dead: no heartbeat for `Limits.nodeSilence`.
  func endSilent(_ steps: [ShareKeeping.Step], _ seen: NodesSeen) async throws {
    for case .end(let holder) in steps {
      log.warning(
        "node '\(holder.name)' has said nothing for \(Limits.nodeSilence.inWords) and is taken for dead: its session is ended"
      )
      try await watch.end(holder, of: seen)
    }
  }

  // MARK: While it serves

  /// Acquires the free partitions before any job is planned.
  func begin(_ hands: ShareHands) async throws {
    var keeping = ShareKeeping(name: identity.name, mark: identity.mark)
    let seen = try await look()
    for case .take(let shares) in keeping.judge(seen, uptime: MachineUptime.now()) {
      try await hands.begin(with: shares)
    }
  }

  /// Sends heartbeats while `body` runs, so that other nodes do not declare this node dead.
  func alive(during body: @escaping @Sendable () async throws -> Void) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await body() }
      group.addTask {
        while !Task.isCancelled {
          try? await Task.sleep(for: Limits.nodeLook)
          _ = try? await self.look()
        }
      }
      try await group.next()
      group.cancelAll()
    }
  }

  /// Sends heartbeats, acquires partitions and hands them off; returns once the daemon is to restart in-process.
  func serve(_ hands: ShareHands, _ store: any NodeShares) async {
    let acts = Acts()
    await withDiscardingTaskGroup { group in
      var (keeping, wasApart, known) = (ShareKeeping(name: identity.name, mark: identity.mark), false, Set<String>())
      var news = last.withLock { $0?.tables.news }
      // Partitions whose teams other nodes changed and whose plans this node has not refreshed yet.
      var owed: ShareSet?
      while !Task.isCancelled {
        let rung = bell.count
        var pause = Limits.nodeLook
        if let seen = try? await look() {
          if seen.shares(of: identity.mark) != store.shares, acts.isIdle {
            // The database session that held the partitions has ended, or another node owns some of them.
            do { try await store.keepHold() } catch StoreError.refused(_, .takenOver) {
              log.error("another node has taken shares of this one over: it begins anew with what is left")
              break
            } catch {}
          }
          await tellEvents(seen)
          let steps = keeping.judge(seen, uptime: MachineUptime.now(), keeping: await hands.kept)
          do { try await endSilent(steps, seen) } catch { log.warning("\(error); it is tried again") }
          if let reason = steps.lazy.compactMap({ if case .standAside(let reason) = $0 { reason } else { nil } }).first
          {
            switch reason {
            case .drained: log.notice("node '\(identity.name)' is drained: it hands all shares over and stands by")
            case .clockApart(let ahead):
              log.error(
                "this clock is \(Self.apart(ahead)) the server's: this node hands all shares over and stands by")
            }
            break
          }
          let mine = seen.shares(of: identity.mark)
          let isOwing = acts.isIdle ? await hands.isOwing(mine) : false
          if let failed = acts.takeOwed() { owed = (owed ?? .none) + failed }
          if news != seen.tables.news {
            owed = (owed ?? .none) + (news.map { seen.tables.shares(toldAfter: $0) } ?? .all)
            news = seen.tables.news
          }
          if owed != nil || isOwing || steps.contains(where: \.isAct), acts.begin() {
            let heard = owed
            owed = nil
            // In a task of its own: the loop must keep sending heartbeats.
            group.addTask { [log, bell] in
              do {
                if isOwing { try await hands.mend() }
                if let heard { try await hands.hearNews(planning: heard) }
                for case .give(let shares) in steps { try await hands.give(shares) }
                var takesMore = false
                for case .take(let shares) in steps { takesMore = try await hands.take(shares) }
                acts.end()
                if takesMore { bell.ring() }
              } catch {
                log.warning("\(error); the shares are looked at again")
                acts.end(owing: heard)
              }
            }
          }
          let isTold = !seen.clockAhead.isWithin(Limits.clocksApartTold)
          if isTold != wasApart {
            if isTold {
              log.warning("this clock is \(Self.apart(seen.clockAhead)) the server's; set it (timedatectl)")
            } else {
              log.notice("this clock agrees with the server's again")
            }
            wasApart = isTold
          }
          // A node has just left; it may return within `Limits.freeSettled`.
          if !seen.free.isEmpty { pause = Limits.freeSettled }
          tell(seen.nodes.filter { $0.mark != identity.mark }, &known)
        }
        await bell.wait(past: rung, atMost: pause)
      }
      group.cancelAll()
    }
  }

  /// Broadcasts the events since the last tick to the other nodes, if there are any.
  private func tellEvents(_ seen: NodesSeen) async {
    let (events, lost) = self.events.takeUntold()
    guard seen.nodes.contains(where: { $0.mark != identity.mark }) else { return }
    let told = ToldEvents(
      of: .init(name: identity.name, mark: identity.mark), events: events.map { ToldEvent($0) }, lost: lost)
    // If the broadcast fails, watchers on other nodes miss these events; the store has the facts.
    try? await watch.tell(told.calls)
  }

  /// The state of the hand-off task: whether it is running, and the partitions whose plans its last run failed to refresh.
  private final class Acts: Sendable {
    /// Partitions whose plans a failed hand-off left unrefreshed, and whether a hand-off is running.
    private struct State {
      var isBusy = false
      var owed: ShareSet?
    }
    private let state = Mutex(State())

    var isIdle: Bool { state.withLock { !$0.isBusy } }
    /// The partitions whose plans the last run failed to refresh, and clears them; nil for none.
    func takeOwed() -> ShareSet? {
      state.withLock { state in
        defer { state.owed = nil }
        return state.owed
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
    /// - Parameter owed: the partitions whose plans the next tick has to refresh; nil after a success.
    func end(owing owed: ShareSet? = nil) { state.withLock { $0 = State(owed: owed) } }
  }

  /// Logs which nodes came and left since the last tick.
  private func tell(_ seen: [NodeSeen], _ known: inout Set<String>) {
    let now = Set(seen.filter { $0.silence < Limits.nodeSilence }.map(\.name))
    for name in now.subtracting(known).sorted() { log.notice("node '\(name)' is there") }
    for name in known.subtracting(now).sorted() { log.warning("node '\(name)' is there no longer") }
    known = now
  }
}

extension ShareKeeping.Step {
  /// True for a step that acquires or hands off partitions.
  fileprivate var isAct: Bool {
    switch self {
    case .take, .give: true
    case .end, .standAside: false
    }
  }
}
