import FlowCalendar
import FlowControl
import FlowModel
import FlowNotices
import FlowPlatform
import FlowScheduler
import FlowServices
import FlowTestKit
import FlowWork
import Foundation
import PoolControl
import PoolDigests
import PoolJobs
import Synchronization
import Testing
import TradeStores
import Trades

@testable import FlowAnswers
@testable import FlowDaemon
@testable import FlowStore
@testable import PoolServices

/// Optimistic decisions: a change between reading a decision's facts (or prefetching it) and its commit must lead to a new
/// decision.
struct ChangedMeanwhileTests {
  /// A change of a team's records by a person or by the nightly work.
  enum Change: String, CaseIterable, Sendable {
    case moved, toFriday, removed, added, profile, visit, stock, equipment, closed, away, person, renamed, units, night
    case imported, stopMoved, stopSkipped, stopCovered, dayMoved

    fileprivate func make(_ fixture: ServiceFixture) async throws {
      let (team, pool, services, caller) = (ServiceFixture.team, "Steve Baird", fixture.services, fixture.caller)
      func values(_ pairs: KeyValuePairs<String, String>) -> [SettingChangeView] {
        pairs.map { SettingChangeView(key: $0.key, value: $0.value) }
      }
      switch self {
      case .moved:
        _ = try await fixture.poolService.routes.move(RoutesCall.Move(team: team, pool: pool, place: 3), caller)
      case .toFriday:
        let call = FieldCall.SetPool(team: team, pool: pool, changes: values(["day": "friday"]))
        _ = try await fixture.poolService.field.setPool(call, caller)
      case .removed:
        _ = try await fixture.poolService.field.removePool(FieldCall.RemovePool(team: team, pool: pool), caller)
      case .added:
        let place = values(["latitude": "33.4", "longitude": "-111.8", "volume": "9000", "day": "monday"])
        let call = FieldCall.AddPool(team: team, customer: "Zoe", address: "1 Elm St", region: nil, changes: place)
        _ = try await fixture.poolService.field.addPool(call, caller)
      case .profile:
        let call = FieldCall.SetProfile(team: team, pool: pool, changes: values(["arrival": "13-15"]))
        _ = try await fixture.poolService.field.setProfile(call, caller)
      case .visit:
        let call = FieldCall.LogVisit(
          team: team, pool: pool, readings: values(["ph": "8.4"]), dose: .none, measured: [])
        _ = try await fixture.poolService.field.logVisit(call, caller)
      case .stock:
        let call = FieldCall.SetStock(team: team, item: "Muriatic Acid (31.45%)", changes: values(["stock": "1oz"]))
        _ = try await fixture.poolService.field.setStock(call, caller)
      case .equipment:
        let call = FieldCall.AddEquipment(
          team: team, pool: pool, changes: values(["name": "Pump", "type": "pump", "service": "2026-03-02"]))
        _ = try await fixture.poolService.field.addEquipment(call, caller)
      case .closed, .away:
        let call = DaysOffCall.Add(
          days: "2026-03-02", team: team, technician: self == .away ? "maria" : nil, note: nil, dryRun: false)
        _ = try await services.daysOff.add(call, caller)
      case .person:
        let call = PeopleCall.Change(
          name: "maria", team: team, changes: values(["mail": "maria@example.com", "wants": "route"]))
        _ = try await services.people.change(call, caller)
      case .renamed: _ = try await services.teams.rename(TeamsCall.Rename(name: team, to: "blue"), caller)
      case .units:
        _ = try await services.teams.set(TeamsCall.Set(name: team, changes: values(["units": "metric"])), caller)
      case .night:
        _ = try await fixture.poolService.planner.plan(ofNight: try await fixture.store.team(named: team))
      case .imported:
        let archive = Tree.archives + "/v2-photos-stored.zip"
        _ = try await fixture.importFile(Tree.bytes(archive), as: "other.zip", team: team)
      case .stopMoved, .stopCovered:
        let call = FieldCall.MoveStop(
          team: team, pool: pool, from: "2026-03-02", to: self == .stopMoved ? "2026-03-03" : "2026-03-02",
          technician: self == .stopMoved ? nil : "dan", reason: "rain")
        _ = try await fixture.poolService.field.moveStop(call, caller)
      case .stopSkipped:
        let call = FieldCall.SkipStop(team: team, pool: pool, date: "2026-03-02", reason: "gate locked")
        _ = try await fixture.poolService.field.skipStop(call, caller)
      case .dayMoved:
        let call = FieldCall.MoveDay(team: team, date: "2026-03-02", to: "2026-03-03", technician: nil, reason: "rain")
        _ = try await fixture.poolService.field.moveDay(call, caller)
      }
    }
  }

