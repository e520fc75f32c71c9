import PoolModel
import PoolStore

/// Decides for a node that stands by whether the store is to be taken, by what it sees of the others. Has no clock.
struct Succession: Hashable {
  enum Verdict: Equatable {
    /// Somebody serves, or the next look has to confirm that nobody does.
    case wait
    /// Whoever serves has said nothing for too long: the server is to end its sessions.
    case end(NodesSeen.Holder)
    /// Nobody has the store.
    case take
    /// Nobody has the store, and this machine's clock is too far from the server's to be the one that takes it.
    case clockApart(Duration)
  }

  /// A holder of whom no second session is seen, and since when on the uptime's clock.
  private struct Unheard: Hashable {
    let holder: NodesSeen.Holder
    let since: Duration
  }

  private var wasFree = false
  private var unheard: Unheard?

  /// - Parameter uptime: of the machine, which nobody can set.
  mutating func judge(_ seen: NodesSeen, uptime: Duration) -> Verdict {
    guard let holder = seen.holder else {
      unheard = nil
      guard Self.mayTake(seen) else { return .clockApart(seen.clockAhead) }
      // One that only lost its session, as in a restart of the server, comes back within this.
      defer { wasFree = true }
      return wasFree ? .take : .wait
    }
    wasFree = false
    guard let mark = holder.mark else { return .wait }
    if let node = seen.nodes.last(where: { $0.mark == mark }) {
      unheard = nil
      return node.silence < Limits.nodeSilence ? .wait : .end(holder)
    }
    guard let unheard, unheard.holder == holder else {
      unheard = Unheard(holder: holder, since: uptime)
      return .wait
    }
    return uptime - unheard.since < Limits.nodeSilence ? .wait : .end(holder)
  }

  static func mayTake(_ seen: NodesSeen) -> Bool { seen.clockAhead.isWithin(Limits.clocksApart) }
}

extension Duration {
  /// Whether it is no longer than this, forwards or backwards.
  func isWithin(_ bound: Duration) -> Bool { self <= bound && self >= .zero - bound }
}
