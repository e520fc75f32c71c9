import PoolControl
import PoolModel
import PoolPlatform
import PoolSettings
import PoolStore
import Synchronization

/// A daemon that is one of several of a PostgreSQL database: it tells the others that it lives, and has `ShareKeeping` decide which
/// shares of the teams it works. One that is to take nothing stands by.
///
/// The database session's locks say who has what, and every write goes through that session: who has lost it cannot write, whatever
/// it believes. What is decided here is only who asks for it, and when.
final class NodeStand: Sendable {
  /// What comes of a wait.
  enum Ending: Sendable {
    /// It may take its part: the program that begins anew does.
    case serve
    case reload
    case end
  }

  let identity: NodeIdentity
  let watch: NodeWatch
  let log: DaemonLog
  let bell: NodeBell
  /// What happens here, and at the other nodes.
  let events: EventBus
  /// What was seen last, for whoever asks.
  let last = Mutex<NodesSeen?>(nil)

  /// - Returns: nil where the daemon is alone.
  /// - Throws: `StoreError` where libpq is missing, `Credential.Failure`.
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

  func look() async throws -> NodesSeen {
    let seen = try await watch.look()
    last.withLock { $0 = seen }
    return seen
  }

  /// Looks once, for who asks where no daemon runs; a server that does not answer is told by what else is asked of it.
  func glance() async {
    guard let seen = try? await watch.look(isNode: false) else { return }
    last.withLock { $0 = seen }
  }

  func endSilent(_ steps: [ShareKeeping.Step], _ seen: NodesSeen) async throws {
    for case .end(let holder) in steps {
      log.warning(
        "node '\(holder.name)' has said nothing for \(Limits.nodeSilence.inWords) and is taken for dead: its session is ended"
      )
      try await watch.end(holder, of: seen)
    }
  }

  // MARK: While it serves

  /// Takes what nobody has, before anything is planned.
  func begin(_ hands: ShareHands) async throws {
    var keeping = ShareKeeping(name: identity.name, mark: identity.mark)
    let seen = try await look()
    for case .take(let shares) in keeping.judge(seen, uptime: MachineUptime.now()) {
      try await hands.begin(with: shares)
    }
  }

  /// Tells the others that it lives while `body` does something.
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

  /// Tells the others that it lives, and takes and gives shares; returns once it is to begin anew.
  func serve(_ hands: ShareHands, _ store: any NodeShares) async {
    let acts = Acts()
    await withDiscardingTaskGroup { group in
      var (keeping, wasApart, known) = (ShareKeeping(name: identity.name, mark: identity.mark), false, Set<String>())
      var news = last.withLock { $0?.tables.news }
      // Others' changes that are still to be heard.
      var owed: ShareSet?
      while !Task.isCancelled {
        let rung = bell.count
        var pause = Limits.nodeLook
        if let seen = try? await look() {
          if seen.shares(of: identity.mark) != store.shares, acts.isIdle {
            // The session that had them has ended, or another has some of them.
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
            // Beside the looks: who is silent meanwhile would be taken for dead.
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
          // Somebody has left, who may be back at once.
          if !seen.free.isEmpty { pause = Limits.freeSettled }
          tell(seen.nodes.filter { $0.mark != identity.mark }, &known)
        }
        await bell.wait(past: rung, atMost: pause)
      }
      group.cancelAll()
    }
  }

  /// Tells the others what happened here since the last look, where there are any.
  private func tellEvents(_ seen: NodesSeen) async {
    let (events, lost) = self.events.takeUntold()
    guard seen.nodes.contains(where: { $0.mark != identity.mark }) else { return }
    let told = ToldEvents(
      of: .init(name: identity.name, mark: identity.mark), events: events.map { ToldEvent($0) }, lost: lost)
    // Whoever watches misses them; what happened stands in the store.
    try? await watch.tell(told.calls)
  }

  /// Whether shares are being taken or given, and what failed the last time.
  private final class Acts: Sendable {
    private struct State {
      var isBusy = false
      var owed: ShareSet?
    }
    private let state = Mutex(State())

    var isIdle: Bool { state.withLock { !$0.isBusy } }
    /// Others' changes that could not be heard: whose jobs are others by them.
    func takeOwed() -> ShareSet? {
      state.withLock { state in
        defer { state.owed = nil }
        return state.owed
      }
    }

    /// - Returns: false where they are already.
    func begin() -> Bool {
      state.withLock { state in
        if state.isBusy { return false }
        state.isBusy = true
        return true
      }
    }

    func end(owing owed: ShareSet? = nil) { state.withLock { $0 = State(owed: owed) } }
  }

  private func tell(_ seen: [NodeSeen], _ known: inout Set<String>) {
    let now = Set(seen.filter { $0.silence < Limits.nodeSilence }.map(\.name))
    for name in now.subtracting(known).sorted() { log.notice("node '\(name)' is there") }
    for name in known.subtracting(now).sorted() { log.warning("node '\(name)' is there no longer") }
    known = now
  }
}

extension ShareKeeping.Step {
  /// Whether shares are taken or given by it.
  fileprivate var isAct: Bool {
    switch self {
    case .take, .give: true
    case .end, .standAside: false
    }
  }
}
