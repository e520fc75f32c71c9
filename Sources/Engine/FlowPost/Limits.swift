package import FlowModel

extension Limits {
  /// The time that a start waits for the lock of its state folder, held by a process that was just killed.
  static let postLockPatience = Duration.seconds(2)
  /// Maximum teams listed in a report because their notices have no recipient; more would repeat the same mistake.
  static let postUnreachedTeams = 50
  /// The time that a stop waits for running transfers.
  static let postStopTime: Duration = .seconds(3)
  /// The time that a stop waits for the confirmation of a completely sent mail, which would otherwise be sent twice.
  static let postStopAnswerTime: Duration = .seconds(10)
  /// The most parallel transfers younger than `postSlowAfter`. Older ones wait for a server and do not count, so that servers that
  /// hang block no other transfer.
  static let postTransfers = 4
  /// The age from which a transfer counts as waiting.
  static let postSlowAfter: Duration = .seconds(3)
  /// The most parallel transfers, including waiting ones but not those older than `postLongAfter`; a curl process takes about 2
  /// MB, and all share another 9 MB.
  static let postAllTransfers = 12
  /// The most parallel transfers in total, including those older than `postLongAfter` that wait for the confirmation of a mail.
  package static let postLongTransfers = 24
  static let postLongAfter: Duration = .minutes(1)
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
  static let postOrderedAttempts = 3
  /// The longest pause of a whole channel that a `Retry-After` for a single message causes.
  static let postMaxMessagePause: Duration = .minutes(1)
  /// After this many replies 429 within `postRateLimitWindow`, a destination's rate is halved for `postSlowdownTime`, repeatedly
  /// down to one part in `postMaxSlowdown`.
  static let postRateLimitReplies = 3
  static let postRateLimitWindow: Duration = .minutes(10)
  static let postSlowdownTime: Duration = .hours(1)
  static let postMaxSlowdown: Int64 = 16
  /// Maximum bytes of an event; a day of 400 stops takes a quarter of it.
  static let postEventBytes = 1 << 20
  static let postCalendarBytes = 512 << 10
  /// Maximum bytes of a server's reply. Telegram returns the whole message: 4,096 characters of up to six bytes, plus its
  /// formatting.
  static let postAnswerBytes = 64 << 10
  /// Maximum events in the queue; beyond that the remaining events wait in the drop folder, and the daemon reports it.
  static let postEvents = 10_000
  /// The time for which receipts, dead letters and the ids of completed events are kept.
  static let postRetention: Duration = .hours(24 * 30)
  /// The time for which an event without an expiry is retried.
  static let postDefaultExpiry: Duration = .hours(24)
  /// A message that has waited for this long is reported as waiting.
  static let postWaitReported: Duration = .minutes(1)
  /// A message that has failed for this long is reported as waiting, too: within the wait of `technician test`, and after the
  /// first two steps of the retry ladder, which most failures do not outlast.
  static let postFailureReported: Duration = .seconds(22)
  /// Maximum bytes of a mail's encoded HTML; a common mail reader clips messages above 102 kB.
  package static let mailPageBytes = 90_000
  /// Crashes of the sender during one delivery, after which the delivery is given up.
  package static let postCrashes = 3
}
