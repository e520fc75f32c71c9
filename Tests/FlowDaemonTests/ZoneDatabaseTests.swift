import FlowControl
import FlowModel
import Testing

@testable import FlowAnswers
@testable import FlowPlatform

/// `doctor`'s finding about the age of the time zone database.
struct ZoneDatabaseTests {
  private static let database = ZoneDatabase(version: "2025b", modified: CivilDate(year: 2025, month: 8, day: 24))

  @Test(arguments: [
    ("2025-08-25", GravityView.ok, "the time zone database is 2025b, 1 day old"),
    ("2026-08-23", .ok, "the time zone database is 2025b, 364 days old"),
    ("2026-08-24", .warning, "365 days old: it lacks clock changes that were decided since"),
    // A clock that is behind proves nothing about the database's age.
    ("2020-01-01", .ok, "0 days old"),
  ])
  func `doctor warns about a time zone database older than a year`(day: String, gravity: GravityView, part: String)
    throws
  {
    let finding = FindingView(zones: Self.database, now: try #require(Timestamp(rfc3339: "\(day)T12:00:00Z")))
    #expect(finding.area == "zones" && finding.gravity == gravity)
    #expect(finding.message.contains(part), "\(finding.message)")
    #expect((finding.remedy == nil) == (gravity == .ok))
  }

  @Test func `a time zone database without version is judged by age; a missing one warns`() {
    let unknown = ZoneDatabase(version: nil, modified: CivilDate(year: 2024, month: 1, day: 1))
    let finding = FindingView(zones: unknown, now: Timestamp(seconds: 1_790_000_000))
    #expect(finding.gravity == .warning && finding.message.contains("of unknown edition"))
    #expect(FindingView(zones: nil, now: Timestamp(seconds: 0)).gravity == .warning)
  }
}
