import FlowModel

/// The RRULE of a whole-day event, converted to calendar syntax if that is exact.
struct ICalendarRule {
  private let line: ICalendarLine
  /// First day of the event.
  private let start: CivilDate
  private let parts: [String: String]

  typealias Refusal = ICalendarEvent.Refusal

  /// - Throws: `Refusal` if the rule is not yearly or contains unsupported parts.
  init(_ line: ICalendarLine, start: CivilDate) throws(Refusal) {
    self.line = line
    self.start = start
    var parts: [String: String] = [:]
    for part in line.value.uppercased().filter({ $0 != " " }).split(separator: ";") {
      let halves = part.split(separator: "=", maxSplits: 1).map(String.init)
      guard halves.count == 2, parts.updateValue(halves[1], forKey: halves[0]) == nil else {
        throw Refusal(line: line.number, why: "has a rule that cannot be read: '\(line.text(.shown))'")
      }
    }
    self.parts = parts
    guard parts["FREQ"] == "YEARLY" else {
      throw refusal("repeats, but not once a year; only FREQ=YEARLY is supported")
    }
    guard parts["INTERVAL"].map({ Int($0) == 1 }) ?? true else {
      throw refusal("does not repeat every year (INTERVAL); write its days one by one")
    }
    if let unknown = parts.keys.sorted().first(where: { !Self.known.contains($0) }) {
      throw refusal("has \(TextRule.shown.truncated(withoutControls(unknown))) in its rule, which is not supported")
    }
  }

  /// Limit for COUNT: five days a year up to 2199. It bounds the time for a file with a thousand such events.
  private static let longestCount = 1_000

  private static let known: Set<String> = [
    "FREQ", "INTERVAL", "COUNT", "UNTIL", "BYMONTH", "BYMONTHDAY", "BYDAY", "BYSETPOS", "WKST",
  ]

  private func refusal(_ why: String) -> Refusal { Refusal(line: line.number, why: why) }

  // MARK: Spans

  /// The first days of all occurrences, ignoring UNTIL and COUNT.
  /// - Throws: `Refusal` if the event's first day does not match the rule.
  func starts(length: Int) throws(Refusal) -> DaySpan {
    let yearly = try yearly()
    guard length == 1 || yearly.isDayOfStart else {
      throw refusal("lasts \(length) days, and its rule names more than one date")
    }
    let starts = try span(yearly.written(from: start), until: nil, except: yearly.daysBefore(start))
    // Dates before 1970 are not representable, so the start cannot be checked.
    guard start.year < 1_970 || starts.contains(start) else {
      throw refusal("begins on \(start), a day that its rule does not name")
    }
    return starts
  }

  /// The days off of all occurrences.
  ///
  /// - Parameters:
  ///   - starts: result of `starts(length:)`.
  ///   - length: days per occurrence.
  ///   - exceptions: first days of cancelled occurrences.
  ///   - end: day from which on no occurrence begins; nil for no limit.
  ///   - zone: zone in which UNTIL is read as a date.
  func spans(
    _ starts: DaySpan, length: Int, exceptions: [CivilDate], before end: CivilDate?, zone: Zone
  ) throws(Refusal) -> [DaySpan] {
    let yearly = try yearly()
    var last = try lastStart(of: starts, zone)
    if let end {
      guard let found = starts.last(onOrBefore: end.adding(days: -1)), found >= start else { return [] }
      last = min(last ?? found, found)
    }
    let left = exceptions.filter { $0 <= last ?? $0 && starts.contains($0) }
    if last == start { return left.isEmpty ? [try ICalendarEvent.range(start, length, line: line.number)] : [] }
    guard length > 1 else {
      return [
        try span(yearly.written(from: start), until: last, except: yearly.daysBefore(start) + left.map(\.description))
      ]
    }
    return try monthSegments(length).map { (segment) throws(Refusal) in
      try span(
        segment.pattern, until: last?.adding(days: segment.end),
        except: left.map { "\($0.adding(days: segment.start))..\($0.adding(days: segment.end))" })
    }
  }

  /// The days of a pattern with an optional end and exceptions.
  /// - Throws: `Refusal` if the pattern names no valid days off.
  private func span(_ days: String, until last: CivilDate?, except: [String]) throws(Refusal) -> DaySpan {
    var text = days
    if let last, last < Self.end { text += " until \(last)" }
    if !except.isEmpty { text += " except " + except.joined(separator: ",") }
    do throws(DaySpanError) { return try DaySpan(pattern: text) } catch {
      throw refusal("has a rule that names no days off: \(error)")
    }
  }

