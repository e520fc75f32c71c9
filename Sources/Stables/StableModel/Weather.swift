package import FlowModel

/// A weather forecast imported from one file.
package struct Forecast: Hashable, Sendable {
  /// The format of the file.
  package enum Source: String, Sendable, CaseIterable, Codable {
    case csv
    case openMeteo = "open-meteo"
    case nws
  }

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

/// The blanket recommended for a horse, from none to the warmest.
package enum BlanketAdvice: String, Sendable, CaseIterable, Codable {
  case none
  case rainSheet = "rain-sheet"
  case sheet, light, medium, heavy
  case heavyLiner = "heavy-liner"

  /// The weight of the filling in grams, as blankets are sold; nil for no blanket.
  package var grams: Int? {
    switch self {
    case .none: nil
    case .rainSheet, .sheet: 0
    case .light: 100
    case .medium: 200
    case .heavy: 300
    case .heavyLiner: 400
    }
  }
}

/// The felt temperatures below which a clipped horse gets a sheet, a light, a medium and a heavy blanket, and one with
/// a liner.
package struct BlanketLimits: Hashable, Sendable {
  /// Five temperatures in °C from −60 to 40, in descending order.
  package let degrees: [Double]

  /// Nil unless there are five temperatures in range, in descending order.
  package init?(_ degrees: [Double]) {
    guard degrees.count == 5, degrees.allSatisfy({ (-60...40).contains($0) }),
      zip(degrees, degrees.dropFirst()).allSatisfy({ $0 > $1 })
    else { return nil }
    self.degrees = degrees
  }

  private init(unchecked degrees: [Double]) { self.degrees = degrees }
  package static let usual = BlanketLimits(unchecked: [15, 10, 5, 0, -7])
}

/// The blanket advice for a night; the horses are assumed to wear it until the morning.
package struct BlanketNight: Hashable, Sendable {
  /// The date of the night's evening.
  package var date: CivilDate
  /// The lowest felt temperature in °C.
  package var felt: Double
  package var isWet: Bool
  package var advice: [HorseID: BlanketAdvice]

  package init(date: CivilDate, felt: Double, isWet: Bool, advice: [HorseID: BlanketAdvice]) {
    self.date = date
    self.felt = felt
    self.isWet = isWet
    self.advice = advice
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
