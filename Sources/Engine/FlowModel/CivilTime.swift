/// A day of the week, numbered as in the PoolFlow app: 1 = Sunday … 7 = Saturday.
package enum Weekday: Int, Sendable, CaseIterable, Codable, Comparable {
  case sunday = 1
  case monday, tuesday, wednesday, thursday, friday, saturday

  package static func < (left: Weekday, right: Weekday) -> Bool { left.rawValue < right.rawValue }

  /// The following day; Saturday is followed by Sunday.
  package var next: Weekday { Weekday(rawValue: rawValue % 7 + 1) ?? .sunday }

  /// The English abbreviation for calendar expressions and tables: "Mon".
  package var abbreviation: String {
    switch self {
    case .sunday: "Sun"
    case .monday: "Mon"
    case .tuesday: "Tue"
    case .wednesday: "Wed"
    case .thursday: "Thu"
    case .friday: "Fri"
    case .saturday: "Sat"
    }
  }
}

/// A date of the proleptic Gregorian calendar.
package struct CivilDate: Hashable, Comparable, Sendable {
  package let year: Int
  /// The month, 1 to 12.
  package let month: Int
  /// The day of the month, 1 to 31.
  package let day: Int

  package init(year: Int, month: Int, day: Int) {
    self.year = year
    self.month = month
    self.day = day
  }

  /// The date `days` after 1970-01-01.
  ///
  /// Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms" (2013), `civil_from_days`: eras of 400 years
  /// (146,097 days) that begin on 1 March. Day 20,514 is 2026-03-02.
  package init(daysSince1970 days: Int) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// Days after 1970-01-01. Source: the paper cited above, `days_from_civil`.
  package var daysSince1970: Int {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// Parses `2026-03-02`; nil for any other format, a date that does not exist, or a year outside 0 to 9999.
  package init?(_ text: some StringProtocol) {
    // Longer years are rejected, because day numbers could overflow.
    guard text.utf8.count == 10 else { return nil }
    // Parsed byte by byte, because the store has a date in every row and splitting strings is slow.
    let text = String(text)
    let bytes = text.utf8Span.span
    var numbers = (0, 0, 0)
    for place in bytes.indices {
      let digit = Int(bytes[place]) - 48
      switch (place, digit) {
      case (4, -3), (7, -3): continue
      case (0..<4, 0..<10): numbers.0 = numbers.0 * 10 + digit
      case (5..<7, 0..<10): numbers.1 = numbers.1 * 10 + digit
      case (8..<10, 0..<10): numbers.2 = numbers.2 * 10 + digit
      default: return nil
      }
    }
    self.init(year: numbers.0, month: numbers.1, day: numbers.2)
    guard exists else { return nil }
  }

  package static func < (left: CivilDate, right: CivilDate) -> Bool {
    (left.year, left.month, left.day) < (right.year, right.month, right.day)
  }

  /// Computed from 1970-01-01, which was a Thursday.
  package var weekday: Weekday {
    let remainder = (daysSince1970 + 4) % 7
    return Weekday(rawValue: (remainder < 0 ? remainder + 7 : remainder) + 1) ?? .sunday
  }

  package func adding(days: Int) -> CivilDate {
    CivilDate(daysSince1970: daysSince1970 + days)
  }

  package static func isLeap(year: Int) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }

  /// Days of the month: 28 to 31.
  package static func length(ofMonth month: Int, year: Int) -> Int {
    switch month {
    case 2: isLeap(year: year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Whether the date exists; false for a date such as 30 February.
  package var exists: Bool {
    (1...12).contains(month) && day >= 1 && day <= Self.length(ofMonth: month, year: year)
  }
}

extension CivilDate: CustomStringConvertible {
  /// The date as `2026-03-02`.
  package var description: String {
    var digits = DigitWriter()
    digits.put(self, dash: UInt8(ascii: "-"))
    return digits.text
  }
}

/// A wall-clock time of day, to the second.
package struct TimeOfDay: Hashable, Comparable, Sendable {
  package let secondOfDay: Int

  /// - Returns: nil outside 00:00:00 … 23:59:59.
  package init?(secondOfDay: Int) {
    guard (0..<86_400).contains(secondOfDay) else { return nil }
    self.secondOfDay = secondOfDay
  }

  /// - Returns: nil outside hours 0…23, minutes 0…59 and seconds 0…59.
  package init?(hour: Int, minute: Int, second: Int = 0) {
    guard (0..<24).contains(hour), (0..<60).contains(minute), (0..<60).contains(second) else { return nil }
    secondOfDay = hour * 3_600 + minute * 60 + second
  }

  private init(unchecked secondOfDay: Int) { self.secondOfDay = secondOfDay }
  package static let midnight = TimeOfDay(unchecked: 0)
  package static let sevenInTheMorning = TimeOfDay(unchecked: 7 * 3_600)

  /// Parses `7:00`, `07:00` or `07:00:30`; nil for any other format.
  package init?(_ text: some StringProtocol) {
    // Parsed byte by byte, because a page has several times for each stop.
    let text = String(text)
    let bytes = text.utf8Span.span
    var numbers = (0, 0, 0)
    var (part, digits) = (0, 0)
    for place in bytes.indices {
      let digit = Int(bytes[place]) - 48
      switch (digit, part) {
      case (10, 0...1) where digits > 0: (part, digits) = (part + 1, 0)
      case (0..<10, 0): numbers.0 = numbers.0 * 10 + digit
      case (0..<10, 1): numbers.1 = numbers.1 * 10 + digit
      case (0..<10, 2): numbers.2 = numbers.2 * 10 + digit
      default: return nil
      }
      if digit < 10 { digits += 1 }
      guard digits <= 2 else { return nil }
    }
    guard part > 0, digits > 0 else { return nil }
    self.init(hour: numbers.0, minute: numbers.1, second: numbers.2)
  }

  package var hour: Int { secondOfDay / 3_600 }
  package var minute: Int { secondOfDay / 60 % 60 }
  package var second: Int { secondOfDay % 60 }

  package static func < (left: TimeOfDay, right: TimeOfDay) -> Bool { left.secondOfDay < right.secondOfDay }
}

extension TimeOfDay: CustomStringConvertible {
  /// `07:00`, or `07:00:30` if the seconds are not zero.
  package var description: String {
    var digits = DigitWriter()
    digits.put(self, colon: UInt8(ascii: ":"), seconds: second != 0)
    return digits.text
  }
}

/// A local date and time of day without a zone.
package struct LocalDateTime: Hashable, Comparable, Sendable {
  package let date: CivilDate
  package let time: TimeOfDay

  package init(date: CivilDate, time: TimeOfDay) {
    self.date = date
    self.time = time
  }

  /// The local time as if the zone were UTC, in seconds since 1970. Subtract the zone's UTC offset to get an instant.
  package var secondsAsIfUTC: Int64 {
    Int64(date.daysSince1970) * 86_400 + Int64(time.secondOfDay)
  }

  /// The inverse of `secondsAsIfUTC`.
  package init(secondsAsIfUTC seconds: Int64) {
    let days = seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
    date = CivilDate(daysSince1970: Int(days))
    time = TimeOfDay(secondOfDay: Int(seconds - days * 86_400)) ?? .sevenInTheMorning
  }

  package static func < (left: LocalDateTime, right: LocalDateTime) -> Bool {
    left.secondsAsIfUTC < right.secondsAsIfUTC
  }
}

/// `number` with leading zeros, at least `width` digits long.
package func padded(_ number: Int, _ width: Int) -> String {
  var digits = DigitWriter()
  digits.put(number, width: width)
  return digits.text
}

/// Formats dates and times as bytes, ten times as fast as with strings; archives, replies, logs and notice ids contain many.
struct DigitWriter {
  private var bytes: [UInt8] = []

  init() { bytes.reserveCapacity(24) }

  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Appends a byte; nothing for nil.
  mutating func put(_ byte: UInt8?) {
    if let byte { bytes.append(byte) }
  }

  /// Appends `number` with leading zeros, at least `width` digits long, after a minus sign if it is negative.
  mutating func put(_ number: Int, width: Int) {
    if number < 0 { bytes.append(UInt8(ascii: "-")) }
    var rest = number.magnitude
    let start = bytes.count
    repeat {
      bytes.append(UInt8(truncatingIfNeeded: 48 + rest % 10))
      rest /= 10
    } while rest > 0
    while bytes.count - start < width { bytes.append(48) }
    bytes[start...].reverse()
  }

  /// Appends year, month and day; with a nil dash, without separators.
  mutating func put(_ date: CivilDate, dash: UInt8?) {
    put(date.year, width: 4)
    put(dash)
    put(date.month, width: 2)
    put(dash)
    put(date.day, width: 2)
  }

  /// Appends hours, minutes and, if wanted, seconds; with a nil colon, without separators.
  mutating func put(_ time: TimeOfDay, colon: UInt8?, seconds: Bool = true) {
    put(time.hour, width: 2)
    put(colon)
    put(time.minute, width: 2)
    guard seconds else { return }
    put(colon)
    put(time.second, width: 2)
  }
}
