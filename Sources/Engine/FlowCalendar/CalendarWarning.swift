package import FlowModel

/// Warning about a valid rule that is probably not what the user meant.
package enum CalendarWarning: Hashable, Sendable, CustomStringConvertible {
  /// `10:00,11:30` is a single time with a list of minutes, not two times.
  case listOfTimes(means: [String], written: String)
  /// No date matches, past or future.
  case neverComes
  /// All matching dates are past.
  case isOver(last: Occurrence)
  /// Some of the rule's months lack the day; months are numbered from 1.
  case missingDay(day: Int, months: [Int])
  /// The rule's clock time does not exist at the next clock change.
  case insideGap(DaylightEffect)

  package var description: String {
    switch self {
    case .listOfTimes(let means, let written):
      "'\(written)' means \(joined(means)), because the comma separates minutes; write one rule for each time"
    case .neverComes: "no date matches this rule"
    case .isOver(let last): "this rule has no future date; the last one was \(last.nominal.date) \(last.nominal.time)"
    case .missingDay(29, [2]): "29 February exists in leap years only"
    case .missingDay(let day, let months):
      "there is no day \(day) in \(joined(months.map { CalendarKeywords.months[$0 - 1] })), which the rule skips; "
        + "days counted from the end exist in every month, *-*~01 being the last"
    case .insideGap(let effect): effect.description
    }
  }
}

extension CalendarExpression {
  /// Warnings about the expression in `zone` from `now` on.
  package func warnings(
    in zone: Zone, after now: Timestamp, policy: DaylightPolicy = .standard
  ) -> [CalendarWarning] {
    CalendarRule(self, zone: zone, policy: policy).warnings(after: now)
  }

  /// Warning for a list of minutes with seconds in which each minute could be an hour: the user probably meant several times.
  var listOfTimes: CalendarWarning? {
    guard !hints.writesDate, hints.writesSeconds, parts.hour.isPlain, parts.minute.isPlain, parts.second.isPlain,
      let hour = parts.hour.items.first, parts.hour.items.count == 1,
      let second = parts.second.items.first, parts.second.items.count == 1,
      parts.minute.items.count > 1, parts.minute.items.dropFirst().allSatisfy({ $0.start <= 23 })
    else { return nil }
    var written = ""
    parts.hour.write(width: 2, to: &written)
    written.append(":")
    parts.minute.write(width: 2, to: &written)
    written.append(":")
    parts.second.write(width: 2, to: &written)
    let means = parts.minute.items.map { "\(padded(hour.start, 2)):\(padded($0.start, 2)):\(padded(second.start, 2))" }
    return .listOfTimes(means: means, written: written)
  }

  /// Warning for a single day, such as the 31st, that some of the named months lack.
  var missingDay: CalendarWarning? {
    let day: Int
    let months: [Int]
    if let repetition = parts.repetition {
      guard repetition.unit == .month || repetition.unit == .year else { return nil }
      day = repetition.anchor.day
      let first = repetition.anchor.month - 1
      let step = repetition.unit == .month ? repetition.count : repetition.count * 12
      months = Set((0..<12).map { (first + $0 * step) % 12 + 1 }).sorted()
    } else {
      let late = parts.day.items.last { $0.isPlain && $0.start > 28 }
      guard !parts.countsFromEnd, let last = late else { return nil }
      day = last.start
      let mask = parts.month.mask(.month)
      months = (1...12).filter { mask & 1 << UInt64($0) != 0 }
    }
    // 2001 is not a leap year: February has 28 days.
    let lacking = months.filter { CivilDate.length(ofMonth: $0, year: 2_001) < day }
    return lacking.isEmpty ? nil : .missingDay(day: day, months: lacking)
  }
}

extension CalendarRule {
  /// Warnings about the rule from `now` on: ambiguous, never due, days that some months lack, or times in a daylight-saving gap
  /// within 366 days.
  package func warnings(after now: Timestamp) -> [CalendarWarning] {
    var found: [CalendarWarning] = []
    if let list = expression.listOfTimes { found.append(list) }
    guard next(after: now) != nil else {
      found.append(previous(before: now.advanced(by: .seconds(1))).map { .isOver(last: $0) } ?? .neverComes)
      return found
    }
    if let missing = expression.missingDay { found.append(missing) }
    let effects = daylightForecast(from: now, to: now.advanced(by: .seconds(366 * 86_400)))
    if let gap = effects.first(where: { $0.kind == .moved || $0.kind == .skipped }) { found.append(.insideGap(gap)) }
    return found
  }
}
