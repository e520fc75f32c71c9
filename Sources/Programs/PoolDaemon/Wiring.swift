import Glibc
import PoolBackup
import PoolCalendar
import PoolControl
import PoolDelivery
import PoolModel
import PoolNotices
import PoolPlatform
import PoolScheduler
import PoolSettings
import PoolStore
import Synchronization

/// The one place where concrete types are chosen and put together.
struct Wiring: Sendable {
  let clock: any WallClock
  let store: Store
  let scheduler: Scheduler
  let runner: JobRunner
  let events: EventBus
  let dispatcher: Dispatcher
  let desk: OperatorDesk
  let server: ControlServer
  let settings: SettingsInForce
  let storePath: String
  let newBeginning: NewBeginning
  let inbox: InboxDesk
  let backend: Backend
  /// The process before this one crashed by itself.
  let hadCrashed: Bool
  let socketPath: String
  /// Beside the store: which life of the daemon it has seen.
  let lifeMarkPath: String
  /// Held for the daemon's life: it is the lock.
  private let state: StateDirectory

  init(options: DaemonOptions, reading: SettingsReading, environment: [String: String], log: DaemonLog) async throws {
    let settings = reading.settings
    let paths = RuntimePaths(environment: environment, uid: ProcessIdentity.user)
    let statePath = options.stateDirectory ?? settings.stateDirectory ?? paths.stateDirectory
    // With a state directory of its own and no socket named, a daemon is spoken to there.
    socketPath =
      options.socketPath ?? settings.socketPath
      ?? (options.stateDirectory == nil ? paths.socketPath : statePath + "/control.sock")
    state = try StateDirectory(path: statePath)
    hadCrashed = try Self.armCrashMark(statePath + "/crashed", log: log)
    let clock = SystemWallClock()
    let zones = SystemZones()
    // Without zones nothing can be planned, and it is better said now than at the first slot. We know "UTC" by heart, so
    // the question is for a name that must be read.
    if case .failure = Result(catching: { try zones.zone(named: "Etc/UTC") }) { throw NoZones(folder: zones.folder) }
    storePath = statePath + "/poolflow.db"
    let recovery = StoreRecovery(state: statePath)
    let aside = try recovery.finish()
    if let aside { log.notice("a restore that was decided is done now; the store of before is kept as '\(aside)'") }
    try recovery.refuseLostStore()
    let manager = ServiceManager()
    let reserve = RoomReserve(in: statePath)
    let store = try Store(path: storePath, now: clock.now(), version: Daemon.version, reserve: reserve) { schema in
      manager.extendTimeout(by: Limits.migrationTime, status: "Bringing the store to schema \(schema)")
    }
    // Only once the store of now can be used.
    Self.pruneKeptStores(in: statePath, justMade: aside, now: clock.now(), log: log)
    if let kept = store.keptBeforeMigration {
      log.notice("the store was brought to today's schema; the one of before is kept as '\(kept)'")
    }
    let (sinks, folders) = try Self.sinks(settings.sinks, statePath: statePath, store: store, environment: environment)
    let putOff = PutOff(log: log)
    if await store.isOutOfRoom {
      log.error(
        "there is no room in '\(statePath)': what is there can be read, and nothing is written until there is some")
    } else {
      reserve.keep()
    }
    lifeMarkPath = statePath + "/life"
    try await Self.holdIfRestored(store, lifeMarkPath: lifeMarkPath, putOff: putOff, log: log)
    let desk = OperatorDesk()
    let events = EventBus()
    let dispatcher = Dispatcher(
      store: ObservedOutbox(store: store, events: events), sinks: sinks, wallClock: clock
    ) { event in
      log.write(event)
      desk.hear(event)
      events.publish(event, at: clock.now())
    }
    let timer = try WakeTimer()
    let routes = settings.sinks.map(\.route)
    let late = LateBindings()
    let planner = RoutePlanner(store: store, clock: clock)
    let backups = BackupKeeper(
      store: store,
      source: BackupMaker.Source(
        reader: StoreReader(path: storePath), photoFolder: statePath + "/photos", install: store.install,
        version: Daemon.version), folder: BackupFolder(path: statePath + "/backups"), zones: zones, clock: clock)
    try await putOff.perform("the folder of the backups") { try backups.folder.prepare() }
    let work = ServerWork(
      store: store, keeper: backups, planner: planner, dispatcher: dispatcher, clock: clock,
      // A machine whose own zone cannot be read has its nights by UTC.
      zone: (try? zones.zone(named: LocalZone.name(environment: environment))) ?? .utc, log: log,
      settings: { await late.settings?.reading.settings })
    try await putOff.perform("the plan of the server's own jobs") {
      let inForce = await late.settings?.reading.settings
      try await work.plan(by: inForce ?? settings)
      if let scheduler = late.scheduler { try await scheduler.replan(team: nil) }
    }
    let runner = JobRunner(
      store: store, zones: zones, clock: clock, routes: routes, labour: { work.labour(for: $0) }
    ) { settlements in
      dispatcher.nudge()
      for settlement in settlements { events.publish(.settled(settlement), at: settlement.finishedAt) }
      // Heavy work may fail between two looks.
      if settlements.contains(where: { $0.nextTryAt != nil }) { timer.interrupt() }
    }
    let reader = StoreReader(path: storePath)
    let metrics = MetricsWriter(
      store: store, reader: reader, zones: zones, dispatcher: dispatcher, travelTimes: planner.cache, log: log,
      path: { await late.settings?.reading.settings.metricsFile })
    let housekeeping = Housekeeping(
      store: store, zones: zones, metrics: metrics, putOff: putOff, log: log, statePath: statePath,
      tellTroubles: { await work.tellTroubles() }
    ) { notice, now in
      let routes = await late.settings?.reading.settings.sinks.map(\.route) ?? []
      dispatcher.wake(Set(try await store.tell(notice, routes: routes, now: now)))
    }
    let inbox = InboxDesk()
    self.inbox = inbox
    let drafts = CustomersDrafts()
    let pulse = Pulse(manager: manager, store: store, dispatcher: dispatcher, zones: zones, log: log)
    let scheduler = Scheduler(
      store: store, runner: runner, zones: zones, clock: clock, timer: timer,
      jitter: settings.jobs.mapValues(\.jitter), report: { log.warning($0) },
      beat: { now in
        if let scheduler = late.scheduler { await housekeeping.tidy(now: now, scheduler: scheduler) }
        drafts.tidy(now: now)
        // Where there is no inbox nobody is woken.
        if await late.settings?.reading.settings.inbox != nil { inbox.nudge() }
      },
      // At least twice in the time after which the manager takes us for hung.
      longestSleep: min(Limits.longestSleep, (manager.watchdogInterval ?? .seconds(3_600)) / 2),
      pulse: { await pulse.beat(next: $0) },
      mended: { mend in
        await housekeeping.note(mend)
        // What waited for a time to come is due now.
        dispatcher.nudge()
      })
    let inForce = SettingsInForce(
      reading: reading, options: options, environment: environment, folders: folders, now: clock.now(),
      make: { try Self.sinks($0, statePath: statePath, store: store, environment: environment) },
      apply: { sinks, routes in
        if let sinks { await dispatcher.replace(sinks: sinks) }
        await runner.use(routes: routes)
      },
      spread: { try await scheduler.use(jitter: $0) },
      plan: { settings in
        // What is due by the old rule has come already, and runs.
        await scheduler.lookNow()
        try await work.plan(by: settings)
        try await scheduler.replan(team: nil)
      })
    self.settings = inForce
    self.desk = desk
    late.bind(scheduler: scheduler, settings: inForce)
    let uploads = Uploads(folder: statePath + "/uploads")
    try await putOff.perform("the folder of uploads") { try uploads.prepare() }
    let strayed = try await PhotoShelf(folder: statePath + "/photos").recover { team in
      (try await store.photoSizes(of: team), try await store.lastPhotoChange(of: team))
    }
    for (team, why) in strayed { log.error("the photos of team \(team.number) were not settled: \(why)") }
    try await store.setTroubles(strayed, with: TroubledWork.photos, now: clock.now())
    newBeginning = NewBeginning()
    backend = Backend(
      store: store, reader: reader, scheduler: scheduler, runner: runner,
      dispatcher: dispatcher, zones: zones, clock: clock,
      uploads: uploads,
      importer: Importer(store: store, photoFolder: statePath + "/photos", clock: clock, drafts: drafts),
      photos: PhotoShelf(folder: statePath + "/photos"),
      backups: backups, planner: planner, inbox: inbox, newBeginning: newBeginning, log: log,
      facts: Backend.DaemonFacts(
        version: Daemon.version, startedAt: clock.now(), stateDirectory: statePath, socketPath: socketPath),
      settings: inForce, events: events)
    let listener = try ActivatedSocket.listener() ?? ControlServer.listen(at: socketPath)
    server = try ControlServer(listener: listener, backend: backend, version: Daemon.version)
    self.clock = clock
    self.store = store
    self.scheduler = scheduler
    self.runner = runner
    self.events = events
    self.dispatcher = dispatcher
  }

