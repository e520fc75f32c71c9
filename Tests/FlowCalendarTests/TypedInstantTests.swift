import FlowCalendar
import FlowModel
import FlowPlatform
import Testing

struct TypedInstantTests {
  /// Thursday 2026-03-05 10:20:30 in New York, three days before its clocks go forward.
  private static let now = Timestamp(rfc3339: "2026-03-05T15:20:30Z") ?? Timestamp(seconds: 0)

  @Test(arguments: [
    ("now", "2026-03-05T15:20:30Z"), ("today", "2026-03-05T05:00:00Z"), ("tomorrow 18:00", "2026-03-06T23:00:00Z"),
    ("yesterday", "2026-03-04T05:00:00Z"), ("mon", "2026-03-09T04:00:00Z"), ("Thursday 07:00", "2026-03-12T11:00:00Z"),
    ("FRI 7:00:30", "2026-03-06T12:00:30Z"), ("07:00", "2026-03-05T12:00:00Z"), ("-7d", "2026-02-26T15:20:30Z"),
    ("+7d", "2026-03-12T14:20:30Z"), ("+2h", "2026-03-05T17:20:30Z"), ("+90m", "2026-03-05T16:50:30Z"),
    ("-30s", "2026-03-05T15:20:00Z"), ("+1w", "2026-03-12T14:20:30Z"), ("2026-03-02", "2026-03-02T05:00:00Z"),
    ("2026-03-02 07:00", "2026-03-02T12:00:00Z"), ("2026-03-08 02:30", "2026-03-08T07:00:00Z"),
    ("2026-11-01 01:30", "2026-11-01T05:30:00Z"), ("2026-03-02T14:00:00Z", "2026-03-02T14:00:00Z"),
    ("2026-03-02T07:00:00-07:00", "2026-03-02T14:00:00Z"), ("  tomorrow   18:00 ", "2026-03-06T23:00:00Z"),
    ("6:30am", "2026-03-05T11:30:00Z"), ("6:30 PM", "2026-03-05T23:30:00Z"),
    ("tomorrow 6 a.m.", "2026-03-06T11:00:00Z"),
    ("2026-03-02 12 am", "2026-03-02T05:00:00Z"), ("mon 12:15PM", "2026-03-09T16:15:00Z"),
  ])
  func `a time text is read in the zone's local time`(text: String, instant: String) throws {
    let zone = try SystemZones().zone(named: "America/New_York")
    let read = try #require(TypedInstant(text, now: Self.now, zone: zone))
    #expect(read.instant == Timestamp(rfc3339: instant), "\(text): \(read.instant)")
    #expect(read.isWholeDay == ["today", "yesterday", "mon", "2026-03-02"].contains(text))
  }

  @Test(arguments: [
    "", " ", "noon", "24:00", "tomorrow 25:00", "2026-02-30", "2026-3", "2026-03-02 07", "+", "+2", "2h", "+2y", "+-2h",
    "13:00pm", "0:30am", "tomorrow 6:30 xm", "am", "tomorrow pm",
    "+1000000d", "today today", "mon tue", "2026-03-02 07:00 UTC", "1969-12-31", "2200-01-01", "９:００", "+٣h",
    String(repeating: "9", count: 5_000),
  ])
  func `any other text is refused`(text: String) throws {
    #expect(TypedInstant(text, now: Self.now, zone: .utc) == nil)
  }

  @Test(arguments: [
    ("06:30", "06:30"), ("6:30", "06:30"), ("6:30am", "06:30"), ("6:30 AM", "06:30"), ("6:30 p.m.", "18:30"),
    ("6am", "06:00"), ("12am", "00:00"), ("12pm", "12:00"), ("12:30am", "00:30"), ("11:59:30 pm", "23:59:30"),
    ("18:30", "18:30"), ("1PM", "13:00"),
  ])
  func `a time of day is read as typed`(text: String, time: String) throws {
    #expect(try TimeOfDay(typed: text).description == time)
  }

  @Test(arguments: [
    ("13:00pm", "hours before am and pm run from 1 to 12; write 13:00"),
    ("0:30am", "hours before am and pm run from 1 to 12; write 00:30"),
    ("13:00am", "hours before am and pm run from 1 to 12; write HH:MM from 00:00 to 23:59"),
    ("0:30pm", "hours before am and pm run from 1 to 12; write HH:MM from 00:00 to 23:59"),
    ("24:00", "this is not a time of day; write HH:MM from 00:00 to 23:59, or 6:30am"),
    ("6", "this is not a time of day; write HH:MM from 00:00 to 23:59, or 6:30am"),
    ("6:60am", "this is not a time of day; write HH:MM from 00:00 to 23:59, or 6:30am"),
    ("", "this is not a time of day; write HH:MM from 00:00 to 23:59, or 6:30am"),
    ("am", "this is not a time of day; write HH:MM from 00:00 to 23:59, or 6:30am"),
  ])
  func `an impossible time is refused with the valid form`(text: String, sentence: String) throws {
    let fault = try #require(throws: TimeOfDayFault.self) { try TimeOfDay(typed: text) }
    #expect(fault.description == sentence)
  }

  @Test(arguments: [
    ("22:00-06:00", "22:00-06:00"), ("10pm-6:30am", "22:00-06:30"), ("10 PM - 6 a.m.", "22:00-06:00"),
    ("22:00-22:00", nil),
    ("10pm", nil), ("13pm-6am", nil),
  ])
  func `quiet hours are read as typed`(text: String, hours: String?) {
    #expect(QuietHours(typed: text)?.description == hours)
  }

  @Test func `a job's rule must occur, in the team's zone, and not too often`() throws {
    func refusal(_ text: String) -> String {
      do throws(RuleRefusal) {
        _ = try CalendarRule(ofJob: text, in: .utc, now: Self.now)
        return ""
      } catch { return error.description }
    }
    #expect(refusal("Mon..Fri 07:00") == "" && refusal("minutely") == "")
    #expect(refusal("*-02-30").contains("no date matches"))
    #expect(refusal("2025-01-01").contains("the last one was 2025-01-01"))
    #expect(refusal("*:*:00/30").contains("2880 times a day"))
    #expect(refusal("07:00 Europe/Berlin").contains("leave the zone 'Europe/Berlin' out"))
    #expect(refusal("Mon 7").contains("column"))
  }
}
