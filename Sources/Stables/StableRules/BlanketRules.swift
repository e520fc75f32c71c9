package import FlowCalendar
package import FlowModel
package import StableModel

/// The blanket advice for all horses in one window (a day or a night).
package struct BlanketPlan: Hashable, Sendable {
  /// The advice for one horse.
  package struct Line: Hashable, Sendable {
    package let horse: Horse
    package let advice: BlanketAdvice
    package let isWaterproof: Bool
  }

  /// The date of the day, or of the night's evening.
  package let date: CivilDate
  package let weather: BlanketWeather
  /// True if the forecast is older than 12 hours; the notice mentions it.
  package let isOld: Bool
  /// Sorted by the horses' names.
  package let lines: [Line]

  /// The record of this plan as a night.
  package var night: BlanketNight {
    BlanketNight(
      date: date, felt: weather.felt, isWet: weather.isWet,
      advice: Dictionary(lines.map { ($0.horse.id, $0.advice) }, uniquingKeysWith: { first, _ in first }))
  }
}

/// The reason why there is no advice for a window.
package enum NoBlanketPlan: String, Error, Sendable, CaseIterable, Codable {
  /// The forecast is older than 36 hours. Checked first.
  case forecastStale = "forecast-stale"
  /// There is no forecast, or it covers less than half of the window.
  case noForecast = "no-forecast"
}

/// The outcome of the evening's blanket job, regardless of switched-off notices.
package enum BlanketTonight: Hashable, Sendable {
  case speaks(BlanketPlan)
  /// No horse needs a blanket tonight, and none needed one in the last night with advice.
  case sameAsLastNight(BlanketPlan)
  case noHorses
  case noPlan(NoBlanketPlan)

  /// The plan to record for the night, even if no notice is sent.
  package var plan: BlanketPlan? {
    switch self {
    case .speaks(let plan), .sameAsLastNight(let plan): plan
    case .noHorses, .noPlan: nil
    }
  }
}

/// The blanket section of the barn digest.
package struct BlanketMorning: Hashable, Sendable {
  package let day: Result<BlanketPlan, NoBlanketPlan>
  /// The coming night.
  package let night: Result<BlanketPlan, NoBlanketPlan>
  /// The horses whose night blanket must come off because the day is too warm for it, sorted by name.
  package let takeOff: [Horse]
}

/// Computes blanket advice for a barn from the newest forecast.
package struct BlanketRules: Sendable {
  let forecast: Forecast?
  let zone: Zone
  let now: Timestamp
  /// Sorted by name.
  let horses: [Horse]
  let settings: BarnSettings

  /// Creates the rules.
  ///
  /// - Parameter now: the instant of the decision, for the age of the forecast.
  package init(forecast: Forecast?, zone: Zone, now: Timestamp, horses: [Horse], settings: BarnSettings) {
    self.forecast = forecast
    self.zone = zone
    self.now = now
    self.horses = horses.sortedByName()
    self.settings = settings
  }

  package static let oldAfter: Duration = .hours(12)
  /// If the day's air temperature exceeds the night's lowest felt temperature by this many °C, the night blanket is too
  /// warm.
  package static let tooWarm = 10.0

  /// The advice for the day of a date, or for the night that begins on it.
  package func plan(_ kind: BlanketWindow.Kind, of date: CivilDate) -> Result<BlanketPlan, NoBlanketPlan> {
    guard let forecast else { return .failure(.noForecast) }
    let age = now.since(forecast.issuedAt)
    guard age <= Forecast.staleAfter else { return .failure(.forecastStale) }
    guard let weather = BlanketWindow(kind, of: date, in: zone).weather(of: forecast.hours) else {
      return .failure(.noForecast)
    }
    let lines = horses.map { horse in
      let advice = BlanketAdvice.advice(
        felt: weather.felt, isWet: weather.isWet, isClipped: horse.isClipped, limits: settings.limits)
      return BlanketPlan.Line(horse: horse, advice: advice, isWaterproof: weather.isWet)
    }
    return .success(BlanketPlan(date: date, weather: weather, isOld: age > Self.oldAfter, lines: lines))
  }

  /// The outcome of the evening's job.
  ///
  /// - Parameters:
  ///   - date: the date of the job's slot, even if the job runs late.
  ///   - lastNight: the last earlier night with advice; horses that it does not list count as without a blanket.
  package func tonight(_ date: CivilDate, lastNight: BlanketNight?) -> BlanketTonight {
    guard !horses.isEmpty else { return .noHorses }
    switch plan(.night, of: date) {
    case .failure(let reason): return .noPlan(reason)
    case .success(let plan):
      let isQuiet = plan.lines.allSatisfy { line in
        line.advice == .none && (lastNight?.advice[line.horse.id] ?? BlanketAdvice.none) == .none
      }
      return isQuiet ? .sameAsLastNight(plan) : .speaks(plan)
    }
  }

  /// The morning's advice for a date: the day, the coming night, and the blankets to take off.
  ///
  /// - Parameter lastNight: the last night with advice. Used only if it began on the evening before; otherwise the
  ///   advice is computed from the forecast, if that still covers half of the night.
  package func morning(_ date: CivilDate, lastNight: BlanketNight?) -> BlanketMorning {
    let day = plan(.day, of: date)
    return BlanketMorning(day: day, night: plan(.night, of: date), takeOff: takeOff(day, lastNight: lastNight))
  }

  private func takeOff(_ day: Result<BlanketPlan, NoBlanketPlan>, lastNight: BlanketNight?) -> [Horse] {
    guard case .success(let day) = day else { return [] }
    let evening = day.date.adding(days: -1)
    let over = lastNight?.date == evening ? lastNight : (try? plan(.night, of: evening).get())?.night
    guard let over, day.weather.highest - over.felt >= Self.tooWarm else { return [] }
    return horses.filter { (over.advice[$0.id] ?? BlanketAdvice.none) != .none }
  }
}
