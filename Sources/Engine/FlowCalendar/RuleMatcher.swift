import FlowModel

/// A calendar expression as bit masks: finds the local times it names, without any time zone.
///
/// Times are seconds of the day, dates are days since 1970. -1 means "none", because optionals would double the register use in
/// the hottest loop of the scheduler.
struct RuleMatcher: Sendable {
  /// Weekdays, repeated six times from Monday on: bit k is weekday k % 7.
  let weekdays: UInt64
  /// Bit m is month m.
  let months: UInt64
  /// Bit d is day d; if counted from the end, bit 31 - n is the nth last day.
  let days: UInt64
  let countsFromEnd: Bool
  let hours: UInt64
  let minutes: UInt64
  let seconds: UInt64
  let years: YearMask
  /// True if only weekdays restrict the days: no year, month, day, repetition, exception or end.
  let onlyWeekdays: Bool
  let repetition: Repetition?
  /// Day number of the repetition's anchor; 0 without a repetition.
  let anchorDay: Int
  let excludedDays: ExcludedDays
  let firstTime: Int
  let lastTime: Int
  /// First and last matching day, as search limits; a rule that never fires has an empty range (0, -1).
  private(set) var firstNamedDay = 0
  private(set) var lastNamedDay = RuleMatcher.lastDay

  /// Day number of 2199-12-31, the last day of any rule.
  static let lastDay = 84_005

  init(_ parts: CalendarParts) {
    var weekdays = UInt64(parts.weekdays ?? 127)
    if let repetition = parts.repetition, repetition.unit == .week, parts.weekdays == nil {
      weekdays = 1 << UInt64(Self.weekday(repetition.anchor.daysSince1970))
    }
    self.weekdays = weekdays &* 0x0000_0008_1020_4081
    months = parts.month.mask(.month)
    let named = parts.day.mask(parts.countsFromEnd ? .dayFromEnd : .day)
    if parts.countsFromEnd {
      var reversed: UInt64 = 0
      for number in 1...28 where named & 1 << UInt64(number) != 0 { reversed |= 1 << UInt64(31 - number) }
      days = reversed
    } else {
      days = named
    }
    countsFromEnd = parts.countsFromEnd
    hours = parts.hour.mask(.hour)
    minutes = parts.minute.mask(.minute)
    seconds = parts.second.mask(.second)
    years = YearMask(parts.year)
    repetition = parts.repetition
    anchorDay = parts.repetition?.anchor.daysSince1970 ?? 0
    excludedDays = ExcludedDays(parts.exceptions)
    onlyWeekdays =
      parts.year.isEvery && parts.month.isEvery && parts.day.isEvery && parts.repetition == nil
      && parts.exceptions.isEmpty && parts.lastDate == nil
    firstTime = hours.trailingZeroBitCount * 3_600 + minutes.trailingZeroBitCount * 60 + seconds.trailingZeroBitCount
    lastTime = Self.highestBit(hours) * 3_600 + Self.highestBit(minutes) * 60 + Self.highestBit(seconds)
    guard !onlyWeekdays else { return }
    lastNamedDay = min(Self.lastDay, parts.lastDate?.daysSince1970 ?? Self.lastDay)
    let last = previousDay(Self.lastDay)
    (firstNamedDay, lastNamedDay) = last < 0 ? (0, -1) : (nextDay(0), last)
  }

  /// Index of the highest set bit; `mask` must not be 0.
  private static func highestBit(_ mask: UInt64) -> Int { 63 - mask.leadingZeroBitCount }

  /// Monday = 0; `day` must not be negative.
  @inline(__always)
  static func weekday(_ day: Int) -> Int { (day &+ 3) % 7 }

