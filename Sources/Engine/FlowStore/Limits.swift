package import FlowModel

extension Limits {
  /// Longer than any wait between two attempts of a delivery, including jitter; a longer wait was computed by a wrong clock.
  static let longestRetry: Duration = .hours(29)
  /// The page size of a new SQLite store; an older store keeps its own. Twice SQLite's 4 KiB halves the writes of a large
  /// import.
  package static let storePageBytes = 8_192
  /// The WAL size at which SQLite checkpoints: 16 MiB. A morning of ten thousand notices rewrites the same index pages
  /// repeatedly, and each checkpoint syncs all of them twice.
  static let walBytesBeforeCheckpoint = 1 << 24
  /// The time for which `status` may show the known set of unreadable teams instead of waiting for a busy store.
  static let unreadableTeamsMaxAge: Duration = .seconds(30)
  /// From this batch size on, facts are read on separate connections, in parallel with the store's writer.
  static let parallelReadThreshold = 8
  /// The newest runs of a job that its metrics count.
  static let runsInMetrics = 20
  /// The WAL may use one part in this many of the free disk space before a checkpoint, so that it does not fill a small disk.
  static let walShareOfFreeSpace = 4
  /// The smallest WAL size for a checkpoint; below it every commit would be written twice.
  static let minWalBytes = 1 << 20
  /// The time that the attempt to free disk space waits for another process that is reading the store.
  static let freeingSpaceWait: Duration = .milliseconds(200)
  /// Pages copied between two checks for cancellation: a MiB, about 2 ms.
  static let pagesCopiedPerStep = 256
  /// Maximum copies of the store from before a migration that are kept: the last two, for operators who downgrade by two
  /// versions.
  static let migrationCopiesKept = 2
  /// Maximum audit entries kept: thirty changes a day for nine years, about 20 MB.
  static let auditEntries = 100_000
}
