import FlowAnswers
import FlowBackup
import FlowCalendar
import FlowControl
import FlowControlServer
import FlowDelivery
import FlowModel
import FlowNodes
import FlowNotices
import FlowPlatform
import FlowScheduler
import FlowServices
import FlowSettings
import FlowStore
import FlowWork

/// Builds the daemon: the only code that chooses concrete types and connects them, in order of dependency.
struct Wiring: Sendable {
  /// Whether this daemon shares its store with others.
  enum Mode: Sendable {
    case alone
    /// One of several nodes: its membership, and the hand-off of its partitions.
    case node(ClusterMember, PartitionHandoff)
  }

  let context: ServiceContext
  let scheduler: Scheduler
  let runner: JobRunner
  let dispatcher: Dispatcher
  let sinkWatch: SinkHealthWatch
  let server: ControlServer
  let reload: SettingsReload
  let inbox: InboxState
  let receipts: ReceiptReader
  let services: Services
  let mode: Mode
  let stateLock: StateFolderLock

  init(
    options: DaemonOptions, reading: SettingsReading, environment: [String: String], modules: DaemonModules,
    node: ClusterMember? = nil, log: DaemonLog
  ) async throws {
    let base = try await StoreWiring(
      options: options, reading: reading, environment: environment, modules: modules, node: node, log: log)
    let (context, deferredWork) = (base.context, base.deferredWork)
    self.context = context
    stateLock = base.stateLock
    sinkWatch = SinkHealthWatch()
    inbox = InboxState()
    dispatcher = Self.makeDispatcher(on: context, sinks: base.sinks, sinkWatch: sinkWatch)
    let uploads = Uploads(folder: context.paths.uploads)
    let trades = modules.services.services(
      on: context.forTrades(modules.services, dispatcher: dispatcher, uploads: uploads))
    let work = try await Self.makeServerWork(
      on: context, dispatcher: dispatcher, trades: trades, deferredWork: deferredWork, environment: environment)
    let timer = try WakeTimer()
    runner = Self.makeRunner(
      on: context, work: work, dispatcher: dispatcher, digestCache: base.digestCache, timer: timer, reading.settings)
    receipts = Self.makeReceiptReader(on: context, dispatcher: dispatcher, notices: work.notices)
    scheduler = Self.makeScheduler(
      on: context, runner: runner, timer: timer, jitter: reading.settings.jobs.compactMapValues(\.jitter),
      manager: base.manager, dispatcher: dispatcher,
      housekeeping: Self.makeHousekeeping(
        on: context, dispatcher: dispatcher, work: work, deferredWork: deferredWork),
      trades: trades, inbox: inbox, receipts: receipts)
    reload = SettingsReload(
      of: context.settings, sinkFactory: base.sinkFactory, dispatcher: dispatcher, runner: runner,
      scheduler: scheduler, work: work,
      didReload: { [receipts, inbox] in
        receipts.wake()
        inbox.wake()
      })
    let handoff = Self.makeHandoff(on: context, scheduler: scheduler, dispatcher: dispatcher, work: work)
    mode = if let node, let handoff { .node(node, handoff) } else { .alone }
    try await deferredWork.perform("the folder of uploads") { try uploads.prepare() }
    try await base.recoverPhotos()
    services = Services(
      on: context,
      BackgroundServices(
        backups: work.keeper, notices: work.notices, inbox: inbox, trades: trades,
        running: RunningDaemon(
          scheduler: scheduler, runner: runner, dispatcher: dispatcher, reload: reload, handoff: handoff)),
      uploads: uploads, startedAt: context.clock.now())
    server = try ControlServer(
      listener: try ActivatedSocket.listener() ?? ControlServer.listen(at: context.paths.socket), services: services,
      interfaces: modules.interfaces, version: Daemon.version)
  }

  // MARK: Modules

  /// The server's own jobs: prepares the folder of the backups, and plans the jobs unless several nodes share the store.
  private static func makeServerWork(
    on context: ServiceContext, dispatcher: Dispatcher, trades: [RunningTrade], deferredWork: DeferredWork,
    environment: [String: String]
  ) async throws -> ServerWork {
    let settings = context.settings
    let work = ServerWork(
      store: context.store, keeper: context.makeBackupKeeper(), clock: context.clock,
      jobs: context.choice.modules.trades.jobs,
      // If the machine's own zone cannot be read, nightly jobs run by UTC.
      zone: (try? context.zones.zone(named: LocalZone.name(environment: environment))) ?? .utc, log: context.log,
      settings: settings, notices: context.notices(through: dispatcher), trades: trades)
    try await deferredWork.perform("the folder of the backups") { try work.keeper.folder.prepare() }
    // With several nodes, the owner of partition 0 plans these jobs in `PartitionHandoff`.
    guard context.node == nil else { return work }
    try await deferredWork.perform("the plan of the server's own jobs") {
      try await work.plan(by: await settings.reading.settings)
    }
    try await deferredWork.perform("the plan of the teams' jobs") {
      try await work.planTeams(by: await settings.reading.settings)
    }
    return work
  }

  private static func makeReceiptReader(
    on context: ServiceContext, dispatcher: Dispatcher, notices: OperatorNotices
  ) -> ReceiptReader {
    let (store, settings, clock, log) = (context.store, context.settings, context.clock, context.log)
    return ReceiptReader(
      store: store, settings: settings,
      losses: LossReport(store: store, dispatcher: dispatcher, settings: settings, clock: clock, log: log),
      senders: SenderWatch(reports: context.senders, notices: notices), clock: clock, log: log)
  }

