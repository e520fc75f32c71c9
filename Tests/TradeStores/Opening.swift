package import FlowModel
package import FlowPlatform
package import FlowStore

// Opens stores with all trades. `migrations` are those of another release, for tests.

extension Store {
  package init(
    place: StoreLocation, now: Timestamp, version: String, reserve: DiskSpaceReserve? = nil,
    migrations: [String] = Schema.migrations, migrates: (Int) -> Void = { _ in }, executor: QueueExecutor? = nil
  ) throws(StoreError) {
    try self.init(
      place: place, now: now, version: version, trades: .all.with(migrations: migrations), reserve: reserve,
      migrates: migrates, executor: executor)
  }

  /// Opens or creates the store in a file.
  package init(
    path: String, now: Timestamp, version: String, reserve: DiskSpaceReserve? = nil,
    migrations: [String] = Schema.migrations, migrates: (Int) -> Void = { _ in }, executor: QueueExecutor? = nil
  ) throws(StoreError) {
    try self.init(
      place: .file(path), now: now, version: version, reserve: reserve, migrations: migrations, migrates: migrates,
      executor: executor)
  }

  package init(reading place: StoreLocation) throws(StoreError) { try self.init(reading: place, trades: .all) }

  package init(reading path: String) throws(StoreError) { try self.init(reading: .file(path)) }
}

extension StoreReader {
  package init(place: StoreLocation) { self.init(place: place, trades: .all) }

  package init(path: String) { self.init(place: .file(path)) }
}

extension StoreSnapshot {
  package convenience init(
    path: String, migrations: [String] = Schema.migrations, acceptsOlder: Bool = false
  ) throws(StoreError) {
    try self.init(path: path, trades: .all.with(migrations: migrations), acceptsOlder: acceptsOlder)
  }

  package convenience init(reading place: StoreLocation) throws(StoreError) {
    try self.init(reading: place, trades: .all)
  }
}

extension StoreOpening {
  /// Migrates a copied store, which no connection has open, and leaves no log file beside it.
  package static func migrate(copyAt path: String, migrations: [String] = Schema.migrations) throws(StoreError) {
    try migrate(copyAt: path, trades: .all.with(migrations: migrations))
  }
}

extension StoreSchema {
  /// The schema that the migrations up to `version` make.
  package static func made(
    by version: Int, migrations: [String] = Schema.migrations
  ) throws(StoreError) -> StoreSchema {
    try made(by: version, trades: .all.with(migrations: migrations))
  }
}

extension StoreCopy {
  /// Copies a file's store into an empty database.
  package static func run(
    fromFile path: String, to server: ServerLocation, progress: (Table) -> Void = { _ in }
  ) throws -> [Table] {
    try server.engine.copy(fromFile: path, to: server, trades: .all, progress: progress)
  }

  /// Copies a database's store into a new file.
  package static func run(
    from server: ServerLocation, toFile path: String, now: Timestamp, progress: (Table) -> Void = { _ in }
  ) throws -> [Table] {
    try server.engine.copy(from: server, toFile: path, now: now, trades: .all, progress: progress)
  }
}

extension Connection {
  package convenience init(path: String, mode: Mode) throws(StoreError) {
    try self.init(path: path, mode: mode, trades: .all)
  }

  /// A connection to a store that has already been opened and checked.
  package static func opened(_ place: StoreLocation, _ mode: Mode) throws(StoreError) -> Connection {
    try opened(place, mode, trades: .all)
  }
}
