package import FlowModel
package import PoolModel
package import StableModel

/// The contents of a stable's archive.
package struct StableContents: Hashable, Sendable {
  package var appVersion: String
  package var createdAt: Timestamp
  package var settings: BarnSettings
  package var horses: [Horse]
  package var schedules: [HorseID: FeedSchedule]
  package var templates: [FeedTemplate]
  /// In the order in which the events were entered.
  package var care: [CareEvent]
  package var marks: [FeedMark]
  /// Each closed day has one row per horse that the barn had; none if it had no horses.
  package var closedDays: [CivilDate: [FeedRow]]
  /// The newest forecast and the previous one.
  package var forecasts: [StoredForecast]
  /// The nights with advice.
  package var nights: [BlanketNight]
  /// Warnings for the operator; the archive is usable despite them.
  package var warnings: [ArchiveWarning]
  /// The horses whose photo is named but missing; their `hasPhoto` is false.
  package var photosMissing: [HorseID]

  package init(
    appVersion: String, createdAt: Timestamp, settings: BarnSettings = BarnSettings(), horses: [Horse] = [],
    schedules: [HorseID: FeedSchedule] = [:], templates: [FeedTemplate] = [], care: [CareEvent] = [],
    marks: [FeedMark] = [], closedDays: [CivilDate: [FeedRow]] = [:], forecasts: [StoredForecast] = [],
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
  /// The part of the archive that the store holds.
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

/// The names of the members of a stable's archive.
package enum StableArchiveName {
  package static let records = "stable.json"
  package static let photoFolder = "photos/"

  package static func photo(of horse: HorseID) -> String { "\(photoFolder)\(horse).jpg" }
}
