package import FlowControl
package import FlowModel
package import FlowStore
import Synchronization

// Texts about nodes for people: status, findings and refusals.

extension ClusterMember {
  /// All nodes as of the last scan, sorted by name, with their state and partitions.
  package var known: [(node: NodeStatus, part: NodePartView, partitions: PartitionSet)] {
    guard let seen = lastScan.withLock({ $0 }) else { return [] }
    return seen.nodes.sorted { ($0.name, $0.mark) < ($1.name, $1.mark) }.map { node in
      let isSilent = node.timeSinceHeartbeat >= Limits.nodeHeartbeatTimeout
      let partitions = seen.partitions(of: node.mark)
      let isDrained = seen.tables.drained.contains(node.name)
      return (node, isSilent ? .silent : !partitions.isEmpty ? .serves : isDrained ? .drained : .standby, partitions)
    }
  }

  /// Names of all running or drained nodes, sorted.
  package func names() async -> [String] {
    _ = try? await look()
    let drained = lastScan.withLock { $0?.tables.drained } ?? []
    return drained.union(known.map(\.node.name)).sorted()
  }

  /// Name of the node that owned a partition at the last scan; nil for none.
  package func server(of partition: Int) -> String? {
    lastScan.withLock { $0?.holders.first { $0.partitions.contains(partition) }?.name }
  }

  /// One sentence about the state of every node; this node is marked.
  package var sentence: String {
    var states = known.map { node, part, partitions in
      let isOwn = node.mark == identity.mark ? " (this one)" : ""
      return switch part {
      case .serves:
        "\(node.name)\(isOwn) serves"
          + (partitions.count < PartitionSet.count ? " \(partitions.count) of \(PartitionSet.count) partitions" : "")
      case .standby: "\(node.name)\(isOwn) is on standby"
      case .drained: "\(node.name)\(isOwn) is drained"
      case .silent: "\(node.name)\(isOwn) sends no heartbeat"
      }
    }
    if states.isEmpty { states = ["\(identity.name) (this one) has not seen any yet"] }
    return states.joined(separator: ", ")
  }

  /// Findings about nodes for `pfctl doctor`.
  package var findings: [FindingView] {
    let all = known
    var findings: [FindingView] = []
    let mayServe = all.filter {
      ($0.part == .standby || $0.part == .serves) && $0.node.clockAhead.isWithin(Limits.maxClockSkew)
    }
    findings.append(
      mayServe.count < 2
        ? FindingView(
          "nodes", .warning, "there is no other node: if this machine fails, no node takes over",
          remedy: "start poolflowd with a Node = setting on another machine, see poolflow.conf(5)")
        : FindingView("nodes", .ok, "\(sentence)"))
    for (node, part, _) in all where part == .silent {
      findings.append(
        FindingView(
          "nodes", .warning, "node '\(node.name)' has sent no heartbeat for \(node.timeSinceHeartbeat.inWords)",
          remedy: "check its machine; the other nodes do its work"))
    }
    for (node, part, _) in all where part == .drained {
      findings.append(
        FindingView(
          "nodes", .note, "node '\(node.name)' is drained: it gets no work",
          remedy: "`pfctl nodes resume \(node.name)` when it may work again"))
    }
    for (node, _, _) in all where !node.clockAhead.isWithin(Limits.clockSkewLogged) {
      findings.append(
        FindingView(
          "nodes", node.clockAhead.isWithin(Limits.maxClockSkew) ? .warning : .error,
          "the clock of node '\(node.name)' is \(Self.clockOffsetText(node.clockAhead)) the server's",
          remedy: "set both clocks by the same time service, see `timedatectl status`; a node whose "
            + "clock differs by more than "
            + "\(Limits.maxClockSkew.inWords) gets no work"))
    }
    if Set(all.map(\.node.version)).count > 1 {
      findings.append(
        FindingView(
          "nodes", .note,
          "the nodes run different versions: "
            + all.map { "\($0.node.name) of \($0.node.version)" }.joined(separator: ", "),
          remedy: "upgrade the other nodes, one at a time"))
    }
    return findings
  }

  /// The refusal of a change while this node is on standby; names the nodes that serve.
  package var refusal: ControlError {
    let names = known.filter { $0.part == .serves }.map { "'\($0.node.name)'" }
    return ControlError(
      .busy,
      "this call changes data, and node '\(identity.name)' is on standby: "
        + (names.isEmpty
          ? "no node is active at this moment, try again in a few seconds"
          : "node \(names.joined(separator: ", ")) serves, ask there"))
  }

  /// The distance of a clock from the server's: `3 s ahead of` or `3 s behind`.
  static func clockOffsetText(_ ahead: Duration) -> String {
    ahead < .zero ? "\((.zero - ahead).inWords) behind" : "\(ahead.inWords) ahead of"
  }
}
