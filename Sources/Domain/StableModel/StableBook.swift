package import PoolModel

/// A stable's records that lists are held against.
package struct StableRecords: Hashable, Sendable {
  package var horses: [Horse]
  package var schedules: [HorseID: FeedSchedule]
  /// In the order in which they were logged.
  package var care: [CareEvent]

  package init(horses: [Horse] = [], schedules: [HorseID: FeedSchedule] = [:], care: [CareEvent] = []) {
    self.horses = horses
    self.schedules = schedules
    self.care = care
  }
}

/// All that a stable keeps.
package struct StableBook: Hashable, Sendable {
  package var records: StableRecords
  package var settings: BarnSettings
  package var templates: [FeedTemplate]
  package var marks: [FeedMark]
  /// Each with a row for every horse it had, none for a barn without any.
  package var closedDays: [CivilDate: [FeedRow]]
  /// The newest and the one before.
  package var forecasts: [KeptForecast]
  /// Those that had advice.
  package var nights: [BlanketNight]

  package init(
    records: StableRecords = StableRecords(), settings: BarnSettings = BarnSettings(), templates: [FeedTemplate] = [],
    marks: [FeedMark] = [], closedDays: [CivilDate: [FeedRow]] = [:], forecasts: [KeptForecast] = [],
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

/// A forecast as it is kept.
package struct KeptForecast: Hashable, Sendable {
  package var forecast: Forecast
  /// Of the file's bytes.
  package var digest: String
  package var importedAt: Timestamp

  package init(forecast: Forecast, digest: String, importedAt: Timestamp) {
    self.forecast = forecast
    self.digest = digest
    self.importedAt = importedAt
  }
}
