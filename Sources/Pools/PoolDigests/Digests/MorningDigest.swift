package import FlowModel
package import FlowNotices
package import PoolChemistry
import PoolModel

/// The morning notice as data: changes, a section for each technician with stops, and low stock.
///
/// It contains names and addresses, without which a route is useless, but no access codes and no phone numbers, and none of
/// the owner's financial figures. It is stored with its notice and decoded when a page is rendered.
package struct MorningDigest: Hashable, Sendable, Decodable {
  package let team: String
  /// The technician whose own digest it is; nil for the whole team's.
  package let technician: String?
  package let speaks: DigestLocale
  /// The local date of the route: `2026-03-02`.
  package let date: String
  package let weekday: Weekday
  /// The instant whose local date the digest is about, RFC 3339.
  package let asOf: String
  package let sections: [Section]
  /// The changes since the last digest of this weekday; nil if there is none.
  package let changes: RouteChanges?
  package let lowStock: [LowStockLine]
  /// Pools whose water balance changed in the last 24 hours; nil for none.
  package let waterChanges: [WaterLine]?
  package let late: DigestMoment.Lateness?
  /// The newest change of any stop's record, in the team's zone: `2026-03-01T17:05`.
  package let dataAsOf: String?
  package let run: String?
  /// True for a notice sent the evening before; otherwise nil.
  package let isPreview: Bool?
  /// Minutes per stop; nil in a digest from an older version.
  package let stopMinutes: Int?
  /// Frost and rain; nil if there is nothing to tell, and in a notice of the same day.
  package let weather: EveningWeather?
  /// The stops that have changed since the route was told; nil in every other notice than that of a changed route.
  package internal(set) var changedStops: [ChangedStop]?
  /// The same of the day after, which has no notice of its own then.
  package internal(set) var changedTomorrow: [ChangedStop]?

  /// One technician's day.
  package struct Section: Hashable, Sendable, Decodable {
    package let technician: String
    package let stops: [StopLine]
    /// The time at which the last stop is done: `12:40`.
    package let done: String
    /// The number of midnights before `done`; nil for the same day.
    package let doneDays: Int?
    /// Miles between located stops.
    package let miles: Double
    /// Whether driving times come from the nightly plan instead of an estimate.
    package let isPlanned: Bool
    package let load: [LoadLine]
    /// True if the technician is away, so that the stops are not covered; otherwise nil.
    package let isAway: Bool?
    /// The savings of the best order; nil if there are none.
    package internal(set) var better: RouteImprovement?

    package var attention: [StopLine] { stops.filter { !$0.attention.isEmpty } }

    enum CodingKeys: String, CodingKey {
      case technician, stops, done, miles, load, better
      case isPlanned = "planned"
      case isAway = "away"
      case doneDays = "done_days"
    }
  }

  /// The savings of the best order over the order that is set and listed.
  package struct RouteImprovement: Hashable, Sendable, Decodable {
    /// Minutes of driving saved; negative if meeting the arrival windows needs a detour.
    package let minutes: Int
    package let miles: Double
    /// Minutes of lateness saved against customers' arrival windows; nil for none.
    package let late: Int?

    enum CodingKeys: String, CodingKey {
      case minutes, miles
      case late = "late_minutes"
    }
  }

  /// One stop of a route with the times and reasons that the notice lists. It is not a `DayStop`, because it is part of the
  /// stored JSON document, which older programs read.
  package struct StopLine: Hashable, Sendable, Decodable {
    package let order: Int
    package let poolID: String
    package let customer: String
    package let address: String
    /// Degrees; nil, like `longitude`, for a stop without coordinates.
    package let latitude: Double?
    package let longitude: Double?
    /// The estimated arrival, rounded: `08:35`.
    package let eta: String
    /// The number of midnights before `eta`; nil for the same day.
    package let etaDays: Int?
    /// The estimated arrival as an instant, RFC 3339.
    package let arrives: String
    package let volumeGallons: Double?
    package let lsi: Double?
    package let water: WaterCondition?
    /// The last readings; nil for a pool without readings, and in a digest from an older version.
    package let readings: Readings?
    /// The chlorine that a visit usually adds; nil for none.
    package let usual: [Dose]?
    /// The start of the customer's arrival window, `08:00`; nil for no limit.
    package let opens: String?
    /// The end of the customer's arrival window; nil for no limit.
    package let closes: String?
    /// Days since the last visit; nil if the pool was never visited, or if visits were not read.
    package let daysSinceVisit: Int?
    package let attention: [Attention]
    /// Facts that need no action today, such as warranties that ended long ago.
    package let asides: [Attention]
    /// The change that put the stop here; nil if it is here by the pool's own dates.
    package let changed: StopChange?

    enum CodingKeys: String, CodingKey {
      case order, customer, address, latitude, longitude, eta, arrives, opens, closes, lsi, water, readings, usual,
        attention, asides, changed
      case poolID = "pool_id"
      case volumeGallons = "volume_gal"
      case daysSinceVisit = "days_since_visit"
      case etaDays = "eta_days"
    }
  }

  /// The change that put a stop on its date or in its technician's route.
  package struct StopChange: Hashable, Sendable, Decodable {
    /// The date from which the stop was moved: `2026-03-03`; nil if it was not moved.
    package let from: String?
    /// The pool's own technician, if another one serves the stop; otherwise nil.
    package let technician: String?
    package let reason: String
  }

  /// One stop that is no longer on a route, is new there, or is another technician's.
  package struct ChangedStop: Hashable, Sendable, Decodable {
    let customer: String
    /// The technicians who had the stop and who have it; nil if none.
    let before: String?
    let after: String?
    /// The date to which the stop was moved: `2026-03-03`; nil if it is on the route or is skipped.
    let to: String?
    /// The change that put the stop there, or of a stop that is gone only its reason; nil without one.
    let changed: StopChange?
  }

  /// A reason why a stop needs attention.
  package struct Attention: Hashable, Sendable, Decodable {
    /// The kind of reason; each uses some of the members below.
    package enum Kind: String, Hashable, Sendable, CaseIterable, Decodable {
      case waterCrossed = "water-crossed"
      case stale
      case neverVisited = "never-visited"
      case waterOff = "water-off"
      case readingsOld = "readings-old"
      case outsideWindow = "outside-window"
      case serviceOverdue = "service-overdue"
      case workDue = "work-due"
      case warrantyEnded = "warranty-ended"
      case noCoordinates = "no-coordinates"
    }

    package let kind: Kind
    var before: WaterCondition?
    var after: WaterCondition?
    var lsi: Double?
    var days: Int?
    /// The name of the machine or of the recurring work.
    var name: String?
    /// The date of the overdue service, the end of the warranty, or the date on which the work was due: `2026-02-14`.
    var date: String?
    /// The advised doses, in the order of treatment.
    package internal(set) var doses: [Dose]?
    /// True if part of the water must be replaced; otherwise nil.
    package internal(set) var drain: Bool?

    init(_ kind: Kind) { self.kind = kind }
  }

  /// A chemical that is low in stock.
  package struct LowStockLine: Hashable, Sendable, Decodable {
    package let name: String
    package let type: String
    package let stockOz: Double
    package let thresholdOz: Double
    /// Days that the stock lasts at the average use of the last 90 days; nil if none was used.
    package let daysLeft: Int?
    /// The amount that the next working day needs; nil for none.
    package let tomorrowOz: Double?
    /// The customers who get too little on that day, in route order; nil if there is enough.
    package let shortFor: [String]?
    /// True for tablets or powder of a chemical that is usually liquid; otherwise nil.
    package let isDry: Bool?
    /// The date of that day; nil if the notice can call it "tomorrow".
    package let needsOn: String?

    enum CodingKeys: String, CodingKey {
      case name, type
      case stockOz = "stock_oz"
      case thresholdOz = "threshold_oz"
      case daysLeft = "days_left"
      case tomorrowOz = "tomorrow_oz"
      case shortFor = "short_for"
      case isDry = "dry"
      case needsOn = "needs_on"
    }
  }

  /// A pool whose water balance changed.
  package struct WaterLine: Hashable, Sendable, Decodable {
    /// The pool's id; nil in a digest from an older version.
    package let poolID: String?
    package let customer: String
    package let before: WaterCondition
    package let after: WaterCondition
    package let lsi: Double

    enum CodingKeys: String, CodingKey {
      case customer, before, after, lsi
      case poolID = "pool_id"
    }
  }

  enum CodingKeys: String, CodingKey {
    case team, technician, speaks, date, weekday, sections, changes, late, run, weather
    case lowStock = "low_stock"
    case waterChanges = "water_changes"
    case dataAsOf = "data_as_of"
    case asOf = "as_of"
    case isPreview = "preview"
    case stopMinutes = "stop_minutes"
    case changedStops = "changed_stops"
    case changedTomorrow = "changed_tomorrow"
  }
}

