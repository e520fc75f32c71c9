import PoolBackup
import PoolControl
import PoolDelivery
import PoolModel
import PoolPlatform
import PoolScheduler
import PoolStore

/// Dependencies of all answers: store, clock, settings, events and log.
struct Ground: Sendable {
  let store: Store
  let reader: StoreReader
  let zones: SystemZones
  let clock: any WallClock
  let settings: SettingsInForce
  let events: EventBus
  let paths: DaemonPaths
  let choice: StoreChoice
  let published: any PublishedNames
  let senders: SenderReports
  /// Nil for a daemon that does not share its store with other nodes.
  let node: NodeStand?
  let log: DaemonLog

  var finder: TeamFinder { TeamFinder(store: store, log: log) }
  var refusing: StoreRefusals { StoreRefusals(log: log) }
  var backingUp: BackupRefusals { BackupRefusals(log: log) }
  var announce: Announcements { Announcements(log: log, events: events, clock: clock) }
  var plans: PlanGate { PlanGate(settings: settings, clock: clock) }
  var water: WaterRefresh { WaterRefresh(store: store, clock: clock, log: log) }
  var senderViews: SenderViews { SenderViews(reports: senders, store: store) }
  var photos: PhotoStore { PhotoStore(folder: paths.photos, reader: reader) }

  func makeBackupKeeper() -> BackupKeeper {
    BackupKeeper(
      store: store,
      source: BackupMaker.Source(
        reader: reader, photoFolder: paths.photos, install: store.install, version: Daemon.version),
      folder: BackupFolder(path: paths.backups), zones: zones, clock: clock)
  }

  func notices(through dispatcher: Dispatcher?) -> OperatorNotices {
    OperatorNotices(store: store, dispatcher: dispatcher, settings: settings, clock: clock, log: log)
  }
}

/// Services that work on the store. Those that act on their own are nil during an inspection, when no daemon runs.
struct Works: Sendable {
  let scheduler: Scheduler?
  let runner: JobRunner?
  let dispatcher: Dispatcher?
  let reload: SettingsReload?
  let importer: Importer
  let backups: BackupKeeper
  let planner: RoutePlanner
  let notices: OperatorNotices
  let inbox: InboxState
  /// Nil for a daemon that does not share its store with other nodes.
  let hands: ShareHands?
}

/// All services of the control socket, one for each interface.
final class Services: Sendable {
  let scheduler: SchedulerAnswers
  let jobs: JobsAnswers
  let daysOff: DaysOffAnswers
  let reminders: RemindersAnswers
  let teams: TeamsAnswers
  let people: PeopleAnswers
  let pools: PoolsAnswers
  let field: FieldAnswers
  let horses: HorsesAnswers
  let feed: FeedAnswers
  let care: CareAnswers
  let weather: WeatherAnswers
  let water: WaterAnswers
  let routes: RoutesAnswers
  let reports: ReportsAnswers
  let imports: ImportAnswers
  let backup: BackupAnswers
  let outbox: OutboxAnswers
  let publish: PublishAnswers
  let daemon: DaemonAnswers
  let audit: AuditBook
  let restart: RestartRequest
  private let uploads: Uploads
  private let events: EventBus
  private let finder: TeamFinder
  private let sharing: CallsOfMany?

  /// The methods of all interfaces.
  var verbs: [ControlVerb] {
    SchedulerCall.verbs(of: scheduler) + JobsCall.verbs(of: jobs) + DaysOffCall.verbs(of: daysOff)
      + RemindersCall.verbs(of: reminders) + TeamsCall.verbs(of: teams)
      + PeopleCall.verbs(of: people) + PoolsCall.verbs(of: pools)
      + FieldCall.verbs(of: field) + WaterCall.verbs(of: water) + RoutesCall.verbs(of: routes)
      + ReportsCall.verbs(of: reports) + ImportCall.verbs(of: imports) + BackupCall.verbs(of: backup)
      + HorsesCall.verbs(of: horses) + FeedCall.verbs(of: feed) + CareCall.verbs(of: care)
      + WeatherCall.verbs(of: weather) + OutboxCall.verbs(of: outbox) + PublishCall.verbs(of: publish)
      + DaemonCall.verbs(of: daemon)
  }

