import FlowModel

// Date search of a calendar expression.
extension RuleMatcher {
  /// The first matching day at or after `day` (at least 0), or -1.
  @inline(__always)
  func nextDay(_ day: Int) -> Int {
    guard onlyWeekdays else { return nextNarrowedDay(day) }
    let found = day &+ (weekdays &>> UInt64(Self.weekday(day))).trailingZeroBitCount
    return found <= Self.lastDay ? found : -1
  }

  /// The last matching day at or before `day` (at most `lastDay`), or -1.
  @inline(__always)
  func previousDay(_ day: Int) -> Int {
    guard onlyWeekdays else { return previousNarrowedDay(day) }
    guard day >= 0 else { return -1 }
    // The mask repeats weekly: starting in the second week leaves a whole week of lower bits.
    let position = Self.weekday(day) &+ 7
    let rest = weekdays & Self.maskThrough(position)
    let found = day &- (position &- (63 &- rest.leadingZeroBitCount))
    return found >= 0 ? found : -1
  }

  /// `nextDay` for rules with other restrictions than weekdays.
  private func nextNarrowedDay(_ start: Int) -> Int {
    var day = max(start, firstNamedDay)
    while day <= lastNamedDay {
      let found = nextUnexceptedDay(day)
      guard found <= lastNamedDay else { return -1 }
      guard found >= 0, !excludedDays.isEmpty, let excluded = excludedDays.range(containing: found) else {
        return found
      }
      day = excluded.upperBound &+ 1
    }
    return -1
  }

  /// `previousDay` for rules with other restrictions than weekdays.
  private func previousNarrowedDay(_ start: Int) -> Int {
    var day = min(start, lastNamedDay)
    while day >= firstNamedDay {
      let found = previousUnexceptedDay(day)
      guard found >= 0, !excludedDays.isEmpty, let excluded = excludedDays.range(containing: found) else {
        return found
      }
      day = excluded.lowerBound &- 1
    }
    return -1
  }

  /// The first day at or after `day` that matches apart from exceptions, or -1.
  private func nextUnexceptedDay(_ day: Int) -> Int {
    guard let repetition else { return nextDateMatch(day) }
    let start = max(day, anchorDay)
    switch repetition.unit {
    case .day, .week: return nextRepeatedDay(start, repetition)
    case .month: return nextRepeatedMonth(start, repetition, every: repetition.count)
    case .year: return nextRepeatedMonth(start, repetition, every: repetition.count * 12)
    }
  }

  /// The last day at or before `day` that matches apart from exceptions, or -1.
  private func previousUnexceptedDay(_ day: Int) -> Int {
    guard let repetition else { return previousDateMatch(day) }
    guard day >= anchorDay else { return -1 }
    switch repetition.unit {
    case .day, .week: return previousRepeatedDay(day, repetition)
    case .month: return previousRepeatedMonth(day, repetition, every: repetition.count)
    case .year: return previousRepeatedMonth(day, repetition, every: repetition.count * 12)
    }
  }

  @inline(__always)
  private func isWeekdayNamed(_ day: Int) -> Bool { weekdays &>> UInt64(Self.weekday(day)) & 1 != 0 }

  // MARK: Year, month and day

  /// Matching days of a month as bits, by weekday and month length.
  @inline(__always)
  func days(ofMonth length: Int, firstDay: Int) -> UInt64 {
    let byWeekday = (weekdays &>> UInt64(Self.weekday(firstDay))) &<< 1
    let byDay: UInt64
    if countsFromEnd {
      byDay = length == 31 ? days &<< 1 : days &>> UInt64(30 &- length)
    } else {
      byDay = days
    }
    return byDay & byWeekday & Self.maskThrough(length)
  }

  /// The first day at or after `day` that matches year, month, day and weekday, or -1.
  private func nextDateMatch(_ day: Int) -> Int {
    let date = CivilDate(daysSince1970: day)
    var year = date.year
    var month = date.month
    var firstDay = day &- (date.day &- 1)
    // Days before the wanted one are masked out in the first month only.
    var allowed = ~Self.maskThrough(date.day &- 1)
    while year <= 2_199 {
      guard years.contains(year) else {
        (year, month, allowed) = (year &+ 1, 1, ~0)
        firstDay = CivilDate(year: year, month: 1, day: 1).daysSince1970
        continue
      }
      let isLeap = CivilDate.isLeap(year: year)
      while month <= 12 {
        let length = monthLength(month, isLeap)
        if months &>> UInt64(month) & 1 != 0 {
          let match = days(ofMonth: length, firstDay: firstDay) & allowed
          if match != 0 { return firstDay &+ match.trailingZeroBitCount &- 1 }
        }
        firstDay &+= length
        month &+= 1
        allowed = ~0
      }
      month = 1
      year &+= 1
    }
    return -1
  }

