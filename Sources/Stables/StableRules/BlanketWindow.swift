package import FlowCalendar
package import FlowModel

/// The hours for which a blanket is chosen: between two local wall-clock times, in elapsed hours across clock changes.
package struct BlanketWindow: Hashable, Sendable {
  /// The kind of window.
  package enum Kind: String, Sendable, CaseIterable, Codable {
    /// 06:00 to 20:00.
    case day
    /// 20:00 to 06:00 of the next day.
    case night
  }

  package let start: Timestamp
  /// The end, exclusive.
  package let end: Timestamp

  /// Creates the window.
  ///
  /// - Parameter date: the date of the day, or of the night's evening.
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

  /// The hours that begin in the window.
  package func hours(of hours: [ForecastHour]) -> [ForecastHour] {
    hours.filter { start <= $0.start && $0.start < end }
  }

  /// The weather in the window; nil if fewer than half of its hours are known.
  package func weather(of hours: [ForecastHour]) -> BlanketWeather? {
    let hours = self.hours(of: hours)
    guard let felt = hours.map(\.felt).min(), let highest = hours.map(\.air).max(),
      Duration.hours(2 * hours.count) >= end.since(start)
    else { return nil }
    return BlanketWeather(felt: felt, isWet: hours.contains(where: \.isWet), highest: highest)
  }
}

/// A summary of the weather in a window.
package struct BlanketWeather: Hashable, Sendable {
  /// The lowest felt temperature in °C.
  package let felt: Double
  /// True if any hour is wet.
  package let isWet: Bool
  /// The highest air temperature in °C.
  package let highest: Double
}
