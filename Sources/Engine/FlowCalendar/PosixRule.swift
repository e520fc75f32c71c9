import FlowModel

/// The rule in a TZif footer for all years after the last change: a POSIX `TZ` string with the extensions of RFC 8536 §3.3.
///
/// Example: `EST5EDT,M3.2.0,M11.1.0` is New York: daylight-saving time from the second Sunday in March to the first in
/// November.
struct PosixRule: Hashable, Sendable {
  let standard: ZoneType
  let daylight: Daylight?

  /// Daylight-saving time: its offset, and its start and end in each year.
  struct Daylight: Hashable, Sendable {
    let type: ZoneType
    let start: YearlyMoment
    let end: YearlyMoment
  }

  /// The changes in the given years, oldest first; if two coincide, the change to daylight-saving time wins.
  func changes(years: ClosedRange<Int>) -> [(time: Int64, isDaylight: Bool)] {
    guard let daylight else { return [] }
    var found: [(time: Int64, isDaylight: Bool)] = []
    found.reserveCapacity(years.count * 2)
    for year in years {
      found.append((daylight.start.local(year: year) - Int64(standard.offset), true))
      found.append((daylight.end.local(year: year) - Int64(daylight.type.offset), false))
    }
    found.sort { ($0.time, $0.isDaylight ? 1 : 0) < ($1.time, $1.isDaylight ? 1 : 0) }
    var merged: [(time: Int64, isDaylight: Bool)] = []
    merged.reserveCapacity(found.count)
    for change in found {
      if merged.last?.time == change.time { merged.removeLast() }
      merged.append(change)
    }
    return merged
  }

  func type(isDaylight: Bool) -> ZoneType {
    isDaylight ? daylight?.type ?? standard : standard
  }
}

/// A yearly moment, in the local time before the change.
struct YearlyMoment: Hashable, Sendable {
  /// The three POSIX notations for a day of the year.
  enum Day: Hashable, Sendable {
    /// `Jn`: 1 to 365; 29 February is not counted.
    case julian(Int)
    /// `n`: 0 to 365; 29 February is counted.
    case zeroBased(Int)
    /// `Mm.w.d`: weekday d (0 = Sunday) of week w (5 = last) of month m.
    case weekday(month: Int, week: Int, day: Int)
  }
  let day: Day
  /// Seconds after midnight, from -167 to +167 hours.
  let seconds: Int

  /// The moment in `year` as local time, in seconds as if it were UTC.
  func local(year: Int) -> Int64 {
    let days: Int
    switch day {
    case .julian(let number):
      let leapDay = CivilDate.isLeap(year: year) && number >= 60 ? 1 : 0
      days = CivilDate(year: year, month: 1, day: 1).daysSince1970 + number - 1 + leapDay
    case .zeroBased(let number):
      days = CivilDate(year: year, month: 1, day: 1).daysSince1970 + number
    case .weekday(let month, let week, let weekday):
      let first = CivilDate(year: year, month: month, day: 1)
      let firstWeekday = first.weekday.rawValue - 1
      var dayOfMonth = 1 + (weekday - firstWeekday + 7) % 7 + (week - 1) * 7
      if dayOfMonth > CivilDate.length(ofMonth: month, year: year) { dayOfMonth -= 7 }
      days = first.daysSince1970 + dayOfMonth - 1
    }
    return Int64(days) * 86_400 + Int64(seconds)
  }
}

/// Parser for the text of a TZif footer.
struct PosixRuleReader {
  private let bytes: ArraySlice<UInt8>
  private var index: Int

  private init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    index = bytes.startIndex
  }

  /// - Throws: `TZifFault` that describes the invalid part.
  static func read(_ bytes: ArraySlice<UInt8>) throws(TZifFault) -> PosixRule {
    var reader = PosixRuleReader(bytes)
    let rule = try reader.rule()
    guard reader.index == bytes.endIndex else { throw TZifFault("its footer goes on after the rule") }
    return rule
  }

  private mutating func rule() throws(TZifFault) -> PosixRule {
    let standardName = try name()
    let standardOffset = -(try clock(hours: 24))
    let standard = ZoneType(offset: standardOffset, abbreviation: standardName)
    guard index < bytes.endIndex else { return PosixRule(standard: standard, daylight: nil) }
    let daylightName = try name()
    var daylightOffset = standardOffset + 3_600
    if index < bytes.endIndex, bytes[index] != UInt8(ascii: ",") { daylightOffset = -(try clock(hours: 24)) }
    guard take(",") else { throw TZifFault("its footer names daylight time without saying when") }
    let start = try moment()
    guard take(",") else { throw TZifFault("its footer does not say when daylight time ends") }
    let end = try moment()
    let type = ZoneType(offset: daylightOffset, abbreviation: daylightName)
    return PosixRule(standard: standard, daylight: .init(type: type, start: start, end: end))
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard index < bytes.endIndex, UInt32(bytes[index]) == character.value else { return false }
    index += 1
    return true
  }

  /// Parses an abbreviation: letters, or letters, digits and signs in `<…>`.
  private mutating func name() throws(TZifFault) -> String {
    let quoted = take("<")
    let start = index
    while index < bytes.endIndex, isNameByte(bytes[index], quoted: quoted) { index += 1 }
    let text = bytes[start..<index]
    guard (3...TZifReader.longestAbbreviation).contains(text.count) else {
      throw TZifFault("its footer lacks an abbreviation")
    }
    if quoted, !take(">") { throw TZifFault("its footer leaves '<' open") }
    return String(decoding: text, as: UTF8.self)
  }

  private func isNameByte(_ byte: UInt8, quoted: Bool) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"): quoted
    default: false
    }
  }

  /// Parses `[+-]hh[:mm[:ss]]`.
  /// - Returns: seconds.
  private mutating func clock(hours limit: Int) throws(TZifFault) -> Int {
    let sign = take("-") ? -1 : 1
    if sign == 1 { _ = take("+") }
    var seconds = try number(0...limit) * 3_600
    if take(":") {
      seconds += try number(0...59) * 60
      if take(":") { seconds += try number(0...59) }
    }
    return sign * seconds
  }

  /// Parses `Mm.w.d`, `Jn` or `n`, with an optional `/time`; the default time is 02:00.
  private mutating func moment() throws(TZifFault) -> YearlyMoment {
    let day: YearlyMoment.Day
    if take("M") {
      let month = try number(1...12)
      guard take(".") else { throw TZifFault("its footer has a broken month rule") }
      let week = try number(1...5)
      guard take(".") else { throw TZifFault("its footer has a broken month rule") }
      day = .weekday(month: month, week: week, day: try number(0...6))
    } else if take("J") {
      day = .julian(try number(1...365))
    } else {
      day = .zeroBased(try number(0...365))
    }
    return YearlyMoment(day: day, seconds: take("/") ? try clock(hours: 167) : 7_200)
  }

  private mutating func number(_ range: ClosedRange<Int>) throws(TZifFault) -> Int {
    var value = 0
    let start = index
    while index < bytes.endIndex, index - start < 3, (48...57).contains(bytes[index]) {
      value = value * 10 + Int(bytes[index] - 48)
      index += 1
    }
    guard index > start, range.contains(value) else { throw TZifFault("its footer has a number out of range") }
    return value
  }
}
