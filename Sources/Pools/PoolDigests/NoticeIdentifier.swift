package import FlowModel

/// The topics of notices, as identifiers in the app's format. Source: golden file `notifications.json`.
package enum NoticeIdentifier {
  private static let morningPrefix = "poolflow.notification.morningRouteSummary."

  /// The identifier of a morning route notice for a weekday.
  package static func morning(_ day: Weekday) -> String { morningPrefix + String(day.rawValue) }
  private static let previewPrefix = "poolflow.notification.routePreview."
  /// The identifier of a route notice sent the evening before, which the app does not have.
  package static func preview(_ day: Weekday) -> String { previewPrefix + String(day.rawValue) }
  private static let changedPrefix = "poolflow.notification.routeChanged."
  /// The identifier of a notice about a changed route of today, which the app does not have.
  package static func changed(_ day: Weekday) -> String { changedPrefix + String(day.rawValue) }
  private static let changedTomorrowPrefix = "poolflow.notification.routeChangedTomorrow."
  /// The identifier of a notice about a changed route of tomorrow, which the app does not have.
  package static func changedTomorrow(_ day: Weekday) -> String { changedTomorrowPrefix + String(day.rawValue) }
  /// The identifier of a notice about a changed route without a stop.
  package static let routeRemoved = "poolflow.notification.routeRemoved"
  package static let closedDay = "poolflow.notification.closedDay"
  package static func reminder(_ name: ReminderName) -> String { reminderPrefix + name.text }
  private static let reminderPrefix = "poolflow.notification.reminder."
  package static let lowStock = "poolflow.notification.lowStockForTomorrow"
  package static let week = "poolflow.notification.weeklyDigest"
  /// The report of a visit, sent to its customer.
  package static let visitReport = "poolflow.notification.visitReport"
  package static let trial = "poolflow.notification.trialExpiring"

  /// Whether the notice's data is a `MorningDigest`.
  package static func isRoute(_ identifier: String) -> Bool {
    [morningPrefix, previewPrefix, changedPrefix, changedTomorrowPrefix].contains { identifier.hasPrefix($0) }
  }

  /// The published page that shows what a notice is about; nil for none.
  package static func publishedPage(of identifier: String) -> String? {
    if identifier.hasPrefix(morningPrefix) || identifier.hasPrefix(changedPrefix) { return "today.html" }
    if identifier.hasPrefix(previewPrefix) || identifier.hasPrefix(changedTomorrowPrefix) { return "tomorrow.html" }
    return identifier == week ? "week.html" : nil
  }

  package static func isReminder(_ identifier: String) -> Bool { identifier.hasPrefix(reminderPrefix) }
}