  private static func makeHousekeeping(
    on context: ServiceContext, dispatcher: Dispatcher, work: ServerWork, deferredWork: DeferredWork
  ) -> Housekeeping {
    Housekeeping(
      on: context, metrics: MetricsWriter(on: context, dispatcher: dispatcher, trades: work.trades),
      deferredWork: deferredWork, notices: work.notices, onStoreReturned: { dispatcher.resumeAll() })
  }

  /// The hand-off of partitions; nil for a daemon that does not share its store with other nodes.
  private static func makeHandoff(
    on context: ServiceContext, scheduler: Scheduler, dispatcher: Dispatcher, work: ServerWork
  ) -> PartitionHandoff? {
    context.node.map { node in
      PartitionHandoff(
        of: node, store: context.store, scheduler: scheduler, dispatcher: dispatcher, work: work,
        changes: context.published.changes, settings: context.settings)
    }
  }

  private static func makeDispatcher(on context: ServiceContext, sinks: [any Sink], sinkWatch: SinkHealthWatch)
    -> Dispatcher
  {
    let (clock, events, log, isOnServer) = (context.clock, context.events, context.log, context.choice.isOnServer)
    return Dispatcher(
      store: ObservedOutbox(store: context.store, events: events), sinks: sinks, wallClock: clock
    ) { event in
      log.write(event)
      // A server that is away is no failure of a sink; the operator gets one notice about it when it is back.
      if case .sick(_, .store, _) = event, isOnServer {} else { sinkWatch.handle(event) }
      events.publish(event, at: clock.now())
    }
  }

  private static func makeRunner(
    on context: ServiceContext, work: ServerWork, dispatcher: Dispatcher, digestCache: DigestCache, timer: WakeTimer,
    _ settings: Settings
  ) -> JobRunner {
    let (events, changes) = (context.events, context.published.changes)
    return JobRunner(
      store: context.store, zones: context.zones, clock: context.clock, routes: settings.sinks.map(\.route),
      backgroundTask: { work.backgroundTask(for: $0) }, backlog: digestCache,
      prefetchStore: { [state = context.paths.state, trades = context.choice.modules.trades] in
        PrefetchFile(in: state, includesPages: digestCache.hasReaders, trades: trades)
      }
    ) { settlements in
      digestCache.remember(settlements)
      dispatcher.wake()
      for settlement in settlements { events.publish(.settled(settlement), at: settlement.finishedAt) }
      // Server jobs of the night may reorder the routes of any team.
      if settlements.contains(where: { $0.run.kind.isServerJob }) { changes.note(nil) }
      // A background task may fail between two ticks; its retry needs a new deadline.
      if settlements.contains(where: { $0.nextTryAt != nil }) { timer.interrupt() }
    }
  }

  private static func makeScheduler(
    on context: ServiceContext, runner: JobRunner, timer: WakeTimer, jitter: [JobKind: Duration],
    manager: ServiceManager,
    dispatcher: Dispatcher, housekeeping: Housekeeping, trades: [RunningTrade], inbox: InboxState,
    receipts: ReceiptReader
  ) -> Scheduler {
    let (settings, log) = (context.settings, context.log)
    let healthPulse = WatchdogHeartbeat(
      manager: manager, store: context.store, dispatcher: dispatcher, zones: context.zones, log: log)
    return Scheduler(
      store: context.store, runner: runner, zones: context.zones, clocks: SchedulerClocks(context.clock, timer: timer),
      jitter: jitter,
      // Send at least two heartbeats within the service manager's watchdog interval.
      longestSleep: min(Limits.longestSleep, (manager.watchdogInterval ?? .seconds(3_600)) / 2),
      callbacks: SchedulerCallbacks(
        report: { log.warning($0) },
        heartbeat: { scheduler, now in
          await housekeeping.tidy(now: now, scheduler: scheduler)
          for trade in trades { trade.records.forgetOldPreviews(now: now) }
          dispatcher.wakeMaintainedSinks()
          receipts.wake()
          // Without an inbox there is nothing to scan.
          if await settings.reading.settings.inbox != nil { inbox.wake() }
        },
        healthPulse: { await healthPulse.heartbeat(next: $0) },
        clockCorrected: { correction in
          await housekeeping.note(correction)
          // Notices scheduled for a later time may be due by the corrected clock.
          dispatcher.wake()
        }))
  }
}

extension DaemonLog {
  func write(_ event: DeliveryEvent) {
    switch event {
    case .refused(let sink, let refusal):
      switch refusal.next {
      case .dead: error("sink '\(sink)' gave up entry \(refusal.sequence): \(refusal.error)")
      case .tryAgain(let at):
        warning("sink '\(sink)' refused entry \(refusal.sequence): \(refusal.error), trying again at \(at)")
      }
    case .sick(let sink, let trouble, let wait):
      warning("sink '\(sink)' fails: \(trouble), trying again in \(wait.inWords)")
    case .well(let sink): notice("sink '\(sink)' works again")
    case .degraded(let sink, let obstacles): warning("sink '\(sink)' is degraded: \(obstacles.summarySentence)")
    case .restored(let sink): notice("sink '\(sink)' is not degraded any more")
    case .working: break
    }
  }
}
