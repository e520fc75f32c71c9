import FlowBackup
import FlowCalendar
import FlowControl
import FlowDelivery
import FlowModel
import FlowNotices
import FlowPlatform
import FlowScheduler
import FlowServices
import FlowSettings
import FlowStore
import FlowWork

/// Builds the daemon: the only code that chooses concrete types and connects them, in order of dependency.
struct Wiring: Sendable {
  let clock: any WallClock
  let store: Store
  let scheduler: Scheduler
  let runner: JobRunner
  let events: EventBus
  let dispatcher: Dispatcher
  let sinkWatch: SinkHealthWatch
  let server: ControlServer
  let settings: EffectiveSettings
  let reload: SettingsReload
  let inbox: InboxState
  let receipts: ReceiptReader
  let services: Services
  let paths: DaemonPaths
  /// The chosen store and its name for people.
  let choice: StoreChoice
  /// Nil for a daemon that does not share its store with other nodes.
  let handoff: PartitionHandoff?
  /// True if the process before this one crashed by itself.
  let hadCrashed: Bool
  /// Kept for its file lock on the state folder, which ends with the daemon.
  private let state: StateDirectory

  init(
    options: DaemonOptions, reading: SettingsReading, environment: [String: String], modules: DaemonModules,
    node: ClusterMember? = nil, log: DaemonLog
  ) async throws {
    paths = DaemonPaths(options: options, settings: reading.settings, environment: environment)
    choice = try StoreChoice(reading.settings.store, paths, modules, node: node?.identity, environment: environment)
    state = try StateDirectory(path: paths.state)
    hadCrashed = try Self.armCrashMark(paths.crashMark, log: log)
    let (clock, zones, manager) = (SystemWallClock(), try Self.zones(), ServiceManager())
    let deferredWork = DeferredWork(log: log)
    store =
      choice.isOnServer
      ? try Self.openServer(choice, paths, clock: clock, manager: manager, log: log)
      : try await Self.openStore(paths, modules, clock: clock, manager: manager, log: log)
    let published = await Self.publishedNames(paths, store, isClusterMember: node != nil, log: log)
    let digestCache = DigestCache(trades: modules.services)
    let openedStore = store
    let cluster = node.map {
      DropFolderOptions.Cluster(own: $0.identity.name, checkOwnership: { try await openedStore.verifyLocks() })
    }
    let sinkFactory = SinkFactory(
      statePath: paths.state, store: store, trades: modules.services, environment: environment, published: published,
      zones: zones, jobs: modules.trades.jobs, clock: clock,
      digestCache: digestCache, cluster: cluster)
    let (sinks, folders) = try sinkFactory.make(reading.settings.sinks)
    try await Self.holdIfRestored(store, epochMarkPath: paths.epochMark, deferredWork: deferredWork, log: log)
    settings = EffectiveSettings(
      reading: reading, catalogue: modules.trades.jobs.every, configPath: options.configPath, environment: environment,
      folders: folders, now: clock.now())
    events = node?.events ?? EventBus()
    sinkWatch = SinkHealthWatch()
    inbox = InboxState()
    let context = ServiceContext(
      store: store, reader: StoreReader(place: choice.place, trades: modules.trades), zones: zones, clock: clock,
      settings: settings,
      events: events, paths: paths, choice: choice, published: published, senders: SenderReports(settings: settings),
      node: node, log: log)
    dispatcher = Self.makeDispatcher(on: context, sinks: sinks, sinkWatch: sinkWatch)
    let uploads = Uploads(folder: paths.uploads)
    let trades = modules.services.services(
      on: context.forTrades(modules.services, dispatcher: dispatcher, uploads: uploads))
    let work = ServerWork(
      store: store, keeper: context.makeBackupKeeper(), clock: clock, jobs: modules.trades.jobs,
      // If the machine's own zone cannot be read, nightly jobs run by UTC.
      zone: (try? zones.zone(named: LocalZone.name(environment: environment))) ?? .utc, log: log, settings: settings,
      notices: context.notices(through: dispatcher), trades: trades)
    try await deferredWork.perform("the folder of the backups") { try work.keeper.folder.prepare() }
    // With several nodes, the owner of partition 0 plans these jobs in `PartitionHandoff`.
    if node == nil {
      try await deferredWork.perform("the plan of the server's own jobs") { [settings] in
        try await work.plan(by: await settings.reading.settings)
      }
      try await deferredWork.perform("the plan of the teams' jobs") { [settings] in
        try await work.planTeams(by: await settings.reading.settings)
      }
    }
    let timer = try WakeTimer()
    runner = Self.makeRunner(
      on: context, work: work, dispatcher: dispatcher, digestCache: digestCache, timer: timer, reading.settings)
    receipts = ReceiptReader(
      store: store, settings: settings,
      losses: LossReport(store: store, dispatcher: dispatcher, settings: settings, clock: clock, log: log),
      senders: SenderWatch(reports: context.senders, notices: work.notices), clock: clock, log: log)
    scheduler = Self.makeScheduler(
      on: context, runner: runner, timer: timer, jitter: reading.settings.jobs.compactMapValues(\.jitter),
      manager: manager,
      dispatcher: dispatcher,
      housekeeping: Housekeeping(
        store: store, zones: zones,
        metrics: MetricsWriter(
          store: store, reader: context.reader, zones: zones, dispatcher: dispatcher,
          trades: trades, settings: settings, senders: context.senders, log: log, engine: choice.engine, node: node),
        deferredWork: deferredWork, notices: work.notices, log: log, statePath: paths.state, storeName: choice.name,
        onStoreReturned: { [dispatcher] in dispatcher.resumeAll() }),
      trades: trades, inbox: inbox, receipts: receipts)
    reload = SettingsReload(
      of: settings, sinkFactory: sinkFactory, dispatcher: dispatcher, runner: runner, scheduler: scheduler, work: work,
      didReload: { [receipts, inbox] in
        receipts.wake()
        inbox.wake()
      })
    handoff = node.map { [store, scheduler, dispatcher, settings] node in
      PartitionHandoff(
        node.identity, store: store, scheduler: scheduler, dispatcher: dispatcher, work: work,
        changes: published.changes, settings: settings, clock: clock, log: log, wakeUpSignal: node.wakeUpSignal,
        server: { node.server(of: $0) })
    }
    try await deferredWork.perform("the folder of uploads") { try uploads.prepare() }
    try await Self.recoverPhotos(on: context)
    services = Services(
      on: context,
      BackgroundServices(
        scheduler: scheduler, runner: runner, dispatcher: dispatcher, reload: reload,
        backups: work.keeper, notices: work.notices, inbox: inbox, trades: trades, handoff: handoff),
      uploads: uploads, startedAt: clock.now())
    server = try ControlServer(
      listener: try ActivatedSocket.listener() ?? ControlServer.listen(at: paths.socket), services: services,
      interfaces: modules.interfaces, version: Daemon.version)
    self.clock = clock
  }

