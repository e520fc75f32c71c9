import StableControl
import FlowCalendar
import FlowControl
import FlowModel
import FlowPlatform
import FlowServices
import FlowStore
import PoolServices
import StableModel
import StableRules
import StableStore

/// Answers `org.poolflow.Weather`.
struct WeatherAnswers: WeatherService {
  let store: any BlanketBooks & Forecasts & Horses
  let barn: BarnFinder
  let importer: ForecastImporter
  let zones: SystemZones
  let clock: any WallClock
  let mappingErrors: StoreErrorMapper

  func `import`(_ call: WeatherCall.Import, _ caller: Caller) async throws -> WeatherCall.Import.Reply {
    let team = try await barn.team(named: call.team)
    let taken = try await importer.take(
      upload: call.upload, modifiedAt: call.modifiedAt, to: team, dryRun: call.dryRun, caller)
    return WeatherCall.Import.Reply(
      effect: ForecastEffectView(taken.effect), dryRun: call.dryRun,
      forecast: view(of: taken.forecast, team, clock.now()), remarks: taken.warnings)
  }

  func show(_ call: WeatherCall.Show, _ caller: Caller) async throws -> WeatherCall.Show.Reply {
    let team = try await barn.team(named: call.team)
    let now = clock.now()
    let known = try await mappingErrors { try await store.forecasts(of: team.id) }
    let hours = known.first?.hours.filter { call.all || $0.start.advanced(by: .hours(1)) > now } ?? []
    let texts = WeatherTexts(team)
    return WeatherCall.Show.Reply(
      units: UnitsView(team.units), forecast: known.first.map { view(of: $0, team, now) },
      before: known.dropFirst().first.map { view(of: $0, team, now) },
      hours: hours.map { hour in
        ForecastHourView(
          at: hour.start.description, local: zones.local(hour.start, zone: team.zone), airC: hour.air,
          airText: texts.temperature(hour.air), windKmh: hour.wind, windText: hour.wind.map { texts.wind($0) },
          rainMm: hour.rain, rainText: hour.rain.map { texts.rain($0) }, rainProbability: hour.probability,
          feltC: hour.felt, feltText: texts.temperature(hour.felt), wet: hour.isWet)
      })
  }

  func blankets(_ call: WeatherCall.Blankets, _ caller: Caller) async throws -> WeatherCall.Blankets.Reply {
    let team = try await barn.team(named: call.team)
    let zone = try barn.zone(of: team)
    let now = clock.now()
    let date = try barn.day(call.date, of: team, field: "date") ?? zone.local(at: now).date
    let horses = try await barn.horses(of: team)
    let (forecast, settings, lastNight) = try await mappingErrors {
      (
        try await store.forecasts(of: team.id).first, try await store.barnSettings(of: team.id),
        try await store.lastNight(before: date, of: team.id)
      )
    }
    let rules = BlanketRules(forecast: forecast, zone: zone, now: now, horses: horses, settings: settings)
    let morning = rules.morning(date, lastNight: lastNight)
    return WeatherCall.Blankets.Reply(
      units: UnitsView(team.units), day: window(.day, morning.day, of: date, team, zone),
      night: window(.night, morning.night, of: date, team, zone), takeOff: morning.takeOff.map(\.name))
  }

  private func window(
    _ kind: BlanketWindow.Kind, _ plan: Result<BlanketPlan, NoBlanketPlan>, of date: CivilDate, _ team: Team,
    _ zone: Zone
  ) -> BlanketWindowView {
    let window = BlanketWindow(kind, of: date, in: zone)
    let texts = WeatherTexts(team)
    var (reason, found) = (NoBlanketPlan?.none, BlanketPlan?.none)
    switch plan {
    case .success(let plan): found = plan
    case .failure(let why): reason = why
    }
    return BlanketWindowView(
      window: kind.rawValue, date: date.description, from: window.start.description,
      fromLocal: zones.local(window.start, zone: team.zone), until: window.end.description,
      untilLocal: zones.local(window.end, zone: team.zone), reason: reason?.rawValue, old: found?.isOld ?? false,
      feltC: found?.weather.felt, feltText: found.map { texts.temperature($0.weather.felt) },
      wet: found?.weather.isWet,
      horses: found?.lines.map { line in
        let isWaterproof = line.isWaterproof && line.advice != .none
        return BlanketView(
          horse: line.horse.name, id: line.horse.id.description, clipped: line.horse.isClipped,
          advice: line.advice.rawValue, grams: line.advice.grams, waterproof: isWaterproof,
          text: WeatherTexts.blanket(line.advice, isWaterproof: isWaterproof))
      } ?? [])
  }

  func view(of forecast: Forecast, _ team: Team, _ now: Timestamp) -> ForecastView {
    let from = forecast.hours.first?.start ?? forecast.issuedAt
    let until = forecast.hours.last?.start.advanced(by: .hours(1)) ?? forecast.issuedAt
    return ForecastView(
      source: forecast.source.rawValue, place: forecast.place, issuedAt: forecast.issuedAt.description,
      issuedLocal: zones.local(forecast.issuedAt, zone: team.zone),
      ageHours: Double(now.milliseconds - forecast.issuedAt.milliseconds) / 3_600_000, hours: forecast.hours.count,
      from: from.description, fromLocal: zones.local(from, zone: team.zone), until: until.description,
      untilLocal: zones.local(until, zone: team.zone))
  }
}
