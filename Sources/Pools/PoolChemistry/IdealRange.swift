import FlowModel
package import PoolModel

/// A reading that has an ideal range. The raw values are the app's, except of free chlorine and salt, which it does not know.
package enum WaterParameter: String, Hashable, Sendable, CaseIterable, Codable {
  case pH, waterTempF, calciumHardness, totalAlkalinity, cyanuricAcid, freeChlorine, salt

  /// The readings of the app, which every visit has.
  package static let app: [WaterParameter] = [.pH, .waterTempF, .calciumHardness, .totalAlkalinity, .cyanuricAcid]

  /// The element of `ReadingSet` for this reading.
  package var bit: ReadingSet {
    switch self {
    case .pH: .pH
    case .waterTempF: .waterTemp
    case .calciumHardness: .calciumHardness
    case .totalAlkalinity: .totalAlkalinity
    case .cyanuricAcid: .cyanuricAcid
    case .freeChlorine: .freeChlorine
    case .salt: .salt
    }
  }

  /// Ideal range, both ends included. Source: PoolFlow feature inventory §2.6; golden file `validation.json`.
  ///
  /// Of free chlorine it is the range for unknown stabiliser; `ideal(in:assumed:)` has that of a pool's water. Of salt it is the
  /// range of most chlorine generators, such as Hayward AquaRite (operation manual, 2020: 2,700 to 3,400 ppm).
  package var ideal: ClosedRange<Double> {
    switch self {
    case .pH: 7.2...7.8
    case .waterTempF: 60...90
    case .calciumHardness: 200...400
    case .totalAlkalinity: 80...120
    case .cyanuricAcid: 30...100
    case .freeChlorine: ChlorineRange(stabiliser: nil, hasGenerator: false).ideal
    case .salt: 2_700...3_400
    }
  }

  /// The ideal range in a pool's water.
  ///
  /// - Parameter assumed: the readings that no visit has ever taken.
  package func ideal(in water: WaterReadings, assumed: ReadingSet) -> ClosedRange<Double> {
    self == .freeChlorine ? ChlorineRange(water, assumed: assumed).ideal : ideal
  }

  /// Range accepted by the app's form. poolflow accepts more, so that extreme readings of neglected water can be recorded.
  /// Source: product.md, Limits of a form. Of free chlorine and salt it is the range of test kits and strips: salt in
  /// grams per litre is below it.
  package var form: ClosedRange<Double> {
    switch self {
    case .pH: 6...9
    case .waterTempF: 32...120
    case .calciumHardness: 0...1_000
    case .totalAlkalinity: 0...500
    case .cyanuricAcid: 0...300
    case .freeChlorine: 0...20
    case .salt: 400...7_000
    }
  }

  package func status(of value: Double) -> ReadingStatus { ReadingStatus(value, in: ideal) }
}

/// A reading relative to its ideal range.
package enum ReadingStatus: String, Hashable, Sendable, Codable {
  case low, ideal, high

  package init(_ value: Double, in ideal: ClosedRange<Double>) {
    self = value < ideal.lowerBound ? .low : value > ideal.upperBound ? .high : .ideal
  }
}
