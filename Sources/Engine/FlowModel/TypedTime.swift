/// The reason why typed text is not a time of day, as the end of a sentence.
package enum TimeOfDayFault: Error, Hashable, Sendable, CustomStringConvertible {
  case noTime
  /// The hour is not valid with am or pm; `means` is the only time that can be meant, nil if there are several.
  case hourOfHalfDay(means: TimeOfDay?)

  package var description: String {
    switch self {
    case .noTime: "this is not a time of day; write HH:MM from 00:00 to 23:59, or 6:30am"
    case .hourOfHalfDay(let means?): "hours before am and pm run from 1 to 12; write \(means)"
    case .hourOfHalfDay(nil): "hours before am and pm run from 1 to 12; write HH:MM from 00:00 to 23:59"
    }
  }
}

extension TimeOfDay {
  /// Parses a typed time of day: `18:30`, `6:30am`, `6:30 PM`, `6 a.m.`.
  ///
  /// Noon is `12pm` and midnight `12am`, as on digital clocks.
  package init(typed text: some StringProtocol) throws(TimeOfDayFault) {
    let plain = text.lowercased().filter { $0 != "." && $0 != " " }
    guard text.utf8.count <= 16, let half = ["am", "pm"].first(where: plain.hasSuffix) else {
      guard let time = TimeOfDay(text) else { throw .noTime }
      self = time
      return
    }
    let clock = plain.dropLast(2)
    guard let time = TimeOfDay(clock.contains(":") ? String(clock) : "\(clock):00") else { throw .noTime }
    guard (1...12).contains(time.hour) else {
      // 13:00pm can only mean 13:00, and 0:30am only 00:30; 13:00am and 0:30pm are ambiguous.
      throw .hourOfHalfDay(means: (half == "pm") == (time.hour > 12) ? time : nil)
    }
    let hour = time.hour % 12 + (half == "pm" ? 12 : 0)
    guard let time = TimeOfDay(hour: hour, minute: time.minute, second: time.second) else { throw .noTime }
    self = time
  }
}
