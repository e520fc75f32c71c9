/// All bounds of the daemon, each with its reason. Exceeding a bound is an ordinary error with a message, never a crash.
package enum Limits {
  // Text and records.
  /// Maximum characters of a team's name, which appears in commands, file names and journal fields.
  package static let teamNameLength = 64
  /// Maximum characters of a name or address; anything longer is damage or an attack and breaks every table layout.
  package static let nameLength = 200
  /// Maximum characters of a unit label, shown after each number of a table.
  package static let unitLabelLength = 20
  /// The largest number in an archive: more than any pool, price or stock, and small enough that sums and products of a
  /// hundred thousand such numbers are finite.
  package static let recordNumber = 1e12
  /// Maximum characters of a note; the PoolFlow app has the same limit.
  package static let notesLength = 4_000
  /// Maximum rows of one imported CSV file. Source: product.md, Customers files.
  package static let csvRows = 5_000
  /// Maximum bytes of one CSV file: 5,000 rows of 3 kB.
  package static let csvBytes = 16 << 20
  /// Maximum bytes of a customers file that may be parsed on a second thread, and whose import plan is kept from preview to
  /// import. 5,000 typical rows are half as large, and their plan takes 6 MB.
  package static let draftBytes = 1 << 20
  /// The time for which an import plan is kept, long enough to read a preview.
  package static let draftKept: Duration = .seconds(600)
  /// Maximum columns of one CSV file; poolflow uses 12, spreadsheets often have more.
  package static let csvColumns = 256
  /// Maximum bytes of one archive, including photos.
  package static let archiveBytes = 1 << 30
  /// Maximum bytes of one JSON record file in an archive; 26 weeks of 120 pools take 1.2 MB.
  package static let archiveRecordBytes = 64 << 20
  /// Maximum bytes of one photo of a record; phone photos are 2 to 12 MB.
  package static let photoBytes = 32 << 20
  /// Maximum bytes of a photo embedded in a report; as base64 it takes 7 of the 16 MiB that a reply may have.
  package static let reportPhotoBytes = 5 << 20
  /// The uncompressed bytes of an archive entry above which `archiveRatio` is checked.
  package static let archiveRatioFrom = 32 << 20
  /// The largest compression ratio of such an entry, against ZIP bombs.
  package static let archiveRatio = 100
  /// Maximum entries of one archive: a photo for each of 100,000 visits, plus the record files.
  package static let archiveEntries = 100_016
  /// The largest count, index or number that the store may hold; a larger one could overflow computations. Whole numbers up
  /// to it are exact in a `Double`, and ten times as much fits into an `Int`.
  package static let largestStoredNumber = 1e15
  /// The instants that the store may hold, in milliseconds: years 0 to 9999, the range of RFC 3339.
  package static let storedInstants: ClosedRange<Int64> = -62_167_219_200_000...253_402_300_799_999
  /// Maximum characters of a stored failure reason of a team: one sentence, even if it quotes a file.
  package static let failureReasonLength = 400
  /// Maximum failures of teams listed in one reply or notice; the rest is counted.
  package static let failuresShown = 20
  /// Maximum problems listed for one rejected file; the rest is counted.
  package static let problemsShown = 100

  // Time.
  /// The longest sleep between two clock readings, because a sleeping timer does not notice when the wall clock is set.
  package static let longestSleep: Duration = .seconds(60)
  /// A larger forward jump of the clock is believed only after two readings `clockProbation` apart.
  package static let plausibleClockJump: Duration = .hours(25)
  /// The time for which a clock that jumped must be consistent before slots are planned by it.
  package static let clockProbation: Duration = .seconds(60)
  /// The running time for which a clock must be consistent before data is deleted by it. An operator notices a wrong time
  /// within hours, and keeping old backups for one more day costs little disk space.
  package static let clockConfirmation: Duration = .hours(24)
  /// The time for which a clock correction is shown to the operator.
  package static let clockCorrectionShown: Duration = .hours(24)
  /// Longer than any wait between two attempts of a delivery, including jitter; a longer wait was computed by a wrong clock.
  package static let longestRetry: Duration = .hours(29)
  /// Maximum backups dated in the future that are kept in addition to the retention rule; each start with a wrong clock may
  /// create one.
  package static let futureBackupsKept = 8
  /// A notice sent later than this after its slot contains the due and sent times.
  package static let lateAfter: Duration = .minutes(5)
  /// 2024-01-01T00:00:00Z; an earlier clock was never set.
  package static let earliestPlausibleNow = Timestamp(seconds: 1_704_067_200)
  /// The longest expiry or catch-up window that users may choose.
  package static let longestExpiry: Duration = .hours(31 * 24)
  /// Maximum times per day that a user's rule may name: once a minute.
  package static let slotsPerDay = 1_440
  /// Maximum missed slots of one job that are recorded individually after a long downtime; older ones are recorded as one
  /// slot range.
  package static let slotsPerCatchUp = 1_000
  /// Maximum days that one `simulate` may cover.
  package static let simulatedDays = 400

  /// A longer time without a tick is recorded as an absence: one tick a minute, plus slack for a busy machine.
  package static let shortestDowntime: Duration = .seconds(90)
  /// A larger difference between the wall clock and the machine's uptime means that the clock was set.
  package static let clockStep: Duration = .seconds(2)
  /// The interval of heartbeats in the store; after a crash the end of the process is known to within this time.
  package static let heartbeat: Duration = .seconds(55)
  /// Maximum absences kept in memory to explain missed slots; the store keeps all of them.
  package static let downtimesRemembered = 64
  /// The largest jitter of a job; with more, "due at 07:00" would not be true.
  package static let longestJitter: Duration = .hours(1)

  // Days off.
  /// Maximum days of one closure or absence of a technician: at most a sabbatical.
  package static let longestDayOffDays = 366
  /// Maximum closed days per year that a pattern may produce; a team that is closed for more than half of the year has a
  /// wrong pattern.
  package static let closedDaysPerYear = 183
  /// Maximum bytes of one days-off expression: a pattern with an end and ten exceptions.
  package static let closedDaysBytes = 200
  /// Maximum bytes of one calendar file of holidays; the holidays of a country for ten years take a fifth of it, and it fits
  /// into one call.
  package static let largestCalendarFile = 512 << 10
  /// Maximum days off imported from one file: 40 holidays a year for 25 years.
  package static let calendarFileEntries = 1_000
  /// Maximum nesting depth of components in a calendar file; RFC 5545 needs three: calendar, event, alarm.
  package static let calendarFileDepth = 16

  // Work.
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
  package static let jobsPerTick = 512
  /// Maximum verdicts written in one transaction.
  package static let verdictsPerCommit = 5_000
  /// Maximum slots that one `skip` may cover.
  package static let slotsPerSkip = 366
  /// Maximum characters of a reminder's name.
  package static let reminderNameLength = 40
  /// Maximum characters of a reminder's text.
  package static let reminderTextLength = 1_000
  /// Maximum characters of a reminder's title.
  package static let reminderTitleLength = 100
  /// Maximum reminders of one team; beyond that a calendar is the right tool.
  package static let remindersPerTeam = 1_000
  /// Occurrences after which a reminder ends by itself.
  package static let reminderOccurrences = 10_000
  /// Maximum technicians of one team: ten times the largest team known.
  package static let techniciansPerTeam = 2_000
  /// Maximum days off of one team.
  package static let daysOffPerTeam = 2_000
  /// The number of days searched for the next working day; a team that is closed for longer has none.
  package static let closedDaysSearched = 400
  /// Maximum closed days whose stops one notice lists; two weeks contain every weekday twice.
  package static let closedDaysListed = 14
  /// Maximum characters of the note of a hold.
  package static let holdNoteLength = 200
  /// The page size of a new SQLite store; an older store keeps its own. Twice SQLite's 4 KiB halves the writes of a large
  /// import.
  package static let storePageBytes = 8_192
  /// The WAL size at which SQLite checkpoints: 16 MiB. A morning of ten thousand notices rewrites the same index pages
  /// repeatedly, and each checkpoint syncs all of them twice.
  package static let walBytesBeforeCheckpoint = 1 << 24
  /// Maximum runs decided and committed in one transaction; bounds the time for which the store is locked, and the memory for
  /// facts.
  package static let runsPerBatch = 128
  /// The bytes of data of a large notice, such as one with three hundred stops; it is decided after the smaller ones of its
  /// slot.
  package static let largeNoticeBytes = 1 << 18
  /// The time for which `status` may show the known set of unreadable teams instead of waiting for a busy store.
  package static let unreadableTeamsMaxAge: Duration = .seconds(30)
  /// From this batch size on, facts are read on separate connections, in parallel with the store's writer.
  package static let parallelReadThreshold = 8
  /// Runs of the first batch of a tick; it is small, so that delivery begins while the other batches are decided.
  package static let firstBatchRuns = 4
  /// Maximum prefetched decisions kept in memory, for the runs that are due first: some ten megabytes.
  package static let prefetchedRunsInMemory = 128
  /// Maximum prefetched decisions in the prefetch file, for the runs that are due next: as many as one processor decides in
  /// two minutes.
  package static let prefetchedRunsInFile = 1 << 15
  /// Decisions prefetched between two clock readings: about fifty milliseconds.
  package static let prefetchedRunsPerStep = 16
  /// The largest size of the prefetch file; it is written only while four times as much disk space is free.
  package static let prefetchFileBytes = 1 << 29
  /// The prefetch file is flushed, and free disk space checked, each time it has grown by this.
  package static let prefetchFlushBytes = 1 << 22
  /// Prefetching stops this long before the slot, so that both processors are idle when the slot comes.
  package static let prefetchEndBeforeSlot: Duration = .milliseconds(300)
  /// A slot that is nearer than this is not prefetched, because its tick must not wait for a prefetch in progress.
  package static let leastPrefetchTime: Duration = .seconds(1)
  /// A prefetched decision is discarded if its run starts later than this after the slot.
  package static let prefetchExpiry: Duration = .seconds(30)
  /// The number of times a run is decided again because its facts changed meanwhile. After that the outdated decision is
  /// used, so that constant changes cannot block a run.
  package static let maxRedecisions = 3
  /// Batches below this size are decided on one thread.
  package static let parallelDecisionThreshold = 8
  /// Milliseconds tried for a manual run whose instant is already used by another run.
  package static let manualRunInstantsTried = 100
  /// Maximum heavy tasks that run at the same time: one per processor of a small server, so that slots still start on time.
  package static let backgroundTasksAtOnce = 2
  /// A slot that crashed the daemon this often becomes `failed`.
  package static let crashesPerSlot = 3

  /// The time for which verdicts are kept: `why` can compare this spring with last spring, and a store of ten thousand teams
  /// stays within a few gigabytes.
  package static let ledgerRetention: Duration = .hours(24 * 400)
  /// Maximum verdicts pruned at once. With `pruningInterval`, pruning is as fast as a hundred thousand jobs create verdicts, so
  /// a clock that was wrong for an hour cannot empty the ledger.
  package static let verdictsPrunedAtOnce = 5_000
  /// The interval between two prunings.
  package static let pruningInterval: Duration = .hours(1)
  /// Maximum jobs with their own lines in the metrics; a file with more would be too slow to scrape.
  package static let jobsInMetrics = 2_000
  /// The newest runs of a job that its metrics count.
  package static let runsInMetrics = 20

  /// Growth of the resident memory since the last release to the system that makes another release worthwhile; a quiet daemon
  /// grows less in a minute.
  package static let memoryGrowthBeforeTrim = 2 << 20

  /// Arenas of the allocator: one per processor of a small machine, which avoids most lock contention.
  package static let memoryArenas = 2
  /// The allocation size from which memory is mapped separately and returned to the system when freed. By default the
  /// allocator raises this threshold to the largest block ever freed, and would then keep most of the memory used to read ten
  /// thousand teams' jobs.
  package static let mappedAllocationBytes = 1 << 18
  /// Threads for decisions, replies and waiting tasks; the store, sinks and sockets have threads of their own.
  package static let workerThreads = 4

  // Health.
  /// Free bytes below which the next nightly backup may fail: the store plus one archive of 200 MB.
  package static let freeSpaceWarning = 512 << 20
  /// Free bytes below which the store may soon be unable to write.
  package static let freeSpaceError = 64 << 20
  /// Disk space reserved for the store with a placeholder file: SQLite's shared memory of 32 KiB, some commits of a start,
  /// and the growth of the file at a checkpoint.
  package static let reserveBytes = 1 << 20
  /// The WAL may use one part in this many of the free disk space before a checkpoint, so that it does not fill a small disk.
  package static let walShareOfFreeSpace = 4
  /// The smallest WAL size for a checkpoint; below it every commit would be written twice.
  package static let minWalBytes = 1 << 20
  /// The time that the attempt to free disk space waits for another process that is reading the store.
  package static let freeingSpaceWait: Duration = .milliseconds(200)
  /// The interval of retries while the disk is full; work resumes within a minute after space is freed.
  package static let diskFullRetry: Duration = .seconds(30)
  /// The interval of retries while the database server is away; most restarts and failovers take seconds.
  package static let serverRetry: Duration = .seconds(2)
  /// The interval at which a node sends heartbeats and checks the other nodes, unless a call wakes it earlier.
  package static let nodeTick: Duration = .seconds(1)
  /// A partition is acquired once it has had no owner for this long; a node that only lost its session reconnects within that
  /// time.
  package static let unownedPartitionWait: Duration = .milliseconds(300)
  /// A node without a heartbeat for this long is declared dead and its sessions are terminated. A failure that the server
  /// itself notices is handled within a second, any other within ten.
  package static let nodeHeartbeatTimeout: Duration = .seconds(6)
  /// Partitions are rebalanced once the set of nodes has not changed for this long, so that a node that joins and leaves at
  /// once moves none.
  package static let rebalanceDelay: Duration = .seconds(2)
  /// Maximum partitions that a node hands off in one tick of rebalancing.
  package static let partitionsPerHandoff = 16
  /// A node that starts is ready once it has planned about this many teams; the rest follows in portions of
  /// `teamsPlannedAtOnce`. Nodes that start together divide the teams meanwhile, and due jobs of planned teams start at once.
  package static let teamsPlannedBeforeReady = 10_000
  /// Maximum teams planned in one portion after the start; a call waits for at most one portion.
  package static let teamsPlannedAtOnce = 5_000
  /// The time limit for running work of a partition before its hand-off; heavy work continues on the old node.
  package static let handoffDrainTime: Duration = .seconds(3)
  /// The time that a call that changes data waits for partitions of other nodes.
  package static let partitionWait: Duration = .seconds(5)
  /// The time for which a partition acquired for a call stays on this node; the next call is often about the same team.
  package static let partitionStickyTime: Duration = .seconds(30)
  /// The shortest interval between two messages of the nightly route planning to other nodes about changed teams.
  package static let teamChangeInterval: Duration = .seconds(5)
  /// Change messages from other nodes that a node remembers; a node that is further behind re-plans all its jobs.
  package static let teamChangesRemembered = 64
  /// Maximum bytes of a message between nodes; PostgreSQL's `NOTIFY` accepts less than 8,000.
  package static let nodeMessageBytes = 7_900
  /// A larger difference between a node's clock and the server's is logged.
  package static let clockSkewLogged: Duration = .seconds(2)
  /// A node whose clock differs by more than this from the server's owns no partitions, because it would send notices at the
  /// wrong time.
  package static let maxClockSkew: Duration = .seconds(30)
  /// Maximum characters of a node's name; with the other parts of the session's name it fits into PostgreSQL's limit of 63
  /// bytes.
  package static let nodeNameLength = 24
  /// An outage of the database server is reported to the operator after this time; a restart takes less.
  package static let serverOutageReported: Duration = .seconds(30)
  /// Free inodes below which a warning is shown, because each notice in a drop folder is a file.
  package static let freeFilesWarning = 10_000

  // Backups.
  /// Pages copied between two checks for cancellation: a MiB, about 2 ms.
  package static let pagesCopiedPerStep = 256
  /// The age at which the newest backup is stale: two nights in a row were missed.
  package static let backupStaleAfter: Duration = .hours(50)
  /// The age at which a tz database is outdated; five to ten editions a year contain clock changes of governments.
  package static let zoneDatabaseOutdatedAfter: Duration = .hours(365 * 24)
  /// Maximum characters of the reason of a backup.
  package static let backupReasonLength = 200
  /// Maximum bytes of a backup's manifest: about 400 for each of 100,000 archives.
  package static let backupManifestBytes = 64 << 20
  /// Maximum backups listed from one folder: one a day for nine years.
  package static let backupsListed = 3_650
  /// Maximum copies of the store from before a migration that are kept: the last two, for operators who downgrade by two
  /// versions.
  package static let migrationCopiesKept = 2
  /// Maximum old stores kept by restores and resets, each as large as the store.
  package static let keptStores = 5
  /// The time for which stores set aside are kept; the newest one is kept regardless of its age.
  package static let keptStoreAge: Duration = .hours(24 * 90)
  /// An unfinished backup in the second folder that is older than this is abandoned and deleted.
  package static let partialBackupAge: Duration = .hours(24)
  /// Bytes read, written and hashed at once.
  package static let fileChunkBytes = 256 << 10

  // Inbox.
  /// Maximum folders of teams and technicians that one inbox scan opens: one for each team of a large host.
  package static let inboxFolders = 1_000
  /// Maximum names of one folder that an inbox scan reads; more are the mistake of a script, and the next scan continues.
  package static let inboxFiles = 10_000
  /// Maximum files imported in one scan; the others follow in the next one.
  package static let inboxFilesAtOnce = 20
  /// Maximum bytes of an inbox file's name: a file system allows 255, of which temporary names need 45.
  package static let inboxNameBytes = 200
  /// The time for which a file must stay unchanged before it counts as complete: a copy over a network may pause for some
  /// seconds, and scans are a minute apart.
  package static let inboxUnchangedTime: Duration = .seconds(20)
  /// The time for which imported files and their reports stay in the inbox. Rejected files stay until a person removes them.
  package static let inboxRetention: Duration = .hours(24 * 30)
  /// Attempts of one file that ended with a crash or a full disk, before it is set aside.
  package static let inboxAttempts = 3

  // Audit.
  /// Maximum audit entries kept: thirty changes a day for nine years, about 20 MB.
  package static let auditEntries = 100_000
  /// Maximum characters of a command line in the audit log.
  package static let auditCommandLength = 500

  // Delivery.
  /// Maximum entries delivered together with one directory sync and one commit.
  package static let deliveriesPerBatch = 256
  /// Jobs read from the due queue to list the next slots; it is more than are listed, because some of them may have run
  /// early.
  package static let jobsReadForNextSlots = 64
  /// Digests cached in memory until their pages are rendered: two batches that are decided while one is delivered, about 60
  /// kB each.
  package static let cachedDigests = 512
  /// Back-pressure: while the digest cache is full, deciding waits up to this long for a sink to render pages, and then not
  /// again until the cache has space.
  package static let digestCacheWait: Duration = .seconds(1)
  /// The age at which a cached digest is dropped when the cache is full.
  package static let digestCacheMaxAge: Duration = .seconds(30)
  /// The batch size from which a drop folder syncs the whole file system once instead of each file. For smaller batches,
  /// other programs' unwritten data on the file system could cost more than the saved syncs.
  package static let sharedSyncThreshold = 4
  /// A sync of the whole file system that takes longer than this is avoided for the next `batchesWithoutSharedSync` batches.
  package static let slowSharedSync: Duration = .seconds(1)
  /// Batches whose files are synced one by one after a slow or failed sync of the whole file system.
  package static let batchesWithoutSharedSync = 16
  /// Attempts before an entry is dead-lettered: the first one and the eight of the retry ladder.
  package static let deliveryAttempts = 9
  /// Maximum bytes of one field of a journal message; longer values are cut, so that the message fits into a datagram of the
  /// default size.
  package static let journalFieldBytes = 48 << 10
  /// Files in a drop folder's `new/` at which the sink pauses, because its consumer must be down.
  package static let dropFolderFiles = 100_000
  /// Maximum characters of a sink's name, which is part of folder names and notice ids.
  package static let sinkNameLength = 64
  /// The time limit of a batch, after which its sink counts as stuck; a slow disk syncs 256 files in 2 s (fault 84).
  package static let sinkTimeout: Duration = .seconds(15)
  /// The time limits that a setting may choose.
  package static let sinkTimeoutRange: ClosedRange<Duration> = .seconds(1) ... .seconds(300)
  /// The time that a shutdown waits for the current batch; after that its sink counts as stuck.
  package static let sinkGrace: Duration = .milliseconds(1_500)
  /// The highest rate that can be set; no sink accepts a thousand notices a second for long.
  package static let maxSinkRate = 1_000
  /// The daemon's own log lines per `logWindow`. Together with the journal's notices (300 a second) they stay below the
  /// 10,000 messages in 30 s above which journald drops messages.
  package static let logLines = 1_000
  package static let logWindow: Duration = .seconds(30)
  /// Delivery events queued until the operator is notified, 200 bytes each.
  package static let deliveryEvents = 1_000
  /// A sink that repeatedly fails and recovers is reported at most once in this time.
  package static let operatorReportInterval: Duration = .minutes(15)
  /// Dead letters of one sink within this time are reported together.
  package static let deadLetterReportInterval: Duration = .minutes(60)
  /// The time that `pfctl sink test` waits for the delivery of its notice.
  package static let sinkTestTime: Duration = .seconds(10)
  /// The time limit of a shutdown for running calls and due work, counted from the request. The rest of the five seconds of a
  /// stop is for the current batch of each lane (two on a slow disk) and for closing the store; undelivered entries stay in
  /// the outbox.
  package static let drainTime: Duration = .seconds(2)

  // Receipts.
  /// The time that a start waits for the lock of its state folder, held by a process that was just killed.
  package static let postLockPatience = Duration.seconds(2)
  /// Maximum bytes of a receipt file; those of poolflow-post have 300.
  package static let receiptBytes = 4 << 10
  /// Maximum bytes of the `words` member of a receipt.
  package static let receiptTextBytes = 300
  /// Maximum deliveries of one notice: a person has at most seven addresses, and a team has fewer channels than that limit.
  package static let receiptsPerNotice = 100
  /// Maximum receipts stored in one transaction.
  package static let receiptsAtOnce = 200
  /// Maximum receipts of one run or entry shown on one line of a reply; `outbox show` lists all.
  package static let receiptsShown = 20
  /// Losses of a team within this time are reported together: a mail server rejects all notices of a morning within a minute.
  package static let lossReportDelay: Duration = .minutes(2)
  /// The shortest interval between two loss reports to a team; for example, one for the morning's losses and one for notices
  /// that expired by the evening.
  package static let lossReportInterval: Duration = .hours(6)
  /// Maximum lines of a loss report.
  package static let lossesListed = 20
  /// The time that `pfctl technician test` waits for the result of its notice.
  package static let receiptTestTime: Duration = .seconds(30)

  // Health of a sender and its channels.
  /// Maximum bytes of a sender's report; a hundred channels with an error each take 40 KiB.
  package static let senderReportBytes = 256 << 10
  /// Maximum bytes of one text in a sender's report.
  package static let senderReportText = 1_000
  /// The longest interval between two reports of a running sender.
  package static let senderReportInterval: Duration = .minutes(1)
  /// A sender whose report has not changed for this long is not running: it has missed two reports.
  package static let senderReportTimeout: Duration = .minutes(3)
  /// Failures that begin within this time after the last failure report are collected for the next one; a network outage
  /// stops every channel.
  package static let failureReportDelay: Duration = .minutes(1)

  // poolflow-post.
  /// The default of `DueWithin=`: how long a due message may wait before its channel is reported as failed. A morning at
  /// 06:30 is read at 06:35; two minutes cover the first four attempts of the retry ladder, which outlast the restart of a
  /// mail server, and leave the operator three.
  package static let postDueWithin: Duration = .minutes(2)
  package static let postDueWithinRange: ClosedRange<Duration> = .seconds(1) ... .hours(1)
  /// Maximum teams listed in a report because their notices have no recipient; more would repeat the same mistake.
  package static let postUnreachedTeams = 50
  /// The time limit of one attempt: enough for a slow relay, short compared with a morning.
  package static let postTimeout: Duration = .seconds(30)
  /// The time that a mail server may take to confirm a mail after its last byte; RFC 5321 §4.5.3.2.6 asks clients to wait ten
  /// minutes.
  package static let postAnswerTimeout: Duration = .minutes(10)
  package static let postAnswerTimeoutRange: ClosedRange<Duration> = .seconds(1) ... .minutes(30)
  /// The time that a stop waits for running transfers.
  package static let postStopTime: Duration = .seconds(3)
  /// The time that a stop waits for the confirmation of a completely sent mail, which would otherwise be sent twice.
  package static let postStopAnswerTime: Duration = .seconds(10)
  /// The most parallel transfers younger than `postSlowAfter`. Older ones wait for a server and do not count, so that servers that
  /// hang block no other transfer.
  package static let postTransfers = 4
  /// The age from which a transfer counts as waiting.
  package static let postSlowAfter: Duration = .seconds(3)
  /// The most parallel transfers, including waiting ones but not those older than `postLongAfter`; a curl process takes about 2
  /// MB, and all share another 9 MB.
  package static let postAllTransfers = 12
  /// The most parallel transfers in total, including those older than `postLongAfter` that wait for the confirmation of a mail.
  package static let postLongTransfers = 24
  package static let postLongAfter: Duration = .minutes(1)
  /// The most parallel transfers on channels whose last attempt failed.
  package static let postFailingChannelTransfers = 6
  /// The most parallel transfers to one mail server while it accepts mail; every other destination gets one at a time.
  package static let postMailTransfers = 4
  /// Messages in a row that a channel may refuse before it counts as broken and pauses.
  package static let postRefusalsBeforePause = 3
  /// Refusals of one message by a channel that accepted others meanwhile, after which the message is dead-lettered; about a
  /// minute.
  package static let postRefusalsOfOneMessage = 4
  /// Attempts after which a message no longer delays later messages to the same person.
  package static let postOrderedAttempts = 3
  /// The longest pause of a whole channel that a `Retry-After` for a single message causes.
  package static let postMaxMessagePause: Duration = .minutes(1)
  /// The default of `FallbackAfter=`: how long a channel may try before its fallback starts.
  package static let postFallbackAfter: Duration = .minutes(10)
  package static let postFallbackAfterRange: ClosedRange<Duration> = .seconds(1) ... .hours(12)
  /// After this many replies 429 within `postRateLimitWindow`, a destination's rate is halved for `postSlowdownTime`, repeatedly
  /// down to one part in `postMaxSlowdown`.
  package static let postRateLimitReplies = 3
  package static let postRateLimitWindow: Duration = .minutes(10)
  package static let postSlowdownTime: Duration = .hours(1)
  package static let postMaxSlowdown: Int64 = 16
  /// Maximum bytes of an event; a day of 400 stops takes a quarter of it.
  package static let postEventBytes = 1 << 20
  package static let postCalendarBytes = 512 << 10
  /// Maximum bytes of a server's reply. Telegram returns the whole message: 4,096 characters of up to six bytes, plus its
  /// formatting.
  package static let postAnswerBytes = 64 << 10
  /// Maximum events in the queue; beyond that the remaining events wait in the drop folder, and the daemon reports it.
  package static let postEvents = 10_000
  /// The time for which receipts, dead letters and the ids of completed events are kept.
  package static let postRetention: Duration = .hours(24 * 30)
  /// The time for which an event without an expiry is retried.
  package static let postDefaultExpiry: Duration = .hours(24)
  /// Maximum receipts that wait in the drop folder for the daemon, or in the state folder for disk space: a morning of 1,000
  /// people has two of each.
  package static let postReceipts = 20_000
  /// A message that has waited for this long is reported as waiting.
  package static let postWaitReported: Duration = .minutes(1)
  /// A message that has failed for this long is reported as waiting, too: within the wait of `technician test`, and after the
  /// first two steps of the retry ladder, which most failures do not outlast.
  package static let postFailureReported: Duration = .seconds(22)
  /// Maximum bytes of a mail's encoded HTML; a common mail reader clips messages above 102 kB.
  package static let mailPageBytes = 90_000
  /// Crashes of the sender during one delivery, after which the delivery is given up.
  package static let postCrashes = 3

  /// The start-up time extension requested from the service manager before each migration step; a table of a million rows
  /// takes seconds.
  package static let migrationStepTime: Duration = .seconds(120)

  // Control.
  /// Maximum bytes of one frame of the control protocol.
  package static let controlFrameBytes = 1 << 20
  /// Maximum clients connected at the same time.
  package static let controlClients = 64
  /// The time that a control client may take to send or receive one frame.
  package static let controlDeadline: Duration = .seconds(5)
  /// The time that shell completion waits for names.
  package static let completionWait: Duration = .milliseconds(1_500)
  /// The newest runs or notices that completion offers; about one screen.
  package static let completionRecords = 30
  /// Bytes of one upload chunk; with base64 and the JSON around it, it fits into a frame.
  package static let uploadChunkBytes = 512 << 10
  /// Maximum uploads open at the same time, each a temporary file.
  package static let uploadsAtOnce = 4
  /// Maximum recent events kept for new subscribers.
  package static let eventsRemembered = 200
  /// Maximum events buffered for a slow subscriber.
  package static let eventsBuffered = 4_096
  /// Maximum events of one tick that are broadcast to other nodes; of older ones only the number is broadcast.
  package static let eventsBroadcast = 500
  /// Maximum rows of one reply; the client asks for further rows with `more`.
  package static let rowsPerAnswer = 10_000
  /// Maximum technicians listed individually on a page; the rest is counted.
  package static let techniciansPerPage = 40
}

