import FlowCalendar
import FlowModel
import FlowPlatform
import Foundation
import Glibc

/// Measures the calendar and, in the same run, the C library's `mktime` and Foundation's `Calendar.nextDate`.
func benchCalendar() {
  do {
    try CalendarBench().run()
  } catch {
    benchFailed("calendar", error)
  }
}

private struct CalendarBench {
  private static let weekdays = "Mon..Fri *-*-* 07:00"

  private let zones = SystemZones()
  private let newYork: Zone
  /// Instants across 2026 to 2028, so that branch prediction cannot learn them.
  private let instants: [Timestamp]

  init() throws {
    newYork = try zones.zone(named: "America/New_York")
    var state: UInt64 = 42
    instants = (0..<4_096).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Timestamp(seconds: 1_767_225_600 + Int64((state >> 33) % 94_000_000))
    }
  }

  func run() throws {
    print("calendar: nanoseconds per call, median of 15 rounds")
    let expressions = [
      "*-*-* 07:00", Self.weekdays, "Sun 17:00", "*:0/15", "hourly", "*-*-01 00:00", "*-*~01 18:30",
      "quarterly",
    ]
    var means = [Double](repeating: 0, count: 15)
    for text in expressions {
      let rule = CalendarRule(try CalendarExpression(text), zone: newYork)
      let time = measure(instants.count) { rule.next(after: instants[$0])?.instant.milliseconds ?? 0 }
      let back = measure(instants.count) { rule.previous(before: instants[$0])?.instant.milliseconds ?? 0 }
      means = zip(means, time).map { $0 + $1 / Double(expressions.count) }
      figureLine("next \(text)", time)
      figureLine("previous \(text)", back)
    }
    figureLine("next, mean in one zone", means, .reference(200))
    try acrossZones(expressions)
    try worst()
    try parsing()
    try planning()
    try beside()
  }

  private func acrossZones(_ expressions: [String]) throws {
    let parsed = try expressions.map { try CalendarExpression($0) }
    let names = zones.zoneNames()
    var rules: [CalendarRule] = []
    for (index, name) in names.enumerated() {
      rules.append(CalendarRule(parsed[index % parsed.count], zone: try zones.zone(named: name)))
    }
    let count = rules.count * 8
    let time = measure(count) { index in
      rules[index % rules.count].next(after: instants[index & 4_095])?.instant.milliseconds ?? 0
    }
    figureLine("next, mean across \(names.count) zones", time, .reference(400))
  }

  private func worst() throws {
    for text in ["Mon *-02-29 07:00", "*-02-30 07:00", "*-*-30,31 07:00 except 1970-01-01..2199-12-31"] {
      let rule = CalendarRule(try CalendarExpression(text), zone: newYork)
      let time = measure(256) { rule.next(after: instants[$0])?.instant.milliseconds ?? 0 }
      let back = measure(256) { rule.previous(before: instants[$0])?.instant.milliseconds ?? 0 }
      figureLine("worst: \(text)", zip(time, back).map { max($0, $1) }, .reference(20_000))
    }
  }

  private func parsing() throws {
    for text in ["daily", "Mon..Fri 07:00", "*-*-* 00/2:00 Europe/Berlin", "Mon,Fri *-01/2-01,03 *:30:45"] {
      let time = measure(2_048) { _ in (try? CalendarExpression(text))?.isInterval == true ? 1 : 2 }
      figureLine("parse \(text)", time, .reference(2_000))
    }
  }

  private func planning() throws {
    let names = ["America/New_York", "America/Phoenix", "Europe/Berlin", "Australia/Sydney", "America/Los_Angeles"]
    let schedules = try (0..<100_000).map { index -> Schedule in
      let weekly = index % 3 == 0 ? "Sun " : ""
      let text = "\(weekly)\(5 + index % 14):\(padded(index * 7 % 60, 2))"
      return .calendar(
        CalendarRule(try CalendarExpression(text), zone: try zones.zone(named: names[index % names.count])))
    }
    let whole = measure(1) { index in
      RunPlanner.nextWakeUp(schedules, after: instants[index])?.milliseconds ?? 0
    }
    figureLine("next wake-up of 100,000 rules", whole, .reference(50_000_000))
    let plans = measure(schedules.count) { index in
      let now = instants[index & 4_095]
      let plan = RunPlanner.plan(
        schedule: schedules[index], cursor: now.advanced(by: .hours(-30)), now: now, policy: .latest(within: .hours(5)))
      return plan.next?.instant.milliseconds ?? 0
    }
    figureLine("plan of one rule after 30 hours of downtime", plans)
    let minutely = Schedule.calendar(CalendarRule(try CalendarExpression("minutely"), zone: newYork))
    let decade = measure(16) { index in
      let now = instants[index]
      let plan = RunPlanner.plan(
        schedule: minutely, cursor: now.advanced(by: .hours(-87_600)), now: now, policy: .latest(within: .hours(5)))
      return Int64(plan.missedSlots.count)
    }
    figureLine("plan of a minutely rule after ten years of downtime", decade)
  }

  /// `Mon..Fri 07:00` by other implementations.
  ///
  /// The bounds leave the same room as the limit of 200 ns does, 3.2 times the 62 ns of the reference machine. There, in builds
  /// for speed, libc took at least 10.7 times our time, Foundation 232 and croniter 1,626 times.
  private func beside() throws {
    let rule = CalendarRule(try CalendarExpression(Self.weekdays), zone: newYork)
    func ours(_ index: Int) -> Int64 { rule.next(after: instants[index & 4_095])?.instant.milliseconds ?? 0 }
    setenv("TZ", "America/New_York", 1)
    tzset()
    compare("libc mktime", 1_024, .atLeast(3.3), ours) { index in
      var seconds = time_t(instants[index].seconds)
      var parts = tm()
      localtime_r(&seconds, &parts)
      while true {
        (parts.tm_hour, parts.tm_min, parts.tm_sec, parts.tm_isdst) = (7, 0, 0, -1)
        let candidate = mktime(&parts)
        if candidate > seconds, (1...5).contains(parts.tm_wday) { return Int64(candidate) }
        parts.tm_mday += 1
      }
    }
    guard let zone = TimeZone(identifier: "America/New_York") else { return }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    let parts = DateComponents(hour: 7, minute: 0, second: 0)
    compare("Foundation.Calendar", 256, .atLeast(72), ours) { index in
      var date = Date(timeIntervalSince1970: Double(instants[index].seconds))
      while let next = calendar.nextDate(after: date, matching: parts, matchingPolicy: .nextTime) {
        if (2...6).contains(calendar.component(.weekday, from: next)) { return Int64(next.timeIntervalSince1970) }
        date = next
      }
      return 0
    }
    guard let croniter = croniter() else {
      return notMeasured("croniter, times our time", "python3 has no croniter")
    }
    figureLine("Mon..Fri 07:00 by croniter", [croniter], .baseline)
    figureLine("croniter, times our time", ratios([croniter], to: measure(1_024, ours)), .atLeast(500))
  }

  /// Measures `other` and ours alternately, so that other load on the machine affects both.
  private func compare(
    _ name: String, _ count: Int, _ bound: Bound, _ ours: (Int) -> Int64, _ other: (Int) -> Int64
  ) {
    var (times, factors): ([Double], [Double]) = ([], [])
    for _ in 0..<5 {
      let own = measure(count, ours).sorted()
      let their = measure(count, other).sorted()
      times.append(their[their.count / 2])
      factors.append(their[their.count / 2] / own[own.count / 2])
    }
    figureLine("Mon..Fri 07:00 by \(name)", times, .baseline)
    figureLine("\(name), times our time", factors, bound)
  }

  /// croniter, if Python has it; the time is measured inside its process, without the start.
  private func croniter() -> Double? {
    let script = """
      import time, croniter, datetime
      base = datetime.datetime(2026, 3, 2, 12, 0)
      times = []
      for _ in range(300):
          start = time.perf_counter_ns()
          croniter.croniter("0 7 * * 1-5", base).get_next(datetime.datetime)
          times.append(time.perf_counter_ns() - start)
      print(sorted(times)[150])
      """
    return pythonNumber(["-c", script])
  }

  // MARK: Measuring

  /// Nanoseconds of a call in each of 15 rounds.
  private func measure(_ count: Int, _ body: (Int) -> Int64) -> [Double] {
    var rounds: [Double] = []
    var sum: Int64 = 0
    for _ in 0..<16 {
      let start = ContinuousClock.now
      for index in 0..<count { sum &+= body(index) }
      rounds.append((ContinuousClock.now - start) / .nanoseconds(1) / Double(count))
    }
    if sum == 1 { print("never printed; keeps the work alive") }
    // The first round warms up the caches.
    return Array(rounds.dropFirst())
  }
}
