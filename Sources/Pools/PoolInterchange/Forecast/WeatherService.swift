import FlowModel

/// The hourly forecast of the US National Weather Service: GeoJSON with one period per hour.
///
/// Source: National Weather Service, "API Web Service", gridpoint forecast hourly. It has no amounts of rain. Values
/// may be numbers or texts, or quantitative values with a unit.
struct WeatherService {
  /// The centre of the forecast's polygon, such as `38.96,-77.04`.
  let place: String
  private let properties: JSONObject

  init(_ object: JSONObject, _ properties: JSONObject) {
    self.properties = properties
    place = Self.middle(object["geometry"])
  }

  /// The time of issue; nil if the reply names none.
  func issuedAt() throws(ForecastFault) -> Timestamp? {
    for field in ["updateTime", "generatedAt"] {
      guard let value = properties[field], value != .null else { continue }
      guard case .text(let text) = value, let instant = forecastTime(text) else { throw .badTime(field, hour: 0) }
      return instant
    }
    return nil
  }

  func hours() throws(ForecastFault) -> [ParsedHour] {
    guard case .list(let periods) = properties["periods"] else { throw .missingField("periods") }
    guard periods.count <= Limits.forecastHours else { throw .tooManyHours(limit: Limits.forecastHours) }
    var hours: [ParsedHour] = []
    for value in periods {
      guard case .object(let period) = value else { throw .missingField("startTime") }
      hours.append(try Period(object: period, number: hours.count + 1).hour())
    }
    return hours
  }

  /// The centre of the polygon's bounding box; empty if there is no polygon.
  private static func middle(_ geometry: JSONValue?) -> String {
    guard case .object(let geometry) = geometry, case .list(let rings) = geometry["coordinates"],
      case .list(let ring) = rings.first
    else { return "" }
    var (longitudes, latitudes): ([Double], [Double]) = ([], [])
    for corner in ring {
      guard case .list(let pair) = corner, pair.count >= 2, case .number(let longitude) = pair[0],
        case .number(let latitude) = pair[1]
      else { return "" }
      longitudes.append(longitude)
      latitudes.append(latitude)
    }
    func middle(_ numbers: [Double]) -> JSONValue? {
      guard let least = numbers.min(), let most = numbers.max() else { return nil }
      return .number((least + most) / 2)
    }
    return placeText(middle(latitudes), middle(longitudes))
  }
}

/// One hour of the forecast.
private struct Period {
  let object: JSONObject
  /// From 1.
  let number: Int

  func hour() throws(ForecastFault) -> ParsedHour {
    let start = try instant("startTime")
    if let end = object["endTime"], end != .null {
      let length = try instant("endTime").since(start)
      guard length > .zero else { throw .badTime("endTime", hour: number) }
      guard length <= .hours(1) else { throw .notHourly(start) }
    }
    return ParsedHour(start: start, air: try air(), wind: try wind(), probability: try probability())
  }

  private func instant(_ field: String) throws(ForecastFault) -> Timestamp {
    guard let value = object[field], value != .null else { throw .missingField(field) }
    guard case .text(let text) = value, let instant = forecastTime(text) else { throw .badTime(field, hour: number) }
    return instant
  }

  private func air() throws(ForecastFault) -> Double? {
    let field = "temperature"
    guard let value = object[field] else { throw .missingField(field) }
    switch value {
    case .null: return nil
    case .number(let degrees):
      guard case .text(let unit) = object["temperatureUnit"] else { throw .badUnit(field, given: nil) }
      return try checked(field, try celsius(degrees, unit), ForecastRange.air)
    case .object(let quantity):
      let unit = try self.unit(field, quantity)
      guard let degrees = try quantityNumber(field, quantity["value"]) else { return nil }
      return try checked(field, try celsius(degrees, unit), ForecastRange.air)
    default: throw .badNumber(field, hour: number)
    }
  }

  private func celsius(_ degrees: Double, _ unit: String) throws(ForecastFault) -> Double {
    switch unit {
    case "C", "degC": return degrees
    case "F", "degF": return (degrees - 32) * 5 / 9
    default: throw .badUnit("temperature", given: unit)
    }
  }

  private func wind() throws(ForecastFault) -> Double? {
    let field = "windSpeed"
    switch object[field] {
    case nil, .null: return nil
    case .text(let text): return try checked(field, try wind(text), ForecastRange.wind)
    case .object(let quantity):
      guard try unit(field, quantity) == "km_h-1" else { throw .badUnit(field, given: try unit(field, quantity)) }
      // For a range, use its upper end: stronger wind feels colder.
      let most = try quantityNumber(field, quantity["maxValue"])
      let value = try quantityNumber(field, quantity["value"])
      guard let speed = most ?? value else { return nil }
      return try checked(field, speed, ForecastRange.wind)
    default: throw .badNumber(field, hour: number)
    }
  }

  /// The wind speed in km/h of a text such as `10 mph`, `5 to 10 mph` or `9 to 19 km/h`; of a range, its upper end.
  private func wind(_ text: String) throws(ForecastFault) -> Double {
    let words = text.split(separator: " ").map(String.init)
    let numbers: [String]
    switch words.count {
    case 2: numbers = [words[0]]
    case 4 where words[1] == "to": numbers = [words[0], words[2]]
    default: throw .badNumber("windSpeed", hour: number)
    }
    var most = 0.0
    for word in numbers {
      guard let speed = plainDecimal(word), speed >= 0 else { throw .badNumber("windSpeed", hour: number) }
      most = max(most, speed)
    }
    switch words[words.count - 1] {
    case "mph": return most * 1.609344
    case "km/h": return most
    case let unit: throw .badUnit("windSpeed", given: unit)
    }
  }

  private func probability() throws(ForecastFault) -> Double? {
    let field = "probabilityOfPrecipitation"
    switch object[field] {
    case nil, .null: return nil
    case .number(let share): return try checked(field, share, ForecastRange.probability)
    case .object(let quantity):
      guard try unit(field, quantity) == "percent" else { throw .badUnit(field, given: try unit(field, quantity)) }
      guard let share = try quantityNumber(field, quantity["value"]) else { return nil }
      return try checked(field, share, ForecastRange.probability)
    default: throw .badNumber(field, hour: number)
    }
  }

  // MARK: Quantitative values

  /// The unit in a `unitCode`: `degC` for `wmoUnit:degC`.
  private func unit(_ field: String, _ quantity: JSONObject) throws(ForecastFault) -> String {
    guard case .text(let code) = quantity["unitCode"] else { throw .badUnit(field, given: nil) }
    let prefix = "wmoUnit:"
    guard code.hasPrefix(prefix) else { throw .badUnit(field, given: code) }
    return String(code.dropFirst(prefix.count))
  }

  private func quantityNumber(_ field: String, _ value: JSONValue?) throws(ForecastFault) -> Double? {
    switch value {
    case nil, .null: return nil
    case .number(let number): return number
    default: throw .badNumber(field, hour: number)
    }
  }

  private func checked(
    _ field: String, _ value: Double, _ range: ClosedRange<Double>
  ) throws(ForecastFault) -> Double {
    guard range.contains(value) else { throw .badNumber(field, hour: number) }
    return value
  }
}
