import FlowModel
package import FlowPlatform
import FlowServices
import FlowStore

// Standby: a node that may not own partitions yet.

extension ClusterMember {
  /// Why this node has to stay on standby before it serves; nil if it may serve.
  package func obstacle() async -> String? {
    do {
      return Self.obstacle(in: try await look(), for: identity, schema: self.schema)
    } catch {
      // Wait for a server that is away: a holder may return before this node does. Other errors end the start-up, as they do
      // without other nodes.
      return (error as? StoreError)?.isTemporary ?? false ? "\(error)" : nil
    }
  }

  /// Why `identity` may not own partitions, as text for after a colon; nil if it may.
  static func obstacle(in seen: ClusterStatus, for identity: NodeIdentity, schema own: Int) -> String? {
    let others = seen.nodes.filter { $0.mark != identity.mark && $0.timeSinceHeartbeat < Limits.nodeHeartbeatTimeout }
    if let soleDaemon = seen.soleDaemon, soleDaemon.mark != identity.mark {
      return "\(soleDaemon.name) uses the store exclusively"
    }
    if !seen.clockAhead.isWithin(Limits.maxClockSkew) {
      return "this clock is \(clockOffsetText(seen.clockAhead)) the server's; a node whose clock differs by more than "
        + "\(Limits.maxClockSkew.inWords) gets no work; set the clock (timedatectl)"
    }
    let serving = others.filter { !seen.tables.drained.contains($0.name) }
    if seen.tables.drained.contains(identity.name), !serving.isEmpty {
      return "it is drained; `pfctl nodes resume \(identity.name)` ends that"
    }
    if let schema = seen.tables.schema, schema < own, !seen.holders.isEmpty {
      let names = Set(seen.holders.map { "'\($0.name)'" }).sorted().joined(separator: ", ")
      return "this version migrates the store once \(names) of the previous version have stopped"
    }
    return nil
  }

  /// Waits on standby until the node may serve, the settings are to be reloaded, or the daemon is to end.
  ///
  /// - Parameter cannotAnswer: true if this node cannot answer questions; then it restarts after `Limits.serverOutageReported` to try
  ///   again.
  package func standBy(until signals: TerminationSignals, cannotAnswer: Bool, manager: ServiceManager) async -> Ending {
    var (keeping, lastStatus, mayServe) = (PartitionAssignor(name: identity.name, mark: identity.mark), "", false)
    let (startedAt, reloads) = (MachineUptime.now(), signals.reloadCount)
    while true {
      if signals.isStopRequested { return .end }
      if signals.reloadCount != reloads { return .reload }
      let signalCount = wakeUpSignal.count
      if cannotAnswer, MachineUptime.now() - startedAt > Limits.serverOutageReported { return .reload }
      var status: String
      do {
        let seen = try await look()
        try await endSilentSessions(keeping.nextSteps(seen, uptime: MachineUptime.now()), seen)
        if let obstacle = Self.obstacle(in: seen, for: identity, schema: self.schema) {
          status = "On standby: \(obstacle)"
          mayServe = false
        } else {
          // A holder that only lost its session, as when the server restarts, is back within one tick.
          if mayServe { return .serve }
          status = "On standby for a moment"
          mayServe = true
        }
      } catch {
        status = "On standby: \(error)"
        mayServe = false
      }
      if status != lastStatus {
        if lastStatus.isEmpty { manager.ready(status: status) } else { manager.status(status) }
        log.notice("node '\(identity.name)': \(status.prefix(1).lowercased() + status.dropFirst())")
        lastStatus = status
      }
      // Without a watchdog the manager need not read these messages, and sending to its full socket would block.
      if manager.watchdogInterval != nil { manager.alive(status: status) }
      await wakeUpSignal.wait(past: signalCount, atMost: mayServe ? Limits.unownedPartitionWait : Limits.nodeTick)
    }
  }
}
