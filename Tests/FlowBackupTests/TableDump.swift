import FlowStore
import TradeStores

/// Every row of every table of a store's file, as text.
struct TableDump {
  private let rows: [String: [String]]

  var tables: [String] { rows.keys.sorted() }
  var filledTables: Set<String> { Set(rows.filter { !$0.value.isEmpty }.keys) }

  init(_ path: String) throws {
    rows = try Self.read(Connection(path: path, mode: .readOnly))
  }

  /// The tables that a schema creates, with only their initial rows.
  init(tablesOf migrations: [String]) throws {
    let connection = try Connection(path: ":memory:", mode: .readWrite)
    for migration in migrations { try connection.execute(migration, operation: "make the tables") }
    rows = try Self.read(connection)
  }

  private static func read(_ connection: Connection) throws -> [String: [String]] {
    // Including sqlite_sequence: used row numbers are never reused.
    let tables = try connection.rows("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name") {
      row throws(StoreError) in row.text(0)
    }
    var rows: [String: [String]] = [:]
    for table in tables {
      let columns = try connection.rows("SELECT name FROM pragma_table_info('\(table)')") { row throws(StoreError) in
        "quote(\(row.text(0)))"
      }
      rows[table] = try connection.rows("SELECT \(columns.joined(separator: " || ',' || ")) FROM \(table) ORDER BY 1") {
        row throws(StoreError) in row.text(0)
      }
    }
    return rows
  }

  /// The first differing row of each table.
  func differences(from other: TableDump) -> [String] {
    Set(rows.keys).union(other.rows.keys).sorted().compactMap { table in
      let (mine, others) = (Set(rows[table] ?? []), Set(other.rows[table] ?? []))
      if let row = others.subtracting(mine).min() { return "\(table) has lost \(row)" }
      if let row = mine.subtracting(others).min() { return "\(table) has \(row) besides" }
      return rows[table]?.count == other.rows[table]?.count ? nil : "\(table) has another number of rows"
    }
  }
}
