import FlowModel
package import PoolModel

/// A reading that has an ideal range. The raw values are the app's.
package enum WaterParameter: String, Hashable, Sendable, CaseIterable, Codable {
  case pH, waterTempF, calciumHardness, totalAlkalinity, cyanuricAcid

  /// The element of `ReadingSet` for this reading.
  package var bit: ReadingSet {
    switch self {
    case .pH: .pH
    case .waterTempF: .waterTemp
    case .calciumHardness: .calciumHardness
    case .totalAlkalinity: .totalAlkalinity
    case .cyanuricAcid: .cyanuricAcid
    }
  }

  /// Ideal range, both ends included. Source: PoolFlow feature inventory §2.6; golden file `validation.json`.
  package var ideal: ClosedRange<Double> {
    switch self {
    case .pH: 7.2...7.8
    case .waterTempF: 60...90
    case .calciumHardness: 200...400
    case .totalAlkalinity: 80...120
    case .cyanuricAcid: 30...100
    }
  }

  /// Range accepted by the app's form. poolflow accepts more, so that extreme readings of neglected water can be recorded.
  /// Source: product.md, Limits of a form.
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

/// A reading relative to its ideal range.
package enum ReadingStatus: String, Hashable, Sendable, Codable {
  case low, ideal, high
}
