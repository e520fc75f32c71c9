package import FlowModel

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
