import FlowModel
import PoolInterchange
import StableModel

/// Reads each kind of record of a stable's archive.
enum StableFields {
  static func horse(_ record: RecordReader) throws(ArchiveError) -> Horse {
    Horse(
      id: try record.id("id"), name: try name(record, "name"), owner: try record.text("owner", .name),
      isClipped: try flag(record, "isClipped"), added: try date(record, "added"),
      hasPhoto: !(try record.text("photo", .name)).isEmpty)
  }

  static func template(_ record: RecordReader) throws(ArchiveError) -> FeedTemplate {
    let uses = try record.whole("uses")
    guard uses >= 0 else { throw record.refuse("uses", .outOfRange) }
    return FeedTemplate(
      id: try record.id("id"), name: try name(record, "name"), about: try record.text("about", .notes),
      schedule: try schedule(record, "feed") ?? FeedSchedule(), uses: uses,
      createdAt: try record.instant("createdAt"))
  }

  static func schedule(_ record: RecordReader, _ field: String) throws(ArchiveError) -> FeedSchedule? {
    guard let value = record.value(field) else { return nil }
    let feed = try record.inner(value)
    func meal(_ slot: String) throws(ArchiveError) -> FeedMeal {
      guard let value = feed.value(slot) else { return FeedMeal() }
      let meal = try feed.inner(value)
      return FeedMeal(
        grain: try meal.text("grain", .name), supplements: try entries(meal, "supplements"),
        medications: try entries(meal, "medications"))
    }
    return FeedSchedule(am: try meal("am"), pm: try meal("pm"))
  }

  static func care(_ record: RecordReader) throws(ArchiveError) -> CareEvent {
    let day = try date(record, "date")
    let due = record.value("nextDue") == nil ? nil : try date(record, "nextDue")
    if let due, due <= day { throw record.refuse("nextDue", .notAfter("date")) }
    var cost: Cost?
    let costText = try record.text("cost", .name)
    if !costText.isEmpty {
      guard let amount = Cost(costText) else { throw record.refuse("cost", .outOfRange) }
      cost = amount
    }
    return CareEvent(
      id: try record.id("id"), horseID: try record.id("horse"), type: try word(record, "type"), date: day,
      notes: try record.text("notes", .notes), nextDue: due, cost: cost, provider: try record.text("provider", .name))
  }

  static func mark(_ record: RecordReader) throws(ArchiveError) -> FeedMark {
    FeedMark(
      horseID: try record.id("horse"), date: try date(record, "date"), slot: try word(record, "slot"),
      at: try record.instant("at"), by: try record.text("by", .name), marking: Int64(try record.whole("marking")))
  }

  static func row(_ record: RecordReader) throws(ArchiveError) -> FeedRow {
    FeedRow(
      date: try date(record, "date"), horseID: try record.id("horse"), horse: try name(record, "name"),
      am: try word(record, "am"), pm: try word(record, "pm"))
  }

  static func forecast(_ record: RecordReader) throws(ArchiveError) -> StoredForecast {
    var hours: [ForecastHour] = []
    for (index, value) in try list(record, "hours").enumerated() {
      guard index < Limits.forecastHours else { throw record.refuse("hours", .tooMany(limit: Limits.forecastHours)) }
      hours.append(try hour(try record.inner(value)))
      if index > 0, hours[index].start <= hours[index - 1].start {
        throw record.refuse("hours", .notAfter("the hour before"))
      }
    }
    let forecast = Forecast(
      source: try word(record, "source"), place: try record.text("place", .name),
      issuedAt: try record.instant("issuedAt"), hours: hours)
    return StoredForecast(
      forecast: forecast, digest: try record.text("digest", .name), importedAt: try record.instant("importedAt"))
  }

