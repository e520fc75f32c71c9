import FlowCalendar
import FlowModel

/// Bytes as a file of the tz database.
enum TZifInput {
  static func check(_ bytes: [UInt8], _ limit: TimeLimit) throws(BrokenLaw) {
    let result: Result<Zone, ZoneError> = try limit.call("reading", CalendarLaws.promise) {
      do throws(ZoneError) { return .success(try Zone.parse(name: "Test/Zone", tzif: bytes)) } catch {
        return .failure(error)
      }
    }
    guard case .success(let zone) = result else { return }
    let changes = zone.transitions(from: Timestamp(seconds: -4_000_000_000), to: Timestamp(seconds: 7_258_118_400))
    try require(
      zip(changes, changes.dropFirst()).allSatisfy { $0.instant < $1.instant }, "changes are out of order")
    // Changes at both ends: those in the file and those from its footer.
    let some = changes.prefix(6) + changes.dropFirst(6).suffix(2)
    for change in some {
      for second in [-1, 0, 1] {
        try checkInstant(zone, Timestamp(seconds: change.instant.seconds + Int64(second)), limit)
      }
    }
    for instant in extremes { try checkInstant(zone, instant, limit) }
    for (index, rule) in rules(zone).enumerated() {
      for change in some.suffix(3) {
        try CalendarLaws.check(rule, around: change.instant, limit)
        let start = Timestamp(seconds: change.instant.seconds - 40_000)
        let end = Timestamp(seconds: change.instant.seconds + 40_000)
        try CalendarLaws.checkStretch(rule, from: start, to: end, atMost: 120)
      }
      if index == 0 { for instant in extremes { try CalendarLaws.check(rule, around: instant, limit) } }
      _ = try limit.call("forecasting", CalendarLaws.promise) {
        rule.daylightForecast(from: Timestamp(seconds: 1_767_225_600), to: Timestamp(seconds: 1_798_761_600))
      }
    }
  }

  /// The local time at an instant resolves back to that instant.
  private static func checkInstant(_ zone: Zone, _ instant: Timestamp, _ limit: TimeLimit) throws(BrokenLaw) {
    let local = try limit.call("looking up", CalendarLaws.promise) { zone.local(at: instant) }
    _ = zone.abbreviation(at: instant)
    // Outside of the supported years, local times need not resolve.
    guard abs(instant.seconds) < 7_258_118_400 else { return }
    let whole = Timestamp(seconds: instant.seconds)
    switch try limit.call("resolving", CalendarLaws.promise, { zone.resolve(local) }) {
    case .once(let found): try require(found == whole, "\(local) is shown at \(whole), not only at \(found)")
    case .twice(let first, let second):
      try require(first < second, "\(local): the second pass is not later")
      try require(zone.local(at: first) == local && zone.local(at: second) == local, "\(local) is not shown twice")
    case .gap: throw BrokenLaw("\(local) is shown at \(whole) and said to be in a gap")
    }
  }

  private static func rules(_ zone: Zone) -> [CalendarRule] {
    let policies = [
      DaylightPolicy.standard, DaylightPolicy(gap: .skip, fold: .second), DaylightPolicy(gap: .after, fold: .both),
    ]
    return expressions.enumerated().map { index, expression in
      CalendarRule(expression, zone: zone, policy: policies[index % policies.count])
    }
  }

  private static let expressions = ["02:30", "00..23:00,15,30,45", "*:0/20", "Sun *-*-* 00:00"].map { text in
    do throws(CalendarError) { return try CalendarExpression(text) } catch {
      fatalError("'\(text)' is refused: \(error)")
    }
  }

  private static let extremes = [
    Timestamp(milliseconds: .min), Timestamp(seconds: -5_000_000_000), Timestamp(seconds: 0),
    Timestamp(seconds: 1_772_953_200), Timestamp(seconds: 7_258_118_399), Timestamp(seconds: 7_289_654_400),
    Timestamp(seconds: 64_060_588_800), Timestamp(milliseconds: .max),
  ]
}
