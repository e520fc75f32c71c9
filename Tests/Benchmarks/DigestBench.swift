import FlowCalendar
import FlowModel
import FlowNotices
import Foundation
import PoolChemistry
import PoolDigests
import PoolModel
import PoolRouting

/// Measures morning digests from facts to data to HTML, for a morning of many teams on two cores, and for a single one. The
/// baseline is the app's four-line body, which every notice has anyway: the difference is the cost of a page.
func benchDigests() { DigestBench.run() }

private enum DigestBench {
  private static let teams = 10_000
  private static let stops = 12
  private static let referenceMorning = 5_000.0
  private static let referenceOne = 1.0

  static func run() {
    let facts = (0..<256).map { self.facts(of: $0) }
    let moment = DigestMoment(zone: .utc, asOf: Timestamp(seconds: 1_772_434_800), run: "20260302T070000Z-bench-1-0")
    var bytes = 0
    let alone = (0..<301).map { round in
      milliseconds { bytes = NoticePage.html(MorningDigest(facts[round % facts.count], at: moment), access: []).count }
    }
    print("Morning digests of \(stops) stops, composed with HTML:")
    figureLine("one alone, ms, of \(bytes) bytes", alone, .reference(referenceOne))
    let morning = (0..<5).map { _ in milliseconds { compose(facts, moment, page: true) } }
    figureLine("\(teams) on two threads, ms", morning, .reference(referenceMorning))
    let plain = (0..<5).map { _ in milliseconds { compose(facts, moment, page: false) } }
    figureLine("\(teams) notices as the data they are stored as, ms", plain)
    let languages = Language.allCases.map { language in
      var one = facts[0]
      one.team.language = language
      return Double(MorningDigest(one, at: moment).document().html.utf8.count)
    }
    figureLine("the longest page of any language, bytes", languages.max().map { [$0] } ?? [], .atMost(24_000))
  }

  /// Each of two threads renders half of the teams.
  private static func compose(_ facts: [TeamFacts], _ moment: DigestMoment, page: Bool) {
    DispatchQueue.concurrentPerform(iterations: 2) { half in
      var sum = 0
      for number in 0..<teams / 2 {
        let digest = MorningDigest(facts[(number * 2 + half) % facts.count], at: moment)
        sum += page ? NoticePage.html(digest, access: []).count : DigestJSON.text(digest).utf8.count
      }
      precondition(sum > teams * 1_000, "a page is more than that")
    }
  }

  /// A team's Monday: two technicians, unbalanced water at every third stop, equipment, stock, a changed route.
  private static func facts(of number: Int) -> TeamFacts {
    var random = SplitMix(seed: UInt64(number))
    let team = Team(
      id: TeamID(Int64(number + 1)), name: "team-\(number)", trade: .poolService, zone: "UTC", language: .english,
      units: .imperial,
      objective: .time, plan: .paid, settings: TeamSettings(), createdAt: Timestamp(seconds: 0))
    let technicians = (1...2).map {
      Technician(id: TechnicianID(Int64($0)), teamID: team.id, name: "technician \($0)", isDefault: $0 == 1)
    }
    let now = Timestamp(seconds: 1_772_434_800)
    let route = (0..<stops).map { index in
      let visit = now.advanced(by: .hours(-24 * 7))
      let readings = WaterReadings(
        pH: index % 3 == 0 ? 7.0 : 7.5, waterTempF: 70, calciumHardness: 250, totalAlkalinity: 90, cyanuricAcid: 40,
        totalDissolvedSolids: 1_000)
      return DayStop(
        poolID: PoolID(UUID()), customerName: "Customer \(number)-\(index)",
        address: "\(index) E Juniper St, Mesa, AZ 85203",
        latitude: 33.4 + .random(in: 0...0.1, using: &random), longitude: -111.8 + .random(in: 0...0.1, using: &random),
        technicianID: technicians[index % 2].id, day: .monday, routeOrder: index,
        care: StopCare(
          volumeGallons: 15_000, water: MeasuredWater(readings, at: visit, totalDissolvedSolids: 1_000),
          lastVisit: visit, updatedAt: now,
          equipment: [
            DatedEquipment(name: "Pump", nextService: now.advanced(by: .hours(24 * (index - 3))), warrantyEnd: nil)
          ]))
    }
    let stock = ["acid", "base", "chlorine"].enumerated().map { index, type in
      StockItem(
        item: InventoryItem(
          id: InventoryItemID(UUID()), name: "Chemical \(type)", chemicalType: type, concentration: 30, costPerOz: 0.05,
          currentStockOz: 40, lowStockThresholdOz: index == 0 ? 100 : 10, unitLabel: "oz"), technicianID: nil)
    }
    var facts = TeamFacts(
      team: team, technicians: technicians, poolCount: 60, stopsByDay: [.monday: route, .tuesday: route], stock: stock)
    facts.lastRoute = SentRoute(
      date: CivilDate(year: 2026, month: 2, day: 23),
      stops: route.reversed().dropFirst(2).map {
        SentRoute.Stop(poolID: $0.poolID, customer: $0.customerName, technician: "technician 1")
      }, currentDays: [:])
    return facts
  }
}
