package import FlowModel
import FlowNotices
package import FlowPlatform
import FlowWork
import Synchronization

/// Owner of the database: all writes of the daemon go through this actor, on its own serial queue.
///
/// Each extension has the operations on one table. An operation that writes is one transaction.
package actor Store {
  package let connection: Connection
  /// Buffers of the trades' extensions; used on this actor's queue only.
  package let buffers = StoreBuffers()
  nonisolated let checkedUnreadableTeams = Mutex<CheckedUnreadableTeams?>(nil)
  /// The partitions that this daemon owns.
  nonisolated let ownedPartitions: Mutex<PartitionSet>
  package nonisolated let path: String
  /// Install id, part of every notice's identity: eight hexadecimal digits, made with the store.
  package nonisolated let install: String
  /// Number of this process's start, counted by the store.
  package nonisolated let epoch: Int64
  /// Path of the copy made before a migration; nil if this start did not migrate.
  package nonisolated let keptBeforeMigration: String?
  /// What the store needs from the trades.
  package nonisolated let trades: StoreTrades
  nonisolated let factsReaders: FactsReaders
  nonisolated let diskFullFlag: DiskFullFlag
  private nonisolated let executor: QueueExecutor
  /// True while the actor works: a call made now has to wait.
  nonisolated var isAtWork: Bool { executor.isAtWork }

  package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// Opens or creates the store, migrates it to the current schema and begins an epoch.
  ///
  /// On a full disk the epoch begins all the same; its row is written before any other write.
  /// - Parameters:
  ///   - trades: the trades' tables and the schema.
  ///   - reserve: disk space that is given up when the disk is full.
  ///   - migrates: called before each migration step with the schema version it leads to.
  ///   - executor: serial queue for the store and its readers; nil: each gets a queue of its own.
  /// - Throws: `StoreError`; the file is then unchanged.
  package init(
    place: StoreLocation, now: Timestamp, version: String, trades: StoreTrades, reserve: DiskSpaceReserve? = nil,
    migrates: (Int) -> Void = { _ in },
    executor: QueueExecutor? = nil
  ) throws(StoreError) {
    do throws(StoreError) {
      (connection, keptBeforeMigration) = try Self.open(place, now: now, trades, migrates: migrates)
    } catch {
      // Even reading needs disk space, for the readers' shared memory.
      guard error.isCausedByFullDisk, let reserve, reserve.giveUp() else { throw error }
      (connection, keptBeforeMigration) = try Self.open(place, now: now, trades, migrates: migrates)
    }
    path = connection.path
    diskFullFlag = connection.diskFullFlag
    ownedPartitions = Mutex(connection.isClusterNode ? .none : .all)
    connection.reserve = reserve
    self.trades = trades
    factsReaders = FactsReaders(place: place, trades: trades, changes: connection.changes, executor: executor)
    install = try StoreOpening.installMark(connection)
    epoch = try StoreOpening.beginEpoch(connection, now: now, version: version)
    if let partitions = try connection.server?.begin(epoch: epoch) { ownedPartitions.withLock { $0 = partitions } }
    self.executor = executor ?? QueueExecutor(label: "org.poolflow.store")
  }

  private static func open(
    _ place: StoreLocation, now: Timestamp, _ trades: StoreTrades, migrates: (Int) -> Void
  ) throws(StoreError) -> (connection: Connection, kept: String?) {
    switch place {
    case .file(let path):
      try StoreOpening.requireRegularFile(path)
      return try open(path, now: now, trades, migrates: migrates)
    case .server(let server):
      let session = try server.engine.session(server, writes: true)
      try session.prepare(trades: trades, migrates: migrates)
      return (Connection(session, trades: trades), nil)
    }
  }

  private static func open(
    _ path: String, now: Timestamp, _ trades: StoreTrades, migrates: (Int) -> Void
  ) throws(StoreError) -> (connection: Connection, kept: String?) {
    let connection = try Connection(path: path, mode: .readWrite, trades: trades)
    let kept = try StoreOpening.prepare(connection, path: path, now: now, migrates: migrates)
    return (connection, kept)
  }

  /// Reads on a second connection, so that readers do not wait for writes.
  ///
  /// - Parameter isMany: true for one of thousands of reads, which must not delay reports such as `status`.
  package nonisolated func readConcurrently<Value: Sendable>(
    isMany: Bool = false, _ read: @Sendable (Connection) throws -> Value
  ) async throws -> Value {
    do {
      return try await (isMany ? factsReaders.nextReader() : factsReaders.reports).read(read)
    } catch let error as StoreError where !error.isAboutData {
      // On a full disk a second connection may fail to open; the store's own connection works.
      return try await readOnWriter(read)
    }
  }

  private func readOnWriter<Value: Sendable>(_ read: @Sendable (Connection) throws -> Value) throws -> Value {
    try read(connection)
  }

  /// True if the store is older than the epoch mark beside it, for example after an old copy was put back.
  package func isOlder(than mark: EpochMark) throws -> Bool {
    if epoch <= mark.epoch { return true }
    guard mark.hasEnded else { return false }
    let end = try connection.first("SELECT ended_ms FROM epochs WHERE epoch = ?", .integer(mark.epoch)) {
      row throws(StoreError) in row.optionalInstant(0)
    }
    return (end ?? nil) == nil
  }

  /// Opens the store of a stopped daemon for reading: nothing is created, migrated or written.
  ///
  /// - Throws: `StoreError`; `olderSchema` if the queries do not fit the store's schema.
  package init(reading place: StoreLocation, trades: StoreTrades) throws(StoreError) {
    let connection: Connection
    switch place {
    case .file(let path):
      try StoreOpening.requireRegularFile(path)
      connection = try Connection(path: path, mode: .readOnly, trades: trades)
      try StoreOpening.inspect(connection, path: path)
    case .server(let server):
      let session = try server.engine.session(server, writes: false)
      try session.inspect(migrations: trades.migrations)
      connection = Connection(session, trades: trades)
    }
    path = connection.path
    keptBeforeMigration = nil
    self.connection = connection
    diskFullFlag = connection.diskFullFlag
    ownedPartitions = Mutex(.none)
    self.trades = trades
    factsReaders = FactsReaders(place: place, trades: trades, changes: connection.changes)
    install = try StoreOpening.installMark(connection)
    epoch =
      try connection.first("SELECT coalesce(max(epoch), 0) FROM epochs") { row throws(StoreError) in
        row.integer(0)
      } ?? 0
    executor = QueueExecutor(label: "org.poolflow.store")
  }

  /// Closes the readers and frees the connection's cache.
  package func releaseMemory() async {
    connection.releaseMemory()
    await factsReaders.close()
  }

  /// Ends the epoch normally: closes the readers, records the end, writes back the log and releases the partitions.
  package func endEpoch(at now: Timestamp) async throws {
    // The store's own connection closes last, because the last connection writes the log back.
    await factsReaders.close()
    // Without a reserve, the next start needs the files that are already allocated.
    if let reserve = connection.reserve, !reserve.isPresent { connection.leaveSharedMemory() }
    try connection.run(
      "UPDATE epochs SET seen_ms = ?, ended_ms = ? WHERE epoch = ?", .at(now), .at(now), .integer(epoch))
    // An empty log: the next start has nothing to replay.
    try connection.checkpoint("TRUNCATE")
    // Release the partitions and end the session, so that other nodes need not wait for the server to notice the end.
    try connection.server?.end(epoch: epoch)
  }
}

