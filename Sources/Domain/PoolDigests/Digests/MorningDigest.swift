package import PoolChemistry
package import PoolModel
package import PoolNotices

/// The morning's page as data: what changed, a section for each technician who has stops, what is low in stock.
///
/// Holds names and addresses, because a route is useless without them, and nothing that opens a gate or rings a phone. It
/// is written with its notice and read again where a page is made of it. Owner's figures have no place in it.
package struct MorningDigest: Hashable, Sendable, Decodable {
  package let team: String
  /// Whose own it is; left out where it is the whole team's.
  package let technician: String?
  package let speaks: DigestSpeech
  /// `2026-03-02`.
  package let date: String
  package let weekday: Weekday
  /// The instant that it is about, RFC 3339.
  package let asOf: String
  package let sections: [Section]
  /// Nil where there was no digest of this weekday before.
  package let changes: RouteChanges?
  package let lowStock: [LowStockLine]
  /// Left out where no water changed.
  package let waterChanges: [WaterLine]?
  package let late: DigestMoment.Lateness?
  /// `2026-03-01T17:05`, in the team's zone: the newest change of any stop's record.
  package let dataAsOf: String?
  package let run: String?
  /// Told the evening before; left out in the morning.
  package let isPreview: Bool?
  /// What a stop takes; a version of before did not say.
  package let stopMinutes: Int?

  /// A technician's day.
  package struct Section: Hashable, Sendable, Decodable {
    package let technician: String
    package let stops: [StopLine]
    /// `12:40`, when the last stop is done.
    package let done: String
    /// How many days later; left out for the same day.
    package let doneDays: Int?
    /// Between located stops.
    package let miles: Double
    /// The times of driving are a night's work, not an estimate.
    package let isPlanned: Bool
    package let load: [LoadLine]
    /// The technician is away, and nobody drives there; left out where it is not so.
    package let isAway: Bool?
    /// What the best order would save; left out where that is nothing.
    package internal(set) var better: Better?

    package var attention: [StopLine] { stops.filter { !$0.attention.isEmpty } }

    enum CodingKeys: String, CodingKey {
      case technician, stops, done, miles, load, better
      case isPlanned = "planned"
      case isAway = "away"
      case doneDays = "done_days"
    }
  }

  /// What another order of a day would save. The order that was set is the one that is told.
  package struct Better: Hashable, Sendable, Decodable {
    /// Of driving; below 0 where customers' times cost a detour.
    package let minutes: Int
    package let miles: Double
    /// Minutes less after the ends of customers' windows; left out where that is nothing.
    package let late: Int?

    enum CodingKeys: String, CodingKey {
      case minutes, miles
      case late = "late_minutes"
    }
  }

  package struct StopLine: Hashable, Sendable, Decodable {
    package let order: Int
    package let poolID: String
    package let customer: String
    package let address: String
    /// Left out where nobody knows the place.
    package let latitude: Double?
    package let longitude: Double?
    /// `08:35`.
    package let eta: String
    /// How many days later; left out for the same day.
    package let etaDays: Int?
    /// The same as an instant, RFC 3339.
    package let arrives: String
    package let volumeGallons: Double?
    package let lsi: Double?
    package let water: WaterCondition?
    /// Left out by a version of before.
    package let readings: Readings?
    /// The chlorine that a visit usually pours here; left out where that is none.
    package let usual: [Dose]?
    /// From when the customer wants somebody, `08:00`; left out where it is any time.
    package let opens: String?
    /// Until when.
    package let closes: String?
    /// Nil where the pool was never visited, or nobody asked.
    package let daysSinceVisit: Int?
    package let attention: [Attention]
    /// What is so and needs nobody today: warranties that ended long ago.
    package let asides: [Attention]

    enum CodingKeys: String, CodingKey {
      case order, customer, address, latitude, longitude, eta, arrives, opens, closes, lsi, water, readings, usual,
        attention, asides
      case poolID = "pool_id"
      case volumeGallons = "volume_gal"
      case daysSinceVisit = "days_since_visit"
      case etaDays = "eta_days"
    }
  }

  /// Why a stop needs attention first.
  package struct Attention: Hashable, Sendable, Decodable {
    package enum Kind: String, Hashable, Sendable, CaseIterable, Decodable {
      case waterCrossed = "water-crossed"
      case stale
      case neverVisited = "never-visited"
      case waterOff = "water-off"
      case readingsOld = "readings-old"
      case outsideWindow = "outside-window"
      case serviceOverdue = "service-overdue"
      case warrantyEnded = "warranty-ended"
      case noCoordinates = "no-coordinates"
    }

    package let kind: Kind
    var before: WaterCondition?
    var after: WaterCondition?
    var lsi: Double?
    var days: Int?
    /// The machine's name.
    var name: String?
    /// `2026-02-14`.
    var date: String?
    /// What to pour, in this order.
    package internal(set) var doses: [Dose]?
    /// A part of the water is to be changed; left out where it is not.
    package internal(set) var drain: Bool?

    init(_ kind: Kind) { self.kind = kind }
  }

  package struct LowStockLine: Hashable, Sendable, Decodable {
    package let name: String
    package let type: String
    package let stockOz: Double
    package let thresholdOz: Double
    /// At the use of the last 90 days; nil where nothing was used.
    package let daysLeft: Int?
    /// What the next day's dosing predicts; nil where it needs none of it.
    package let tomorrowOz: Double?
    /// The customers whose stops of that day go without, in its order; left out where there is enough.
    package let shortFor: [String]?
    /// Tablets or powder of a kind that is else a liquid; left out where it is not.
    package let isDry: Bool?
    /// That day, where it is not tomorrow or it is told in the morning; else left out.
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

  package struct WaterLine: Hashable, Sendable, Decodable {
    /// Left out by a version of before.
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
    case team, technician, speaks, date, weekday, sections, changes, late, run
    case lowStock = "low_stock"
    case waterChanges = "water_changes"
    case dataAsOf = "data_as_of"
    case asOf = "as_of"
    case isPreview = "preview"
    case stopMinutes = "stop_minutes"
  }
}

extension MorningDigest {
  var stopCount: Int { sections.reduce(0) { $0 + $1.stops.count } }

  package var civilDate: CivilDate { CivilDate(date) ?? CivilDate(daysSince1970: 0) }

  /// What the next digest of this weekday is compared with.
  package var route: ToldRoute {
    ToldRoute(
      date: civilDate,
      stops: sections.flatMap { section in
        section.stops.compactMap { stop in
          PoolID(stop.poolID).map { .init(poolID: $0, customer: stop.customer, technician: section.technician) }
        }
      })
  }

  /// The digest of one technician alone, named in any case: the stops, the load, what changed about them, and the water at
  /// them. What is nobody's section is the office's: the store's stock, and a better order with the command that takes it.
  /// Nil where the technician has no stops.
  ///
  /// - Parameter run: the id of a notice of its own.
  package func only(_ technician: String, run id: String? = nil) -> MorningDigest? {
    guard var own = sections.first(where: { $0.technician.lowercased() == technician.lowercased() }) else { return nil }
    own.better = nil
    let pools = Set(own.stops.map(\.poolID))
    let water = waterChanges?.filter { $0.poolID.map(pools.contains) == true } ?? []
    return MorningDigest(
      team: team, technician: own.technician, speaks: speaks, date: date, weekday: weekday, asOf: asOf, sections: [own],
      changes: changes?.only(own.technician), lowStock: [], waterChanges: water.isEmpty ? nil : water, late: late,
      dataAsOf: dataAsOf, run: id ?? run, isPreview: isPreview, stopMinutes: stopMinutes)
  }
}
