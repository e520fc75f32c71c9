import FlowControl
import FlowModel
import FlowNotices
import FlowPlatform
import FlowServices
import FlowStore
import PoolControl
import PoolModel

/// Answers `org.poolflow.Forecasts`.
struct ForecastAnswers: ForecastsService {
  let store: any Forecasts
  let importer: ForecastImporter
  let finder: TeamFinder
  let zones: SystemZones
  let clock: any WallClock
  let mappingErrors: StoreErrorMapper

  func show(_ call: ForecastsCall.Show, _ caller: Caller) async throws -> ForecastsCall.Show.Reply {
    let team = try await finder.team(named: call.team)
    let now = clock.now()
    let known = try await mappingErrors { try await store.forecasts(of: team.id) }
    let hours = known.first?.hours.filter { call.all || $0.start.advanced(by: .hours(1)) > now } ?? []
    let format = RegionalFormat(team)
    return ForecastsCall.Show.Reply(
      units: UnitsView(team.units), forecast: known.first.map { view(of: $0, team, now) },
      before: known.dropFirst().first.map { view(of: $0, team, now) },
      hours: hours.map { hour in
        WeatherHourView(
          at: hour.start.description, local: zones.local(hour.start, zone: team.zone), airC: hour.air,
          airText: format.temperature(hour.air), windKmh: hour.wind, windText: hour.wind.map { format.wind($0) },
          rainMm: hour.rain, rainText: hour.rain.map { format.rain($0) }, rainProbability: hour.probability,
          feltC: hour.felt, feltText: format.temperature(hour.felt), wet: hour.isWet)
      })
  }

  func `import`(_ call: ForecastsCall.Import, _ caller: Caller) async throws -> ForecastsCall.Import.Reply {
    let team = try await finder.team(named: call.team)
    let taken = try await importer.take(
      upload: call.upload, modifiedAt: call.modifiedAt, to: team, dryRun: call.dryRun, caller)
    return ForecastsCall.Import.Reply(
      effect: WeatherImportView(taken.effect), dryRun: call.dryRun,
      forecast: view(of: taken.forecast, team, clock.now()),
      remarks: taken.warnings + (taken.effect == .imported ? limitations(of: taken.forecast, team) : []))
  }

  /// Reasons why a pool service is not told of frost or rain.
  private func limitations(of forecast: Forecast, _ team: Team) -> [String] {
    let settings = team.settings
    guard team.trade == .poolService, settings.freezeWarning != nil || settings.rainHint != nil else { return [] }
    if let missing = team.missingPreview { return [missing] }
    guard settings.rainHint != nil, forecast.hours.allSatisfy({ $0.rain == nil }) else { return [] }
    return ["it has no amounts of rain, so days of rain are not told"]
  }

  private func view(of forecast: Forecast, _ team: Team, _ now: Timestamp) -> WeatherForecastView {
    let from = forecast.hours.first?.start ?? forecast.issuedAt
    let until = forecast.hours.last?.start.advanced(by: .hours(1)) ?? forecast.issuedAt
    return WeatherForecastView(
      source: forecast.source.rawValue, place: forecast.place, issuedAt: forecast.issuedAt.description,
      issuedLocal: zones.local(forecast.issuedAt, zone: team.zone),
      ageHours: Double(now.milliseconds - forecast.issuedAt.milliseconds) / 3_600_000, hours: forecast.hours.count,
      from: from.description, fromLocal: zones.local(from, zone: team.zone), until: until.description,
      untilLocal: zones.local(until, zone: team.zone))
  }
}