  // MARK: Modules

  /// The names of published pages: in the database for one of several nodes, otherwise in a file.
  private static func publishedNames(
    _ paths: DaemonPaths, _ store: Store, isClusterMember: Bool, log: DaemonLog
  ) async -> any PublishedNames {
    let file = PublishedNamesFile(path: paths.publishedNames)
    guard isClusterMember else { return file }
    let names = SharedPublishedNames(store: store)
    do { try await names.adopt(file) } catch {
      log.error("\(error); other nodes do not get the names of this machine's pages until its daemon restarts")
    }
    return names
  }

  private static func zones() throws -> SystemZones {
    let zones = SystemZones()
    // Without zones nothing can be planned, so fail at the start. `UTC` is built in; `Etc/UTC` must be read from a file.
    if case .failure = Result(catching: { try zones.zone(named: "Etc/UTC") }) { throw NoZones(folder: zones.folder) }
    return zones
  }

  /// Opens a store on a PostgreSQL server; recovery and disk space are the server's concern.
  private static func openServer(
    _ choice: StoreChoice, _ paths: DaemonPaths, clock: SystemWallClock, manager: ServiceManager, log: DaemonLog
  ) throws -> Store {
    try choice.refuseLostRecords(paths)
    return try Store(
      place: choice.place, now: clock.now(), version: Daemon.version, trades: choice.modules.trades
    ) { schema in
      manager.extendTimeout(by: Limits.migrationStepTime, status: "Migrating the store to schema \(schema)")
    }
  }

