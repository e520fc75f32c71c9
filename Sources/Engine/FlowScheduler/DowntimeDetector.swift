import FlowModel
import FlowWork

/// Detects downtime and clock steps between two ticks, and keeps the newest ones to explain missed slots.
struct DowntimeDetector: Sendable {
  private var known: [Downtime] = []
  private var lastTick: Timestamp?
  private var lastUptime: Duration?
  private var lastHeartbeat: Timestamp?

  /// Adds downtimes and keeps the newest `Limits.downtimesRemembered`.
  mutating func remember(_ downtimes: [Downtime]) {
    known = Array((known + downtimes).suffix(Limits.downtimesRemembered))
  }

  /// Replaces the remembered downtimes by those read from the store.
  mutating func replace(_ downtimes: [Downtime]) {
    known = []
    remember(downtimes)
  }

  /// The newest remembered downtime that covers `instant`; nil if there is none.
  func covering(_ instant: Timestamp) -> Downtime? { known.last { $0.covers(instant) } }

  /// Compares this tick with the previous one.
  ///
  /// - Parameter uptime: the machine's running time, sleep included; nil: a clock step forwards cannot be distinguished from
  ///   sleep.
  /// - Returns: the downtime found, if any, and the time of the heartbeat to store; nil if no heartbeat is due: no downtime
  ///   was found and the last heartbeat is younger than `Limits.heartbeat`.
  mutating func tick(at now: Timestamp, uptime: Duration?) -> (downtime: Downtime?, at: Timestamp)? {
    let downtime = downtime(until: now, uptime: uptime)
    if let downtime { remember([downtime]) }
    lastTick = now
    lastUptime = uptime
    if downtime == nil, let lastHeartbeat, now >= lastHeartbeat, now.since(lastHeartbeat) < Limits.heartbeat {
      return nil
    }
    lastHeartbeat = now
    return (downtime, now)
  }

  /// The downtime or clock step since the last tick; nil if there was none.
  private func downtime(until now: Timestamp, uptime: Duration?) -> Downtime? {
    guard let lastTick else { return nil }
    let gap = now.since(lastTick)
    if gap < .zero - Limits.clockStep { return Downtime(kind: .clockSetBack, from: now, to: lastTick) }
    guard gap > Limits.shortestDowntime else { return nil }
    // If wall time advanced and uptime did not, the clock was set forwards.
    var kind = Downtime.Kind.asleep
    if let uptime, let lastUptime, gap - (uptime - lastUptime) > Limits.shortestDowntime { kind = .clockSetForwards }
    return Downtime(kind: kind, from: lastTick, to: now)
  }
}
