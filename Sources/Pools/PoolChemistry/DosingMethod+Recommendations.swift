package import FlowModel
package import PoolModel

/// The carbonate equilibrium's answer for a recommendation that changes the pH.
package enum EquilibriumDose: Hashable, Sendable {
  case dose(DoseComparison)
  /// The reason why there is no dose.
  case fault(CarbonateFault)
}

extension DosingMethod {
  /// The recommendations for a pool's water: the only source of the amounts on pages, in load lists and low stock, of logged
  /// visits and of the dose calculator.
  ///
  /// They are those of `Dosing`, and for a reading of free chlorine the dose of `ChlorineProduct`, which comes last. With `.carbonate` the amount for the pH is the equilibrium's (`DoseComparison.firstDoseOz`),
  /// and stays the rule's where the equilibrium gives no dose. With both methods, `DoseRecommendation.equilibrium` has the
  /// other amount or the fault.
  ///
  /// - Parameters:
  ///   - assumed: the readings that no visit has ever taken.
  ///   - inventory: stock items in listing order; the first item of a kind sets its price.
  ///   - chlorine: the chlorine product to dose; nil for the one of `inventory`.
  ///   - index: the team's method of the saturation index.
  ///   - compares: false if only the amounts are needed; with `.app` the equilibrium, which takes most of the time, is then left
  ///     out.
  package func recommendations(
    for readings: WaterReadings, assumed: ReadingSet, volumeGallons: Double, inventory: [InventoryItem] = [],
    chlorine: ChlorineProduct? = nil, index: LSIMethod = .app, compares: Bool = true
  ) -> [DoseRecommendation] {
    let balance =
      assumed.contains(.pH)
      ? []
      : balanceRecommendations(
        for: readings, assumed: assumed, volumeGallons: volumeGallons, inventory: inventory, index: index,
        compares: compares)
    guard readings.freeChlorine != nil else { return balance }
    let product = chlorine ?? .preferred(in: inventory)
    guard let dose = product.recommendation(for: readings, assumed: assumed, volumeGallons: volumeGallons) else {
      return balance
    }
    // Water that is in balance needs chlorine all the same, so it must not be said to need nothing.
    return balance.filter { $0.kind != .balanced } + [dose]
  }

  /// The recommendations for the saturation index.
  private func balanceRecommendations(
    for readings: WaterReadings, assumed: ReadingSet, volumeGallons: Double, inventory: [InventoryItem],
    index: LSIMethod,
    compares: Bool
  ) -> [DoseRecommendation] {
    let rules = Dosing(readings, volumeGallons: volumeGallons, index: index).recommendations(inventory: inventory)
    if self == .app, !compares { return rules }
    return rules.map { rule in
      guard let answer = Self.equilibrium(for: rule, readings, assumed: assumed, volumeGallons: volumeGallons) else {
        return rule
      }
      switch (self, answer) {
      case (.app, _), (.carbonate, .fault): return rule.with(answer)
      case (.carbonate, .dose(let comparison)):
        return Dosing.recommendation(rule, ounces: comparison.firstDoseOz, inventory: inventory).with(answer)
      }
    }
  }

  /// The equilibrium's answer; nil if the recommendation does not change the pH.
  private static func equilibrium(
    for rule: DoseRecommendation, _ readings: WaterReadings, assumed: ReadingSet, volumeGallons: Double
  ) -> EquilibriumDose? {
    guard rule.kind == .lowerPH || rule.kind == .raisePH else { return nil }
    do {
      let water = try CarbonateWater(readings, assumed: assumed)
      return try DoseComparison(rule, in: water, volumeGallons: volumeGallons).map { .dose($0) }
    } catch {
      return .fault(error)
    }
  }
}