  /// The first local time at or after `local` (seconds as if UTC), or `Int64.max` if there is none.
  func next(atOrAfter local: Int64) -> Int64 {
    guard local >= 0 else { return next(atOrAfter: 0) }
    let day = Int(local / 86_400)
    guard day <= Self.lastDay else { return .max }
    let match = nextDay(day)
    guard match >= 0 else { return .max }
    if match > day { return Int64(match &* 86_400 &+ firstTime) }
    let time = nextTime(Int(local % 86_400))
    if time >= 0 { return Int64(day &* 86_400 &+ time) }
    let later = nextDay(day &+ 1)
    return later < 0 ? .max : Int64(later &* 86_400 &+ firstTime)
  }

  /// The last local time at or before `local`, or `Int64.min` if there is none.
  func previous(atOrBefore local: Int64) -> Int64 {
    guard local >= 0 else { return .min }
    let day = Int(local / 86_400)
    guard day <= Self.lastDay else { return previous(atOrBefore: Int64(Self.lastDay) * 86_400 + 86_399) }
    let match = previousDay(day)
    guard match >= 0 else { return .min }
    if match < day { return Int64(match &* 86_400 &+ lastTime) }
    let time = previousTime(Int(local % 86_400))
    if time >= 0 { return Int64(day &* 86_400 &+ time) }
    let earlier = previousDay(day &- 1)
    return earlier < 0 ? .min : Int64(earlier &* 86_400 &+ lastTime)
  }

  /// True if the expression names exactly this local time.
  func matches(_ local: Int64) -> Bool { next(atOrAfter: local) == local }

  // MARK: Time of day

  /// The first named second of the day at or after `time`, or -1.
  @inline(__always)
  private func nextTime(_ time: Int) -> Int {
    let hour = time / 3_600
    if hours &>> UInt64(hour) & 1 != 0 {
      let minute = time / 60 % 60
      if minutes &>> UInt64(minute) & 1 != 0 {
        let rest = seconds &>> UInt64(time % 60)
        if rest != 0 { return time &+ rest.trailingZeroBitCount }
      }
      let rest = minutes &>> UInt64(minute &+ 1)
      if rest != 0 {
        let next = minute &+ 1 &+ rest.trailingZeroBitCount
        return hour &* 3_600 &+ next &* 60 &+ seconds.trailingZeroBitCount
      }
    }
    let rest = hours &>> UInt64(hour &+ 1)
    guard rest != 0 else { return -1 }
    return (hour &+ 1 &+ rest.trailingZeroBitCount) &* 3_600 &+ firstTime % 3_600
  }

  /// The last named second of the day at or before `time`, or -1.
  @inline(__always)
  private func previousTime(_ time: Int) -> Int {
    let hour = time / 3_600
    if hours &>> UInt64(hour) & 1 != 0 {
      let minute = time / 60 % 60
      if minutes &>> UInt64(minute) & 1 != 0 {
        let rest = seconds & Self.maskThrough(time % 60)
        if rest != 0 { return time / 60 &* 60 &+ Self.highestBit(rest) }
      }
      let rest = minutes & Self.maskThrough(minute &- 1)
      if rest != 0 { return hour &* 3_600 &+ Self.highestBit(rest) &* 60 &+ Self.highestBit(seconds) }
    }
    let rest = hours & Self.maskThrough(hour &- 1)
    guard rest != 0 else { return -1 }
    return Self.highestBit(rest) &* 3_600 &+ lastTime % 3_600
  }

  /// Mask of the bits 0 to `bit`; empty for -1.
  @inline(__always)
  static func maskThrough(_ bit: Int) -> UInt64 { (1 &<< UInt64(bit &+ 1)) &- 1 }
}

/// The years of a rule as a bit set that starts at 1970.
struct YearMask: Sendable {
  private let words: SIMD4<UInt64>
  private let isEvery: Bool

  init(_ field: CalendarField) {
    var words = SIMD4<UInt64>(repeating: 0)
    field.forEach(.year) { year in
      words[(year - 1_970) >> 6] |= 1 << UInt64((year - 1_970) & 63)
    }
    self.words = words
    isEvery = field.isEvery
  }

  @inline(__always)
  func contains(_ year: Int) -> Bool {
    isEvery || words[(year &- 1_970) &>> 6] &>> UInt64((year &- 1_970) & 63) & 1 != 0
  }
}
