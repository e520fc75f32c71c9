/// Every bound of the daemon, each with its reason. Passing one is an ordinary event with a sentence, never a crash.
package enum Limits {
  // Text and records.
  /// A team's name stands in commands, file names and journal fields.
  package static let teamNameLength = 64
  /// Names and addresses longer than this are damage or an attack, and break every table.
  package static let nameLength = 200
  /// A unit stands after each number of a table.
  package static let unitLabelLength = 20
  /// Any number of an archive: more than every pool, price and stock, and small enough that what is computed from some
  /// hundred thousand of them is a number, too.
  package static let recordNumber = 1e12
  /// The app's own bound on notes.
  package static let notesLength = 4_000
  /// Pools on the free plan; product.md, Plans.
  package static let freePlanPools = 5
  /// CSV rows of one import; product.md, Customers files.
  package static let csvRows = 5_000
  /// Bytes of one CSV file: 5,000 rows of 3 kB.
  package static let csvBytes = 16 << 20
  /// Bytes of a customers file that is copied for a second thread, and whose plan is kept from preview to import: 5,000 usual
  /// rows have half of it, and their plan takes 6 MB.
  package static let draftBytes = 1 << 20
  /// How long it is kept: somebody looks through a preview for some minutes.
  package static let draftKept: Duration = .seconds(600)
  /// Columns of one CSV file: we use 12, a spreadsheet may have some more.
  package static let csvColumns = 256
  /// Horses of one team: ten of the largest barns there are.
  package static let horsesPerTeam = 2_000
  /// Entries of a list of supplements or medications, and letters of each.
  package static let feedListEntries = 50
  package static let feedEntryLength = 200
  /// Feed templates of one team: they are kept as one list.
  package static let feedTemplatesPerTeam = 200
  /// Days until the next care that a team may propose: ten years.
  package static let careIntervalDays = 1...3_650
  /// Bytes of one forecast file: 16 days of the wordiest service take a third of it.
  package static let forecastBytes = 1 << 20
  /// Hours of one forecast: four months, and no service knows more than 16 days.
  package static let forecastHours = 3_000
  /// Bytes of one archive, photos included.
  package static let archiveBytes = 1 << 30
  /// Bytes of the photo of one visit: a telephone's have 2 to 12 MB.
  package static let photoBytes = 32 << 20
  /// Bytes of a photo that a report holds whole: in base64 it takes 7 of the 16 MiB that an answer may have.
  package static let reportPhotoBytes = 5 << 20
  /// Bytes of one JSON record file inside an archive: 26 weeks of 120 pools take 1.2 MB.
  package static let archiveRecordBytes = 64 << 20
  /// An entry larger than this may expand at most `archiveRatio` times.
  package static let archiveRatioFrom = 32 << 20
  package static let archiveRatio = 100
  /// Entries of one archive: a photo for each of 100,000 visits.
  package static let archiveEntries = 100_016
  /// No count, place or index that the store holds is larger; one that is would overflow what is worked out of it. Below it
  /// whole numbers are exact in a `Double`, and ten times it fits into an `Int`.
  package static let largestStoredNumber = 1e15
  /// Years 0 to 9999, which is all that RFC 3339 can write, in milliseconds.
  package static let storedInstants: ClosedRange<Int64> = -62_167_219_200_000...253_402_300_799_999
  /// Letters of the reason that is kept why a team is in trouble: a sentence, and no more where a file's text is in it.
  package static let troubleReasonLength = 400
  /// Teams in trouble that one answer or notice names; the rest is counted.
  package static let troublesShown = 20
  /// Problems shown of one refused file; the rest is counted.
  package static let problemsShown = 100

  // Time.
  /// Wall time jumps without telling sleepers, so nobody sleeps longer than this without another look.
  package static let longestSleep: Duration = .seconds(60)
  /// A forward jump beyond this is believed only after two readings `clockProbation` apart.
  package static let believableJump: Duration = .hours(25)
  package static let clockProbation: Duration = .seconds(60)
  /// Running time in which a clock must agree with itself before anything is deleted by it: a wrong time lasts hours at
  /// most where somebody looks, and a day more of old backups costs a day's room.
  package static let clockConfirmation: Duration = .hours(24)
  /// How long the operator is reminded of a clock that was mended.
  package static let mendTold: Duration = .hours(24)
  /// Longer than any wait between two tries of a delivery, spread included: what waits longer waits for a wrong clock.
  package static let longestRetry: Duration = .hours(29)
  /// Backups of days to come that are kept beside those that retention counts: each start by a wrong clock may make one.
  package static let backupsAhead = 8
  /// A notice sent later than this after its slot says so.
  package static let lateAfter: Duration = .minutes(5)
  /// 2024-01-01T00:00:00Z: before it the clock was never set.
  package static let earliestPlausibleNow = Timestamp(seconds: 1_704_067_200)
  /// The longest time that somebody may choose for a notice to be worth reading, or a slot to be caught up.
  package static let longestExpiry: Duration = .hours(31 * 24)
  /// Times a day that a rule somebody sets may name: once a minute.
  package static let slotsPerDay = 1_440
  /// Slots of one job looked at after a long downtime; older ones are one recorded stretch.
  package static let slotsPerCatchUp = 1_000
  /// Days that one `simulate` may cover.
  package static let simulatedDays = 400

  /// A stretch without a look that is longer than this is an absence: one look a minute, and room for a busy machine.
  package static let absenceFrom: Duration = .seconds(90)
  /// A clock that moved against the machine's own running time by more than this was set by somebody.
  package static let clockStep: Duration = .seconds(2)
  /// How often the store is told that the daemon is alive: what a crash may leave unknown.
  package static let heartbeat: Duration = .seconds(55)
  /// Times without a look that are kept in memory to explain missed slots; the store keeps all.
  package static let absencesRemembered = 64
  /// The widest spread of one job's runs: more would make "due at 07:00" untrue.
  package static let longestSpread: Duration = .hours(1)

  // Days off.
  /// Days of one closure or absence: a sabbatical. Whoever is away for longer has left.
  package static let longestClosedRange = 366
  /// Days of one year that a pattern may name: a team that is closed for more than half of it has a wrong pattern.
  package static let closedDaysPerYear = 183
  /// Bytes of what somebody writes for days off: a pattern with an end and ten exceptions.
  package static let closedDaysBytes = 200
  /// Bytes of one file of holidays: those of a country for ten years take a fifth of it, and one call carries it.
  package static let largestCalendarFile = 512 << 10
  /// Days off taken from one file: 40 holidays a year for 25 years.
  package static let calendarFileEntries = 1_000
  /// Components of such a file within one another: RFC 5545 has three, an alarm of an event of a calendar.
  package static let calendarFileDepth = 16

  // Work.
  /// Late runs begun in one look; the others follow, as many each second, so that a morning after downtime is no storm.
  package static let lateRunsPerLook = 500
  /// A run that begins later than this is catch-up work and waits its turn.
  package static let catchUpAfter: Duration = .seconds(60)
  /// Verdicts of passed slots settled in one look: ten years of downtime of ten thousand jobs must fit in memory.
  package static let verdictsPerLook = 20_000
  /// Jobs that one look takes of all that is due: what a look plans nobody is told before, and whoever asks the scheduler
  /// waits as long. Four batches, so that those who decide seldom wait for the next look.
  package static let jobsPerLook = 512
  /// Verdicts written in one transaction.
  package static let verdictsPerCommit = 5_000
  /// Slots that one `skip` may pass over.
  package static let skipsAtOnce = 366
  package static let reminderNameLength = 40
  /// Letters of a reminder's text, and of its title; a page of text is no reminder.
  package static let reminderTextLength = 1_000
  package static let reminderTitleLength = 100
  /// Of one team: more are a calendar of their own.
  package static let remindersPerTeam = 1_000
  /// How often a reminder may be told before it ends by itself.
  package static let reminderTimes = 10_000
  /// Technicians of one team that somebody adds by hand: ten times the largest there is.
  package static let techniciansPerTeam = 2_000
  /// Days off of one team.
  package static let daysOffPerTeam = 2_000
  /// A team that is closed for longer than this has no next working day.
  package static let closedDaysLookedThrough = 400
  /// Closed days whose stops one notice lists: two weeks hold every weekday twice.
  package static let closedDaysTold = 14
  /// How far ahead an answer tells which stops need another day.
  package static let openStopsDays = 60
  /// Letters of the note of a pause.
  package static let holdNoteLength = 200
  /// A page of a new store; one made before keeps its own. Twice SQLite's 4 KiB halves the calls that write a large import.
  package static let storePageBytes = 8_192
  /// 16 MiB of log before it is written back: a morning of ten thousand notices rewrites the same index pages again and
  /// again, and each write-back makes all of them durable twice.
  package static let walBytesBeforeCheckpoint = 1 << 24
  /// Runs decided and committed in one transaction: bounds how long the store is held, and the facts in memory.
  package static let runsPerBatch = 128
  /// A notice with so many bytes of data, as of three hundred stops, is decided after those of its morning that are smaller.
  package static let largeNoticeBytes = 1 << 18
  /// So long a status that would wait for the store holds what was found of the teams' rows.
  package static let teamsLookedAtHold: Duration = .seconds(30)
  /// Facts of so many teams are read beside the store.
  package static let factsReadBeside = 8
  /// Of a morning that many share: what is told first need not wait for more than these decisions.
  package static let runsOfFirstBatch = 4
  /// Decided before their slot has come and kept in memory, of what is due first: some ten megabytes.
  package static let runsPrepared = 128
  /// Decided before their slot has come and laid in a file, of what is due next: as many as a processor decides in two
  /// minutes.
  package static let runsLaid = 1 << 15
  /// Of these so many one after the other before anybody looks at the clock again: some fifty milliseconds.
  package static let runsLaidAtOnce = 16
  /// The file in which they lie is no larger, and is not written where less than four times as much is free.
  package static let laidBytes = 1 << 29
  /// Written back as often as it has grown by this.
  package static let laidStep = 1 << 22
  /// So long before its slot nothing is laid any more: both processors are to be free when it comes.
  package static let laidUntil: Duration = .milliseconds(300)
  /// A slot that comes sooner is decided when it is there: the look at it must not wait for what lies ready.
  package static let leastTimeToPrepare: Duration = .seconds(1)
  /// A run that begins so long after its slot is decided then.
  package static let lateForPrepared: Duration = .seconds(30)
  /// So often a run is decided again because its facts have changed meanwhile; then it is told as it was read, a moment
  /// ago, for someone who changes them without end.
  package static let decisionsAgain = 3
  /// Fewer runs than these are decided one after the other.
  package static let runsDecidedAlone = 8
  /// Instants tried for a manual run that collides with another of the same millisecond.
  package static let manualRunsPerSecond = 100
  /// Heavy works under way at once: one for each processor of a small server, so that slots are still begun in time.
  package static let laboursAtOnce = 2
  /// A slot that crashed the daemon this often is poison and becomes `failed`.
  package static let crashesPerSlot = 3

  /// How long verdicts are kept: `why` can compare this spring with the last one, and a store of ten thousand teams stays
  /// within some gigabytes.
  package static let ledgerRetention: Duration = .hours(24 * 400)
  /// Verdicts forgotten at once, and how often: as many as a hundred thousand jobs make in that time, so that a clock that
  /// was wrong for an hour has not emptied the ledger.
  package static let runsPrunedAtOnce = 5_000
  package static let pruningEvery: Duration = .hours(1)
  /// Jobs that have lines of their own among the metrics: more would make a file that no collector reads in time.
  package static let jobsInMetrics = 2_000
  /// Runs of a job that its metrics look at.
  package static let runsInMetrics = 20

  /// Memory that came since some was last given back to the machine, before it is worth doing again: a quiet daemon's
  /// minute needs less.
  package static let memoryWorthGivingBack = 2 << 20

  /// Arenas of the allocator: one for each processor of a small machine, so that they seldom wait for each other.
  package static let memoryArenas = 2
  /// Longer pieces of memory are taken from the machine one by one. By itself the allocator raises this bound to the longest
  /// piece it was ever given back, and keeps what is shorter: after ten thousand teams' jobs are read, most of them.
  package static let memoryGivenBackAtOnce = 1 << 18
  /// Threads for decisions, answers and waiting tasks; the store, sinks and sockets have their own.
  package static let workerThreads = 4

  // Health.
  /// Below this a nightly backup may not fit any more: the store and one archive of 200 MB.
  package static let freeSpaceWarning = 512 << 20
  /// Below this the store itself may soon be unable to write.
  package static let freeSpaceError = 64 << 20
  /// Room kept for need on the store's disk: SQLite's shared memory of 32 KiB, some commits of a start, and what the file
  /// grows by when its log is written back.
  package static let reserveBytes = 1 << 20
  /// The log may take this share of what is free before it is written back, so that a small disk is not filled by it.
  package static let walShareOfRoom = 4
  /// The least that it may take: below it every commit would be written twice.
  package static let leastWalBytes = 1 << 20
  /// How long another process's look at the store may hold up the attempt to make room.
  package static let makingRoomWait: Duration = .milliseconds(200)
  /// Looks at a store without room come at least so often: it goes on within a minute once there is some.
  package static let roomRetry: Duration = .seconds(30)
  /// The same where the server that keeps the store is away: most restarts and failovers take seconds.
  package static let serverRetry: Duration = .seconds(2)
  /// How often a node tells that it lives and looks at the others, where none calls it.
  package static let nodeLook: Duration = .seconds(1)
  /// What nobody has is taken once it was seen to be free for so long: who only lost its session has it again by then.
  package static let freeSettled: Duration = .milliseconds(300)
  /// A node that has said nothing for so long is taken for dead, and its sessions are ended: a death that the server itself
  /// notices takes a second, one that it does not less than ten.
  package static let nodeSilence: Duration = .seconds(6)
  /// Shares go from a node that has more than its part to others once all have been the same for so long, a few at a look: a node
  /// that comes and goes at once moves none.
  package static let membersSettled: Duration = .seconds(2)
  package static let sharesGivenAtOnce = 16
  /// A node is ready once it has planned about so many teams: nodes that begin together each plan their own part of the others
  /// meanwhile, and what is due of the teams that it has waits for nobody else's.
  package static let teamsBegunWith = 10_000
  /// The others are planned so many at once: a call waits for no more.
  package static let teamsTakenAtOnce = 5_000
  /// What a share's work may take to come to its end before the share is handed over: heavy work goes on where it is.
  package static let shareGiving: Duration = .seconds(3)
  /// A call that changes something waits so long for shares of other nodes.
  package static let shareWait: Duration = .seconds(5)
  /// A share that came for a call stays for so long: the next call is often about the same team.
  package static let shareBorrowed: Duration = .seconds(30)
  /// The night's work tells other nodes so often at most that it has changed something of their teams.
  package static let newsQuiet: Duration = .seconds(5)
  /// So many calls of other nodes are remembered; who has missed more plans all that is its own.
  package static let newsRemembered = 64
  /// Bytes of a call to other nodes: PostgreSQL takes less than 8,000.
  package static let callBytes = 7_900
  /// Clocks that are further apart than this are told of.
  package static let clocksApartTold: Duration = .seconds(2)
  /// A node whose clock is further than this from the server's takes nothing: it would tell mornings at the wrong time.
  package static let clocksApart: Duration = .seconds(30)
  /// With all that stands beside it in a session's name, which PostgreSQL cuts off at 63 bytes.
  package static let nodeNameLength = 24
  /// So long a store's server was away before the operator has a notice of it: less is a restart.
  package static let serverAwayTold: Duration = .seconds(30)
  /// Each notice in a drop folder is a file.
  package static let freeFilesWarning = 10_000

  // Backups.
  /// Pages copied between two looks at whether to go on: a MiB, some 2 ms.
  package static let copiedPages = 256
  /// A newest backup older than this is stale: one night was missed, and the next one, too.
  package static let backupAge: Duration = .hours(50)
  /// A tz database older than this lacks the clock changes of several governments: five to ten editions come in a year.
  package static let zoneDatabaseAge: Duration = .hours(365 * 24)
  /// Letters of the reason of a backup.
  package static let backupReasonLength = 200
  /// Bytes of a backup's own description: some 400 for each of 100,000 archives.
  package static let backupManifestBytes = 64 << 20
  /// Backups that a folder is read for: one a day for nine years.
  package static let backupsListed = 3_650
  /// Copies of the store kept from before a migration: of the last one, and of the one before for who skips back twice.
  package static let migrationCopies = 2
  /// Stores that restores and resets keep aside: of one that went wrong, and of some before it. Each is as large as the store.
  package static let keptStores = 5
  /// How long they are kept; the newest one stays whatever its age.
  package static let keptStoreAge: Duration = .hours(24 * 90)
  /// After this a backup that was begun in the second folder and never ended is nobody's any more.
  package static let partialBackupAge: Duration = .hours(24)
  /// Customers named of those whose pools a restore or a clearing takes away; the rest is counted.
  package static let lostPoolsTold = 10
  /// What is read, written and hashed at once.
  package static let filePieceBytes = 256 << 10

  // Inbox.
  /// Folders of teams and technicians that a look opens: one for each of a large host's teams.
  package static let inboxFolders = 1_000
  /// Names of one folder that a look reads: more are a mistake of a script, and the next look reads on.
  package static let inboxFiles = 10_000
  /// Files imported in one look; the others follow in the next.
  package static let inboxFilesAtOnce = 20
  /// Bytes of a dropped file's name: a file system takes 255, of which the names it goes through need 45.
  package static let inboxNameBytes = 200
  /// How long a file must look the same before it counts as complete: a copy over a network may pause for some seconds,
  /// and looks are a minute apart.
  package static let inboxQuiet: Duration = .seconds(20)
  /// How long imported files and their answers stay in the inbox. Refused ones stay until somebody takes them away.
  package static let inboxKept: Duration = .hours(24 * 30)
  /// Tries of one file that ended with the daemon or for want of room, before it is set aside.
  package static let inboxAttempts = 3

  // Audit.
  /// Changes remembered: thirty a day for nine years, some 20 MB.
  package static let auditEntries = 100_000
  /// A command line longer than this says nothing more to a reader.
  package static let auditCommandLength = 500

  // Delivery.
  /// Entries whose directory syncs and commits are shared.
  package static let deliveriesPerBatch = 256
  /// Jobs that are looked at for the first slots of all: some of them may have run early.
  package static let jobsOfFirstSlots = 64
  /// An archive of so few photos and bytes is imported in one pass.
  package static let photosOfOnePass = 32
  package static let bytesOfOnePass = 8 << 20
  /// Digests kept in memory until their pages are made: two batches that are decided while one is delivered, each some
  /// 60 kB.
  package static let freshDigests = 512
  /// Decisions of a morning that thousands share wait for the pages of those before them, but no longer than this, and then
  /// no more until a sink has caught up.
  package static let sinkIsAtWork: Duration = .seconds(1)
  /// After that nobody waits for a page that is still to be made.
  package static let digestIsFresh: Duration = .seconds(30)
  /// From so many notices on a batch asks the disk once for all of its files: below that what others wrote on the same
  /// file system, which is brought to the disk with them, could be more than what is saved.
  package static let noticesOfSharedSync = 4
  /// A sync of a whole file system that took so long is not asked for again for a while.
  package static let longSharedSync: Duration = .seconds(1)
  package static let batchesSyncedAlone = 16
  /// Attempts before an entry is dead: the eight waits of the retry ladder and the first try.
  package static let deliveryAttempts = 9
  /// One line of NDJSON on stdout that a pipe takes in one write.
  package static let journalFieldBytes = 48 << 10
  /// Files in a drop folder's `new/` at which the sink waits: a consumer that takes none is down.
  package static let dropFiles = 100_000
  /// A sink's name stands in a folder's name and in the ids of notices.
  package static let sinkNameLength = 64
  /// How long a batch may take before its sink is taken for stuck: a slow disk syncs 256 files in 2 s (fault 84).
  package static let sinkTimeout: Duration = .seconds(15)
  package static let sinkTimeouts: ClosedRange<Duration> = .seconds(1) ... .seconds(300)
  /// What a shutdown waits for a batch under way; after that its sink is stuck.
  package static let sinkGrace: Duration = .milliseconds(1_500)
  /// The fastest rate that can be set: no sink takes a thousand notices a second for long.
  package static let sinkRate = 1_000
  /// The daemon's own lines in a stretch of its log: with the journal's notices (300 a second) they stay below the
  /// 10,000 messages in 30 s of which journald keeps none more.
  package static let logLines = 1_000
  package static let logWindow: Duration = .seconds(30)
  /// Events of delivery that wait until the operator is told of them; one is 200 bytes.
  package static let deliveryEvents = 1_000
  /// A sink that fails and recovers over and over is told of once in this time.
  package static let operatorQuiet: Duration = .minutes(15)
  /// Dead letters of one sink that fall into this time are told together.
  package static let deadLetterQuiet: Duration = .minutes(60)
  /// What `pfctl sink test` waits for its notice.
  package static let sinkTestTime: Duration = .seconds(10)
  /// What a shutdown may spend on calls under way and on what is due, counted from the moment it is asked for. The rest of
  /// the five seconds that a stop may take is for the batch that a lane holds by then (two on a slow disk) and for closing
  /// the store; what is not delivered stays in the outbox.
  package static let drainTime: Duration = .seconds(2)

  // Receipts.
  /// How long a start waits for the folder of one that was just killed.
  package static let postLockPatience = Duration.seconds(2)
  /// Bytes of a receipt; ours have 300.
  package static let receiptBytes = 4 << 10
  /// Bytes of the words in it.
  package static let receiptWords = 300
  /// Deliveries of one notice: a person has seven addresses, a team's channels are fewer.
  package static let receiptsPerNotice = 100
  /// Taken in one transaction.
  package static let receiptsAtOnce = 200
  /// Told of one run or entry on one line of an answer; `outbox show` has all.
  package static let receiptsShown = 20
  /// Losses of a team that come close together are told together: a mail server refuses a whole morning within a minute.
  package static let lossesGathered: Duration = .minutes(2)
  /// And no more often than this: what a morning lost is one notice, what expired by the evening perhaps another.
  package static let lossesQuiet: Duration = .hours(6)
  /// Lines of such a notice.
  package static let lossesNamed = 20
  /// What `pfctl technician test` waits for what became of its notice.
  package static let receiptTestTime: Duration = .seconds(30)

  // Health of a sender and its channels.
  /// Bytes of a sender's report: a hundred channels with an error each have 40 KiB.
  package static let senderReportBytes = 256 << 10
  /// Bytes of one text in it.
  package static let senderReportText = 1_000
  /// A sender that runs writes its report at least so often.
  package static let senderReportEvery: Duration = .minutes(1)
  /// A sender whose report stays the same for so long does not run: it has missed two reports.
  package static let senderSilent: Duration = .minutes(3)
  /// Failures that begin within this time of the last notice about failures are told together: a network that is cut stops
  /// every channel.
  package static let failuresGathered: Duration = .minutes(1)

  // poolflow-post.
  /// How long a message that is due may wait before its channel has failed: `DueWithin=`. A morning at 06:30 is read at
  /// 06:35; two minutes hold the first four tries of the ladder, which outlast the restart of a mail server, and leave the
  /// operator three.
  package static let postDueWithin: Duration = .minutes(2)
  package static let postDueWithins: ClosedRange<Duration> = .seconds(1) ... .hours(1)
  /// At most so many teams whose notices have no recipient are listed in a report: more repeat the same mistake.
  package static let postUnreachedTeams = 50
  /// One try of one delivery: long enough for a slow relay, short beside a morning.
  package static let postTimeout: Duration = .seconds(30)
  /// How long a mail server may take to answer the end of a mail: RFC 5321 §4.5.3.2.6 has a client wait for ten minutes.
  package static let postAnswerTimeout: Duration = .minutes(10)
  package static let postAnswerTimeouts: ClosedRange<Duration> = .seconds(1) ... .minutes(30)
  /// How long a stop waits for what is under way, and for the answer to a whole mail, which would be sent again otherwise.
  package static let postStopTime: Duration = .seconds(3)
  package static let postStopAnswerTime: Duration = .seconds(10)
  /// Transfers side by side that have just begun. One that a server lets wait is not counted any more, so that servers that
  /// hang take no other's place.
  package static let postTransfers = 4
  /// When a transfer is one that waits.
  package static let postSlow: Duration = .seconds(3)
  /// Transfers side by side, with those that wait: a curl has some 2 MB of its own, and 9 MB that all share.
  package static let postAllTransfers = 12
  /// And with those that have waited for longer than `postLong`, for an answer to a whole mail.
  package static let postLongTransfers = 24
  package static let postLong: Duration = .minutes(1)
  /// Of those, at places that were in trouble the last time.
  package static let postTroubledTransfers = 6
  /// Transfers side by side to one mail server that takes what it is given; every other place has one at a time.
  package static let postMailTransfers = 4
  /// Messages that a channel may refuse, one after the other, before it is called broken and rests.
  package static let postProbes = 3
  /// Refusals of one message by a channel that took others meanwhile, after which it is dead: they take about a minute.
  package static let postSingledOut = 4
  /// Tries after which a message no longer holds up later ones for the same person.
  package static let postTriesInOrder = 3
  /// The longest pause of a whole channel that a server's wish (Retry-After) to a single message brings.
  package static let postWishOfOne: Duration = .minutes(1)
  /// How long a channel has before its fallback begins: `FallbackAfter=`.
  package static let postFallbackAfter: Duration = .minutes(10)
  package static let postFallbacksAfter: ClosedRange<Duration> = .seconds(1) ... .hours(12)
  /// So many 429 within ten minutes, and a place is asked half as often for an hour, 16 times more seldom at most.
  package static let postSlowedAfter = 3
  package static let postSlowedWithin: Duration = .minutes(10)
  package static let postSlowedFor: Duration = .hours(1)
  package static let postSlowedMost: Int64 = 16
  /// Of an event that is taken: a day of 400 stops has a quarter of it.
  package static let postEventBytes = 1 << 20
  package static let postCalendarBytes = 512 << 10
  /// Of what a server answers. Telegram gives the whole message back, 4,096 characters with six bytes each, and its marks.
  package static let postAnswerBytes = 64 << 10
  /// Events at work: beyond them the drop folder keeps the rest, and the daemon says so.
  package static let postEvents = 10_000
  /// How long receipts, dead letters and the names of what was done are kept.
  package static let postKept: Duration = .hours(24 * 30)
  /// How long is tried what does not say when it is of no use any more.
  package static let postUntil: Duration = .hours(24)
  /// Receipts that wait in the drop for the daemon, or beside it for room: a morning of 1,000 people has two of each.
  package static let postReceipts = 20_000
  /// What has waited for so long is told as waiting.
  package static let postWaitTold: Duration = .minutes(1)
  /// And so is what has been tried in vain for so long: within what `technician test` waits, and after the ladder's first
  /// two steps, which most troubles do not outlast.
  package static let postFailureTold: Duration = .seconds(22)
  /// Encoded HTML of a mail: a common reader cuts off what is above 102 kB.
  package static let mailPageBytes = 90_000
  /// Ends of our own process in the middle of one delivery, after which it is given up.
  package static let postCrashes = 3

  // Routes.
  /// Stops put in order at once: twice the largest day anybody measured, in half a minute.
  package static let routeStops = 20_000
  /// Stops of a table of legs: 2,000 are four million numbers, 32 MB.
  package static let routeMatrixStops = 2_000
  /// Bytes of a file of stops or legs: a table of 2,000 stops with eight characters a number.
  package static let routeFileBytes = 64 << 20
  /// Places of a team's table of measured times: 250,000 numbers, a megabyte in the store.
  package static let routeTablePlaces = 500
  /// Pairs in each of the cache's two generations: 1,000 teams' days of 12 stops are two million; 72 bytes a pair.
  package static let travelTimes = 2_500_000
  /// The most times the everyday budget of moves that one search may take.
  package static let routeEffort = 1_000

  /// What the service manager is asked for before each step of a migration: a table of a million rows takes seconds.
  package static let migrationTime: Duration = .seconds(120)

  // Control.
  package static let controlFrameBytes = 1 << 20
  package static let controlClients = 64
  package static let controlDeadline: Duration = .seconds(5)
  /// Who presses Tab waits no longer for names.
  package static let completionWait: Duration = .milliseconds(1_500)
  /// The newest runs or notices that completion offers: more than a screen of them helps nobody.
  package static let completedRecords = 30
  /// Raw bytes of one uploaded piece; base64 and the JSON around it stay under a frame.
  package static let uploadPieceBytes = 512 << 10
  /// Uploads kept open at once, each a temporary file.
  package static let uploadsAtOnce = 4
  /// Events kept for whoever asks what just happened, and those that one slow follower may have to catch up with.
  package static let eventsRemembered = 200
  package static let eventsBuffered = 4_096
  /// Events of one look that are told to other nodes; of those before the newest they hear how many there were.
  package static let eventsTold = 500
  /// Rows of one answer; more come with `more`.
  package static let rowsPerAnswer = 10_000
  /// Visits that a week's or a month's figures are made of, the newest: two months of ten thousand pools.
  package static let visitsOfPeriod = 100_000
  /// Technicians that a page tells of one by one; the rest is counted.
  package static let techniciansOfPage = 40
}

