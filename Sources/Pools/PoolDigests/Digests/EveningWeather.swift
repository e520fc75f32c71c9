import FlowCalendar
package import FlowModel
package import FlowNotices
import PoolModel

/// The weather that the evening before tells: frost until the next evening, and rain in the next day of service.
package struct EveningWeather: Hashable, Sendable, Decodable {
  /// Why the forecast is not used, or not sufficient.
  package enum Gap: String, Hashable, Sendable, CaseIterable, Decodable {
    /// It is too old.
    case stale
    /// It covers only a part of the time.
    case short
  }

  /// The lowest air temperature in °C; nil for no frost.
  package let low: Double?
  /// The begin of the first hour with frost and the end of the last one, in the team's zone: `2026-03-02T23:00`.
  package let frostFrom: String?
  package let frostUntil: String?
  /// The precipitation in mm in the working hours; nil if it is less than the team's limit.
  package let rain: Double?
  /// The day to which the stops could be moved; nil without rain.
  package let moveTo: String?
  package let gap: Gap?
  /// When the forecast was issued, in the team's zone: `2026-03-01T17:05`.
  package let issued: String
  /// Customers of the day whose pools are far from the forecast's place; empty for none, or if it names no place.
  package let elsewhere: [String]

  enum CodingKeys: String, CodingKey {
    case rain, gap, issued, elsewhere
    case low = "low_c"
    case frostFrom = "frost_from"
    case frostUntil = "frost_until"
    case moveTo = "move_to"
  }

  /// Frost is looked for in the 24 hours from this time on, on the evening before the day.
  static let evening = TimeOfDay(hour: 18, minute: 0) ?? .midnight
  /// Rain is summed from the first hour to the last one.
  static let workingHours = 6..<20
  /// Fewer hours are named as a gap.
  static let sufficientHours = 18

  /// The weather about the day of `moment`; nil if there is nothing to tell, or if there is no forecast.
  package init?(_ facts: TeamFacts, at moment: DigestMoment) {
    let settings = facts.team.settings
    guard let forecast = facts.forecast, settings.freezeWarning != nil || settings.rainHint != nil else { return nil }
    let zone = moment.zone
    issued = zone.local(at: forecast.issuedAt).minuteText
    guard moment.asOf.since(forecast.issuedAt) <= Forecast.staleAfter else {
      (low, frostFrom, frostUntil, rain, moveTo, elsewhere) = (nil, nil, nil, nil, nil, [])
      gap = .stale
      return
    }
    func hours(from start: LocalDateTime, to end: LocalDateTime) -> [ForecastHour] {
      let (start, end) = (zone.resolve(start).standard, zone.resolve(end).standard)
      return forecast.hours.filter { $0.start >= start && $0.start < end }
    }
    let day = moment.date
    let night = hours(
      from: LocalDateTime(date: day.adding(days: -1), time: Self.evening),
      to: LocalDateTime(date: day, time: Self.evening))
    let frosty = night.filter { hour in settings.freezeWarning.map { hour.air <= $0 } ?? false }
    low = frosty.map(\.air).min()
    frostFrom = frosty.first.map { zone.local(at: $0.start).minuteText }
    frostUntil = frosty.last.map { zone.local(at: $0.start.advanced(by: .hours(1))).minuteText }
    let stops = facts.stops(on: day)
    let working =
      night.isEmpty || stops.isEmpty
      ? []
      : forecast.hours.filter { hour in
        let local = zone.local(at: hour.start)
        return local.date == day && Self.workingHours.contains(local.time.hour)
      }
    let total = working.compactMap(\.rain).reduce(0, +)
    rain = settings.rainHint.flatMap { total >= $0 ? total : nil }
    moveTo = rain.map { _ in facts.nextWorkingDay(after: day).description }
    gap = night.count < Self.sufficientHours && settings.freezeWarning != nil ? .short : nil
    let tells = low != nil || rain != nil
    let place = tells ? ForecastPlace(forecast.place) : nil
    elsewhere = stops.filter { stop in
      guard let place, isValidLocation(latitude: stop.latitude, longitude: stop.longitude) else { return false }
      return place.isFar(from: ForecastPlace(latitude: stop.latitude, longitude: stop.longitude))
    }.map(\.customerName)
    guard tells || gap != nil else { return nil }
  }

  private init(frostOf weather: EveningWeather) {
    (low, frostFrom, frostUntil) = (weather.low, weather.frostFrom, weather.frostUntil)
    (rain, moveTo) = (nil, nil)
    (gap, issued, elsewhere) = (weather.gap, weather.issued, weather.elsewhere)
  }

  /// The weather for a technician, who moves no days; nil if only rain is expected.
  var ofTechnician: EveningWeather? {
    low == nil && gap == nil ? nil : EveningWeather(frostOf: self)
  }

  /// The sentences, in the team's language and units.
  func lines(_ localizer: Localizer, on date: CivilDate, of team: String) -> [String] {
    let (phrases, format) = (localizer.phrases, localizer.format)
    func moment(_ text: String?) -> String { text.flatMap { LocalDateTime(minuteText: $0) }.map(format.moment) ?? "" }
    var lines: [String] = []
    if let low { lines.append(phrases.frostWarning(format.temperature(low), moment(frostFrom), moment(frostUntil))) }
    if let rain, let moveTo {
      lines.append(
        phrases.rainExpected(
          format.rain(rain), localizer.dateFormats.shortDay(date),
          "pfctl day move \(date) --to \(moveTo) --team \(team)"))
    }
    switch gap {
    case .stale?: lines.append(phrases.forecastStale(moment(issued)))
    case .short?: lines.append(phrases.forecastShort())
    case nil: break
    }
    if !elsewhere.isEmpty { lines.append(phrases.forecastElsewhere(localizer.shortList(elsewhere))) }
    return lines
  }
}

extension EveningWeather: JSONWritable {
  package func members(_ json: inout JSONText) {
    json.member("elsewhere", elsewhere)
    json.member("frost_from", frostFrom)
    json.member("frost_until", frostUntil)
    json.member("gap", gap?.rawValue)
    json.member("issued", issued)
    json.member("low_c", low)
    json.member("move_to", moveTo)
    json.member("rain", rain)
  }
}
