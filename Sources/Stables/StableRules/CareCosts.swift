package import FlowModel
package import StableModel

/// The cost of care in a range of local dates, by horse and type. Sums are exact; use `Cost.cents` for display.
package struct CareCosts: Hashable, Sendable {
  /// The total of one type of care.
  package struct Line: Hashable, Sendable {
    package let type: CareType
    package let cost: Cost
  }

  /// The totals of one horse.
  package struct HorseCosts: Hashable, Sendable {
    package let horse: Horse
    /// The types with a cost, in display order.
    package let types: [Line]
    package let total: Cost
  }

  package let from: CivilDate
  /// The last date, inclusive.
  package let to: CivilDate
  /// The horses with a cost, sorted by name.
  package let horses: [HorseCosts]
  package let types: [Line]
  package let total: Cost

  /// Adds up the costs.
  ///
  /// - Parameter events: in any order; events of unknown horses are ignored.
  package init(events: [CareEvent], horses: [Horse], from: CivilDate, to: CivilDate) {
    self.from = from
    self.to = to
    let costing = Dictionary(
      grouping: events.filter { from <= $0.date && $0.date <= to && ($0.cost ?? .zero) > .zero }, by: \.horseID)
    self.horses = horses.sortedByName().compactMap { horse in
      guard let events = costing[horse.id] else { return nil }
      return HorseCosts(horse: horse, types: Self.lines(of: events), total: Self.sum(of: events))
    }
    let known = horses.flatMap { costing[$0.id] ?? [] }
    types = Self.lines(of: known)
    total = Self.sum(of: known)
  }

  /// The costs of the week (Monday to Sunday) that contains a date.
  package init(weekAround date: CivilDate, events: [CareEvent], horses: [Horse]) {
    let sinceMonday = (date.weekday.rawValue + 5) % 7
    let monday = date.adding(days: -sinceMonday)
    self.init(events: events, horses: horses, from: monday, to: monday.adding(days: 6))
  }

  private static func lines(of events: [CareEvent]) -> [Line] {
    Dictionary(grouping: events, by: \.type).map { Line(type: $0.key, cost: sum(of: $0.value)) }
      .sorted { $0.type < $1.type }
  }

  private static func sum(of events: [CareEvent]) -> Cost {
    events.reduce(.zero) { $0 + ($1.cost ?? .zero) }
  }
}
