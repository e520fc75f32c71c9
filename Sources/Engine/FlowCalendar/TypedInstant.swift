package import FlowModel

/// A point in time as users type it, parsed the same way in every command and call.
///
/// Forms: `now`, `today`, `tomorrow 18:00`, `yesterday`, `mon`, `mon 07:00`, `07:00`, `6:30am`, `-7d`, `+2h`, `2026-03-02`,
/// `2026-03-02 07:00`, `2026-03-02T14:00:00Z`. A weekday means its next date after today; a date without a time means its first
/// instant; texts without a UTC offset use the zone's local time.
package struct TypedInstant: Hashable, Sendable {
  package let instant: Timestamp
  /// The named day; nil if the text names an instant such as `now` or `+2h`.
  package let date: CivilDate?
  /// True if the text names a day without a time.
  package let isWholeDay: Bool

  /// Accepted forms, for error messages and help.
  package static let forms =
    "now, today, tomorrow 18:00, yesterday, mon, 07:00, 6:30pm, -7d, +2h, 2026-03-02, '2026-03-02 07:00' or 2026-03-02T14:00:00Z"

  /// Direction of a duration without a sign, such as `2w`.
  package enum Direction: Sendable {
    case back, ahead
  }

  /// - Parameter bare: direction of a duration without a sign; nil rejects such durations.
  /// - Returns: nil if the text has none of the forms or lies outside the years 1970 to 2199.
  package init?(_ text: String, now: Timestamp, zone: Zone, bare: Direction? = nil) {
    guard text.utf8.count <= Self.longestText else { return nil }
    let trimmed = text.split(separator: " ").joined(separator: " ")
    let sign = bare.map { $0 == .back ? "-" : "+" }
    let found =
      Self.absolute(trimmed) ?? Self.relative(trimmed, now: now, zone: zone)
      ?? sign.flatMap { Self.relative($0 + trimmed, now: now, zone: zone) }
      ?? Self.dayOrTime(trimmed, now: now, zone: zone)
    guard let found, Self.years.contains(zone.local(at: found.instant).date.year) else { return nil }
    self = found
  }

  private static let longestText = 64
  private static let years = 1_970...2_199

  private init(_ instant: Timestamp, date: CivilDate? = nil, isWholeDay: Bool = false) {
    self.instant = instant
    self.date = date
    self.isWholeDay = isWholeDay
  }

  private static func absolute(_ text: String) -> TypedInstant? { Timestamp(rfc3339: text).map { TypedInstant($0) } }

  /// Parses `+90s`, `-2h`, `+7d`, `-2w`; days and weeks are calendar days at the same clock time.
  private static func relative(_ text: String, now: Timestamp, zone: Zone) -> TypedInstant? {
    guard let sign = text.first, sign == "+" || sign == "-", let unit = text.last,
      let size = Int(text.dropFirst().dropLast()), text.dropFirst().dropLast().utf8.allSatisfy(CalendarParser.isDigit),
      size <= 100_000
    else { return nil }
    let count = sign == "-" ? -size : size
    switch unit {
    case "s": return TypedInstant(now.advanced(by: .seconds(count)))
    case "m": return TypedInstant(now.advanced(by: .minutes(count)))
    case "h": return TypedInstant(now.advanced(by: .hours(count)))
    case "d": return TypedInstant(zone.sameTime(count, daysAfter: now))
    case "w": return TypedInstant(zone.sameTime(count * 7, daysAfter: now))
    default: return nil
    }
  }

  /// Parses a day, a time of today, or both.
  private static func dayOrTime(_ text: String, now: Timestamp, zone: Zone) -> TypedInstant? {
    if text.lowercased() == "now" { return TypedInstant(now) }
    let today = zone.local(at: now).date
    if let time = try? TimeOfDay(typed: text) { return at(time, on: today, zone) }
    let first = text.prefix { $0 != " " }
    guard let date = day(first, today: today) else { return nil }
    guard first.endIndex < text.endIndex else {
      let start = zone.resolve(LocalDateTime(date: date, time: .midnight)).standard
      return TypedInstant(start, date: date, isWholeDay: true)
    }
    return (try? TimeOfDay(typed: text[first.endIndex...].dropFirst())).map { at($0, on: date, zone) }
  }

  private static func at(_ time: TimeOfDay, on date: CivilDate, _ zone: Zone) -> TypedInstant {
    TypedInstant(zone.resolve(LocalDateTime(date: date, time: time)).standard, date: date)
  }

  /// Whether a word is the name of today's weekday: a reader may take it for today, or for the same day of next week.
  package static func isTodaysWeekday(_ word: some StringProtocol, today: CivilDate) -> Bool {
    CalendarKeywords.weekday(Array(word.lowercased().utf8)[...]) != nil
      && day(word, today: today) == today.adding(days: 7)
  }

  /// The refusal of the name of today's weekday.
  package static func ambiguous(_ word: String, today: CivilDate) -> String {
    "today is \(today.weekday.abbreviation) \(today), so '\(word)' may mean today or next week; write \(today) or "
      + "\(today.adding(days: 7))"
  }

  /// The day named by a single word: `today`, `tomorrow`, `yesterday`, a weekday or a date; nil for other texts.
  package static func day(_ word: some StringProtocol, today: CivilDate) -> CivilDate? {
    let word = word.lowercased()
    switch word {
    case "today": return today
    case "tomorrow": return today.adding(days: 1)
    case "yesterday": return today.adding(days: -1)
    default: break
    }
    if let weekday = CalendarKeywords.weekday(Array(word.utf8)[...]) {
      let ahead = (weekday - RuleMatcher.weekday(max(0, today.daysSince1970)) + 6) % 7 + 1
      return today.adding(days: ahead)
    }
    return CivilDate(word)
  }
}
