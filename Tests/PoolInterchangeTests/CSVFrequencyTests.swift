import FlowCalendar
import FlowModel
import FlowTestKit
import Foundation
import PoolChemistry
import PoolInterchange
import PoolModel
import Testing

/// Dates of service in customers files: what a row changes, and what it leaves and reports.
struct CSVFrequencyTests {
  private func plan(
    _ lines: [String], existing: [Pool] = [], services: ServiceCalendar = .weekly,
    team: CSVTeam = CSVTeam(RegionDefaults(region: "US")), today: CivilDate? = nil
  ) throws -> CSVPlan {
    let table = try CSVImport.read(bytes: Array(lines.joined(separator: "\n").utf8), locale: .english)
    let ids = CountedIDs()
    return CSVImport.plan(
      table, existing: existing, services: services, team: team, repeats: .keepFirst, now: Samples.mondayMorning,
      today: today, makeID: { _ in ids.make() })
  }

  private func pool(_ number: Int, _ customer: String, latitude: Double = 0) -> Pool {
    var pool = Samples.pool(number, customer: customer, day: .monday)
    (pool.address, pool.latitude, pool.longitude) = ("\(number) Elm St", latitude, latitude == 0 ? 0 : 140)
    return pool
  }

  private func rule(_ plan: CSVPlan, _ index: Int = 0) -> String? { plan.rules[plan.pools[index].id]??.description }

  @Test func `a new weekday without a frequency leaves the rule and says so`() throws {
    let ana = pool(1, "Ana")
    let rule = try CalendarDates("Mon,Thu")
    let services = ServiceCalendar([ana.id: PoolService(weekday: .monday, rule: rule)])
    let moved = try plan(["Customer,Address,Day", "Ana,1 Elm St,Tue"], existing: [ana], services: services)
    #expect(moved.pools[0].serviceDay == .tuesday && moved.rules.isEmpty)
    #expect(moved.notices.map(\.fault) == [.ruleStays(rule.description)] && moved.notices.map(\.value) == ["Tue"])
    // A day of the rule, the same day, and a file with a frequency need no warning.
    for rows in [
      ["Customer,Address,Day", "Ana,1 Elm St,Thu"], ["Customer,Address,Day", "Ana,1 Elm St,Mon"],
      ["Customer,Address,Day,Frequency", "Ana,1 Elm St,Tue,weekly"],
    ] {
      let plan = try plan(rows, existing: [ana], services: services)
      #expect(!plan.notices.contains { if case .ruleStays = $0.fault { true } else { false } }, "\(rows)")
    }
  }

  @Test func `of two rows of a pool the second does not override the frequency`() throws {
    let plan = try plan([
      "Customer,Address,Day,Frequency", "Ana,1 Elm St,Mon,biweekly", "Ana,1 Elm St,Mon,monthly", "Bo,2 Elm St,Tue,",
      "Bo,2 Elm St,Tue,monthly", "Bo,2 Elm St,Tue,monthly",
    ])
    #expect(rule(plan)?.hasPrefix("every 2 weeks from ") == true && rule(plan, 1) == "Tue *-*-01..07")
    let faults = plan.notices.filter { $0.row == 3 }.map(\.fault)
    #expect(faults == [.contradicts(row: 2, columns: ["frequency"])])
    #expect(plan.notices.filter { $0.row == 6 }.map(\.fault) == [.repeats(row: 4)])
  }

  @Test func `a repetition in weeks begins with the team's date`() throws {
    let rows = ["Customer,Address,Day,Frequency", "Ana,1 Elm St,Mon,biweekly"]
    let monday = CivilDate(year: 2026, month: 3, day: 2)
    #expect(rule(try plan(rows, today: monday)) == "every 2 weeks from 2026-03-02")
    #expect(rule(try plan(rows, today: monday.adding(days: 1))) == "every 2 weeks from 2026-03-09")
  }

  @Test func `a season is the warm half of the year on both halves of the earth`() throws {
    let rows = ["Customer,Address,Day,Frequency,Latitude,Longitude"]
    let north = try plan(rows + ["Ana,1 Elm St,Mon,seasonal,33.4,-111.8"])
    #expect(rule(north) == "Mon *-04..10-*")
    let south = try plan(rows + ["Ana,1 Elm St,Mon,seasonal,-33.8,151.2"])
    let text = try #require(rule(south))
    let dates = try CalendarDates(text)
    let months = (0..<365).map { CivilDate(year: 2027, month: 1, day: 1).adding(days: $0) }.filter(dates.contains)
      .map(\.month)
    #expect(Set(months) == [1, 2, 3, 4, 10, 11, 12])
    #expect(south.notices.map(\.fault) == [.frequency(text)])
    // A pool without coordinates is where most pools of the team are.
    let known = [pool(1, "Ana", latitude: -34), pool(2, "Bo", latitude: -35), pool(3, "Cy", latitude: 34)]
    let among = try plan(["Customer,Address,Day,Frequency", "Di,9 Elm St,Mon,seasonal"], existing: known)
    #expect(rule(among, 3) == text)
    let unlocated = ["Customer,Address,Day,Frequency", "Di,9 Elm St,Mon,seasonal"]
    #expect(rule(try plan(unlocated)) == "Mon *-04..10-*")
    // Without any coordinates, the zone of the team decides.
    #expect(rule(try plan(unlocated, team: CSVTeam(RegionDefaults(region: ""), isSouthern: true))) == text)
  }

  @Test(arguments: [
    ("alle 14 Tage", "every 2 weeks from 2026-03-02"), ("zweiwöchentlich", "every 2 weeks from 2026-03-02"),
    ("Every 3 wks", "every 3 weeks from 2026-03-02"), ("cada 15 días", "every 2 weeks from 2026-03-02"),
    ("Toutes les semaines", nil),
  ]) func `a frequency is read in the words of five languages`(text: String, rule: String?) throws {
    let monday = CivilDate(year: 2026, month: 3, day: 2)
    let plan = try plan(["Customer,Address,Day,Frequency", "Ana,1 Elm St,Mon,\(text)"], today: monday)
    #expect(self.rule(plan) == rule)
    #expect(!plan.notices.contains { $0.fault == .otherFrequency })
  }

  @Test func `a number of times a week needs its weekdays`() throws {
    let heading = "Customer,Address,Day,Frequency"
    #expect(rule(try plan([heading, "Ana,1 Elm St,\"Mon, Wed, Fri\",3 times a week"])) == "Mon,Wed,Fri *-*-*")
    #expect(try plan([heading, "Ana,1 Elm St,Mon,3 times a week"]).notices.map(\.fault) == [.otherFrequency])
  }

  @Test func `a rule without the row's weekday moves the pool and says so`() throws {
    let row = ["Customer,Address,Day,Frequency", "Ana,1 Elm St,Tue,every 2 weeks from 2026-03-02"]
    let plan = try plan(row, today: CivilDate(year: 2026, month: 3, day: 1))
    #expect(plan.pools[0].serviceDay == .monday)
    #expect(plan.notices.map(\.fault) == [.weekdayOfRule(.monday)] && plan.notices.map(\.value) == ["Tue"])
  }
}