  private static func pruneKeptStores(in state: String, justMade: String?, now: Timestamp, log: DaemonLog) {
    do {
      let (removed, kept) = try KeptStores(state: state).prune(now: now, justMade: justMade)
      guard !removed.isEmpty else { return }
      let megabytes = removed.reduce(0) { $0 + $1.bytes } >> 20
      log.notice(
        "\(removed.count) of the stores that restores kept aside are removed, \(megabytes) MiB; "
          + "the newest \(kept.count) stay")
    } catch {
      log.warning("\(error); stores that restores kept aside stay until the next start")
    }
  }

  /// - Returns: whether the process before this one crashed.
  private static func armCrashMark(_ path: String, log: DaemonLog) throws(SystemFailure) -> Bool {
    do {
      return try CrashMark.arm(path: path)
    } catch {
      guard error.isWantOfRoom else { throw error }
      // The mark is there from the first start on: where it cannot be made there was none that could tell of a crash.
      log.warning("\(error); a crash of this process will be taken for a kill")
      return false
    }
  }

  /// Keeps back what a store that was put back from a copy calls undelivered.
  private static func holdIfRestored(
    _ store: Store, lifeMarkPath: String, putOff: PutOff, log: DaemonLog
  ) async throws {
    if let mark = LifeMark(path: lifeMarkPath), try await store.isOlder(than: mark) {
      let count = try await store.holdUndelivered()
      if count > 0 {
        log.warning(
          "the store was put back from a copy: \(count) notices may have been delivered before and are held; "
            + "see `pfctl outbox list --state held`, then `pfctl outbox release` or `discard`")
      }
    }
    try await putOff.perform("the mark of this life") {
      // The store first: a mark that knows more than its store says that the store is a copy.
      try await store.settleEpoch()
      try LifeMark(epoch: store.epoch, hasEnded: false).write(to: lifeMarkPath)
    }
  }

