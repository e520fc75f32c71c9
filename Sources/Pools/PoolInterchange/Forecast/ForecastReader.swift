package import FlowModel

/// Reads a forecast file or refuses it as a whole. Formats: poolflow's CSV, Open-Meteo's hourly JSON, and the hourly
/// GeoJSON of the US National Weather Service.
package enum ForecastReader {
  /// Reads a file.
  ///
  /// - Parameter modifiedAt: the modification time of the file, used as time of issue if the file names none.
  package static func read(_ bytes: [UInt8], modifiedAt: Timestamp) throws(ForecastFault) -> Forecast {
    guard bytes.count <= Limits.forecastBytes else {
      throw .tooManyBytes(bytes.count, limit: Limits.forecastBytes)
    }
    let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    guard !text.contains(0), (try? UTF8Span(validating: text.span)) != nil else { throw .notUTF8 }
    guard let first = text.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) else { throw .notAForecast }
    guard first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else {
      return try forecast(.csv, try ForecastCSV.hours(text), issuedAt: modifiedAt)
    }
    let value: JSONValue
    do throws(JSONFault) {
      var scanner = JSONScanner(text, values: text.count)
      // Units and times are strings that are compared with known texts.
      scanner.comparesTexts = true
      value = try scanner.document()
    } catch { throw .badJSON(error) }
    guard case .object(let object) = value else { throw .notAForecast }
    if case .object(let hourly) = object["hourly"] {
      let service = try OpenMeteo(object, hourly)
      return try forecast(.openMeteo, try service.hours(), issuedAt: modifiedAt, place: service.place)
    }
    if case .object(let properties) = object["properties"] {
      let service = WeatherService(object, properties)
      return try forecast(
        .nws, try service.hours(), issuedAt: try service.issuedAt() ?? modifiedAt, place: service.place)
    }
    throw .notAForecast
  }

  /// True if a file is meant as a forecast, even an unreadable one: JSON, or CSV with `time` and `air_c` in its first
  /// row.
  package static func isForecast(_ bytes: [UInt8], name: String) -> Bool {
    if name.lowercased().hasSuffix(".json") { return true }
    let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    let start = text.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    if start.first == UInt8(ascii: "{") || start.first == UInt8(ascii: "[") { return true }
    let line = start.prefix { $0 != 0x0A && $0 != 0x0D }.prefix(4_096)
    let names = String(decoding: line, as: UTF8.self).lowercased().split { !($0.isLetter || $0 == "_") }
    return names.contains("time") && names.contains("air_c")
  }

  /// True if a file is a forecast: CSV with `time` and `air_c` in its first row, or JSON of a supported service.
  package static func isReadable(_ bytes: [UInt8]) -> Bool {
    do throws(ForecastFault) {
      _ = try read(bytes, modifiedAt: Timestamp(seconds: 0))
      return true
    } catch {
      switch error {
      case .notAForecast, .badJSON, .notUTF8: return false
      case .tooManyBytes: return isForecast(bytes, name: "")
      default: return true
      }
    }
  }

  private static func forecast(
    _ source: Forecast.Source, _ read: [ParsedHour], issuedAt: Timestamp, place: String = ""
  ) throws(ForecastFault) -> Forecast {
    let sorted = read.sorted { $0.start < $1.start }
    for (hour, next) in zip(sorted, sorted.dropFirst()) {
      guard hour.start < next.start else { throw .duplicateHour(hour.start) }
      guard next.start.since(hour.start) >= .hours(1) else { throw .notHourly(next.start) }
    }
    let hours = sorted.compactMap(\.hour)
    guard !hours.isEmpty else { throw .noHours }
    return Forecast(source: source, place: place, issuedAt: issuedAt, hours: hours)
  }
}

/// An hour as read from a file. Hours without an air temperature are left out of the forecast.
struct ParsedHour {
  let start: Timestamp
  var air: Double?
  var wind: Double?
  var rain: Double?
  var probability: Double?

  var hour: ForecastHour? {
    air.map { ForecastHour(start: start, air: $0, wind: wind, rain: rain, probability: probability) }
  }
}

/// The accepted ranges of a forecast's values: °C, km/h, mm and %, beyond all records.
package enum ForecastRange {
  package static let air = -90.0...60.0
  package static let wind = 0.0...500.0
  package static let rain = 0.0...500.0
  package static let probability = 0.0...100.0
}

/// Parses a time with `Z` or an offset, with or without seconds and fractions.
func forecastTime(_ text: String) -> Timestamp? {
  if let instant = Timestamp(rfc3339: text) { return instant }
  // RFC 3339 requires seconds, ISO 8601 does not; insert them.
  let place = text.utf8.index(text.startIndex, offsetBy: 16, limitedBy: text.endIndex)
  guard let place, place < text.endIndex else { return nil }
  return Timestamp(rfc3339: "\(text[..<place]):00\(text[place...])")
}
