package import FlowCalendar
import FlowModel
package import FlowNotices

// Suppression reasons for personal notices.
extension SuppressionReason {
  static let noOwnStops = SuppressionReason("no-own-stops", "no stops")
  static let away = SuppressionReason("away", "away on that day")
  static let forOthers = SuppressionReason("for-others", "it is for other recipients")
}

// Suppression reasons for routes and stock.
extension SuppressionReason {
  package static let noStopsToday = SuppressionReason(
    "no-stops-today", "no pool is scheduled today",
    remedy: Remedy("pfctl pool list --team {team}", "shows which pool has which day"))
  package static let noStopsTomorrow = SuppressionReason(
    "no-stops-tomorrow", "no pool is scheduled tomorrow",
    remedy: Remedy("pfctl pool list --team {team}", "shows which pool has which day"))
  /// `noStopsTomorrow`, or its equivalent if the next working day is later than tomorrow.
  static func noStops(on day: CivilDate, after date: CivilDate) -> SuppressionReason {
    guard date.adding(days: 1) != day else { return .noStopsTomorrow }
    return SuppressionReason(
      noStopsTomorrow.code, "no pool is scheduled on \(day.weekday.abbreviation) \(day), the next day of work",
      remedy: noStopsTomorrow.remedy)
  }

  /// - Parameter off: the day off to name as the reason; nil gives the suppression code alone.
  package static func closedToday(_ off: DayOff? = nil) -> SuppressionReason {
    SuppressionReason("closed-today", "the team is closed today" + reason(off), remedy: daysOff)
  }
  package static func closedTomorrow(_ off: DayOff? = nil) -> SuppressionReason {
    SuppressionReason("closed-tomorrow", "the team is closed tomorrow" + reason(off), remedy: daysOff)
  }
  /// The codes of the reasons that the day of a route has no stop.
  static let withoutStops = Set([noStopsToday, noStopsTomorrow].map(\.code))
  package static let openTomorrow = SuppressionReason("open-tomorrow", "no closed day begins tomorrow")
  package static let noStopsClosed = SuppressionReason(
    "no-stops-closed", "no pool is scheduled on the closed days that begin tomorrow")
  package static let notToldToday = SuppressionReason("not-told-today", "no route of today was sent yet")
  package static let unchangedToday = SuppressionReason(
    "unchanged-today", "today's route is the one that was sent last")
  /// The same reason if tomorrow's route was sent, too.
  static let unchangedTomorrow = SuppressionReason(
    unchangedToday.code, "the routes of today and tomorrow are those that were sent last")
  package static let nothingLow = SuppressionReason(
    "nothing-low", "no chemical is below its threshold, and the reminder is sent only then")
  package static let noReminder = SuppressionReason("no-reminder", "the reminder was removed")
  package static let occurrencesReached = SuppressionReason(
    "told-often-enough", "it has been sent as often as was set",
    remedy: Remedy("pfctl reminder list --team {team}", "shows how many times each is still sent"))
  private static let daysOff = Remedy("pfctl closed list --team {team}", "shows the days off")

  /// The note of a day off as the end of a sentence; empty if there is none.
  private static func reason(_ off: DayOff?) -> String {
    off.map { $0.note.isEmpty ? "" : ": \($0.note)" } ?? ""
  }

  package static let stockFine = SuppressionReason("stock-fine", "no chemical is below its threshold")
  package static let routePreviewEnabled = SuppressionReason(
    "route-preview-enabled",
    "the route of the evening before is enabled and carries the low stock instead: at most one operational notice a day",
    remedy: Remedy("pfctl why route-preview --team {team}", "the notice that is sent instead"))
  package static let morningSummaryEnabled = SuppressionReason(
    "morning-summary-enabled",
    "the morning summary is enabled and carries the low stock instead: at most one operational notice a day",
    remedy: Remedy("pfctl why morning-summary --team {team}", "the notice that is sent instead"))
}
