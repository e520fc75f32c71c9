package import FlowModel

extension Limits {
  /// The interval of heartbeats in the store; after a crash the end of the process is known to within this time.
  package static let heartbeat: Duration = .seconds(55)
  /// Maximum late runs started in one tick; the others follow at the same number per second, so that downtime does not end in
  /// a burst.
  package static let lateRunsPerTick = 500
  /// A run that starts later than this is catch-up work and is subject to `lateRunsPerTick`.
  package static let catchUpAfter: Duration = .seconds(60)
  /// Maximum verdicts of slots without a run that one tick settles; bounds the memory for ten years of downtime of ten
  /// thousand jobs.
  package static let verdictsPerTick = 20_000
  /// Maximum jobs that one tick takes from the due queue. Results and replies of the scheduler wait until the tick is
  /// planned. It is four batches, so that deciding rarely waits for the next tick.
  static let jobsPerTick = 512
  /// Maximum verdicts written in one transaction.
  static let verdictsPerCommit = 5_000
  /// The bytes of data of a large notice, such as one with three hundred stops; it is decided after the smaller ones of its
  /// slot.
  static let largeNoticeBytes = 1 << 18
  /// Runs of the first batch of a tick; it is small, so that delivery begins while the other batches are decided.
  static let firstBatchRuns = 4
  /// Maximum prefetched decisions kept in memory, for the runs that are due first: some ten megabytes.
  package static let prefetchedRunsInMemory = 128
  /// Maximum prefetched decisions in the prefetch file, for the runs that are due next: as many as one processor decides in
  /// two minutes.
  static let prefetchedRunsInFile = 1 << 15
  /// Decisions prefetched between two clock readings: about fifty milliseconds.
  static let prefetchedRunsPerStep = 16
  /// Prefetching stops this long before the slot, so that both processors are idle when the slot comes.
  static let prefetchEndBeforeSlot: Duration = .milliseconds(300)
  /// A slot that is nearer than this is not prefetched, because its tick must not wait for a prefetch in progress.
  static let leastPrefetchTime: Duration = .seconds(1)
  /// A prefetched decision is discarded if its run starts later than this after the slot.
  static let prefetchExpiry: Duration = .seconds(30)
  /// The number of times a run is decided again because its facts changed meanwhile. After that the outdated decision is
  /// used, so that constant changes cannot block a run.
  package static let maxRedecisions = 3
  /// Batches below this size are decided on one thread.
  static let parallelDecisionThreshold = 8
  /// Milliseconds tried for a manual run whose instant is already used by another run.
  static let manualRunInstantsTried = 100
  /// Maximum heavy tasks that run at the same time: one per processor of a small server, so that slots still start on time.
  package static let backgroundTasksAtOnce = 2
  /// The interval of retries while the disk is full; work resumes within a minute after space is freed.
  package static let diskFullRetry: Duration = .seconds(30)
  /// The interval of retries while the database server is away; most restarts and failovers take seconds.
  static let serverRetry: Duration = .seconds(2)
}
