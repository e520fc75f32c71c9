package import FlowModel

extension QuantityText {
  /// Formats an advised amount, rounded as people measure it: with units by kind in the imperial system, liquids in quarter
  /// gallons, below a gallon in cups (8 fl oz), below a quart in half cups and below a pint in quarter cups; other chemicals in
  /// ounces, and from 5 lb on in quarter pounds. Otherwise as `text`, because the app's amounts are not rounded.
  package static func measured(
    ounces: Double, of type: ChemicalType, in units: UnitSystem, doses: DoseUnits, isDry: Bool = false
  ) -> String {
    guard ounces > 0, units == .imperial, doses == .byKind else {
      return text(ounces: ounces, of: type, in: units, doses: doses, isDry: isDry)
    }
    return type.isLiquid && !isDry ? volume(ounces) : weight(ounces)
  }

  /// The amount in ounces after rounding as in `measured`. Where an amount stands in both systems of units, the second is computed
  /// from it, so that both name the same amount.
  package static func measuredAmount(
    ounces: Double, of type: ChemicalType, in units: UnitSystem, doses: DoseUnits, isDry: Bool = false
  ) -> Double {
    guard ounces > 0, units == .imperial, doses == .byKind else {
      return shownAmount(ounces: ounces, of: type, in: units, doses: doses, isDry: isDry)
    }
    return type.isLiquid && !isDry ? volumeAmount(ounces) : weightAmount(ounces)
  }

  private static let ouncesPerCup = 8.0
  private static let ouncesPerQuart = 32.0
  private static let ouncesPerGallon = 128.0

  private static func step(of ounces: Double) -> Double {
    switch ounces {
    case ..<ouncesPerCup: 1
    case ..<(ouncesPerCup * 2): ouncesPerCup / 4
    case ..<ouncesPerQuart: ouncesPerCup / 2
    default: ouncesPerCup
    }
  }

  private static func rounded(_ ounces: Double, to step: Double) -> Double { (ounces / step).rounded() * step }

  private static func volume(_ ounces: Double) -> String {
    let amount = volumeAmount(ounces)
    guard amount >= ouncesPerGallon else { return "\(decimalText(amount, places: 0)) fl oz" }
    let gallons = amount / ouncesPerGallon
    let hundredths = (gallons * 100).rounded().truncatingRemainder(dividingBy: 100)
    return decimalText(gallons, places: hundredths == 0 ? 0 : hundredths == 50 ? 1 : 2) + " gal"
  }

  private static func weight(_ ounces: Double) -> String {
    let amount = weightAmount(ounces)
    let pounds = (amount / 16).rounded(.down)
    let rest = amount - pounds * 16
    let parts = [
      pounds > 0 ? "\(decimalText(pounds, places: 0)) lb" : nil, rest > 0 ? "\(decimalText(rest, places: 0)) oz" : nil,
    ]
    return parts.compactMap(\.self).joined(separator: " ")
  }

  private static func volumeAmount(_ ounces: Double) -> Double {
    let amount = max(1, rounded(ounces, to: step(of: ounces)))
    return amount < ouncesPerGallon ? amount : rounded(ounces, to: ouncesPerGallon / 4)
  }

  private static func weightAmount(_ ounces: Double) -> Double { max(1, rounded(ounces, to: ounces < 80 ? 1 : 4)) }
}
