import FlowCalendar
import FlowModel
import FlowNotices
import FlowPlatform
import FlowStore
import FlowTestKit
import FlowWork
import PoolJobs
import PoolModel
import PoolStore
import Testing

@testable import PoolDigests

/// Frost and rain in the notice of the evening before, from a stored forecast.
struct EveningWeatherTests {
  private let folder: TemporaryFolder
  private let zone: Zone
  /// Monday 18:00 in Phoenix, the slot of the notice.
  private let evening: Timestamp
  private let tuesday = CivilDate(year: 2026, month: 3, day: 3)

  init() throws {
    folder = try TemporaryFolder()
    zone = try SystemZones().zone(named: "America/Phoenix")
    evening =
      zone.resolve(
        LocalDateTime(date: CivilDate(year: 2026, month: 3, day: 2), time: TimeOfDay(secondOfDay: 64_800) ?? .midnight)
      ).standard
  }

  private struct Stand {
    let store: any Engine.Opened
    let team: Team
  }

  /// A team with the preview on and a pool on Tuesdays.
  private func stand(
    _ engine: Engine, pools: [Pool] = [Samples.pool(1, day: .tuesday)],
    _ change: @escaping @Sendable (inout TeamSettings) -> Void = { _ in }
  ) async throws -> Stand {
    let store = try engine.open(folder.path, evening)
    let added = try await store.addTeam(Samples.team(), defaultTechnician: "anna", now: evening) { _ in [] }
    _ = try await store.replaceRecords(
      team: added.name, technician: nil, records: RecordSet(pools: pools), photos: [:], now: evening, dryRun: false)
    let team = try await store.changeTeam(
      named: added.name, now: evening,
      change: { team in
        team.settings.eveningPreview = true
        change(&team.settings)
      }, plan: { _ in [] })
    return Stand(store: store, team: team)
  }

  /// A forecast by the hour from Monday noon on.
  private func forecast(
    hours: Int = 48, issued: Duration = .hours(-3), place: String = "", air: (Int) -> Double = { _ in 8 },
    rain: (Int) -> Double? = { _ in 0 }
  ) -> Forecast {
    let noon = evening.advanced(by: .hours(-6))
    return Forecast(
      source: .csv, place: place, issuedAt: evening.advanced(by: issued),
      hours: (0..<hours).map {
        ForecastHour(start: noon.advanced(by: .hours($0)), air: air($0), rain: rain($0))
      })
  }

