package import PoolModel
package import StableModel

/// Everything that a stable's archive holds.
package struct StableContents: Hashable, Sendable {
  package var appVersion: String
  package var createdAt: Timestamp
  package var settings: BarnSettings
  package var horses: [Horse]
  package var schedules: [HorseID: FeedSchedule]
  package var templates: [FeedTemplate]
  /// In the order in which they were logged.
  package var care: [CareEvent]
  package var marks: [FeedMark]
  /// Each with a row for every horse it had, none for a barn without any.
  package var closedDays: [CivilDate: [FeedRow]]
  /// The newest and the one before.
  package var forecasts: [KeptForecast]
  /// Those that had advice.
  package var nights: [BlanketNight]
  /// What a person should know; the archive is usable all the same.
  package var warnings: [ArchiveRemark]
  /// Horses whose photo is said to be there and is not; they have none then.
  package var photosMissing: [HorseID]

  package init(
    appVersion: String, createdAt: Timestamp, settings: BarnSettings = BarnSettings(), horses: [Horse] = [],
    schedules: [HorseID: FeedSchedule] = [:], templates: [FeedTemplate] = [], care: [CareEvent] = [],
    marks: [FeedMark] = [], closedDays: [CivilDate: [FeedRow]] = [:], forecasts: [KeptForecast] = [],
    nights: [BlanketNight] = []
  ) {
    self.appVersion = appVersion
    self.createdAt = createdAt
    self.settings = settings
    self.horses = horses
    self.schedules = schedules
    self.templates = templates
    self.care = care
    self.marks = marks
    self.closedDays = closedDays
    self.forecasts = forecasts
    self.nights = nights
    warnings = []
    photosMissing = []
  }
}

extension StableContents {
  /// What the store keeps of it.
  package var book: StableBook {
    StableBook(
      records: StableRecords(horses: horses, schedules: schedules, care: care), settings: settings,
      templates: templates, marks: marks, closedDays: closedDays, forecasts: forecasts, nights: nights)
  }

  package init(of book: StableBook, appVersion: String, createdAt: Timestamp) {
    self.init(
      appVersion: appVersion, createdAt: createdAt, settings: book.settings, horses: book.records.horses,
      schedules: book.records.schedules, templates: book.templates, care: book.records.care, marks: book.marks,
      closedDays: book.closedDays, forecasts: book.forecasts, nights: book.nights)
  }
}

/// The names that a stable's archive's members have.
package enum StableArchiveName {
  package static let records = "stable.json"
  package static let photoFolder = "photos/"

  package static func photo(of horse: HorseID) -> String { "\(photoFolder)\(horse).jpg" }
}
