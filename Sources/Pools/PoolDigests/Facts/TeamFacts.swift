package import FlowCalendar
package import FlowModel
package import PoolChemistry
package import PoolModel

/// A pool on a route, with only the fields that a notice may contain.
package struct Stop: Hashable, Sendable {
  package let poolID: PoolID
  package let customerName: String
  package let address: String
  package let latitude: Double
  package let longitude: Double
  package private(set) var technicianID: TechnicianID
  /// The water and equipment; nil if only the route was read.
  package let care: StopCare?
  /// The customer's preferred arrival window, as free text from the profile.
  package let arrivalWindow: String
  /// The position in the weekday's route, lowest first.
  package private(set) var routeOrder: Int
  /// The pool's own technician, if another one serves the stop on its date; otherwise nil.
  package private(set) var ownTechnicianID: TechnicianID?
  /// The changes that put the stop on its date; nil if nothing changed there.
  package private(set) var changed: ChangedStop?

  package init(
    poolID: PoolID, customerName: String, address: String, latitude: Double, longitude: Double,
    technicianID: TechnicianID, care: StopCare? = nil, arrivalWindow: String = "", routeOrder: Int = 0
  ) {
    self.poolID = poolID
    self.customerName = customerName
    self.address = address
    self.latitude = latitude
    self.longitude = longitude
    self.technicianID = technicianID
    self.care = care
    self.arrivalWindow = arrivalWindow
    self.routeOrder = routeOrder
  }

  /// The number of the last change of the stop; 0 if nothing changed.
  fileprivate var changeNumber: Int64 { changed?.changes.last?.id ?? 0 }

  /// The stop as changes made it on one date.
  func changed(by changed: ChangedStop) -> Stop {
    var own = self
    if let technician = changed.technician, technician != technicianID {
      own.technicianID = technician
      own.ownTechnicianID = technicianID
    }
    own.routeOrder = changed.routeOrder ?? routeOrder
    own.changed = changed
    return own
  }
}

/// The water and equipment of a stop.
package struct StopCare: Hashable, Sendable {
  /// The pool's volume in US gallons.
  package let volumeGallons: Double
  /// The last readings; nil if no visit has measured anything.
  package let water: MeasuredWater?
  package let lastVisit: Timestamp?
  /// The last change of the pool's record.
  package let updatedAt: Timestamp
  /// Equipment with a service or warranty date.
  package let equipment: [DatedEquipment]
  /// The median chlorine doses of the last visits by item, without zero medians; dosing does not advise chlorine. Empty if
  /// doses were not read.
  package let usualChlorine: [UsualDose]
  /// The number of visits from which the median is computed.
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

  /// Whether the readings of a pool are complete and recent enough to compute doses.
  func isMeasured(at pool: PoolID, by rules: DoseRules) -> Bool {
    guard let water, water.hasIndex else { return false }
    return rules.zone.local(at: water.at).date >= rules.oldestReadings(of: pool)
  }

  /// The recommended doses of a pool; empty if the readings are missing or too old.
  ///
  /// - Parameter compares: false if only the amounts are needed.
  func advice(at pool: PoolID, by rules: DoseRules, compares: Bool = true) -> [DoseRecommendation] {
    guard let water, isMeasured(at: pool, by: rules) else { return [] }
    return rules.method.recommendations(
      for: water.readings, assumed: water.assumed, volumeGallons: volumeGallons, compares: compares)
  }
}

/// The rules by which the doses of a team's day are computed.
struct DoseRules: Hashable, Sendable {
  let method: DosingMethod
  /// The earliest date of readings that are recent enough for a dose at a pool that is served every week.
  let oldestReadings: CivilDate
  /// The same for each pool with a rule or a pause.
  let oldestReadingsOfPools: [PoolID: CivilDate]
  /// The team's zone.
  let zone: Zone

  func oldestReadings(of pool: PoolID) -> CivilDate { oldestReadingsOfPools[pool] ?? oldestReadings }
}

/// The usual dose of one stock item at a visit.
package struct UsualDose: Hashable, Sendable {
  /// The name of the stock item.
  package let name: String
  package let ounces: Double
  package let isDry: Bool

  package init(name: String, ounces: Double, isDry: Bool = false) {
    self.name = name
    self.ounces = ounces
    self.isDry = isDry
  }

  /// The median dose by item name; a visit without an item counts as 0.
  ///
  /// - Parameter visits: the doses of each of a pool's last visits.
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

/// A piece of equipment with its service and warranty dates.
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
  /// The technician whose truck has the item; nil for the team's store.
  package let technicianID: TechnicianID?

  package init(item: InventoryItem, technicianID: TechnicianID?) {
    self.item = item
    self.technicianID = technicianID
  }
}