  /// With the demo's team these give a first batch of 4 and one of 16, which two readers split.
  private static let others = 19

  /// The result of the demo team's run.
  private struct Told: Equatable {
    var run = ""
    var notices: [String] = []
    var decisions = 0
  }

  /// - Parameters:
  ///   - others: the number of other teams with the same slot; with them, facts are read concurrently.
  ///   - before: a change made before the tick.
  ///   - ahead: prefetches the decisions before the slot; `between` is called after that.
  ///   - inMemory: the number of prefetched decisions kept in memory; the remaining ones go to the prefetch file.
  ///   - between: called after each reading of facts, before their decision.
  private func told(
    others: Int, before: Change? = nil, ahead: Bool = false, inMemory: Int = Limits.prefetchedRunsInMemory,
    between: @escaping @Sendable (ServiceFixture) async throws -> Void = { _ in }
  ) async throws -> Told {
    let fixture = try await ServiceFixture()
    let slot = ahead ? ServiceFixture.monday : ServiceFixture.monday.advanced(by: .minutes(-30))
    fixture.clock.set(slot.advanced(by: ahead ? .seconds(-20) : .minutes(30)))
    for number in 0..<others { try await fixture.addTeam("other-\(number)", zone: "America/Phoenix") }
    try await before?.make(fixture)
    let looks = try await fixture.store.jobs().filter { $0.kind == .morningSummary }.map { job in
      JobTick(job: job, cursor: slot, claims: [ClaimRequest(job: job, slot: slot, cause: .schedule, asOf: slot)])
    }
    // Nothing else uses the stand while the runner waits for `between`.
    nonisolated(unsafe) let lent = fixture
    let store = ChangingStore(store: fixture.store, between: { try await between(lent) })
    let state = fixture.context.paths.state
    let runner = JobRunner(
      store: store, zones: fixture.context.zones, clock: fixture.clock,
      routes: [SinkRoute(sink: "drop", takesPersonal: true)],
      prefetchStore: { PrefetchFile(in: state, includesPages: true, trades: .all) }, committed: { _ in })
    // The demo's team is last, in a batch with other teams.
    let ordered = looks.sorted { ($0.teamID?.number ?? 0) > ($1.teamID?.number ?? 0) }
    if ahead {
      await runner.prepare(ordered, for: slot, inMemory: inMemory)
      await runner.prefetchRemaining()
      fixture.clock.set(slot)
    }
    try await runner.run(ordered)
    #expect(try await fixture.store.history(HistoryQuery(limit: 100)).allSatisfy { $0.outcome != .running })
    let run = try #require(try await fixture.store.history(HistoryQuery(team: TeamID(1), limit: 1)).first)
    let notices = try await fixture.store.outbox(OutboxQuery(team: TeamID(1), limit: 100)).map(\.notice)
    return Told(
      run: "\(run.outcome) \(run.reason ?? "") \(run.detail ?? "")",
      notices: notices.map { notice in
        // New records have random ids.
        let details = notice.dataJSON.replacing(/[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}/, with: "")
        return "\(notice.teamName) \(notice.title) \(notice.body) \(notice.lines) \(details)"
      }.sorted(), decisions: store.reads)
  }

  @Test(arguments: Change.allCases)
  func `a change between the facts and the commit is in the notice`(change: Change) async throws {
    let plain = try await told(others: 0)
    let right = try await told(others: 0, before: change)
    #expect(right.notices != plain.notices || right.run != plain.run, "the change changes nothing that is told")
    for others in [0, Self.others] {
      let made = Mutex(false)
      let found = try await told(others: others) { fixture in
        let isFirst = made.withLock { made in
          defer { made = true }
          return !made
        }
        if isFirst { try await change.make(fixture) }
      }
      #expect(found.run == right.run && found.notices == right.notices, "with \(others) other teams")
    }
  }

  @Test(arguments: Change.allCases)
  func `a change between a prefetched decision and its slot is in the notice`(
    change: Change
  ) async throws {
    for (others, inMemory) in [(0, 1), (Self.others, 20), (0, 0), (Self.others, 4)] {
      let made = Mutex(false)
      let right = try await told(others: others, before: change, ahead: true, inMemory: inMemory)
      let found = try await told(others: others, ahead: true, inMemory: inMemory) { fixture in
        let isFirst = made.withLock { made in
          defer { made = true }
          return !made
        }
        if isFirst { try await change.make(fixture) }
      }
      #expect(right.decisions == 1 && found.decisions == 2)
      #expect(found.run == right.run && found.notices == right.notices, "\(others) others, \(inMemory) in memory")
    }
  }

