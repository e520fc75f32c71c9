import PoolModel

/// One VEVENT as its lines, and the days it comes to.
struct ICalendarEvent {
  /// Why an event is left out: what follows its title.
  struct Refusal: Error {
    let line: Int
    let why: String
  }

  /// Where it begins.
  let line: Int
  /// By the names of their properties.
  private var lines: [String: [ICalendarLine]] = [:]

  init(line: Int) { self.line = line }

  mutating func take(_ line: ICalendarLine) { lines[line.name, default: []].append(line) }

  /// `'Team lunch'`.
  var title: String {
    let summary = first("SUMMARY")?.text(.shown) ?? ""
    return summary.isEmpty ? "an event without a title" : "'\(summary)'"
  }

  private func first(_ name: String) -> ICalendarLine? { lines[name]?.first }

  /// None where the event is cancelled.
  func entries(in zone: Zone) throws(Refusal) -> [ICalendarDays.Entry] {
    if first("STATUS")?.text(.shown).uppercased() == "CANCELLED" { return [] }
    let summary = first("SUMMARY")?.text(.holdNote) ?? ""
    let uid = first("UID")?.text(.name) ?? ""
    return try spans(in: zone).map { ICalendarDays.Entry(span: $0, summary: summary, uid: uid) }
  }

  private func spans(in zone: Zone) throws(Refusal) -> [DaySpan] {
    if let line = first("RECURRENCE-ID") {
      throw Refusal(line: line.number, why: "changes one day of a repeated event, which is left as it is")
    }
    guard let line = first("DTSTART") else { throw Refusal(line: line, why: "has no DTSTART, the day it begins") }
    let start = try moment(line.value, in: line, zone)
    let length = try days(from: start, in: line, zone)
    let first = try start.startOfDay(in: zone).orThrow(notWholeDays(line))
    let exceptions = try dates(of: lines["EXDATE"] ?? [], zone)
    for name in ["RDATE", "EXRULE"] {
      guard let line = self.first(name) else { continue }
      throw Refusal(line: line.number, why: "has \(name), which is not read; write the days one by one")
    }
    guard let rule = self.first("RRULE") else {
      return exceptions.contains(first) ? [] : [try Self.range(first, length, line)]
    }
    if let second = lines["RRULE"]?.dropFirst().first {
      throw Refusal(line: second.number, why: "has two rules (RRULE); write two events")
    }
    let clocks: Zone
    switch start {
    // Days go by no clocks, so the end of their rule is the date that is written.
    case .day: clocks = .utc
    case .local: clocks = zone
    case .instant: throw Refusal(line: rule.number, why: "repeats by the clocks of UTC; only whole days close")
    }
    return try ICalendarRule(rule, start: first).spans(length: length, exceptions: exceptions, zone: clocks)
  }

  static func range(_ first: CivilDate, _ length: Int, _ line: ICalendarLine) throws(Refusal) -> DaySpan {
    do throws(DaySpanError) {
      return try DaySpan(first: first, last: first.adding(days: length - 1))
    } catch { throw Refusal(line: line.number, why: "is left out: \(error)") }
  }

  private func notWholeDays(_ line: ICalendarLine) -> Refusal {
    Refusal(line: line.number, why: "has times of day; only whole days close")
  }

  // MARK: Days

  /// How many days the event lasts.
  private func days(from start: ICalendarMoment, in line: ICalendarLine, _ zone: Zone) throws(Refusal) -> Int {
    let isDay = if case .day = start { true } else { false }
    guard let first = start.startOfDay(in: zone) else { throw notWholeDays(line) }
    let end: ICalendarMoment
    let last: ICalendarLine
    if let line = self.first("DTEND") {
      (end, last) = (try moment(line.value, in: line, zone), line)
    } else if let line = self.first("DURATION") {
      let duration = try ICalendarDuration(line.value)
        .orThrow(Refusal(line: line.number, why: "lasts '\(line.text(.shown))', which is no duration such as P1D"))
      (end, last) = (start.adding(duration, in: zone), line)
    } else {
      guard isDay else { throw notWholeDays(line) }
      return 1
    }
    guard let after = end.startOfDay(in: zone) else { throw notWholeDays(last) }
    let count = after.daysSince1970 - first.daysSince1970
    // An end that is the beginning is against the standard, and how some programs write one day.
    if count == 0, isDay { return 1 }
    guard count > 0 else {
      throw count == 0 ? notWholeDays(line) : Refusal(line: last.number, why: "ends before it begins")
    }
    return count
  }

  private func dates(of lines: [ICalendarLine], _ zone: Zone) throws(Refusal) -> [CivilDate] {
    var found: [CivilDate] = []
    for line in lines {
      for value in line.value.split(separator: ",") {
        found.append(try moment(String(value), in: line, zone).date(in: zone))
      }
    }
    return found
  }

  private func moment(_ value: String, in line: ICalendarLine, _ zone: Zone) throws(Refusal) -> ICalendarMoment {
    guard let moment = ICalendarMoment(value) else {
      let shown = TextRule.shown.cut(withoutControls(value))
      throw Refusal(line: line.number, why: "has '\(shown)' as its \(line.name), which is no date such as 20261224")
    }
    guard case .local = moment, let name = line.parameters["TZID"], !isOurs(name, zone) else { return moment }
    throw Refusal(
      line: line.number,
      why: "goes by the clocks of '\(TextRule.shown.cut(withoutControls(name)))', and days are those of \(zone.name)")
  }

  /// Names with a prefix, as Evolution writes them, are the zone's own, and Outlook says by itself what is a whole day.
  private func isOurs(_ name: String, _ zone: Zone) -> Bool {
    name.lowercased() == zone.name.lowercased() || name.hasPrefix("/") && name.hasSuffix("/" + zone.name)
      || first("X-MICROSOFT-CDO-ALLDAYEVENT")?.text(.shown).uppercased() == "TRUE"
  }
}

extension Optional {
  fileprivate func orThrow<Failure>(_ error: @autoclosure () -> Failure) throws(Failure) -> Wrapped {
    guard let self else { throw error() }
    return self
  }
}

/// DATE or DATE-TIME of RFC 5545, 3.3.4 and 3.3.5.
enum ICalendarMoment {
  case day(CivilDate)
  /// By the clocks of the team.
  case local(LocalDateTime)
  case instant(Timestamp)

  /// `20261224`, `20261224T000000` or `20261224T050000Z`; nil for anything else.
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

  /// The day it lies in.
  func date(in zone: Zone) -> CivilDate {
    switch self {
    case .day(let date): date
    case .local(let local): local.date
    case .instant(let instant): zone.local(at: instant).date
    }
  }

  /// The day that begins with it, be it at 01:00 because clocks jump over midnight; nil where none does.
  func startOfDay(in zone: Zone) -> CivilDate? {
    let date = date(in: zone)
    switch self {
    case .day: return date
    case .local(let local): return local.time == .midnight ? date : nil
    case .instant(let instant):
      return zone.resolve(LocalDateTime(date: date, time: .midnight)).standard == instant ? date : nil
    }
  }

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

/// DURATION of RFC 5545, 3.3.6: days by the calendar, and seconds.
struct ICalendarDuration {
  private(set) var days = 0
  private(set) var seconds = 0

  /// Days; what is longer is no event.
  private static let longest = 100_000

  /// `P1D`, `P2W` or `P1DT12H30M`; nil for anything else, and for durations that go backwards.
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