// Ranges of water readings. A value outside is a typing error; the saturation index accepts any number.
extension Limits {
  /// Degrees north or south of the equator.
  package static let latitude: ClosedRange<Double> = -90...90
  /// Degrees east or west of Greenwich.
  package static let longitude: ClosedRange<Double> = -180...180
  /// Characters of an id prefix that may identify a record; a shorter one could be a customer's name.
  package static let idPrefixLength = 4
  /// Characters of an id that are displayed; among 10,000 records, one team in a hundred has two with the same prefix.
  package static let shownIDLength = 8
  /// The time for which a sink writes published pages before it checks for notices again.
  package static let siteWriteTime: Duration = .seconds(2)
  /// The interval at which a sink compares the files of published pages with those it wrote: with each heartbeat of the
  /// scheduler, once a minute, and not with each notice of a busy morning.
  package static let siteCheckInterval: Duration = .seconds(50)
  /// Maximum files of an unknown folder that are read to find out whether it contains published pages.
  package static let siteFilesExamined = 256
  /// Maximum pages that could not be written, listed in the operator's notice and the log; the rest is counted.
  package static let unwrittenPagesListed = 5
  /// Maximum bytes of the file of published names: 200 for each of ten technicians of ten thousand teams.
  package static let publishedNamesBytes = 20 << 20
  /// Minutes per stop that a team may set.
  package static let stopMinutes = 5...240
  /// The oldest PostgreSQL release whose statements, pipelines and connection failures are tested.
  package static let oldestPostgresVersion = 14
}
