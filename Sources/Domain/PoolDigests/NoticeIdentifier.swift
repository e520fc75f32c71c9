package import PoolModel

/// What a notice is about, in the app's own identifiers. Source: golden file `notifications.json`.
package enum NoticeIdentifier {
  private static let morningPrefix = "poolflow.notification.morningRouteSummary."

  /// The route of a weekday.
  package static func morning(_ day: Weekday) -> String { morningPrefix + String(day.rawValue) }
  private static let previewPrefix = "poolflow.notification.routePreview."
  /// The route of a weekday, told the evening before. This and those below are no notices of the app.
  package static func preview(_ day: Weekday) -> String { previewPrefix + String(day.rawValue) }
  package static let closedDay = "poolflow.notification.closedDay"
  package static func reminder(_ name: ReminderName) -> String { reminderPrefix + name.text }
  private static let reminderPrefix = "poolflow.notification.reminder."
  package static let lowStock = "poolflow.notification.lowStockForTomorrow"
  package static let week = "poolflow.notification.weeklyDigest"
  package static let personTest = "poolflow.notification.personTest"
  /// What technicians did not get.
  package static let undelivered = "poolflow.notification.undelivered"
  /// The report of a visit, sent to its customer.
  package static let visitReport = "poolflow.notification.visitReport"
  /// Whether it is told to one person alone, the office among them, and not to a team.
  package static func isPersonal(_ identifier: String) -> Bool {
    [personTest, undelivered, visitReport].contains(identifier)
  }
  package static let trial = "poolflow.notification.trialExpiring"

  /// Whether its details are a day's route.
  package static func isRoute(_ identifier: String) -> Bool {
    identifier.hasPrefix(morningPrefix) || identifier.hasPrefix(previewPrefix)
  }

  package static func isReminder(_ identifier: String) -> Bool { identifier.hasPrefix(reminderPrefix) }
}