  private static func hour(_ record: RecordReader) throws(ArchiveError) -> ForecastHour {
    func value(_ field: String, _ range: ClosedRange<Double>) throws(ArchiveError) -> Double? {
      guard let number = try record.optionalNumber(field) else { return nil }
      guard range.contains(number) else { throw record.refuse(field, .outOfRange) }
      return number
    }
    guard let air = try value("airC", ForecastRange.air) else { throw record.refuse("airC", .missing) }
    return ForecastHour(
      start: try record.instant("time"), air: air, wind: try value("windKmh", ForecastRange.wind),
      rain: try value("rainMm", ForecastRange.rain), probability: try value("probability", ForecastRange.probability))
  }

  static func night(_ record: RecordReader) throws(ArchiveError) -> BlanketNight {
    var advice: [HorseID: BlanketAdvice] = [:]
    for value in try list(record, "horses") {
      let line = try record.inner(value)
      let horse: HorseID = try line.id("horse")
      let worn: BlanketAdvice = try word(line, "advice")
      guard advice.updateValue(worn, forKey: horse) == nil else { throw line.refuse("horse", .taken) }
    }
    return BlanketNight(
      date: try date(record, "date"), felt: try record.number("feltC"), isWet: try flag(record, "isWet"),
      advice: advice)
  }

  static func settings(_ record: RecordReader, _ field: String) throws(ArchiveError) -> BarnSettings {
    guard let value = record.value(field) else { return BarnSettings() }
    let object = try record.inner(value)
    var settings = BarnSettings()
    if object.value("limits") != nil {
      var degrees: [Double] = []
      for value in try list(object, "limits") {
        guard case .text(let text) = value, let number = plainDecimal(text) else {
          throw object.refuse("limits", .notANumber)
        }
        degrees.append(number)
      }
      guard let limits = BlanketLimits(degrees) else { throw object.refuse("limits", .outOfRange) }
      settings.limits = limits
    }
    guard object.value("intervals") != nil else { return settings }
    for value in try list(object, "intervals") {
      let interval = try object.inner(value)
      let days = interval.value("days") == nil ? nil : try interval.whole("days")
      if let days, !Limits.careIntervalDays.contains(days) { throw interval.refuse("days", .outOfRange) }
      settings.intervals[try word(interval, "type")] = .some(days)
    }
    return settings
  }

  // MARK: Fields

  /// A required text that is not blank.
  private static func name(_ record: RecordReader, _ field: String) throws(ArchiveError) -> String {
    let text = try record.name(field)
    guard !text.allSatisfy(\.isWhitespace) else { throw record.refuse(field, .missing) }
    return text
  }

  static func date(_ record: RecordReader, _ field: String) throws(ArchiveError) -> CivilDate {
    guard let value = record.value(field) else { throw record.refuse(field, .missing) }
    guard case .text(let text) = value, let date = CivilDate(text) else { throw record.refuse(field, .notADate) }
    return date
  }

  private static func flag(_ record: RecordReader, _ field: String) throws(ArchiveError) -> Bool {
    switch record.value(field) {
    case nil: false
    case .bool(let flag): flag
    default: throw record.refuse(field, .unexpectedToken)
    }
  }

  private static func word<Word: RawRepresentable>(_ record: RecordReader, _ field: String) throws(ArchiveError) -> Word
  where Word.RawValue == String {
    guard let value = record.value(field) else { throw record.refuse(field, .missing) }
    guard case .text(let text) = value, let word = Word(rawValue: text) else {
      throw record.refuse(field, .unexpectedToken)
    }
    return word
  }

  /// The elements of a list; empty if the field is absent.
  private static func list(_ record: RecordReader, _ field: String) throws(ArchiveError) -> [JSONValue] {
    guard let value = record.value(field) else { return [] }
    guard case .list(let list) = value else { throw record.refuse(field, .notAList) }
    return list
  }

  private static func entries(_ record: RecordReader, _ field: String) throws(ArchiveError) -> [String] {
    var entries: [String] = []
    for value in try list(record, field) {
      var object = JSONObject()
      object.append(field, value)
      entries.append(try record.inner(.object(object)).text(field, .feedEntry))
    }
    guard entries.count <= Limits.feedListEntries || record.origin == .ownBackup else {
      throw record.refuse(field, .tooMany(limit: Limits.feedListEntries))
    }
    return entries
  }
}
