import PoolModel
import PoolWork

/// Detects downtime and clock steps between two ticks, and keeps the newest ones to explain missed slots.
struct AbsenceWatch: Sendable {
  private var known: [Absence] = []
  private var lastLook: Timestamp?
  private var lastUptime: Duration?
  private var lastBeat: Timestamp?

  /// Adds downtimes and keeps the newest `Limits.absencesRemembered`.
  mutating func remember(_ absences: [Absence]) {
    known = Array((known + absences).suffix(Limits.absencesRemembered))
  }

  /// Replaces the remembered downtimes by those read from the store.
  mutating func replace(_ absences: [Absence]) {
    known = []
    remember(absences)
  }

  /// The newest remembered downtime that covers `instant`; nil if there is none.
  func covering(_ instant: Timestamp) -> Absence? { known.last { $0.covers(instant) } }

  /// Compares this tick with the previous one.
  ///
  /// - Parameter uptime: the machine's running time, sleep included; nil: a clock step forwards cannot be distinguished from
  ///   sleep.
  /// - Returns: the downtime found, if any, and the time of the heartbeat to store; nil if no heartbeat is due: no downtime
  ///   was found and the last heartbeat is younger than `Limits.heartbeat`.
  mutating func look(at now: Timestamp, uptime: Duration?) -> (absence: Absence?, at: Timestamp)? {
    let absence = absence(until: now, uptime: uptime)
    if let absence { remember([absence]) }
    lastLook = now
    lastUptime = uptime
    if absence == nil, let lastBeat, now >= lastBeat, now.since(lastBeat) < Limits.heartbeat { return nil }
    lastBeat = now
    return (absence, now)
  }

  /// The downtime or clock step since the last tick; nil if there was none.
  private func absence(until now: Timestamp, uptime: Duration?) -> Absence? {
    guard let lastLook else { return nil }
    let gap = now.since(lastLook)
    if gap < .zero - Limits.clockStep { return Absence(kind: .clockSetBack, from: now, to: lastLook) }
    guard gap > Limits.absenceFrom else { return nil }
    // If wall time advanced and uptime did not, the clock was set forwards.
    var kind = Absence.Kind.asleep
    if let uptime, let lastUptime, gap - (uptime - lastUptime) > Limits.absenceFrom { kind = .clockSetForwards }
    return Absence(kind: kind, from: lastLook, to: now)
  }
}
