import PoolModel
import PoolStore

/// Decides for a node, by what it sees of all of them, which shares it takes and gives and whom it takes for dead. Has no clock.
///
/// All see about the same and decide by the same rule, so that they seldom want the same share; where they do, the server's lock
/// says who has it.
struct ShareKeeping: Hashable {
  enum Step: Hashable {
    /// Whoever has these has said nothing for too long: the server is to end its sessions.
    case end(NodesSeen.Holder)
    case take(ShareSet)
    /// Others have too few, or wish for them.
    case give(ShareSet)
    /// This node takes nothing, and others do.
    case standAside(Reason)
  }

  enum Reason: Hashable {
    case drained
    /// How far this clock is ahead of the server's.
    case clockApart(Duration)
  }

  /// Of this process.
  let mark: String
  let name: String
  /// Holders of whom no second session is seen, and since when on the uptime's clock.
  private var unheard: [NodesSeen.Holder: Duration] = [:]
  /// What nobody has had at any look since then; anew every `Limits.freeSettled`.
  private var freeSince = ShareSet.none
  private var freeFrom = Duration.zero
  /// The processes that may have shares, and since when they have been those.
  private var members: [String] = []
  private var membersSince = Duration.zero

  init(name: String, mark: String) {
    self.name = name
    self.mark = mark
  }

  /// - Parameters:
  ///   - uptime: of the machine, which nobody can set.
  ///   - kept: what is given only to who wishes for it.
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
    // One that only lost its session, as in a restart of the server, comes back within a moment; what was handed over is free at
    // once, and kept for who wishes for it.
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

  /// Who may have shares, in an order that all agree on.
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

  private func reason(_ seen: NodesSeen) -> Reason {
    seen.tables.drained.contains(name) ? .drained : .clockApart(seen.clockAhead)
  }

  /// How many shares the member at this place of so many should have.
  static func quota(_ place: Int, of members: Int) -> Int {
    ShareSet.count * (place + 1) / members - ShareSet.count * place / members
  }

  /// Which of the open shares a member takes: each goes to the first one that has too few, or else to who has least.
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

  /// What this member has more than its part of, as far as others have less; a few at a look, the server's own last.
  private func surplus(_ mine: ShareSet, _ seen: NodesSeen, _ own: Int, keeping kept: ShareSet) -> ShareSet {
    let more = mine.count - Self.quota(own, of: members.count)
    let less = members.indices.reduce(0) { sum, place in
      sum + max(0, Self.quota(place, of: members.count) - seen.shares(of: members[place]).count)
    }
    let count = min(more, less, Limits.sharesGivenAtOnce)
    return count > 0 ? ShareSet((mine - kept).shares.suffix(count)) : .none
  }

  // MARK: Who is taken for dead

  private mutating func judgeSilence(_ seen: NodesSeen, uptime: Duration) -> [NodesSeen.Holder] {
    var (ended, unheard): ([NodesSeen.Holder], [NodesSeen.Holder: Duration]) = ([], [:])
    // Who has the store to itself brings it to another shape, which may take its time.
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
  /// Whether it is no longer than this, forwards or backwards.
  func isWithin(_ bound: Duration) -> Bool { self <= bound && self >= .zero - bound }
}
