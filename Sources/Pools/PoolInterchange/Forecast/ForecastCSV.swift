import FlowModel

/// Reads poolflow's own forecast CSV: `time,air_c,wind_kmh,rain_mm,rain_probability` in any order. The first two are
/// required; other columns are ignored.
enum ForecastCSV {
  /// The columns, by heading.
  private enum Column: String, CaseIterable {
    case time
    case air = "air_c"
    case wind = "wind_kmh"
    case rain = "rain_mm"
    case probability = "rain_probability"

    var range: ClosedRange<Double> {
      switch self {
      case .time, .air: ForecastRange.air
      case .wind: ForecastRange.wind
      case .rain: ForecastRange.rain
      case .probability: ForecastRange.probability
      }
    }
  }

  /// The hours of the file, in file order.
  ///
  /// - Parameter text: UTF-8 without a byte order mark.
  static func hours(_ text: [UInt8]) throws(ForecastFault) -> [ParsedHour] {
    var records = CSVRecords(text, delimiter: .comma)
    guard let header = try next(&records) else { throw .notAForecast }
    let names = header.map { CSVColumn.normalized($0) }
    var columnIndexes: [Column: Int] = [:]
    for column in Column.allCases { columnIndexes[column] = names.firstIndex(of: column.rawValue) }
    guard !columnIndexes.isEmpty else { throw .notAForecast }
    guard let time = columnIndexes[.time] else { throw .missingField(Column.time.rawValue) }
    guard columnIndexes[.air] != nil else { throw .missingField(Column.air.rawValue) }
    var hours: [ParsedHour] = []
    while let cells = try next(&records) {
      let number = hours.count + 1
      guard number <= Limits.forecastHours else { throw .tooManyHours(limit: Limits.forecastHours) }
      guard time < cells.count, let start = forecastTime(cells[time]) else {
        throw .badTime(Column.time.rawValue, hour: number)
      }
      func value(_ column: Column) throws(ForecastFault) -> Double? {
        guard let columnIndex = columnIndexes[column], columnIndex < cells.count, !cells[columnIndex].isEmpty else {
          return nil
        }
        guard let value = plainDecimal(cells[columnIndex]), column.range.contains(value) else {
          throw .badNumber(column.rawValue, hour: number)
        }
        return value
      }
      hours.append(
        ParsedHour(
          start: start, air: try value(.air), wind: try value(.wind), rain: try value(.rain),
          probability: try value(.probability)))
    }
    return hours
  }

  private static func next(_ records: inout CSVRecords) throws(ForecastFault) -> [String]? {
    do throws(CSVError) {
      return try records.nextTexts(keeping: Limits.csvColumns)?.texts
    } catch { throw .notAForecast }
  }
}
