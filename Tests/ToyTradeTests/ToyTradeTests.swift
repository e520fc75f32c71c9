import FlowCalendar
import FlowCommandKit
import FlowControl
import FlowDaemon
import FlowModel
import FlowPlatform
import FlowServices
import FlowStore
import FlowTestKit
import FlowWork
import PoolJobs
import Testing
import ToyTrade
import TradeStores

/// A third trade: everything that the engine does for a trade, on both engines of the store, without a change of the engine.
@Suite(.serialized)
struct ToyTradeTests {
  private static let team = "meadow"
  private static let list = "name,inspection\nLinden,2026-03-02\nOrchard,2126-03-02\n"

  @Test(arguments: ToyBuild.all)
  func `an apiary runs from its rule to the delivered file, in a file`(build: ToyBuild) async throws {
    try await Self.live(build, on: .sqlite)
  }

  @Test(.requires(.postgresql), arguments: ToyBuild.all)
  func `an apiary runs from its rule to the delivered file, on a server`(build: ToyBuild) async throws {
    try await Self.live(build, on: .postgresql)
  }

  @Test func `a store of the other trades gets the new trade, in a file`() async throws {
    try await Self.migrate(on: .sqlite)
  }

  @Test(.requires(.postgresql))
  func `a store of the other trades gets the new trade, on a server`() async throws {
    try await Self.migrate(on: .postgresql)
  }

  @Test(arguments: ToyBuild.all)
  func `the trade's command is in help, manual and schemas`(build: ToyBuild) throws {
    let catalogue = build.catalogue
    #expect(catalogue.noun(named: "hive").map { catalogue.commands(of: $0).map(\.name) } == ["hive list"])
    #expect(catalogue.trade(named: "apiary")?.jobs.ofTeam == [.hiveInspection])
    #expect(catalogue.schema(named: "hives") != nil && catalogue.schema(named: "org.poolflow.hive-inspection") != nil)
    #expect(catalogue.interfaces.faults.isEmpty && build.modules.interfaces.faults.isEmpty)
  }

  // MARK: Steps

  private static func live(_ build: ToyBuild, on engine: RunningToy.Engine) async throws {
    let folder = try RunningToy.makeFolder()
    try await RunningToy.run(build, on: engine, in: folder) { toy in
      try await addHives(toy)
      try await predict(toy)
      try await deliver(toy)
      try await explain(toy)
      try await saveAndRestore(toy)
    }
    // The next process accepts the schema and finds the records.
    try await RunningToy.run(build, on: engine, in: folder) { toy in
      let hives = try await toy.client.ask(HivesCall.List(team: team)).hives
      #expect(hives.count == 2)
    }
  }

