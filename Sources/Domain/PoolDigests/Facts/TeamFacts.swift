package import PoolCalendar
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
  /// Nil where only the route was asked for.
  package let care: StopCare?
  /// When the customer wants somebody to come, in the words of the profile.
  package let arrivalWindow: String

  package init(
    poolID: PoolID, customerName: String, address: String, latitude: Double, longitude: Double,
    technicianID: TechnicianID, care: StopCare? = nil, arrivalWindow: String = ""
  ) {
    self.poolID = poolID
    self.customerName = customerName
    self.address = address
    self.latitude = latitude
    self.longitude = longitude
    self.technicianID = technicianID
    self.care = care
    self.arrivalWindow = arrivalWindow
  }
}

/// What is known of the water and the machines at a stop.
package struct StopCare: Hashable, Sendable {
  /// US gallons.
  package let volumeGallons: Double
  /// Nil where no visit has measured anything.
  package let water: MeasuredWater?
  package let lastVisit: Timestamp?
  /// When the pool's record last changed.
  package let updatedAt: Timestamp
  /// Machines with a date for service or warranty.
  package let equipment: [DatedEquipment]
  /// The chlorine that a visit usually pours here, which no dosing advises: by name the median of the last visits, where it
  /// is not nothing; empty where nobody asked.
  package let usualChlorine: [UsualDose]
  /// How many of the last visits the median looks at.
  package static let visitsOfMedian = 5

  package init(
    volumeGallons: Double, water: MeasuredWater?, lastVisit: Timestamp?, updatedAt: Timestamp,
    equipment: [DatedEquipment] = [], usualChlorine: [UsualDose] = []
  ) {
    self.volumeGallons = volumeGallons
    self.water = water
    self.lastVisit = lastVisit
    self.updatedAt = updatedAt
    self.equipment = equipment
    self.usualChlorine = usualChlorine
  }

  /// Readings that are older than this many days get no dose: two services of a pool that is visited once a week. What the
  /// water asked for then has been poured since, or is something else by now.
  package static let daysOfReadings = 14

  /// Whether the readings are recent enough on a day to dose by them.
  func isMeasured(for date: CivilDate, in zone: Zone) -> Bool {
    guard let water, water.hasIndex else { return false }
    return date.daysSince1970 - zone.local(at: water.at).date.daysSince1970 <= Self.daysOfReadings
  }

  /// What the water asks for on a day; nothing where it was not measured, or too long ago.
  func advice(on date: CivilDate, in zone: Zone) -> [DoseRecommendation] {
    guard let water, isMeasured(for: date, in: zone) else { return [] }
    return Dosing(water.readings, volumeGallons: volumeGallons).recommendations(inventory: [])
  }
}

/// What a visit usually pours of one item of the stock.
package struct UsualDose: Hashable, Sendable {
  /// As the stock calls it.
  package let name: String
  package let ounces: Double
  package let isDry: Bool

  package init(name: String, ounces: Double, isDry: Bool = false) {
    self.name = name
    self.ounces = ounces
    self.isDry = isDry
  }

  /// The medians of what was poured, by name; a visit that poured none of a name counts as 0.
  ///
  /// - Parameter visits: what each of a pool's last visits poured.
  package static func medians(_ visits: [[UsualDose]]) -> [UsualDose] {
    if visits.allSatisfy(\.isEmpty) { return [] }
    let dry = Set(visits.joined().filter(\.isDry).map(\.name))
    return Set(visits.joined().map(\.name)).sorted().compactMap { name in
      let sorted = visits.map { $0.reduce(0) { $0 + ($1.name == name ? $1.ounces : 0) } }.sorted()
      let median = (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
      return median > 0 ? UsualDose(name: name, ounces: median, isDry: dry.contains(name)) : nil
    }
  }
}

/// A machine at a pool, and when something about it falls due.
package struct DatedEquipment: Hashable, Sendable {
  package let name: String
  package let nextService: Timestamp?
  package let warrantyEnd: Timestamp?

  package init(name: String, nextService: Timestamp?, warrantyEnd: Timestamp?) {
    self.name = name
    self.nextService = nextService
    self.warrantyEnd = warrantyEnd
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
  package var team: Team
  /// In the order in which their sections stand: the default one first, then by name.
  package let technicians: [Technician]
  /// All active pools, whatever their day.
  package let poolCount: Int
  /// The stops of the days that were asked for, in route order.
  package let stopsByDay: [Weekday: [Stop]]
  package let stock: [StockItem]
  /// Pools whose water crossed a limit lately, the newest first.
  package let waterChanges: [WaterChange]
  /// The route of the last morning digest of the same weekday; nil where there was none.
  package var lastRoute: ToldRoute?
  /// The nightly plans of the day's routes; a technician without one drives in route order.
  package var plannedRoutes: [TechnicianID: PlannedRoute] = [:]
  /// Ounces of each item that the last 90 days' visits used; what was not asked for is not in it.
  package var usedOz: [InventoryItemID: Double] = [:]
  /// What a week's digest looks at; nil where it was not asked for.
  package var week: WeekFacts?
  /// When nobody works, and who is away.
  package var daysOff: DaysOff = .none
  /// Who is told things by himself, where that was asked for.
  package var people: [Person] = []
  /// Those that were asked for.
  package var reminders: [ReminderName: Reminder] = [:]
  /// How many changes the store had counted before these were read; nil where nothing is to come of them.
  package var changesSeen: Int?

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

  /// The next day on which anybody works; the day after where no such day is known.
  package func nextWorkingDay(after date: CivilDate) -> CivilDate {
    daysOff.nextWorkingDay(after: date) ?? date.adding(days: 1)
  }

  package var lowStock: [StockItem] { stock.filter(\.item.isLowStock) }
}

/// A pool whose water crossed a limit.
package struct WaterChange: Hashable, Sendable {
  package let poolID: PoolID
  package let customerName: String
  package let at: Timestamp
  package let before: WaterCondition
  package let after: WaterCondition
  package let lsi: Double

  package init(
    poolID: PoolID, customerName: String, at: Timestamp, before: WaterCondition, after: WaterCondition, lsi: Double
  ) {
    self.poolID = poolID
    self.customerName = customerName
    self.at = at
    self.before = before
    self.after = after
    self.lsi = lsi
  }
}
