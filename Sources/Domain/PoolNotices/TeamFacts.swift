package import PoolChemistry
package import PoolModel

/// A pool on a route, as much of it as a notice may say.
package struct Stop: Hashable, Sendable {
  package let poolID: PoolID
  package let customerName: String
  package let address: String
  package let latitude: Double
  package let longitude: Double
  package let technicianID: TechnicianID

  package init(
    poolID: PoolID, customerName: String, address: String, latitude: Double, longitude: Double,
    technicianID: TechnicianID
  ) {
    self.poolID = poolID
    self.customerName = customerName
    self.address = address
    self.latitude = latitude
    self.longitude = longitude
    self.technicianID = technicianID
  }
}

/// A chemical in the team's store or on a technician's truck.
package struct StockItem: Hashable, Sendable {
  package let item: InventoryItem
  /// Nil for the team's own store.
  package let technicianID: TechnicianID?

  package init(item: InventoryItem, technicianID: TechnicianID?) {
    self.item = item
    self.technicianID = technicianID
  }
}

/// What is known of a team at one moment: all that a decision may look at.
package struct TeamFacts: Sendable {
  package let team: Team
  /// In the order in which their sections stand: the default one first, then by name.
  package let technicians: [Technician]
  /// All active pools, whatever their day.
  package let poolCount: Int
  /// The stops of the days that were asked for, in route order.
  package let stopsByDay: [Weekday: [Stop]]
  package let stock: [StockItem]
  /// Pools whose water crossed a limit since the day before, for the weekly digest since the week before, the newest
  /// first.
  package let waterChanges: [WaterChange]

  package init(
    team: Team, technicians: [Technician], poolCount: Int, stopsByDay: [Weekday: [Stop]], stock: [StockItem],
    waterChanges: [WaterChange] = []
  ) {
    self.team = team
    self.technicians = technicians
    self.poolCount = poolCount
    self.stopsByDay = stopsByDay
    self.stock = stock
    self.waterChanges = waterChanges
  }

  package func stops(on day: Weekday) -> [Stop] { stopsByDay[day] ?? [] }

  package var lowStock: [StockItem] { stock.filter(\.item.isLowStock) }
}

/// A pool whose water is another than the day before.
package struct WaterChange: Hashable, Sendable {
  package let customerName: String
  package let before: WaterCondition
  package let after: WaterCondition
  package let lsi: Double

  package init(customerName: String, before: WaterCondition, after: WaterCondition, lsi: Double) {
    self.customerName = customerName
    self.before = before
    self.after = after
    self.lsi = lsi
  }
}
