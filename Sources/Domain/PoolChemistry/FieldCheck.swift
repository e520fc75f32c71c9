package import PoolModel

/// What a form says about what somebody typed; nil where it is fine.
///
/// Source of limits and sentences: PRODUCT.md, Limits of a form; golden file `validation.json`. Both limits are allowed.
package enum FieldCheck {
  package static func monthlyFee(_ text: String) -> String? {
    guard !trimmingSpaces(text).isEmpty else { return "Enter monthly fee" }
    guard let fee = number(text) else { return "Enter a valid number" }
    return fee > 0 ? nil : "Fee must be greater than 0"
  }

  /// - Parameter text: gallons, or litres for a metric team.
  package static func poolVolume(_ text: String, units: UnitSystem) -> String? {
    guard !trimmingSpaces(text).isEmpty else { return "Enter pool volume" }
    guard let volume = number(text) else { return "Enter a valid number" }
    switch units {
    case .imperial:
      if volume < volumeGallons.lowerBound { return "Minimum 1,000 gal" }
      return volume > volumeGallons.upperBound ? "Maximum 200,000 gal" : nil
    case .metric:
      if volume < volumeLiters.lowerBound { return "Minimum 3,785 L" }
      return volume > volumeLiters.upperBound ? "Maximum 757,082 L" : nil
    }
  }

  package static let volumeGallons: ClosedRange<Double> = 1_000...200_000
  package static let volumeLiters: ClosedRange<Double> = 3_785...757_082

  /// A plain decimal with a point, such as `12`, `-0.5`; nil for anything else, also for `1e3`, `nan` and `inf`.
  package static func number(_ text: some StringProtocol) -> Double? {
    let trimmed = trimmingSpaces(text)
    let digits = trimmed.hasPrefix("-") || trimmed.hasPrefix("+") ? trimmed.dropFirst() : trimmed[...]
    guard digits.utf8.contains(where: { (48...57).contains($0) }), digits.utf8.count <= 24,
      digits.utf8.allSatisfy({ (48...57).contains($0) || $0 == 46 }), digits.utf8.count(where: { $0 == 46 }) <= 1
    else { return nil }
    return Double(trimmed)
  }
}

extension NumberRule {
  /// What is wanted, after a colon.
  package var sentence: String {
    "it is from \(decimalText(range.lowerBound, places: 0)) to \(decimalText(range.upperBound, places: 0))\(unit)"
  }
}

/// What a test kit can have said: beyond these somebody mistyped. Reasons stand beside `Limits`.
package enum ReadingCheck {
  /// The first reading that cannot be, as a sentence; nil where all can be.
  package static func complaint(about water: WaterReadings) -> ReadingComplaint? {
    let readings: [(String, Double?, NumberRule)] = [
      ("ph", water.pH, .pH), ("temp", water.waterTempF, .waterTempF), ("calcium", water.calciumHardness, .hardness),
      ("alkalinity", water.totalAlkalinity, .hardness), ("cya", water.cyanuricAcid, .cyanuricAcid),
      ("tds", water.totalDissolvedSolids, .dissolvedSolids),
    ]
    for (name, value, rule) in readings {
      guard let value, !rule.accepts(value) else { continue }
      return ReadingComplaint(field: name, value: "\(value)", why: rule.sentence)
    }
    return nil
  }
}

/// One reading that cannot be.
package struct ReadingComplaint: Hashable, Sendable {
  /// As the command line calls it.
  package let field: String
  package let value: String
  package let why: String
}
