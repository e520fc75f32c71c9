package import FlowModel

/// A calendar expression: systemd's OnCalendar syntax, extended by anchored repetition, a last day and exceptions.
///
/// Examples: `Mon..Fri 07:00`, `*-*~1 18:30 Europe/Berlin`, `quarterly`, `every 2 weeks from 2026-11-02 07:00`, `daily except
/// 2026-12-24..2026-12-26`. `description` is the normal form; parsing it gives an equal expression.
package struct CalendarExpression: Hashable, Sendable, CustomStringConvertible {
  /// Shared by all copies, so that copying costs one retain.
  private let shared: SharedParts
  /// Details of the spelling that `CalendarWarning` uses; ignored by equality.
  let hints: SpellingHints

  /// - Throws: `CalendarError` with the column, the expected input and a suggestion.
  package init(_ text: String) throws(CalendarError) {
    var parser = CalendarParser(text)
    self = try parser.expression()
  }

  init(parts: CalendarParts, hints: SpellingHints = SpellingHints()) {
    shared = SharedParts(parts)
    self.hints = hints
  }

  var parts: CalendarParts { shared.value }

  /// Every day at `time`.
  package static func daily(at time: TimeOfDay) -> CalendarExpression {
    CalendarExpression(parts: CalendarParts(time: time))
  }

  /// Once a week, on `weekday` at `time`.
  package static func weekly(on weekday: Weekday, at time: TimeOfDay) -> CalendarExpression {
    var parts = CalendarParts(time: time)
    parts.weekdays = 1 << UInt8((weekday.rawValue + 5) % 7)
    return CalendarExpression(parts: parts)
  }

  /// The zone named at the end of the expression, or nil if the owner's zone applies.
  package var zoneName: String? { parts.zoneName }

  /// True if hour, minute or second contains `*`, `..` or `/`. Such a rule follows elapsed time through clock changes; other
  /// rules name clock times.
  package var isInterval: Bool { !(parts.hour.isPlain && parts.minute.isPlain && parts.second.isPlain) }

  /// The same expression with `last` as its last day (inclusive); nil removes the end.
  package func ending(on last: CivilDate?) -> CalendarExpression {
    var parts = parts
    parts.lastDate = last
    return CalendarExpression(parts: parts)
  }

  package var description: String { parts.description }

  package static func == (left: CalendarExpression, right: CalendarExpression) -> Bool {
    left.shared === right.shared || left.parts == right.parts
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(parts) }
}

/// Spelling details that the normal form loses.
struct SpellingHints: Sendable {
  /// Seconds are written explicitly.
  var writesSeconds = false
  /// A time is written with am or pm, so it may lack a colon.
  var writesHalfDay = false
  /// A date, a weekday or a shorthand such as `daily` is written.
  var writesDate = false
}
