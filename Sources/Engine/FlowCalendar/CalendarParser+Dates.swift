import FlowModel

// Extensions of systemd's syntax: anchored repetition, a last day and exception dates.
extension CalendarParser {
  /// Parses `every [N] days|weeks|months|years from DATE [[at] TIME]`; `index` is at `every`.
  mutating func takeRepetition() throws(CalendarError) {
    index += 5
    skipSpaces()
    var count = 1
    let countStart = index
    if index < end, Self.isDigit(bytes[index]) {
      count = number()
      skipSpaces()
    }
    let unit = try takeUnit()
    guard (1...Repetition.maxCount(unit)).contains(count) else {
      throw failure("a count (1 to \(Repetition.maxCount(unit)))", at: countStart)
    }
    skipSpaces()
    guard word(at: index, is: "from") else { throw failure("'from' and the first date, as in 'from 2026-11-02'") }
    index += 4
    skipSpaces()
    parts.repetition = Repetition(count: count, unit: unit, anchor: try takeFullDate())
    hints.writesDate = true
    skipSpaces()
    if word(at: index, is: "at") {
      index += 2
      skipSpaces()
      guard index < end else { throw failure("a time after 'at'") }
    }
    try takeTimeAtEnd()
  }

  private mutating func takeUnit() throws(CalendarError) -> Repetition.Unit {
    let written = word(at: index)
    let isPlural = written.utf8.last.map { $0 | 32 } == UInt8(ascii: "s")
    let bare = (isPlural ? String(written.dropLast()) : written).lowercased()
    guard let unit = Repetition.Unit(rawValue: bare) else {
      throw failure(
        "days, weeks, months or years",
        suggestion: Suggestion.nearest(to: written, among: CalendarKeywords.units, completing: false))
    }
    index += written.utf8.count
    return unit
  }

  /// Parses `YYYY-MM-DD`; the date must exist.
  private mutating func takeFullDate() throws(CalendarError) -> CivilDate {
    let start = index
    let year = number()
    guard index - start == 4, take("-") else { throw failure("a date such as 2026-11-02", at: start) }
    let monthStart = index
    let month = number()
    guard (1...2).contains(index - monthStart), take("-") else { throw failure("a date such as 2026-11-02", at: start) }
    let dayStart = index
    let day = number()
    let date = CivilDate(year: year, month: month, day: day)
    guard (1...2).contains(index - dayStart), FieldKind.year.range.contains(year), date.exists else {
      throw failure("a date that exists, from 1970 to 2199", at: start)
    }
    return date
  }

  /// True if `until` or `except` follows.
  var isAtRestriction: Bool { word(at: index, is: "until") || word(at: index, is: "except") }

  /// Parses `until DATE`, the last day on which the rule fires.
  mutating func takeLastDate() throws(CalendarError) {
    guard takeWord("until") else { return }
    parts.lastDate = try takeFullDate()
  }

  /// Consumes the keyword and the spaces around it; false, without consuming, if it does not follow a space.
  private mutating func takeWord(_ wanted: String) -> Bool {
    let start = index
    skipSpaces()
    guard word(at: index, is: wanted), index == 0 || bytes[index - 1] == UInt8(ascii: " ") else {
      index = start
      return false
    }
    index += wanted.utf8.count
    skipSpaces()
    return true
  }

  /// Parses `except DATE[..DATE],…`; `*-MM-DD` excludes a date of every year.
  mutating func takeExceptions() throws(CalendarError) {
    guard takeWord("except") else { return }
    var found: [ExceptionDates] = []
    repeat {
      guard found.count < Self.mostItems else { throw failure("at most \(Self.mostItems) exceptions") }
      found.append(try takeException())
    } while take(",")
    parts.exceptions = ExceptionDates.normalized(found)
  }

  private mutating func takeException() throws(CalendarError) -> ExceptionDates {
    let start = index
    if take("*") {
      guard take("-") else { throw failure("'-' and a month") }
      let month = number()
      guard take("-") else { throw failure("'-' and a day") }
      let day = number()
      guard CivilDate(year: 2_000, month: month, day: day).exists else {
        throw failure("a day of the year such as *-12-24", at: start)
      }
      return ExceptionDates(kind: .yearly(month: month, day: day))
    }
    let first = try takeFullDate().daysSince1970
    guard takeDots() else { return ExceptionDates(kind: .days(first: first, last: first)) }
    let lastStart = index
    let last = try takeFullDate().daysSince1970
    guard first <= last else { throw failure("a date not before \(CivilDate(daysSince1970: first))", at: lastStart) }
    return ExceptionDates(kind: .days(first: first, last: last))
  }
}

extension ExceptionDates {
  /// Sorted, without duplicates; adjacent and overlapping ranges merged.
  static func normalized(_ dates: [ExceptionDates]) -> [ExceptionDates] {
    var result: [ExceptionDates] = []
    for next in dates.sorted() {
      if let last = result.last {
        if last == next { continue }
        if case .days(let first, let end) = last.kind, case .days(let start, let stop) = next.kind, start <= end + 1 {
          result[result.count - 1] = ExceptionDates(kind: .days(first: first, last: max(end, stop)))
          continue
        }
      }
      result.append(next)
    }
    return result
  }
}
