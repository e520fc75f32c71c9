import FlowAnswers
import FlowBackup
import FlowDelivery
import FlowModel
import FlowNodes
import FlowPlatform
import FlowScheduler
import FlowServices
import FlowSettings
import FlowStore
import FlowWork

/// Opens the store and builds the settings and sinks over it, which everything else in the daemon uses.
struct StoreWiring {
  let context: ServiceContext
  let stateLock: StateFolderLock
  let sinkFactory: SinkFactory
  let sinks: [any Sink]
  let digestCache: DigestCache
  let deferredWork: DeferredWork
  let manager = ServiceManager()

  init(
    options: DaemonOptions, reading: SettingsReading, environment: [String: String], modules: DaemonModules,
    node: ClusterMember?, log: DaemonLog
  ) async throws {
    let paths = DaemonPaths(options: options, settings: reading.settings, environment: environment)
    let choice = try StoreChoice(reading.settings.store, paths, modules, node: node?.identity, environment: environment)
    stateLock = try StateFolderLock(paths, log: log)
    let (clock, zones) = (SystemWallClock(), try Self.zones())
    deferredWork = DeferredWork(log: log)
    let store =
      choice.isOnServer
      ? try Self.openServer(choice, paths, clock: clock, manager: manager, log: log)
      : try await Self.openStore(paths, modules, clock: clock, manager: manager, log: log)
    let published = await Self.publishedNames(paths, store, isClusterMember: node != nil, log: log)
    digestCache = DigestCache(trades: modules.services)
    let cluster = node.map {
      DropFolderOptions.Cluster(own: $0.identity.name, checkOwnership: { try await store.verifyLocks() })
    }
    sinkFactory = SinkFactory(
      statePath: paths.state, store: store, trades: modules.services, environment: environment, published: published,
      zones: zones, jobs: modules.trades.jobs, clock: clock, digestCache: digestCache, cluster: cluster)
    let folders: [String: String]
    (sinks, folders) = try sinkFactory.make(reading.settings.sinks)
    try await Self.holdIfRestored(store, epochMarkPath: paths.epochMark, deferredWork: deferredWork, log: log)
    let settings = EffectiveSettings(
      reading: reading, catalogue: modules.trades.jobs.every, configPath: options.configPath, environment: environment,
      folders: folders, now: clock.now())
    context = ServiceContext(
      store: store, reader: StoreReader(place: choice.place, trades: modules.trades), zones: zones, clock: clock,
      settings: settings, events: node?.events ?? EventBus(), paths: paths, choice: choice, published: published,
      senders: SenderReports(settings: settings), node: node, log: log)
  }

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
  func recoverPhotos() async throws {
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

/// The file lock on the state folder, which ends with the daemon, and how the previous process ended.
struct StateFolderLock: Sendable {
  private let state: StateDirectory
  /// True if the process before this one crashed by itself.
  let hadCrashed: Bool

  /// Locks the state folder, and sets the crash mark.
  ///
  /// - Throws: `StateDirectory.Failure` if another daemon uses the folder; `SystemFailure`.
  init(_ paths: DaemonPaths, log: DaemonLog) throws {
    state = try StateDirectory(path: paths.state)
    hadCrashed = try Self.armCrashMark(paths.crashMark, log: log)
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
}

/// The machine has no time zone database.
struct NoZones: Error, CustomStringConvertible {
  let folder: String

  var description: String {
    "there are no time zones in '\(folder)'; install the package tzdata, or set TZDIR to the folder that has them"
  }
}
