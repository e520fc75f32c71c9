import FlowCalendar
import FlowControl
import FlowModel
import FlowPlatform

extension FindingView {
  /// Version and age of the time zone database; with old rules, jobs may run an hour off.
  init(zones database: ZoneDatabase?, now: Timestamp) {
    guard let database else {
      self.init(
        "zones", .warning, "the age of the time zone data is unknown", remedy: "install the package tzdata")
      return
    }
    let edition =
      database.version.map { "the time zone database is \($0)" } ?? "the time zone database is of unknown edition"
    let days = max(0, Zone.utc.local(at: now).date.daysSince1970 - database.published.daysSince1970)
    let age = "\(edition), \(countText(days, "day")) old"
    guard Duration.hours(days * 24) >= Limits.zoneDatabaseOutdatedAfter else {
      self.init("zones", .ok, age)
      return
    }
    self.init(
      "zones", .warning, "\(age): it lacks clock changes that were decided since",
      remedy: "install the newest package tzdata; the daemon reads it by itself")
  }
}
