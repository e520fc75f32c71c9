package import PoolCalendar
package import PoolModel
package import StableModel

/// What the horses are to wear in one window.
package struct BlanketPlan: Hashable, Sendable {
  package struct Line: Hashable, Sendable {
    package let horse: Horse
    package let advice: BlanketAdvice
    package let isWaterproof: Bool
  }

  /// Of the day, or of the night's evening.
  package let date: CivilDate
  package let weather: BlanketWeather
  /// The forecast is older than 12 hours, which is to be said.
  package let isOld: Bool
  /// By name.
  package let lines: [Line]

  /// As it is recorded of a night.
  package var night: BlanketNight {
    BlanketNight(
      date: date, felt: weather.felt, isWet: weather.isWet,
      advice: Dictionary(lines.map { ($0.horse.id, $0.advice) }, uniquingKeysWith: { first, _ in first }))
  }
}

/// Why there is no advice for a window.
package enum NoBlanketPlan: String, Error, Sendable, CaseIterable, Codable {
  /// The forecast is older than 36 hours, which is looked at first.
  case forecastStale = "forecast-stale"
  /// There is no forecast, or it knows less than half of the window.
  case noForecast = "no-forecast"
}

/// What the evening's job comes to, whatever is switched off.
package enum BlanketTonight: Hashable, Sendable {
  case speaks(BlanketPlan)
  /// No horse needs anything, as in the last night that had advice.
  case sameAsLastNight(BlanketPlan)
  case noHorses
  case noPlan(NoBlanketPlan)

  /// What is recorded of the evening, also where nothing is said.
  package var plan: BlanketPlan? {
    switch self {
    case .speaks(let plan), .sameAsLastNight(let plan): plan
    case .noHorses, .noPlan: nil
    }
  }
}

/// The barn digest's part.
package struct BlanketMorning: Hashable, Sendable {
  package let day: Result<BlanketPlan, NoBlanketPlan>
  /// The coming one.
  package let night: Result<BlanketPlan, NoBlanketPlan>
  /// Whose blanket of the night just over comes off, since the day is too warm for it; by name.
  package let takeOff: [Horse]
}

/// Blanket advice for a barn, from the newest forecast alone.
package struct BlanketRules: Sendable {
  let forecast: Forecast?
  let zone: Zone
  let now: Timestamp
  /// By name.
  let horses: [Horse]
  let settings: BarnSettings

  /// - Parameter now: the instant of the decision, by which the forecast's age is judged.
  package init(forecast: Forecast?, zone: Zone, now: Timestamp, horses: [Horse], settings: BarnSettings) {
    self.forecast = forecast
    self.zone = zone
    self.now = now
    self.horses = horses.sortedByName()
    self.settings = settings
  }

  package static let oldAfter: Duration = .hours(12)
  package static let staleAfter: Duration = .hours(36)
  /// By how many °C a day's air is above the night's felt minimum for the night's blanket to be too warm.
  package static let tooWarm = 10.0

  /// Advice for a window of a date: of a day, or of an evening's night.
  package func plan(_ kind: BlanketWindow.Kind, of date: CivilDate) -> Result<BlanketPlan, NoBlanketPlan> {
    guard let forecast else { return .failure(.noForecast) }
    let age = now.since(forecast.issuedAt)
    guard age <= Self.staleAfter else { return .failure(.forecastStale) }
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

  /// What is said in the evening.
  ///
  /// - Parameters:
  ///   - date: of the job's slot, however late it runs.
  ///   - lastNight: the last night before it that had advice; a horse without one counts as having worn nothing.
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

  /// What is said in the morning of a date: for its day and its coming night, and what to take off.
  ///
  /// - Parameter lastNight: counts only if it is of the evening before; without it the forecast tells, if it still holds
  ///   half of that night.
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
