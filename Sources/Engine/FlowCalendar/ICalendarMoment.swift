import FlowModel

/// A DATE or DATE-TIME value (RFC 5545, 3.3.4 and 3.3.5).
enum ICalendarMoment {
  case day(CivilDate)
  /// In the team's local time.
  case local(LocalDateTime)
  case instant(Timestamp)

  /// Parses `20261224`, `20261224T000000` or `20261224T050000Z`; nil for other texts.
  init?(_ text: some StringProtocol) {
    let bytes = Array(text.utf8.drop { $0 == UInt8(ascii: " ") })
    guard let date = Self.date(bytes.prefix(8)) else { return nil }
    guard bytes.count > 8 else {
      self = .day(date)
      return
    }
    let isUTC = bytes.last.map { $0 | 32 } == UInt8(ascii: "z")
    guard bytes.count == (isUTC ? 16 : 15), bytes[8] | 32 == UInt8(ascii: "t"), let hour = Self.number(bytes[9..<11]),
      let minute = Self.number(bytes[11..<13]), let second = Self.number(bytes[13..<15]),
      let time = TimeOfDay(hour: hour, minute: minute, second: second)
    else { return nil }
    let local = LocalDateTime(date: date, time: time)
    self = isUTC ? .instant(Timestamp(seconds: local.secondsAsIfUTC)) : .local(local)
  }

  private static func date(_ digits: ArraySlice<UInt8>) -> CivilDate? {
    guard digits.count == 8, let year = number(digits.prefix(4)), let month = number(digits.dropFirst(4).prefix(2)),
      let day = number(digits.dropFirst(6))
    else { return nil }
    let date = CivilDate(year: year, month: month, day: day)
    return date.exists ? date : nil
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    guard digits.allSatisfy(CalendarParser.isDigit) else { return nil }
    return Int(String(decoding: digits, as: UTF8.self))
  }

  /// The date in `zone`.
  func date(in zone: Zone) -> CivilDate {
    switch self {
    case .day(let date): date
    case .local(let local): local.date
    case .instant(let instant): zone.local(at: instant).date
    }
  }

  /// The day that begins at this moment (possibly at 01:00, after clocks skipped midnight); nil if no day begins here.
  func startOfDay(in zone: Zone) -> CivilDate? {
    let date = date(in: zone)
    switch self {
    case .day: return date
    case .local(let local): return local.time == .midnight ? date : nil
    case .instant(let instant):
      return zone.resolve(LocalDateTime(date: date, time: .midnight)).standard == instant ? date : nil
    }
  }

  /// The moment plus a duration; a day stays a day if the duration has no fraction of a day.
  func adding(_ duration: ICalendarDuration, in zone: Zone) -> ICalendarMoment {
    let start =
      switch self {
      case .day(let date): zone.resolve(LocalDateTime(date: date, time: .midnight)).standard
      case .local(let local): zone.resolve(local).standard
      case .instant(let instant): instant
      }
    if case .day(let date) = self, duration.seconds % 86_400 == 0 {
      return .day(date.adding(days: duration.days + duration.seconds / 86_400))
    }
    return .instant(zone.sameTime(duration.days, daysAfter: start).advanced(by: .seconds(duration.seconds)))
  }
}

/// A DURATION value (RFC 5545, 3.3.6): calendar days and seconds.
struct ICalendarDuration {
  private(set) var days = 0
  private(set) var seconds = 0

  /// Maximum duration, in days.
  private static let longest = 100_000

  /// Parses `P1D`, `P2W` or `P1DT12H30M`; nil for other texts and for negative durations.
  init?(_ text: String) {
    var rest = Substring(text.uppercased())
    if rest.hasPrefix("+") { rest.removeFirst() }
    guard rest.hasPrefix("P"), rest.utf8.count >= 3 else { return nil }
    rest.removeFirst()
    var inTime = false
    while let first = rest.first {
      if first == "T", !inTime {
        inTime = true
        rest.removeFirst()
        continue
      }
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      guard (1...6).contains(digits.count), let count = Int(digits), let unit = rest.dropFirst(digits.count).first
      else {
        return nil
      }
      switch (unit, inTime) {
      case ("W", false): days += 7 * count
      case ("D", false): days += count
      case ("H", true): seconds += 3_600 * count
      case ("M", true): seconds += 60 * count
      case ("S", true): seconds += count
      default: return nil
      }
      guard days <= Self.longest, seconds <= Self.longest * 86_400 else { return nil }
      rest = rest.dropFirst(digits.count + 1)
    }
  }
}
