package import FlowModel

extension Limits {
  /// Maximum entries delivered together with one directory sync and one commit.
  package static let deliveriesPerBatch = 256
  /// The batch size from which a drop folder syncs the whole file system once instead of each file. For smaller batches,
  /// other programs' unwritten data on the file system could cost more than the saved syncs.
  static let sharedSyncThreshold = 4
  /// A sync of the whole file system that takes longer than this is avoided for the next `batchesWithoutSharedSync` batches.
  package static let slowSharedSync: Duration = .seconds(1)
  /// Batches whose files are synced one by one after a slow or failed sync of the whole file system.
  package static let batchesWithoutSharedSync = 16
  /// Attempts before an entry is dead-lettered: the first one and the eight of the retry ladder.
  package static let deliveryAttempts = 9
  /// Maximum bytes of one field of a journal message; longer values are cut, so that the message fits into a datagram of the
  /// default size.
  package static let journalFieldBytes = 48 << 10
  /// The time that a shutdown waits for the current batch; after that its sink counts as stuck.
  static let sinkGrace: Duration = .milliseconds(1_500)
  static let logWindow: Duration = .seconds(30)
  /// Dead letters of one sink within this time are reported together.
  static let deadLetterReportInterval: Duration = .minutes(60)
  /// The time for which a sink writes published pages before it checks for notices again.
  static let siteWriteTime: Duration = .seconds(2)
  /// The interval at which a sink compares the files of published pages with those it wrote: with each heartbeat of the
  /// scheduler, once a minute, and not with each notice of a busy morning.
  static let siteCheckInterval: Duration = .seconds(50)
  /// Maximum files of an unknown folder that are read to find out whether it contains published pages.
  static let siteFilesExamined = 256
  /// Maximum pages that could not be written, listed in the operator's notice and the log; the rest is counted.
  static let unwrittenPagesListed = 5
}
