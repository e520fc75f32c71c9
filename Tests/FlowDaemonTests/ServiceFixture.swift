import FlowBackup
import FlowCalendar
import FlowControl
import FlowDelivery
import FlowModel
import FlowNodes
import FlowPlatform
import FlowScheduler
import FlowSettings
import FlowTestKit
import FlowWork
import Foundation
import PoolControl
import PoolJobs
import Testing
import TradeBackups

import TradeInterfaces
import TradeStores
import TradeStores
import Trades

@testable import FlowAnswers
@testable import FlowDaemon
@testable import FlowServices
@testable import FlowStore
@testable import PoolServices
@testable import StableServices  // Stables

/// Harness: a daemon's services with their own store and a manual clock, without a socket or a process.
struct ServiceFixture {
  static let team = "desert-blue"
  /// Monday 07:30 in Phoenix.
  static let monday = Timestamp(seconds: 1_772_461_800)

  let scratch: TemporaryFolder
  let clock: ManualWallClock
  let store: Store
  let context: ServiceContext
  let work: ServerWork
  let runner: JobRunner
  let scheduler: Scheduler
  let housekeeping: Housekeeping
  let services: Services
  let poolService: PoolInterfaces
  let stable: StableInterfaces  // Stables
  let place: StoreLocation
  let watcher: Connection
  let caller = Caller(
    uid: ProcessIdentity.user, gid: 0, pid: 1, connection: 1)

  /// - Parameters:
  ///   - demo: true for the demo's team and pools; false for no team.
  ///   - damage: SQL applied to the store before it is opened, for values that no call accepts.
  init(
    at now: Timestamp = monday, demo: Bool = true, settings text: String = "", damage: [String] = []
  ) async throws {
    let scratch = try TemporaryFolder()
    let state = scratch.path + "/state"
    if demo {
      try await DemoState.shared.copy(to: state)
    } else {
      try PrivateFiles.makeFolder(state)
    }
    try await self.init(in: scratch, at: now, settings: text, damage: damage)
  }

  /// Uses the state that exists in the folder.
  init(in scratch: TemporaryFolder, at now: Timestamp, settings text: String = "", damage: [String] = []) async throws {
    self.scratch = scratch
    clock = ManualWallClock(now)
    let paths = DaemonPaths(state: scratch.path + "/state", socket: "")
    let (clock, zones, log) = (clock, SystemZones(), DaemonLog(environment: [:]))
    place = try .ofTest(paths.state)
    if !damage.isEmpty { try Connection.change(place, damage) }
    store = try Store(place: place, now: now, version: "test")
    watcher = try .opened(place, .readOnly)
    try PrivateFiles.makeFolder(paths.uploads)
    let engine =
      ServerStores.isChosen
      ? "\n[Store]\nEngine = postgresql\nConnection = \(try ServerStores.connection(of: paths.state))\n" : ""
    let reading = SettingsReading(text: text + engine, name: "test.conf", catalogue: .pools)
    let settings = EffectiveSettings(
      reading: reading, catalogue: JobCatalogues.all.every, configPath: nil, environment: [:], now: now)
    context = ServiceContext(
      store: store, reader: StoreReader(place: place), zones: zones, clock: clock, settings: settings,
      events: EventBus(),
      paths: paths, choice: try StoreChoice(reading.settings.store, paths, .all, environment: [:]),
      published: PublishedNamesFile(path: paths.publishedNames), senders: SenderReports(settings: settings), node: nil,
      log: log)
    let dispatcher = Dispatcher(store: store, sinks: [], wallClock: clock)
    let uploads = Uploads(folder: paths.uploads)
    let tradeContext = context.forTrades(.every, dispatcher: dispatcher, uploads: uploads)
    let trades = DaemonTrades.every.services(on: tradeContext)
    poolService = PoolInterfaces(on: tradeContext)
    stable = StableInterfaces(on: tradeContext)  // Stables
    work = ServerWork(
      store: store, keeper: context.makeBackupKeeper(), clock: clock, jobs: .all, zone: .utc, log: log,
      settings: context.settings,
      notices: context.notices(through: dispatcher), trades: trades)
    try work.keeper.folder.prepare()
    try await work.plan(by: reading.settings)
    runner = JobRunner(
      store: store, zones: zones, clock: clock, routes: reading.settings.sinks.map(\.route), committed: { _ in })
    scheduler = Scheduler(
      store: store, runner: runner, zones: zones,
      clocks: SchedulerClocks(clock, timer: ManualWakeTimer(), uptime: { .zero }),
      callbacks: SchedulerCallbacks(report: { log.warning($0) }))
    housekeeping = Housekeeping(
      on: context, metrics: MetricsWriter(on: context, dispatcher: dispatcher, trades: trades),
      deferredWork: DeferredWork(log: log), notices: work.notices)
    services = Services(
      on: context,
      BackgroundServices(
        backups: work.keeper, notices: work.notices, inbox: InboxState(), trades: trades,
        running: RunningDaemon(
          scheduler: scheduler, runner: runner, dispatcher: dispatcher, reload: SameSettings(), handoff: nil)),
      uploads: uploads, startedAt: now)
  }

