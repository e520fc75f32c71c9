import FlowCalendar
import FlowModel
import FlowPlatform
import FlowScheduler
import FlowStore
import FlowTestKit
import FlowWork
import PoolDigests
import PoolJobs
import PoolModel
import Testing

struct SimulationTests {
  private let zones = SystemZones()

  private func simulation(zone name: String, settings: TeamSettings = TeamSettings(), cursor: Timestamp) throws
    -> Simulation
  {
    let team = Samples.team(zone: name, settings: settings)
    let zone = try zones.zone(named: name)
    let jobs = try JobCatalogue.pools.ofTeam.enumerated().map { index, kind in
      try PlannedJob(
        JobRecord(
          id: JobID(Int64(index + 1)), teamID: team.id, teamName: team.name, kind: kind,
          rule: kind.rule(for: team, zone: zone), zone: name, generation: 1, cursor: cursor, deadline: nil),
        zones: zones)
    }
    let technician = Technician(id: TechnicianID(1), teamID: team.id, name: team.name, isDefault: true)
    let stop = DayStop(
      poolID: Samples.pool().id, customerName: "Steve Baird", address: "1 Elm St", latitude: 33, longitude: -111,
      technicianID: technician.id, day: .monday, routeOrder: 0)
    let facts = TeamFacts(
      team: team, technicians: [technician], poolCount: 1, stopsByDay: [.monday: [stop]],
      stock: [StockItem(item: Samples.item(stock: 1, threshold: 2), technicianID: nil)])
    return Simulation(jobs: jobs, decisions: [team.id: facts.decision], install: "0123abcd")
  }

  @Test func `a simulated week has all its runs and is reproducible`() throws {
    let start = Samples.mondayMorning.advanced(by: .hours(-7))
    let simulation = try simulation(zone: "America/Phoenix", cursor: start)
    let runs = Array(simulation.runs(from: start, to: start.advanced(by: .hours(24 * 7))))
    #expect(runs.filter { $0.kind == .morningSummary }.count == 7)
    #expect(runs.filter { $0.kind == .lowStock }.allSatisfy { $0.outcome.reason == "morning-summary-enabled" })
    #expect(runs.filter { $0.outcome.result == .notified }.map(\.kind) == [.morningSummary, .weeklyDigest])
    let again = Array(simulation.runs(from: start, to: start.advanced(by: .hours(24 * 7))))
    #expect(again.map(\.outcome.notice) == runs.map(\.outcome.notice))
  }

  @Test func `a spring gap moves one morning run in a year and loses none`() throws {
    let time = try #require(TimeOfDay(hour: 2, minute: 30))
    let start = Timestamp(seconds: 1_767_225_600)  // 2026-01-01T00:00:00Z
    let simulation = try simulation(
      zone: "America/New_York", settings: TeamSettings(morningTime: time), cursor: start)
    let runs = simulation.runs(from: start, to: start.advanced(by: .hours(24 * 365)))
      .filter { $0.kind == .morningSummary }
    #expect(runs.count == 365)
    let dates = Set(runs.map { $0.zone.local(at: $0.slot).date })
    #expect(dates.count == 365)
    let moved = runs.filter { $0.zone.local(at: $0.slot).time != time }
    #expect(moved.map(\.slot.description) == ["2026-03-08T07:00:00Z"])
  }

  @Test func `settled slots are not simulated`() throws {
    let cursor = Samples.mondayMorning
    let simulation = try simulation(zone: "America/Phoenix", cursor: cursor)
    let runs = Array(simulation.runs(from: cursor.advanced(by: .hours(-1)), to: cursor.advanced(by: .hours(1))))
    #expect(runs.isEmpty)
  }
}
