package import FlowModel

extension Limits {
  /// The largest size of the prefetch file; it is written only while four times as much disk space is free.
  static let prefetchFileBytes = 1 << 29
  /// The prefetch file is flushed, and free disk space checked, each time it has grown by this.
  static let prefetchFlushBytes = 1 << 22
  /// The interval between two prunings.
  static let pruningInterval: Duration = .hours(1)
  /// Maximum jobs with their own lines in the metrics; a file with more would be too slow to scrape.
  static let jobsInMetrics = 2_000
  /// Growth of the resident memory since the last release to the system that makes another release worthwhile; a quiet daemon
  /// grows less in a minute.
  static let memoryGrowthBeforeTrim = 2 << 20
  /// Digests cached in memory until their pages are rendered: two batches that are decided while one is delivered, about 60
  /// kB each.
  package static let cachedDigests = 512
  /// Back-pressure: while the digest cache is full, deciding waits up to this long for a sink to render pages, and then not
  /// again until the cache has space.
  static let digestCacheWait: Duration = .seconds(1)
  /// The age at which a cached digest is dropped when the cache is full.
  static let digestCacheMaxAge: Duration = .seconds(30)
  /// Delivery events queued until the operator is notified, 200 bytes each.
  static let deliveryEvents = 1_000
  /// Maximum receipts stored in one transaction.
  static let receiptsAtOnce = 200
  /// Losses of a team within this time are reported together: a mail server rejects all notices of a morning within a minute.
  static let lossReportDelay: Duration = .minutes(2)
  /// The shortest interval between two loss reports to a team; for example, one for the morning's losses and one for notices
  /// that expired by the evening.
  static let lossReportInterval: Duration = .hours(6)
  /// The start-up time extension requested from the service manager before each migration step; a table of a million rows
  /// takes seconds.
  static let migrationStepTime: Duration = .seconds(120)
}