// Water. Beyond these a reading is a slip of the finger; the index itself takes any number.
extension Limits {
  /// The scale of pH in water.
  package static let pH: ClosedRange<Double> = 0...14
  /// Ice, and what no plaster, liner or bather stands.
  package static let waterTempF: ClosedRange<Double> = 32...140
  /// Twice what any test kit reads; hardness and alkalinity.
  package static let hardnessPPM: ClosedRange<Double> = 0...5_000
  /// Ten times what test kits read.
  package static let cyanuricAcidPPM: ClosedRange<Double> = 0...1_000
  /// Sea water has 35,000.
  package static let dissolvedSolidsPPM: ClosedRange<Double> = 0...50_000
  /// A tank car; more in one dose or on one shelf is a slip of the finger.
  package static let quantityOz: ClosedRange<Double> = 0...5_000_000
  /// What an ounce may cost: gold does not go into pools.
  package static let costPerOz: ClosedRange<Double> = 0...1_000
  /// The largest pool there is has 66 million.
  package static let volumeGallons: ClosedRange<Double> = 0...100_000_000
  /// Degrees from the equator, and from Greenwich.
  package static let latitude: ClosedRange<Double> = -90...90
  package static let longitude: ClosedRange<Double> = -180...180
  /// What a month of service may cost.
  package static let monthlyFee: ClosedRange<Double> = 0...1_000_000
  /// Calendar days: paper that is typed in is younger; an older date is a slip of the finger.
  package static let visitAgeDays = 3_653
  /// Letters of an id that name its record: fewer could be a customer's name as well.
  package static let idBeginning = 4
  /// Letters of an id that people are shown: of 10,000 records one in a hundred teams has two that begin alike.
  package static let idShown = 8
  /// Pools of one block of the refresh: some 5 ms of the store's time, so that nobody waits longer.
  package static let refreshBlock = 4_096
  /// Stops that a page names first: of a day on which everything needs attention nothing stands out.
  package static let attentionTold = 20
  /// Service days without a visit that the office's published page names; a team on holiday missed all of them.
  package static let missedOnSite = 20
  /// How long a sink writes published pages before it looks for notices again.
  package static let siteRound: Duration = .seconds(2)
  /// How often a sink compares the files of published pages with those that it wrote: at each heartbeat of the scheduler, which
  /// comes every minute, and not at each notice of a busy morning.
  package static let siteCheck: Duration = .seconds(50)
  /// Files of an unknown folder that are read to find out whether it holds published pages.
  package static let siteFilesExamined = 256
  /// Pages that the operator's notice and the log name of those that cannot be written.
  package static let obstaclesTold = 5
  /// The file of published names: 200 bytes each, of ten thousand teams with ten technicians.
  package static let publishedNamesBytes = 20 << 20
  /// What a stop may be said to take, in minutes.
  package static let stopMinutes = 5...240
  /// Pages of one commit of the refresh, scattered over the file: half a MB on the disk.
  package static let refreshCommit = 128
  /// Pools of one commit where they lie side by side, as after an import: some 5 ms of writing.
  package static let refreshCommitRows = 512
  /// Pages in the log at which the refresh brings it home itself: SQLite would wait for 1,000 and then hold everybody up
  /// for all of them at once.
  package static let refreshCheckpoint = 256
  /// How far back a weekday's last digest is looked for: a break of two months makes a comparison pointless.
  package static let lastRouteDays = 62
  /// Lines of one digest about water that changed: more is a list for `pfctl health`.
  package static let waterChangesTold = 20
  /// How long crossings are kept: the weekly digest, and a look back over a month.
  package static let crossingsKept: Duration = .hours(31 * 24)
  /// The oldest PostgreSQL whose statements, pipelines and lost connections are known here.
  package static let postgresVersion = 14
}
