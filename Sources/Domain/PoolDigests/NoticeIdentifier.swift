package import PoolModel

/// What a notice is about, in the app's own identifiers. Source: golden file `notifications.json`.
package enum NoticeIdentifier {
  private static let morningPrefix = "poolflow.notification.morningRouteSummary."

  /// The route of a weekday.
  package static func morning(_ day: Weekday) -> String { morningPrefix + String(day.rawValue) }
  package static let lowStock = "poolflow.notification.lowStockForTomorrow"
  package static let week = "poolflow.notification.weeklyDigest"
  package static let trial = "poolflow.notification.trialExpiring"

  static func isMorning(_ identifier: String) -> Bool { identifier.hasPrefix(morningPrefix) }
}
