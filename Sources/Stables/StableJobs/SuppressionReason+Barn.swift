import FlowCalendar
package import FlowNotices

// The reasons for suppressing a notice about horses, feed, care or blankets.
extension SuppressionReason {
  package static let noHorses = SuppressionReason(
    "no-horses", "the barn has no horses", remedy: Remedy("pfctl horse add NAME --team {team}", "adds one"))
  package static let allFed = SuppressionReason("all-fed", "every horse with a schedule was fed")
  package static let noSchedules = SuppressionReason(
    "no-schedules", "no horse has a feed in this slot",
    remedy: Remedy("pfctl feed set HORSE --team {team}", "says what a horse gets"))
  package static let nothingDue = SuppressionReason("nothing-due", "no care is due on a day with a reminder")
  package static let barnDigestEnabled = SuppressionReason(
    "digest-enabled", "the barn digest is enabled and carries the care that is due: at most one such notice a day",
    remedy: Remedy("pfctl why barn-digest --team {team}", "the notice that is sent instead"))
  package static let sameAsLastNight = SuppressionReason(
    "same-as-last-night", "no horse needs a blanket, and none needed one last night")
  package static let noForecast = SuppressionReason(
    "no-forecast", "the forecast covers less than half of the night",
    remedy: Remedy("pfctl weather import FILE --team {team}", "brings one"))
  package static let forecastStale = SuppressionReason(
    "forecast-stale", "the forecast is older than 36 hours",
    remedy: Remedy("pfctl weather import FILE --team {team}", "brings a newer one"))
  static func barnClosed(_ off: DayOff? = nil) -> SuppressionReason {
    SuppressionReason(
      "closed-today", "the team is closed today" + (off.map { $0.note.isEmpty ? "" : ": \($0.note)" } ?? ""),
      remedy: Remedy("pfctl closed list --team {team}", "shows the days off"))
  }
}