  private static let end = CivilDate(year: 2_199, month: 12, day: 31)

  /// First day of the last occurrence; nil if the rule does not end before 2200.
  private func lastStart(of starts: DaySpan, _ zone: Zone) throws(Refusal) -> CivilDate? {
    var last: CivilDate?
    if let until = parts["UNTIL"] {
      guard let moment = ICalendarMoment(until) else {
        throw refusal("has an UNTIL that is not a date such as 20301231")
      }
      let date = moment.date(in: zone)
      guard let found = starts.last(onOrBefore: date), found >= start else { throw refusal("ends before it begins") }
      if date < Self.end { last = found }
    }
    if let count = parts["COUNT"] {
      guard let count = Int(count), count > 0, start.year >= 1_970 else {
        throw refusal("has a COUNT that is not a number, or begins before 1970")
      }
      var found = start
      for number in 1..<count {
        guard number < Self.longestCount else {
          throw refusal("counts more than \(Self.longestCount) days (COUNT); write its end as UNTIL")
        }
        guard let next = starts.next(onOrAfter: found.adding(days: 1)) else { return last }
        found = next
      }
      last = min(last ?? found, found)
    }
    return last
  }

  // MARK: Several days

  /// The part of an occurrence within one month: pattern, and offsets of its first and last day from the occurrence's start.
  private typealias MonthSegment = (pattern: String, start: Int, end: Int)

  /// Splits an occurrence at the ends of months.
  /// - Throws: `Refusal` if it is too long, or crosses the end of February, where leap years differ.
  private func monthSegments(_ length: Int) throws(Refusal) -> [MonthSegment] {
    guard length <= Limits.closedDaysPerYear else {
      throw refusal("lasts \(length) days of every year, the limit is \(Limits.closedDaysPerYear)")
    }
    var found: [MonthSegment] = []
    var offset = 0
    while offset < length {
      let first = start.adding(days: offset)
      let end = min(length, offset + CivilDate.length(ofMonth: first.month, year: first.year) - first.day + 1)
      let last = start.adding(days: end - 1)
      if first.month == 2, last.day > 28 || last.day == 28 && end < length {
        throw refusal("goes past 28 February, after which its days differ in leap years; write them one by one")
      }
      let days = first == last ? padded(first.day, 2) : "\(padded(first.day, 2))..\(padded(last.day, 2))"
      found.append((YearlyDays.years(from: first.year) + "-\(padded(first.month, 2))-\(days)", offset, end - 1))
      offset = end
    }
    return found
  }

  // MARK: Reading the parts

  /// The rule's days, from BYMONTH, BYMONTHDAY, BYDAY and BYSETPOS; missing parts are taken from the event's start.
  private func yearly() throws(Refusal) -> YearlyDays {
    let months = try numbers("BYMONTH", 1...12)
    let days = try numbers("BYMONTHDAY", -31...31)
    let weekdays = try weekdays()
    let position = try numbers("BYSETPOS", -366...366)
    if !weekdays.isEmpty { return try byWeekday(weekdays, months: months, days: days, position: position) }
    guard position == nil else {
      throw refusal("has BYSETPOS in its rule, which is supported only with BYDAY and one month")
    }
    var yearly = YearlyDays()
    yearly.months = months ?? (days == nil ? [start.month] : nil)
    try yearly.setDays(days ?? [start.day], line)
    yearly.isDayOfStart = yearly.months == [start.month] && (days ?? [start.day]) == [start.day]
    return yearly
  }

  /// BYDAY such as `4TH`; or `TH` with BYMONTHDAY, or with BYSETPOS within one month.
  private func byWeekday(
    _ weekdays: [(position: Int?, day: Int)], months: [Int]?, days: [Int]?, position: [Int]?
  ) throws(Refusal) -> YearlyDays {
    var yearly = YearlyDays()
    yearly.weekdays = Set(weekdays.map(\.day)).sorted()
    yearly.months = months
    let positions = Set(weekdays.map { $0.position ?? 0 })
    guard positions.count == 1, let common = positions.first else {
      throw refusal("has several positions of weekdays (BYDAY) in its rule; write an event for each")
    }
    if common == 0, let days, position == nil {
      try yearly.setDays(days, line)
      return yearly
    }
    var week = common
    if common == 0 {
      guard let position, position.count == 1, days == nil, weekdays.count == 1, months?.count == 1 else {
        throw refusal(
          "repeats on weekdays of many weeks; only one of a month, such as BYDAY=4TH with BYMONTH, is supported")
      }
      week = position[0]
    } else if position != nil || days != nil || months == nil {
      throw refusal("counts its weekdays through more than a month; only BYDAY=4TH with BYMONTH is supported")
    }
    guard week != 0, (-4...5).contains(week) else {
      throw refusal("uses weekday number \(week) of a month, which not every month has")
    }
    yearly.countsFromEnd = week < 0
    let first = 7 * abs(week) - 6
    yearly.days = Array(first...min(31, first + 6))
    return yearly
  }