  var reminders: RemindersAnswers { poolService.reminders(context.scheduling(by: scheduler)) }

  // MARK: What many tests ask for

  func addTeam(_ name: String, zone: String = "UTC", plan: PlanView = .paid) async throws {
    _ = try await services.teams.add(TeamsCall.Add(name: name, zone: zone), caller)
    _ = try await services.teams.plan(TeamsCall.Plan(name: name, plan: plan), caller)
  }

  func upload(
    _ bytes: [UInt8], as name: String, team: String = team, technician: String? = nil
  ) async throws -> String {
    let imports = services.imports
    let id = try await imports.open(
      ImportCall.Open(team: team, technician: technician, fileName: name, bytes: bytes.count), caller
    ).upload
    var offset = 0
    while offset < bytes.count {
      let piece = Data(bytes[offset..<min(bytes.count, offset + Limits.uploadChunkBytes)])
      offset = try await imports.piece(
        ImportCall.Piece(upload: id, offset: offset, data: piece.base64EncodedString()), caller
      ).received
    }
    return id
  }

  @discardableResult
  func importFile(
    _ bytes: [UInt8], as name: String, team: String = team, technician: String? = nil
  ) async throws -> ImportReportView {
    let id = try await upload(bytes, as: name, team: team, technician: technician)
    do {
      return try await services.imports.apply(ImportCall.Apply(upload: id, dryRun: false), caller).report
    } catch {
      // As at the end of the caller's connection.
      await services.connectionEnded(caller)
      throw error
    }
  }

  func backUp() async throws -> BackupView {
    try await services.backup.create(BackupCall.Create(), caller).backup
  }

