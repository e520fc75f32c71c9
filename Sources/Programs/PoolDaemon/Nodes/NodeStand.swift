import PoolControl
import PoolModel
import PoolPlatform
import PoolSettings
import PoolStore
import Synchronization

/// A daemon that is one of several of a PostgreSQL database: it stands by until the store is its to serve, and, once it
/// serves, tells the others that it lives and finds out whether it still has the store.
///
/// The database session's lock says who has it, and every write goes through that session: who has lost it cannot write, whatever
/// it believes. What is decided here is only who asks for it, and when.
final class NodeStand: Sendable {
  /// What comes of a wait.
  enum Ending: Sendable {
    /// Nobody has the store: the program that begins anew takes it.
    case take
    case reload
    case end
  }

  let identity: NodeIdentity
  private let watch: NodeWatch
  private let log: DaemonLog
  private let clock = SystemWallClock()
  /// What was seen last, for whoever asks.
  private let last = Mutex<NodesSeen?>(nil)

  /// - Returns: nil where the daemon is alone.
  /// - Throws: `StoreError` where libpq is missing, `Credential.Failure`.
  static func named(
    by settings: Settings.StoreSettings, paths: DaemonPaths, environment: [String: String], log: DaemonLog
  ) throws -> NodeStand? {
    guard let name = settings.node else { return nil }
    let own = NodeIdentity(name: name == "%H" ? String(MachineName.short.prefix(Limits.nodeNameLength)) : name)
    let choice = try StoreChoice(settings, paths, node: own, environment: environment)
    guard case .server(let place) = choice.place else { return nil }
    return NodeStand(own, try NodeWatch(place, own: own, version: Daemon.version, clock: SystemWallClock()), log)
  }

  private init(_ identity: NodeIdentity, _ watch: NodeWatch, _ log: DaemonLog) {
    self.identity = identity
    self.watch = watch
    self.log = log
  }

  private func look() async throws -> NodesSeen {
    let seen = try await watch.look()
    last.withLock { $0 = seen }
    return seen
  }

  /// Looks once, for who asks where no daemon runs; a server that does not answer is told by what else is asked of it.
  func glance() async {
    guard let seen = try? await watch.look(isNode: false) else { return }
    last.withLock { $0 = seen }
  }

  // MARK: What people are told

  /// All nodes as they were seen last, by name.
  var known: [(node: NodeSeen, part: NodePartView)] {
    guard let seen = last.withLock({ $0 }) else { return [] }
    return seen.nodes.sorted { ($0.name, $0.mark) < ($1.name, $1.mark) }.map { node in
      let isSilent = node.silence >= Limits.nodeSilence
      return (node, isSilent ? .silent : node.mark == seen.holder?.mark ? .serves : .standby)
    }
  }

  /// Which one this is, and what the others do.
  var sentence: String {
    var words = known.map { node, part in
      let isOwn = node.mark == identity.mark ? " (this one)" : ""
      return switch part {
      case .serves: "\(node.name)\(isOwn) serves"
      case .standby: "\(node.name)\(isOwn) stands by"
      case .silent: "\(node.name)\(isOwn) says nothing"
      }
    }
    if words.isEmpty { words = ["\(identity.name) (this one) has not seen any yet"] }
    return words.joined(separator: ", ")
  }

  var findings: [FindingView] {
    let all = known
    var findings: [FindingView] = []
    let mayFollow = all.filter { $0.part == .standby && $0.node.clockAhead.isWithin(Limits.clocksApart) }
    findings.append(
      mayFollow.isEmpty
        ? FindingView(
          "nodes", .warning, "no other node stands by: where this machine dies nobody takes over",
          remedy: "start poolflowd with Node = on another machine, see poolflow.conf(5)")
        : FindingView("nodes", .ok, "\(sentence)"))
    for (node, _) in all where !node.clockAhead.isWithin(Limits.clocksApartTold) {
      findings.append(
        FindingView(
          "nodes", node.clockAhead.isWithin(Limits.clocksApart) ? .warning : .error,
          "the clock of node '\(node.name)' is \(Self.apart(node.clockAhead)) the server's",
          remedy: "have both set by one time service, see `timedatectl status`; further than "
            + "\(Limits.clocksApart.inWords) apart a node takes nothing"))
    }
    if Set(all.map(\.node.version)).count > 1 {
      findings.append(
        FindingView(
          "nodes", .note,
          "the nodes are of several versions: "
            + all.map { "\($0.node.name) of \($0.node.version)" }.joined(separator: ", "),
          remedy: "upgrade the others, those that stand by first"))
    }
    return findings
  }

