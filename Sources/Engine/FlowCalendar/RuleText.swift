import FlowModel

extension CalendarExpression {
  /// The rule in plain English: `Mon..Fri *-*-* 07:00:00` is `Monday to Friday at 07:00`.
  ///
  /// The sentence is exact, so that a user can confirm it; tests parse it back and compare.
  package var inWords: String {
    let times = parts.timeText
    // "Every 15 minutes" needs no "every day" in front.
    guard !parts.isEveryDay || !parts.isEveryHour else { return withRestrictions(times) }
    return withRestrictions(parts.dayText + (times.hasPrefix("at ") ? " " : ", ") + times)
  }

  /// The days without times: `*-12-25` is `every year on 25 December`.
  var daysText: String { withRestrictions(parts.yearlyText ?? parts.dayText) }

  /// Appends the last day, exceptions and zone to a phrase.
  private func withRestrictions(_ beginning: String) -> String {
    var wording = [beginning]
    if let last = parts.lastDate { wording.append("until \(last)") }
    if !parts.exceptions.isEmpty { wording.append("except \(joined(parts.exceptions.map(\.wording)))") }
    if let zone = parts.zoneName { wording.append("by the clocks of \(zone)") }
    return wording.joined(separator: " ")
  }
}

extension ExceptionDates {
  fileprivate var wording: String {
    switch kind {
    case .yearly(let month, let day): "every \(CalendarKeywords.months[month - 1]) \(day)"
    case .days: description.replacing("..", with: " to ")
    }
  }
}

// MARK: Days

extension CalendarParts {
  fileprivate var isEveryDay: Bool { weekdays == nil && repetition == nil && dateText(after: "") == nil }

  /// Days as a phrase: `Monday to Friday`, `on the 1st and the 15th of every month`, `every 2 weeks from 2026-11-02`.
  fileprivate var dayText: String {
    if let repetition { return wording(of: repetition) }
    return dateText(after: weekdayText) ?? weekdayText ?? "every day"
  }

  /// A repetition as a phrase, with its weekdays and a note about skipped months.
  private func wording(of repetition: Repetition) -> String {
    let wording =
      repetition.description + (repetition.missesMonths ? ", where there is a \(ordinal(repetition.anchor.day))" : "")
    guard let weekdayText else { return wording }
    // Repeated weeks use the anchor's weekday unless weekdays are named; for other units, weekdays filter the dates.
    return repetition.unit == .week ? "on \(weekdayText), \(wording)" : "\(wording), only \(weekdayText)"
  }

  /// Yearly days of one month, such as `every year on the 4th Thursday of November`; nil for other rules.
  fileprivate var yearlyText: String? {
    if let repetition {
      guard weekdays == nil, repetition.unit == .year, repetition.count == 1 else { return nil }
      let anchor = repetition.anchor
      return "every year on \(anchor.day) \(CalendarKeywords.months[anchor.month - 1]) from \(anchor.year) on"
    }
    guard let firstYear, month.items.count == 1, month.isPlain, let month = month.items.first?.start,
      let days = yearlyDays(of: CalendarKeywords.months[month - 1])
    else { return nil }
    return "every year \(days)\(firstYear > 1_970 ? " from \(firstYear) on" : "")"
  }

  /// First year if all later years are included; nil otherwise.
  private var firstYear: Int? {
    if year.isEvery { return 1_970 }
    guard year.items.count == 1, let item = year.items.first, item.stop == nil, item.step == 1 else { return nil }
    return item.start
  }

  private func yearlyDays(of month: String) -> String? {
    if let weekdayOfMonth { return "on \(weekdayOfMonth) of \(month)" }
    guard weekdays == nil, !countsFromEnd, !day.isEvery, let days = NumberSeries(day, .day).onlyRun else { return nil }
    return days.count == 1
      ? "on \(days.lowerBound) \(month)" : "from \(days.lowerBound) to \(days.upperBound) \(month)"
  }

  /// One weekday in one week of the month, such as `the 4th Thursday` or `the last Monday`; nil for other days.
  private var weekdayOfMonth: String? {
    guard let weekdays, weekdays.nonzeroBitCount == 1, !day.isEvery,
      let days = NumberSeries(day, dayKind).onlyRun, days.lowerBound % 7 == 1,
      days.upperBound == min(days.lowerBound + 6, 31), days.count > 1
    else { return nil }
    return "\(ordinalDay(days.lowerBound / 7 + 1)) \(CalendarKeywords.fullWeekdays[weekdays.trailingZeroBitCount])"
  }

