package import FlowModel
import FlowPlatform
package import FlowStore
import FoundationEssentials

extension PostgresEngine {
  package func copy(
    fromFile path: String, to place: ServerLocation, trades: StoreTrades, progress: (StoreCopy.Table) -> Void
  ) throws -> [StoreCopy.Table] {
    guard FileKind(at: path) != nil else { throw StoreCopy.Refusal.noStore(path) }
    try StoreOpening.requireRegularFile(path)
    let source = try Connection(path: path, mode: .readOnly, trades: trades)
    try StoreOpening.inspect(source, path: path)
    let session = try PostgresSession(place, writes: true)
    _ = try session.connected()
    guard try !hasStore(place) else { throw StoreCopy.Refusal.notEmpty(session.place) }
    try PostgresSchema.prepare(session, trades: trades, migrates: { _ in })
    let target = Connection(session, trades: trades)
    let photos = place.photos.map { (session, $0) }
    return try PostgresCopy(from: source, to: target, photos: photos).run(progress)
  }

  package func copy(
    from place: ServerLocation, toFile path: String, now: Timestamp, trades: StoreTrades,
    progress: (StoreCopy.Table) -> Void
  ) throws -> [StoreCopy.Table] {
    guard FileKind(at: path) == nil else { throw StoreCopy.Refusal.notEmpty(path) }
    guard try hasStore(place) else { throw StoreCopy.Refusal.noStore("the database") }
    let session = try PostgresSession(place, writes: true)
    try PostgresSchema.inspect(session, migrations: trades.migrations)
    let partial = path + ".partial"
    let leftovers = [partial, partial + "-wal", partial + "-shm"]
    for name in leftovers { try PrivateFiles.removeTree(name) }
    do {
      let copied: [StoreCopy.Table]
      do {
        try PrivateFiles.write(partial, [])
        let file = try Connection(path: partial, mode: .readWrite, trades: trades)
        _ = try StoreOpening.prepare(file, path: partial, now: now, migrates: { _ in })
        copied = try PostgresCopy(from: Connection(session, trades: trades), to: file, photos: nil).run(progress)
        try file.checkpoint("TRUNCATE")
      }
      let snapshot = try StoreSnapshot(path: partial, trades: trades)
      try snapshot.verify()
      try snapshot.verifyContents()
      try PrivateFiles.flush(partial)
      try PrivateFiles.rename(partial, to: path)
      try PrivateFiles.flush(String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]))
      // Files that the verifying reader left under the temporary name.
      for name in leftovers.dropFirst() { try PrivateFiles.removeTree(name) }
      return copied
    } catch {
      // Throw the first error; remaining files are removed before the next copy.
      for name in leftovers { try? PrivateFiles.removeTree(name) }
      throw error
    }
  }
}

/// A copy of all tables from one connection to another, in one transaction of each.
private struct PostgresCopy {
  typealias Table = StoreCopy.Table
  typealias Refusal = StoreCopy.Refusal

  /// Largest batch of rows and of parameters per statement; both engines accept these numbers.
  private static let (rowsAtOnce, parametersAtOnce) = (500, 16_000)

  private let source: Connection
  private let target: Connection
  /// The session of a target on a server, and the folder with the photos to store there; nil if there are none.
  private let photos: (PostgresSession, folder: String)?
  private let tables: [TableSchema]

  init(
    from source: Connection, to target: Connection, photos: (PostgresSession, folder: String)?
  ) throws(StoreError) {
    self.source = source
    self.target = target
    self.photos = photos
    tables = try TableSchema.all(trades: source.trades)
  }

  /// Copies, counts and compares all tables in one transaction of each store.
  func run(_ progress: (Table) -> Void) throws -> [Table] {
    try source.snapshot {
      try target.transaction {
        // Rows of a new store are replaced by those of the old one.
        for table in tables.reversed() { try target.run("DELETE FROM \(table.name)") }
        var copied: [Table] = []
        for table in tables {
          let done = Table(name: table.name, rows: try copy(table))
          copied.append(done)
          progress(done)
        }
        for table in tables { try compare(table) }
        for table in tables { try copySequences(table) }
        try takePhotos()
        // Collect statistics for the first query plans. Empty tables are left out, because they will fill up.
        if target.isServer {
          for table in copied where table.rows > 0 {
            try target.execute("ANALYZE \(table.name)", operation: "count the rows")
          }
        }
        return copied
      }
    }
  }

