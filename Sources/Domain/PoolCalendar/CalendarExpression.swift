package import PoolModel

/// A calendar expression: systemd's language for points in time, with anchored repetition and exceptions added.
///
/// `Mon..Fri 07:00`, `*-*~1 18:30 Europe/Berlin`, `quarterly`, `every 2 weeks from 2026-11-02 07:00`,
/// `daily except 2026-12-24..2026-12-26`. The grammar is written out in the room card. `description` is the normal form,
/// and reading a normal form gives an equal expression back.
package struct CalendarExpression: Hashable, Sendable, CustomStringConvertible {
  /// Shared by all copies, so that a copy costs one reference count.
  private let shared: SharedParts
  /// What the writer's spelling hints at beyond its meaning; no part of equality.
  let hints: SpellingHints

  /// - Throws: `CalendarError` with the column, what was expected there and the nearest thing that fits.
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

  /// Once a week.
  package static func weekly(on weekday: Weekday, at time: TimeOfDay) -> CalendarExpression {
    var parts = CalendarParts(time: time)
    parts.weekdays = 1 << UInt8((weekday.rawValue + 5) % 7)
    return CalendarExpression(parts: parts)
  }

  /// The zone named at the end of the expression, or nil where the rule's own zone applies.
  package var zoneName: String? { parts.zoneName }

  /// True when hour, minute or second has `*`, `..` or `/`: the rule then follows real time through daylight-saving
  /// changes. Otherwise it names clock times.
  package var isInterval: Bool { !(parts.hour.isPlain && parts.minute.isPlain && parts.second.isPlain) }

  /// The same up to and including a last day; nil for one without an end.
  package func ending(on last: CivilDate?) -> CalendarExpression {
    var parts = parts
    parts.lastDate = last
    return CalendarExpression(parts: parts)
  }

  /// The normal form.
  package var description: String { parts.description }

  package static func == (left: CalendarExpression, right: CalendarExpression) -> Bool {
    left.shared === right.shared || left.parts == right.parts
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(parts) }
}

/// Traces of how an expression was written.
struct SpellingHints: Sendable {
  /// The seconds were written, not implied.
  var writesSeconds = false
  /// A time was written with am or pm, which may have no colon.
  var writesHalfDay = false
  /// A date, a weekday or a shorthand was written.
  var writesDate = false
}
