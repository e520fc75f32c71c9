import FlowControl
import FlowModel
import FlowNotices
package import FlowServices
import FlowStore
import FlowWork
import PoolControl
import PoolBackup
import PoolDigests
import PoolJobs
import PoolModel
import PoolRouting
import PoolStore

/// Answers of all interfaces of pool service.
struct PoolInterfaces: Sendable {
  let pools: PoolsAnswers
  let field: FieldAnswers
  let water: WaterAnswers
  let routes: RoutesAnswers
  let reports: ReportsAnswers
  let forecasts: ForecastAnswers
  let importer: ForecastImporter
  let planner: RoutePlanner
  private let context: TradeContext

  init(on context: TradeContext) {
    self.context = context
    let (store, zones, clock, log) = (context.store, context.zones, context.clock, context.log)
    let (mappingErrors, announce, plans) = (context.mappingErrors, context.announce, context.plans)
    let finder = PoolFinder(store: store, teams: context.finder)
    planner = RoutePlanner(store: store, zones: zones, clock: clock)
    pools = PoolsAnswers(store: store, zones: zones, finder: finder, clock: clock)
    routes = RoutesAnswers(
      store: store, planner: planner, uploads: context.uploads, plans: plans, finder: finder, zones: zones,
      clock: clock, mappingErrors: mappingErrors, announce: announce, log: log)
    field = FieldAnswers(
      store: store, uploads: context.uploads, photos: context.photos, plans: plans, finder: finder, zones: zones,
      clock: clock, mappingErrors: mappingErrors, announce: announce, log: log,
      noteCompletion: { [routes] in await routes.noteCompletion(after: $0, of: $1) })
    importer = ForecastImporter(on: context)
    forecasts = ForecastAnswers(
      store: store, importer: importer, finder: context.finder, zones: zones, clock: clock,
      mappingErrors: mappingErrors)
    water = WaterAnswers(
      store: store, plans: plans, finder: finder, zones: zones, clock: clock, mappingErrors: mappingErrors)
    reports = ReportsAnswers(
      store: store, photos: context.photos, plans: plans, finder: finder, zones: zones, clock: clock,
      mappingErrors: mappingErrors, visits: VisitReports(store: store, zones: zones, clock: clock),
      notices: context.adHocNotices, announce: announce, digestText: { try await context.digestText($0) })
  }

  func reminders(_ scheduling: TeamScheduling) -> RemindersAnswers {
    RemindersAnswers(
      store: context.store, scheduling: scheduling, finder: context.finder, zones: context.zones, clock: context.clock,
      mappingErrors: context.mappingErrors, announce: context.announce)
  }

  /// The field's answers with the scheduler that decides the notice of a changed route.
  func field(_ scheduling: TeamScheduling) -> FieldAnswers {
    var field = field
    field.scheduling = scheduling
    return field
  }

  /// The routes' answers with that scheduler.
  func routes(_ scheduling: TeamScheduling) -> RoutesAnswers {
    var routes = routes
    routes.scheduling = scheduling
    return routes
  }

  func verbs(_ scheduling: TeamScheduling) -> [ControlVerb] {
    PoolsCall.verbs(of: pools) + FieldCall.verbs(of: field(scheduling)) + WaterCall.verbs(of: water)
      + RoutesCall.verbs(of: routes(scheduling)) + ReportsCall.verbs(of: reports) + ForecastsCall.verbs(of: forecasts)
      + RemindersCall.verbs(of: reminders(scheduling))
  }
}

extension DaemonTrade {
  /// Pool service.
  package static let poolService = DaemonTrade(
    tables: PoolTables(), archives: PoolArchives(), services: .poolService, interfaces: .poolControl)
}

extension TradeServices {
  /// Pool service.
  package static let poolService = TradeServices(
    trade: .poolService,
    services: { context in
      let interfaces = PoolInterfaces(on: context)
      return RunningTrade(
        trade: .poolService, verbs: { interfaces.verbs($0) }, teams: .poolService(on: context),
        records: PoolRecords(on: context),
        serverJobs: [
          .lsiRefresh: TradeServerJob(
            task: { _ in RefreshWork(context: context) }, lastDone: { try await context.store.lastRefresh() }),
          .routePrecompute: TradeServerJob(
            task: { [planner = interfaces.planner] _ in RouteWork(context: context, planner: planner) }),
        ],
        gauges: { [cache = interfaces.planner.cache] in await gauges(of: cache) },
        importFile: { [importer = interfaces.importer] in try await importer.importFile($0, takesEveryJSON: false) })
    },
    digestText: { context, query in try await PoolDigestTexts(on: context).text(query) },
    customerMembers: { notice, team, store, zones, clock in
      guard let mail = VisitMail(json: notice.dataJSON) else { return nil }
      return try await VisitReports(store: store, zones: zones, clock: clock).members(
        of: mail, to: .customer(team), team)
    }, pages: PoolPages())

  private static func gauges(of cache: TravelTimeCache) async -> [TradeGauge] {
    let figures = await cache.figures
    return [
      TradeGauge("travel_time_cache_hit_ratio", "Fraction of travel times answered from the cache.", figures.hitRate),
      TradeGauge(
        "travel_time_cache_pairs", "Pairs of locations whose travel time is cached.", Double(figures.pairs)),
    ]
  }
}
