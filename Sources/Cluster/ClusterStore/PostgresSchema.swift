import FlowModel
import FlowStore

/// Creates and migrates the store's tables on a server, in a schema of their own. The table `engine` has the application id
/// and the schema version, which a SQLite file has in its header.
enum PostgresSchema {
  static let name = "poolflow"

  /// Creates a missing store or migrates an older one, in one transaction: a failed step leaves everything unchanged. The
  /// session must hold the writer's lock.
  static func prepare(
    _ session: PostgresSession, trades: StoreTrades, migrates: (Int) -> Void
  ) throws(StoreError) {
    let version = try version(session, trades.migrations)
    if version < trades.schemaVersion {
      // Other nodes work with the present schema, so none may be connected.
      try session.requireExclusiveLock()
      try session.begin()
      do throws(StoreError) {
        try steps(session, from: version, trades, migrates)
        try session.commit()
      } catch {
        session.rollBack()
        throw error
      }
    }
    session.noteStoreExists()
    guard session.server.node != nil else { return }
    try NodeTables.prepare(session)
    try session.joinCluster()
  }

  private static func steps(
    _ session: PostgresSession, from version: Int, _ trades: StoreTrades, _ migrates: (Int) -> Void
  ) throws(StoreError) {
    if version == 0 {
      // `last_commit` is the token of the writer's newest transaction.
      try session.execute(
        """
        CREATE SCHEMA IF NOT EXISTS \(name);
        CREATE TABLE engine (
          only_row bigint PRIMARY KEY CHECK (only_row = 1), application bigint NOT NULL, version bigint NOT NULL,
          last_commit text NOT NULL);
        INSERT INTO engine VALUES (1, \(Schema.applicationID), 0, '')
        """, operation: "make the store")
    }
    for (offset, migration) in trades.migrations.enumerated().dropFirst(version) {
      if version > 0 { migrates(offset + 1) }
      // A version of a trade that this build does not have is empty, and an empty statement has no result.
      if !migration.isEmpty {
        try session.execute(Dialect.postgresql(schema: migration), operation: "go to schema \(offset + 1)")
      }
      if let more = own(trades)[offset + 1] { try session.execute(more, operation: "go to schema \(offset + 1)") }
    }
    try session.execute(
      "UPDATE engine SET version = \(trades.schemaVersion)", operation: "go to schema \(trades.schemaVersion)")
  }

  /// Checks that there is a store with the current schema.
  static func inspect(_ session: PostgresSession, migrations: [String]) throws(StoreError) {
    let version = try version(session, migrations)
    guard version == migrations.count else {
      throw .refused(by: session.place, .olderSchema(found: version, known: migrations.count))
    }
    session.noteStoreExists()
  }

  /// Checks that the database holds poolflow's store or nothing.
  ///
  /// - Returns: the schema version of the store; 0 for a database without tables.
  private static func version(_ session: PostgresSession, _ migrations: [String]) throws(StoreError) -> Int {
    guard try session.ask("SELECT to_regclass('\(name).engine')") != nil else {
      if let other = try otherProgramsTable(session) { throw .refused(by: session.place, .foreign(other)) }
      return 0
    }
    let mark: String?
    do throws(StoreError) {
      mark = try session.ask("SELECT application || ' ' || version FROM \(name).engine WHERE only_row = 1")
    } catch .server(_, "42703", _) {
      mark = nil
    }
    let words = (mark ?? "").split(separator: " ").compactMap { Int($0) }
    guard words.count == 2, words[0] == Schema.applicationID, words[1] >= 0 else {
      throw .refused(by: session.place, .foreign("the table \(name).engine"))
    }
    guard words[1] <= migrations.count else {
      throw .refused(by: session.place, .newerSchema(found: words[1], known: migrations.count))
    }
    return words[1]
  }

  /// The first table or view that is not poolflow's, for a message; nil if there is none. Objects of extensions do not count.
  private static func otherProgramsTable(_ session: PostgresSession) throws(StoreError) -> String? {
    try session.ask(
      """
      SELECT 'the table ' || nspname || '.' || relname FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
      WHERE relkind IN ('r', 'p', 'v', 'm', 'f') AND nspname NOT IN ('pg_catalog', 'information_schema')
        AND nspname NOT LIKE 'pg\\_%' AND NOT EXISTS (SELECT 1 FROM pg_depend
          WHERE classid = 'pg_class'::regclass AND pg_depend.objid = pg_class.oid AND deptype = 'e')
      ORDER BY nspname, relname LIMIT 1
      """
    ).map { visible($0) }
  }
}
