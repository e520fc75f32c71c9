package import FlowModel

extension Limits {
  /// Maximum size of one answer in bytes, all pages together: `rowsPerAnswer` rows of 1.6 kB. The limit for requests is
  /// `controlFrameBytes`.
  package static let maxAnswerBytes = 16 << 20
  /// Maximum size in bytes of a list returned in one frame, to a caller without `more`: some thousand rows.
  package static let maxUnpagedAnswerBytes = 1 << 20
  /// Rows per page of a list: about 60 kB, and 20 ms until the first page is sent.
  package static let rowsPerPage = 200
  /// Memory budget in bytes for all answers being built or read, over all connections: three of maximum size, one of them
  /// reserved for root and the daemon's user. Each connection can use `controlBacklogBytes` in addition.
  package static let answersInFlightBytes = 48 << 20
  /// Bytes of answers after which the daemon returns free memory to the operating system.
  package static let answerBytesBeforeTrim = 4 << 20
  /// Minimum interval between two such trims, which take some milliseconds.
  package static let memoryTrimInterval: Duration = .milliseconds(250)

  // Per-user limits. Calls of one connection run one after another; users take turns.
  /// Connections reserved for root and the daemon's own user, so that an operator can connect even when others flood the
  /// socket.
  package static let controlClientsReserved = 8
  /// Maximum connections of one other user.
  package static let controlClientsPerUser = 32
  /// Accepted connections that wait until a connection slot is free.
  package static let queuedConnections = 64
  /// Maximum number of short calls (queries and changes) that run at once; they all share the one store.
  package static let shortCallsAtOnce = 8
  package static let shortCallsReserved = 2
  package static let shortCallsPerUser = 4
  /// Maximum number of imports, backups and route runs at once; two of them use all cores of a small server.
  package static let longCallsAtOnce = 4
  package static let longCallsReserved = 1
  package static let longCallsPerUser = 2
  /// Client timeout for a long call, such as an import or a simulation that can take minutes.
  package static let longCallDeadline: Duration = .seconds(600)
  /// Client timeout for a report: with photos it has some megabytes, which a busy machine needs seconds to process.
  package static let reportDeadline: Duration = .seconds(60)
  /// Client timeout for following events, which can be far apart.
  package static let followDeadline: Duration = .hours(24 * 366)
  /// Client timeout for a reload, which waits up to 2 s for every sink to finish its batch, and perhaps for another reload.
  package static let reloadDeadline: Duration = .seconds(30)
  /// Events per answer of a streamed simulation: enough updates to watch, few wake-ups.
  package static let eventsPerAnswer = 16
  /// Bytes not yet read by a client at which its stream pauses.
  package static let controlBacklogBytes = 256 << 10
  /// Time that running calls have when the daemon stops; shorter than `drainTime`, which limits the whole shutdown.
  package static let controlStopGrace: Duration = .milliseconds(1_500)
  /// If all connections are in use, time after which a client that has not completed its call can be disconnected. A normal
  /// client sends its call at once.
  package static let idleClientPatience: Duration = .milliseconds(100)
  /// While other calls wait for answer memory: how long a client may read nothing of a long answer at first (`firstReadPatience`),
  /// and how long it may pause after that (`nextReadPatience`). On a busy machine a process can be delayed by some tenths of a
  /// second.
  package static let firstReadPatience: Duration = .milliseconds(250)
  package static let nextReadPatience: Duration = .seconds(1)
  /// Pause in accepting connections after the process ran out of file descriptors.
  package static let acceptBackOff: Duration = .seconds(1)
}
