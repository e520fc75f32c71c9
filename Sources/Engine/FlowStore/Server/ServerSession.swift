package import FlowModel
package import FlowNotices
package import FlowWork
package import FoundationEssentials

// What the store needs from a database server. `ClusterStore` implements these protocols for PostgreSQL; the store itself
// contains only SQLite.

/// A session on a database server: opened when needed, reopened when lost. Not Sendable, like the connection that uses it.
///
/// Functions with a `connection` run their statements through that connection, which is the one of this session.
package protocol ServerSession: ServerBatches, ServerPhotos, NodeRecords {
  /// Name of the database for messages.
  var name: String { get }
  /// Why the server cannot be reached; nil if the last attempt succeeded.
  var away: String? { get }
  /// The session as one of several nodes; nil for a single daemon.
  var node: (any NodeSession)? { get }

  // MARK: Opening

  /// Creates a missing store or migrates an older one, all or nothing; the session must be a writing one.
  ///
  /// - Parameter migrates: called before each migration step with the schema version it leads to.
  func prepare(trades: StoreTrades, migrates: (Int) -> Void) throws(StoreError)

  /// Checks that there is a store with the current schema.
  func inspect(migrations: [String]) throws(StoreError)

  /// Notes that the store exists, because it was opened and checked before.
  func noteStoreExists()

  /// Notes the epoch of this process and acquires the location's partitions.
  ///
  /// - Returns: the owned partitions; nil if the location names none.
  func begin(epoch: Int64) throws(StoreError) -> PartitionSet?

  /// Releases the partitions of a node and ends the session.
  func end(epoch: Int64) throws(StoreError)

  /// Queries the server once, so that a lost session is reopened with its locks.
  func verify() throws(StoreError)

  // MARK: Statements

  /// Runs a script without results, in the server's own SQL dialect.
  func execute(_ script: String, operation: String) throws(StoreError)

  /// A statement of the store, which the session translates into the server's dialect.
  func query(_ sql: String) -> any ServerQuery

  /// An empty list of parameters, for `copy`.
  func parameters() -> any ServerParameters

  /// Streams rows into a table, as one statement: all of them or none.
  ///
  /// - Parameter rows: sends rows that `ServerParameters.appendRow` has encoded, some at a time.
  func copy(
    into table: String, _ columns: String,
    _ rows: ((([UInt8]) throws(StoreError) -> Void)) throws(StoreError) -> Void
  ) throws(StoreError)

  // MARK: Transactions

  var isInTransaction: Bool { get }
  /// How often a transaction's body is called, the first call included.
  var transactionAttempts: Int { get }

  /// Begins a writing transaction.
  func begin() throws(StoreError)

  /// Begins a read-only transaction with one consistent snapshot.
  func beginReading() throws(StoreError)

  /// Notifies other nodes of what the current transaction changes for them.
  func notifyOwners() throws(StoreError)

  /// Commits the transaction.
  ///
  /// - Throws: `isServerAway` if the outcome is unknown for now; the server's error if the commit is known to have failed.
  func commit() throws(StoreError)

  /// Rolls back the current transaction, if there is one.
  func rollBack()

  /// True if a transaction that failed with `error` has certainly been rolled back and may succeed when repeated.
  func isRetryable(after error: any Error) -> Bool

  // MARK: Batched queries

  /// Batches the queries of many teams, which are asked one team after the other: a query that repeats is sent once.
  func beginBatch(of teams: [Int64])

  /// The queries after this call are those of the next team.
  func nextInBatch()

  func endBatch()

  // MARK: The database

  /// The names of the tables that a file's store has too, sorted.
  func tables(on connection: Connection) throws(StoreError) -> [String]

  /// Changes with every write, this session's own included.
  func dataVersion(on connection: Connection) throws(StoreError) -> Int64

  func schemaVersion(on connection: Connection) throws(StoreError) -> Int

  /// Size of the database on the server's disk, in bytes.
  func bytes(on connection: Connection) throws(StoreError) -> Int
}

/// Writes of many rows, one query per table, because each query is a round trip. A file is written row by row
/// (`Connection+Rows`).
package protocol ServerBatches: AnyObject {
  /// Moves the cursors of the ticks' jobs.
  ///
  /// - Returns: for each tick, false if its job was removed, changed or belongs to another node.
  func moveCursors(_ ticks: [JobTick], on connection: Connection) throws(StoreError) -> [Bool]

  /// Records slots that passed without a run; skipped slots use up skips of their holds.
  func insert(
    _ passed: [(slot: SkippedSlot, team: TeamID?)], epoch: Int64, now: Timestamp, on connection: Connection
  ) throws(StoreError)

  /// Claims slots for runs.
  ///
  /// - Returns: the granted runs; slots that have a verdict already are left out.
  func claim(
    _ requests: [ClaimRequest], epoch: Int64, now: Timestamp, on connection: Connection
  ) throws(StoreError) -> [ClaimedRun]

  /// Writes the outcomes of runs.
  ///
  /// - Returns: for each settlement, true if this epoch still held the run.
  func end(_ settlements: [RunSettlement], epoch: Int64, on connection: Connection) throws(StoreError) -> [Bool]

  /// Inserts notices that do not exist yet, with an outbox entry for each sink that takes them.
  func insert(
    _ all: [(notice: Notice, at: Timestamp)], routes: [SinkRoute], on connection: Connection
  ) throws(StoreError)

  func markStaged(_ sequences: [Int64], on connection: Connection) throws(StoreError)

  func markSent(_ sequences: [Int64], at now: Timestamp, on connection: Connection) throws(StoreError)
}

/// Photos in the database, so that every node has them. They are inserted and deleted with the row of their visit or horse;
/// files in the state directory are a cache.
package protocol ServerPhotos: AnyObject {
  /// Stores a record's staged photo, in the transaction that writes its row.
  ///
  /// - Parameter isWanted: true if a staged photo must exist; false to keep the stored photo if none was staged.
  func storePhoto(
    of record: UUID, _ owner: Connection.PhotoOwner, team: TeamID, isWanted: Bool, on connection: Connection
  ) throws(StoreError)

  func dropPhoto(
    of record: UUID, _ owner: Connection.PhotoOwner, team: TeamID, on connection: Connection
  ) throws(StoreError)

  /// The photos of a team, or only those of the given records.
  func photos(of team: TeamID, records: [UUID]?, on connection: Connection) throws(StoreError) -> [StoredPhoto]

  /// Reads a photo piece by piece.
  func read(
    _ photo: StoredPhoto, on connection: Connection, _ take: (UnsafeRawBufferPointer) throws -> Void
  ) throws
}
