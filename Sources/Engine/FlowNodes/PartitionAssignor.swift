import FlowModel
import FlowStore

/// Decides for one node, from a scan of all nodes, which partitions it acquires and hands off and which nodes it declares dead.
/// A pure state machine: the caller passes the time in.
///
/// All nodes see about the same and apply the same rule, so they rarely want the same partition; if they do, the server's
/// advisory lock decides.
struct PartitionAssignor: Hashable {
  /// One action that the node takes after a scan.
  enum Step: Hashable {
    /// The server is to end this holder's sessions: its heartbeat is missing for `Limits.nodeHeartbeatTimeout`.
    case end(ClusterStatus.LockHolder)
    case take(PartitionSet)
    /// Other nodes own fewer partitions than their quota, or requested a hand-off.
    case handOff(PartitionSet)
    /// This node may own nothing and another node may: hand off everything and go on standby.
    case standBy(Reason)
  }

  /// Why a node may own no partitions.
  enum Reason: Hashable {
    case drained
    /// How far this node's clock is ahead of the server's; negative if it is behind.
    case clockApart(Duration)
  }

  /// The mark of this process, which distinguishes it from an earlier process of the same node.
  let mark: String
  let name: String
  /// Holders without a heartbeat session, and the uptime at which each was first seen so.
  private var unheardSince: [ClusterStatus.LockHolder: Duration] = [:]
  /// Partitions that were free at every scan since `freeTrackedSince`; reset every `Limits.unownedPartitionWait`.
  private var steadilyFree = PartitionSet.none
  private var freeTrackedSince = Duration.zero
  /// Marks of the processes that may own partitions, in sorted order, and the uptime of the last change.
  private var members: [String] = []
  private var membersChangedAt = Duration.zero

  init(name: String, mark: String) {
    self.name = name
    self.mark = mark
  }

  /// Decides the next steps from one scan.
  ///
  /// - Parameters:
  ///   - uptime: the machine's uptime, which no clock setting changes.
  ///   - stickyPartitions: partitions that are handed off only on another node's request.
  mutating func nextSteps(_ seen: ClusterStatus, uptime: Duration, keeping stickyPartitions: PartitionSet = .none)
    -> [Step]
  {
    let ends = silentHolders(seen, uptime: uptime).map { Step.end($0) }
    let members = Self.members(of: seen, and: self)
    if members != self.members { (self.members, membersChangedAt) = (members, uptime) }
    let free = seen.free
    steadilyFree = steadilyFree & free
    var settledFree = PartitionSet.none
    if uptime - freeTrackedSince >= Limits.unownedPartitionWait {
      settledFree = steadilyFree
      (steadilyFree, freeTrackedSince) = (free, uptime)
    }
    guard let own = members.firstIndex(of: mark) else {
      return ends + (members.isEmpty ? [] : [.standBy(reason(seen))])
    }
    // A node that only lost its session, as when the server restarts, is back within a moment, so free partitions must settle
    // first. Partitions released in a hand-off are free at once, except those requested by another node.
    let open = settledFree + ((seen.tables.released & free) - seen.tables.requested)
    let mine = seen.partitions(of: mark)
    var steps = ends
    let acquired = Self.assigned(open, to: own, of: members.map { seen.partitions(of: $0).count })
    if !acquired.isEmpty { steps.append(.take(acquired)) }
    var handedOff = seen.tables.requested & mine
    if free.isEmpty, uptime - membersChangedAt >= Limits.rebalanceDelay {
      handedOff = handedOff + surplus(mine - handedOff, seen, own, keeping: stickyPartitions)
    }
    if !handedOff.isEmpty { steps.append(.handOff(handedOff)) }
    return steps
  }

  /// Marks of the nodes that may own partitions, sorted by name: every node computes the same order.
  private static func members(of seen: ClusterStatus, and own: PartitionAssignor) -> [String] {
    var names = seen.nodes.filter { node in
      node.mark != own.mark && node.timeSinceHeartbeat < Limits.nodeHeartbeatTimeout
        && node.clockAhead.isWithin(Limits.maxClockSkew)
        && !node.isWaiting && !seen.tables.drained.contains(node.name)
    }.map { ($0.name, $0.mark) }
    if seen.clockAhead.isWithin(Limits.maxClockSkew), !seen.tables.drained.contains(own.name) {
      names.append((own.name, own.mark))
    }
    return names.sorted { $0 < $1 }.map(\.1)
  }

  /// Why this node goes on standby; drained takes precedence over the clock.
  private func reason(_ seen: ClusterStatus) -> Reason {
    seen.tables.drained.contains(name) ? .drained : .clockApart(seen.clockAhead)
  }

  /// Number of partitions that the member with index `index` of `members` should own; the quotas add up to all partitions.
  static func quota(_ index: Int, of members: Int) -> Int {
    PartitionSet.count * (index + 1) / members - PartitionSet.count * index / members
  }

  /// The open partitions that member `own` acquires: each goes to the first member below its quota, or else to the member that
  /// owns the fewest.
  private static func assigned(_ open: PartitionSet, to own: Int, of counts: [Int]) -> PartitionSet {
    var (counts, acquired) = (counts, PartitionSet.none)
    for partition in open.partitions {
      let first = counts.indices.first { counts[$0] < quota($0, of: counts.count) }
      let index = first ?? counts.indices.min { (counts[$0], $0) < (counts[$1], $1) } ?? own
      counts[index] += 1
      if index == own { acquired = acquired + PartitionSet(partition: partition) }
    }
    return acquired
  }

  /// Partitions beyond this member's quota, as many as other members lack; at most `Limits.partitionsPerHandoff` a tick, partition
  /// 0 last.
  private func surplus(_ mine: PartitionSet, _ seen: ClusterStatus, _ own: Int, keeping stickyPartitions: PartitionSet)
    -> PartitionSet
  {
    let excess = mine.count - Self.quota(own, of: members.count)
    let deficit = members.indices.reduce(0) { sum, index in
      sum + max(0, Self.quota(index, of: members.count) - seen.partitions(of: members[index]).count)
    }
    let count = min(excess, deficit, Limits.partitionsPerHandoff)
    return count > 0 ? PartitionSet((mine - stickyPartitions).partitions.suffix(count)) : .none
  }

  // MARK: Nodes declared dead

  /// The holders whose heartbeat is missing for `Limits.nodeHeartbeatTimeout`.
  private mutating func silentHolders(_ seen: ClusterStatus, uptime: Duration) -> [ClusterStatus.LockHolder] {
    var (ended, unheardSince): ([ClusterStatus.LockHolder], [ClusterStatus.LockHolder: Duration]) = ([], [:])
    // A holder of the whole store has no mark and is skipped: it migrates the schema, which may take long.
    for holder in seen.holders where holder.mark != nil && holder.mark != mark {
      if let node = seen.nodes.last(where: { $0.mark == holder.mark }) {
        if node.timeSinceHeartbeat >= Limits.nodeHeartbeatTimeout { ended.append(holder) }
        continue
      }
      let since = self.unheardSince.first { $0.key.mark == holder.mark }?.value ?? uptime
      unheardSince[holder] = since
      if uptime - since >= Limits.nodeHeartbeatTimeout { ended.append(holder) }
    }
    self.unheardSince = unheardSince
    return ended
  }
}

extension Duration {
  /// True if the duration is at most `bound` long, forwards or backwards.
  func isWithin(_ bound: Duration) -> Bool { self <= bound && self >= .zero - bound }
}