  /// Copies all rows of a table in batches.
  ///
  /// - Returns: the number of rows.
  private func copy(_ table: TableSchema) throws(StoreError) -> Int {
    let rowLimit = min(Self.rowsAtOnce, Self.parametersAtOnce / table.columns.count)
    var (count, last): (Int, [SQLValue]?) = (0, nil)
    while true {
      let rows = try table.rows(of: source, after: last, limit: rowLimit)
      guard let end = rows.last else { return count }
      try target.run(table.insertion(of: rows.count), rows.flatMap { $0 })
      (count, last) = (count + rows.count, table.key(of: end))
    }
  }

  /// Compares all rows of a table in key order.
  ///
  /// - Throws: `Refusal.differs` with the first row that differs.
  private func compare(_ table: TableSchema) throws {
    var (count, last): (Int, [SQLValue]?) = (0, nil)
    while true {
      let wanted = try table.rows(of: source, after: last, limit: Self.rowsAtOnce)
      let found = try table.rows(of: target, after: last, limit: Self.rowsAtOnce)
      for (index, pair) in zip(wanted, found).enumerated()
      where !zip(pair.0, pair.1).allSatisfy({ $0.isSame(as: $1) }) {
        throw Refusal.differs(table: table.name, row: count + index + 1)
      }
      guard wanted.count == found.count else {
        throw Refusal.differs(table: table.name, row: count + min(wanted.count, found.count) + 1)
      }
      guard let end = wanted.last else { return }
      (count, last) = (count + wanted.count, table.key(of: end))
    }
  }

  /// Copies photos into the server's database; missing files are skipped.
  private func takePhotos() throws(StoreError) {
    guard let (session, folder) = photos else { return }
    for owner in source.trades.photoOwners {
      let records = try source.rows(
        "SELECT team_id, \(owner.idColumn) FROM \(owner.table) WHERE \(owner.column) > 0 ORDER BY team_id, \(owner.idColumn)"
      ) { row throws(StoreError) in (team: TeamID(row.integer(0)), record: row.text(1)) }
      for (team, record) in records {
        let path = "\(folder)/\(team.number)/\(record).bin"
        guard FileFacts.exists(path), let uuid = UUID(uuidString: record) else { continue }
        try session.storePhoto(of: uuid, owner, team: team, from: path, on: target)
      }
    }
  }

  /// Generated ids continue after the highest one ever used, so that none is reused.
  private func copySequences(_ table: TableSchema) throws(StoreError) {
    for column in table.numbered {
      var last =
        try source.first("SELECT coalesce(max(\(column)), 0) FROM \(table.name)") { row throws(StoreError) in
          row.integer(0)
        } ?? 0
      if table.isNeverReused, !source.isServer {
        let given = try source.first("SELECT seq FROM sqlite_sequence WHERE name = ?", .text(table.name)) {
          row throws(StoreError) in row.integer(0)
        }
        last = max(last, given ?? 0)
      } else if table.isNeverReused {
        let given = try source.first(
          "SELECT pg_sequence_last_value(pg_get_serial_sequence('poolflow.\(table.name)', '\(column)'))"
        ) { row throws(StoreError) in row.optionalInteger(0) }
        last = max(last, (given ?? 0) ?? 0)
      }
      guard last > 0 else { continue }
      if target.isServer {
        _ = try target.first(
          "SELECT setval(pg_get_serial_sequence('poolflow.\(table.name)', '\(column)'), ?)", .integer(last)
        ) { row throws(StoreError) in row.integer(0) }
      } else if table.isNeverReused {
        try target.run("DELETE FROM sqlite_sequence WHERE name = ?", .text(table.name))
        try target.run("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", .text(table.name), .integer(last))
      }
    }
  }
}

/// A table of the current schema.
private struct TableSchema {
  let name: String
  let columns: [(name: String, kind: SQLKind)]
  /// Indexes of the key columns in `columns`.
  private let keys: [Int]
  /// Columns whose numbers the engine generates.
  let numbered: [String]
  /// True if a generated number is never reused, even after its row was deleted.
  let isNeverReused: Bool

