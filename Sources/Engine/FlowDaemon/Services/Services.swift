import FlowBackup
import FlowControl
import FlowDelivery
import FlowModel
import FlowPlatform
import FlowScheduler
import FlowServices
import FlowStore
import FlowWork

/// Dependencies of all answers: store, clock, settings, events and log.
struct ServiceContext: Sendable {
  let store: Store
  let reader: StoreReader
  let zones: SystemZones
  let clock: any WallClock
  let settings: EffectiveSettings
  let events: EventBus
  let paths: DaemonPaths
  let choice: StoreChoice
  let published: any PublishedNames
  let senders: SenderReports
  /// Nil for a daemon that does not share its store with other nodes.
  let node: ClusterMember?
  let log: DaemonLog

  var jobs: JobCatalogues { choice.modules.trades.jobs }
  var finder: TeamFinder { TeamFinder(store: store, jobs: jobs, log: log) }
  var mappingErrors: StoreErrorMapper { StoreErrorMapper(log: log) }
  var mappingBackupErrors: BackupErrorMapper { BackupErrorMapper(log: log) }
  var announce: Announcements {
    Announcements(log: log) { [events, clock] team, text in
      events.publish(team.map { .team($0, text) } ?? .settings(text), at: clock.now())
    }
  }
  var plans: PlanFeatureGate { PlanFeatureGate(settings: settings, clock: clock) }
  var senderViews: SenderViews { SenderViews(reports: senders, store: store) }
  var photos: PhotoStore { PhotoStore(folder: paths.photos, reader: reader) }

  func makeBackupKeeper() -> BackupKeeper {
    BackupKeeper(
      store: store,
      source: BackupMaker.Source(
        reader: reader, photoFolder: paths.photos, install: store.install, version: Daemon.version),
      folder: BackupFolder(path: paths.backups), zones: zones, clock: clock, trades: choice.modules.backups)
  }

  /// What the services of the trades get.
  ///
  /// - Parameter dispatcher: nil during an inspection, when no daemon runs.
  func forTrades(_ trades: DaemonTrades, dispatcher: Dispatcher?, uploads: Uploads) -> TradeContext {
    TradeContext(
      store: store, zones: zones, clock: clock, settings: settings, dispatcher: dispatcher, uploads: uploads,
      photos: photos, announce: announce, trades: trades, log: log)
  }

  func scheduling(by scheduler: Scheduler?) -> TeamScheduling {
    TeamScheduling(scheduler: scheduler, settings: settings, zones: zones, jobs: jobs, mappingErrors: mappingErrors)
  }

  func notices(through dispatcher: Dispatcher?) -> OperatorNotices {
    OperatorNotices(store: store, dispatcher: dispatcher, settings: settings, clock: clock, log: log)
  }
}

/// Services that work on the store. Those that act on their own are nil during an inspection, when no daemon runs.
struct BackgroundServices: Sendable {
  let scheduler: Scheduler?
  let runner: JobRunner?
  let dispatcher: Dispatcher?
  let reload: SettingsReload?
  let backups: BackupKeeper
  let notices: OperatorNotices
  let inbox: InboxState
  let trades: [RunningTrade]
  /// Nil for a daemon that does not share its store with other nodes.
  let handoff: PartitionHandoff?
}

/// All services of the control socket: one for each interface of the engine, and those of the trades.
final class Services: Sendable {
  let scheduler: SchedulerAnswers
  let jobs: JobsAnswers
  let daysOff: DaysOffAnswers
  let teams: TeamsAnswers
  let people: PeopleAnswers
  let imports: ImportAnswers
  let backup: BackupAnswers
  let outbox: OutboxAnswers
  let publish: PublishAnswers
  let daemon: DaemonAnswers
  let audit: AuditTrail
  let restart: RestartRequest
  private let uploads: Uploads
  private let events: EventBus
  private let finder: TeamFinder
  private let callRouter: CallRouter?
  private let trades: [RunningTrade]
  private let scheduling: TeamScheduling

  /// The methods of all interfaces.
  var verbs: [ControlVerb] {
    SchedulerCall.verbs(of: scheduler) + JobsCall.verbs(of: jobs) + DaysOffCall.verbs(of: daysOff)
      + TeamsCall.verbs(of: teams) + PeopleCall.verbs(of: people)
      + ImportCall.verbs(of: imports) + BackupCall.verbs(of: backup) + OutboxCall.verbs(of: outbox)
      + PublishCall.verbs(of: publish) + DaemonCall.verbs(of: daemon) + trades.flatMap { $0.verbs(scheduling) }
  }

  /// Checks that the team of a call has the call's trade.
  ///
  /// - Throws: `ControlError.otherTrade` if the call is for another trade than its team's.
  func checkTrade(of call: any ControlMethod) async throws {
    guard let trade = type(of: call).trade, let name = call.namedTeam else { return }
    let team = try await finder.team(named: name)
    guard team.trade.rawValue != trade else { return }
    let owner = trades.of(team)?.teams.settings.owner ?? "of the trade '\(team.trade.rawValue)'"
    let wanted = trades.first { $0.trade.rawValue == trade }?.teams.settings
    throw ControlError.otherTrade(
      team.name, has: team.trade, owner: owner, records: wanted?.records ?? "such records",
      of: wanted?.owners ?? "teams of the trade '\(trade)'")
  }

  /// Runs `body` for a change; with several nodes, once this node owns the partitions that the call concerns.
  func changing<Value>(
    by call: any ControlMethod, _ caller: Caller, _ body: () async throws -> Value
  ) async throws -> Value {
    guard let callRouter else { return try await body() }
    return try await callRouter.changing(by: call, caller, body)
  }

