import FlowModel

/// An hourly reply of Open-Meteo: one list per variable, all as long as the list of times.
///
/// Source: Open-Meteo, "Weather Forecast API", JSON Return Object. Precipitation and its probability refer to the hour
/// that ends at their time stamp, so each hour uses the values of the next time stamp.
struct OpenMeteo {
  /// The coordinates, such as `33.45,-112.07`.
  let place: String
  private let object: JSONObject
  private let hourly: JSONObject
  private let units: JSONObject?
  private let starts: [Timestamp]

  private static let temperature: [String: @Sendable (Double) -> Double] = [
    "°C": { $0 }, "°F": { ($0 - 32) * 5 / 9 },
  ]
  private static let speed: [String: @Sendable (Double) -> Double] = [
    "km/h": { $0 }, "m/s": { $0 * 3.6 }, "mp/h": { $0 * 1.609344 }, "kn": { $0 * 1.852 },
  ]
  private static let depth: [String: @Sendable (Double) -> Double] = ["mm": { $0 }, "inch": { $0 * 25.4 }]
  private static let percentUnit: [String: @Sendable (Double) -> Double] = ["%": { $0 }]

  init(_ object: JSONObject, _ hourly: JSONObject) throws(ForecastFault) {
    self.object = object
    self.hourly = hourly
    units = if case .object(let units) = object["hourly_units"] { units } else { nil }
    place = placeText(object["latitude"], object["longitude"])
    starts = try Self.starts(object, hourly, units)
  }

  func hours() throws(ForecastFault) -> [ParsedHour] {
    guard
      let air = try column("temperature_2m", units: Self.temperature, in: ForecastRange.air)
    else { throw .missingField("temperature_2m") }
    // The field's name until 2023.
    let windName = hourly["wind_speed_10m"] == nil ? "windspeed_10m" : "wind_speed_10m"
    let wind = try column(windName, units: Self.speed, in: ForecastRange.wind)
    let rain = try precipitation()
    let chance = try column("precipitation_probability", units: Self.percentUnit, in: ForecastRange.probability)
    let places = Dictionary(zip(starts, starts.indices), uniquingKeysWith: { first, _ in first })
    return starts.indices.map { index in
      let next = places[starts[index].advanced(by: .hours(1))]
      return ParsedHour(
        start: starts[index], air: air[index], wind: wind?[index], rain: next.flatMap { rain?[$0] },
        probability: next.flatMap { chance?[$0] })
    }
  }

  // MARK: Columns

  private static func starts(
    _ object: JSONObject, _ hourly: JSONObject, _ units: JSONObject?
  ) throws(ForecastFault) -> [Timestamp] {
    guard case .list(let stamps) = hourly["time"] else { throw .missingField("time") }
    guard stamps.count <= Limits.forecastHours else { throw .tooManyHours(limit: Limits.forecastHours) }
    guard case .text(let unit) = units?["time"] else { throw .badUnit("time", given: nil) }
    var offset: Int64 = 0
    switch unit {
    case "unixtime": break
    case "iso8601":
      guard let given = object["utc_offset_seconds"], given != .null else { throw .missingField("utc_offset_seconds") }
      guard case .number(let seconds) = given, abs(seconds) <= 86_400, let whole = Int64(exactly: seconds) else {
        throw .badNumber("utc_offset_seconds", hour: 0)
      }
      offset = whole
    default: throw .badUnit("time", given: unit)
    }
    var starts: [Timestamp] = []
    for stamp in stamps {
      switch stamp {
      case .text(let text) where unit == "iso8601":
        guard let local = forecastTime(text + "Z") else { throw .badTime("time", hour: starts.count + 1) }
        starts.append(local.advanced(by: .seconds(-offset)))
      case .number(let seconds) where unit == "unixtime":
        guard let whole = Int64(exactly: seconds), Limits.storedInstants.contains(whole.multipliedClamped(by: 1_000))
        else {
          throw .badTime("time", hour: starts.count + 1)
        }
        starts.append(Timestamp(seconds: whole))
      default: throw .badTime("time", hour: starts.count + 1)
      }
    }
    return starts
  }

  /// The total precipitation; if absent, the sum of rain and showers.
  private func precipitation() throws(ForecastFault) -> [Double?]? {
    if let all = try column("precipitation", units: Self.depth, in: ForecastRange.rain) { return all }
    let rain = try column("rain", units: Self.depth, in: ForecastRange.rain)
    let showers = try column("showers", units: Self.depth, in: ForecastRange.rain)
    guard let rain, let showers else { return rain ?? showers }
    return zip(rain, showers).map { rain, showers in
      let sum = (rain ?? 0) + (showers ?? 0)
      // If one part is unknown and the other is 0, the sum is unknown: the unknown part may be wet.
      return sum == 0 && (rain == nil || showers == nil) ? nil : min(sum, ForecastRange.rain.upperBound)
    }
  }

  /// The values of a variable, converted to poolflow's units; nil if the reply does not have it.
  private func column(
    _ name: String, units known: [String: @Sendable (Double) -> Double], in range: ClosedRange<Double>
  ) throws(ForecastFault) -> [Double?]? {
    guard let value = hourly[name], value != .null else { return nil }
    guard case .list(let list) = value else { throw .badNumber(name, hour: 0) }
    guard list.count == starts.count else { throw .unequalLengths(name) }
    guard case .text(let unit) = units?[name] else { throw .badUnit(name, given: nil) }
    guard let convert = known[unit] else { throw .badUnit(name, given: unit) }
    var values: [Double?] = []
    for element in list {
      switch element {
      case .null: values.append(nil)
      case .number(let number):
        let converted = convert(number)
        guard range.contains(converted) else { throw .badNumber(name, hour: values.count + 1) }
        values.append(converted)
      default: throw .badNumber(name, hour: values.count + 1)
      }
    }
    return values
  }
}

extension Int64 {
  fileprivate func multipliedClamped(by factor: Int64) -> Int64 {
    let (product, overflows) = multipliedReportingOverflow(by: factor)
    return overflows ? (self < 0 ? .min : .max) : product
  }
}

/// Coordinates as text, such as `33.45,-112.07`; empty for invalid coordinates.
func placeText(_ latitude: JSONValue?, _ longitude: JSONValue?) -> String {
  guard case .number(let latitude) = latitude, case .number(let longitude) = longitude,
    isValidLocation(latitude: latitude, longitude: longitude)
  else { return "" }
  return "\(decimalText(latitude, places: 2)),\(decimalText(longitude, places: 2))"
}
