import CSQLite
package import FlowModel
package import FoundationEssentials

/// A value to bind to a statement.
package enum SQLValue {
  case integer(Int64)
  case real(Double)
  case text(String)
  /// Stored as text of 36 characters.
  case uuid(UUID)
  /// NULL in a column of this type; a server needs the type.
  case null(SQLKind)
  /// A list as one array parameter; on a server only.
  case integers([Int64?])
  case texts([String?])

  package static func integer(_ number: Int) -> SQLValue { .integer(Int64(number)) }
  package static func flag(_ isOn: Bool) -> SQLValue { .integer(isOn ? 1 : 0) }
  package static func optional(_ number: Int64?) -> SQLValue { number.map { .integer($0) } ?? .null(.integer) }
  package static func optional(_ number: Double?) -> SQLValue { number.map { .real($0) } ?? .null(.real) }
  package static func optional(_ text: String?) -> SQLValue { text.map { .text($0) } ?? .null(.text) }
}

/// The column type of a value.
package enum SQLKind { case integer, real, text }

/// A compiled statement, used again and again: bind, step, reset.
package final class Statement {
  /// The statement in the engine's own form.
  private enum Driver {
    case sqlite(OpaquePointer, connection: OpaquePointer)
    case server(any ServerQuery)
  }

  private let driver: Driver
  private let sql: String
  /// True if the statement writes tables that decisions read.
  let changesFacts: Bool
  private var isInUse = false
  /// Buffer for bound texts.
  private var texts = TextBuffers()
  /// Column numbers by column name.
  private let columnIndexes: ColumnIndexes
  /// The first column of the current row that holds a value the store never writes; nil if there is none.
  private var damagedColumn: Int32?
  private let log: StatementLog?
  let trades: StoreTrades

  init(_ handle: OpaquePointer, connection: OpaquePointer, sql: String, trades: StoreTrades) {
    self.trades = trades
    driver = .sqlite(handle, connection: connection)
    self.sql = sql
    log = StatementLog.current(ofServer: false)
    columnIndexes = ColumnIndexes(of: handle, log: log)
    changesFacts = sqlite3_stmt_readonly(handle) == 0 && FactChanges.areAffected(by: sql, trades.factTables)
    log?.compiled(sql)
  }

  init(_ query: any ServerQuery, sql: String, trades: StoreTrades) {
    self.trades = trades
    driver = .server(query)
    self.sql = sql
    log = StatementLog.current(ofServer: true)
    columnIndexes = ColumnIndexes(of: query, log: log)
    changesFacts = !query.onlyReads && FactChanges.areAffected(by: sql, trades.factTables)
    log?.compiled(sql)
  }

  deinit {
    reset()
    if case .sqlite(let handle, _) = driver { sqlite3_finalize(handle) }
  }

  /// Binds the values in order. Call `reset()` afterwards, even if this throws.
  package func bind(_ values: [SQLValue]) throws(StoreError) {
    try bind(&texts) { binding in
      for value in values { binding.put(value) }
    }
  }

  /// Binds the values that `put` supplies. Call `reset()` afterwards, even if this throws.
  ///
  /// - Parameter texts: buffer for the values' texts; must outlive the steps.
  func bind(
    _ texts: inout TextBuffers, _ put: (inout Binding) throws(StoreError) -> Void
  ) throws(StoreError) {
    precondition(!isInUse, "a statement is run while it still runs")
    isInUse = true
    damagedColumn = nil
    switch driver {
    case .sqlite(let handle, _):
      var binding = Binding(to: handle, texts: texts)
      defer { texts = binding.texts }
      try put(&binding)
      guard binding.code == SQLITE_OK else { throw failure(binding.code) }
    case .server(let query):
      var binding = Binding(to: query.emptyParameters())
      try put(&binding)
    }
  }

  /// Ends the execution and clears the bound values; the statement can be bound again.
  package func reset() {
    guard isInUse else { return }
    isInUse = false
    switch driver {
    case .sqlite(let handle, _):
      sqlite3_reset(handle)
      sqlite3_clear_bindings(handle)
      texts.deallocate()
    case .server(let query): query.reset()
    }
  }

  /// Advances to the next row.
  ///
  /// - Returns: true if there is a row to read.
  package func step() throws(StoreError) -> Bool {
    switch driver {
    case .sqlite(let handle, _):
      switch sqlite3_step(handle) {
      case SQLITE_ROW:
        log?.returnedRow(sql)
        return true
      case SQLITE_DONE: return false
      case let code: throw failure(code)
      }
    case .server(let query):
      guard try query.step() else { return false }
      log?.returnedRow(sql)
      return true
    }
  }

  /// Number of rows changed by the last statement of this connection; read it before running another statement.
  var changedRows: Int {
    switch driver {
    case .sqlite(_, let connection): Int(sqlite3_changes64(connection))
    case .server(let query): query.changed
    }
  }

  package func integer(_ column: Int32) -> Int64 {
    switch driver {
    case .sqlite(let handle, _): sqlite3_column_int64(handle, column)
    case .server(let query): query.integer(column)
    }
  }

  package func flag(_ column: Int32) -> Bool { integer(column) != 0 }

  // An impossible number or instant is damage, and calculating with it could trap. Such a value reads as 0, and `damage()`
  // throws the error before the row is used.

  /// A count, an index or a size; 0 and damage if it is outside of `Limits.largestStoredNumber`.
  package func number(_ column: Int32) -> Int {
    let number = integer(column)
    guard number.magnitude <= UInt64(Limits.largestStoredNumber) else { return note(column, 0) }
    return Int(number)
  }

  /// A real number. Infinite sums, which old stores may hold, become finite (see `finite`).
  package func real(_ column: Int32) -> Double { finite(double(column)) }

  private func double(_ column: Int32) -> Double {
    switch driver {
    case .sqlite(let handle, _): sqlite3_column_double(handle, column)
    case .server(let query): query.real(column)
    }
  }

  package func instant(_ column: Int32) -> Timestamp {
    let instant = Timestamp(milliseconds: integer(column))
    let stored = Limits.storedInstants
    // Two comparisons are faster than `contains` of a range, which is a call into another module.
    guard instant.milliseconds >= stored.lowerBound, instant.milliseconds <= stored.upperBound else {
      return note(column, Timestamp(milliseconds: 0))
    }
    return instant
  }

  /// Remembers a damaged column and returns a substitute value.
  private func note<Value>(_ column: Int32, _ fallback: Value) -> Value {
    if damagedColumn == nil { damagedColumn = column }
    return fallback
  }

  /// The error for the damaged value of the current row; nil if there is none. Calling it clears the finding.
  package func damage() -> StoreError? {
    guard let column = damagedColumn else { return nil }
    damagedColumn = nil
    return .damaged(
      table: table ?? "a table", column: columnIndexes.name(of: column) ?? "column \(column)", value: text(column))
  }

  package func text(_ column: Int32) -> String { withBytes(column) { String(decoding: $0, as: UTF8.self) } }

  /// Passes the bytes of a text to `read`; they are valid only inside it.
  func withBytes<Value>(_ column: Int32, _ read: (UnsafeBufferPointer<UInt8>) -> Value) -> Value {
    switch driver {
    case .sqlite(let handle, _):
      let bytes = sqlite3_column_text(handle, column)
      return read(
        UnsafeBufferPointer(start: bytes, count: bytes == nil ? 0 : Int(sqlite3_column_bytes(handle, column))))
    case .server(let query): return query.withBytes(column, read)
    }
  }

  /// False for an infinite number, which `real` would make finite.
  func isFinite(_ column: Int32) -> Bool { double(column).isFinite }

  /// The column as a UUID; nil if it holds anything else.
  package func uuid(_ column: Int32) -> UUID? {
    withBytes(column) { bytes in
      guard let start = bytes.baseAddress else { return nil }
      return UUIDText.uuid(Span(_unsafeStart: start, count: bytes.count))
    }
  }

  package func isNull(_ column: Int32) -> Bool {
    switch driver {
    case .sqlite(let handle, _): sqlite3_column_type(handle, column) == SQLITE_NULL
    case .server(let query): query.isNull(column)
    }
  }

  package func optionalInteger(_ column: Int32) -> Int64? { isNull(column) ? nil : integer(column) }
  package func optionalReal(_ column: Int32) -> Double? { isNull(column) ? nil : real(column) }
  package func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

  /// The error for a SQLite result code of this statement.
  private func failure(_ code: Int32) -> StoreError {
    guard case .sqlite(_, let connection) = driver else {
      return .failed(operation: operation(of: sql), code: code, reason: "")
    }
    return Connection.failure(operation(of: sql), code, on: connection)
  }

  private var table: String? { tableNamed(in: sql) }
}

