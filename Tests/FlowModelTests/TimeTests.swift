import FlowModel
import Foundation
import Testing

struct TimeTests {
  @Test(arguments: [
    ("2026-03-02T14:00:00Z", Int64(1_772_460_000_000)), ("1970-01-01T00:00:00Z", 0),
    ("1969-12-31T23:59:59.999Z", -1), ("2026-03-02T07:00:00-07:00", 1_772_460_000_000),
    ("2026-03-02 14:00:00.25Z", 1_772_460_000_250), ("2000-02-29T00:00:00Z", 951_782_400_000),
    ("2026-03-02t14:00:00.9999z", 1_772_460_000_999),
  ]) func `an instant is read in RFC 3339 format`(text: String, milliseconds: Int64) {
    #expect(Timestamp(rfc3339: text) == Timestamp(milliseconds: milliseconds))
  }

  @Test(arguments: [
    "", "2026-03-02", "2026-03-02T14:00Z", "2026-02-30T00:00:00Z", "2026-13-01T00:00:00Z", "2026-03-02T24:00:00Z",
    "2026-03-02T14:00:60Z", "2026-03-02T14:00:00", "2026-03-02T14:00:00.Z", "2026-03-02T14:00:00+24:00",
    "2026-03-02T14:00:00Zx", "+026-03-02T14:00:00Z", "2026-03-02T14:00:00+0100",
  ]) func `an invalid instant is refused`(text: String) {
    #expect(Timestamp(rfc3339: text) == nil)
  }

  @Test func `an instant is written and read back over four centuries`() {
    for milliseconds in stride(from: Int64(-6_000_000_000_000), through: 8_000_000_000_000, by: 7_654_321_987) {
      let instant = Timestamp(milliseconds: milliseconds)
      #expect(Timestamp(rfc3339: instant.description) == instant)
    }
  }

  @Test(arguments: [Int64.min, .min + 1, .min + 808, -1_001, -1_000, -999, -1, 0, 1, 999, 1_000, .max])
  func `any instant has whole seconds and milliseconds`(milliseconds: Int64) {
    let instant = Timestamp(milliseconds: milliseconds)
    #expect((0...999).contains(instant.millisecondOfSecond))
    #expect(instant.seconds == Int64((Double(milliseconds) / 1_000).rounded(.down)) || milliseconds.magnitude > 1 << 53)
    #expect(instant.seconds &* 1_000 &+ instant.millisecondOfSecond == milliseconds)
  }

  @Test func `a date is read only in its exact written form`() throws {
    for days in stride(from: -719_528, through: 2_932_896, by: 97) {
      let date = CivilDate(daysSince1970: days)
      #expect(CivilDate(date.description) == date)
    }
    for text in ["2026-03-02", "2024-02-29", "0001-12-31"] {
      #expect(CivilDate(text)?.description == text)
      for place in text.indices {
        for other in " -+0123456789:/٣é" {
          for letter in ["\(other)", "\(other)\(text[place])"] {
            let changed = text.replacingCharacters(in: place...place, with: letter)
            // Any accepted text is written back unchanged.
            #expect(CivilDate(changed).map(\.description) ?? changed == changed)
          }
        }
      }
    }
    for text in [
      "", "2026-3-2", "2026-02-30", "2025-02-29", "2026-00-01", "2026-13-01", "2026-01-00", "20260302", "12026-03-02",
      "9000000000000000000-01-01", "9223372036854775807-12-31", "-2026-03-02", "-026-03-02", "2026-03-02 ",
      "２026-03-02",
    ] {
      #expect(CivilDate(text) == nil, "\(text)")
    }
  }

  @Test func `civil dates equal Foundation's calendar on every day from 1900 to 2200`() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
    for days in CivilDate(year: 1900, month: 1, day: 1)
      .daysSince1970...CivilDate(year: 2200, month: 1, day: 1)
      .daysSince1970
    {
      let date = CivilDate(daysSince1970: days)
      let parts = calendar.dateComponents(
        [.year, .month, .day, .weekday], from: Date(timeIntervalSince1970: Double(days) * 86_400))
      #expect(parts.year == date.year && parts.month == date.month && parts.day == date.day)
      #expect(parts.weekday == date.weekday.rawValue)
      #expect(date.daysSince1970 == days && date.exists)
    }
  }

  @Test func `times of day are parsed strictly`() {
    #expect(TimeOfDay("07:00") == TimeOfDay.sevenInTheMorning)
    #expect(TimeOfDay("7:05")?.description == "07:05")
    #expect(TimeOfDay("23:59:59")?.description == "23:59:59")
    for text in ["", "24:00", "7", "07:60", "07:00:60", "+7:00", "007:00", "07:00:00:00", "seven"] {
      #expect(TimeOfDay(text) == nil, "\(text)")
    }
  }

  @Test(arguments: [
    (Duration.seconds(3), "3 s"), (.seconds(61), "1 min"), (.seconds(3_600), "1 h"), (.seconds(25_500), "7 h 5 min"),
    (.seconds(90_000), "1 d 1 h"), (.seconds(172_800), "2 d"), (.milliseconds(-5), "0 s"),
  ]) func `a duration is shown in its two largest units`(duration: Duration, words: String) {
    #expect(duration.inWords == words)
  }
}