  private func decide(_ stand: Stand, _ forecast: Forecast?) async throws -> Decision {
    if let forecast {
      _ = try await stand.store.importForecast(
        forecast, digest: "\(forecast.hashValue)", to: stand.team.id, now: evening)
    }
    let request = FactsRequest(team: stand.team.id, kind: .routePreview, asOf: evening, now: evening, zone: zone)
    let facts = try #require(try await stand.store.facts([request]).first ?? nil)
    let moment = DigestMoment(zone: zone, asOf: evening)
    return try #require(JobKind.routePreview.scenario).decide(
      facts, DecisionMoment(digest: moment, now: evening, kind: .routePreview))
  }

  private func digest(_ stand: Stand, _ forecast: Forecast?) async throws -> MorningDigest? {
    guard case .notice(let draft) = try await decide(stand, forecast) else { return nil }
    return draft.kept as? MorningDigest
  }

  private func lines(_ stand: Stand, _ forecast: Forecast?) async throws -> [String] {
    let digest = try #require(try await digest(stand, forecast))
    return digest.weather?.lines(Localizer(stand.team), on: digest.civilDate, of: stand.team.name) ?? []
  }

  @Test(arguments: Engine.all)
  func `rain names a day only if every stop can be moved to it`(engine: Engine) async throws {
    let stand = try await stand(engine, pools: [Samples.pool(1, day: .tuesday), Samples.pool(2, day: .tuesday)])
    func set(_ rule: String) async throws {
      let rule = try CalendarDates(rule)
      _ = try await stand.store.changePool(
        Samples.pool(2).id, of: stand.team.id, change: { _ in }, people: nil, rule: { _, _ in rule }, from: nil,
        today: nil)
    }
    let wet = forecast(rain: { $0 < 36 ? 30 : 0 })
    #expect(try await digest(stand, wet)?.weather?.moveTo == "2026-03-04")
    // Wednesday and Thursday are between, so Friday would be in the wrong order; Wednesday is a date of service itself.
    try await set("Tue,Wed,Thu")
    let held = try #require(try await digest(stand, wet)?.weather)
    #expect(held.rain != nil && held.moveTo == nil)
    let text = try await lines(stand, wet)
    #expect(text.contains { $0.contains("of rain expected on") } && !text.contains { $0.contains("pfctl day move") })
    try await set("Tue,Fri")
    #expect(try await digest(stand, wet)?.weather?.moveTo == "2026-03-04")
    // A wet Wednesday is no better; the forecast ends before Thursday.
    try await set("Tue")
    let wetter = forecast(hours: 60, issued: .hours(-2), rain: { _ in 30 })
    #expect(try await digest(stand, wetter)?.weather?.moveTo == "2026-03-05")
  }

  @Test(arguments: Engine.all)
  func `frost is told before a closed day, without its stops`(engine: Engine) async throws {
    let stand = try await stand(engine)
    let off = DayOff(
      id: 0, technicianID: nil, span: try DaySpan(first: tuesday, last: tuesday), note: "holiday", setBy: "anna")
    _ = try await stand.store.addDaysOff([off], to: stand.team.name, now: evening, check: { _ in }, plan: { _ in [] })
    let team = try #require(try await stand.store.team(stand.team.id))
    let closed = Stand(store: stand.store, team: team)
    guard case .suppressed(let reason) = try await decide(closed, forecast()) else {
      Issue.record("a notice without frost")
      return
    }
    #expect(reason.code == SuppressionReason.closedTomorrow().code)
    let digest = try #require(try await digest(closed, forecast(air: { _ in -2 }, rain: { _ in 30 })))
    #expect(digest.weather?.low == -2 && digest.weather?.rain == nil && digest.stopCount == 0)
  }

  @Test(arguments: Engine.all)
  func `frost is told with the lowest temperature and its hours, in the units of the team`(engine: Engine) async throws
  {
    let stand = try await stand(engine)
    // -2 °C from 01:00 to 06:00.
    let cold = forecast { hour in (13..<18).contains(hour) ? hour == 15 ? -2 : -0.5 : 8 }
    let lines = try await lines(stand, cold)
    #expect(lines.count == 1)
    let line = try #require(lines.first)
    #expect(
      line.replacing("\u{202F}", with: " ") == "Freeze warning: down to 28 °F, from Tue 1:00 AM to Tue 6:00 AM.",
      "\(line)")
    let digest = try #require(try await digest(stand, nil))
    #expect(digest.weather?.frostFrom == "2026-03-03T01:00" && digest.weather?.frostUntil == "2026-03-03T06:00")
    #expect(digest.weather?.low == -2 && digest.weather?.rain == nil && digest.weather?.gap == nil)
    #expect(digest.lines.first == line)
    #expect(digest.summary?.lines.first == line)
    #expect(digest.only("anna")?.weather?.low == -2)
    #expect(DigestJSON.text(digest).contains("\"frost_until\""))
    #expect(try #require(DigestJSON.morning(DigestJSON.text(digest))).weather == digest.weather)
  }

  @Test(arguments: Engine.all)
  func `rain in the working hours is told with the command that moves the day`(engine: Engine) async throws {
    let stand = try await stand(engine)
    // 2 mm an hour from 08:00 to 14:00 on Tuesday, and a storm at night.
    let wet = forecast(rain: { hour in (20..<26).contains(hour) ? 2 : hour == 12 ? 40 : 0 })
    let lines = try await lines(stand, wet)
    #expect(lines.count == 1 && lines[0].contains("0.47 in of rain expected on Tue"), "\(lines)")
    #expect(lines[0].hasSuffix("pfctl day move 2026-03-03 --to 2026-03-04 --team desert-blue"), "\(lines)")
    let digest = try #require(try await digest(stand, nil))
    #expect(digest.only("anna")?.weather == nil)
  }

  @Test(arguments: Engine.all)
  func `a stale or short forecast is named, and no forecast says nothing`(engine: Engine) async throws {
    let stand = try await stand(engine)
    #expect(try await lines(stand, nil).isEmpty)
    let short = try await lines(stand, forecast(hours: 12, issued: .hours(-40)))
    #expect(short.count == 1 && short[0].contains("too old"), "\(short)")
    let half = try await lines(stand, forecast(hours: 20))
    #expect(half == ["The weather forecast covers only a part of the next 24 hours."])
    #expect(try await lines(stand, forecast(issued: .hours(-1))).isEmpty)
  }

  /// The weather in the facts that `why` shows.
  private func why(_ stand: Stand) async throws -> String {
    let request = FactsRequest(team: stand.team.id, kind: .routePreview, asOf: evening, now: evening, zone: zone)
    let facts = try #require(try await stand.store.facts([request]).first ?? nil)
    let moment = DigestMoment(zone: zone, asOf: evening)
    let inputs = DecisionInputs(
      scenario: try #require(JobKind.routePreview.scenario), moment: moment, facts: facts, routes: [])
    return inputs.words.split(separator: "; ").map(String.init).first {
      $0.hasPrefix("forecast") || $0.hasPrefix("frost")
    } ?? ""
  }

  @Test(arguments: Engine.all)
  func `the facts of the notice name the forecast with its figures and limits, or why none is used`(
    engine: Engine
  ) async throws {
    let stand = try await stand(engine)
    #expect(try await why(stand) == "frost and rain are not told: the team has no weather forecast")
    _ = try await decide(stand, forecast(issued: .hours(-40)))
    #expect(
      try await why(stand)
        == "forecast csv, issued 2026-03-01 02:00, imported 2026-03-02 18:00: not used, because it is older than 36 hours"
    )
    _ = try await decide(stand, forecast(hours: 20, issued: .hours(-4), place: "33.4,-111.8", air: { _ in 5 }))
    #expect(
      try await why(stand)
        == "forecast csv for 33.4,-111.8, issued 2026-03-02 14:00, imported 2026-03-02 18:00: lowest 41 °F (warning from "
        + "32 °F down), 0.00 in of rain (hint from 0.39 in), only 14 of 24 hours")
    _ = try await decide(stand, forecast(air: { $0 == 15 ? -2 : 8 }, rain: { (20..<26).contains($0) ? 2 : 0 }))
    #expect(
      try await why(stand)
        == "forecast csv, issued 2026-03-02 15:00, imported 2026-03-02 18:00: lowest 28 °F (warning from 32 °F down), "
        + "0.47 in of rain (hint from 0.39 in)")
    func set(_ change: @escaping @Sendable (inout TeamSettings) -> Void) async throws {
      _ = try await stand.store.changeTeam(
        named: stand.team.name, now: evening, change: { change(&$0.settings) }, plan: { _ in [] })
    }
    try await set { $0.rainHint = nil }
    #expect(try await why(stand).hasSuffix("lowest 28 °F (warning from 32 °F down), 0.47 in of rain (rain-hint off)"))
    try await set { $0.freezeWarning = nil }
    #expect(try await why(stand) == "frost and rain are not told: freeze-warning and rain-hint are off")
  }

  @Test(arguments: Engine.all)
  func `warnings that are off are not told, and frost is told without stops`(engine: Engine) async throws {
    let off = try await stand(engine) { settings in (settings.freezeWarning, settings.rainHint) = (nil, nil) }
    #expect(try await lines(off, forecast(air: { _ in -10 }, rain: { _ in 20 })).isEmpty)
    func set(_ limit: Double?) async throws {
      _ = try await off.store.changeTeam(
        named: off.team.name, now: evening, change: { $0.settings.freezeWarning = limit }, plan: { _ in [] })
    }
    try await set(-12)
    #expect(try await lines(off, nil).isEmpty)
    try await set(-5)
    _ = try await off.store.replaceRecords(
      team: off.team.name, technician: nil, records: RecordSet(pools: [Samples.pool(1, day: .friday)]), photos: [:],
      now: evening, dryRun: false)
    let digest = try #require(try await digest(off, nil))
    #expect(digest.sections.isEmpty && digest.weather?.low == -10)
    try await set(nil)
    guard case .suppressed = try await decide(off, nil) else { return #expect(Bool(false)) }
  }

  @Test(arguments: Engine.all)
  func `customers far from the forecast's place are named`(engine: Engine) async throws {
    let stand = try await stand(engine)
    let lines = try await lines(stand, forecast(place: "52.52,13.42", air: { _ in -1 }))
    #expect(lines.count == 2 && lines[1].contains("is for a place far from"), "\(lines)")
    // A channel that may show no names gets the frost only, in the notice of a technician and of the team.
    let digest = try #require(try await digest(stand, nil))
    for summary in [digest.summary, digest.only("anna")?.summary] {
      #expect(summary?.lines.first == lines[0] && summary?.lines.contains(lines[1]) == false)
      #expect(summary?.namedLines.first == lines[1])
    }
  }
}
