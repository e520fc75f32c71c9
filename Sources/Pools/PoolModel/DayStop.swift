package import FlowModel

/// A pool as a stop of one weekday's route.
package struct DayStop: Hashable, Sendable {
  package let poolID: PoolID
  package let customerName: String
  package let address: String
  /// Degrees; 0 and 0, or values out of range, mean "not geocoded".
  package let latitude: Double
  package let longitude: Double
  package private(set) var technicianID: TechnicianID
  /// The pool's own technician, if another one serves the stop on its date; otherwise nil.
  package private(set) var ownTechnicianID: TechnicianID?
  /// The changes that put the stop on its date; nil if nothing changed there.
  package private(set) var changed: ChangedStop?
  /// The weekday of the route; a pool with a rule may be a stop of several weekdays.
  package var day: Weekday
  /// The rank among the stops of `day`; equal ranks are ordered by the pool's id.
  package var routeOrder: Int
  /// The customer's preferred arrival window, as free text from the profile; empty if there is none.
  package let arrivalWindow: String
  /// Pinned position, from 1; nil if not pinned.
  package var pin: Int?
  /// The water and equipment; nil if only the route was read.
  package var care: StopCare?

  package init(
    poolID: PoolID, customerName: String, address: String, latitude: Double, longitude: Double,
    technicianID: TechnicianID, day: Weekday, routeOrder: Int, arrivalWindow: String = "", pin: Int? = nil,
    care: StopCare? = nil
  ) {
    self.poolID = poolID
    self.customerName = customerName
    self.address = address
    self.latitude = latitude
    self.longitude = longitude
    self.technicianID = technicianID
    self.day = day
    self.routeOrder = routeOrder
    self.arrivalWindow = arrivalWindow
    self.pin = pin
    self.care = care
  }

  /// The number of the last change of the stop; 0 if nothing changed.
  package var changeNumber: Int64 { changed?.changes.last?.id ?? 0 }

  /// The stop as changes made it on one date.
  package func changed(by changed: ChangedStop) -> DayStop {
    var own = self
    if let technician = changed.technician, technician != technicianID {
      own.technicianID = technician
      own.ownTechnicianID = technicianID
    }
    own.routeOrder = changed.routeOrder ?? routeOrder
    own.changed = changed
    return own
  }

  /// The stop on another weekday.
  fileprivate func on(_ day: Weekday) -> DayStop {
    var own = self
    own.day = day
    return own
  }

  package var routeDay: RouteDay { RouteDay(technicianID: technicianID, day: day) }
}

/// One technician's weekday.
package struct RouteDay: Hashable, Sendable {
  package let technicianID: TechnicianID
  package let day: Weekday

  package init(technicianID: TechnicianID, day: Weekday) {
    self.technicianID = technicianID
    self.day = day
  }
}

extension [DayStop] {
  /// The stops that are served on the next date of their weekday, each with the technician of that date. A stop that was moved
  /// to one of these dates is among them.
  ///
  /// - Parameter today: the first date; a weekday means its next date from then on.
  package func due(from today: CivilDate, by services: ServiceCalendar) -> [DayStop] {
    var changed: [(record: DayStop, position: Int?, change: Int64)] = []
    let kept = filter { stop in
      let date = today.next(stop.day)
      return services.changedStop(of: stop.poolID, on: date) == nil
        && services.isServed(stop.poolID, weekday: stop.day, on: date)
    }
    for pool in services.pools {
      guard let service = services[pool] else { continue }
      for date in service.changedDates where date >= today && date < today.adding(days: 7) {
        guard service.isServed(on: date), let stop = service.changedStop(on: date),
          let record = first(where: { $0.poolID == pool && $0.day == date.weekday })
            ?? first(where: { $0.poolID == pool })
        else { continue }
        changed.append((record.on(date.weekday).changed(by: stop), stop.routeOrder, stop.changes.last?.id ?? 0))
      }
    }
    guard !changed.isEmpty else { return kept }
    let placed = changed.compactMap { one in one.position.map { (stop: one.record, position: $0, change: one.change) } }
    return (kept + changed.filter { $0.position == nil }.map(\.record)).inOrder().placing(
      placed.sorted { $0.change < $1.change }.map { ($0.stop, $0.position) },
      isSameDay: { $0.routeDay == $1.routeDay }
    ).sortedByDay()
  }

  /// Every stop that a technician's weekday may have, and those that changes put on its next date.
  ///
  /// - Parameter today: the first date; nil for the stops of the rules alone.
  package func stops(
    of day: RouteDay, from today: CivilDate?, by services: ServiceCalendar
  ) -> [DayStop] {
    let regular = filter { $0.routeDay == day }
    guard let today, !services.isWeekly else { return regular }
    let date = today.next(day.day)
    let due = due(from: today, by: services)
    let changed = due.filter {
      $0.routeDay == day && services.changedStop(of: $0.poolID, on: date) != nil
    }
    guard !changed.isEmpty else { return regular }
    let pools = Set(changed.map(\.poolID))
    var stops = regular.filter { !pools.contains($0.poolID) }
    // Stops that are not served on this date keep their order, and the others have that of the date.
    var before: PoolID?
    for stop in due where stop.routeDay == day {
      if pools.contains(stop.poolID) {
        stops.insert(stop, at: stops.firstIndex { $0.poolID == before }.map { $0 + 1 } ?? 0)
      }
      before = stop.poolID
    }
    return stops
  }

  /// The stops by weekday and technician, otherwise in the same order.
  fileprivate func sortedByDay() -> [DayStop] {
    enumerated().sorted {
      ($0.element.day, $0.element.technicianID.number, $0.offset)
        < ($1.element.day, $1.element.technicianID.number, $1.offset)
    }.map(\.element)
  }

  /// The stops by weekday, technician, route order and pool.
  package func inOrder() -> [DayStop] {
    sorted {
      ($0.day, $0.technicianID.number, $0.routeOrder, $0.poolID)
        < ($1.day, $1.technicianID.number, $1.routeOrder, $1.poolID)
    }
  }
}

extension CivilDate {
  /// The first date of a weekday from this date on.
  package func next(_ day: Weekday) -> CivilDate { adding(days: (day.rawValue - weekday.rawValue + 7) % 7) }
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
  /// The median chlorine doses of the last visits by item, without zero medians. Empty if
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
