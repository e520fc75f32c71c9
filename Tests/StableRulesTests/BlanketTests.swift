import FlowCalendar
import FlowModel
import FlowPlatform
import FlowTestKit
import FlowWork
import StableJobs
import StableModel
import StableRules
import Testing

struct BlanketTests {
  private typealias Row = Golden<BlanketInput, BlanketExpected>.Row

  @Test func `blanket advice equals every golden case`() throws {
    var kinds: [String: Int] = [:]
    for row in try Golden<BlanketInput, BlanketExpected>.rows("blanket") {
      kinds[row.input.kind, default: 0] += 1
      switch row.input.kind {
      case "felt": try felt(row)
      case "advice": try advice(row)
      case "limits": #expect((BlanketLimits(row.input.limits ?? []) != nil) == row.expected.accepted, "\(row.name)")
      case "window": try window(row)
      case "tonight": try tonight(row)
      case "morning": try morning(row)
      default: Issue.record("\(row.name) is of an unknown kind")
      }
    }
    for kind in ["felt", "advice", "limits", "window", "tonight", "morning"] { #expect(kinds[kind] ?? 0 > 0) }
  }

  private func felt(_ row: Row) throws {
    let hour = ForecastHour(
      start: Samples.mondayMorning, air: try #require(row.input.air), wind: row.input.wind, rain: row.input.rain,
      probability: row.input.probability)
    #expect(isClose(hour.felt, row.expected.felt), "\(row.name)")
    #expect(hour.isWet == row.expected.wet, "\(row.name)")
  }

  private func advice(_ row: Row) throws {
    let isWet = row.input.wet == true
    let advice = BlanketAdvice.advice(
      felt: try #require(row.input.felt), isWet: isWet, isClipped: row.input.clipped == true,
      limits: try row.input.blanketLimits)
    #expect(advice.rawValue == row.expected.advice, "\(row.name)")
    #expect(advice.grams == row.expected.grams, "\(row.name)")
    #expect(isWet == row.expected.waterproof, "\(row.name)")
  }

  private func window(_ row: Row) throws {
    let kind = try #require(BlanketWindow.Kind(rawValue: row.input.window ?? ""))
    let zone = try zones.zone(named: try #require(row.input.timeZone))
    let window = BlanketWindow(kind, of: try date(row.input.date), in: zone)
    let hours = try #require(row.input.hours).map { try $0.hour }
    #expect(window.start.description == row.expected.start, "\(row.name)")
    #expect(window.end.description == row.expected.end, "\(row.name)")
    #expect(Double(window.end.seconds - window.start.seconds) / 3_600 == row.expected.lengthHours, "\(row.name)")
    #expect(window.hours(of: hours).count == row.expected.hours, "\(row.name)")
    let weather = window.weather(of: hours)
    #expect((weather != nil) == row.expected.enough, "\(row.name)")
    #expect(isClose(weather?.felt, row.expected.felt), "\(row.name)")
    #expect(isClose(weather?.highest, row.expected.highest), "\(row.name)")
    #expect(weather?.isWet == row.expected.wet, "\(row.name)")
  }

  private func tonight(_ row: Row) throws {
    let settings = try #require(row.input.settings)
    var names = NamedHorses()
    try throughJob(row, settings, &names)
    // The job decides whether settings suppress the notice.
    guard settings.notificationsEnabled, settings.blanket else { return }
    let tonight = try rules(row, &names).tonight(try date(row.input.date), lastNight: lastNight(row, &names))
    let reason: String? =
      switch tonight {
      case .speaks: nil
      case .sameAsLastNight: "same-as-last-night"
      case .noHorses: "no-horses"
      case .noPlan(let reason): reason.rawValue
      }
    #expect(reason == row.expected.reason, "\(row.name)")
    #expect((reason == nil) == row.expected.speaks, "\(row.name)")
    #expect(tonight.plan?.isOld == row.expected.old, "\(row.name)")
    #expect(isClose(tonight.plan?.weather.felt, row.expected.felt), "\(row.name)")
    #expect(tonight.plan?.weather.isWet == row.expected.wet, "\(row.name)")
    #expect(lines(tonight.plan) == row.expected.horses, "\(row.name)")
    if let plan = tonight.plan {
      #expect(plan.night.date.description == row.input.date && plan.night.advice.count == plan.lines.count)
    }
  }

  /// Checks the evening job's notice, and its record, which is kept even if the notice is suppressed.
  private func throughJob(_ row: Row, _ settings: BlanketInput.Settings, _ names: inout NamedHorses) throws {
    let zone = try zones.zone(named: try #require(row.input.timeZone))
    let horses = try #require(row.input.horses).map { names.horse($0.name, isClipped: $0.clipped) }
    var job = JobCase(
      horses: horses, notifications: settings.notificationsEnabled, off: settings.blanket ? [] : ["blanket"],
      zone: zone)
    job.facts.forecast = try forecast(row)
    job.facts.settings.limits = try row.input.blanketLimits
    job.facts.lastNight = try lastNight(row, &names)
    // A late run is about its own slot's window.
    let evening = LocalDateTime(
      date: try date(row.input.date), time: try #require(TimeOfDay(hour: 17, minute: 30)))
    let outcome = job.outcome(of: .blanket, slot: zone.resolve(evening).standard, now: try instant(row.input.now))
    #expect(outcome.reason == row.expected.reason, "\(row.name)")
    #expect((outcome.result == .notified) == row.expected.speaks, "\(row.name)")
    let night: BlanketNight? =
      if case .advice(let night) = outcome.account?.record as? StableRecord { night } else { nil }
    let isAdvised = !["no-horses", "no-forecast", "forecast-stale"].contains(row.expected.reason ?? "")
    let isSilenced = ["notifications-off", "disabled"].contains(row.expected.reason ?? "")
    guard !isSilenced else { return }
    #expect((night != nil) == isAdvised, "\(row.name)")
    if let night { #expect(night.date.description == row.input.date && night.advice.count == horses.count) }
  }

  private func morning(_ row: Row) throws {
    var names = NamedHorses()
    let morning = try rules(row, &names).morning(try date(row.input.date), lastNight: lastNight(row, &names))
    for (part, expected) in [(morning.day, row.expected.day), (morning.night, row.expected.night)] {
      let expected = try #require(expected)
      let plan = try? part.get()
      var reason: String?
      if case .failure(let why) = part { reason = why.rawValue }
      #expect(reason == expected.reason, "\(row.name)")
      #expect(plan?.isOld == expected.old, "\(row.name)")
      #expect(isClose(plan?.weather.felt, expected.felt), "\(row.name)")
      #expect(plan?.weather.isWet == expected.wet, "\(row.name)")
      #expect(lines(plan) == expected.horses, "\(row.name)")
    }
    #expect(morning.takeOff.map(\.name) == row.expected.takeOff, "\(row.name)")
  }

  private func rules(_ row: Row, _ names: inout NamedHorses) throws -> BlanketRules {
    BlanketRules(
      forecast: try forecast(row), zone: try zones.zone(named: try #require(row.input.timeZone)),
      now: try instant(row.input.now),
      horses: try #require(row.input.horses).map { names.horse($0.name, isClipped: $0.clipped) },
      settings: BarnSettings(limits: try row.input.blanketLimits))
  }

  private func forecast(_ row: Row) throws -> Forecast? {
    try row.input.forecast.map { given in
      Forecast(
        source: .csv, place: "", issuedAt: try instant(given.issuedAt), hours: try given.hours.map { try $0.hour })
    }
  }

  private func lastNight(_ row: Row, _ names: inout NamedHorses) throws -> BlanketNight? {
    guard let given = row.input.lastNight else { return nil }
    var advice: [HorseID: BlanketAdvice] = [:]
    for (name, word) in given.horses {
      guard let given = BlanketAdvice(rawValue: word) else { throw UnknownWord(word: word) }
      advice[names.id(name)] = given
    }
    return BlanketNight(date: try date(given.date), felt: given.felt, isWet: false, advice: advice)
  }

  private func lines(_ plan: BlanketPlan?) -> [BlanketExpected.Line] {
    (plan?.lines ?? []).map {
      BlanketExpected.Line(
        horse: $0.horse.name, advice: $0.advice.rawValue, grams: $0.advice.grams, waterproof: $0.isWaterproof)
    }
  }

  private struct UnknownWord: Error {
    let word: String
  }

  /// Within the file's own tolerance, or both missing.
  private func isClose(_ left: Double?, _ right: Double?) -> Bool {
    guard let left, let right else { return left == nil && right == nil }
    return abs(left - right) <= 1e-9
  }
}