/// The first table that a statement names; nil if none is found.
private func tableNamed(in sql: String) -> String? {
  let words = sql.split(whereSeparator: \.isWhitespace).drop {
    !["into", "from", "update"].contains($0.lowercased())
  }
  return words.dropFirst().first.map { String($0.prefix { $0.isLetter || $0 == "_" }) }
}

/// A statement's action for an error message: `update 'pools'`.
package func operation(of sql: String) -> String {
  let verb = sql.prefix { !$0.isWhitespace }.lowercased()
  return verb + (tableNamed(in: sql).map { " '\($0)'" } ?? "")
}

// Columns by name, so that a SELECT list and its reader cannot get out of step. `precondition`: the name occurs exactly once.
extension Statement {
  package func integer(_ name: StaticString) -> Int64 { integer(columnIndexes[name]) }
  package func number(_ name: StaticString) -> Int { number(columnIndexes[name]) }
  package func flag(_ name: StaticString) -> Bool { flag(columnIndexes[name]) }
  package func real(_ name: StaticString) -> Double { real(columnIndexes[name]) }
  package func text(_ name: StaticString) -> String { text(columnIndexes[name]) }
  package func instant(_ name: StaticString) -> Timestamp { instant(columnIndexes[name]) }
  package func isNull(_ name: StaticString) -> Bool { isNull(columnIndexes[name]) }
  package func optionalInteger(_ name: StaticString) -> Int64? { optionalInteger(columnIndexes[name]) }
  package func optionalReal(_ name: StaticString) -> Double? { optionalReal(columnIndexes[name]) }
  package func optionalText(_ name: StaticString) -> String? { optionalText(columnIndexes[name]) }
  package func optionalInstant(_ name: StaticString) -> Timestamp? { optionalInstant(columnIndexes[name]) }

  /// A UUID that the store itself has written.
  ///
  /// - Throws: `StoreError.damaged` for any other text.
  package func id<Entity>(_ name: StaticString, table: String) throws(StoreError) -> EntityID<Entity> {
    try id(columnIndexes[name], table: table, name: "\(name)")
  }

  /// An enum case by its stored raw value.
  ///
  /// - Throws: `StoreError.damaged` for an unknown raw value.
  package func word<Word: RawRepresentable<String>>(_ name: StaticString, table: String) throws(StoreError) -> Word {
    try word(columnIndexes[name], table: table, name: "\(name)")
  }
}