  /// Everything that a morning stores: notices, pages, the run, and the routes stored for comparison.
  private struct Morning: Equatable {
    var notices: [Notice] = []
    var pages: [[UInt8]?] = []
    var run: [String?] = []
    var toldStops: Int64?
  }

  /// Runs a morning that starts seven seconds late, with its decision prefetched to a file or made when due.
  private func morning(after change: Change?, laid: Bool) async throws -> Morning {
    let fixture = try await ServiceFixture()
    let slot = ServiceFixture.monday
    fixture.clock.set(slot.advanced(by: .seconds(-20)))
    try await change?.make(fixture)
    let look = try #require(try await fixture.store.jobs().first { $0.kind == .morningSummary }).look(at: slot)
    let store = ChangingStore(store: fixture.store, between: {})
    let (state, digestCache) = (fixture.context.paths.state, DigestCache(trades: .every))
    digestCache.use(readers: 1)
    let runner = JobRunner(
      store: store, zones: fixture.context.zones, clock: fixture.clock,
      routes: [SinkRoute(sink: "drop", takesPersonal: true)],
      prefetchStore: { PrefetchFile(in: state, includesPages: true, trades: .all) },
      committed: { digestCache.remember($0) })
    if laid {
      let names = try FileManager.default.contentsOfDirectory(atPath: state).sorted()
      await runner.prepare([look], for: slot, inMemory: 0)
      await runner.prefetchRemaining()
      #expect(try FileManager.default.contentsOfDirectory(atPath: state).sorted() == names, "the file has no name")
    }
    fixture.clock.set(slot.advanced(by: .seconds(7)))
    try await runner.run([look])
    #expect(store.reads == 1)
    var morning = Morning()
    morning.notices = try await fixture.store.outbox(OutboxQuery(team: TeamID(1), limit: 100)).map(\.notice)
    #expect(digestCache.count == morning.notices.count)
    morning.pages = morning.notices.map { digestCache.page(of: $0) }
    for (notice, page) in zip(morning.notices, morning.pages) { #expect(page == NoticePage.html(notice)) }
    let run = try #require(try await fixture.store.history(HistoryQuery(job: look.jobID, limit: 1)).first)
    morning.run = ["\(run.outcome)", run.reason, run.detail, run.inputs]
    morning.toldStops = try fixture.watcher.first("SELECT count(*) FROM told_routes") { row in row.integer(0) }
    return morning
  }

  @Test(arguments: [(nil, 1), (Change.person, 2), (.closed, 0)])
  func `a decision from the prefetch file gives the same notice, page and run`(
    change: Change?, notices: Int
  ) async throws {
    let right = try await morning(after: change, laid: false)
    #expect(right.notices.count == notices && right.notices.allSatisfy { $0.lateness == .seconds(7) })
    #expect(((right.toldStops ?? 0) > 0) == (notices > 0))
    #expect(try await morning(after: change, laid: true) == right)
  }

  @Test func `a damaged prefetch record is detected; an unusable folder gives no file`() async throws {
    let bytes = Array("A notice of 24 stops, its page and its route, as they were decided at 06:59:30.".utf8)
    var packed = ZlibFormat.compress(bytes)
    let isWhole = ZlibFormat.decompress(packed, count: bytes.count) == bytes
    #expect(isWhole)
    for place in packed.indices {
      for bit in 0..<8 {
        packed[place] ^= 1 << bit
        // Unused bits may differ without effect.
        let found = ZlibFormat.decompress(packed, count: bytes.count)
        #expect(found == nil || found == bytes, "byte \(place), bit \(bit)")
        packed[place] ^= 1 << bit
      }
    }
    #expect(ZlibFormat.decompress(packed, count: bytes.count - 1) == nil && ZlibFormat.decompress([], count: 0) == nil)
    #expect(PrefetchFile(in: "/nowhere", includesPages: true, trades: .all) == nil)
  }

  @Test func `a prefetched decision is used at its slot and discarded afterwards`() async throws {
    let right = try await told(others: 0)
    #expect(try await told(others: Self.others, ahead: true).decisions == 1)
    let fixture = try await ServiceFixture()
    let slot = ServiceFixture.monday
    let look = try #require(try await fixture.store.jobs().first { $0.kind == .morningSummary }).look(at: slot)
    fixture.clock.set(slot.advanced(by: .seconds(-20)))
    let store = ChangingStore(store: fixture.store, between: {})
    let runner = JobRunner(
      store: store, zones: fixture.context.zones, clock: fixture.clock, routes: [SinkRoute(sink: "drop")],
      committed: { _ in })
    await runner.prepare([look], for: slot)
    fixture.clock.set(slot.advanced(by: .minutes(30)))
    try await runner.run([look])
    #expect(store.reads == 2)
    let told = try await fixture.store.outbox(OutboxQuery(team: TeamID(1), limit: 100)).map(\.notice)
    #expect(told.map(\.lateness) == [.minutes(30)] && right.notices.count == 1)
  }

  @Test func `prefetching claims and sends nothing, even if the job is paused then`()
    async throws
  {
    let fixture = try await ServiceFixture()
    let slot = ServiceFixture.monday
    fixture.clock.set(slot.advanced(by: .seconds(-20)))
    let look = try #require(try await fixture.store.jobs().first { $0.kind == .morningSummary }).look(at: slot)
    let (before, sent) = (try await fixture.store.history(HistoryQuery(limit: 100)), OutboxQuery(limit: 100))
    let runner = JobRunner(
      store: fixture.store, zones: fixture.context.zones, clock: fixture.clock, routes: [SinkRoute(sink: "drop")],
      committed: { _ in })
    await runner.prepare([look], for: slot)
    #expect(try await fixture.store.history(HistoryQuery(limit: 100)) == before)
    #expect(try await fixture.store.outbox(sent).isEmpty)
    // A paused slot gets no claim, even with a prefetched decision.
    fixture.clock.set(slot)
    let passed = SkippedSlot(
      jobID: look.jobID, generation: look.generation, slot: slot, outcome: .paused, reason: "paused", detail: "by hand")
    let job = try #require(try await fixture.store.jobs().first { $0.id == look.jobID })
    try await runner.run([JobTick(job: job, cursor: slot, claims: [], passed: [passed])])
    #expect(try await fixture.store.outbox(sent).isEmpty)
    #expect(try await fixture.store.history(HistoryQuery(job: job.id, limit: 1)).first?.outcome == .paused)
  }

  @Test(arguments: [0, 2, 100])
  func `prefetching a slot again decides only the added jobs`(inMemory: Int) async throws {
    let fixture = try await ServiceFixture()
    let slot = ServiceFixture.monday
    fixture.clock.set(slot.advanced(by: .seconds(-20)))
    for number in 0..<5 { try await fixture.addTeam("other-\(number)", zone: "America/Phoenix") }
    let looks = try await fixture.store.jobs().filter { $0.kind == .morningSummary }.map { $0.look(at: slot) }
    let store = ChangingStore(store: fixture.store, between: {})
    let state = fixture.context.paths.state
    let runner = JobRunner(
      store: store, zones: fixture.context.zones, clock: fixture.clock,
      routes: [SinkRoute(sink: "drop", takesPersonal: true)],
      prefetchStore: { PrefetchFile(in: state, includesPages: true, trades: .all) }, committed: { _ in })
    func prepare(_ looks: some Sequence<JobTick>) async {
      await runner.prepare(Array(looks), for: slot, inMemory: inMemory)
      await runner.prefetchRemaining()
    }
    func reads() -> [Int] { looks.map { store.reads(of: $0.teamID ?? TeamID(0)) } }
    await prepare(looks.prefix(3))
    #expect(reads() == [1, 1, 1, 0, 0, 0])
    await prepare(looks)
    #expect(reads() == [1, 1, 1, 1, 1, 1])
    // After a partition was owned by another node, its jobs are prefetched again.
    await runner.discardPrefetched(of: PartitionSet(of: looks[1].teamID) + PartitionSet(of: looks[4].teamID))
    await prepare(looks)
    #expect(reads() == [1, 2, 1, 1, 2, 1])
    fixture.clock.set(slot)
    try await runner.run(looks)
    #expect(reads() == [1, 2, 1, 1, 2, 1])
    #expect(try await fixture.store.history(HistoryQuery(limit: 100)).filter { $0.slot == slot }.count == looks.count)
    // The next slot is prefetched separately.
    fixture.clock.set(slot.advanced(by: .hours(24)).advanced(by: .seconds(-20)))
    let next = slot.advanced(by: .hours(24))
    await runner.prepare(
      try await fixture.store.jobs().filter { $0.kind == .morningSummary }.map { $0.look(at: next) }, for: next,
      inMemory: inMemory)
    await runner.prefetchRemaining()
    #expect(reads() == [2, 3, 2, 2, 3, 2])
  }

  @Test func `a run whose facts change endlessly is settled after a limited number of decisions`() async throws {
    let endless = try await told(others: 0) { fixture in
      try await Change.moved.make(fixture)
      _ = try await fixture.poolService.routes.move(
        RoutesCall.Move(team: ServiceFixture.team, pool: "Steve Baird", place: 1), fixture.caller)
    }
    #expect(endless.decisions == 1 + Limits.maxRedecisions && endless.notices.count == 1)
    #expect(try await told(others: 0).decisions == 1)
  }

  @Test func `a change of one team causes no new decision for others`() async throws {
    let told = try await told(others: Self.others) { fixture in
      let values = ["name": "Salt", "type": "acid", "stock": "10lb"].map {
        SettingChangeView(key: $0.key, value: $0.value)
      }
      _ = try await fixture.poolService.field.addStock(
        FieldCall.AddStock(team: "other-0", catalogue: false, changes: values), fixture.caller)
    }
    #expect(told.decisions == 1 && told.notices.count == 1)
  }
}

extension JobRecord {
  fileprivate func look(at slot: Timestamp) -> JobTick {
    JobTick(job: self, cursor: slot, claims: [ClaimRequest(job: self, slot: slot, cause: .schedule, asOf: slot)])
  }
}

/// A store that calls `between` after each reading of facts.
private final class ChangingStore: Ledger, Facts {
  let store: Store
  let between: @Sendable () async throws -> Void
  private let counts = Mutex<[TeamID: Int]>([:])