  /// Opens the SQLite store: finishes a pending restore, migrates the schema and reserves disk space.
  private static func openStore(
    _ paths: DaemonPaths, _ modules: DaemonModules, clock: SystemWallClock, manager: ServiceManager, log: DaemonLog
  ) async throws -> Store {
    let recovery = StoreRecovery(state: paths.state, trades: modules.backups)
    let aside = try recovery.finish()
    if let aside { log.notice("the requested restore is done; the previous store is kept as '\(aside)'") }
    try recovery.refuseLostStore()
    let reserve = DiskSpaceReserve(in: paths.state)
    let store = try Store(
      place: .file(paths.store), now: clock.now(), version: Daemon.version, trades: modules.trades, reserve: reserve
    ) { schema in
      manager.extendTimeout(by: Limits.migrationStepTime, status: "Migrating the store to schema \(schema)")
    }
    // Remove kept stores only after the present store could be opened.
    pruneKeptStores(in: paths.state, justMade: aside, now: clock.now(), log: log)
    if let kept = store.keptBeforeMigration {
      log.notice("the store was migrated to the present schema; the previous store is kept as '\(kept)'")
    }
    if store.isOutOfDiskSpace {
      log.error(
        "the disk of '\(paths.state)' is full: records can be read, but nothing is written until space is free")
    } else {
      reserve.keep()
    }
    return store
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
      backgroundTask: { work.backgroundTask(for: $0) }, waitForSinks: { await digestCache.waitForSpace() },
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
      store: context.store, runner: runner, zones: context.zones, clock: context.clock, timer: timer, jitter: jitter,
      report: { log.warning($0) },
      heartbeat: { scheduler, now in
        await housekeeping.tidy(now: now, scheduler: scheduler)
        for trade in trades { trade.records.forgetOldPreviews(now: now) }
        dispatcher.wakeMaintainedSinks()
        receipts.wake()
        // Without an inbox there is nothing to scan.
        if await settings.reading.settings.inbox != nil { inbox.wake() }
      },
      // Send at least two heartbeats within the service manager's watchdog interval.
      longestSleep: min(Limits.longestSleep, (manager.watchdogInterval ?? .seconds(3_600)) / 2),
      healthPulse: { await healthPulse.heartbeat(next: $0) },
      clockCorrected: { correction in
        await housekeeping.note(correction)
        // Notices scheduled for a later time may be due by the corrected clock.
        dispatcher.wake()
      })
  }

  // MARK: Leftovers of the previous process

  /// Deletes old stores that restores kept aside; a failure is only logged.
  private static func pruneKeptStores(in state: String, justMade: String?, now: Timestamp, log: DaemonLog) {
    do {
      let (removed, kept) = try SetAsideStores(state: state).prune(now: now, justMade: justMade)
      guard !removed.isEmpty else { return }
      let megabytes = removed.reduce(0) { $0 + $1.bytes } >> 20
      log.notice(
        "\(removed.count) old stores that restores had kept were removed, \(megabytes) MiB; "
          + "the newest \(kept.count) stay")
    } catch {
      log.warning("\(error); old stores that restores kept stay until the next start")
    }
  }

  /// Sets the mark by which the next process sees that this one crashed.
  ///
  /// - Returns: true if the process before this one crashed.
  private static func armCrashMark(_ path: String, log: DaemonLog) throws(SystemFailure) -> Bool {
    do {
      return try CrashMark.arm(path: path)
    } catch {
      guard error.isCausedByFullDisk else { throw error }
      // The crash mark could not be created, so it did not exist before and recorded no crash.
      log.warning("\(error); if this process crashes, the next start reports it as killed")
      return false
    }
  }

  /// Puts undelivered notices on hold if the store was restored from a copy, since they may have been sent before.
  private static func holdIfRestored(
    _ store: Store, epochMarkPath: String, deferredWork: DeferredWork, log: DaemonLog
  ) async throws {
    if let mark = EpochMark(path: epochMarkPath), try await store.isOlder(than: mark) {
      let count = try await store.holdUndelivered()
      if count > 0 {
        log.warning(
          "the store was restored from a copy: \(countText(count, "notice")) that may be delivered already \(count == 1 ? "is" : "are") on hold; "
            + "see `pfctl outbox list --state held`, then `pfctl outbox release` or `discard`")
      }
    }
    try await deferredWork.perform("the mark of this life") {
      // Write the store first: a mark that is newer than its store means that the store is a copy.
      try await store.settleEpoch()
      try EpochMark(epoch: store.epoch, hasEnded: false).write(to: epochMarkPath)
    }
  }

  /// Settles photos of visits that a crash left undecided, and records failures for `status` and `doctor`.
  private static func recoverPhotos(on context: ServiceContext) async throws {
    let (store, backups) = (context.store, context.choice.modules.backups)
    let unsettledTeams = try await context.photos.recover { team in
      (try await backups.photos(of: team, in: store), try await store.lastPhotoChange(of: team))
    }
    for (team, why) in unsettledTeams {
      context.log.error("the photos of team \(team.number) could not be put in order: \(why)")
    }
    try await store.setTeamFailures(unsettledTeams, with: FailureCode.photos, of: .all, now: context.clock.now())
  }
}

/// The machine has no time zone database.
struct NoZones: Error, CustomStringConvertible {
  let folder: String

  var description: String {
    "there are no time zones in '\(folder)'; install the package tzdata, or set TZDIR to the folder that has them"
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
