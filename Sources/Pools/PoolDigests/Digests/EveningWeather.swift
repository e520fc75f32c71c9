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
  /// The day to which all stops could be moved; nil without rain, and if there is none in the next week.
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
  fileprivate static let evening = TimeOfDay(hour: 18, minute: 0) ?? .midnight
  /// Rain is summed from the first hour to the last one.
  fileprivate static let workingHours = 6..<20
  /// Fewer hours are named as a gap.
  fileprivate static let sufficientHours = 18

  /// The weather about the day of `moment`; nil if there is nothing to tell, or if there is no forecast.
  package init?(_ facts: TeamFacts, at moment: DigestMoment) {
    let settings = facts.team.settings
    guard let forecast = facts.forecast?.forecast, settings.freezeWarning != nil || settings.rainHint != nil else {
      return nil
    }
    let zone = moment.zone
    issued = zone.local(at: forecast.issuedAt).minuteText
    guard moment.asOf.since(forecast.issuedAt) <= Forecast.staleAfter else {
      (low, frostFrom, frostUntil, rain, moveTo, elsewhere) = (nil, nil, nil, nil, nil, [])
      gap = .stale
      return
    }
    let day = moment.date
    let outlook = Outlook(forecast, on: day, in: zone)
    let frosty = outlook.night.filter { hour in settings.freezeWarning.map { hour.air <= $0 } ?? false }
    low = frosty.map(\.air).min()
    frostFrom = frosty.first.map { zone.local(at: $0.start).minuteText }
    frostUntil = frosty.last.map { zone.local(at: $0.start.advanced(by: .hours(1))).minuteText }
    let stops = facts.stops(on: day)
    let total = stops.isEmpty ? 0 : outlook.rain
    rain = settings.rainHint.flatMap { total >= $0 ? total : nil }
    moveTo = settings.rainHint.flatMap { limit in
      total < limit
        ? nil
        : facts.dayForAllStops(of: day) { Outlook(forecast, on: $0, in: zone).rain < limit }?.description
    }
    gap = outlook.isSufficient || settings.freezeWarning == nil ? nil : .short
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
    unnamedLines(localizer, on: date, of: team) + namedLines(localizer)
  }

  /// The sentences with customers' names.
  func namedLines(_ localizer: Localizer) -> [String] {
    elsewhere.isEmpty ? [] : [localizer.phrases.forecastElsewhere(localizer.shortList(elsewhere))]
  }

  /// The sentences without any name.
  func unnamedLines(_ localizer: Localizer, on date: CivilDate, of team: String) -> [String] {
    let (phrases, format) = (localizer.phrases, localizer.format)
    func time(_ text: String?, _ written: (LocalDateTime) -> String) -> String {
      text.flatMap { LocalDateTime(minuteText: $0) }.map(written) ?? ""
    }
    var lines: [String] = []
    if let low {
      lines.append(
        phrases.frostWarning(format.temperature(low), time(frostFrom, format.clock), time(frostUntil, format.clock)))
    }
    if let rain, moveTo == nil {
      lines.append(phrases.rainOnDay(format.rain(rain), localizer.dateFormats.shortDay(date)))
    } else if let rain, let moveTo {
      lines.append(
        phrases.rainExpected(
          format.rain(rain), localizer.dateFormats.shortDay(date),
          "pfctl day move \(date) --to \(moveTo) --team \(team)"))
    }
    switch gap {
    case .stale?: lines.append(phrases.forecastStale(time(issued, format.moment)))
    case .short?: lines.append(phrases.forecastShort())
    case nil: break
    }
    return lines
  }
}

/// The hours of a forecast that matter for a day of service.
private struct Outlook {
  /// From the evening before to the evening of the day.
  let night: [ForecastHour]
  private let working: [ForecastHour]

  init(_ forecast: Forecast, on day: CivilDate, in zone: Zone) {
    func instant(_ date: CivilDate) -> Timestamp {
      zone.resolve(LocalDateTime(date: date, time: EveningWeather.evening)).standard
    }
    let (start, end) = (instant(day.adding(days: -1)), instant(day))
    night = forecast.hours.filter { $0.start >= start && $0.start < end }
    working =
      night.isEmpty
      ? []
      : forecast.hours.filter { hour in
        let local = zone.local(at: hour.start)
        return local.date == day && EveningWeather.workingHours.contains(local.time.hour)
      }
  }

  var isSufficient: Bool { night.count >= EveningWeather.sufficientHours }
  /// The precipitation in mm in the working hours.
  var rain: Double { working.compactMap(\.rain).reduce(0, +) }
}

// The weather in an explanation of the notice.
extension EveningWeather {
  /// The forecast with its figures and the team's limits, or why none is used, in English: `forecast csv, issued 2026-03-02
  /// 15:00, imported 2026-03-02 15:05: lowest 28 °F (warning from 32 °F down), 0.47 in of rain (hint from 0.39 in)`.
  ///
  /// - Parameter moment: as of the notice, about the day of service.
  package static func explanation(_ facts: TeamFacts, at moment: DigestMoment) -> String {
    let settings = facts.team.settings
    guard settings.freezeWarning != nil || settings.rainHint != nil else {
      return "frost and rain are not told: freeze-warning and rain-hint are off"
    }
    guard let stored = facts.forecast else { return "frost and rain are not told: the team has no weather forecast" }
    func local(_ instant: Timestamp) -> String {
      let local = moment.zone.local(at: instant)
      return "\(local.date) \(local.minuteText.suffix(5))"
    }
    let forecast = stored.forecast
    let place = forecast.place.isEmpty ? "" : " for \(forecast.place)"
    let head =
      "forecast \(forecast.source.rawValue)\(place), issued \(local(forecast.issuedAt)), imported "
      + "\(local(stored.importedAt)): "
    guard moment.asOf.since(forecast.issuedAt) <= Forecast.staleAfter else {
      return head + "not used, because it is older than \(Forecast.staleAfter.components.seconds / 3_600) hours"
    }
    let outlook = Outlook(forecast, on: moment.date, in: moment.zone)
    guard let low = outlook.night.map(\.air).min() else { return head + "it has no hour of that day" }
    var team = facts.team
    team.language = .english
    let format = Localizer(team).format
    let frost = settings.freezeWarning.map { "warning from \(format.temperature($0)) down" } ?? "freeze-warning off"
    let rain =
      facts.stops(on: moment.date).isEmpty
      ? "no stops" : settings.rainHint.map { "hint from \(format.rain($0))" } ?? "rain-hint off"
    return head + "lowest \(format.temperature(low)) (\(frost)), \(format.rain(outlook.rain)) of rain (\(rain))"
      + (outlook.isSufficient ? "" : ", only \(outlook.night.count) of 24 hours")
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
