import FlowCalendar
import FlowModel
import FlowTestKit
import Testing

@Suite struct ParserTests {
  @Test(arguments: [
    ("Mom 07:00", 1, "Mon"), ("Mon,Tui 07:00", 5, "Tue"), ("dayly", 1, "daily"), ("@daily", 1, "daily"),
    ("fortnightly", 1, "every 2 weeks from DATE"), ("weekdays 07:00", 1, "Mon..Fri"), ("Sun..Mon 10:00", 1, "Sun,Mon"),
    ("Fri..Mon 10:00", 1, "Fri..Sun,Mon"), ("Tue,Sat..Wed 10:00", 5, "Sat..Sun,Mon..Wed"),
    ("22..6:00", 1, "22..23,0..6"), ("*-11..2-01 10:00", 3, "11..12,1..2"), ("*-*-28..3 10:00", 5, "28..31,1..3"),
    ("13:00pm", 1, "13:00"), ("Mon 0:30 am", 5, "00:30"), ("lun 07:00", 1, "Mon"), ("dom 07:00", 1, "Sun"),
    ("Mi..Fr 07:00", 1, "Wed"), ("Mon,Son 07:00", 5, "Sun"),
    ("*-*-*/5 07:00", 6, "1/5"), ("*-*/3-01 07:00", 4, "1/3-01"), ("*:*/15", 4, "0/15"),
    ("*/5:00", 2, "0/5:00"), ("every 2 weaks from 2026-11-02", 9, "weeks"),
  ])
  func `a refusal names the column and the probable correction`(text: String, column: Int, suggestion: String) throws {
    let error = try #require(throws: CalendarError.self) { try CalendarExpression(text) }
    #expect(error.column == column)
    #expect(error.suggestion == suggestion)
    #expect(error.description.contains("did you mean '\(suggestion)'?"))
  }

  @Test(arguments: [
    ("", 1, "a calendar expression such as 'Mon..Fri 07:00'"), ("7", 2, "':' of a time or '-' of a date"),
    ("24:00", 1, "an hour (0 to 23)"), ("10:60", 4, "a minute (0 to 59)"), ("10:00:60", 7, "a second (0 to 59)"),
    ("*-13-01", 3, "a month (1 to 12)"), ("*-*-1,32", 7, "a day (1 to 31)"),
    ("*-*~29", 5, "a day counted from the end of the month (1 to 28)"), ("1969-01-01", 1, "a year (1970 to 2199)"),
    ("10..5:00", 1, "a range that runs upwards"), ("20/4:00", 1, "a step that comes again by 23"),
    ("2030..2026-01-01", 1, "a range that runs upwards"),
    ("Tun 07:00", 1, "a weekday, a date, a time or a word such as daily"),
    ("*/2-01-01", 2, "no step after '*'"), ("*:0/0", 5, "a step of at least 1"),
    ("10:00:01.5", 9, "a whole number: slots are whole seconds"),
    ("2016~11-22", 8, "a space: '~' stands only before the day, as in *-*~1"),
    ("12:00 +02:00", 6, "nothing more, or one space and a zone such as Europe/Berlin"),
    ("12:00xm", 6, "':' before the seconds, or the end of the time"),
    ("13:00am", 1, "a time with an hour from 1 to 12 before am or pm"),
    ("6:30ams", 5, "':' before the seconds, or the end of the time"), ("Mon..", 6, "a weekday that ends the range"),
    ("é", 1, "a number or '*'"), ("Mon é", 5, "a number or '*'"),
    ("every 0 days from 2026-01-01", 7, "a count (1 to 84005)"),
    ("every 2 days", 13, "'from' and the first date, as in 'from 2026-11-02'"),
    ("every day from 2026-02-30", 16, "a date that exists, from 1970 to 2199"),
    ("daily until 2026-02-30", 13, "a date that exists, from 1970 to 2199"),
    ("daily until 26-11-02", 13, "a date such as 2026-11-02"),
    ("daily except 2026-12-26..2026-12-24", 26, "a date not before 2026-12-26"),
  ])
  func `a refusal lists what was expected`(text: String, column: Int, expected: String) throws {
    let error = try #require(throws: CalendarError.self) { try CalendarExpression(text) }
    #expect(error.column == column)
    #expect(error.expected == expected)
  }

