package import FlowModel
import FlowPlatform

/// Migrates a store to the current schema: first a copy of the file, then all steps in one transaction, so that a failed step
/// leaves the file unchanged.
package struct StoreMigration {
  private let connection: Connection
  private let path: String
  private let now: Timestamp
  private let migrations: [String]

  /// - Parameter migrations: the schema's migrations; tests pass others to simulate a failing step.
  package init(connection: Connection, path: String, now: Timestamp, migrations: [String]) {
    self.connection = connection
    self.path = path
    self.now = now
    self.migrations = migrations
  }

  /// Runs the migrations after `version`.
  ///
  /// - Parameters:
  ///   - keepsCopy: true to copy the file first; false for a file that is a copy itself.
  ///   - migrates: called before the copy with the present schema version, and before each step of a used store with the
  ///     version it leads to.
  /// - Returns: the path of the copy; nil if none was made.
  /// - Throws: `StoreError.migrationFailed`; the file is then unchanged.
  package func run(from version: Int, keepsCopy: Bool = true, migrates: (Int) -> Void) throws(StoreError) -> String? {
    guard version < migrations.count else { return nil }
    var copy: String?
    if version > 0, keepsCopy {
      do {
        migrates(version)
        copy = try keepCopy(of: version)
      } catch {
        throw failure(
          version, copy: nil, code: (error as? StoreError)?.code ?? 13, "no copy could be made first: \(error)")
      }
    }
    do throws(StoreError) {
      try steps(from: version, migrates: migrates)
    } catch {
      // Throw the first error; after some errors SQLite has rolled back already.
      try? connection.execute("ROLLBACK", operation: "take the migration back")
      throw failure(version, copy: copy, code: error.code, "\(error)")
    }
    // Write the new schema from the log into the store now: if the disk fills up later, the reserve need only hold the log's
    // growth, not a whole store. If it fails, the next checkpoint does it.
    try? connection.execute("PRAGMA wal_checkpoint(TRUNCATE)", operation: "write the log back")
    return copy
  }

  /// Runs the migrations after `version` in one transaction.
  private func steps(from version: Int, migrates: (Int) -> Void) throws(StoreError) {
    // Replacing a table drops the old one; that must not cascade to rows that refer to it (sqlite.org/lang_altertable).
    try connection.execute("PRAGMA foreign_keys = OFF", operation: "set up the store")
    try connection.execute("BEGIN IMMEDIATE", operation: "begin a migration")
    for (offset, migration) in migrations.enumerated().dropFirst(version) {
      // Migrating a new store takes milliseconds; status messages about it would only fill the service manager's queue of ten.
      if version > 0 { migrates(offset + 1) }
      try connection.execute(migration, operation: "go to schema \(offset + 1)")
    }
    try connection.execute(
      """
      PRAGMA application_id = \(Schema.applicationID);
      PRAGMA user_version = \(migrations.count);
      COMMIT;
      """, operation: "go to schema \(migrations.count)")
    try connection.execute("PRAGMA foreign_keys = ON", operation: "set up the store")
  }

  private func failure(_ version: Int, copy: String?, code: Int32, _ reason: String) -> StoreError {
    // A store without epochs has never been used by a daemon.
    let before = try? connection.first("SELECT version FROM epochs ORDER BY epoch DESC LIMIT 1") {
      row throws(StoreError) in row.text(0)
    }
    return .migrationFailed(
      path: path, found: version, known: migrations.count, copy: copy, before: before ?? nil, code: code,
      reason: reason)
  }

  // MARK: The copy

  /// Copies the store to a file beside it, such as `poolflow.db.schema-9-20260302T021500Z`, and checks the copy.
  ///
  /// - Returns: the path of the copy.
  private func keepCopy(of version: Int) throws -> String {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    let folder = parts.count == 1 ? "." : parts.dropLast().joined(separator: "/")
    let prefix = "\(parts.last ?? "").schema-"
    let name = "\(prefix)\(version)-\(Timestamp(seconds: now.seconds).compact)"
    let partial = "\(folder)/.\(name).partial"
    for name in try PrivateFiles.names(in: folder) where name.hasPrefix(".\(prefix)") {
      try PrivateFiles.removeTree("\(folder)/\(name)")
    }
    do {
      // SQLite keeps the mode of an existing file.
      try PrivateFiles.write(partial, [])
      try connection.copyDatabase(to: partial, pages: Int32(Limits.pagesCopiedPerStep)) { _, _ in }
      try PrivateFiles.flush(partial)
      try StoreSnapshot(
        path: partial, trades: connection.trades.with(migrations: migrations), acceptsOlder: true
      ).verify()
      try PrivateFiles.removeTree("\(folder)/\(name)")
      try PrivateFiles.rename(partial, to: "\(folder)/\(name)")
      try PrivateFiles.flush(folder)
    } catch {
      // If this fails, the next copy removes the partial file.
      try? PrivateFiles.removeTree(partial)
      throw error
    }
    try forgetOldCopies(prefix, in: folder, except: name)
    return "\(folder)/\(name)"
  }

  /// Removes all but the newest copies; the time at the end of the name decides.
  private func forgetOldCopies(_ prefix: String, in folder: String, except newest: String) throws {
    func time(_ name: String) -> Substring { name.split(separator: "-").last ?? "" }
    let old = try PrivateFiles.names(in: folder).filter { $0.hasPrefix(prefix) && $0 != newest }
    for name in old.sorted(by: { time($0) > time($1) }).dropFirst(Limits.migrationCopiesKept - 1) {
      try PrivateFiles.removeTree("\(folder)/\(name)")
    }
  }
}
