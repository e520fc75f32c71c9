import FlowControl
import FlowModel
package import FlowServices
import FlowStore
import PoolServices
import StableBackup
import StableControl
import StableModel
import StableStore

/// Answers of all interfaces of stables.
struct StableInterfaces: Sendable {
  let horses: HorsesAnswers
  let feed: FeedAnswers
  let care: CareAnswers
  let weather: WeatherAnswers
  let forecasts: ForecastImporter

  init(on context: TradeContext) {
    let (store, zones, clock, log) = (context.store, context.zones, context.clock, context.log)
    let mappingErrors = context.mappingErrors
    let barn = BarnFinder(
      store: store, finder: context.finder, zones: zones, clock: clock, mappingErrors: mappingErrors)
    horses = HorsesAnswers(
      store: store, barn: barn, uploads: context.uploads, photos: context.photos, clock: clock,
      mappingErrors: mappingErrors, log: log)
    feed = FeedAnswers(store: store, barn: barn, zones: zones, clock: clock, mappingErrors: mappingErrors, log: log)
    care = CareAnswers(store: store, barn: barn, clock: clock, mappingErrors: mappingErrors, log: log)
    forecasts = ForecastImporter(on: context)
    weather = WeatherAnswers(
      store: store, barn: barn, importer: forecasts, zones: zones, clock: clock, mappingErrors: mappingErrors)
  }

  var verbs: [ControlVerb] {
    HorsesCall.verbs(of: horses) + FeedCall.verbs(of: feed) + CareCall.verbs(of: care)
      + WeatherCall.verbs(of: weather)
  }
}

extension DaemonTrade {
  /// Stables.
  package static let stable = DaemonTrade(
    tables: StableTables(), archives: StableArchives(), services: .stable, interfaces: .stableControl)
}

extension TradeServices {
  /// Stables.
  package static let stable = TradeServices(
    trade: .stable,
    services: { context in
      let interfaces = StableInterfaces(on: context)
      return RunningTrade(
        trade: .stable, verbs: { _ in interfaces.verbs }, teams: .stable(on: context),
        records: StableTeamRecords(on: context),
        importFile: { [forecasts = interfaces.forecasts] in
          try await forecasts.importFile($0, takesEveryJSON: true)
        })
    },
    isArchive: { OpenStableArchive.isStableArchive($0) },
    digestText: { context, query in try await BarnDigestTexts(on: context).text(query) }, pages: StablePages())
}