  private static func sinks(
    _ settings: [Settings.SinkSettings], statePath: String, store: Store, environment: [String: String]
  ) throws -> (sinks: [any Sink], folders: [String: String]) {
    let source = "/poolflow/\(store.install)"
    var sinks: [any Sink] = []
    var folders: [String: String] = [:]
    for sink in settings {
      switch sink.kind {
      case .journal:
        sinks.append(JournalSink(name: sink.name, timeout: sink.timeout, rate: sink.rate ?? .journal))
      case .standardOutput:
        sinks.append(
          StandardOutputSink(
            name: sink.name, format: sink.textFormat ? .text : .ndjson, source: source, timeout: sink.timeout,
            rate: sink.rate ?? (DaemonLog.isJournal(descriptor: 1, environment) ? .journal : nil)))
      case .fileDrop:
        let folder: String
        if let configured = sink.directory {
          // A folder that an operator named is the operator's to make: a missing mount must not be papered over.
          folder = configured
        } else {
          folder =
            sink.name == "drop"
            ? statePath + "/outbox" : statePath + "/\(PathComponent(encoding: "outbox-" + sink.name))"
          if mkdir(folder, 0o750) != 0, errno != EEXIST { throw SystemFailure("cannot make '\(folder)'") }
        }
        folders[sink.name] = folder
        sinks.append(
          FileDropSink(
            name: sink.name, path: folder, source: source, maxFiles: sink.maxFiles ?? Limits.dropFiles,
            timeout: sink.timeout, rate: sink.rate,
            extras: DropExtras(
              signature: try sink.sign.map { name in
                try WebhookSignature(secret: try Credential.text(name, environment: environment), credential: name)
              }, source: DigestExtras(sensitive: sink.sensitive ? store : nil))))
      }
    }
    return (sinks, folders)
  }
}

/// What the once-a-minute work needs and is made after it.
private final class LateBindings: Sendable {
  private let bound = Mutex<(scheduler: Scheduler, settings: SettingsInForce)?>(nil)

  var scheduler: Scheduler? { bound.withLock { $0?.scheduler } }
  var settings: SettingsInForce? { bound.withLock { $0?.settings } }

  func bind(scheduler: Scheduler, settings: SettingsInForce) { bound.withLock { $0 = (scheduler, settings) } }
}

/// The machine has no tz database.
struct NoZones: Error, CustomStringConvertible {
  let folder: String

  var description: String {
    "there are no time zones in '\(folder)'; install the package tzdata, or let TZDIR name the folder that has them"
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
      warning("sink '\(sink)' is sick: \(trouble), trying again in \(wait.inWords)")
    case .well(let sink): notice("sink '\(sink)' is well again")
    case .working: break
    }
  }
}