  /// The last day at or before `day` that matches year, month, day and weekday, or -1.
  private func previousDateMatch(_ day: Int) -> Int {
    guard day >= 0 else { return -1 }
    let date = CivilDate(daysSince1970: day)
    var year = date.year
    var month = date.month
    var firstDay = day &- (date.day &- 1)
    var allowed = Self.maskThrough(date.day)
    while year >= 1_970 {
      guard years.contains(year) else {
        firstDay = CivilDate(year: year - 1, month: 12, day: 1).daysSince1970
        (year, month, allowed) = (year &- 1, 12, ~0)
        continue
      }
      while month >= 1 {
        let length = monthLength(month, CivilDate.isLeap(year: year))
        if months &>> UInt64(month) & 1 != 0 {
          let match = days(ofMonth: length, firstDay: firstDay) & allowed
          if match != 0 { return firstDay &+ 62 &- match.leadingZeroBitCount }
        }
        month &-= 1
        firstDay &-= month == 0 ? 31 : monthLength(month, CivilDate.isLeap(year: year))
        allowed = ~0
      }
      month = 12
      year &-= 1
    }
    return -1
  }

  /// 28 to 31: odd months have 31 days up to July, even ones from August.
  @inline(__always)
  private func monthLength(_ month: Int, _ isLeap: Bool) -> Int {
    month == 2 ? (isLeap ? 29 : 28) : 30 &+ ((month &+ (month &>> 3)) & 1)
  }

  // MARK: Repetition

  /// Matching day at or after `start`: every nth day, or a named weekday of every nth week.
  private func nextRepeatedDay(_ start: Int, _ repetition: Repetition) -> Int {
    if repetition.unit == .week {
      let firstMonday = anchorDay &- Self.weekday(anchorDay)
      let period = repetition.count &* 7
      var monday = start &- (start &- firstMonday) % period
      var bits = weekdays & 127 & ~Self.maskThrough(min(start &- monday, 7) &- 1)
      if bits == 0 {
        monday &+= period
        bits = weekdays & 127
      }
      let found = monday &+ bits.trailingZeroBitCount
      return found <= Self.lastDay ? found : -1
    }
    var day = start &+ (repetition.count &- (start &- anchorDay) % repetition.count) % repetition.count
    // The weekdays repeat after seven periods.
    for _ in 0..<7 {
      guard day <= Self.lastDay else { return -1 }
      if isWeekdayNamed(day) { return day }
      day &+= repetition.count
    }
    return -1
  }

  /// The matching day at or before `start`, or -1; the counterpart of `nextRepeatedDay`.
  private func previousRepeatedDay(_ start: Int, _ repetition: Repetition) -> Int {
    if repetition.unit == .week {
      let firstMonday = anchorDay &- Self.weekday(anchorDay)
      let period = repetition.count &* 7
      var monday = start &- (start &- firstMonday) % period
      var bits = weekdays & 127 & Self.maskThrough(min(start &- monday, 6))
      if bits == 0 {
        monday &-= period
        bits = weekdays & 127
      }
      let found = monday &+ 63 &- bits.leadingZeroBitCount
      return found >= anchorDay ? found : -1
    }
    var day = start &- (start &- anchorDay) % repetition.count
    for _ in 0..<7 {
      guard day >= anchorDay else { return -1 }
      if isWeekdayNamed(day) { return day }
      day &-= repetition.count
    }
    return -1
  }

  /// The anchor's day in every nth month at or after `start`; months without that day are skipped.
  private func nextRepeatedMonth(_ start: Int, _ repetition: Repetition, every count: Int) -> Int {
    let anchor = repetition.anchor
    let date = CivilDate(daysSince1970: start)
    var months = (date.year &- anchor.year) &* 12 &+ date.month &- anchor.month
    months = (months &+ count &- 1) / count &* count
    while true {
      let day = dayOfRepeatedMonth(anchor, months)
      if day > Self.lastDay { return -1 }
      if day >= start, isWeekdayNamed(day) { return day }
      months &+= count
    }
  }

  /// The matching day at or before `start`, or -1; the counterpart of `nextRepeatedMonth`.
  private func previousRepeatedMonth(_ start: Int, _ repetition: Repetition, every count: Int) -> Int {
    let anchor = repetition.anchor
    let date = CivilDate(daysSince1970: start)
    var months = ((date.year &- anchor.year) &* 12 &+ date.month &- anchor.month) / count &* count
    while months >= 0 {
      let day = dayOfRepeatedMonth(anchor, months)
      if day >= 0, day <= start, isWeekdayNamed(day) { return day }
      months &-= count
    }
    return -1
  }

  /// The anchor's day `months` later: -1 if that month lacks the day, `lastDay` + 1 after 2199.
  private func dayOfRepeatedMonth(_ anchor: CivilDate, _ months: Int) -> Int {
    let index = anchor.year &* 12 &+ anchor.month &- 1 &+ months
    let date = CivilDate(year: index / 12, month: index % 12 + 1, day: anchor.day)
    if date.year > 2_199 { return Self.lastDay + 1 }
    return date.exists ? date.daysSince1970 : -1
  }
}
