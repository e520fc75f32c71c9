package import FlowModel
package import PoolModel

/// The recommended doses that were actually added.
package enum DoseConfirmation: Hashable, Sendable {
  case all
  case nothing
  /// By index in the recommendations; invalid indices are ignored.
  case some([Int])
  /// Measured amounts of stock items, independent of the recommendations.
  case measured([MeasuredDose])
}

/// Amount taken from a stock item.
package struct MeasuredDose: Hashable, Sendable {
  package let item: InventoryItemID
  package let quantityOz: Double

  package init(item: InventoryItemID, quantityOz: Double) {
    self.item = item
    self.quantityOz = quantityOz
  }
}

/// A dose to be recorded.
package struct PlannedDose: Hashable, Sendable {
  /// Nil if no stock item of that kind exists.
  package let item: InventoryItemID?
  package let chemicalType: String
  package let name: String
  package let quantityOz: Double
  package let cost: Double
  /// True for tablets or powder of a kind that is usually liquid.
  package let isDry: Bool

  package init(
    item: InventoryItemID?, chemicalType: String, name: String, quantityOz: Double, cost: Double, isDry: Bool
  ) {
    self.isDry = isDry
    self.item = item
    self.chemicalType = chemicalType
    self.name = name
    self.quantityOz = quantityOz
    self.cost = cost
  }
}

/// All effects of logging a visit, as values. Source: product.md, Visits; golden file `quicklog.json`.
///
/// Only recommendations with a quantity become doses. A dose is taken from the first stock item of its kind in listing order,
/// chlorine from the recommended product; stock never goes below 0. The visit's cost is the sum of its doses.
package struct VisitPlan: Hashable, Sendable {
  /// By the team's method.
  package let result: LSIResult
  /// The saturation index by the app's rule, which visits store.
  package let storedIndex: Double
  package let recommendations: [DoseRecommendation]
  package let doses: [PlannedDose]
  package let totalChemicalCost: Double
  /// Remaining stock of each item used, in ounces.
  package let stockAfter: [InventoryItemID: Double]
  private let shortfalls: [InventoryItemID: Double]

  /// - Parameters:
  ///   - readings: measured values; dissolved solids are taken from the pool, because visits do not measure them.
  ///   - inventory: stock items in listing order.
  ///   - isMeasured: false if the readings are not real measurements, which suppresses recommendations.
  ///   - assumed: the readings that no visit has ever taken.
  ///   - method: the team's dosing method.
  ///   - index: the team's method of the saturation index.
  package init(
    pool: Pool, inventory: [InventoryItem], readings: WaterReadings, confirmed: DoseConfirmation,
    isMeasured: Bool = true, assumed: ReadingSet = [], by method: DosingMethod = .app, index: LSIMethod = .app
  ) {
    var water = readings
    water.totalDissolvedSolids = pool.readings.totalDissolvedSolids
    result = LSIResult(water, by: index)
    storedIndex = index == .app ? result.lsiValue : LSIResult(water).lsiValue
    recommendations =
      isMeasured
      ? method.recommendations(
        for: water, assumed: assumed, volumeGallons: pool.volumeGallons, inventory: inventory, index: index) : []
    let doses = Self.doses(confirmed, recommendations, inventory)
    var stock: [InventoryItemID: Double] = [:]
    var shortfalls: [InventoryItemID: Double] = [:]
    for dose in doses {
      guard let id = dose.item, let item = inventory.first(where: { $0.id == id }) else { continue }
      let left = (stock[id] ?? item.currentStockOz) - dose.quantityOz
      stock[id] = max(0, left)
      if left < 0 { shortfalls[id, default: 0] -= left }
    }
    self.doses = doses
    totalChemicalCost = finite(doses.reduce(0) { $0 + $1.cost })
    stockAfter = stock
    self.shortfalls = shortfalls
  }

  /// Ounces of the dose that exceeded the stock; nil if the stock sufficed or the dose is not from stock.
  package func shortfall(of dose: PlannedDose) -> Double? { dose.item.flatMap { shortfalls[$0] } }

  /// The doses to record: confirmed recommendations with a quantity, or the measured doses of known stock items.
  private static func doses(
    _ confirmed: DoseConfirmation, _ recommendations: [DoseRecommendation], _ inventory: [InventoryItem]
  ) -> [PlannedDose] {
    let poured: [DoseRecommendation]
    switch confirmed {
    case .all: poured = recommendations
    case .nothing: poured = []
    case .some(let places):
      poured = recommendations.indices.filter { places.contains($0) }.map { recommendations[$0] }
    case .measured(let doses):
      return doses.compactMap { dose in
        guard let item = inventory.first(where: { $0.id == dose.item }) else { return nil }
        return PlannedDose(
          item: item.id, chemicalType: item.chemicalType, name: item.name, quantityOz: dose.quantityOz,
          cost: finite(dose.quantityOz * item.costPerOz), isDry: item.isDry)
      }
    }
    return poured.filter { $0.quantityOz > 0 }.map { advice in
      let item =
        advice.chlorine.map { chlorine in inventory.first { $0.id == chlorine.item } }
        ?? inventory.first { $0.chemicalType == advice.chemicalType.rawValue }
      return PlannedDose(
        item: item?.id, chemicalType: advice.chemicalType.rawValue, name: item?.name ?? advice.chemicalName,
        quantityOz: advice.quantityOz, cost: advice.estimatedCost, isDry: item?.isDry ?? advice.isDry)
    }
  }
}
