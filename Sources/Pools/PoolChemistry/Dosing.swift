package import FlowModel
package import PoolModel

/// One recommendation: chemical, amount and cost. `Localizer.advice` gives the text in each language.
package struct DoseRecommendation: Hashable, Sendable {
  /// Kind of recommendation: the correction to make, or the reason why there is none.
  package enum Kind: String, Hashable, Sendable, CaseIterable, Codable {
    case raisePH, raiseTA, raiseCH, lowerPH, lowerTA, drain, nudge, balanced, volumeRequired, raiseFC
  }

  package let kind: Kind
  package let chemicalName: String
  package let chemicalType: ChemicalType
  /// Whole ounces, 0 or more.
  package let quantityOz: Double
  package let estimatedCost: Double
  /// Target value of the reading; nil if the recommendation does not concern a single reading.
  package let target: Double?
  /// Measured calcium hardness in parts per million, for advice to drain; nil otherwise.
  package let measured: Double?
  /// The carbonate equilibrium's answer; nil if the recommendation does not change the pH, or comes from `Dosing` alone.
  package private(set) var equilibrium: EquilibriumDose?
  /// The product that raises free chlorine; nil for any other recommendation, for which any stock item of the type will do.
  package private(set) var chlorine: ChlorineProduct?

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

  func with(_ answer: EquilibriumDose) -> DoseRecommendation {
    var copy = self
    copy.equilibrium = answer
    return copy
  }

  func with(_ product: ChlorineProduct) -> DoseRecommendation {
    var copy = self
    copy.chlorine = product
    return copy
  }

  /// Whether the chemical is weighed although its type is usually liquid.
  package var isDry: Bool { chlorine?.isDry ?? false }
}

/// Dosing rules. Source: product.md, Dosing; golden file `dosing.json`.
///
/// Each quantity is `difference / step × ounces × gallons / 10,000`, evaluated in doubles exactly as written and rounded up to
/// the ounce. Binary rounding errors can therefore add an ounce: pH 7.2 in 15,000 gal gives 9.000000000000007 and so 10 oz of
/// soda ash.
package struct Dosing: Hashable, Sendable {
  package let lsi: Double
  package let pH: Double
  /// The measured value in parts per million, without the index's correction for cyanuric acid.
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

  package init(_ water: WaterReadings, volumeGallons: Double, index: LSIMethod = .app) {
    self.init(
      lsi: LSIResult(water, by: index).lsiValue, pH: water.pH, totalAlkalinity: water.totalAlkalinity,
      calciumHardness: water.calciumHardness, volumeGallons: volumeGallons)
  }

  private static let sodaAsh = "Soda Ash (Sodium Carbonate)"
  private static let muriaticAcid = "Muriatic Acid (31.45%)"
  private static let bakingSoda = "Sodium Bicarbonate (Baking Soda)"
  private static let calciumChloride = "Calcium Chloride (Hardness Up)"

  /// Targets: corrosive water is raised to the low values, scale-forming water lowered to the high ones.
  private static let lowPH = 7.4
  package static let highPH = 7.6
  private static let lowAlkalinity = 80.0
  package static let highAlkalinity = 120.0
  private static let lowCalcium = 200.0
  private static let highCalcium = 400.0

  /// Recommendations in the order in which to follow them; never empty.
  ///
  /// - Parameter inventory: stock items in listing order; the first item of a kind sets its price.
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

  /// Recommendations that raise pH, alkalinity and calcium to the low targets; empty if all reach them.
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

  /// Recommendations that lower pH, alkalinity and calcium to the high targets; empty if none exceeds them.
  private func scaleForming(_ prices: Prices) -> [DoseRecommendation] {
    var advice: [DoseRecommendation] = []
    if pH > Self.highPH {
      advice.append(
        dose(.lowerPH, Self.muriaticAcid, .acid, pH - Self.highPH, each: 0.2, ounces: 26, to: Self.highPH, prices))
    } else if totalAlkalinity > Self.highAlkalinity {
      // The same acid lowers both, so alkalinity is corrected only after the pH.
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

  /// A recommendation of `difference / step × ounces` per 10,000 gallons.
  private func dose(
    _ kind: DoseRecommendation.Kind, _ name: String, _ type: ChemicalType, _ difference: Double, each step: Double,
    ounces: Double, to target: Double, _ prices: Prices
  ) -> DoseRecommendation {
    let quantity = finite((difference / step * ounces * (volumeGallons / 10_000)).rounded(.up))
    return DoseRecommendation(
      kind, name, type, quantityOz: quantity, cost: finite(quantity * prices.perOz(type)), target: target)
  }

  /// A recommendation with another amount.
  ///
  /// - Parameter ounces: whole ounces.
  static func recommendation(
    _ one: DoseRecommendation, ounces: Double, inventory: [InventoryItem]
  ) -> DoseRecommendation {
    DoseRecommendation(
      one.kind, one.chemicalName, one.chemicalType, quantityOz: ounces,
      cost: finite(ounces * Prices(inventory).perOz(one.chemicalType)), target: one.target, measured: one.measured)
  }

  /// A small first step if each reading is within its limits but the index is not.
  private func nudge(
    _ name: String, _ type: ChemicalType, ounces: Double, _ prices: Prices
  ) -> DoseRecommendation {
    let quantity = finite((ounces * (volumeGallons / 10_000)).rounded(.up))
    return DoseRecommendation(
      .nudge, name, type, quantityOz: quantity, cost: finite(quantity * prices.perOz(type)))
  }

  /// Price per ounce: of the first stock item of the kind (even if 0), otherwise the default price.
  private struct Prices {
    private var known: [String: Double] = [:]

    init(_ inventory: [InventoryItem]) {
      for item in inventory where known[item.chemicalType] == nil { known[item.chemicalType] = item.costPerOz }
    }

    func perOz(_ type: ChemicalType) -> Double { known[type.rawValue] ?? type.usualCostPerOz }
  }
}