  private static func addHives(_ toy: RunningToy) async throws {
    let client = toy.client
    let added = try await client.ask(TeamsCall.Add(name: team, zone: "UTC", trade: "apiary")).team
    #expect(added.trade == "apiary" && added.others?.map(\.count) == [0])
    let report = try await client.importFile(list, of: team)
    #expect(report.creates == 2 && report.after.others?.map(\.count) == [2] && report.recordNoun?.many == "hives")
    await #expect(throws: ControlError.self) { try await client.importFile("name\nLinden\n", of: team) }
    let output = toy.folder.path + "/list.csv"
    #expect(await client.run("hive", "list", "--team", team, "--output", output) == ExitCode.done)
    #expect(try toy.text(of: "list.csv") == list)
    #expect(await client.run("team", "show", team, "--quiet") == ExitCode.done)
    if toy.build.catalogue.trade(named: "pool-service") != nil {
      _ = try await client.ask(TeamsCall.Add(name: "coast", zone: "UTC"))
      #expect(try await client.refusal(of: HivesCall.List(team: "coast")) == ExitCode.usage)
    } else {
      #expect(
        try await client.refusal(of: TeamsCall.Add(name: "coast", zone: "UTC", trade: "stable")) == ExitCode.usage)
    }
  }

  private static func predict(_ toy: RunningToy) async throws {
    func predicted() async throws -> [SimulatedEventView] {
      try await toy.client.ask(SchedulerCall.Simulate(days: 2, team: team)).events.filter {
        $0.job == JobKind.hiveInspection.rawValue
      }
    }
    func set(_ value: String) async throws {
      let change = SettingChangeView(key: "hive-inspection", value: value)
      _ = try await toy.client.ask(TeamsCall.Set(name: team, changes: [change]))
    }
    let events = try await predicted()
    #expect(events.count == 2 && events.allSatisfy { $0.outcome == .notified && $0.lines == ["Linden"] })
    try await set("off")
    #expect(try await predicted().allSatisfy { $0.outcome == .skipped && $0.reason == "disabled" })
    try await set("on")
  }

  /// Gives the team's job a rule with one slot two seconds ahead, and waits for the notice's files.
  private static func deliver(_ toy: RunningToy) async throws {
    let slot = Zone.utc.local(at: SystemWallClock().now().advanced(by: .seconds(2)))
    let change = JobChangeView(key: "rule", value: "\(slot.date) \(padded(slot.time))")
    _ = try await toy.client.ask(
      JobsCall.Set(job: JobKind.hiveInspection.rawValue, team: team, changes: [change], dryRun: false))
    try await waitUntil("the notice is a file") { !toy.delivered(".json").isEmpty }
    let file = try #require(toy.delivered(".json").first)
    let notice = try toy.text(of: "state/outbox/new/\(file)")
    #expect(notice.contains(HivesDue.identifier) && notice.contains("1 hive due") && notice.contains("Linden"))
    let page = try #require(toy.delivered(".html").first)
    #expect(try toy.text(of: "state/outbox/new/\(page)").contains("Linden"))
    let published = try await toy.client.ask(PublishCall.List()).published.filter { $0.team == team }
    #expect(!published.isEmpty)
    try await waitUntil("the team's page is published") {
      toy.folder.names("www/p").contains { name in
        (try? toy.text(of: "www/p/\(name)/index.html"))?.contains("Linden") == true
      }
    }
  }

  private static func padded(_ time: TimeOfDay) -> String {
    [time.hour, time.minute, time.second].map { FlowModel.padded($0, 2) }.joined(separator: ":")
  }

  private static func explain(_ toy: RunningToy) async throws {
    let why = try await toy.client.ask(SchedulerCall.Why(subject: JobKind.hiveInspection.rawValue, team: team))
    #expect(why.run?.outcome == .notified && why.run?.inputs?.contains("2 hives") == true)
    #expect(try await toy.client.ask(SchedulerCall.Status()).teams >= 1)
  }

  private static func saveAndRestore(_ toy: RunningToy) async throws {
    let client = toy.client
    let backup = try await client.ask(BackupCall.Create()).backup
    let archives = try await client.ask(BackupCall.Show(id: backup.id)).archives.filter { $0.team == team }
    #expect(archives.map(\.name) == ["archives/\(team).hives.csv"] && archives.first?.others?.map(\.count) == [2])
    #expect(try await client.ask(BackupCall.Verify(id: backup.id, full: true)).damage.isEmpty)
    let cleared = try await client.ask(TeamsCall.Clear(name: team, dryRun: false, confirm: team))
    #expect(cleared.before.others?.map(\.count) == [2] && cleared.after.others?.map(\.count) == [0])
    #expect(try await client.ask(HivesCall.List(team: team)).hives.isEmpty && cleared.archives.count == 1)
    let restored = try await client.ask(
      BackupCall.RestoreTeam(id: backup.id, team: team, dryRun: false, confirm: team))
    #expect(restored.after.others?.map(\.count) == [2] && restored.archives.first?.others?.map(\.count) == [2])
    let hives = try await client.ask(HivesCall.List(team: team)).hives
    #expect(hives.map(\.inspection) == ["2026-03-02", "2126-03-02"])
    #expect(await client.run("backup", "show", backup.id, "--quiet") == ExitCode.done)
  }

  /// Opens a store of the released schema, which has a team of another trade, with the toy trade.
  private static func migrate(on engine: RunningToy.Engine) async throws {
    let folder = try RunningToy.makeFolder()
    try await addPoolService(on: engine, in: folder.path + "/state")
    try await RunningToy.run(.withOthers, on: engine, in: folder) { toy in
      _ = try await toy.client.ask(TeamsCall.Add(name: team, zone: "UTC", trade: "apiary"))
      let teams = try await toy.client.ask(TeamsCall.List()).teams
      #expect(teams.map(\.trade) == ["pool-service", "apiary"])
    }
  }

  private static func addPoolService(on engine: RunningToy.Engine, in state: String) async throws {
    let now = SystemWallClock().now()
    let place: StoreLocation =
      switch engine {
      case .sqlite: .file(state + "/poolflow.db")
      case .postgresql: try ServerStores.place(of: state)
      }
    let store = try Store(place: place, now: now, version: "test")
    _ = try await store.addTeam(Samples.team("coast"), defaultTechnician: "coast", now: now) { team in
      JobPlan.all(of: team, in: .pools, zone: .utc)
    }
    try await store.endEpoch(at: now)
  }
}
