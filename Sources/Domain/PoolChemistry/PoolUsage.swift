package import PoolModel

/// What the chemicals of one pool's visits have cost.
///
/// Source: PoolFlow feature inventory, 2.12 "Chemical Usage History View".
package struct PoolUsage: Hashable, Sendable {
  /// A chemical that was added, at one visit or at several.
  package struct Chemical: Hashable, Sendable {
    /// Nil where the item has left the stock, or the dose was never from it.
    package let item: InventoryItemID?
    package let name: String
    package let type: ChemicalType
    /// Tablets or powder of a kind that is else a liquid.
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

  package struct Visit: Hashable, Sendable {
    package let id: ServiceEventID
    package let at: Timestamp
    /// The visit's own figure: an imported visit may cost more than its doses say.
    package let cost: Double
    package var chemicals: [Chemical]

    package init(id: ServiceEventID, at: Timestamp, cost: Double, chemicals: [Chemical] = []) {
      self.id = id
      self.at = at
      self.cost = cost
      self.chemicals = chemicals
    }
  }

  /// The newest first.
  package let visits: [Visit]
  package let spent: Double
  /// Each chemical of all visits, the dearest first.
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

  /// What a visit costs in the mean; 0 without visits.
  package var average: Double { visits.isEmpty ? 0 : spent / Double(visits.count) }
}
