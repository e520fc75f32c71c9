package import PoolModel
import PoolPlatform

/// The way from an older shape of the store to today's: a copy of the file first, then every step in one transaction, so
/// that a step that fails leaves the file as it was.
package struct StoreMigration {
  private let connection: Connection
  private let path: String
  private let now: Timestamp
  private let migrations: [String]

  /// - Parameter migrations: ours, or others for a test of what becomes of a step that fails.
  package init(connection: Connection, path: String, now: Timestamp, migrations: [String] = Schema.migrations) {
    self.connection = connection
    self.path = path
    self.now = now
    self.migrations = migrations
  }

  /// - Parameters:
  ///   - keepsCopy: whether the file of before is copied first; a file that is a copy itself needs none.
  ///   - migrates: told before each step of a store that has been used, with the schema it leads to; before the copy with
  ///     the one there is.
  /// - Returns: where the file of before is kept; nil where there was none.
  /// - Throws: `StoreError.migrationFailed`; the file is then as it was.
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
      // The first failure is the one to tell; after some of them SQLite has rolled back already.
      try? connection.execute("ROLLBACK", operation: "take the migration back")
      throw failure(version, copy: copy, code: error.code, "\(error)")
    }
    // A disk that fills later shall find the shape in the store: the room that is kept for need holds what the log adds
    // to it, not a whole store as well. Where it does not work now, the next write of the log does it.
    try? connection.execute("PRAGMA wal_checkpoint(TRUNCATE)", operation: "write the log back")
    return copy
  }

  private func steps(from version: Int, migrates: (Int) -> Void) throws(StoreError) {
    // Replacing a table drops the old one, which must not take with it what refers to it (sqlite.org/lang_altertable).
    try connection.execute("PRAGMA foreign_keys = OFF", operation: "set up the store")
    try connection.execute("BEGIN IMMEDIATE", operation: "begin a migration")
    for (offset, migration) in migrations.enumerated().dropFirst(version) {
      // A new store is there in milliseconds, and a service manager that is busy keeps ten messages and no more.
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
    // A store that remembers no daemon has not been used by any.
    let before = try? connection.first("SELECT version FROM epochs ORDER BY epoch DESC LIMIT 1") {
      row throws(StoreError) in row.text(0)
    }
    return .migrationFailed(
      path: path, found: version, known: migrations.count, copy: copy, before: before ?? nil, code: code,
      reason: reason)
  }

  // MARK: The copy

  /// `poolflow.db.schema-9-20260302T021500Z`, beside the store.
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
      // SQLite keeps the mode of a file that is there already.
      try PrivateFiles.write(partial, [])
      try connection.copyDatabase(to: partial, pages: Int32(Limits.copiedPages)) { _, _ in }
      try PrivateFiles.flush(partial)
      try StoreSnapshot(path: partial, migrations: migrations, acceptsOlder: true).prove()
      try PrivateFiles.removeTree("\(folder)/\(name)")
      try PrivateFiles.rename(partial, to: "\(folder)/\(name)")
      try PrivateFiles.flush(folder)
    } catch {
      // What cannot be removed now goes before the next copy.
      try? PrivateFiles.removeTree(partial)
      throw error
    }
    try forgetOldCopies(prefix, in: folder, except: name)
    return "\(folder)/\(name)"
  }

  /// By their time, which ends the name: the newest stay.
  private func forgetOldCopies(_ prefix: String, in folder: String, except newest: String) throws {
    func time(_ name: String) -> Substring { name.split(separator: "-").last ?? "" }
    let old = try PrivateFiles.names(in: folder).filter { $0.hasPrefix(prefix) && $0 != newest }
    for name in old.sorted(by: { time($0) > time($1) }).dropFirst(Limits.migrationCopies - 1) {
      try PrivateFiles.removeTree("\(folder)/\(name)")
    }
  }
}
