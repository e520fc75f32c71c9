package import PoolModel
import PoolNotices
package import PoolPlatform
import PoolWork
import Synchronization

/// The one owner of the database: every write of the daemon goes through this actor, on its own serial queue.
///
/// Verbs are in the product's words, one extension a table. Each verb that writes is one transaction, whole or not at all.
package actor Store {
  let connection: Connection
  /// The refresh's memory; on this actor's queue only.
  let refresh = RefreshBlock()
  nonisolated let teamsLookedAt = Mutex<TeamsLookedAt?>(nil)
  /// The shares of its teams that this daemon works.
  nonisolated let held: Mutex<ShareSet>
  package nonisolated let path: String
  /// The store's own mark, part of every notice's identity: eight hexadecimal digits made with the file.
  package nonisolated let install: String
  package nonisolated let epoch: Int64
  /// Where the file of before a migration is kept; nil where this start made none.
  package nonisolated let keptBeforeMigration: String?
  nonisolated let factsReaders: FactsReaders
  nonisolated let room: RoomFound
  private nonisolated let executor: QueueExecutor
  /// Whoever comes now waits.
  nonisolated var isAtWork: Bool { executor.isAtWork }

  package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// Opens or makes the store, brings it to today's shape and begins an epoch.
  ///
  /// On a full disk the epoch is begun all the same, and written before anything else is.
  /// - Parameters:
  ///   - reserve: given up where there is no room.
  ///   - migrations: ours, or more for a test of what becomes of a store in the next release.
  ///   - migrates: called before each step to a newer shape, with the schema it leads to.
  ///   - executor: on which it and its readers work, one at a time; each has one of its own where none is named.
  /// - Throws: `StoreError`; the file is then as it was.
  package init(
    place: StorePlace, now: Timestamp, version: String, reserve: RoomReserve? = nil,
    migrations: [String] = Schema.migrations, migrates: (Int) -> Void = { _ in },
    executor: QueueExecutor? = nil
  ) throws(StoreError) {
    do throws(StoreError) {
      (connection, keptBeforeMigration) = try Self.open(place, now: now, migrations, migrates: migrates)
    } catch {
      // Even to read it takes room: for the memory that its readers share.
      guard error.isWantOfRoom, let reserve, reserve.giveUp() else { throw error }
      (connection, keptBeforeMigration) = try Self.open(place, now: now, migrations, migrates: migrates)
    }
    path = connection.path
    room = connection.room
    held = Mutex(connection.isOneOfMany ? .none : .all)
    connection.reserve = reserve
    factsReaders = FactsReaders(place: place, changes: connection.changes, executor: executor)
    install = try StoreOpening.installMark(connection)
    epoch = try StoreOpening.beginEpoch(connection, now: now, version: version)
    if case .postgresql(let session) = connection.driver {
      session.epoch = epoch
      if !session.server.shares.isEmpty {
        _ = try session.take(session.server.shares, epoch: epoch)
        held.withLock { $0 = session.shares }
      }
    }
    self.executor = executor ?? QueueExecutor(label: "org.poolflow.store")
  }

  /// The store in a file.
  package init(
    path: String, now: Timestamp, version: String, reserve: RoomReserve? = nil,
    migrations: [String] = Schema.migrations, migrates: (Int) -> Void = { _ in },
    executor: QueueExecutor? = nil
  ) throws(StoreError) {
    try self.init(
      place: .file(path), now: now, version: version, reserve: reserve, migrations: migrations, migrates: migrates,
      executor: executor)
  }

  private static func open(
    _ place: StorePlace, now: Timestamp, _ migrations: [String], migrates: (Int) -> Void
  ) throws(StoreError) -> (connection: Connection, kept: String?) {
    switch place {
    case .file(let path):
      try StoreOpening.refuseWhatIsNoFile(path)
      return try open(path, now: now, migrations, migrates: migrates)
    case .server(let server):
      let session = try PostgresSession(server, writes: true)
      try PostgresSchema.prepare(session, migrations: migrations, migrates: migrates)
      return (Connection(session), nil)
    }
  }

  private static func open(
    _ path: String, now: Timestamp, _ migrations: [String], migrates: (Int) -> Void
  ) throws(StoreError) -> (connection: Connection, kept: String?) {
    let connection = try Connection(path: path, mode: .readWrite)
    let kept = try StoreOpening.prepare(
      connection, path: path, now: now, migrations: migrations, migrates: migrates)
    return (connection, kept)
  }

  /// Reads beside the store's queue, so that nobody who only asks waits for what is written.
  ///
  /// - Parameter isMany: one of thousands, for which no status is to wait.
  nonisolated func beside<Value: Sendable>(
    isMany: Bool = false, _ read: @Sendable (Connection) throws -> Value
  ) async throws -> Value {
    do {
      return try await (isMany ? factsReaders.free() : factsReaders.reports).read(read)
    } catch let error as StoreError where !error.isAboutData {
      // Where there is no room a second connection may find none; the store's own has what it needs.
      return try await readHere(read)
    }
  }

  private func readHere<Value: Sendable>(_ read: @Sendable (Connection) throws -> Value) throws -> Value {
    try read(connection)
  }

  package func isOlder(than mark: EpochMark) throws -> Bool {
    if epoch <= mark.epoch { return true }
    guard mark.hasEnded else { return false }
    let end = try connection.first("SELECT ended_ms FROM epochs WHERE epoch = ?", .integer(mark.epoch)) {
      row throws(StoreError) in row.optionalInstant(0)
    }
    return (end ?? nil) == nil
  }

  /// Opens the store of a daemon that does not run, to read it: nothing is made, migrated or written.
  ///
  /// - Throws: `StoreError`; `olderSchema` where today's questions would not fit.
  package init(reading place: StorePlace) throws(StoreError) {
    let connection: Connection
    switch place {
    case .file(let path):
      try StoreOpening.refuseWhatIsNoFile(path)
      connection = try Connection(path: path, mode: .readOnly)
      try StoreOpening.inspect(connection, path: path)
    case .server(let server):
      let session = try PostgresSession(server, writes: false)
      try PostgresSchema.inspect(session)
      connection = Connection(session)
    }
    path = connection.path
    keptBeforeMigration = nil
    self.connection = connection
    room = connection.room
    held = Mutex(.none)
    factsReaders = FactsReaders(place: place, changes: connection.changes)
    install = try StoreOpening.installMark(connection)
    epoch =
      try connection.first("SELECT coalesce(max(epoch), 0) FROM epochs") { row throws(StoreError) in
        row.integer(0)
      } ?? 0
    executor = QueueExecutor(label: "org.poolflow.store")
  }

  package init(reading path: String) throws(StoreError) { try self.init(reading: .file(path)) }

  package func releaseMemory() async {
    connection.releaseMemory()
    await factsReaders.close()
  }

  package func endEpoch(at now: Timestamp) async throws {
    // The store's own connection is the last to close: it alone brings the log home.
    await factsReaders.close()
    // Where no room is kept for need, the next start finds some in what this one leaves.
    if let reserve = connection.reserve, !reserve.isKept { connection.leaveSharedMemory() }
    try connection.run(
      "UPDATE epochs SET seen_ms = ?, ended_ms = ? WHERE epoch = ?", .at(now), .at(now), .integer(epoch))
    // Leaves an empty log behind, so that the next start has nothing to replay.
    try connection.checkpoint("TRUNCATE")
    // The next daemon need not wait for a server to find out that we are gone.
    if case .postgresql(let session) = connection.driver {
      if session.server.node != nil { try session.lay(down: session.shares, epoch: epoch) }
      session.leave()
    }
  }
}