extension SQLValue {
  package static func at(_ instant: Timestamp) -> SQLValue { .integer(instant.milliseconds) }
  package static func at(_ instant: Timestamp?) -> SQLValue {
    instant.map { .integer($0.milliseconds) } ?? .null(.integer)
  }
  package static func id<Entity>(_ id: EntityID<Entity>) -> SQLValue { .uuid(id.uuid) }
  package static func id<Entity>(_ id: EntityID<Entity>?) -> SQLValue { id.map { .uuid($0.uuid) } ?? .null(.text) }
}

extension Statement {
  package func optionalInstant(_ column: Int32) -> Timestamp? { isNull(column) ? nil : instant(column) }

  /// A UUID that the store itself has written.
  ///
  /// - Throws: `StoreError.damaged` for any other text.
  package func id<Entity>(
    _ column: Int32, table: String, name: @autoclosure () -> String
  ) throws(StoreError) -> EntityID<Entity> {
    guard let uuid = uuid(column) else { throw .damaged(table: table, column: name(), value: text(column)) }
    return EntityID(uuid)
  }

  /// An enum case by its stored raw value.
  ///
  /// - Throws: `StoreError.damaged` for an unknown raw value.
  package func word<Word: RawRepresentable<String>>(
    _ column: Int32, table: String, name: @autoclosure () -> String
  ) throws(StoreError) -> Word {
    guard let word = Word(rawValue: text(column)) else {
      throw .damaged(table: table, column: name(), value: text(column))
    }
    return word
  }
}

extension Store: Ledger, Holds, ClockLog, Outbox, OutboxAdmin {}

/// Buffers that extensions of `Store` reuse from call to call, one of each type.
package final class StoreBuffers {
  private var buffers: [ObjectIdentifier: AnyObject] = [:]

  /// The buffer of this type; made when it is first used.
  package func buffer<Buffer: AnyObject>(_ make: () -> Buffer) -> Buffer {
    if let known = buffers[ObjectIdentifier(Buffer.self)] as? Buffer { return known }
    let made = make()
    buffers[ObjectIdentifier(Buffer.self)] = made
    return made
  }
}
