/// The bounds that several modules share, each with its reason; a bound that one module needs stands in that module.
///
/// Exceeding a bound is an ordinary error with a message, never a crash.
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
  /// Maximum columns of one CSV file; poolflow uses 12, spreadsheets often have more.
  package static let csvColumns = 256
  /// Maximum bytes of one archive, including photos.
  package static let archiveBytes = 1 << 30
  /// Maximum bytes of one JSON record file in an archive; 26 weeks of 120 pools take 1.2 MB.
  package static let archiveRecordBytes = 64 << 20
  /// Maximum bytes of one photo of a record; phone photos are 2 to 12 MB.
  package static let photoBytes = 32 << 20
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
  /// A notice sent later than this after its slot contains the due and sent times.
  package static let lateAfter: Duration = .minutes(5)
  /// 2024-01-01T00:00:00Z; an earlier clock was never set.
  package static let earliestPlausibleNow = Timestamp(seconds: 1_704_067_200)
  /// Maximum missed slots of one job that are recorded individually after a long downtime; older ones are recorded as one
  /// slot range.
  package static let slotsPerCatchUp = 1_000
  /// Maximum days that one `simulate` may cover.
  package static let simulatedDays = 400

  /// A longer time without a tick is recorded as an absence: one tick a minute, plus slack for a busy machine.
  package static let shortestDowntime: Duration = .seconds(90)
  /// A larger difference between the wall clock and the machine's uptime means that the clock was set.
  package static let clockStep: Duration = .seconds(2)
  /// Maximum absences kept in memory to explain missed slots; the store keeps all of them.
  package static let downtimesRemembered = 64
  /// The largest jitter of a job; with more, "due at 07:00" would not be true.
  package static let longestJitter: Duration = .hours(1)

  // Days off.
  /// Maximum bytes of one calendar file of holidays; the holidays of a country for ten years take a fifth of it, and it fits
  /// into one call.
  package static let largestCalendarFile = 512 << 10

  // Work.
  /// Maximum slots that one `skip` may cover.
  package static let slotsPerSkip = 366
  /// Maximum characters of a reminder's name.
  package static let reminderNameLength = 40
  /// Maximum characters of a reminder's text.
  package static let reminderTextLength = 1_000
  /// Maximum characters of a reminder's title.
  package static let reminderTitleLength = 100
  /// Maximum closed days whose stops one notice lists; two weeks contain every weekday twice.
  package static let closedDaysListed = 14
  /// Maximum characters of the note of a hold.
  package static let holdNoteLength = 200
  /// Maximum runs decided and committed in one transaction; bounds the time for which the store is locked, and the memory for
  /// facts.
  package static let runsPerBatch = 128
  /// A slot that crashed the daemon this often becomes `failed`.
  package static let crashesPerSlot = 3

  /// The time for which verdicts are kept: `why` can compare this spring with last spring, and a store of ten thousand teams
  /// stays within a few gigabytes.
  package static let ledgerRetention: Duration = .hours(24 * 400)
  /// Maximum verdicts pruned at once. With `pruningInterval`, pruning is as fast as a hundred thousand jobs create verdicts, so
  /// a clock that was wrong for an hour cannot empty the ledger.
  package static let verdictsPrunedAtOnce = 5_000

  // Health.
  /// Free bytes below which the next nightly backup may fail: the store plus one archive of 200 MB.
  package static let freeSpaceWarning = 512 << 20
  /// Free bytes below which the store may soon be unable to write.
  package static let freeSpaceError = 64 << 20
  /// The interval at which a node sends heartbeats and checks the other nodes, unless a call wakes it earlier.
  package static let nodeTick: Duration = .seconds(1)
  /// A node without a heartbeat for this long is declared dead and its sessions are terminated. A failure that the server
  /// itself notices is handled within a second, any other within ten.
  package static let nodeHeartbeatTimeout: Duration = .seconds(6)
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

  // Backups.
  /// Maximum characters of the reason of a backup.
  package static let backupReasonLength = 200
  /// Maximum backups listed from one folder: one a day for nine years.
  package static let backupsListed = 3_650
  /// Maximum old stores kept by restores and resets, each as large as the store.
  package static let keptStores = 5
  /// The time for which stores set aside are kept; the newest one is kept regardless of its age.
  package static let keptStoreAge: Duration = .hours(24 * 90)
  /// Bytes read, written and hashed at once.
  package static let fileChunkBytes = 256 << 10

  // Inbox.
  /// The time for which imported files and their reports stay in the inbox. Rejected files stay until a person removes them.
  package static let inboxRetention: Duration = .hours(24 * 30)

  // Audit.
  /// Maximum characters of a command line in the audit log.
  package static let auditCommandLength = 500

  // Delivery.
  /// Files in a drop folder's `new/` at which the sink pauses, because its consumer must be down.
  package static let dropFolderFiles = 100_000
  /// Maximum characters of a sink's name, which is part of folder names and notice ids.
  package static let sinkNameLength = 64
  /// The time limit of a batch, after which its sink counts as stuck; a slow disk syncs 256 files in 2 s (fault 84).
  package static let sinkTimeout: Duration = .seconds(15)
  /// The highest rate that can be set; no sink accepts a thousand notices a second for long.
  package static let maxSinkRate = 1_000
  /// The daemon's own log lines per `logWindow`. Together with the journal's notices (300 a second) they stay below the
  /// 10,000 messages in 30 s above which journald drops messages.
  package static let logLines = 1_000
  /// A sink that repeatedly fails and recovers is reported at most once in this time.
  package static let operatorReportInterval: Duration = .minutes(15)
  /// The time limit of a shutdown for running calls and due work, counted from the request. The rest of the five seconds of a
  /// stop is for the current batch of each lane (two on a slow disk) and for closing the store; undelivered entries stay in
  /// the outbox.
  package static let drainTime: Duration = .seconds(2)

  // Receipts.
  /// Maximum bytes of a receipt file; those of poolflow-post have 300.
  package static let receiptBytes = 4 << 10
  /// Maximum deliveries of one notice: a person has at most seven addresses, and a team has fewer channels than that limit.
  package static let receiptsPerNotice = 100

  // Health of a sender and its channels.
  /// Maximum bytes of a sender's report; a hundred channels with an error each take 40 KiB.
  package static let senderReportBytes = 256 << 10
  /// The longest interval between two reports of a running sender.
  package static let senderReportInterval: Duration = .minutes(1)

  // poolflow-post.
  /// Maximum receipts that wait in the drop folder for the daemon, or in the state folder for disk space: a morning of 1,000
  /// people has two of each.
  package static let postReceipts = 20_000

  // Control.
  /// Maximum bytes of one frame of the control protocol.
  package static let controlFrameBytes = 1 << 20
  /// Maximum clients connected at the same time.
  package static let controlClients = 64
  /// The time that a control client may take to send or receive one frame.
  package static let controlDeadline: Duration = .seconds(5)
  /// Bytes of one upload chunk; with base64 and the JSON around it, it fits into a frame.
  package static let uploadChunkBytes = 512 << 10
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
  /// Minutes per stop that a team may set.
  package static let stopMinutes = 5...240
}