  @Test(arguments: ["2030..2026-01-01", "*-*~3..5,9..7", "Tun 07:00", "*/2-01-01", "10..5/2:00", "mar 07:00"])
  func `a refusal without a likely correction suggests nothing`(text: String) throws {
    let error = try #require(throws: CalendarError.self) { try CalendarExpression(text) }
    #expect(error.suggestion == nil, "\(error)")
  }

  @Test(arguments: [
    ("Fri..Mon 10:00", "Fri,Sat,Sun,Mon 10:00"), ("22..6:00", "22,23,0,1,2,3,4,5,6:00"),
    ("*-11..2-01 10:00", "*-11,12,1,2-01 10:00"),
  ])
  func `the suggestion for a backward range covers all of it`(text: String, meant: String) throws {
    let error = try #require(throws: CalendarError.self) { try CalendarExpression(text) }
    let proposal = text.replacing(try #require(error.found), with: try #require(error.suggestion))
    let base = Timestamp(seconds: 1_790_000_000)
    var (proposed, wanted) = (base, base)
    for _ in 0..<40 {
      proposed = try #require(rule(proposal).next(after: proposed)).instant
      wanted = try #require(rule(meant).next(after: wanted)).instant
      #expect(proposed == wanted)
    }
  }

  @Test(arguments: [
    ("every 2 weeks from 2026-11-02", "every 2 weeks from 2026-11-02 00:00:00"),
    ("EVERY 1 Weeks from 2026-11-02 at 7:00", "every week from 2026-11-02 07:00:00"),
    (
      "Mon,Wed every 2 weeks from 2026-11-02 7:00 Europe/Berlin",
      "Mon,Wed every 2 weeks from 2026-11-02 07:00:00 Europe/Berlin"
    ),
    (
      "7:00 except 2026-12-25,2026-12-24,2027-1-1..2027-1-6,*-05-01",
      "*-*-* 07:00:00 except *-05-01,2026-12-24..2026-12-25,2027-01-01..2027-01-06"
    ),
    ("Mon 9:00 until 2026-12-31", "Mon *-*-* 09:00:00 until 2026-12-31"),
    (
      "every 2 weeks from 2026-11-02 7:00 UNTIL 2027-01-01 except 2026-12-28 Europe/Berlin",
      "every 2 weeks from 2026-11-02 07:00:00 until 2027-01-01 except 2026-12-28 Europe/Berlin"
    ),
    ("hourly until 2026-12-31", "*-*-* *:00:00 until 2026-12-31"),
    ("daily except 2026-12-25 utc", "*-*-* 00:00:00 except 2026-12-25 UTC"),
    ("Mon..Sun 07:00", "*-*-* 07:00:00"),
    ("Sun..Sun,Sat,Fri", "Fri..Sun *-*-* 00:00:00"),
    ("6:30am", "*-*-* 06:30:00"), ("Mon..Fri 6 PM", "Mon..Fri *-*-* 18:00:00"), ("*-*-1 12:00pm", "*-*-01 12:00:00"),
    ("6:30 am Europe/Berlin", "*-*-* 06:30:00 Europe/Berlin"),
    ("12am until 2026-12-31", "*-*-* 00:00:00 until 2026-12-31"),
    ("every 2 weeks from 2026-11-02 at 7:15 pm", "every 2 weeks from 2026-11-02 19:15:00"),
    ("*-*~7/1", "*-*~07/1 00:00:00"), ("*:0..59/61", "*-*-* *:00:00"),
  ])
  func `the normal form has the same meaning`(text: String, normal: String) throws {
    let expression = try CalendarExpression(text)
    #expect(expression.description == normal)
    #expect(try CalendarExpression(normal) == expression)
  }

  @Test func `predefined rules equal the parsed ones`() throws {
    #expect(try CalendarExpression("07:00") == .daily(at: .sevenInTheMorning))
    let five = try #require(TimeOfDay(hour: 17, minute: 0))
    #expect(try CalendarExpression("Sun 17:00") == .weekly(on: .sunday, at: five))
  }

  @Test(arguments: [
    ("07:00", false), ("07,19:00,30", false), ("hourly", true), ("07..09:00", true), ("0/6:00", true),
    ("05..05:00", false), ("07:00:*", true), ("Mon..Fri *-*-1..7 07:00", false),
  ])
  func `a rule is an interval if its time has a star, range or step`(text: String, isInterval: Bool) throws {
    #expect(try CalendarExpression(text).isInterval == isInterval)
  }

  /// Texts that once broke a parser, systemd's or ours.
  @Test func `corpus texts are refused, or parsed to a rule that parses back`() throws {
    var accepted = 0
    let corpus = String(decoding: try Fixture.data("expressions.corpus"), as: UTF8.self)
    for text in corpus.split(separator: "\n") {
      guard let expression = try? CalendarExpression(String(text)) else { continue }
      #expect(try CalendarExpression(expression.description) == expression, "\(text)")
      let rule = CalendarRule(expression, zone: .utc)
      let next = rule.next(after: Timestamp(seconds: -1_000_000))
      #expect(next.map { rule.previous(before: $0.instant) == nil } ?? true, "\(text)")
      accepted += 1
    }
    #expect(accepted == 16)
  }

  /// Random combinations of grammar tokens, and random bytes.
  @Test func `any text is parsed or refused quickly`() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("calendar fuzz: seed \(seed)")
    var random = SeededNumbers(seed: seed)
    let pieces = [
      "Mon", "..", ",", "-", "~", "*", "/", ":", " ", "0", "1", "31", "59", "2026", "99999999999999999999", "@",
      "every", "weeks", "from", "until", "except", "2026-11-02", "Europe/Berlin", "UTC", "daily", "é", "\u{0}", "\n",
      ".", "+",
      "at",
    ]
    var slowest = Duration.zero
    for number in 0..<20_000 {
      var text = ""
      if number % 2 == 0 {
        for _ in 0...Int.random(in: 0...12, using: &random) { text += pieces.randomElement(using: &random) ?? "" }
      } else {
        let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
        text = String(decoding: bytes, as: UTF8.self)
      }
      let start = threadTime()
      do throws(CalendarError) {
        let expression = try CalendarExpression(text)
        slowest = max(slowest, threadTime() - start)
        let again = try CalendarExpression(expression.description)
        #expect(again == expression, "seed \(seed) '\(text)'")
        let rule = CalendarRule(expression, zone: .utc)
        _ = rule.next(after: Timestamp(milliseconds: Int64.random(in: .min ... .max, using: &random)))
        _ = rule.previous(before: Timestamp(milliseconds: Int64.random(in: .min ... .max, using: &random)))
      } catch {
        slowest = max(slowest, threadTime() - start)
        #expect(error.column >= 1 && !error.description.isEmpty)
      }
    }
    // The release build promises one millisecond; a debug build may take twenty.
    #expect(slowest < .milliseconds(20))
  }

  @Test(arguments: [String(repeating: "0,", count: 4_000), String(repeating: "a", count: 1 << 20)])
  func `an endless text is refused`(text: String) {
    #expect(throws: CalendarError.self) { try CalendarExpression(text) }
  }

  @Test(arguments: ["a", "Mon..", "07:00 é", "07:00 ", "every 2 "])
  func `a refusal quotes only a part of a long text`(beginning: String) throws {
    let text = beginning + String(repeating: beginning == "07:00 é" ? "é" : "@x", count: 1_000)
    let error = try #require(throws: CalendarError.self) { try CalendarExpression(text) }
    #expect(error.found?.utf8.count ?? 0 <= 42 && error.found?.contains("\u{FFFD}") == false)
  }

  @Test func `a refusal quotes only a part of an endless word`() throws {
    let error = try #require(throws: CalendarError.self) {
      try CalendarExpression(String(repeating: "a", count: 8_192))
    }
    #expect(error.found?.count == 40)
  }
}
