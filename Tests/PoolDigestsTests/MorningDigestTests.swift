import FlowCalendar
import FlowModel
import FlowNotices
import FlowPlatform
import FlowTestKit
import FlowWork
import Foundation
import PoolChemistry
import PoolDigests
import PoolJobs
import PoolModel
import Testing

struct MorningDigestTests {
  private let monday = CivilDate(year: 2026, month: 3, day: 2)

  private func moment(_ date: CivilDate) -> DigestMoment {
    DigestMoment(
      zone: .utc, asOf: Timestamp(seconds: Int64(date.daysSince1970) * 86_400 + 7 * 3_600))
  }

  private func facts(lowStock: Bool = true, settings: TeamSettings = TeamSettings()) -> TeamFacts {
    let team = Samples.team(settings: settings)
    let technicians = [("desert-blue", true), ("dan", false), ("maria", false)].enumerated().map { index, one in
      Technician(id: TechnicianID(Int64(index + 1)), teamID: team.id, name: one.0, isDefault: one.1)
    }
    let stops = [(1, "Steve Baird", 3), (2, "Ann \"Q\" Castillo", 2), (3, "Frank Lam", 3)].map {
      number, name, technician in
      DayStop(
        poolID: Samples.pool(number).id, customerName: name, address: "\(number) Elm St",
        latitude: number == 2 ? 0 : 33,
        longitude: number == 2 ? 0 : -111, technicianID: TechnicianID(Int64(technician)), day: .monday,
        routeOrder: number)
    }
    return TeamFacts(
      team: team, technicians: technicians, poolCount: 3, stopsByDay: [.monday: stops],
      stock: [StockItem(item: Samples.item(stock: lowStock ? 96 : 512, threshold: 160), technicianID: nil)])
  }

  @Test func `each technician with stops has a section, in route order`() {
    let digest = MorningDigest(facts(), at: moment(monday))
    #expect(
      digest.lines == [
        "dan: 1 stop", "  1  Ann \"Q\" Castillo, 2 Elm St", "maria: 2 stops", "  1  Steve Baird, 1 Elm St",
        "  2  Frank Lam, 3 Elm St", "Low stock:", "     Muriatic Acid: 0.75 gal left, threshold 1.2 gal",
      ])
  }

  @Test func `the digest includes the low stock of the suppressed reminder`() {
    #expect(MorningDigest(facts(lowStock: false), at: moment(monday)).lowStock.isEmpty)
    #expect(
      MorningDigest(facts(settings: TeamSettings(lowStockForTomorrow: false)), at: moment(monday)).lowStock.isEmpty)
  }

  @Test func `the digest's JSON is reproducible, without coordinates of unlocated stops`() throws {
    let json = DigestJSON.text(MorningDigest(facts(), at: moment(monday)))
    #expect(json == DigestJSON.text(MorningDigest(facts(), at: moment(monday))))
    #expect(DigestJSON.morning(json) == MorningDigest(facts(), at: moment(monday)))
    let object = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    let sections = try #require(object["sections"] as? [[String: Any]])
    let stop = try #require((sections[0]["stops"] as? [[String: Any]])?.first)
    #expect(stop["customer"] as? String == "Ann \"Q\" Castillo")
    #expect(stop["latitude"] == nil)
  }

  @Test func `a late notice says so first, and keeps its identity`() throws {
    let zone = try SystemZones().zone(named: "America/Phoenix")
    func notice(late: Duration) throws -> Notice {
      let run = RunContext(
        jobID: JobID(17), kind: .morningSummary, slot: Samples.mondayMorning, asOf: Samples.mondayMorning,
        now: Samples.mondayMorning.advanced(by: late), lateness: late, install: "f3a91c02")
      return try #require(JobDecision.decide(run, facts: facts(), zone: zone).notice)
    }
    let onTime = try notice(late: .seconds(1))
    let late = try notice(late: .hours(3))
    #expect(late.lines.first == "Late: due Mon 7:00\u{202F}AM MST, sent Mon 10:00\u{202F}AM MST.")
    #expect(late.lines.dropFirst() == onTime.lines[...])
    #expect(onTime.id == "20260302T140000Z-morning-summary-17-f3a91c02")
    #expect(late.id == onTime.id)
  }

  @Test func `each suppressed notice has its reason`() throws {
    func reason(_ kind: JobKind, _ facts: TeamFacts, on date: CivilDate) throws -> SuppressionReason? {
      let at = DecisionMoment(digest: moment(date), now: Samples.mondayMorning, kind: kind)
      if case .suppressed(let silence) = try #require(kind.scenario).decision(facts, at: at) { return silence }
      return nil
    }
    let sunday = monday.adding(days: -1)
    #expect(try reason(.morningSummary, facts(), on: sunday) == .noStopsToday)
    let off = TeamSettings(notificationsEnabled: false)
    for kind in JobCatalogue.pools.ofTeam {
      #expect(try reason(kind, facts(settings: off), on: monday) == .notificationsOff)
    }
    #expect(try reason(.lowStock, facts(), on: sunday) == .morningSummaryEnabled)
    let quiet = TeamSettings(morningNotice: false)
    #expect(try reason(.morningSummary, facts(settings: quiet), on: monday) == .disabled)
    #expect(try reason(.lowStock, facts(settings: quiet), on: sunday) == nil)
    #expect(try reason(.lowStock, facts(settings: quiet), on: monday) == .noStopsTomorrow)
    #expect(try reason(.lowStock, facts(lowStock: false, settings: quiet), on: sunday) == .stockFine)
    #expect(try reason(.trialReminder, facts(), on: monday) == .notOnTrial)
  }

  @Test func `each kind suppresses only for its listed reasons`() throws {
    for kind in JobCatalogue.pools.ofTeam {
      let scenario = try #require(kind.scenario)
      var suppressionReasons = 0
      for settings in [
        TeamSettings(), TeamSettings(notificationsEnabled: false), TeamSettings(morningNotice: false),
      ] {
        for day in 0..<7 {
          let at = DecisionMoment(digest: moment(monday.adding(days: day)), now: Samples.mondayMorning, kind: kind)
          guard case .suppressed(let silence) = scenario.decision(facts(settings: settings), at: at) else { continue }
          #expect(scenario.suppressionReasons.contains(silence), "\(kind.rawValue): \(silence.code)")
          suppressionReasons += 1
        }
      }
      #expect(suppressionReasons > 0, "\(kind.rawValue)")
    }
  }

  @Test func `water that crossed a limit since yesterday is listed below the stops`() throws {
    func digest(_ changes: [WaterChange]) -> MorningDigest {
      MorningDigest(
        TeamFacts(
          team: Samples.team(), technicians: [], poolCount: 0, stopsByDay: [:], stock: [], waterChanges: changes),
        at: DigestMoment(zone: .utc, asOf: Samples.mondayMorning))
    }
    #expect(digest([]).lines.isEmpty)
    #expect(!DigestJSON.text(digest([])).contains("water"))
    let changed = digest([
      WaterChange(
        poolID: Samples.pool().id, customerName: "Steve Baird", at: Samples.mondayMorning.advanced(by: .hours(-4)),
        before: .balanced, after: .scaleForming, lsi: 0.42)
    ])
    #expect(
      changed.lines == [
        "Water changed since yesterday:", "     Steve Baird: balanced to scale-forming, LSI +0.42",
      ])
    #expect(DigestJSON.text(changed).contains(#""after":"scaleForming""#))
  }
}
