package import FlowCalendar
package import FlowModel
package import PoolChemistry
package import PoolModel

extension StopCare {
  /// Whether the readings of a pool are complete and recent enough to compute doses.
  func isMeasured(at pool: PoolID, by rules: DoseRules) -> Bool {
    water?.hasIndex == true && isRecent(at: pool, by: rules)
  }

  /// Whether the readings of a pool are recent enough to compute doses.
  private func isRecent(at pool: PoolID, by rules: DoseRules) -> Bool {
    guard let water else { return false }
    return rules.zone.local(at: water.at).date >= rules.oldestReadings(of: pool)
  }

  /// The recommended doses of a pool; empty if the readings are missing or too old. Without a pH reading only chlorine is
  /// recommended.
  ///
  /// - Parameters:
  ///   - technician: the technician who doses, with the stock of the truck.
  ///   - compares: false if only the amounts are needed.
  func advice(
    at pool: PoolID, of technician: TechnicianID, by rules: DoseRules, compares: Bool = true
  ) -> [DoseRecommendation] {
    guard let water, isRecent(at: pool, by: rules) else { return [] }
    return rules.method.recommendations(
      for: water.readings, assumed: water.assumed, volumeGallons: volumeGallons,
      chlorine: rules.chlorine[technician] ?? .usual, index: rules.index, compares: compares)
  }

  /// The usual chlorine doses of a pool; empty if a recent reading of free chlorine tells the dose.
  func usualChlorine(at pool: PoolID, by rules: DoseRules) -> [UsualDose] {
    water?.readings.freeChlorine != nil && isRecent(at: pool, by: rules) ? [] : usualChlorine
  }
}

/// The rules by which the doses of a team's day are computed.
struct DoseRules: Hashable, Sendable {
  let method: DosingMethod
  /// The method of the saturation index.
  let index: LSIMethod
  /// The chlorine that each technician doses.
  let chlorine: [TechnicianID: ChlorineProduct]
  /// The earliest date of readings that are recent enough for a dose at a pool that is served every week.
  let oldestReadings: CivilDate
  /// The same for each pool with a rule or a pause.
  let oldestReadingsOfPools: [PoolID: CivilDate]
  /// The team's zone.
  let zone: Zone

  func oldestReadings(of pool: PoolID) -> CivilDate { oldestReadingsOfPools[pool] ?? oldestReadings }
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
  package private(set) var stopsByDay: [Weekday: [DayStop]]
  package let stock: [StockItem]
  /// The pools whose water balance changed recently, newest first.
  package let waterChanges: [WaterChange]
  /// The route of the last morning digest of the same weekday; nil without one.
  package var lastRoute: SentRoute?
  /// The route of the newest notice about the day itself; nil without one, and if it was not requested.
  package var toldRoute: SentRoute?
  /// The same about the day after.
  package var toldTomorrow: SentRoute?
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
  /// The newest forecast; nil without one, or if it was not requested.
  package var forecast: StoredForecast?
  /// The recurring work of the team's pools, whether due or not.
  package var work: [PoolID: [PoolWork]] = [:]
  /// The requested reminders.
  package var reminders: [ReminderName: Reminder] = [:]
  /// The store's change counter from before the facts were read; nil if the facts were not read for a run.
  package var changesSeen: Int?

  package init(
    team: Team, technicians: [Technician], poolCount: Int, stopsByDay: [Weekday: [DayStop]], stock: [StockItem],
    waterChanges: [WaterChange] = []
  ) {
    self.team = team
    self.technicians = technicians
    self.poolCount = poolCount
    self.stopsByDay = stopsByDay
    self.stock = stock
    self.waterChanges = waterChanges
  }

  /// The facts without the stops of a date on which the team is closed; unchanged for nil.
  package func withoutStops(on date: CivilDate, because off: DayOff?) -> TeamFacts {
    guard off != nil else { return self }
    var facts = self
    facts.stopsByDay[date.weekday] = []
    return facts
  }

  /// The stops that are served on a date, each with the technician of that date, in the route order of its weekday; empty if
  /// that weekday was not requested.
  package func stops(on date: CivilDate) -> [DayStop] {
    let day = date.weekday
    let stops = stopsByDay[day] ?? []
    guard !services.isWeekly else { return stops }
    var hasChanges = false
    var placed: [(stop: DayStop, position: Int)] = []
    let served = stops.compactMap { stop -> DayStop? in
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

  /// The first day of the week after `date` to which all its stops can be moved; nil if there is none.
  ///
  /// - Parameter isDry: whether the weather of a day allows it.
  func dayForAllStops(of date: CivilDate, isDry: (CivilDate) -> Bool) -> CivilDate? {
    let stops = stops(on: date)
    return (1..<7).map { date.adding(days: $0) }.first { day in
      daysOff.closure(on: day) == nil && isDry(day)
        && stops.allSatisfy { stop in
          let service = services[stop.poolID] ?? PoolService(weekday: stop.day)
          return daysOff.absence(of: stop.technicianID, on: day) == nil && service.mayMove(from: date, to: day)
        }
    }
  }

  /// The rules of the doses on a date.
  func doseRules(on date: CivilDate, in zone: Zone) -> DoseRules {
    let ofPools = services.pools.map { ($0, oldestReadings(of: $0, on: date)) }
    return DoseRules(
      method: team.settings.dosing, index: team.settings.lsiMethod, chlorine: chlorine,
      oldestReadings: oldestReadings(on: date),
      oldestReadingsOfPools: Dictionary(uniqueKeysWithValues: ofPools), zone: zone)
  }

  /// The chlorine that each technician doses: from the truck, else from the team's store.
  private var chlorine: [TechnicianID: ChlorineProduct] {
    let all = stock.filter { $0.item.chemicalType == ChemicalType.chlorine.rawValue }
    return Dictionary(
      technicians.map { technician in
        let truck = all.filter { $0.technicianID == technician.id } + all.filter { $0.technicianID == nil }
        return (technician.id, ChlorineProduct.preferred(in: truck.map(\.item)))
      }, uniquingKeysWith: { first, _ in first })
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
