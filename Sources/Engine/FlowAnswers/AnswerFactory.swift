import FlowBackup
import FlowDelivery
import FlowModel
import FlowNodes
import FlowPlatform
import FlowScheduler
import FlowServices
import FlowStore

/// Makes the answers of each interface, and the parts that several of them share.
struct AnswerFactory {
  private let context: ServiceContext
  private let background: BackgroundServices
  private let uploads: Uploads
  private let startedAt: Timestamp
  let scheduling: TeamScheduling
  /// Nil for a daemon that does not share its store with other nodes.
  let callRouter: CallRouter?
  let audit: AuditTrail
  let restart = RestartRequest()
  private let troubles: TeamFailureReport
  private let clockStatus: ClockStatus

  init(_ context: ServiceContext, _ background: BackgroundServices, uploads: Uploads, startedAt: Timestamp) {
    self.context = context
    self.background = background
    self.uploads = uploads
    self.startedAt = startedAt
    let (store, clock, mappingErrors) = (context.store, context.clock, context.mappingErrors)
    scheduling = context.scheduling(by: background.running?.scheduler)
    callRouter = background.running?.handoff.map {
      CallRouter(store: store, handoff: $0, uploads: uploads, settings: context.settings, mappingErrors: mappingErrors)
    }
    audit = AuditTrail(
      store: store, uploads: uploads, clock: clock, mappingErrors: mappingErrors, log: context.log,
      changes: context.published.changes)
    troubles = TeamFailureReport(store: store, clock: clock)
    clockStatus = ClockStatus(store: store, scheduler: background.running?.scheduler, clock: clock)
  }

  private var named: RecordFinder { RecordFinder(store: context.store, clock: context.clock) }

  // MARK: Jobs and their runs

  func makeScheduler() -> SchedulerAnswers {
    let (store, zones, clock, finder) = (context.store, context.zones, context.clock, context.finder)
    let slots = UpcomingSlots(store: store, zones: zones, clock: clock, scheduler: background.running?.scheduler)
    return SchedulerAnswers(
      status: StatusReport(
        store: store, dispatcher: background.running?.dispatcher, settings: context.settings, clock: clock,
        clockStatus: clockStatus, slots: slots, troubles: troubles, paths: context.paths, choice: context.choice,
        node: context.node, senders: context.senderViews, startedAt: startedAt),
      slots: slots, finder: finder,
      runs: ManualRuns(
        runner: background.running?.runner, records: RunRecords(store: store, zones: zones), named: named,
        finder: finder,
        zones: zones, clock: clock, events: context.events, mappingErrors: context.mappingErrors, log: context.log),
      eventStream: EventFeed(events: context.events, store: store, zones: zones, finder: finder),
      holds: HoldKeeper(
        store: store, scheduling: scheduling, finder: finder, zones: zones, clock: clock,
        mappingErrors: context.mappingErrors, announce: context.announce),
      explanations: Explanations(
        store: store, scheduler: background.running?.scheduler, named: named, finder: finder, zones: zones, clock: clock
      ),
      simulations: Simulations(
        store: store, reader: context.reader, settings: context.settings, finder: finder, zones: zones, clock: clock,
        mappingErrors: context.mappingErrors))
  }

  func makeJobs() -> JobsAnswers {
    JobsAnswers(
      store: context.store, scheduling: scheduling, finder: context.finder, zones: context.zones, clock: context.clock,
      mappingErrors: context.mappingErrors, announce: context.announce)
  }

  func makeDaysOff() -> DaysOffAnswers {
    DaysOffAnswers(
      store: context.store, trades: background.trades, scheduling: scheduling, finder: context.finder,
      zones: context.zones, clock: context.clock, mappingErrors: context.mappingErrors, announce: context.announce)
  }

  // MARK: Teams and their records

  func makeTeams() -> TeamsAnswers {
    TeamsAnswers(
      store: context.store, scheduling: scheduling, trades: background.trades, backups: background.backups,
      finder: context.finder, zones: context.zones, settings: context.settings, senders: context.senders,
      clock: context.clock, mappingErrors: context.mappingErrors, mappingBackupErrors: context.mappingBackupErrors,
      announce: context.announce)
  }

  func makePeople() -> PeopleAnswers {
    PeopleAnswers(
      store: context.store, trades: background.trades,
      notices: AdHocNotices(
        store: context.store, dispatcher: background.running?.dispatcher, settings: context.settings,
        mappingErrors: context.mappingErrors),
      settings: context.settings, finder: context.finder, zones: context.zones, clock: context.clock,
      mappingErrors: context.mappingErrors, announce: context.announce)
  }

  func makeImports() -> ImportAnswers {
    ImportAnswers(
      uploads: uploads, trades: background.trades, plans: context.plans, finder: context.finder,
      mappingErrors: context.mappingErrors, announce: context.announce,
      inbox: InboxImports(
        store: context.store, state: background.inbox, trades: background.trades, settings: context.settings,
        plans: context.plans, finder: context.finder, clock: context.clock, mappingErrors: context.mappingErrors,
        announce: context.announce, copyFolder: context.paths.uploads, callRouter: callRouter, log: context.log))
  }

  func makeBackup() -> BackupAnswers {
    BackupAnswers(
      context: context, trades: background.trades, backups: background.backups, uploads: uploads,
      notices: background.notices, restart: restart)
  }

  // MARK: Delivery and the daemon

  func makeOutbox() -> OutboxAnswers {
    OutboxAnswers(
      store: context.store, named: named, dispatcher: background.running?.dispatcher, settings: context.settings,
      finder: context.finder, zones: context.zones, clock: context.clock, mappingErrors: context.mappingErrors)
  }

  func makePublish() -> PublishAnswers {
    PublishAnswers(
      store: context.store, published: context.published, dispatcher: background.running?.dispatcher,
      settings: context.settings, finder: context.finder, mappingErrors: context.mappingErrors,
      announce: context.announce)
  }

  func makeDaemon() -> DaemonAnswers {
    DaemonAnswers(
      store: context.store, settings: context.settings, reload: background.running?.reload, audit: audit,
      zones: context.zones,
      clock: context.clock, events: context.events, log: context.log,
      doctorChecks: DoctorChecks(
        context: context, trades: background.trades, dispatcher: background.running?.dispatcher,
        backups: background.backups,
        clockStatus: clockStatus, troubles: troubles),
      node: context.node)
  }
}
