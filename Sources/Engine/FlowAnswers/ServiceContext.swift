package import FlowBackup
import FlowControl
package import FlowDelivery
import FlowModel
package import FlowNodes
package import FlowPlatform
package import FlowScheduler
package import FlowServices
package import FlowStore
import FlowWork

/// Dependencies of all answers: store, clock, settings, events and log. It is a flat record, because each answer takes only a
/// few members, and groups of them would have to be named at every use.
package struct ServiceContext: Sendable {
  package let store: Store
  package let reader: StoreReader
  package let zones: SystemZones
  package let clock: any WallClock
  package let settings: EffectiveSettings
  package let events: EventBus
  package let paths: DaemonPaths
  package let choice: StoreChoice
  package let published: any PublishedNames
  package let senders: SenderReports
  /// Nil for a daemon that does not share its store with other nodes.
  package let node: ClusterMember?
  package let log: DaemonLog

  package init(
    store: Store, reader: StoreReader, zones: SystemZones, clock: any WallClock, settings: EffectiveSettings,
    events: EventBus, paths: DaemonPaths, choice: StoreChoice, published: any PublishedNames, senders: SenderReports,
    node: ClusterMember?, log: DaemonLog
  ) {
    self.store = store
    self.reader = reader
    self.zones = zones
    self.clock = clock
    self.settings = settings
    self.events = events
    self.paths = paths
    self.choice = choice
    self.published = published
    self.senders = senders
    self.node = node
    self.log = log
  }

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
  package var photos: PhotoStore { PhotoStore(folder: paths.photos, reader: reader) }

  package func makeBackupKeeper() -> BackupKeeper {
    BackupKeeper(
      store: store,
      source: BackupMaker.Source(
        reader: reader, photoFolder: paths.photos, install: store.install, version: ProductVersion.text),
      folder: BackupFolder(path: paths.backups), zones: zones, clock: clock, trades: choice.modules.backups)
  }

  /// What the services of the trades get.
  ///
  /// - Parameter dispatcher: nil during an inspection, when no daemon runs.
  package func forTrades(_ trades: DaemonTrades, dispatcher: Dispatcher?, uploads: Uploads) -> TradeContext {
    TradeContext(
      store: store, zones: zones, clock: clock, settings: settings, dispatcher: dispatcher, uploads: uploads,
      photos: photos, announce: announce, trades: trades, log: log)
  }

  func scheduling(by scheduler: Scheduler?) -> TeamScheduling {
    TeamScheduling(scheduler: scheduler, settings: settings, zones: zones, jobs: jobs, mappingErrors: mappingErrors)
  }

  package func notices(through dispatcher: Dispatcher?) -> OperatorNotices {
    OperatorNotices(store: store, dispatcher: dispatcher, settings: settings, clock: clock, log: log)
  }
}

/// Services that work on the store, and during a run those that act on their own.
package struct BackgroundServices: Sendable {
  let backups: BackupKeeper
  let notices: OperatorNotices
  let inbox: InboxState
  let trades: [RunningTrade]
  /// Nil during an inspection, when no daemon runs.
  let running: RunningDaemon?

  package init(
    backups: BackupKeeper, notices: OperatorNotices, inbox: InboxState, trades: [RunningTrade], running: RunningDaemon?
  ) {
    self.backups = backups
    self.notices = notices
    self.inbox = inbox
    self.trades = trades
    self.running = running
  }
}

/// The parts of a running daemon that answers ask or wake.
package struct RunningDaemon: Sendable {
  let scheduler: Scheduler
  let runner: JobRunner
  let dispatcher: Dispatcher
  let reload: any SettingsReloader
  /// Nil for a daemon that does not share its store with other nodes.
  let handoff: PartitionHandoff?

  package init(
    scheduler: Scheduler, runner: JobRunner, dispatcher: Dispatcher, reload: any SettingsReloader,
    handoff: PartitionHandoff?
  ) {
    self.scheduler = scheduler
    self.runner = runner
    self.dispatcher = dispatcher
    self.reload = reload
    self.handoff = handoff
  }
}
