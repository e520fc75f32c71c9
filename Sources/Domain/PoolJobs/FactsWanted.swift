package import PoolModel

/// Which of a team's facts a decision looks at; days are counted from its local date, 0 is that day.
package struct FactsWanted: Hashable, Sendable {
  /// The days whose stops are read.
  package let days: [Int]
  /// The days that `why` tells the number of stops of.
  package let toldDays: [Int]
  /// How far back crossings of the water are read; nil for none.
  package let crossingDays: Int?
  /// Whether the route last told of this weekday is read.
  package let lastRoute: Bool
  /// How far back the use of low stock is counted; nil for none.
  package let useDays: Int?
  /// How far back the visits of every pool are read; nil for none.
  package let weekDays: Int?

  package init(
    days: [Int] = [], toldDays: [Int]? = nil, crossingDays: Int? = nil, lastRoute: Bool = false, useDays: Int? = nil,
    weekDays: Int? = nil
  ) {
    self.days = days
    self.toldDays = toldDays ?? days
    self.crossingDays = crossingDays
    self.lastRoute = lastRoute
    self.useDays = useDays
    self.weekDays = weekDays
  }
}

extension CivilDate {
  /// The weekdays so many days after this date.
  package func weekdays(after days: [Int]) -> [Weekday] { days.map { adding(days: $0).weekday } }
}
