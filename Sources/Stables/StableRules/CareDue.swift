package import FlowModel
package import StableModel

/// The care of a barn's horses that is due or overdue on a local date.
package struct CareDue: Hashable, Sendable {
  /// One care that is due: a horse, a type and a date.
  package struct Item: Hashable, Sendable {
    package let horse: Horse
    /// The earlier event whose `nextDue` makes this care due.
    package let event: CareEvent
    package let due: CivilDate
    /// The days until the due date; negative when overdue.
    package let days: Int

    package var type: CareType { event.type }

    package var status: CareStatus {
      if days < 0 { return .overdue }
      if days == 0 { return .today }
      return days <= CareDue.soon ? .soon : .later
    }

    /// True on the days on which the care notice lists this item: 7 days and 1 day before the due date, on it, and
    /// every 7 days after it.
    package var isReminderDay: Bool { days == 7 || days == 1 || days == 0 || (days < 0 && days.isMultiple(of: 7)) }
  }

  package let today: CivilDate
  /// Most urgent first, then by horse, then by type.
  package let items: [Item]

  /// Care due within this many days counts as `soon`.
  package static let soon = 7

  /// Finds the care that is due.
  ///
  /// - Parameter events: in any order; events of unknown horses are ignored.
  package init(events: [CareEvent], horses: [Horse], today: CivilDate) {
    self.today = today
    let horses = Dictionary(horses.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    // Events after today are only planned: they neither make care due nor count as done.
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

  /// The items that today's care notice lists; without any, no notice is sent.
  package var reminderItems: [Item] { items.filter(\.isReminderDay) }

  /// The overdue items and those due within `days` days: 7 in the barn digest, 14 in the weekly one.
  package func within(days: Int = soon) -> [Item] { items.filter { $0.days <= days } }

  /// The key of one kind of care of one horse.
  private struct CareKind: Hashable {
    let horse: HorseID
    let type: CareType
  }
}

extension BarnSettings {
  /// The date to propose for the next event; nil for no proposal.
  package func proposedDue(_ type: CareType, on date: CivilDate) -> CivilDate? {
    interval(type).map { date.adding(days: $0) }
  }
}

/// The urgency of a due date.
package enum CareStatus: String, Sendable, CaseIterable {
  case overdue, today, soon, later
}
