package import FlowBackup
package import FlowDelivery
package import FlowModel
package import FlowPlatform
package import FlowStore

/// What the daemon gives the services of a trade: store, clock, settings, uploads, events and log. It is a flat record, which
/// only `ServiceContext.forTrades` makes, so that trades do not see the rest of the daemon.
package struct TradeContext: Sendable {
  package let store: Store
  package let zones: SystemZones
  package let clock: any WallClock
  package let settings: EffectiveSettings
  package let uploads: Uploads
  package let photos: PhotoStore
  package let announce: Announcements
  package let log: DaemonLog
  /// Nil during an inspection, when no daemon runs.
  private let dispatcher: Dispatcher?
  /// All trades of the daemon.
  private let trades: DaemonTrades

  package init(
    store: Store, zones: SystemZones, clock: any WallClock, settings: EffectiveSettings, dispatcher: Dispatcher?,
    uploads: Uploads, photos: PhotoStore, announce: Announcements, trades: DaemonTrades, log: DaemonLog
  ) {
    self.store = store
    self.zones = zones
    self.clock = clock
    self.settings = settings
    self.dispatcher = dispatcher
    self.uploads = uploads
    self.photos = photos
    self.announce = announce
    self.trades = trades
    self.log = log
  }

  package var finder: TeamFinder { TeamFinder(store: store, jobs: store.trades.jobs, log: log) }
  package var mappingErrors: StoreErrorMapper { StoreErrorMapper(log: log) }
  package var plans: PlanFeatureGate { PlanFeatureGate(settings: settings, clock: clock) }

  /// Sends notices to the operator.
  package var operatorNotices: OperatorNotices {
    OperatorNotices(store: store, dispatcher: dispatcher, settings: settings, clock: clock, log: log)
  }

  /// Sends notices to single persons.
  package var adHocNotices: AdHocNotices {
    AdHocNotices(store: store, dispatcher: dispatcher, settings: settings, mappingErrors: mappingErrors)
  }

  /// True if the file is an archive of another trade.
  package func isArchive(at path: String, ofOtherTradeThan trade: Trade) -> Bool {
    trades.isArchive(at: path, ofOtherTradeThan: trade)
  }

  /// The text of a digest, from the trade of its team.
  package func digestText(_ query: DigestQuery) async throws -> String {
    try await trades.services(of: query.team).digestText(self, query)
  }
}
