package import PoolModel

/// Which of a team's facts a decision looks at; days are counted from its local date, 0 is that day.
package struct FactsWanted: Hashable, Sendable {
  /// The days whose stops are read.
  package let days: [Int]
  /// The days that `why` tells the number of stops of.
  package let toldDays: [Int]
  /// How far back crossings of the water are read; nil for none.
  package let crossingDays: Int?
  /// How many days ahead the day lies of which the plans and the route last told are read; nil for none.
  package let lastRoute: Int?
  /// How far back the use of low stock is counted; nil for none.
  package let useDays: Int?
  /// How far back the visits of every pool are read; nil for none.
  package let weekDays: Int?
  /// Which days off matter, and which days' stops besides `days` are read because of them; nil where none do.
  package let daysOff: DaysOffWanted?
  /// Whether persons are told it by themselves.
  package let people: Bool

  package enum DaysOffWanted: Hashable, Sendable {
    case plain
    /// Those of the next day on which anybody works.
    case nextWorkingDay
    /// Those of the closed days that begin tomorrow.
    case closedTomorrow
  }

  package init(
    days: [Int] = [], toldDays: [Int]? = nil, crossingDays: Int? = nil, lastRoute: Int? = nil, useDays: Int? = nil,
    weekDays: Int? = nil, daysOff: DaysOffWanted? = nil, people: Bool = false
  ) {
    self.days = days
    self.toldDays = toldDays ?? days
    self.crossingDays = crossingDays
    self.lastRoute = lastRoute
    self.useDays = useDays
    self.weekDays = weekDays
    self.daysOff = daysOff
    self.people = people
  }
}

extension CivilDate {
  /// The weekdays so many days after this date.
  package func weekdays(after days: [Int]) -> [Weekday] { days.map { adding(days: $0).weekday } }
}