  /// The team's records as sorted lines. Times are cut to whole seconds, as in archives, and pools created at the same
  /// instant have no order.
  func tables(of team: String = team) async throws -> [String] {
    var lines: [String] = []
    for table in ExportTableView.allCases {
      var after: String?
      repeat {
        let reply = try await poolService.water.export(WaterCall.Export(team: team, table: table, after: after), caller)
        lines += reply.lines
        after = reply.next
      } while after != nil
    }
    lines += try await poolService.field.listEquipment(FieldCall.ListEquipment(team: team), caller).items.map {
      "\($0)"
    }
    lines.append("\(try await services.teams.show(TeamsCall.Show(name: team), caller).team)")
    // Sorted by bytes: comparing tens of thousands of combining marks as characters takes seconds.
    return lines.map(Self.inWholeSeconds).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Replaces `…:00.123Z` by `…:00Z`; on bytes, because some texts have tens of thousands of combining marks.
  private static func inWholeSeconds(_ line: String) -> String {
    let bytes = Array(line.utf8)
    var kept: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "."), index + 4 < bytes.count, bytes[index + 4] == UInt8(ascii: "Z") {
        index += 4
      }
      kept.append(bytes[index])
      index += 1
    }
    return String(decoding: kept, as: UTF8.self)
  }

  /// Runs `poolflowd --recover` on the folder of a stopped daemon.
  static func recover(_ state: String, _ recoveryCommand: DaemonOptions.RecoveryCommand) throws -> String {
    var options = try DaemonOptions([])
    options.stateDirectory = state
    return try Recovery.run(recoveryCommand, options: options, reading: .defaults, environment: [:], modules: .all)
  }

  /// A fingerprint that is equal if nothing was committed and no photo was added or removed.
  func marks() throws -> [String] {
    let version = ServerStores.isChosen ? try serverSum() : "\(try watcher.dataVersion())"
    let photos = FileManager.default.enumerator(atPath: context.paths.photos)?.compactMap { $0 as? String } ?? []
    return [version] + photos.sorted()
  }

  /// A checksum of every row on a server, because the server's own counters also change with rolled-back transactions.
  private func serverSum() throws -> String {
    let tables = try watcher.rows(
      "SELECT tablename FROM pg_tables WHERE schemaname = 'poolflow' AND tablename <> 'engine' ORDER BY tablename"
    ) { row throws(StoreError) in row.text(0) }
    let sums = try tables.map { table in
      try watcher.first(
        "SELECT coalesce(md5(string_agg(md5(one::text), '' ORDER BY one::text)), '') FROM poolflow.\(table) AS one"
      ) { row throws(StoreError) in row.text(0) } ?? ""
    }
    return zip(tables, sums).map { "\($0) \($1)" }.joined(separator: "\n")
  }

  /// Expects `body` to throw a refusal with this exit code and all of `parts` in its message.
  func refuses(
    _ code: Int32, saying parts: String..., location: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Void
  ) async {
    do {
      try await body()
      Issue.record("it was not refused", sourceLocation: location)
    } catch let error as ControlError {
      #expect(InterfaceCatalogue.every.exitCode(of: error) == code, "\(error.message)", sourceLocation: location)
      #expect(error.message.utf8.count < 2_000, sourceLocation: location)
      for part in parts { #expect(error.message.contains(part), "\(error.message)", sourceLocation: location) }
    } catch {
      Issue.record("\(error)", sourceLocation: location)
    }
  }
}

/// A state folder with the team `desert-blue` in Phoenix and the demo backup, made once and copied.
actor DemoState {
  static let shared = DemoState()
  private var made: Task<TemporaryFolder, any Error>?

  func path() async throws -> String {
    if made == nil { made = Task { try await Self.make() } }
    return try await made?.value.path.appending("/state") ?? ""
  }

  /// Copies the state folder, and on a server the database.
  func copy(to state: String) async throws {
    let made = try await path()
    try FileManager.default.copyItem(atPath: made, toPath: state)
    if ServerStores.isChosen { _ = try ServerStores.place(of: state, like: made) }
  }

  private static func make() async throws -> TemporaryFolder {
    // Sunday 23:00 in Phoenix.
    let fixture = try await ServiceFixture(at: Timestamp(seconds: 1_772_431_200), demo: false)
    try await fixture.addTeam(ServiceFixture.team, zone: "America/Phoenix")
    try await fixture.importFile(Tree.bytes("config/demo/demo-backup.zip"), as: "demo-backup.zip")
    try await fixture.store.endEpoch(at: fixture.clock.now())
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.path + "/state", withIntermediateDirectories: false)
    for name in try FileManager.default.contentsOfDirectory(atPath: fixture.context.paths.state) {
      try FileManager.default.copyItem(
        atPath: "\(fixture.context.paths.state)/\(name)", toPath: "\(folder.path)/state/\(name)")
    }
    if ServerStores.isChosen { ServerStores.share(fixture.context.paths.state, with: folder.path + "/state") }
    return folder
  }
}

/// A reload that finds the settings unchanged.
private struct SameSettings: SettingsReloader {
  func check() async throws {}
  func callAsFunction(at now: Timestamp) async throws -> [SettingDifferenceView] { [] }
}

/// Paths of the checkout used by tests.
enum Tree {
  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path
  static let customers = root + "/config/demo/demo-customers.csv"
  /// Archives that a reader must accept or refuse.
  static let archives = root + "/Tests/PoolInterchangeTests/Fixtures/files"

  static func bytes(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: path.hasPrefix("/") ? path : "\(root)/\(path)")))
  }
}
