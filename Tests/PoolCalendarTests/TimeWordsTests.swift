import PoolCalendar
import PoolModel
import PoolPlatform
import Testing

struct TimeWordsTests {
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
  ])
  func `words are read by the clocks of the zone`(text: String, instant: String) throws {
    let zone = try SystemZones().zone(named: "America/New_York")
    let read = try #require(TimeWords(text, now: Self.now, zone: zone))
    #expect(read.instant == Timestamp(rfc3339: instant), "\(text): \(read.instant)")
    #expect(read.isWholeDay == ["today", "yesterday", "mon", "2026-03-02"].contains(text))
  }

  @Test(arguments: [
    "", " ", "noon", "24:00", "tomorrow 25:00", "2026-02-30", "2026-3", "2026-03-02 07", "+", "+2", "2h", "+2y", "+-2h",
    "+1000000d", "today today", "mon tue", "2026-03-02 07:00 UTC", "1969-12-31", "2200-01-01", "９:００", "+٣h",
    String(repeating: "9", count: 5_000),
  ])
  func `anything else is none`(text: String) throws {
    #expect(TimeWords(text, now: Self.now, zone: .utc) == nil)
  }

  @Test func `a rule for a job must come, in the team's zone, and not too often`() throws {
    func refusal(_ text: String) -> String {
      do throws(RuleRefusal) {
        _ = try CalendarRule(ofJob: text, in: .utc, now: Self.now)
        return ""
      } catch { return error.description }
    }
    #expect(refusal("Mon..Fri 07:00") == "" && refusal("minutely") == "")
    #expect(refusal("*-02-30").contains("no date ever"))
    #expect(refusal("2025-01-01").contains("the last time was 2025-01-01"))
    #expect(refusal("*:*:00/30").contains("2880 times a day"))
    #expect(refusal("07:00 Europe/Berlin").contains("leave the zone 'Europe/Berlin' out"))
    #expect(refusal("Mon 7").contains("column"))
  }
}
