import PoolModel
import PoolStore

/// Decides for one node, from a scan of all nodes, which partitions it acquires and hands off and which nodes it declares dead.
/// A pure state machine: the caller passes the time in.
///
/// All nodes see about the same and apply the same rule, so they rarely want the same partition; if they do, the server's
/// advisory lock decides.
struct ShareKeeping: Hashable {
  /// One action that the node takes after a scan.
  enum Step: Hashable {
    /// The server is to end this holder's sessions: its heartbeat is missing for `Limits.nodeSilence`.
    case end(NodesSeen.Holder)
    case take(ShareSet)
    /// Other nodes own fewer partitions than their quota, or requested a hand-off.
    case give(ShareSet)
    /// This node may own nothing and another node may: hand off everything and stand by.
    case standAside(Reason)
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
  private var unheard: [NodesSeen.Holder: Duration] = [:]
  /// Partitions that were free at every scan since `freeFrom`; reset every `Limits.freeSettled`.
  private var freeSince = ShareSet.none
  private var freeFrom = Duration.zero
  /// Marks of the processes that may own partitions, in sorted order, and the uptime of the last change.
  private var members: [String] = []
  private var membersSince = Duration.zero

  init(name: String, mark: String) {
    self.name = name
    self.mark = mark
  }

  /// Decides the next steps from one scan.
  ///
  /// - Parameters:
  ///   - uptime: the machine's uptime, which no clock setting changes.
  ///   - kept: partitions that are handed off only on another node's request.
  mutating func judge(_ seen: NodesSeen, uptime: Duration, keeping kept: ShareSet = .none) -> [Step] {
    let ends = judgeSilence(seen, uptime: uptime).map { Step.end($0) }
    let members = Self.members(of: seen, and: self)
    if members != self.members { (self.members, membersSince) = (members, uptime) }
    let free = seen.free
    freeSince = freeSince & free
    var lasting = ShareSet.none
    if uptime - freeFrom >= Limits.freeSettled {
      lasting = freeSince
      (freeSince, freeFrom) = (free, uptime)
    }
    guard let own = members.firstIndex(of: mark) else {
      return ends + (members.isEmpty ? [] : [.standAside(reason(seen))])
    }
    // A node that only lost its session, as when the server restarts, is back within a moment, so free partitions must settle
    // first. Partitions released in a hand-off are free at once, except those requested by another node.
    let open = lasting + ((seen.tables.laidDown & free) - seen.tables.wished)
    let mine = seen.shares(of: mark)
    var steps = ends
    let taken = Self.assigned(open, to: own, of: members.map { seen.shares(of: $0).count })
    if !taken.isEmpty { steps.append(.take(taken)) }
    var given = seen.tables.wished & mine
    if free.isEmpty, uptime - membersSince >= Limits.membersSettled {
      given = given + surplus(mine - given, seen, own, keeping: kept)
    }
    if !given.isEmpty { steps.append(.give(given)) }
    return steps
  }

  /// Marks of the nodes that may own partitions, sorted by name: every node computes the same order.
  private static func members(of seen: NodesSeen, and own: ShareKeeping) -> [String] {
    var names = seen.nodes.filter { node in
      node.mark != own.mark && node.silence < Limits.nodeSilence && node.clockAhead.isWithin(Limits.clocksApart)
        && !node.isWaiting && !seen.tables.drained.contains(node.name)
    }.map { ($0.name, $0.mark) }
    if seen.clockAhead.isWithin(Limits.clocksApart), !seen.tables.drained.contains(own.name) {
      names.append((own.name, own.mark))
    }
    return names.sorted { $0 < $1 }.map(\.1)
  }

  /// Why this node stands aside; drained takes precedence over the clock.
  private func reason(_ seen: NodesSeen) -> Reason {
    seen.tables.drained.contains(name) ? .drained : .clockApart(seen.clockAhead)
  }

  /// Number of partitions that the member with index `place` of `members` should own; the quotas add up to all partitions.
  static func quota(_ place: Int, of members: Int) -> Int {
    ShareSet.count * (place + 1) / members - ShareSet.count * place / members
  }

  /// The open partitions that member `own` acquires: each goes to the first member below its quota, or else to the member that
  /// owns the fewest.
  private static func assigned(_ open: ShareSet, to own: Int, of counts: [Int]) -> ShareSet {
    var (counts, taken) = (counts, ShareSet.none)
    for share in open.shares {
      let first = counts.indices.first { counts[$0] < quota($0, of: counts.count) }
      let place = first ?? counts.indices.min { (counts[$0], $0) < (counts[$1], $1) } ?? own
      counts[place] += 1
      if place == own { taken = taken + ShareSet(share: share) }
    }
    return taken
  }

  /// Partitions beyond this member's quota, as many as other members lack; at most `Limits.sharesGivenAtOnce` a tick, partition
  /// 0 last.
  private func surplus(_ mine: ShareSet, _ seen: NodesSeen, _ own: Int, keeping kept: ShareSet) -> ShareSet {
    let more = mine.count - Self.quota(own, of: members.count)
    let less = members.indices.reduce(0) { sum, place in
      sum + max(0, Self.quota(place, of: members.count) - seen.shares(of: members[place]).count)
    }
    let count = min(more, less, Limits.sharesGivenAtOnce)
    return count > 0 ? ShareSet((mine - kept).shares.suffix(count)) : .none
  }

  // MARK: Who is taken for dead

  /// The holders whose heartbeat is missing for `Limits.nodeSilence`.
  private mutating func judgeSilence(_ seen: NodesSeen, uptime: Duration) -> [NodesSeen.Holder] {
    var (ended, unheard): ([NodesSeen.Holder], [NodesSeen.Holder: Duration]) = ([], [:])
    // A holder of the whole store has no mark and is skipped: it migrates the schema, which may take long.
    for holder in seen.holders where holder.mark != nil && holder.mark != mark {
      if let node = seen.nodes.last(where: { $0.mark == holder.mark }) {
        if node.silence >= Limits.nodeSilence { ended.append(holder) }
        continue
      }
      let since = self.unheard.first { $0.key.mark == holder.mark }?.value ?? uptime
      unheard[holder] = since
      if uptime - since >= Limits.nodeSilence { ended.append(holder) }
    }
    self.unheard = unheard
    return ended
  }
}

extension Duration {
  /// True if the duration is at most `bound` long, forwards or backwards.
  func isWithin(_ bound: Duration) -> Bool { self <= bound && self >= .zero - bound }
}
