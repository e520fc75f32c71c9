import FlowCalendar
import FlowModel
import FlowPlatform
import Testing

/// Every clock change of every installed zone from 2020 to 2037.
@Suite struct TransitionTests {
  static let start = instant("2020-01-01T00:00:00Z")
  static let end = instant("2037-12-31T00:00:00Z")

  @Test func `each local date around a clock change has its daily slot exactly once`() throws {
    var looked = 0
    for name in zones.zoneNames() {
      let zone = try zones.zone(named: name)
      for change in zone.transitions(from: Self.start, to: Self.end) {
        // Times just before, in and just after the skipped or repeated hours.
        let middle = min(change.localBefore.secondsAsIfUTC, change.localAfter.secondsAsIfUTC)
        for away: Int64 in [-3_600, -1, 0, 1_800, 3_599, 3_600, 7_200] {
          let time = LocalDateTime(secondsAsIfUTC: middle + away).time
          let rule = CalendarRule(.daily(at: time), zone: zone)
          let from = change.instant.seconds - 4 * 86_400
          let slots = rule.occurrences(after: Timestamp(seconds: from))
            .prefix { $0.instant.seconds <= from + 8 * 86_400 }.map(\.nominal.date.daysSince1970)
          let first = slots.first ?? 0
          #expect(slots == Array(first..<first + slots.count), "\(name) \(change.instant) at \(time)")
          #expect((7...9).contains(slots.count), "\(name) \(change.instant) at \(time)")
          looked += 1
        }
      }
    }
    #expect(looked > 10_000)
  }

  @Test(arguments: [3_600, 900])
  func `an interval rule follows elapsed time through every clock change`(step: Int64) throws {
    let expression = try CalendarExpression(step == 3_600 ? "hourly" : "*:0/15")
    for name in zones.zoneNames() {
      let zone = try zones.zone(named: name)
      let rule = CalendarRule(expression, zone: zone)
      for change in zone.transitions(from: Self.start, to: Self.end) {
        // If the change is a multiple of the step, slots stay `step` apart; otherwise one distance at the change is shorter.
        let isWhole = (change.offsetAfter - change.offsetBefore) % Int(step) == 0
        var last: Int64?
        for slot in rule.occurrences(after: Timestamp(seconds: change.instant.seconds - 4 * 3_600)) {
          let seconds = slot.instant.seconds
          guard seconds < change.instant.seconds + 5 * 3_600 else { break }
          if let last {
            let spansChange = last < change.instant.seconds && seconds >= change.instant.seconds
            let isOdd = !isWhole && spansChange && seconds - last < step * 2
            #expect(seconds - last == step || isOdd, "\(name) \(change.instant)")
          }
          #expect(zone.local(at: slot.instant).time.secondOfDay % Int(step) == 0)
          last = seconds
        }
      }
    }
  }

  @Test(arguments: DaylightPolicy.Gap.allCases, DaylightPolicy.Fold.allCases)
  func `forward and backward searches give the same slots under every policy`(
    gap: DaylightPolicy.Gap, fold: DaylightPolicy.Fold
  ) throws {
    var looked = 0
    for name in [
      "America/New_York", "America/St_Johns", "Australia/Lord_Howe", "Europe/Dublin", "Africa/Casablanca",
      "Pacific/Apia", "Asia/Gaza", "America/Phoenix",
    ] {
      let zone = try zones.zone(named: name)
      // Around each change: by the minute in the affected hours, and once on the hour.
      for text in ["00..03:00,01,29,30,31,59", "*-*-* 01:30", "*-*-* 02:00", "*-*-* 01:59:59", "Sun 02:30"] {
        let rule = CalendarRule(try CalendarExpression(text), zone: zone, policy: DaylightPolicy(gap: gap, fold: fold))
        for change in zone.transitions(from: Self.start, to: instant("2026-12-31T00:00:00Z")) {
          let (from, to) = (change.instant.advanced(by: .hours(-50)), change.instant.advanced(by: .hours(50)))
          let forwards = Array(rule.occurrences(after: from).prefix { $0.instant < to })
          let backwards = Array(rule.occurrences(before: to).prefix { $0.instant > from }.reversed())
          #expect(forwards == backwards, "\(name) \(change.instant) \(text)")
          #expect(zip(forwards, forwards.dropFirst()).allSatisfy { $0.instant < $1.instant })
          looked += forwards.count
        }
      }
    }
    #expect(looked > 4_000)
  }
}
