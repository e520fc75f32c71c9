internal import Glibc

/// A weather forecast imported from one file.
package struct Forecast: Hashable, Sendable {
  /// The format of the file.
  package enum Source: String, Sendable, CaseIterable, Codable {
    case csv
    case openMeteo = "open-meteo"
    case nws
  }

  /// A forecast is not used from this age on.
  package static let staleAfter: Duration = .hours(36)

  package var source: Source
  /// The location in the file, such as `33.45,-112.07`; empty if it names none.
  package var place: String
  package var issuedAt: Timestamp
  /// Sorted by time.
  package var hours: [ForecastHour]

  package init(source: Source, place: String, issuedAt: Timestamp, hours: [ForecastHour]) {
    self.source = source
    self.place = place
    self.issuedAt = issuedAt
    self.hours = hours
  }
}

/// The weather of one hour.
package struct ForecastHour: Hashable, Sendable {
  /// The first instant of the hour.
  package var start: Timestamp
  /// The air temperature in °C, −90 to 60.
  package var air: Double
  /// The wind speed in km/h, 0 to 500.
  package var wind: Double?
  /// The precipitation of any kind in mm, 0 to 500.
  package var rain: Double?
  /// The probability of precipitation in %, 0 to 100.
  package var probability: Double?

  package init(start: Timestamp, air: Double, wind: Double? = nil, rain: Double? = nil, probability: Double? = nil) {
    self.start = start
    self.air = air
    self.wind = wind
    self.rain = rain
    self.probability = probability
  }
}

/// The result of importing a forecast.
package enum ForecastEffect: String, Sendable, CaseIterable, Codable {
  case imported, unchanged, older

  /// The effect of a file. A file with the bytes of a stored forecast changes nothing; an older forecast does not
  /// replace a newer one.
  ///
  /// - Parameter kept: the stored forecasts, newest first, at most two.
  package static func of(
    issuedAt: Timestamp, digest: String, kept: [(issuedAt: Timestamp, digest: String)]
  ) -> ForecastEffect {
    if kept.contains(where: { $0.digest == digest }) { return .unchanged }
    guard let newest = kept.first, issuedAt < newest.issuedAt else { return .imported }
    return .older
  }
}

/// A stored forecast.
package struct StoredForecast: Hashable, Sendable {
  package var forecast: Forecast
  /// The digest of the imported file, which identifies repeated imports.
  package var digest: String
  package var importedAt: Timestamp

  package init(forecast: Forecast, digest: String, importedAt: Timestamp) {
    self.forecast = forecast
    self.digest = digest
    self.importedAt = importedAt
  }
}

extension ForecastHour {
  /// True from 0.2 mm of precipitation; without an amount, from a probability of 50 %.
  /// Dry without both.
  package var isWet: Bool {
    if let rain { return rain >= 0.2 }
    return (probability ?? 0) >= 50
  }

  /// The felt temperature in °C: the wind chill, less 5 °C in wet weather.
  ///
  /// The wind chill applies at 10 °C or less and in more than 4.8 km/h of wind. Source: Environment Canada and US
  /// National Weather Service, wind chill index of 2001, `13.12 + 0.6215 T − 11.37 v^0.16 + 0.3965 T v^0.16`, T in °C,
  /// v in km/h. Example: 10 °C in 20 km/h feel like 7.376 °C.
  package var felt: Double {
    var felt = air
    if air <= 10, let wind, wind > 4.8 {
      let power = pow(wind, 0.16)
      felt = 13.12 + 0.6215 * air - 11.37 * power + 0.3965 * air * power
    }
    return isWet ? felt - 5 : felt
  }
}

/// Bounds of forecasts.
extension Limits {
  /// Maximum bytes of one forecast file; 16 days of the most verbose weather service take a third of it.
  package static let forecastBytes = 1 << 20
  /// Maximum hours of one forecast: four months, while no service forecasts more than 16 days.
  package static let forecastHours = 3_000
}

/// The coordinates that a forecast names, such as `33.45,-112.07`.
package struct ForecastPlace: Hashable, Sendable {
  package let latitude: Double
  package let longitude: Double

  package init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }

  /// - Returns: nil for a text that names no coordinates.
  package init?(_ text: String) {
    let parts = text.split(separator: ",")
    guard parts.count == 2, let latitude = Double(parts[0]), let longitude = Double(parts[1]) else { return nil }
    self.init(latitude: latitude, longitude: longitude)
  }

  /// True if more than half a degree apart; weather services round to grid points, which are closer.
  package func isFar(from other: ForecastPlace) -> Bool {
    abs(latitude - other.latitude) > 0.5 || abs(longitude - other.longitude) > 0.5
  }
}
