import FlowModel

/// Parsed fields of a calendar expression, in normal form.
struct CalendarParts: Hashable, Sendable {
  /// Bit 0 = Monday … bit 6 = Sunday. Nil means every day, or the anchor's weekday if weeks are repeated.
  var weekdays: UInt8?
  var year = CalendarField.every
  var month = CalendarField.every
  var day = CalendarField.every
  /// True if `day` counts from the end of the month (`~`).
  var countsFromEnd = false
  var hour = CalendarField.only(0)
  var minute = CalendarField.only(0)
  var second = CalendarField.only(0)
  var repetition: Repetition?
  /// Last day on which the rule may fire.
  var lastDate: CivilDate?
  var exceptions: [ExceptionDates] = []
  var zoneName: String?

  init() {}

  init(time: TimeOfDay) {
    hour = .only(time.hour)
    minute = .only(time.minute)
    second = .only(time.second)
  }

  var description: String {
    var text = ""
    writeDays(to: &text)
    text.append(" ")
    hour.write(width: 2, to: &text)
    text.append(":")
    minute.write(width: 2, to: &text)
    text.append(":")
    second.write(width: 2, to: &text)
    writeRestrictions(to: &text)
    if let zoneName {
      text.append(" ")
      text.append(zoneName)
    }
    return text
  }

  /// Normal form without time and zone.
  var daysDescription: String {
    var text = ""
    writeDays(to: &text)
    writeRestrictions(to: &text)
    return text
  }

  private func writeDays(to text: inout String) {
    if let weekdays {
      writeWeekdays(weekdays, to: &text)
      text.append(" ")
    }
    if let repetition {
      text.append(repetition.description)
    } else {
      year.write(width: 4, to: &text)
      text.append("-")
      month.write(width: 2, to: &text)
      text.append(countsFromEnd ? "~" : "-")
      day.write(width: 2, to: &text)
    }
  }

  private func writeRestrictions(to text: inout String) {
    if let lastDate { text.append(" until \(lastDate)") }
    if !exceptions.isEmpty {
      text.append(" except ")
      text.append(exceptions.map(\.description).joined(separator: ","))
    }
  }

  /// Writes three or more consecutive weekdays as a range.
  private func writeWeekdays(_ days: UInt8, to text: inout String) {
    var day = 0
    var isFirst = true
    while day < 7 {
      guard days & 1 << UInt8(day) != 0 else {
        day += 1
        continue
      }
      var end = day
      while end < 6, days & 1 << UInt8(end + 1) != 0 { end += 1 }
      if !isFirst { text.append(",") }
      isFirst = false
      text.append(CalendarKeywords.weekdays[day])
      if end - day >= 2 {
        text.append("..")
        text.append(CalendarKeywords.weekdays[end])
        day = end
      }
      day += 1
    }
  }
}

/// Box that lets all copies of an expression share one `CalendarParts`.
final class SharedParts: Sendable {
  let value: CalendarParts
  init(_ value: CalendarParts) { self.value = value }
}
