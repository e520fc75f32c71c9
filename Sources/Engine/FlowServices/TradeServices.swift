package import FlowControl
package import FlowModel
package import FlowNotices
package import FlowPlatform
package import FlowStore
package import FlowWork

/// A trade's part of the daemon: each trade has one value, and `DaemonTrades` lists them.
package struct TradeServices: Sendable {
  /// The sensitive members of a notice to a team's customer; nil if the trade has no such notice.
  package typealias CustomerMembers =
    @Sendable (
      _ notice: Notice, _ team: TeamID, _ store: Store, _ zones: SystemZones, _ clock: any WallClock
    ) async throws -> [(key: String, json: String)]?

  package let trade: Trade
  /// Makes the trade's services for one daemon.
  package let services: @Sendable (TradeContext) -> RunningTrade
  /// True if the file is an archive of the trade, for the refusal of an archive that was sent to a team of another trade.
  package let isArchive: @Sendable (_ path: String) -> Bool
  /// The text of a digest of today's data for any date.
  package let digestText: @Sendable (TradeContext, DigestQuery) async throws -> String
  package let customerMembers: CustomerMembers
  package let pages: any TradePages

  package init(
    trade: Trade, services: @escaping @Sendable (TradeContext) -> RunningTrade,
    isArchive: @escaping @Sendable (_ path: String) -> Bool = { _ in false },
    digestText: @escaping @Sendable (TradeContext, DigestQuery) async throws -> String,
    customerMembers: @escaping CustomerMembers = { _, _, _, _, _ in nil }, pages: any TradePages
  ) {
    self.trade = trade
    self.services = services
    self.isArchive = isArchive
    self.digestText = digestText
    self.customerMembers = customerMembers
    self.pages = pages
  }
}

/// The trades of a daemon.
package struct DaemonTrades: Sendable {
  let all: [TradeServices]

  package init(_ all: [TradeServices]) { self.all = all }

  /// The services of all trades for one daemon.
  package func services(on context: TradeContext) -> [RunningTrade] { all.map { $0.services(context) } }

  /// The trade of the team.
  ///
  /// - Throws: `ControlError` of the kind `.otherTrade` if the daemon does not serve it.
  func services(of team: Team) throws(ControlError) -> TradeServices {
    guard let found = all.first(where: { $0.trade == team.trade }) else {
      throw .tradeNotServed(of: team)
    }
    return found
  }

  /// True if the file is an archive of another trade.
  func isArchive(at path: String, ofOtherTradeThan trade: Trade) -> Bool {
    all.contains { $0.trade != trade && $0.isArchive(path) }
  }

  /// The sensitive members of a notice to a team's customer; nil if no trade has such a notice.
  package func customerMembers(
    of notice: Notice, _ team: TeamID, in store: Store, zones: SystemZones, clock: any WallClock
  ) async throws -> [(key: String, json: String)]? {
    for trade in all {
      if let members = try await trade.customerMembers(notice, team, store, zones, clock) { return members }
    }
    return nil
  }
}

/// A trade's services in one daemon.
package struct RunningTrade: Sendable {
  package let trade: Trade
  /// The methods of the trade's interfaces; a change of what is due goes through the given value.
  package let verbs: @Sendable (TeamScheduling) -> [ControlVerb]
  /// Those of the server's own jobs that are the trade's, by kind.
  package let serverJobs: [JobKind: TradeServerJob]
  /// The present values of the trade's metrics.
  package let gauges: @Sendable () async -> [TradeGauge]
  /// The trade's part in the verbs about teams.
  package let teams: TradeTeams
  /// Imports, restores and removes records.
  package let records: any TradeRecords
  /// Imports a file of the inbox that has other contents than records; nil if the file has records.
  package let importFile: @Sendable (InboxFile) async throws -> ImportedFile?

  package init(
    trade: Trade, verbs: @escaping @Sendable (TeamScheduling) -> [ControlVerb], teams: TradeTeams,
    records: any TradeRecords, serverJobs: [JobKind: TradeServerJob] = [:],
    gauges: @escaping @Sendable () async -> [TradeGauge] = { [] },
    importFile: @escaping @Sendable (InboxFile) async throws -> ImportedFile? = { _ in nil }
  ) {
    self.trade = trade
    self.verbs = verbs
    self.teams = teams
    self.records = records
    self.serverJobs = serverJobs
    self.gauges = gauges
    self.importFile = importFile
  }
}

/// One of the server's own jobs that is a trade's.
package struct TradeServerJob: Sendable {
  /// The background task that performs a run.
  package let task: @Sendable (ClaimedRun) -> any BackgroundTask
  /// When its work was last done, for a ledger that does not have the job yet; nil if that is unknown.
  package let lastDone: @Sendable () async throws -> Timestamp?

  package init(
    task: @escaping @Sendable (ClaimedRun) -> any BackgroundTask,
    lastDone: @escaping @Sendable () async throws -> Timestamp? = { nil }
  ) {
    self.task = task
    self.lastDone = lastDone
  }
}

/// One value of a metric without labels; nil if it is unknown.
package struct TradeGauge: Sendable {
  package let name: String
  package let help: String
  package let value: Double?

  package init(_ name: String, _ help: String, _ value: Double?) {
    self.name = name
    self.help = help
    self.value = value
  }
}
