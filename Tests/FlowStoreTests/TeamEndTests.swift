import FlowModel
import FlowNotices
import FlowStore
import FlowTestKit
import FlowWork
import PoolJobs
import PoolModel
import PoolStore
import Testing

/// Renaming and removing a team.
struct TeamEndTests {
  private let folder: TemporaryFolder
  private let now = Samples.mondayMorning

  init() throws { folder = try TemporaryFolder() }

  private func addTeam(_ name: String, to store: any Teams) async throws -> Team {
    try await store.addTeam(Samples.team(name), defaultTechnician: name, now: now) { _ in
      [JobPlan(kind: .morningSummary, rule: .calendar("*-*-* 07:00:00"))]
    }
  }

  @Test(arguments: Engine.all)
  func `a renamed team keeps everything else, and a used name is refused`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let team = try await addTeam("one", to: store)
    _ = try await addTeam("two", to: store)
    await #expect(throws: StoreError.teamExists("two")) { try await store.renameTeam(named: "one", to: "two") }
    await #expect(throws: StoreError.teamExists("one")) { try await store.renameTeam(named: "one", to: "one") }
    await #expect(throws: StoreError.noSuchTeam("none")) { try await store.renameTeam(named: "none", to: "x") }
    var expected = team
    let renamed = try await store.renameTeam(named: "one", to: "three")
    #expect(renamed.name == "three" && renamed.id == team.id)
    expected = try #require(try await store.team(team.id))
    #expect(expected == renamed && expected.settings == team.settings)
    #expect(try await store.jobs(of: team.id).count == 1)
    #expect(try await store.teams().map(\.name) == ["three", "two"])
  }

  @Test(arguments: Engine.all)
  func `a removed team leaves no row, and is refused with pools or running jobs`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    _ = try await addTeam("one", to: store)
    let before = try engine.dump(folder.path)
    let team = try await addTeam("two", to: store)
    let pool = Samples.pool()
    let visit = Samples.visit(1_001, to: pool.id, at: now)
    let item = Samples.item(stock: 5, threshold: 9)
    _ = try await store.replaceRecords(
      team: "two", technician: nil,
      records: RecordSet(
        pools: [pool], serviceEvents: [visit], chemicalDoses: [Samples.dose(2_001, for: visit.id, of: item.id)],
        inventory: [item], profiles: [Samples.profile(of: pool.id)]), now: now)
    _ = try await store.changePerson(.office(team.id), of: team.id) { $0.addresses[.ntfy] = "two-office" }
    let job = try #require(try await store.jobs(of: team.id).first)
    let granted = try await store.claim([ClaimRequest(job: job, slot: now, cause: .schedule, asOf: now)], now: now)
    let run = try #require(granted.first)
    #expect(try await store.removeTeam(named: "two") == nil)
    let notice = Notice(
      id: "n", teamID: team.id, teamName: "two", jobID: job.id, job: "morning-summary", slot: run.slot, identifier: "i",
      title: "t", body: "b", lines: [], dataJSON: "{}", lateness: .zero, createdAt: now, expiresAt: nil)
    try await store.settle(
      [
        RunSettlement(
          run: run, outcome: Outcome(result: .notified, reason: nil, detail: "…", notice: notice), finishedAt: now)
      ], routes: [SinkRoute(sink: "drop")])
    #expect(try await store.removeTeam(named: "two") == nil)
    _ = try await store.removePool(pool.id, of: team.id, today: nil)
    #expect(try await store.removeTeam(named: "two") == 1)
    await #expect(throws: StoreError.noSuchTeam("two")) { try await store.removeTeam(named: "two") }
    // The commit counter has advanced.
    let counted = ["store: ", "epochs: "]
    func rows(_ lines: [String]) -> [String] { lines.filter { line in !counted.contains { line.hasPrefix($0) } } }
    #expect(rows(try engine.dump(folder.path)) == rows(before))
  }
}
