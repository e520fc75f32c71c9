package import PoolModel

/// A reading that has an ideal range. The words are the app's.
package enum WaterParameter: String, Hashable, Sendable, CaseIterable, Codable {
  case pH, waterTempF, calciumHardness, totalAlkalinity, cyanuricAcid

  /// How a set of readings holds it.
  package var bit: ReadingSet {
    switch self {
    case .pH: .pH
    case .waterTempF: .waterTemp
    case .calciumHardness: .calciumHardness
    case .totalAlkalinity: .totalAlkalinity
    case .cyanuricAcid: .cyanuricAcid
    }
  }

  /// Both ends are ideal. Source: PoolFlow feature inventory §2.6; golden file `validation.json`.
  package var ideal: ClosedRange<Double> {
    switch self {
    case .pH: 7.2...7.8
    case .waterTempF: 60...90
    case .calciumHardness: 200...400
    case .totalAlkalinity: 80...120
    case .cyanuricAcid: 30...100
    }
  }

  /// What the app's form takes. Ours takes more: what a test kit reads of neglected water is to be kept, too.
  /// Source: PRODUCT.md, Limits of a form.
  package var form: ClosedRange<Double> {
    switch self {
    case .pH: 6...9
    case .waterTempF: 32...120
    case .calciumHardness: 0...1_000
    case .totalAlkalinity: 0...500
    case .cyanuricAcid: 0...300
    }
  }

  package func status(of value: Double) -> ReadingStatus {
    if value < ideal.lowerBound { return .low }
    return value > ideal.upperBound ? .high : .ideal
  }
}

package enum ReadingStatus: String, Hashable, Sendable, Codable {
  case low, ideal, high
}