  // MARK: Before it serves

  /// Whether it has to stand by before it may serve.
  func mustWait() async -> Bool {
    do {
      let seen = try await look()
      return seen.holder != nil || !Succession.mayTake(seen)
    } catch {
      // A server that is away is waited for: whoever has the store may be back before us. What waiting does not mend ends the
      // start, as it does without other nodes.
      return (error as? StoreError)?.isPassing ?? false
    }
  }

  /// Stands by until the store is free, the settings are to be read again, or the daemon is told to end.
  ///
  /// - Parameter isDumb: questions cannot be answered, so it begins anew now and then, when they may be.
  func standBy(until signals: TerminationSignals, isDumb: Bool, manager: ServiceManager) async -> Ending {
    var (succession, told) = (Succession(), "")
    let (begin, reloads) = (MachineUptime.now(), signals.reloadCount)
    while true {
      if signals.isToldToEnd { return .end }
      if signals.reloadCount != reloads { return .reload }
      if isDumb, MachineUptime.now() - begin > Limits.serverAwayTold { return .reload }
      var words: String
      do {
        let seen = try await look()
        words = "Standing by: \(seen.holder?.name ?? "nobody") serves"
        switch succession.judge(seen, uptime: MachineUptime.now()) {
        case .wait: break
        case .take: return .take
        case .end(let holder):
          log.warning(
            "node '\(holder.name)' has said nothing for \(Limits.nodeSilence.inWords) and is taken for dead: its session "
              + "is ended")
          try await watch.end(holder, of: seen)
        case .clockApart(let ahead):
          words =
            "Standing by: this clock is \(Self.apart(ahead)) the server's, and a node further from it than "
            + "\(Limits.clocksApart.inWords) takes nothing; set it (timedatectl)"
        }
      } catch {
        words = "Standing by: \(error)"
      }
      if words != told {
        if told.isEmpty { manager.ready(status: words) } else { manager.status(words) }
        log.notice("node '\(identity.name)': \(words.prefix(1).lowercased() + words.dropFirst())")
        told = words
      }
      // A manager that does not watch need not read what is said, and its full socket would hold us.
      if manager.watchdogInterval != nil { manager.alive(status: words) }
      try? await Task.sleep(for: Limits.nodeLook)
    }
  }

  /// What a call is told that would change something here.
  var refusal: ControlError {
    let holder = last.withLock { $0?.holder?.name }
    return ControlError(
      .busy,
      "this changes something, and node '\(identity.name)' stands by: "
        + (holder.map { "node '\($0)' serves, ask there" } ?? "nobody serves at this moment, try again in a few seconds")
    )
  }

  private static func apart(_ ahead: Duration) -> String {
    ahead < .zero ? "\((.zero - ahead).inWords) behind" : "\(ahead.inWords) ahead of"
  }

  // MARK: While it serves

  /// Tells the others that it lives; returns once another has the store, or should have.
  ///
  /// - Parameter hold: asks the store's own session whether it is there, and has it taken again where it is not.
  func serve(hold: @escaping @Sendable () async throws -> Void) async {
    var (wasApart, known) = (false, Set<String>())
    while !Task.isCancelled {
      if let seen = try? await look() {
        if let holder = seen.holder, holder.mark != identity.mark {
          log.error("node '\(holder.name)' has taken the store over: this one tells nothing more and stands by")
          return
        }
        if seen.holder == nil { try? await hold() }
        let others = seen.nodes.filter { $0.mark != identity.mark }
        let isApart = !Succession.mayTake(seen)
        let isFollowed = others.contains {
          $0.silence < Limits.nodeSilence && $0.clockAhead.isWithin(Limits.clocksApart)
        }
        if isApart, isFollowed {
          log.error(
            "this clock is \(Self.apart(seen.clockAhead)) the server's: another node takes over, and this one stands by"
          )
          return
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
        tell(others, &known)
      }
      try? await Task.sleep(for: Limits.nodeLook)
    }
  }

  private func tell(_ seen: [NodeSeen], _ known: inout Set<String>) {
    let now = Set(seen.filter { $0.silence < Limits.nodeSilence }.map(\.name))
    for name in now.subtracting(known).sorted() { log.notice("node '\(name)' stands by") }
    for name in known.subtracting(now).sorted() { log.warning("node '\(name)' stands by no longer") }
    known = now
  }
}
