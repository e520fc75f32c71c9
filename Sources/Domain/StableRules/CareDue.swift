package import PoolModel
package import StableModel

/// What care of a barn's horses comes due, or is overdue, on a local date.
package struct CareDue: Hashable, Sendable {
  package struct Item: Hashable, Sendable {
    package let horse: Horse
    /// The event that asked for it.
    package let event: CareEvent
    package let due: CivilDate
    /// Until the due date; negative when overdue.
    package let days: Int

    package var type: CareType { event.type }

    package var status: CareStatus {
      if days < 0 { return .overdue }
      if days == 0 { return .today }
      return days <= CareDue.soon ? .soon : .later
    }

    /// Whether the notice of care speaks of it on this day: 7 days before, the day before, on the day, and every seventh
    /// day after.
    package var isTold: Bool { days == 7 || days == 1 || days == 0 || (days < 0 && days.isMultiple(of: 7)) }
  }

  package let today: CivilDate
  /// Most urgent first, then by horse, then by type.
  package let items: [Item]

  /// Up to how many days ahead something is due soon.
  package static let soon = 7

  /// - Parameter events: in any order; those of horses that are not there are passed over.
  package init(events: [CareEvent], horses: [Horse], today: CivilDate) {
    self.today = today
    let horses = Dictionary(horses.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    // Events of days to come are plans: they neither ask for anything nor settle it.
    let past = events.filter { $0.date <= today }
    var found: [Item] = []
    for (kind, events) in Dictionary(grouping: past, by: { CareKind(horse: $0.horseID, type: $0.type) }) {
      guard let horse = horses[kind.horse] else { continue }
      let asking = events.filter { $0.nextDue != nil }
      guard let event = asking.max(by: { ($0.date, $0.id) < ($1.date, $1.id) }), let due = event.nextDue,
        !events.contains(where: { $0.date >= due })
      else { continue }
      found.append(Item(horse: horse, event: event, due: due, days: due.daysSince1970 - today.daysSince1970))
    }
    items = found.sorted {
      ($0.days, $0.horse.nameKey, $0.horse.id, $0.type) < ($1.days, $1.horse.nameKey, $1.horse.id, $1.type)
    }
  }

  /// What the notice of care speaks of; it is silent where there is none.
  package var told: [Item] { items.filter(\.isTold) }

  /// Within the next `days` days, and what is overdue: 7 for the barn digest, 14 for the week.
  package func within(days: Int = soon) -> [Item] { items.filter { $0.days <= days } }

  private struct CareKind: Hashable {
    let horse: HorseID
    let type: CareType
  }
}

extension BarnSettings {
  /// When the next event is proposed to be due; nil where none is.
  package func proposedDue(_ type: CareType, on date: CivilDate) -> CivilDate? {
    interval(type).map { date.adding(days: $0) }
  }
}

/// How near a due date is.
package enum CareStatus: String, Sendable, CaseIterable {
  case overdue, today, soon, later
}
