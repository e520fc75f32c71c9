package import PoolCalendar
package import PoolModel

/// What a stable's decisions look at, all of one moment.
package struct BarnFacts: Sendable {
  package var team: Team
  package var settings: BarnSettings
  /// By name.
  package var horses: [Horse]
  package var schedules: [HorseID: FeedSchedule]
  /// Of the days that were asked for.
  package var marks: [FeedMark]
  /// The closed ones of the days that were asked for, each with a row for every horse it had, none for a barn without any.
  package var closedDays: [CivilDate: [FeedRow]]
  /// All of the team's, in no order.
  package var care: [CareEvent]
  /// The newest; nil where none was ever imported.
  package var forecast: Forecast?
  /// Of the last night before the decision's that had advice.
  package var lastNight: BlanketNight?
  package var daysOff: DaysOff
  package var people: [Person]
  /// Who works there; nobody where none of them is known to be told anything.
  package var staff: [Technician]
  /// A count of the store's changes, asked for before anything was read.
  package var changesSeen: Int?

  package init(
    team: Team, settings: BarnSettings = BarnSettings(), horses: [Horse] = [],
    schedules: [HorseID: FeedSchedule] = [:], marks: [FeedMark] = [], closedDays: [CivilDate: [FeedRow]] = [:],
    care: [CareEvent] = [], forecast: Forecast? = nil, lastNight: BlanketNight? = nil, daysOff: DaysOff = .none,
    people: [Person] = [], staff: [Technician] = [], changesSeen: Int? = nil
  ) {
    self.team = team
    self.settings = settings
    self.horses = horses
    self.schedules = schedules
    self.marks = marks
    self.closedDays = closedDays
    self.care = care
    self.forecast = forecast
    self.lastNight = lastNight
    self.daysOff = daysOff
    self.people = people
    self.staff = staff
    self.changesSeen = changesSeen
  }
}
