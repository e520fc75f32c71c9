package import FlowModel

/// The reason why a forecast file is refused as a whole.
package enum ForecastFault: Error, Hashable, Sendable {
  case tooManyBytes(Int, limit: Int)
  case tooManyHours(limit: Int)
  case notUTF8
  /// The file is neither poolflow's CSV nor a reply of a supported service.
  case notAForecast
  case badJSON(JSONFault)
  case missingField(String)
  case unequalLengths(String)
  /// `given` is the unit in the file; nil if it has none.
  case badUnit(String, given: String?)
  case badTime(String, hour: Int)
  /// `hour` counts the hours of the file from 1; 0 for a number that concerns the whole file.
  case badNumber(String, hour: Int)
  case duplicateHour(Timestamp)
  case notHourly(Timestamp)
  case noHours

  package var code: String {
    switch self {
    case .tooManyBytes, .tooManyHours: "too-large"
    case .notUTF8: "not-utf8"
    case .notAForecast: "not-a-forecast"
    case .badJSON: "bad-json"
    case .missingField: "missing-field"
    case .unequalLengths: "unequal-lengths"
    case .badUnit: "bad-unit"
    case .badTime: "bad-time"
    case .badNumber: "bad-number"
    case .duplicateHour: "duplicate-hour"
    case .notHourly: "not-hourly"
    case .noHours: "no-hours"
    }
  }
}

extension ForecastFault: CustomStringConvertible {
  package var description: String {
    switch self {
    case .tooManyBytes(let bytes, let limit): "the file has \(sizeText(bytes)), more than \(sizeText(limit))"
    case .tooManyHours(let limit): "the file has more than \(limit) hours"
    case .notUTF8: "the file is not text in UTF-8"
    case .notAForecast:
      "the file is not a forecast: neither a CSV with the columns time and air_c, nor hourly JSON of Open-Meteo or of the US "
        + "weather service"
    case .badJSON(let fault): "the file is not JSON: \(fault)"
    case .missingField(let field): "the forecast has no \(field)"
    case .unequalLengths(let field): "\(field) does not have one value for each time"
    case .badUnit(let field, let given?):
      "\(field) is in '\(visible(TextRule.shown.truncated(given)))', which is not a known unit"
    case .badUnit(let field, nil): "\(field) has no unit"
    case .badTime(let field, let hour): "\(field)\(ofHour(hour)) is not a time with an offset from UTC"
    case .badNumber(let field, let hour): "\(field)\(ofHour(hour)) is not a possible value"
    case .duplicateHour(let instant): "the hour \(instant) occurs twice"
    case .notHourly(let instant): "the forecast is not hourly at \(instant)"
    case .noHours: "no hour of the forecast has an air temperature"
    }
  }

  private func ofHour(_ hour: Int) -> String { hour > 0 ? " of hour \(hour)" : "" }
}