/// The facts about a team at one moment: everything that a decision may use.
package struct TeamFacts: Sendable {
  package var team: Team
  /// In the order of their sections: the default technician first, then by name.
  package let technicians: [Technician]
  /// The number of active pools, on any weekday.
  package let poolCount: Int
  /// The stops that the requested weekdays may have, in route order; `stops(on:)` returns those of a date.
  package let stopsByDay: [Weekday: [Stop]]
  package let stock: [StockItem]
  /// The pools whose water balance changed recently, newest first.
  package let waterChanges: [WaterChange]
  /// The route of the last morning digest of the same weekday; nil without one.
  package var lastRoute: SentRoute?
  /// The nightly plans of the day's routes; a technician without a plan drives in the stored order.
  package var plannedRoutes: [TechnicianID: PlannedRoute] = [:]
  /// Ounces of each item used by the visits of the last 90 days; empty if use was not requested.
  package var usedOz: [InventoryItemID: Double] = [:]
  /// The facts for the weekly digest; nil if they were not requested.
  package var week: WeekFacts?
  /// Closures of the team and absences of technicians.
  package var daysOff: DaysOff = .none
  /// The dates of service of the pools that are not served every week.
  package var services: ServiceCalendar = .weekly
  /// The people who may get notices of their own; empty if they were not requested.
  package var people: [Person] = []
  /// The requested reminders.
  package var reminders: [ReminderName: Reminder] = [:]
  /// The store's change counter from before the facts were read; nil if the facts were not read for a run.
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

  /// The stops that are served on a date, each with the technician of that date, in the route order of its weekday; empty if
  /// that weekday was not requested.
  package func stops(on date: CivilDate) -> [Stop] {
    let day = date.weekday
    let stops = stopsByDay[day] ?? []
    guard !services.isWeekly else { return stops }
    var hasChanges = false
    var placed: [(stop: Stop, position: Int)] = []
    let served = stops.compactMap { stop -> Stop? in
      guard services.isServed(stop.poolID, weekday: day, on: date) else { return nil }
      guard let changed = services.changedStop(of: stop.poolID, on: date) else { return stop }
      hasChanges = true
      guard let position = changed.routeOrder else { return stop.changed(by: changed) }
      placed.append((stop.changed(by: changed), position))
      return nil
    }
    guard hasChanges else { return served }
    return served.sorted { ($0.routeOrder, $0.poolID) < ($1.routeOrder, $1.poolID) }.placing(
      placed.sorted { $0.stop.changeNumber < $1.stop.changeNumber }, isSameDay: { $0.technicianID == $1.technicianID })
  }

  /// The next day without a closure; the day after `date` if none is found.
  package func nextWorkingDay(after date: CivilDate) -> CivilDate {
    daysOff.nextWorkingDay(after: date) ?? date.adding(days: 1)
  }

  /// The rules of the doses on a date.
  func doseRules(on date: CivilDate, in zone: Zone) -> DoseRules {
    let ofPools = services.pools.map { ($0, oldestReadings(of: $0, on: date)) }
    return DoseRules(
      method: team.settings.dosing, oldestReadings: oldestReadings(on: date),
      oldestReadingsOfPools: Dictionary(uniqueKeysWithValues: ofPools), zone: zone)
  }

  /// The earliest date of readings that still get a dose at a pool with a rule or a pause.
  private func oldestReadings(of pool: PoolID, on date: CivilDate) -> CivilDate {
    guard let service = services[pool] else { return oldestReadings(on: date) }
    return secondLastService(
      before: date, within: service.rule == nil ? Self.daysOfReadings : Self.daysOfReadingsByRule, service.isServed)
  }

  /// The earliest date of readings that still get a dose on a date at the pools that are served every week.
  package func oldestReadings(on date: CivilDate) -> CivilDate {
    secondLastService(before: date, within: Self.daysOfReadings) { $0.weekday == date.weekday }
  }

  /// The second last date of service before `date` on which the team was not closed: after two services the water has been
  /// treated or has changed. If there is none within `days`, the date that many days before `date`.
  private func secondLastService(
    before date: CivilDate, within days: Int, _ isServed: (CivilDate) -> Bool
  ) -> CivilDate {
    let oldest = date.adding(days: -days)
    var services = 0
    for day in (1...days).lazy.map({ date.adding(days: -$0) }) where isServed(day) && daysOff.closure(on: day) == nil {
      services += 1
      if services == 2 { return day }
    }
    return oldest
  }

  /// The days after which readings get no dose even if the team was closed or the pool was paused meanwhile.
  private static let daysOfReadings = 28
  /// The same for a pool with a rule: two services of one that is served once a month, such as on the first Tuesday. After
  /// that, rain, refills and the sun have changed the water of every pool.
  private static let daysOfReadingsByRule = 63

  package var lowStock: [StockItem] { stock.filter(\.item.isLowStock) }
}

/// A pool whose water balance changed.
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
