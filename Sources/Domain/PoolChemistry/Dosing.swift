package import PoolModel

/// One piece of advice for a pool: what to pour, how much, what it costs. Its words are a language's: `Speech.advice`.
package struct DoseRecommendation: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable, CaseIterable, Codable {
    case raisePH, raiseTA, raiseCH, lowerPH, lowerTA, drain, nudge, balanced, volumeRequired
  }

  package let kind: Kind
  package let chemicalName: String
  package let chemicalType: ChemicalType
  /// Whole ounces, 0 or more.
  package let quantityOz: Double
  package let estimatedCost: Double
  /// What the reading is to come to; nil where no reading is named.
  package let target: Double?
  /// The reading that no chemical corrects: parts per million of calcium.
  package let measured: Double?

  init(
    _ kind: Kind, _ chemicalName: String = "None", _ chemicalType: ChemicalType = .none, quantityOz: Double = 0,
    cost: Double = 0, target: Double? = nil, measured: Double? = nil
  ) {
    self.kind = kind
    self.chemicalName = chemicalName
    self.chemicalType = chemicalType
    self.quantityOz = quantityOz
    estimatedCost = cost
    self.target = target
    self.measured = measured
  }
}

/// Which water gets which chemical, and how much: PRODUCT.md, Dosing; golden file `dosing.json`.
///
/// Every quantity is `difference / step × ounces × gallons / 10,000`, evaluated literally in doubles and rounded up to the
/// ounce, so that binary noise can cost one: pH 7.2 in 15,000 gal gives 9.000000000000007 and so 10 oz of soda ash.
package struct Dosing: Hashable, Sendable {
  package let lsi: Double
  package let pH: Double
  /// The raw reading, parts per million; the correction for cyanuric acid concerns the index only.
  package let totalAlkalinity: Double
  /// Parts per million.
  package let calciumHardness: Double
  package let volumeGallons: Double

  package init(lsi: Double, pH: Double, totalAlkalinity: Double, calciumHardness: Double, volumeGallons: Double) {
    self.lsi = lsi
    self.pH = pH
    self.totalAlkalinity = totalAlkalinity
    self.calciumHardness = calciumHardness
    self.volumeGallons = volumeGallons
  }

  package init(_ water: WaterReadings, volumeGallons: Double) {
    self.init(
      lsi: LSIResult(water).lsiValue, pH: water.pH, totalAlkalinity: water.totalAlkalinity,
      calciumHardness: water.calciumHardness, volumeGallons: volumeGallons)
  }

  private static let sodaAsh = "Soda Ash (Sodium Carbonate)"
  private static let muriaticAcid = "Muriatic Acid (31.45%)"
  private static let bakingSoda = "Sodium Bicarbonate (Baking Soda)"
  private static let calciumChloride = "Calcium Chloride (Hardness Up)"

  /// Where corrosive water is raised to, and scale-forming water lowered to.
  private static let lowPH = 7.4
  private static let highPH = 7.6
  private static let lowAlkalinity = 80.0
  private static let highAlkalinity = 120.0
  private static let lowCalcium = 200.0
  private static let highCalcium = 400.0

  /// The advice in the order in which to follow it; never empty.
  ///
  /// - Parameter inventory: in listing order; the first item of a kind gives its price.
  package func recommendations(inventory: [InventoryItem]) -> [DoseRecommendation] {
    guard volumeGallons > 0 else {
      return [DoseRecommendation(.volumeRequired)]
    }
    let prices = Prices(inventory)
    switch WaterCondition(lsi: lsi) {
    case .balanced:
      return [DoseRecommendation(.balanced)]
    case .corrosive:
      let advice = corrosive(prices)
      return advice.isEmpty ? [nudge(Self.sodaAsh, .base, ounces: 3, prices)] : advice
    case .scaleForming:
      let advice = scaleForming(prices)
      return advice.isEmpty ? [nudge(Self.muriaticAcid, .acid, ounces: 8, prices)] : advice
    }
  }

  private func corrosive(_ prices: Prices) -> [DoseRecommendation] {
    var advice: [DoseRecommendation] = []
    if pH < Self.lowPH {
      advice.append(dose(.raisePH, Self.sodaAsh, .base, Self.lowPH - pH, each: 0.2, ounces: 6, to: Self.lowPH, prices))
    }
    if totalAlkalinity < Self.lowAlkalinity {
      let missing = Self.lowAlkalinity - totalAlkalinity
      advice.append(
        dose(.raiseTA, Self.bakingSoda, .alkalinity, missing, each: 10, ounces: 24, to: Self.lowAlkalinity, prices))
    }
    if calciumHardness < Self.lowCalcium {
      let missing = Self.lowCalcium - calciumHardness
      advice.append(
        dose(.raiseCH, Self.calciumChloride, .calcium, missing, each: 10, ounces: 20, to: Self.lowCalcium, prices))
    }
    return advice
  }

  private func scaleForming(_ prices: Prices) -> [DoseRecommendation] {
    var advice: [DoseRecommendation] = []
    if pH > Self.highPH {
      advice.append(
        dose(.lowerPH, Self.muriaticAcid, .acid, pH - Self.highPH, each: 0.2, ounces: 26, to: Self.highPH, prices))
    } else if totalAlkalinity > Self.highAlkalinity {
      // The same acid lowers both: alkalinity waits until the pH is right.
      advice.append(
        dose(
          .lowerTA, Self.muriaticAcid, .acid, totalAlkalinity - Self.highAlkalinity, each: 10, ounces: 13,
          to: Self.highAlkalinity, prices))
    }
    if calciumHardness > Self.highCalcium {
      advice.append(
        DoseRecommendation(.drain, "None", .dilution, target: Self.highCalcium, measured: calciumHardness))
    }
    return advice
  }

  private func dose(
    _ kind: DoseRecommendation.Kind, _ name: String, _ type: ChemicalType, _ difference: Double, each step: Double,
    ounces: Double, to target: Double, _ prices: Prices
  ) -> DoseRecommendation {
    let quantity = finite((difference / step * ounces * (volumeGallons / 10_000)).rounded(.up))
    return DoseRecommendation(
      kind, name, type, quantityOz: quantity, cost: finite(quantity * prices.perOz(type)), target: target)
  }

  /// A first careful step where every single reading is within its limits and only the index is not.
  private func nudge(
    _ name: String, _ type: ChemicalType, ounces: Double, _ prices: Prices
  ) -> DoseRecommendation {
    let quantity = finite((ounces * (volumeGallons / 10_000)).rounded(.up))
    return DoseRecommendation(
      .nudge, name, type, quantityOz: quantity, cost: finite(quantity * prices.perOz(type)))
  }

  /// What an ounce costs: of the first stock item of that kind, even where it is 0, else the usual price.
  private struct Prices {
    private var known: [String: Double] = [:]

    init(_ inventory: [InventoryItem]) {
      for item in inventory where known[item.chemicalType] == nil { known[item.chemicalType] = item.costPerOz }
    }

    func perOz(_ type: ChemicalType) -> Double { known[type.rawValue] ?? type.usualCostPerOz }
  }
}