extension MorningDigest {
  var stopCount: Int { sections.reduce(0) { $0 + $1.stops.count } }

  package var civilDate: CivilDate { CivilDate(date) ?? CivilDate(daysSince1970: 0) }

  /// The route to which the next digest of this weekday is compared.
  package var route: SentRoute {
    SentRoute(
      date: civilDate,
      stops: sections.flatMap { section in
        section.stops.compactMap { stop in
          PoolID(stop.poolID).map { .init(poolID: $0, customer: stop.customer, technician: section.technician) }
        }
      })
  }

  /// The digest of one technician, matched ignoring case: the stops, the load, and the changes that concern them. The store's
  /// stock and the proposal of a better order are left out, because they are for the office. Nil if the technician has no
  /// stops.
  ///
  /// - Parameter run: the id of the technician's own notice.
  package func only(_ technician: String, run id: String? = nil) -> MorningDigest? {
    guard var own = sections.first(where: { $0.technician.lowercased() == technician.lowercased() }) else { return nil }
    own.better = nil
    let pools = Set(own.stops.map(\.poolID))
    let water = waterChanges?.filter { $0.poolID.map(pools.contains) == true } ?? []
    return MorningDigest(
      team: team, technician: own.technician, speaks: speaks, date: date, weekday: weekday, asOf: asOf, sections: [own],
      changes: changes?.only(own.technician), lowStock: [], waterChanges: water.isEmpty ? nil : water, late: late,
      dataAsOf: dataAsOf, run: id ?? run, isPreview: isPreview, stopMinutes: stopMinutes,
      weather: weather?.ofTechnician)
  }
}
