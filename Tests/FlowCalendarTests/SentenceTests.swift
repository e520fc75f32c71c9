import FlowCalendar
import FlowModel
import FlowTestKit
import Foundation
import Testing

/// The sentence that a user confirms states exactly the rule. `POOLFLOW_SEED` reproduces a failure.
@Suite struct SentenceTests {
  private static let seed =
    ProcessInfo.processInfo.environment["POOLFLOW_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0...UInt64.max)
  private static let count = 600

  @Test(arguments: [
    ("*-*-01..15 07:00", "from the 1st to the 15th of every month at 07:00"),
    ("*-01..11-01 07:00", "on the 1st of every month from January to November at 07:00"),
    ("2026/1-*-01 07:00", "on the 1st of every month from 2026 on at 07:00"),
    ("2026..2030-*-* 07:00", "every day from 2026 to 2030 at 07:00"),
    ("2026/2-01-01 07:00", "on the 1st of January of every 2nd year from 2026 on at 07:00"),
    ("2027,2029-*-* 07:00", "every day in 2027 and 2029 at 07:00"),
    ("*-*-1..31/2 07:00", "every 2nd day from the 1st to the 31st of every month at 07:00"),
    ("*-*-01..05,10 07:00", "on the 1st to the 5th and the 10th of every month at 07:00"),
    ("*-*~01..03 07:00", "from the 3rd last to the last day of every month at 07:00"),
    ("*-*~01,03 07:00", "on the last and the 3rd last day of every month at 07:00"),
    ("Mon *-*-01..07 07:00", "on the 1st Monday of every month at 07:00"),
    ("Mon,Thu *-*-01..07 07:00", "Mondays and Thursdays that fall from the 1st to the 7th of every month at 07:00"),
    ("Mon..Fri,Sun 07:00", "Mondays, Tuesdays, Wednesdays, Thursdays, Fridays and Sundays at 07:00"),
    ("Fri *-06..08-* 07:00", "Fridays from June to August at 07:00"),
    ("*-01-* *:00", "every day in January, every hour"),
    ("Mon..Fri 08..16:0/15", "Monday to Friday, every 15 minutes from 08:00 to 16:45"),
    ("0/2:00", "every day, every 2 hours from 00:00 to 22:00"), ("08..10:00", "every day at 08:00, 09:00 and 10:00"),
    ("*:0/7", "at every 7th minute from 0 to 56 of every hour"), ("*:0/45", "at minutes 0 and 45 of every hour"),
    ("*:05", "every hour, 5 minutes past"), ("07:00:30", "every day at 07:00:30"),
    ("7..19:10,50", "every day at minutes 10 and 50 of the hours 7 to 19"),
    ("*:*:0/15", "at seconds 0, 15, 30 and 45 of every minute of every hour"),
    (
      "*-*-2,4,5,7,9,10,12,14,15,17,19,21,22,24,26,28,31 07:00",
      "on the 2nd, the 4th, the 5th, the 7th, the 9th, the 10th, the 12th, the 14th, the 15th, the 17th, the 19th, the "
        + "21st and 5 more of every month at 07:00"
    ),
    ("every month from 2026-01-31 at 07:00", "every month from 2026-01-31, where there is a 31st at 07:00"),
    ("Mon,Wed every 2 weeks from 2026-11-02 7:00", "on Mondays and Wednesdays, every 2 weeks from 2026-11-02 at 07:00"),
    ("Mon every 3 days from 2026-11-02 7:00", "every 3 days from 2026-11-02, only Mondays at 07:00"),
  ])
  func `a rule's sentence contains everything in the rule`(text: String, sentence: String) throws {
    #expect(try CalendarExpression(text).inWords == sentence)
  }

  @Test(arguments: [
    ("2027/1-02~01", "on the last day of February from 2027 on"),
    ("Tue 2020/1-11-02..08", "Tuesdays that fall from the 2nd to the 8th of November from 2020 on"),
    ("*-01..06-01", "on the 1st of every month from January to June"),
    ("Fri *-*-13", "Fridays that fall on the 13th of every month"),
  ])
  func `a day-off sentence contains everything in the days`(text: String, sentence: String) throws {
    #expect(try DaySpan(text, today: CivilDate(year: 2026, month: 11, day: 5)).inWords == sentence)
  }

  @Test func `a random rule's sentence, parsed back, has the same days and times`() throws {
    print("sentences of rules: seed \(Self.seed), \(Self.count) rules")
    for number in 0..<Self.count {
      var random = SeededNumbers(seed: Self.seed &+ UInt64(number) &* 0x2545_F491_4F6C_DD1D)
      let written = WrittenRule.random(using: &random)
      let expression = try CalendarExpression(written.text)
      let place: Comment = "seed \(Self.seed) number \(number): '\(written.text)' is '\(expression.inWords)'"
      var read: ReadSentence
      do { read = try ReadSentence(expression.inWords) } catch {
        Issue.record("\(place) cannot be read from \(error)")
        continue
      }
      Self.complete(&read, from: written, place)
      #expect(read.times == written.times, place)
      let year = Int.random(in: 1_970...2_196, using: &random)
      try Self.compareDays(read, expression, years: year...(year + 3), place)
    }
  }

  @Test func `a random day-off sentence, parsed back, has the same days`() throws {
    print("sentences of days off: seed \(Self.seed), \(Self.count) rules")
    let today = CivilDate(year: 2026, month: 11, day: 5)
    var compared = 0
    for number in 0..<Self.count {
      var random = SeededNumbers(seed: Self.seed &+ UInt64(number) &* 0x2545_F491_4F6C_DD1D)
      let (text, written) = Self.randomDays(using: &random)
      guard let span = try? DaySpan(text, today: today), CivilDate(span.description.prefix(10)) == nil else { continue }
      let place: Comment = "seed \(Self.seed) number \(number): '\(text)' is '\(span.inWords)'"
      guard var read = try? ReadSentence(span.inWords, isDaysOnly: true) else {
        Issue.record("\(place) cannot be read")
        continue
      }
      compared += 1
      if let written { Self.complete(&read, from: written, place) }
      let first = CivilDate(year: Int.random(in: 1_970...2_196, using: &random), month: 1, day: 1).daysSince1970
      let differs = (first..<first + 1_461).map(CivilDate.init(daysSince1970:)).first {
        span.contains($0) != read.names($0)
      }
      #expect(differs == nil, place)
    }
    #expect(compared > Self.count / 2)
  }

  /// Adds the numbers that a shortened list only counts, after checking the count.
  private static func complete(_ read: inout ReadSentence, from written: WrittenRule, _ place: Comment) {
    func complete(_ numbers: inout ReadSentence.Numbers?, from all: Set<Int>?) {
      guard let cut = numbers, cut.more > 0 else { return }
      #expect(cut.isAmong(all ?? []), place)
      numbers?.named = all ?? []
    }
    func complete(_ numbers: inout ReadSentence.Numbers, from all: [Int]) {
      guard numbers.more > 0 else { return }
      #expect(numbers.isAmong(Set(all)), place)
      numbers.named = Set(all)
    }
    complete(&read.years, from: written.years)
    complete(&read.days, from: written.days)
    complete(&read.hours, from: written.hours)
    complete(&read.minutes, from: written.minutes)
    complete(&read.seconds, from: written.seconds)
  }

  /// Compares the rule's days with the sentence's days.
  private static func compareDays(
    _ read: ReadSentence, _ expression: CalendarExpression, years: ClosedRange<Int>, _ place: Comment
  ) throws {
    let rule = CalendarRule(expression, zone: .utc)
    let start = CivilDate(year: years.lowerBound, month: 1, day: 1).daysSince1970
    let end = CivilDate(year: years.upperBound, month: 12, day: 31).daysSince1970
    var next = rule.next(after: Timestamp(seconds: Int64(start) * 86_400 - 1))
    for day in start...end {
      let named = next.map { $0.instant.seconds < Int64(day + 1) * 86_400 } ?? false
      guard read.names(CivilDate(daysSince1970: day)) == named else {
        Issue.record("\(place): \(CivilDate(daysSince1970: day)) is \(named ? "" : "not ")a day of the rule")
        return
      }
      if named { next = rule.next(after: Timestamp(seconds: Int64(day + 1) * 86_400 - 1)) }
    }
  }

  /// The date part of a random rule, and the rule itself; half of them are days of one month of every year.
  private static func randomDays(using random: inout SeededNumbers) -> (text: String, written: WrittenRule?) {
    let weekday = ["", "", "Mon ", "Thu ", "Sat,Sun "].randomElement(using: &random) ?? ""
    let year = ["*", "*", "2020/1", "2030/1", "2026..2040", "2024/4"].randomElement(using: &random) ?? "*"
    let (isFromEnd, isWeek) = (Int.random(in: 0..<4, using: &random) == 0, Bool.random(using: &random))
    let first = isWeek ? 7 * Int.random(in: 0...3, using: &random) + 1 : Int.random(in: 1...28, using: &random)
    let last = isWeek ? first + 6 : Int.random(in: first...28, using: &random)
    let month = Int.random(in: 1...12, using: &random)
    let written = WrittenRule.random(using: &random)
    guard Bool.random(using: &random), let normal = try? CalendarExpression(written.text).description else {
      let days = last == first ? "\(first)" : "\(first)..\(last)"
      return ("\(weekday)\(year)-\(month)\(isFromEnd ? "~" : "-")\(days)", nil)
    }
    return (normal.split(separator: " ").filter { !$0.contains(":") }.joined(separator: " "), written)
  }
}

extension WrittenRule {
  /// Seconds of the day.
  fileprivate var times: Set<Int> {
    Set(
      hours.flatMap { hour in
        minutes.flatMap { minute in seconds.map { hour * 3_600 + minute * 60 + $0 } }
      })
  }
}