  /// Weekdays as a phrase: `Mondays`, `Monday to Friday`; nil for every day.
  private var weekdayText: String? {
    guard let weekdays else { return nil }
    let days = (0..<7).filter { weekdays & 1 << UInt8($0) != 0 }
    guard let first = days.first, let last = days.last else { return nil }
    let names = CalendarKeywords.fullWeekdays
    if days.count > 2, last - first == days.count - 1 { return "\(names[first]) to \(names[last])" }
    return joined(days.map { names[$0] + "s" })
  }

  /// Year, month and day, after the weekdays: `Mondays that fall on the 1st of every month`, `every day in January`.
  ///
  /// - Returns: nil if year, month and day are unrestricted.
  private func dateText(after weekdays: String?) -> String? {
    let months = NumberSeries(month, .month)
    let years = NumberSeries(year, .year)
    let days = NumberSeries(day, dayKind)
    let isEveryMonth = months.isAll(.month)
    if day.isEvery || days.isAll(.day) {
      if isEveryMonth, years.isAll(.year) { return nil }
      let monthText = isEveryMonth ? "" : " " + Self.wording(of: months, range: "from", list: "in")
      return (weekdays ?? "every day") + monthText + Self.wording(of: years, list: isEveryMonth ? "in" : "of")
    }
    let dayText = weekdayOfMonth.map { "on \($0)" } ?? (weekdays.map { "\($0) that fall " } ?? "") + wording(of: days)
    let monthText =
      isEveryMonth ? "of every month" : Self.wording(of: months, range: "of every month from", list: "of")
    return "\(dayText) \(monthText)" + Self.wording(of: years, list: "of")
  }

  private var dayKind: FieldKind { countsFromEnd ? .dayFromEnd : .day }

  /// Days of the month as a phrase: `on the 1st and the 15th`, `from the 1st to the 15th`, `every 2nd day from the 1st to the 31st`.
  private func wording(of days: NumberSeries) -> String {
    if let (range, step) = days.steps { return "every \(ordinal(step)) day \(wording(of: range))" }
    if let range = days.longRun { return wording(of: range) }
    return "on \(days.list(ordinalDay))" + (countsFromEnd ? " day" : "")
  }

  /// Phrase such as `from the 1st to the 15th`; counted from the end, the greater number comes first: `from the 7th last to the
  /// last day`.
  private func wording(of days: ClosedRange<Int>) -> String {
    countsFromEnd
      ? "from \(ordinalDay(days.upperBound)) to \(ordinalDay(days.lowerBound)) day"
      : "from \(ordinalDay(days.lowerBound)) to \(ordinalDay(days.upperBound))"
  }

  /// One day of the month: `the 3rd`, or `the 3rd last`.
  private func ordinalDay(_ number: Int) -> String {
    guard countsFromEnd else { return "the \(ordinal(number))" }
    return number == 1 ? "the last" : "the \(ordinal(number)) last"
  }

  /// Months such as `January to November` or `May and June`, after the preposition `range` or `list`.
  private static func wording(of months: NumberSeries, range: String, list: String) -> String {
    "\(months.longRun == nil ? list : range) \(months.list { CalendarKeywords.months[$0 - 1] })"
  }

  /// Years such as ` in 2027` or ` from 2026 on`; empty if all years are included.
  ///
  /// - Parameter list: preposition for years that are not a range.
  private static func wording(of years: NumberSeries, list: String) -> String {
    func range(_ numbers: ClosedRange<Int>, step: Int) -> String {
      let isOpen = numbers.upperBound + step > FieldKind.year.range.upperBound
      return " from \(numbers.lowerBound) " + (isOpen ? "on" : "to \(numbers.upperBound)")
    }
    if years.isAll(.year) { return "" }
    if let (numbers, step) = years.steps { return " \(list) every \(ordinal(step)) year\(range(numbers, step: step))" }
    if let numbers = years.longRun { return range(numbers, step: 1) }
    return " \(list) \(years.list(String.init))"
  }
}

extension Repetition {
  /// True if some months lack the anchor's day and are skipped.
  fileprivate var missesMonths: Bool {
    switch unit {
    case .month: anchor.day > 28
    case .year: anchor.month == 2 && anchor.day == 29
    case .day, .week: false
    }
  }
}
