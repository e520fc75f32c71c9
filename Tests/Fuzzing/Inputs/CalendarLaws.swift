import FlowCalendar
import FlowModel

/// Properties of every rule: its occurrences are one set of instants, from every starting point.
enum CalendarLaws {
  /// The maximum duration of a calendar call, for any expression and zone.
  static let promise: Duration = .milliseconds(1)

  static func check(_ rule: CalendarRule, around instant: Timestamp, _ limit: TimeLimit) throws(BrokenLaw) {
    func place() -> String { "'\(rule.expression)' in \(rule.zone.name), \(rule.policy), around \(instant)" }
    if let next = try limit.call("next", promise, { rule.next(after: instant) }) {
      try require(next.instant > instant, "next is not later: \(place())")
      let again = rule.previous(before: Timestamp(milliseconds: next.instant.milliseconds + 1))
      try require(again == next, "previous does not find what next found: \(place())")
      let before = rule.previous(before: next.instant)
      try require(before.map { $0.instant <= instant } ?? true, "next jumps over one: \(place())")
      let later = rule.next(after: next.instant)
      try require(later.map { $0.instant > next.instant } ?? true, "next stands still: \(place())")
    }
    if let previous = try limit.call("previous", promise, { rule.previous(before: instant) }) {
      try require(previous.instant < instant, "previous is not earlier: \(place())")
      let again = rule.next(after: Timestamp(milliseconds: previous.instant.milliseconds - 1))
      try require(again == previous, "next does not find what previous found: \(place())")
      let after = rule.next(after: previous.instant)
      try require(after.map { $0.instant >= instant } ?? true, "previous jumps over one: \(place())")
    }
  }

  /// Both directions give the same occurrences of a period.
  static func checkStretch(
    _ rule: CalendarRule, from start: Timestamp, to end: Timestamp, atMost count: Int
  ) throws(BrokenLaw) {
    var forward: [Occurrence] = []
    for occurrence in rule.occurrences(after: start) {
      guard occurrence.instant < end, forward.count < count else { break }
      forward.append(occurrence)
    }
    guard forward.count < count else { return }
    var backward: [Occurrence] = []
    for occurrence in rule.occurrences(before: end) {
      guard occurrence.instant > start, backward.count < count else { break }
      backward.append(occurrence)
    }
    try require(
      forward == backward.reversed(),
      "'\(rule.expression)' in \(rule.zone.name), \(rule.policy), differs by direction from \(start) to \(end)")
  }
}
