import PoolModel
import PoolWork

/// Notices when nobody looked at the clock for too long, or somebody moved it, and remembers it to explain missed slots.
struct AbsenceWatch: Sendable {
  private var known: [Absence] = []
  private var lastLook: Timestamp?
  private var lastUptime: Duration?
  private var lastBeat: Timestamp?

  mutating func remember(_ absences: [Absence]) {
    known = Array((known + absences).suffix(Limits.absencesRemembered))
  }

  /// Takes the store's word for all that is known.
  mutating func replace(_ absences: [Absence]) {
    known = []
    remember(absences)
  }

  /// The newest absence that covers `instant`.
  func covering(_ instant: Timestamp) -> Absence? { known.last { $0.covers(instant) } }

  /// - Returns: nil while the last heartbeat is young and nothing happened since.
  mutating func look(at now: Timestamp, uptime: Duration?) -> (absence: Absence?, at: Timestamp)? {
    let absence = absence(until: now, uptime: uptime)
    if let absence { remember([absence]) }
    lastLook = now
    lastUptime = uptime
    if absence == nil, let lastBeat, now >= lastBeat, now.since(lastBeat) < Limits.heartbeat { return nil }
    lastBeat = now
    return (absence, now)
  }

  private func absence(until now: Timestamp, uptime: Duration?) -> Absence? {
    guard let lastLook else { return nil }
    let gap = now.since(lastLook)
    if gap < .zero - Limits.clockStep { return Absence(kind: .clockSetBack, from: now, to: lastLook) }
    guard gap > Limits.absenceFrom else { return nil }
    // Time that passed on the wall but not in the machine was made by somebody's hand.
    var kind = Absence.Kind.asleep
    if let uptime, let lastUptime, gap - (uptime - lastUptime) > Limits.absenceFrom { kind = .clockSetForwards }
    return Absence(kind: kind, from: lastLook, to: now)
  }
}