  /// The caller closed its connection while a call was being answered: ends its event streams.
  func hungUp(_ caller: Caller) { events.hangUp(caller.connection) }

  /// A connection ended: discards its unfinished uploads, and restarts the daemon if a restore waited for this.
  func connectionEnded(_ caller: Caller) async {
    await uploads.connectionEnded(caller.connection)
    restart.connectionEnded(caller.connection)
  }

  init(on context: ServiceContext, _ background: BackgroundServices, uploads: Uploads, startedAt: Timestamp) {
    let (store, zones, clock, log) = (context.store, context.zones, context.clock, context.log)
    let (finder, mappingErrors, announce) = (context.finder, context.mappingErrors, context.announce)
    self.finder = finder
    let callRouter = background.handoff.map {
      CallRouter(store: store, handoff: $0, uploads: uploads, settings: context.settings, mappingErrors: mappingErrors)
    }
    self.callRouter = callRouter
    trades = background.trades
    let (scheduler, dispatcher) = (background.scheduler, background.dispatcher)
    let scheduling = context.scheduling(by: scheduler)
    self.scheduling = scheduling
    let troubles = TeamFailureReport(store: store, clock: clock)
    let clockStatus = ClockStatus(store: store, scheduler: scheduler, clock: clock)
    let restart = RestartRequest()
    let audit = AuditTrail(
      store: store, uploads: uploads, clock: clock, mappingErrors: mappingErrors, log: log,
      changes: context.published.changes)
    let slots = UpcomingSlots(store: store, zones: zones, clock: clock, scheduler: scheduler)
    let records = RunRecords(store: store, zones: zones)
    let named = RecordFinder(store: store, clock: clock)
    self.scheduler = SchedulerAnswers(
      status: StatusReport(
        store: store, dispatcher: dispatcher, settings: context.settings, clock: clock, clockStatus: clockStatus,
        slots: slots, troubles: troubles, paths: context.paths, choice: context.choice, node: context.node,
        senders: context.senderViews, startedAt: startedAt),
      slots: slots, finder: finder,
      runs: ManualRuns(
        runner: background.runner, records: records, named: named, finder: finder, zones: zones, clock: clock,
        events: context.events, mappingErrors: mappingErrors, log: log),
      feed: EventFeed(events: context.events, store: store, zones: zones, finder: finder),
      holds: HoldKeeper(
        store: store, scheduling: scheduling, finder: finder, zones: zones, clock: clock, mappingErrors: mappingErrors,
        announce: announce),
      explanations: Explanations(
        store: store, scheduler: scheduler, named: named, finder: finder, zones: zones, clock: clock),
      simulations: Simulations(
        store: store, reader: context.reader, settings: context.settings, finder: finder, zones: zones, clock: clock,
        mappingErrors: mappingErrors))
    jobs = JobsAnswers(
      store: store, scheduling: scheduling, finder: finder, zones: zones, clock: clock,
      mappingErrors: mappingErrors, announce: announce)
    daysOff = DaysOffAnswers(
      store: store, trades: background.trades, scheduling: scheduling, finder: finder, zones: zones, clock: clock,
      mappingErrors: mappingErrors, announce: announce)
    teams = TeamsAnswers(
      store: store, scheduling: scheduling, trades: trades, backups: background.backups,
      finder: finder, zones: zones, settings: context.settings, senders: context.senders, clock: clock,
      mappingErrors: mappingErrors,
      mappingBackupErrors: context.mappingBackupErrors, announce: announce)
    let personal = AdHocNotices(
      store: store, dispatcher: dispatcher, settings: context.settings, mappingErrors: mappingErrors)
    people = PeopleAnswers(
      store: store, trades: trades, notices: personal, settings: context.settings, finder: finder, clock: clock,
      mappingErrors: mappingErrors,
      announce: announce)
    imports = ImportAnswers(
      uploads: uploads, trades: trades, plans: context.plans, finder: finder, mappingErrors: mappingErrors,
      announce: announce,
      inbox: InboxImports(
        store: store, state: background.inbox, trades: trades, settings: context.settings, plans: context.plans,
        finder: finder, clock: clock, mappingErrors: mappingErrors,
        announce: announce,
        copyFolder: context.paths.uploads, callRouter: callRouter, log: log))
    backup = BackupAnswers(
      store: store, trades: trades, reader: context.reader, backups: background.backups, uploads: uploads,
      settings: context.settings, plans: context.plans, finder: finder, notices: background.notices,
      zones: zones, clock: clock, restart: restart, state: context.paths.state, choice: context.choice,
      mappingErrors: mappingErrors, mappingBackupErrors: context.mappingBackupErrors, announce: announce, log: log)
    outbox = OutboxAnswers(
      store: store, named: named, dispatcher: dispatcher, settings: context.settings, finder: finder, zones: zones,
      clock: clock, mappingErrors: mappingErrors)
    publish = PublishAnswers(
      store: store, published: context.published, dispatcher: dispatcher, settings: context.settings, finder: finder,
      mappingErrors: mappingErrors, announce: announce)
    daemon = DaemonAnswers(
      store: store, settings: context.settings, reload: background.reload, audit: audit, zones: zones, clock: clock,
      events: context.events, log: log,
      doctorChecks: DoctorChecks(
        store: store, trades: trades, reader: context.reader, dispatcher: dispatcher, settings: context.settings,
        backups: background.backups, clockStatus: clockStatus, troubles: troubles, zones: zones, clock: clock,
        paths: context.paths, choice: context.choice, node: context.node, senders: context.senderViews),
      node: context.node)
    self.audit = audit
    self.restart = restart
    self.uploads = uploads
    events = context.events
  }
}
