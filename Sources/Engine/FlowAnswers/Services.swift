package import FlowControl
import FlowControlServer
package import FlowModel
import FlowNodes
package import FlowServices

/// All services of the control socket: one for each interface of the engine, and those of the trades.
package final class Services: ControlServices {
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
  private let restart: RestartRequest
  private let uploads: Uploads
  private let events: EventBus
  private let finder: TeamFinder
  private let callRouter: CallRouter?
  private let trades: [RunningTrade]
  private let scheduling: TeamScheduling

  /// The methods of all interfaces.
  package var verbs: [ControlVerb] {
    SchedulerCall.verbs(of: scheduler) + JobsCall.verbs(of: jobs) + DaysOffCall.verbs(of: daysOff)
      + TeamsCall.verbs(of: teams) + PeopleCall.verbs(of: people)
      + ImportCall.verbs(of: imports) + BackupCall.verbs(of: backup) + OutboxCall.verbs(of: outbox)
      + PublishCall.verbs(of: publish) + DaemonCall.verbs(of: daemon) + trades.flatMap { $0.verbs(scheduling) }
  }

  /// Checks that the team of a call has the call's trade.
  ///
  /// - Throws: `ControlError.otherTrade` if the call is for another trade than its team's.
  package func checkTrade(of call: any ControlMethod) async throws {
    guard let trade = type(of: call).trade, let name = call.namedTeam else { return }
    let team = try await finder.team(named: name)
    guard team.trade.rawValue != trade else { return }
    let owner = trades.of(team)?.teams.settings.owner ?? "of the trade '\(team.trade.rawValue)'"
    let wanted = trades.first { $0.trade.rawValue == trade }?.teams.settings
    throw ControlError.otherTrade(
      team.name, has: team.trade, owner: owner, records: wanted?.records ?? "such records",
      of: wanted?.owners ?? "teams of the trade '\(trade)'")
  }

  /// Answers a change, and audits it; with several nodes, once this node owns the partitions that the call concerns.
  package func answerChange(
    _ call: any ControlMethod, _ caller: Caller, _ answer: () async throws -> [[UInt8]]
  ) async throws -> [[UInt8]] {
    guard let callRouter else { return try await audit.audited(call, caller, answer) }
    return try await callRouter.changing(by: call, caller) { try await audit.audited(call, caller, answer) }
  }

  /// The caller closed its connection while a call was being answered: ends its event streams.
  package func hungUp(_ caller: Caller) { events.hangUp(caller.connection) }

  /// A connection ended: discards its unfinished uploads, and restarts the daemon if a restore waited for this.
  package func connectionEnded(_ caller: Caller) async {
    await uploads.connectionEnded(caller.connection)
    restart.connectionEnded(caller.connection)
  }

  /// Yields once when the daemon is to restart.
  package var restartRequests: AsyncStream<Void> { restart.requests }

  /// Imports the complete files of the inbox; each failure is logged once.
  package func scanInbox() async { await imports.inbox.scan() }

  package init(
    on context: ServiceContext, _ background: BackgroundServices, uploads: Uploads, startedAt: Timestamp
  ) {
    let factory = AnswerFactory(context, background, uploads: uploads, startedAt: startedAt)
    scheduler = factory.makeScheduler()
    jobs = factory.makeJobs()
    daysOff = factory.makeDaysOff()
    teams = factory.makeTeams()
    people = factory.makePeople()
    imports = factory.makeImports()
    backup = factory.makeBackup()
    outbox = factory.makeOutbox()
    publish = factory.makePublish()
    daemon = factory.makeDaemon()
    audit = factory.audit
    restart = factory.restart
    finder = context.finder
    callRouter = factory.callRouter
    scheduling = factory.scheduling
    trades = background.trades
    events = context.events
    self.uploads = uploads
  }
}
