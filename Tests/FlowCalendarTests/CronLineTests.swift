import FlowCalendar
import FlowModel
import FlowTestKit
import Testing

struct CronLineTests {
  @Test(arguments: [
    ("0 7 * * 1-5", "Mon..Fri *-*-* 07:00:00"), ("*/15 * * * *", "*-*-* *:00/15:00"),
    ("30 18 1,15 * *", "*-*-01,15 18:30:00"), ("0 9 * jan-mar sun", "Sun *-01..03-* 09:00:00"),
    ("0 9 * * 7", "Sun *-*-* 09:00:00"), ("0 9 * * 0-7", "*-*-* 09:00:00"), ("5 0-23/2 * * *", "*-*-* 00/2:05:00"),
    ("10-50/20 8 * 12 *", "*-12-* 08:10/20:00"), ("0,30 8-10 * * Mon,wed", "Mon,Wed *-*-* 08..10:00,30:00"),
    ("0 0 */2 * 1", "Mon *-*-01/2 00:00:00"), ("@daily", "*-*-* 00:00:00"), ("@weekly", "Sun *-*-* 00:00:00"),
    ("@hourly", "*-*-* *:00:00"), ("  0\t7 * * *  ", "*-*-* 07:00:00"),
  ])
  func `a cron line becomes a rule with the same instants`(line: String, rule: String) throws {
    let cron = try CronLine(line)
    #expect(cron.rule.description == rule)
    #expect(try CalendarExpression(written: "cron:\(line)") == cron.rule)
    // Without the mark `cron:` the line is recognised and refused.
    #expect(throws: RuleRefusal.unmarkedCron(cron)) { try CalendarExpression(written: line) }
  }

  /// Compared with the definition in crontab(5) for every minute of two years.
  @Test func `a random cron line occurs where its fields say`() throws {
    var random = SeededNumbers(seed: 20_26)
    for _ in 0..<300 {
      let line = Line(using: &random)
      let rule = CalendarRule(try CronLine(line.text).rule, zone: .utc)
      var at = Timestamp(seconds: Int64.random(in: 1_700_000_000...1_800_000_000, using: &random))
      for _ in 0..<4 {
        let found = rule.next(after: at)?.instant
        var minute = (at.seconds / 60 + 1) * 60
        let end = minute + 60 * 60 * 24 * 60
        while minute < end, !line.names(LocalDateTime(secondsAsIfUTC: minute)) { minute += 60 }
        guard minute < end else { break }
        #expect(found == Timestamp(seconds: minute), "\(line.text)")
        at = Timestamp(seconds: minute)
      }
    }
  }

  private struct Line {
    let fields: [(text: String, numbers: Set<Int>)]

    init(using random: inout SeededNumbers) {
      var fields: [(String, Set<Int>)] = []
      for range in [0...59, 0...23, 1...31, 1...12, 0...6] as [ClosedRange<Int>] {
        let isDay = fields.count == 4 && fields[2].0 != "*"
        let first = Int.random(in: range, using: &random)
        let last = Int.random(in: first...range.upperBound, using: &random)
        let step = Int.random(in: 1...4, using: &random)
        switch isDay ? 0 : Int.random(in: 0..<4, using: &random) {
        case 0: fields.append(("*", Set(range)))
        case 1: fields.append(("\(first)", [first]))
        case 2: fields.append(("\(first)-\(last)", Set(first...last)))
        default: fields.append(("\(first)-\(last)/\(step)", Set(stride(from: first, through: last, by: step))))
        }
      }
      self.fields = fields
    }

    var text: String { fields.map(\.text).joined(separator: " ") }

    func names(_ local: LocalDateTime) -> Bool {
      let values = [
        local.time.minute, local.time.hour, local.date.day, local.date.month, local.date.weekday.rawValue - 1,
      ]
      return zip(fields, values).allSatisfy { $0.numbers.contains($1) }
    }
  }

  @Test(arguments: [
    ("0 7 * *", "five fields"), ("0 0 7 * * ?", "those of Quartz"), ("60 7 * * *", "minute is '60'"),
    ("0 7 * * 1-8", "day of the week"), ("0 7 L * *", "*-*~01"), ("0 7 13 * 5", "needs two jobs"),
    ("@reboot", "systemd unit"), ("@fortnightly", "cron knows"), ("0 7 5-3 * *", "backwards"),
    ("0 7/2 * * *", "before '/'"), ("*/0 * * * *", "a step"), ("", "five fields"), ("0 7 * foo *", "month"),
  ])
  func `an invalid cron line is refused with the position and the reason`(line: String, words: String) {
    let error = #expect(throws: CronError.self) { try CronLine(line) }
    #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
  }
}
