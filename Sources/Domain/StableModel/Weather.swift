package import PoolModel

/// The weather to come, as one file had it.
package struct Forecast: Hashable, Sendable {
  package enum Source: String, Sendable, CaseIterable, Codable {
    case csv
    case openMeteo = "open-meteo"
    case nws
  }

  package var source: Source
  /// As the file names it, such as `33.45,-112.07`; empty where it does not.
  package var place: String
  package var issuedAt: Timestamp
  /// By their time.
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
  /// Its first instant.
  package var start: Timestamp
  /// °C, −90 to 60.
  package var air: Double
  /// km/h, 0 to 500.
  package var wind: Double?
  /// mm of precipitation of any kind, 0 to 500.
  package var rain: Double?
  /// %, 0 to 100.
  package var probability: Double?

  package init(start: Timestamp, air: Double, wind: Double? = nil, rain: Double? = nil, probability: Double? = nil) {
    self.start = start
    self.air = air
    self.wind = wind
    self.rain = rain
    self.probability = probability
  }
}

/// What a horse is to wear, from nothing to the warmest.
package enum BlanketAdvice: String, Sendable, CaseIterable, Codable {
  case none
  case rainSheet = "rain-sheet"
  case sheet, light, medium, heavy
  case heavyLiner = "heavy-liner"

  /// Of the filling, as blankets are sold; nil for none.
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

/// Below which felt temperatures a clipped horse gets a sheet, a light, a medium, a heavy blanket and one with a liner.
package struct BlanketLimits: Hashable, Sendable {
  /// Five, in °C, each lower than the one before, −60 to 40.
  package let degrees: [Double]

  package init?(_ degrees: [Double]) {
    guard degrees.count == 5, degrees.allSatisfy({ (-60...40).contains($0) }),
      zip(degrees, degrees.dropFirst()).allSatisfy({ $0 > $1 })
    else { return nil }
    self.degrees = degrees
  }

  private init(unchecked degrees: [Double]) { self.degrees = degrees }
  package static let usual = BlanketLimits(unchecked: [15, 10, 5, 0, -7])
}

/// What was advised for a night, which is what the horses wear until the morning.
package struct BlanketNight: Hashable, Sendable {
  /// The date of its evening.
  package var date: CivilDate
  /// The least felt temperature, °C.
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

/// What an import of a forecast comes to.
package enum ForecastEffect: String, Sendable, CaseIterable, Codable {
  case imported, unchanged, older

  /// A file whose bytes are those of the newest or of the one before changes nothing, and an older one replaces no newer.
  ///
  /// - Parameter kept: the newest and the one before; fewer where there are none.
  package static func of(
    issuedAt: Timestamp, digest: String, kept: [(issuedAt: Timestamp, digest: String)]
  ) -> ForecastEffect {
    if kept.contains(where: { $0.digest == digest }) { return .unchanged }
    guard let newest = kept.first, issuedAt < newest.issuedAt else { return .imported }
    return .older
  }
}
