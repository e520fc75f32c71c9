package import PoolCalendar
package import PoolModel
package import StableModel

/// The hours for which a horse is dressed: from local wall time to local wall time, in real hours.
package struct BlanketWindow: Hashable, Sendable {
  package enum Kind: String, Sendable, CaseIterable, Codable {
    /// 06:00 to 20:00.
    case day
    /// From 20:00 of its evening to 06:00.
    case night
  }

  package let start: Timestamp
  /// Not included.
  package let end: Timestamp

  /// - Parameter date: of the day, or of the night's evening.
  package init(_ kind: Kind, of date: CivilDate, in zone: Zone) {
    func instant(_ date: CivilDate, hour: Int) -> Timestamp {
      let time = TimeOfDay(hour: hour, minute: 0) ?? .midnight
      return zone.resolve(LocalDateTime(date: date, time: time)).standard
    }
    switch kind {
    case .day:
      start = instant(date, hour: 6)
      end = instant(date, hour: 20)
    case .night:
      start = instant(date, hour: 20)
      end = instant(date.adding(days: 1), hour: 6)
    }
  }

  /// Those that begin in the window.
  package func hours(of hours: [ForecastHour]) -> [ForecastHour] {
    hours.filter { start <= $0.start && $0.start < end }
  }

  /// The weather of the window; nil where fewer than half of its real hours are known.
  package func weather(of hours: [ForecastHour]) -> BlanketWeather? {
    let hours = self.hours(of: hours)
    guard let felt = hours.map(\.felt).min(), let highest = hours.map(\.air).max(),
      Duration.hours(2 * hours.count) >= end.since(start)
    else { return nil }
    return BlanketWeather(felt: felt, isWet: hours.contains(where: \.isWet), highest: highest)
  }
}

/// What a window's hours come to.
package struct BlanketWeather: Hashable, Sendable {
  /// The least felt temperature, °C.
  package let felt: Double
  /// In any hour.
  package let isWet: Bool
  /// The highest air temperature, °C.
  package let highest: Double
}
