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

  package init(
    team: Team, technicians: [Technician], poolCount: Int, stopsByDay: [Weekday: [Stop]], stock: [StockItem]
  ) {
    self.team = team
    self.technicians = technicians
    self.poolCount = poolCount
    self.stopsByDay = stopsByDay
    self.stock = stock
  }

  package func stops(on day: Weekday) -> [Stop] { stopsByDay[day] ?? [] }

  package var lowStock: [StockItem] { stock.filter(\.item.isLowStock) }
}
