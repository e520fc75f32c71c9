package import FlowModel

/// A pool as a stop of one weekday's route.
package struct DayStop: Hashable, Sendable {
  package let poolID: PoolID
  package let customerName: String
  package let address: String
  /// Degrees; 0 and 0, or values out of range, mean "not geocoded".
  package let latitude: Double
  package let longitude: Double
  package let technicianID: TechnicianID
  /// The weekday of the route; a pool with a rule may be a stop of several weekdays.
  package var day: Weekday
  /// The rank among the stops of `day`; equal ranks are ordered by the pool's id.
  package var routeOrder: Int
  /// The customer's preferred arrival window, as free text from the profile; empty if there is none.
  package let arrivalWindow: String
  /// Pinned position, from 1; nil if not pinned.
  package let pin: Int?
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
  /// The stops that are served on the next date of their weekday.
  ///
  /// - Parameter today: the first date; a weekday means its next date from then on.
  package func due(from today: CivilDate, by services: ServiceCalendar) -> [DayStop] {
    filter { stop in
      let days = (stop.day.rawValue - today.weekday.rawValue + 7) % 7
      return services.isServed(stop.poolID, weekday: stop.day, on: today.adding(days: days))
    }
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
