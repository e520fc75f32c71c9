package import PoolModel

/// Which of the recommended doses were really poured.
package enum DoseConfirmation: Hashable, Sendable {
  case all
  case nothing
  /// By place in the recommendations; a place that does not exist is passed over.
  case some([Int])
  /// Poured by measure, whatever was recommended: stock items of the team.
  case measured([MeasuredDose])
}

/// An amount taken from a stock item.
package struct MeasuredDose: Hashable, Sendable {
  package let item: InventoryItemID
  package let quantityOz: Double

  package init(item: InventoryItemID, quantityOz: Double) {
    self.item = item
    self.quantityOz = quantityOz
  }
}

/// A dose as it will be recorded.
package struct PlannedDose: Hashable, Sendable {
  /// Nil where no stock item is of that kind.
  package let item: InventoryItemID?
  package let chemicalType: String
  package let name: String
  package let quantityOz: Double
  package let cost: Double
  /// Tablets or powder of a kind that is else a liquid.
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

/// Everything that logging a visit does, as values: PRODUCT.md, Visits; golden file `quicklog.json`.
///
/// Only a recommendation with a quantity becomes a dose; it is taken from the first item of its kind in listing order,
/// and what is poured beyond the stock leaves 0, never less. The visit's cost is the sum of its doses.
package struct VisitPlan: Hashable, Sendable {
  package let result: LSIResult
  package let recommendations: [DoseRecommendation]
  package let doses: [PlannedDose]
  package let totalChemicalCost: Double
  /// What is left of each item that was poured from.
  package let stockAfter: [InventoryItemID: Double]
  private let shortfalls: [InventoryItemID: Double]

  /// - Parameters:
  ///   - readings: what was measured; dissolved solids are the pool's, a visit does not measure them.
  ///   - inventory: in listing order.
  ///   - isMeasured: false for readings that say nothing about the water: nothing is recommended by them.
  package init(
    pool: Pool, inventory: [InventoryItem], readings: WaterReadings, confirmed: DoseConfirmation,
    isMeasured: Bool = true
  ) {
    var water = readings
    water.totalDissolvedSolids = pool.readings.totalDissolvedSolids
    result = LSIResult(water)
    recommendations =
      isMeasured ? Dosing(water, volumeGallons: pool.volumeGallons).recommendations(inventory: inventory) : []
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

  /// What the stock lacked for a dose that was poured all the same; nil where it held enough, or was not asked.
  package func shortfall(of dose: PlannedDose) -> Double? { dose.item.flatMap { shortfalls[$0] } }

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
      let item = inventory.first { $0.chemicalType == advice.chemicalType.rawValue }
      return PlannedDose(
        item: item?.id, chemicalType: advice.chemicalType.rawValue, name: item?.name ?? advice.chemicalName,
        quantityOz: advice.quantityOz, cost: advice.estimatedCost, isDry: item?.isDry ?? false)
    }
  }
}