  /// All tables; a table comes after those it refers to.
  static func all(trades: StoreTrades) throws(StoreError) -> [TableSchema] {
    // An in-memory SQLite database describes the schema in more detail than a server does.
    let model = try Connection(path: ":memory:", mode: .readWrite, trades: trades)
    for migration in trades.migrations { try model.execute(migration, operation: "read the schema") }
    var rest: [(table: TableSchema, needs: Set<String>)] = []
    for name in try model.fileTables() {
      let needs = try model.rows("SELECT DISTINCT \"table\" FROM pragma_foreign_key_list(?)", .text(name)) {
        row throws(StoreError) in row.text(0)
      }
      rest.append((try TableSchema(name, in: model), Set(needs).subtracting([name])))
    }
    var sorted: [TableSchema] = []
    while let next = rest.firstIndex(where: { $0.needs.isSubset(of: sorted.map(\.name)) }) {
      sorted.append(rest.remove(at: next).table)
    }
    precondition(rest.isEmpty, "tables refer to each other in a circle")
    return sorted
  }

  private init(_ name: String, in model: Connection) throws(StoreError) {
    self.name = name
    let found = try model.rows("SELECT name, type, pk FROM pragma_table_info(?) ORDER BY cid", .text(name)) {
      row throws(StoreError) in (name: row.text(0), type: row.text(1), key: row.number(2))
    }
    var columns: [(name: String, kind: SQLKind)] = found.map {
      ($0.name, $0.type == "INTEGER" ? .integer : $0.type == "REAL" ? .real : .text)
    }
    keys = found.indices.filter { found[$0].key > 0 }.sorted { found[$0].key < found[$1].key }
    let sql =
      try model.first("SELECT sql FROM sqlite_schema WHERE name = ?", .text(name)) { row throws(StoreError) in
        row.text(0)
      } ?? ""
    isNeverReused = sql.contains("AUTOINCREMENT")
    if Dialect.tablesWithRowNumbers.contains(name) {
      // The rows of these tables are identified by SQLite's `rowid`.
      columns.append(("rowid", .integer))
      numbered = ["rowid"]
    } else {
      let isNumber = keys.count == 1 && found[keys[0]].type == "INTEGER" && !sql.contains("WITHOUT ROWID")
      numbered = isNumber && Dialect.isIdentity(found[keys[0]].name, in: sql) ? [found[keys[0]].name] : []
    }
    self.columns = columns
  }

  func key(of row: [SQLValue]) -> [SQLValue] { keys.map { row[$0] } }

  /// The rows after a key, in key order, which is byte order in both engines.
  func rows(of connection: Connection, after last: [SQLValue]?, limit: Int) throws(StoreError) -> [[SQLValue]] {
    let names = keys.map { columns[$0].name }.joined(separator: ", ")
    let places = Array(repeating: "?", count: keys.count).joined(separator: ", ")
    let sql =
      "SELECT \(columns.map(\.name).joined(separator: ", ")) FROM \(name)"
      + (last == nil ? "" : " WHERE (\(names)) > (\(places))") + " ORDER BY \(names) LIMIT ?"
    return try connection.rows(sql, (last ?? []) + [.integer(limit)]) { row throws(StoreError) in
      columns.indices.map { place in
        let column = Int32(place)
        return switch columns[place].kind {
        case .integer: .optional(row.optionalInteger(column))
        case .real: .optional(row.optionalReal(column))
        case .text: .optional(row.optionalText(column))
        }
      }
    }
  }

  /// An INSERT statement for `count` rows.
  func insertion(of count: Int) -> String {
    let row = "(" + Array(repeating: "?", count: columns.count).joined(separator: ", ") + ")"
    return "INSERT INTO \(name) (\(columns.map(\.name).joined(separator: ", "))) VALUES "
      + Array(repeating: row, count: count).joined(separator: ", ")
  }
}

extension SQLValue {
  /// True if both values are equal to the last bit.
  fileprivate func isSame(as other: SQLValue) -> Bool {
    switch (self, other) {
    case (.integer(let one), .integer(let two)): one == two
    case (.real(let one), .real(let two)): one.bitPattern == two.bitPattern
    case (.text(let one), .text(let two)): one.utf8.elementsEqual(two.utf8)
    case (.uuid(let one), .uuid(let two)): one == two
    case (.null, .null): true
    case (.integer, _), (.real, _), (.text, _), (.uuid, _), (.null, _), (.integers, _), (.texts, _): false
    }
  }
}
