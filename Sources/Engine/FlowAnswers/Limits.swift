package import FlowModel

extension Limits {
  /// The time for which a clock correction is shown to the operator.
  static let clockCorrectionShown: Duration = .hours(24)
  /// Maximum technicians of one team: ten times the largest team known.
  static let techniciansPerTeam = 2_000
  /// Maximum days off of one team.
  static let daysOffPerTeam = 2_000
  /// Free inodes below which a warning is shown, because each notice in a drop folder is a file.
  static let freeFilesWarning = 10_000
  /// The age at which the newest backup is stale: two nights in a row were missed.
  static let backupStaleAfter: Duration = .hours(50)
  /// The age at which a tz database is outdated; five to ten editions a year contain clock changes of governments.
  static let zoneDatabaseOutdatedAfter: Duration = .hours(365 * 24)
  /// Maximum files imported in one scan; the others follow in the next one.
  static let inboxFilesAtOnce = 20
  /// Attempts of one file that ended with a crash or a full disk, before it is set aside.
  static let inboxAttempts = 3
  /// Jobs read from the due queue to list the next slots; it is more than are listed, because some of them may have run
  /// early.
  package static let jobsReadForNextSlots = 64
  /// Maximum receipts of one run or entry shown on one line of a reply; `outbox show` lists all.
  static let receiptsShown = 20
  /// A sender whose report has not changed for this long is not running: it has missed two reports.
  static let senderReportTimeout: Duration = .minutes(3)
}
