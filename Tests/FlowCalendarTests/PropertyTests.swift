import FlowCalendar
import FlowModel
import FlowPlatform
import FlowTestKit
import Foundation
import Testing

/// Random rules, zones and instants compared with the slow model. `POOLFLOW_CALENDAR_TRIPLES` sets their number (default
/// 5,000), `POOLFLOW_SEED` the seed; a failure prints seed and number, which reproduce the triple.
@Suite struct PropertyTests {
  private static let environment = ProcessInfo.processInfo.environment
  static let count = environment["POOLFLOW_CALENDAR_TRIPLES"].flatMap { Int($0) } ?? 5_000
  static let seed = environment["POOLFLOW_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0...UInt64.max)

  @Test func `every random triple equals the slow model`() async throws {
    print("calendar property test: seed \(Self.seed), \(Self.count) triples")
    let names = zones.zoneNames()
    try await Self.inParts(Self.count) { number in
      try Self.check(
        number, { .random(using: &$0) }, in: { try zones.zone(named: names.randomElement(using: &$0) ?? "UTC") },
        at: Self.instant)
    }
  }

  /// No installed zone changes twice within days, shows a local time three times or shows elsewhere a time that a gap skipped.
  /// A future one may.
  @Test func `random triples equal the slow model in zones with frequent clock changes`() async throws {
    let count = Self.count / 2
    print("calendar property test of made zones: seed \(Self.seed), \(count) triples")
    try await Self.inParts(count) { number in
      let rule: (inout SeededNumbers) -> WrittenRule = {
        number.isMultiple(of: 2) ? .random(using: &$0) : .aboutQuarters(using: &$0)
      }
      try Self.check(number, rule, in: Self.restlessZone) { zone, random in
        let changes = zone.transitions(from: Timestamp(milliseconds: 0), to: Timestamp(seconds: 7_258_118_400))
        let change = changes.randomElement(using: &random)?.instant ?? Timestamp(milliseconds: 0)
        return Timestamp(seconds: change.seconds + Int64.random(in: -150_000...150_000, using: &random))
      }
    }
  }

  private static func inParts(_ count: Int, _ check: @escaping @Sendable (Int) throws -> Void) async throws {
    let parts = 16
    try await withThrowingTaskGroup(of: Void.self) { group in
      for part in 0..<parts {
        group.addTask { for number in stride(from: part, to: count, by: parts) { try check(number) } }
      }
      try await group.waitForAll()
    }
  }

  /// A zone with up to six changes a few hours apart (the slow model checks every hour), to offsets up to a day apart.
  private static func restlessZone(using random: inout SeededNumbers) throws -> Zone {
    var builder = TZifTests.Builder()
    let step = [900, 1_800, 3_600, 3_600].randomElement(using: &random) ?? 3_600
    let widest = [2, 4, 12, 24].randomElement(using: &random) ?? 2
    let offsets = (0..<4).map { _ in Int.random(in: -widest...widest, using: &random) * step }
    builder.types = offsets.map { (Int32($0), 0) }
    var time = Int64.random(in: 86_400 * 10...7_257_000_000, using: &random) / 900 * 900
    for _ in 0..<Int.random(in: 1...6, using: &random) {
      builder.times.append(time)
      builder.kinds.append(UInt8.random(in: 0..<4, using: &random))
      time += Int64.random(in: 4...(Bool.random(using: &random) ? 24 : 200), using: &random) * 900
    }
    return try Zone.parse(name: "Test/Restless", tzif: builder.bytes())
  }

  private static func check(
    _ number: Int, _ rule: (inout SeededNumbers) -> WrittenRule, in zone: (inout SeededNumbers) throws -> Zone,
    at instant: (Zone, inout SeededNumbers) -> Timestamp
  ) throws {
    var random = SeededNumbers(seed: seed &+ UInt64(number) &* 0x2545_F491_4F6C_DD1D)
    let written = rule(&random)
    let zone = try zone(&random)
    let policy = DaylightPolicy(
      gap: Int.random(in: 0..<4, using: &random) == 0 ? .skip : .after,
      fold: Int.random(in: 0..<3, using: &random) > 0 ? .first : Bool.random(using: &random) ? .second : .both)
    let after = instant(zone, &random)
    let expression: CalendarExpression
    do { expression = try CalendarExpression(written.text) } catch {
      Issue.record("seed \(seed) number \(number): '\(written.text)' is refused: \(error)")
      return
    }
    let rule = CalendarRule(expression, zone: zone, policy: policy)
    // Evaluated only on a failure.
    func place() -> Comment {
      "seed \(seed) number \(number): '\(written.text)' \(zone.name) \(policy.gap) \(policy.fold) after \(after)"
    }
    #expect(expression.isInterval == written.isInterval, place())

    let model = SlowModel(rule: written, zone: zone, policy: policy)
    let next = rule.next(after: after)
    let expected = model.next(after: after.seconds)
    #expect(next == expected, place())

    // Parsing the normal form gives the same rule.
    let again = try CalendarExpression(expression.description)
    #expect(again == expression && again.description == expression.description, place())

    // `previous` and `next` use the same set of instants.
    if let next {
      #expect(rule.previous(before: Timestamp(milliseconds: next.instant.milliseconds + 1)) == next, place())
      let before = rule.previous(before: next.instant)
      #expect(before.map { $0.instant <= after } ?? true, place())
    }
    let previous = rule.previous(before: after)
    if let previous {
      #expect(previous.instant < after, place())
      #expect(rule.next(after: Timestamp(milliseconds: previous.instant.milliseconds - 1)) == previous, place())
      let following = rule.next(after: previous.instant)
      #expect(following.map { $0.instant >= after } ?? true, place())
    } else {
      let first = rule.next(after: Timestamp(seconds: -200_000))
      #expect(first.map { $0.instant >= after } ?? true, place())
    }
  }

  /// Half of the instants are within two days of a clock change.
  private static func instant(in zone: Zone, using random: inout SeededNumbers) -> Timestamp {
    let any = Timestamp(milliseconds: Int64.random(in: -100_000_000...7_258_204_800_000, using: &random))
    guard Bool.random(using: &random) else { return Timestamp(seconds: any.seconds) }
    let changes = zone.transitions(from: any, to: any.advanced(by: .seconds(400 * 86_400)))
    guard let change = changes.randomElement(using: &random) else { return any }
    let away: Int64 =
      Bool.random(using: &random)
      ? Int64.random(in: -12...12, using: &random) * 900 + Int64.random(in: -1...1, using: &random)
      : Int64.random(in: -172_800...172_800, using: &random)
    return Timestamp(seconds: change.instant.seconds + away)
  }
}
