import FlowModel
package import PoolModel

/// A chlorine product of the stock, and the amount of it that raises free chlorine.
///
/// A chlorine dose of c ppm in V litres is c V milligrams of available chlorine. Bleach is sold by its trade percentage, grams of
/// available chlorine per 100 mL, so its volume is `c V / (10 p)` mL; cal-hypo, dichlor and trichlor are sold by the
/// percentage of weight, so their weight is `c V / (10 p)` g.
///
/// Source: White, "Handbook of Chlorination and Alternative Disinfectants", 5th edition, 2010, chapter 1 (available chlorine and
/// trade percent). Amounts that raise 10,000 gallons by 1 ppm:
///
/// | product | percent | amount |
/// |---|---|---|
/// | bleach | 10 | 12.8 fl oz |
/// | bleach | 12.5 | 10.2 fl oz |
/// | dichlor (dihydrate) | 56 | 2.38 oz |
/// | calcium hypochlorite | 65 | 2.05 oz |
/// | trichlor | 90 | 1.48 oz |
package struct ChlorineProduct: Hashable, Sendable {
  /// Nil if the stock has no chlorine.
  package let item: InventoryItemID?
  package let name: String
  /// Available chlorine: grams in 100 mL of a liquid, percent of the weight of a dry product.
  package let percent: Double
  /// True for granules, powder and tablets, which are weighed.
  package let isDry: Bool
  package let costPerOz: Double

  /// Bleach, for a team without chlorine in stock.
  package static let usual = ChlorineProduct(
    item: nil, name: "Liquid Chlorine (12.5% Sodium Hypochlorite)", percent: usualPercent, isDry: false,
    costPerOz: ChemicalType.chlorine.usualCostPerOz)
  private static let usualPercent = 12.5
  private static let percentOfGranules = 65.0

  private init(item: InventoryItemID?, name: String, percent: Double, isDry: Bool, costPerOz: Double) {
    self.item = item
    self.name = name
    self.percent = percent
    self.isDry = isDry
    self.costPerOz = costPerOz
  }

  private init(_ item: InventoryItem) {
    let isDry = item.isDry
    // 100 % is the value of an item whose percentage was not entered; only chlorine gas has it.
    let isKnown = item.concentration > 0 && item.concentration < 100
    self.init(
      item: item.id, name: item.name,
      percent: isKnown ? item.concentration : isDry ? Self.percentOfGranules : Self.usualPercent, isDry: isDry,
      costPerOz: item.costPerOz)
  }

  /// The product for a dose: liquid, because it works at once and leaves nothing behind; else granules; tablets last, because
  /// they take days to dissolve and raise the stabiliser.
  ///
  /// - Parameter stock: in listing order; the first product of the best form is taken.
  package static func preferred(in stock: [InventoryItem]) -> ChlorineProduct {
    let products = stock.filter { $0.chemicalType == ChemicalType.chlorine.rawValue }.map { ChlorineProduct($0) }
    return products.first { !$0.isDry } ?? products.first { !$0.isTablet } ?? products.first ?? usual
  }

  /// Trichlor has 85 to 91 % available chlorine; calcium hypochlorite has at most 78 %.
  private var isTablet: Bool { isDry && percent > 80 }

  /// The amount that raises free chlorine by `ppm`, in fluid ounces of a liquid or ounces of weight, not rounded.
  package func ounces(raising ppm: Double, volumeGallons: Double) -> Double {
    let milligrams = max(0, ppm) * UnitConversion.liters(gallons: max(0, volumeGallons))
    let amount = milligrams / (10 * percent)
    return finite(isDry ? amount / UnitConversion.gramsPerOunce : amount / UnitConversion.millilitersPerOunce)
  }

  /// The dose that brings the water to the target of its range.
  ///
  /// - Parameters:
  ///   - water: the readings of one visit; without free chlorine there is no dose.
  ///   - assumed: the readings that no visit has ever taken.
  /// - Returns: whole ounces, at least 1; nil if the water needs none or the volume is unknown.
  func recommendation(
    for water: WaterReadings, assumed: ReadingSet, volumeGallons: Double
  ) -> DoseRecommendation? {
    let range = ChlorineRange(water, assumed: assumed)
    guard let chlorine = water.freeChlorine, range.asksForDose(at: chlorine), volumeGallons > 0 else { return nil }
    let quantity = max(1, ounces(raising: range.target - chlorine, volumeGallons: volumeGallons).rounded())
    return DoseRecommendation(
      .raiseFC, name, .chlorine, quantityOz: quantity, cost: finite(quantity * costPerOz), target: range.target
    ).with(self)
  }
}