extension SQLValue {
  static func at(_ instant: Timestamp) -> SQLValue { .integer(instant.milliseconds) }
  static func at(_ instant: Timestamp?) -> SQLValue { instant.map { .integer($0.milliseconds) } ?? .null(.integer) }
  static func id<Entity>(_ id: EntityID<Entity>) -> SQLValue { .uuid(id.uuid) }
  static func id<Entity>(_ id: EntityID<Entity>?) -> SQLValue { id.map { .uuid($0.uuid) } ?? .null(.text) }
}

extension Statement {
  func optionalInstant(_ column: Int32) -> Timestamp? { isNull(column) ? nil : instant(column) }

  /// A UUID that the store wrote itself.
  func id<Entity>(
    _ column: Int32, table: String, name: @autoclosure () -> String
  ) throws(StoreError) -> EntityID<Entity> {
    guard let uuid = uuid(column) else { throw .damaged(table: table, column: name(), value: text(column)) }
    return EntityID(uuid)
  }

  /// A word of one of our enums that the store wrote itself.
  func word<Word: RawRepresentable<String>>(
    _ column: Int32, table: String, name: @autoclosure () -> String
  ) throws(StoreError) -> Word {
    guard let word = Word(rawValue: text(column)) else {
      throw .damaged(table: table, column: name(), value: text(column))
    }
    return word
  }
}

extension Store: Ledger, Holds, ClockLog, Outbox, OutboxAdmin {}
