/// A crontab line converted to a calendar expression, with the remaining differences from cron.
///
/// Source: crontab(5) of cronie 1.7, and its `cron.c` for clock changes. Fields: minute, hour, day of month, month, day of week
/// (0 and 7 are Sunday).
package struct CronLine: Hashable, Sendable {
  /// The equivalent expression, without a zone.
  package let rule: CalendarExpression
  /// Sentences about cases in which cron would run at other times.
  package let differences: [String]

  /// - Throws: `CronError` with the invalid field, or a hint if a single expression cannot represent the line.
  package init(_ text: String) throws(CronError) {
    let words = text.split(whereSeparator: { $0 == " " || $0 == "\t" }).map(String.init)
    if words.count == 1, let name = words.first, name.hasPrefix("@") {
      rule = try Self.expression(try Self.expandedShorthand(name), of: text)
      differences = []
      return
    }
    guard words.count == 5 else { throw CronError(field: nil, found: text, why: Self.fieldCountMessage(words.count)) }
    let minute = try Field.minute.read(words[0])
    let hour = try Field.hour.read(words[1])
    let day = try Field.day.read(words[2])
    let month = try Field.month.read(words[3])
    let weekday = try Field.weekday.read(words[4])
    // If neither field starts with '*', cron runs when either matches; otherwise both must match.
    if !words[2].hasPrefix("*"), !words[4].hasPrefix("*") {
      throw CronError(
        field: nil, found: text,
        why: "cron runs this on days that match the day of the month *or* the weekday; here this needs two jobs: "
          + "leave one of the two fields '*'")
    }
    let days = Self.weekdays(weekday)
    let date = "*-\(Field.month.written(month))-\(Field.day.written(day))"
    let time = "\(Field.hour.written(hour)):\(Field.minute.written(minute)):00"
    let written = [days, date, time].compactMap { $0 }.joined(separator: " ")
    rule = try Self.expression(written, of: text)
    let isClockTime = !words[0].contains(where: Self.isWildcard) && !words[1].contains(where: Self.isWildcard)
    differences = [
      isClockTime
        ? "cron runs times in a daylight-saving gap right after it, as dst-gap=after does here, and repeated times only the "
          + "first time, as dst-fold=first does"
        : "cron counts the minutes of the clock; so does this rule, also through both passes of a repeated hour",
      "cron skips times at which the machine was off; a job here follows its catch-up setting",
    ]
  }

  private static func expression(_ written: String, of line: String) throws(CronError) -> CalendarExpression {
    do throws(CalendarError) { return try CalendarExpression(written) } catch {
      throw CronError(field: nil, found: line, why: "'\(written)' is not a valid rule: \(error)")
    }
  }

  private static func isWildcard(_ character: Character) -> Bool {
    character == "*" || character == "/" || character == "-"
  }

  /// The calendar expression of a shorthand such as `@daily`.
  private static func expandedShorthand(_ name: String) throws(CronError) -> String {
    switch name.lowercased() {
    case "@yearly", "@annually": "*-01-01 00:00:00"
    case "@monthly": "*-*-01 00:00:00"
    case "@weekly": "Sun *-*-* 00:00:00"
    case "@daily", "@midnight": "*-*-* 00:00:00"
    case "@hourly": "*-*-* *:00:00"
    case "@reboot":
      throw CronError(field: nil, found: name, why: "it has no time; use a systemd unit for work at a start")
    default:
      throw CronError(field: nil, found: name, why: "cron knows @yearly, @monthly, @weekly, @daily and @hourly")
    }
  }

  private static func fieldCountMessage(_ count: Int) -> String {
    let wanted = "a cron line has five fields, minute, hour, day of the month, month and weekday, as in '0 7 * * 1-5'"
    return count == 6 || count == 7
      ? "\(wanted); \(count) are those of Quartz, which begin with seconds: leave the seconds and the year out" : wanted
  }

  /// Weekday list such as `Mon,Tue`; nil for every day.
  private static func weekdays(_ numbers: Set<Int>?) -> String? {
    guard let numbers else { return nil }
    let fromMonday = Set(numbers.map { ($0 + 6) % 7 })
    guard fromMonday.count < 7 else { return nil }
    return (0..<7).filter(fromMonday.contains).map { CalendarKeywords.weekdays[$0] }.joined(separator: ",")
  }

  /// One of the five fields.
  private enum Field: String {
    case minute, hour
    case day = "day of the month"
    case month
    case weekday = "day of the week"

    var range: ClosedRange<Int> {
      switch self {
      case .minute: 0...59
      case .hour: 0...23
      case .day: 1...31
      case .month: 1...12
      case .weekday: 0...7
      }
    }

    private var names: [String] {
      switch self {
      case .month: ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
      case .weekday: ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]
      default: []
      }
    }

    /// - Returns: the numbers of the field, or nil if it includes all.
    func read(_ text: String) throws(CronError) -> Set<Int>? {
      if text == "*" { return nil }
      var numbers: Set<Int> = []
      for item in text.split(separator: ",", omittingEmptySubsequences: false) {
        numbers.formUnion(try read(item: String(item)))
      }
      if self == .weekday, numbers.remove(7) != nil { numbers.insert(0) }
      return numbers.count == range.count - (self == .weekday ? 1 : 0) ? nil : numbers
    }

    /// The numbers of one list item: `*`, `n`, `n-m`, with an optional `/step`.
    private func read(item: String) throws(CronError) -> [Int] {
      let parts = item.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      var step = 1
      if parts.count == 2 {
        guard let number = Int(parts[1]), number >= 1, number <= range.upperBound else {
          throw failure(item, "a step from 1 to \(range.upperBound)")
        }
        step = number
      }
      let span = parts.first ?? ""
      guard span != "*" else { return Array(stride(from: range.lowerBound, through: range.upperBound, by: step)) }
      let ends = span.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let first = try number(ends.first ?? "", in: item)
      guard ends.count == 2 else {
        guard parts.count == 1 else { throw failure(item, "'*' or a range before '/'") }
        return [first]
      }
      let last = try number(ends[1], in: item)
      guard first <= last else { throw failure(item, "a range that does not go backwards") }
      return Array(stride(from: first, through: last, by: step))
    }

    /// A number, or a month or weekday name, within the field's range.
    private func number(_ text: String, in item: String) throws(CronError) -> Int {
      if let position = names.firstIndex(of: text.lowercased()) { return position + (self == .month ? 1 : 0) }
      guard let number = Int(text), text.utf8.allSatisfy(CalendarParser.isDigit), range.contains(number) else {
        let hint =
          text.contains(where: { "LW#?".contains($0) })
          ? "; 'L', 'W', '#' and '?' are Quartz's: the last day is *-*~01 here" : ""
        throw failure(item, "a number from \(range.lowerBound) to \(range.upperBound)\(hint)")
      }
      return number
    }

    private func failure(_ found: String, _ expected: String) -> CronError {
      CronError(field: rawValue, found: found, why: "expected \(expected)")
    }

    /// The numbers in calendar syntax; a series from the field's minimum becomes a repetition, which keeps the rule an
    /// interval.
    func written(_ numbers: Set<Int>?) -> String {
      guard let numbers else { return "*" }
      let sorted = numbers.sorted()
      if sorted.count > 2, let first = sorted.first, let last = sorted.last {
        let step = sorted[1] - first
        if sorted == Array(stride(from: first, through: last, by: step)) {
          return step == 1
            ? "\(first)..\(last)" : last + step > range.upperBound ? "\(first)/\(step)" : "\(first)..\(last)/\(step)"
        }
      }
      return sorted.map(String.init).joined(separator: ",")
    }
  }
}

/// Reason why a text is not a valid cron line, or not representable by a single expression.
package struct CronError: Error, Hashable, CustomStringConvertible {
  /// Name of the invalid field, such as `minute`; nil if the line as a whole is invalid.
  package let field: String?
  package let found: String
  package let why: String

  package var description: String {
    field.map { "cron's \($0) is '\(found)': \(why)" } ?? "'\(found)' as a cron line: \(why)"
  }
}
