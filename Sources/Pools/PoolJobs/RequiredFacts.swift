package import FlowModel

/// The facts about a team that a decision needs. Days are offsets from its local date; 0 is that date.
package struct RequiredFacts: Hashable, Sendable {
  /// Days whose stops are loaded.
  package let days: [Int]
  /// Days whose number of stops `why` shows.
  package let listedDays: [Int]
  /// Days back for which changes of the water's condition are loaded; nil for none.
  package let waterChangeDays: Int?
  /// Day offset for which plans and the last shown route are loaded; nil for none.
  package let lastRoute: Int?
  /// True to load the routes that were shown for the day itself and the day after.
  package let toldRoutes: Bool
  /// Days back over which the use of low stock is counted; nil for none.
  package let useDays: Int?
  /// Days back for which the visits of all pools are loaded; nil for none.
  package let weekDays: Int?
  /// Days off to load, and the further days whose stops they require; nil if days off are not needed.
  package let daysOff: RequiredDaysOff?
  /// True if technicians also get personal notices.
  package let people: Bool
  /// True if the newest weather forecast is loaded.
  package let forecast: Bool

  /// Further days whose stops are loaded because of days off.
  package enum RequiredDaysOff: Hashable, Sendable {
    /// No further days.
    case plain
    /// The next day on which the team works.
    case nextWorkingDay
    /// The closed days that begin tomorrow.
    case closedTomorrow
  }

  package init(
    days: [Int] = [], listedDays: [Int]? = nil, waterChangeDays: Int? = nil, lastRoute: Int? = nil,
    toldRoutes: Bool = false, useDays: Int? = nil, weekDays: Int? = nil, daysOff: RequiredDaysOff? = nil,
    people: Bool = false, forecast: Bool = false
  ) {
    self.days = days
    self.listedDays = listedDays ?? days
    self.waterChangeDays = waterChangeDays
    self.lastRoute = lastRoute
    self.toldRoutes = toldRoutes
    self.useDays = useDays
    self.weekDays = weekDays
    self.daysOff = daysOff
    self.people = people
    self.forecast = forecast
  }
}

extension CivilDate {
  /// The weekdays at the given offsets from this date.
  package func weekdays(after days: [Int]) -> [Weekday] { days.map { adding(days: $0).weekday } }
}
