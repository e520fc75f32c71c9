import FlowCalendar
import FlowModel
import FlowNotices
import FlowTestKit
import Foundation
import PoolChemistry
import PoolDigests
import PoolModel

/// A team's day with adjustable facts.
struct DigestStand {
  static let monday = CivilDate(year: 2026, month: 3, day: 2)
  static let moment = DigestMoment(zone: .utc, asOf: Timestamp(seconds: 1_772_434_800), run: nil)

  var team = Samples.team(zone: "UTC")
  var names = ["maria"]
  var stops: [DayStop] = []
  var tomorrow: [DayStop] = []
  var stock: [StockItem] = []
  var changes: [WaterChange] = []
  var last: SentRoute?

  static let balanced = WaterReadings(
    pH: 7.5, waterTempF: 80, calciumHardness: 300, totalAlkalinity: 100, cyanuricAcid: 30, totalDissolvedSolids: 1_000)
  /// pH 7.0 in 15,000 gal: needs soda ash.
  static let corrosive = WaterReadings(
    pH: 7.0, waterTempF: 60, calciumHardness: 300, totalAlkalinity: 90, cyanuricAcid: 30, totalDissolvedSolids: 1_000)

  static func care(
    _ readings: WaterReadings = balanced, daysAgo: Int? = 7, equipment: [DatedEquipment] = [],
    chlorine: [UsualDose] = []
  ) -> StopCare {
    let visit = daysAgo.map { moment.asOf.advanced(by: .hours(-24 * $0)) }
    return StopCare(
      volumeGallons: 15_000,
      water: visit.map { MeasuredWater(readings, at: $0, totalDissolvedSolids: readings.totalDissolvedSolids) },
      lastVisit: visit,
      updatedAt: moment.asOf.advanced(by: .hours(-24 * 30)), equipment: equipment, usualChlorine: chlorine)
  }

  static func stop(
    _ number: Int, _ name: String = "", technician: Int64 = 1, latitude: Double? = nil, longitude: Double? = nil,
    care: StopCare? = care(), window: String = ""
  ) -> DayStop {
    DayStop(
      poolID: Samples.pool(number).id, customerName: name.isEmpty ? "Customer \(number)" : name,
      address: "\(number) Elm St", latitude: latitude ?? 33.4 + Double(number) * 0.011,
      longitude: longitude ?? -111.8 + Double(number * number % 7) * 0.013, technicianID: TechnicianID(technician),
      day: .monday, routeOrder: number, arrivalWindow: window, care: care)
  }

  /// The week that ends with that Monday.
  static func week(visits: [PeriodFacts.Visit] = [], uses: [PeriodFacts.Use] = []) -> PeriodFacts {
    PeriodFacts(period: Period(weekTo: monday, in: .utc), visits: visits, uses: uses)
  }

  var facts: TeamFacts {
    var facts = TeamFacts(
      team: team,
      technicians: names.enumerated().map {
        Technician(id: TechnicianID(Int64($0 + 1)), teamID: team.id, name: $1, isDefault: $0 == 0)
      }, poolCount: stops.count, stopsByDay: [.monday: stops, .tuesday: tomorrow], stock: stock, waterChanges: changes)
    facts.lastRoute = last
    return facts
  }

  var map: PinMap? {
    let digest = digest
    return digest.sections.lazy.compactMap { digest.map(of: $0, digest.speaks.localizer) }.first
  }

  var digest: MorningDigest { MorningDigest(facts, at: Self.moment) }
}

/// Sorted keys without spaces, as Foundation writes it.
func asFoundationWritesIt(_ json: String) throws -> String {
  let object = try JSONSerialization.jsonObject(with: Data(json.utf8))
  return String(
    decoding: try JSONSerialization.data(withJSONObject: object, options: [.sortedKeys, .withoutEscapingSlashes]),
    as: UTF8.self)
}
