package import FlowModel
package import PoolModel

/// Chemicals used at one pool's visits, with their costs.
///
/// Source: PoolFlow feature inventory, 2.12 "Chemical Usage History View".
package struct PoolUsage: Hashable, Sendable {
  /// Amount and cost of one chemical, at one visit or over several.
  package struct Chemical: Hashable, Sendable {
    /// Nil if the item was removed from the stock, or the dose did not come from stock.
    package let item: InventoryItemID?
    package let name: String
    package let type: ChemicalType
    /// True for tablets or powder of a kind that is usually liquid.
    package let isDry: Bool
    package var ounces: Double
    package var cost: Double

    package init(
      item: InventoryItemID?, name: String, type: ChemicalType, isDry: Bool, ounces: Double, cost: Double
    ) {
      self.item = item
      self.name = name
      self.type = type
      self.isDry = isDry
      self.ounces = ounces
      self.cost = cost
    }
  }

  /// One visit with the chemicals added.
  package struct Visit: Hashable, Sendable {
    package let id: ServiceEventID
    package let at: Timestamp
    /// The cost recorded for the visit; an imported visit can cost more than the sum of its doses.
    package let cost: Double
    package var chemicals: [Chemical]

    package init(id: ServiceEventID, at: Timestamp, cost: Double, chemicals: [Chemical] = []) {
      self.id = id
      self.at = at
      self.cost = cost
      self.chemicals = chemicals
    }
  }

  /// Newest first.
  package let visits: [Visit]
  package let spent: Double
  /// Totals per chemical, most expensive first.
  package let chemicals: [Chemical]

  package init(_ visits: [Visit]) {
    self.visits = visits
    spent = finite(visits.reduce(0) { $0 + $1.cost })
    var sums: [InventoryItemID?: Chemical] = [:]
    for chemical in visits.lazy.flatMap(\.chemicals) {
      guard var sum = sums[chemical.item] else {
        sums[chemical.item] = chemical
        continue
      }
      sum.ounces = finite(sum.ounces + chemical.ounces)
      sum.cost = finite(sum.cost + chemical.cost)
      sums[chemical.item] = sum
    }
    chemicals = sums.values.sorted {
      (-$0.cost, $0.name, $0.item?.description ?? "") < (-$1.cost, $1.name, $1.item?.description ?? "")
    }
  }

  /// Average cost per visit; 0 without visits.
  package var average: Double { visits.isEmpty ? 0 : spent / Double(visits.count) }
}