  /// The number of times the facts of the demo's team were read.
  var reads: Int { reads(of: TeamID(1)) }
  var install: String { store.install }

  init(store: Store, between: @escaping @Sendable () async throws -> Void) {
    self.store = store
    self.between = between
  }

  func reads(of team: TeamID) -> Int { counts.withLock { $0[team] ?? 0 } }

  func decisions(of runs: [ClaimedRun], zones: any ZoneSource) async throws -> [Result<RunDecision?, any Error>] {
    let decisions = try await store.decisions(of: runs, zones: zones)
    counts.withLock { counts in for run in runs { if let team = run.teamID { counts[team, default: 0] += 1 } } }
    guard runs.contains(where: { $0.teamID == TeamID(1) }) else { return decisions }
    try await between()
    return decisions
  }

  func jobs() async throws -> [JobRecord] { try await store.jobs() }
  func jobs(of team: TeamID?) async throws -> [JobRecord] { try await store.jobs(of: team) }
  func jobsToRun() async throws -> [JobRecord] { try await store.jobsToRun() }
  func jobsToRun(of team: TeamID?) async throws -> [JobRecord] { try await store.jobsToRun(of: team) }
  func jobsToRun(of partitions: PartitionSet) async throws -> [JobRecord] { try await store.jobsToRun(of: partitions) }
  func take(_ looks: [JobTick], now: Timestamp) async throws -> [ClaimedRun] { try await store.take(looks, now: now) }
  func claim(_ requests: [ClaimRequest], now: Timestamp) async throws -> [ClaimedRun] {
    try await store.claim(requests, now: now)
  }
  func reclaimOrphans(now: Timestamp, crashed: Bool) async throws -> [ClaimedRun] {
    try await store.reclaimOrphans(now: now, crashed: crashed)
  }
  func unsettledRuns() async throws -> [ClaimedRun] { try await store.unsettledRuns() }
  func waitingRuns() async throws -> [RunKey: Timestamp] { try await store.waitingRuns() }
  func retry(_ keys: [RunKey], now: Timestamp) async throws -> [ClaimedRun] { try await store.retry(keys, now: now) }
  func cancelWaiting(_ key: RunKey, detail: String, now: Timestamp) async throws -> Bool {
    try await store.cancelWaiting(key, detail: detail, now: now)
  }
  func settle(_ settlements: [RunSettlement], routes: [SinkRoute], evenIfChanged: Bool) async throws -> Set<RunKey> {
    try await store.settle(settlements, routes: routes, evenIfChanged: evenIfChanged)
  }
  func history(_ query: HistoryQuery) async throws -> [RunRecord] { try await store.history(query) }
  func runs(
    from: Timestamp, to: Timestamp, like pattern: String?, limit: Int
  ) async throws -> [(key: RunKey, kind: JobKind)] {
    try await store.runs(from: from, to: to, like: pattern, limit: limit)
  }
}
