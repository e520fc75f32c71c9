import PoolModel

extension CalendarExpression {
  /// The rule in plain English: `Mon..Fri *-*-* 07:00:00` is `Monday to Friday at 07:00`.
  package var inWords: String { inWords([parts.dayWords, parts.timeWords]) }

  /// The days alone: `*-12-25` is `every year on 25 December`.
  var daysInWords: String { inWords([parts.yearlyWords ?? parts.dayWords]) }

  private func inWords(_ beginning: [String?]) -> String {
    var words = beginning.compactMap { $0 }
    if let last = parts.lastDate { words.append("until \(last)") }
    if !parts.exceptions.isEmpty {
      words.append("except \(Self.list(parts.exceptions.map(\.words)))")
    }
    if let zone = parts.zoneName { words.append("by the clocks of \(zone)") }
    return words.joined(separator: " ")
  }

  fileprivate static func list(_ words: [String]) -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " and " + last
  }
}

extension ExceptionDates {
  fileprivate var words: String {
    switch kind {
    case .yearly(let month, let day): "every \(CalendarParts.monthNames[month - 1]) \(day)"
    case .days: description.replacing("..", with: " to ")
    }
  }
}

extension CalendarParts {
  fileprivate static let monthNames = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
  ]

  fileprivate var dayWords: String? {
    if let repetition {
      // Weeks fall on the anchor's weekday by themselves.
      return [weekdayWords.map { "on \($0)" }, repetition.description].compactMap { $0 }.joined(separator: ", ")
    }
    let date = dateWords
    guard let weekdayWords else {
      if !date.isEmpty { return date }
      return hour.isPlain ? "every day" : nil
    }
    return date.isEmpty ? weekdayWords : "\(weekdayWords) that fall \(date)"
  }

  /// Days of one month that come every year: `every year on the 4th Thursday of November`; nil for all others.
  fileprivate var yearlyWords: String? {
    if let repetition {
      guard weekdays == nil, repetition.unit == .year, repetition.count == 1 else { return nil }
      let anchor = repetition.anchor
      return "every year on \(anchor.day) \(Self.monthNames[anchor.month - 1]) from \(anchor.year) on"
    }
    guard let firstYear, month.items.count == 1, month.isPlain, let month = month.items.first?.start,
      day.items.count == 1, let item = day.items.first, let days = yearlyDays(item, of: Self.monthNames[month - 1])
    else { return nil }
    return "every year \(days)\(firstYear > 1_970 ? " from \(firstYear) on" : "")"
  }

  /// The year from which on all are named; nil where that is not so.
  private var firstYear: Int? {
    if year.isEvery { return 1_970 }
    guard year.items.count == 1, let item = year.items.first, item.stop == nil, item.step == 1 else { return nil }
    return item.start
  }

  private func yearlyDays(_ item: FieldItem, of month: String) -> String? {
    let last = item.stop ?? item.start
    guard let weekdays else {
      guard !countsFromEnd, item.step <= 1, item.step == 0 || item.stop != nil else { return nil }
      return last == item.start ? "on \(last) \(month)" : "from \(item.start) to \(last) \(month)"
    }
    guard weekdays.nonzeroBitCount == 1, item.step == 1, item.stop != nil, item.start % 7 == 1,
      last == min(item.start + 6, 31)
    else { return nil }
    let week = item.start / 7 + 1
    let place = countsFromEnd ? Self.placeFromEnd(week) : "the \(Self.ordinal(week))"
    return "on \(place) \(CalendarWords.fullWeekdays[weekdays.trailingZeroBitCount]) of \(month)"
  }

  /// `Mondays`, `Monday to Friday`; nil for every day.
  private var weekdayWords: String? {
    guard let weekdays else { return nil }
    let days = (0..<7).filter { weekdays & 1 << UInt8($0) != 0 }
    guard let first = days.first, let last = days.last else { return nil }
    let names = CalendarWords.fullWeekdays
    if days.count > 2, last - first == days.count - 1 { return "\(names[first]) to \(names[last])" }
    return CalendarExpression.list(days.map { names[$0] + "s" })
  }

  /// `on the 1st and 15th of every month`; empty for every date.
  private var dateWords: String {
    var words: [String] = []
    if !day.isEvery {
      let named = numbers(day, countsFromEnd ? .dayFromEnd : .day)
      let places = named.map { countsFromEnd ? Self.placeFromEnd($0) : "the \(Self.ordinal($0))" }
      words.append("on \(CalendarExpression.list(places))" + (countsFromEnd ? " day" : ""))
    }
    if !month.isEvery {
      let months = CalendarExpression.list(numbers(month, .month).map { Self.monthNames[$0 - 1] })
      words.append(day.isEvery ? "in \(months)" : "of \(months)")
    } else if !day.isEvery {
      words.append("of every month")
    }
    if !year.isEvery { words.append("of \(CalendarExpression.list(numbers(year, .year).map(String.init)))") }
    return words.joined(separator: " ")
  }

  /// At most ten, so that a sentence stays one.
  private func numbers(_ field: CalendarField, _ kind: FieldKind) -> [Int] {
    var found: [Int] = []
    field.forEach(kind) { found.append($0) }
    return Array(found.sorted().prefix(10))
  }

  private static func ordinal(_ number: Int) -> String {
    let suffix =
      switch (number % 100, number % 10) {
      case (11...13, _): "th"
      case (_, 1): "st"
      case (_, 2): "nd"
      case (_, 3): "rd"
      default: "th"
      }
    return "\(number)\(suffix)"
  }

  private static func placeFromEnd(_ number: Int) -> String { number == 1 ? "the last" : "the \(ordinal(number)) last" }

  fileprivate var timeWords: String {
    let isWholeMinute = second == .only(0)
    if hour.isPlain, minute.isPlain, isWholeMinute, hour.items.count * minute.items.count <= 6 {
      var times: [String] = []
      for hour in numbers(hour, .hour) {
        for minute in numbers(minute, .minute) { times.append("\(padded(hour, 2)):\(padded(minute, 2))") }
      }
      return "at \(CalendarExpression.list(times))"
    }
    if isWholeMinute, hour.isEvery {
      if minute.isEvery { return "every minute" }
      if minute.isPlain, minute.items.count == 1 {
        return minute == .only(0) ? "every hour" : "every hour, \(minute.items[0].start) minutes past"
      }
      if minute.items.count == 1, let item = minute.items.first, item.start == 0, item.stop == nil {
        return "every \(item.step) minutes"
      }
    }
    var text = ""
    hour.write(width: 2, to: &text)
    text += ":"
    minute.write(width: 2, to: &text)
    if !isWholeMinute {
      text += ":"
      second.write(width: 2, to: &text)
    }
    return "at the times \(text)"
  }
}
