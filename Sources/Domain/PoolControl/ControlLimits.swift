package import PoolModel

extension Limits {
  /// Bytes of one answer, all its pages together: `rowsPerAnswer` rows of 1.6 kB. Requests stay within
  /// `controlFrameBytes`.
  package static let controlReplyBytes = 16 << 20
  /// Bytes of a list that comes in one piece, to a caller that does not take `more`: some thousand rows.
  package static let controlWholeBytes = 1 << 20
  /// Rows of one page of a list: some 60 kB, and 20 ms until the first one is there.
  package static let rowsPerPage = 200
  /// Bytes of all answers that are being made or wait to be read, over all connections: three of the longest there can
  /// be, the last of them for root and the daemon's user. Each connection may have `controlBacklogBytes` beside it.
  package static let answersInFlightBytes = 48 << 20
  /// Answers that took this much memory are worth a look at what can be given back to the machine.
  package static let answersBeforeTrim = 4 << 20
  /// How often at most: it takes some milliseconds.
  package static let trimPause: Duration = .milliseconds(250)

  // Shares. A caller's calls wait their turn in its connection; users take turns.
  /// Connections that only root and the daemon's own user get: who must repair things gets in past any flood.
  package static let controlClientsReserved = 8
  /// Connections of one other user: more than anybody needs, and not all.
  package static let controlClientsOfUser = 32
  /// Connections that wait at the door for a place: as many as there are places.
  package static let controlArrivals = 64
  /// Questions and changes under way at once: they meet in the one store, and a new one waits for few.
  package static let shortCallsAtOnce = 8
  package static let shortCallsReserved = 2
  package static let shortCallsOfUser = 4
  /// Imports, backups and routes under way at once: two of them use all of a small server's processors.
  package static let longCallsAtOnce = 4
  package static let longCallsReserved = 1
  package static let longCallsOfUser = 2
  /// A caller that asks for an answer this late has lost its daemon: an import or a simulation may take minutes.
  package static let longCallDeadline: Duration = .seconds(600)
  /// A report with a photo is some megabytes to read, to write and to send, which a busy machine takes seconds for.
  package static let reportDeadline: Duration = .seconds(60)
  /// Who follows what happens waits as long as nothing does.
  package static let followDeadline: Duration = .hours(24 * 366)
  /// A reload waits for every sink to end its batch, which takes two seconds at most, and perhaps for another reload.
  package static let reloadDeadline: Duration = .seconds(30)
  /// Events of one answer of a streamed simulation: often enough to be watched, few enough wake-ups.
  package static let eventsPerAnswer = 16
  /// A stream waits while a client has this much still to read.
  package static let controlBacklogBytes = 256 << 10
  /// What a stop allows to calls under way; less than `drainTime`, which bounds the whole.
  package static let controlStopGrace: Duration = .milliseconds(1_500)
  /// A client that has owed bytes for this long makes room where all places are taken: an honest one sends its call at
  /// once, and many slow ones must not keep it out.
  package static let controlPatience: Duration = .milliseconds(100)
  /// Where others wait for room: how long a client may take nothing of its long answer at first, and how long one may
  /// pause that does read. A busy machine lets a process wait for some tenths of a second.
  package static let deafPatience: Duration = .milliseconds(250)
  package static let readerPatience: Duration = .seconds(1)
  /// How long nobody is accepted after descriptors ran out.
  package static let acceptBackOff: Duration = .seconds(1)
}