  /// Checks that the team of a call has the call's trade.
  ///
  /// - Throws: `ControlError.otherTrade` if the call is for another trade than its team's.
  func checkTrade(of call: any ControlMethod) async throws {
    guard let trade = type(of: call).trade, let name = call.namedTeam else { return }
    let team = try await finder.team(named: name)
    if team.trade.rawValue != trade { throw ControlError.otherTrade(team.name, has: team.trade) }
  }

  /// Runs `body` for a change; with several nodes, once this node owns the partitions that the call concerns.
  func changing<Value>(
    by call: any ControlMethod, _ caller: Caller, _ body: () async throws -> Value
  ) async throws -> Value {
    guard let sharing else { return try await body() }
    return try await sharing.changing(by: call, caller, body)
  }

  /// The caller closed its connection while a call was being answered: ends its event streams.
  func hungUp(_ caller: Caller) { events.hangUp(caller.connection) }

  /// A connection ended: discards its unfinished uploads, and restarts the daemon if a restore waited for this.
  func connectionEnded(_ caller: Caller) async {
    await uploads.connectionEnded(caller.connection)
    restart.connectionEnded(caller.connection)
  }

  init(on ground: Ground, _ works: Works, uploads: Uploads, startedAt: Timestamp) {
    let (store, zones, clock, log) = (ground.store, ground.zones, ground.clock, ground.log)
    let (finder, refusing, announce) = (ground.finder, ground.refusing, ground.announce)
    self.finder = finder
    let sharing = works.hands.map {
      CallsOfMany(store: store, hands: $0, uploads: uploads, settings: ground.settings, refusing: refusing)
    }
    self.sharing = sharing
    let (scheduler, dispatcher) = (works.scheduler, works.dispatcher)
    let troubles = TeamTroubles(store: store, clock: clock)
    let clockAccount = ClockAccount(store: store, scheduler: scheduler, clock: clock)
    let restart = RestartRequest()
    let audit = AuditBook(
      store: store, uploads: uploads, clock: clock, refusing: refusing, log: log,
      changes: ground.published.changes)
    let slots = ComingSlots(store: store, zones: zones, clock: clock, scheduler: scheduler)
    let records = RunRecords(store: store, zones: zones)
    let named = RecordFinder(store: store, clock: clock)
    self.scheduler = SchedulerAnswers(
      status: StatusReport(
        store: store, dispatcher: dispatcher, settings: ground.settings, clock: clock, clockAccount: clockAccount,
        slots: slots, troubles: troubles, paths: ground.paths, choice: ground.choice, node: ground.node,
        senders: ground.senderViews, startedAt: startedAt),
      slots: slots, finder: finder,
      runs: RunsByHand(
        runner: works.runner, records: records, named: named, finder: finder, zones: zones, clock: clock,
        events: ground.events, refusing: refusing, log: log),
      feed: EventFeed(events: ground.events, store: store, zones: zones, finder: finder),
      holds: HoldKeeper(
        store: store, scheduler: scheduler, finder: finder, zones: zones, clock: clock, refusing: refusing,
        announce: announce),
      explanations: Explanations(
        store: store, scheduler: scheduler, named: named, finder: finder, zones: zones, clock: clock),
      simulations: Simulations(
        store: store, reader: ground.reader, settings: ground.settings, finder: finder, zones: zones, clock: clock,
        refusing: refusing))
    jobs = JobsAnswers(
      store: store, scheduler: scheduler, settings: ground.settings, finder: finder, zones: zones, clock: clock,
      refusing: refusing, announce: announce)
    daysOff = DaysOffAnswers(
      store: store, scheduler: scheduler, settings: ground.settings, finder: finder, zones: zones, clock: clock,
      refusing: refusing, announce: announce)
    reminders = RemindersAnswers(
      store: store, scheduler: scheduler, settings: ground.settings, finder: finder, zones: zones, clock: clock,
      refusing: refusing, announce: announce)
    teams = TeamsAnswers(
      store: store, scheduler: scheduler, importer: works.importer, backups: works.backups, finder: finder,
      zones: zones, settings: ground.settings, senders: ground.senders, clock: clock, refusing: refusing,
      backingUp: ground.backingUp, announce: announce)
    let personal = PersonalNotices(
      store: store, dispatcher: dispatcher, settings: ground.settings, refusing: refusing)
    people = PeopleAnswers(
      store: store, notices: personal, settings: ground.settings, finder: finder, clock: clock, refusing: refusing,
      announce: announce)
    pools = PoolsAnswers(store: store, zones: zones, finder: finder, clock: clock)
    routes = RoutesAnswers(
      store: store, planner: works.planner, uploads: uploads, plans: ground.plans, finder: finder, zones: zones,
      clock: clock, refusing: refusing, announce: announce, log: log)
    field = FieldAnswers(
      store: store, uploads: uploads, photos: ground.photos, plans: ground.plans, finder: finder, zones: zones,
      clock: clock, refusing: refusing, log: log,
      noteCompletion: { [routes] in await routes.noteCompletion(after: $0, of: $1) })
    let barn = BarnFinder(store: store, finder: finder, zones: zones, clock: clock, refusing: refusing)
    horses = HorsesAnswers(
      store: store, barn: barn, uploads: uploads, photos: ground.photos, clock: clock, refusing: refusing, log: log)
    feed = FeedAnswers(store: store, barn: barn, zones: zones, clock: clock, refusing: refusing, log: log)
    care = CareAnswers(store: store, barn: barn, clock: clock, refusing: refusing, log: log)
    weather = WeatherAnswers(
      store: store, barn: barn, uploads: uploads, zones: zones, clock: clock, refusing: refusing, log: log)
    water = WaterAnswers(
      store: store, plans: ground.plans, finder: finder, zones: zones, clock: clock, refusing: refusing)
    reports = ReportsAnswers(
      store: store, photos: ground.photos, plans: ground.plans, finder: finder, zones: zones, clock: clock,
      refusing: refusing, visits: VisitReports(store: store, zones: zones, clock: clock), notices: personal,
      announce: announce)
    imports = ImportAnswers(
      uploads: uploads, importer: works.importer, plans: ground.plans, finder: finder, water: ground.water,
      refusing: refusing, announce: announce,
      inbox: InboxImports(
        store: store, state: works.inbox, importer: works.importer, weather: weather, settings: ground.settings,
        plans: ground.plans,
        finder: finder, water: ground.water, clock: clock, refusing: refusing, announce: announce,
        copies: ground.paths.uploads, sharing: sharing, log: log))
    backup = BackupAnswers(
      store: store, reader: ground.reader, backups: works.backups, importer: works.importer, uploads: uploads,
      settings: ground.settings, plans: ground.plans, finder: finder, water: ground.water, notices: works.notices,
      zones: zones, clock: clock, restart: restart, state: ground.paths.state, choice: ground.choice,
      refusing: refusing, backingUp: ground.backingUp, announce: announce, log: log)
    outbox = OutboxAnswers(
      store: store, named: named, dispatcher: dispatcher, settings: ground.settings, finder: finder, zones: zones,
      clock: clock, refusing: refusing)
    publish = PublishAnswers(
      store: store, published: ground.published, dispatcher: dispatcher, settings: ground.settings, finder: finder,
      refusing: refusing, announce: announce)
    daemon = DaemonAnswers(
      store: store, settings: ground.settings, reload: works.reload, audit: audit, zones: zones, clock: clock,
      events: ground.events, log: log,
      examination: Examination(
        store: store, reader: ground.reader, dispatcher: dispatcher, settings: ground.settings,
        backups: works.backups, clockAccount: clockAccount, troubles: troubles, zones: zones, clock: clock,
        paths: ground.paths, choice: ground.choice, node: ground.node, senders: ground.senderViews),
      node: ground.node)
    self.audit = audit
    self.restart = restart
    self.uploads = uploads
    events = ground.events
  }
}
