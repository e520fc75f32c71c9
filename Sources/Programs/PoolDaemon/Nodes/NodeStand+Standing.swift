import PoolModel
import PoolPlatform
import PoolStore

// Standby: a node that may not own partitions yet.

extension NodeStand {
  /// Why this node has to stand by before it serves; nil if it may serve.
  func obstacle() async -> String? {
    do {
      return Self.obstacle(in: try await look(), for: identity)
    } catch {
      // Wait for a server that is away: a holder may return before this node does. Other errors end the start-up, as they do
      // without other nodes.
      return (error as? StoreError)?.isPassing ?? false ? "\(error)" : nil
    }
  }

  /// Why `identity` may not own partitions, as text for after a colon; nil if it may.
  static func obstacle(in seen: NodesSeen, for identity: NodeIdentity) -> String? {
    let others = seen.nodes.filter { $0.mark != identity.mark && $0.silence < Limits.nodeSilence }
    if let alone = seen.alone, alone.mark != identity.mark { return "\(alone.name) has the store to itself" }
    if !seen.clockAhead.isWithin(Limits.clocksApart) {
      return "this clock is \(apart(seen.clockAhead)) the server's, and a node further from it than "
        + "\(Limits.clocksApart.inWords) takes nothing; set it (timedatectl)"
    }
    let serving = others.filter { !seen.tables.drained.contains($0.name) }
    if seen.tables.drained.contains(identity.name), !serving.isEmpty {
      return "it is drained, `pfctl nodes resume \(identity.name)` ends that"
    }
    if let schema = seen.tables.schema, schema < Schema.currentVersion, !seen.holders.isEmpty {
      let names = Set(seen.holders.map { "'\($0.name)'" }).sorted().joined(separator: ", ")
      return "this version brings the store to another shape once \(names) of the one before have left"
    }
    return nil
  }

  /// Stands by until the node may serve, the settings are to be reloaded, or the daemon is to end.
  ///
  /// - Parameter isDumb: true if this node cannot answer questions; then it restarts after `Limits.serverAwayTold` to try
  ///   again.
  func standBy(until signals: TerminationSignals, isDumb: Bool, manager: ServiceManager) async -> Ending {
    var (keeping, told, mayServe) = (ShareKeeping(name: identity.name, mark: identity.mark), "", false)
    let (begin, reloads) = (MachineUptime.now(), signals.reloadCount)
    while true {
      if signals.isToldToEnd { return .end }
      if signals.reloadCount != reloads { return .reload }
      let rung = bell.count
      if isDumb, MachineUptime.now() - begin > Limits.serverAwayTold { return .reload }
      var words: String
      do {
        let seen = try await look()
        try await endSilent(keeping.judge(seen, uptime: MachineUptime.now()), seen)
        if let obstacle = Self.obstacle(in: seen, for: identity) {
          words = "Standing by: \(obstacle)"
          mayServe = false
        } else {
          // A holder that only lost its session, as when the server restarts, is back within one tick.
          if mayServe { return .serve }
          words = "Standing by for a moment"
          mayServe = true
        }
      } catch {
        words = "Standing by: \(error)"
        mayServe = false
      }
      if words != told {
        if told.isEmpty { manager.ready(status: words) } else { manager.status(words) }
        log.notice("node '\(identity.name)': \(words.prefix(1).lowercased() + words.dropFirst())")
        told = words
      }
      // Without a watchdog the manager need not read these messages, and sending to its full socket would block.
      if manager.watchdogInterval != nil { manager.alive(status: words) }
      await bell.wait(past: rung, atMost: mayServe ? Limits.freeSettled : Limits.nodeLook)
    }
  }
}