  /// The items of BYDAY: weekday (Monday = 0) and optional ordinal, as in `4TH`.
  private func weekdays() throws(Refusal) -> [(position: Int?, day: Int)] {
    var found: [(Int?, Int)] = []
    for item in (parts["BYDAY"] ?? "").split(separator: ",") {
      let number = item.dropLast(2)
      let position = number.isEmpty ? nil : Int(number)
      guard let day = Self.weekdays.firstIndex(of: String(item.suffix(2))),
        number.isEmpty || position.map({ $0 != 0 }) == true
      else { throw refusal("has a BYDAY that is not a weekday such as TH or 4TH") }
      found.append((position, day))
    }
    return found
  }

  private static let weekdays = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]

  /// Sorted, without duplicates; nil if the part is missing.
  private func numbers(_ part: String, _ range: ClosedRange<Int>) throws(Refusal) -> [Int]? {
    guard let text = parts[part] else { return nil }
    var found: Set<Int> = []
    for item in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let number = Int(item), number != 0, range.contains(number) else {
        throw refusal("has '\(TextRule.shown.truncated(withoutControls(String(item))))' in its \(part)")
      }
      found.insert(number)
    }
    return found.sorted()
  }
}

/// The days named by a yearly rule, for a pattern in calendar syntax.
private struct YearlyDays {
  /// Monday = 0.
  var weekdays: [Int] = []
  /// Nil means every month.
  var months: [Int]?
  var days: [Int] = []
  var countsFromEnd = false
  /// True if the rule names only the month and day of the event's start.
  var isDayOfStart = false

  /// Sets the days of the month; negative numbers count from its end.
  /// - Throws: `Refusal` if both signs are mixed, or a day is more than 28 from the end.
  mutating func setDays(_ numbers: [Int], _ line: ICalendarLine) throws(ICalendarEvent.Refusal) {
    countsFromEnd = numbers.contains { $0 < 0 }
    guard !countsFromEnd || numbers.allSatisfy({ (-28 ... -1).contains($0) }) else {
      throw ICalendarEvent.Refusal(
        line: line.number, why: "counts days from both ends of the month, or more than 28 from its end")
    }
    days = numbers.map(abs).sorted()
  }

  /// Pattern such as `every year from 2026-12-25` or `Thu 2026/1-11-22..28`, which excludes years before `start`.
  func written(from start: CivilDate) -> String {
    if isDayOfStart, start.year > 1_970 { return "every year from \(start)" }
    let names = weekdays.map { CalendarKeywords.weekdays[$0] }.joined(separator: ",")
    let months = months.map(Self.list) ?? "*"
    return (names.isEmpty ? "" : names + " ") + Self.years(from: start.year)
      + "-\(months)\(countsFromEnd ? "~" : "-")\(Self.list(days))"
  }

  /// An exception for the days of the first year before `start`; empty if the pattern already excludes them.
  func daysBefore(_ start: CivilDate) -> [String] {
    let first = CivilDate(year: start.year, month: 1, day: 1)
    guard !isDayOfStart, FieldKind.year.range.contains(start.year), first < start,
      months == nil || months?.first.map({ $0 <= start.month }) == true, !isOnlyMonth(of: start)
    else { return [] }
    return ["\(first)..\(start.adding(days: -1))"]
  }

  /// True if the rule matches only one day a year, so that the first year has no match before the start.
  private func isOnlyMonth(of start: CivilDate) -> Bool {
    guard months == [start.month], let first = days.first, let last = days.last else { return false }
    return first == last || weekdays.count == 1 && last - first < 7
  }

  /// Pattern for all years from `year` on: `2026/1`, or `*` if that includes 1970.
  static func years(from year: Int) -> String { year <= 1_970 ? "*" : year >= 2_199 ? "\(year)" : "\(year)/1" }

  /// Numbers as a list of calendar syntax: `03,06..08`.
  private static func list(_ numbers: [Int]) -> String {
    var runs: [ClosedRange<Int>] = []
    for number in numbers {
      if let last = runs.last, last.upperBound + 1 == number {
        runs[runs.count - 1] = last.lowerBound...number
      } else {
        runs.append(number...number)
      }
    }
    return runs.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)..\($0.upperBound)" }.joined(separator: ",")
  }
}
