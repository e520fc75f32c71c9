package import FlowModel

/// The records of a stable that imported files are compared with.
package struct StableRecords: Hashable, Sendable {
  package var horses: [Horse]
  package var schedules: [HorseID: FeedSchedule]
  /// In the order in which the events were entered.
  package var care: [CareEvent]

  package init(horses: [Horse] = [], schedules: [HorseID: FeedSchedule] = [:], care: [CareEvent] = []) {
    self.horses = horses
    self.schedules = schedules
    self.care = care
  }
}

/// All data that the store holds for a stable.
package struct StableBook: Hashable, Sendable {
  package var records: StableRecords
  package var settings: BarnSettings
  package var templates: [FeedTemplate]
  package var marks: [FeedMark]
  /// Each closed day has one row per horse that the barn had; none if it had no horses.
  package var closedDays: [CivilDate: [FeedRow]]
  /// The newest forecast and the previous one.
  package var forecasts: [StoredForecast]
  /// The nights with advice.
  package var nights: [BlanketNight]

  package init(
    records: StableRecords = StableRecords(), settings: BarnSettings = BarnSettings(), templates: [FeedTemplate] = [],
    marks: [FeedMark] = [], closedDays: [CivilDate: [FeedRow]] = [:], forecasts: [StoredForecast] = [],
    nights: [BlanketNight] = []
  ) {
    self.records = records
    self.settings = settings
    self.templates = templates
    self.marks = marks
    self.closedDays = closedDays
    self.forecasts = forecasts
    self.nights = nights
  }
}
