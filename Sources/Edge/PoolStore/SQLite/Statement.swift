import CSQLite
package import FoundationEssentials
import PoolModel

/// What a column can hold.
package enum SQLValue {
  case integer(Int64)
  case real(Double)
  case text(String)
  /// Its 36 characters.
  case uuid(UUID)
  case null

  package static func integer(_ number: Int) -> SQLValue { .integer(Int64(number)) }
  package static func flag(_ isOn: Bool) -> SQLValue { .integer(isOn ? 1 : 0) }
  package static func optional(_ number: Int64?) -> SQLValue { number.map { .integer($0) } ?? .null }
  package static func optional(_ number: Double?) -> SQLValue { number.map { .real($0) } ?? .null }
  package static func optional(_ text: String?) -> SQLValue { text.map { .text($0) } ?? .null }
}

/// A compiled statement: bound, stepped, reset, used again.
package final class Statement {
  private let handle: OpaquePointer
  private let connection: OpaquePointer
  private let sql: String
  /// Whether it writes what decisions look at.
  let changesFacts: Bool
  private var isInUse = false
  /// Those of the values that are bound.
  private var texts = LentTexts()
  /// Where the columns stand that readers have named.
  private let places: ColumnPlaces
  /// The first column of the row at hand that held what the store never writes.
  private var damagedColumn: Int32?
  private let log = StatementLog.current

  init(_ handle: OpaquePointer, connection: OpaquePointer, sql: String) {
    self.handle = handle
    self.connection = connection
    self.sql = sql
    places = ColumnPlaces(of: handle, log: log)
    // The table stands among the first words: INSERT OR REPLACE INTO pools (…
    changesFacts =
      sqlite3_stmt_readonly(handle) == 0
      && sql.split(maxSplits: 6) { $0.isWhitespace || $0 == "(" }.prefix(6).contains { FactChanges.tables.contains($0) }
    log?.compiled(sql)
  }

  deinit {
    reset()
    sqlite3_finalize(handle)
  }

  /// Binds these values; `reset` is to follow, also where this throws.
  func bind(_ values: [SQLValue]) throws(StoreError) {
    try bind(&texts) { binding in
      for value in values { binding.put(value) }
    }
  }

  /// Binds what `put` puts, one after the other; `reset` is to follow, also where this throws.
  ///
  /// - Parameter texts: hold the values' texts; to outlive the steps.
  func bind(
    _ texts: inout LentTexts, _ put: (inout Binding) throws(StoreError) -> Void
  ) throws(StoreError) {
    precondition(!isInUse, "a statement is run while it still runs")
    isInUse = true
    damagedColumn = nil
    var binding = Binding(to: handle, texts: texts)
    defer { texts = binding.texts }
    try put(&binding)
    guard binding.code == SQLITE_OK else { throw failure(binding.code) }
  }

  func reset() {
    guard isInUse else { return }
    isInUse = false
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
    texts.giveBack()
  }

  /// - Returns: true while there is a row to read.
  func step() throws(StoreError) -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW:
      log?.gaveRow(sql)
      return true
    case SQLITE_DONE: return false
    case let code: throw failure(code)
    }
  }

  package func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }
  package func flag(_ column: Int32) -> Bool { sqlite3_column_int64(handle, column) != 0 }

  // A whole number or an instant that nothing ever writes is damage: arithmetic with it would end the process. The row's
  // reader gets a zero, and whoever asked for the row is told by `damage` before anything is made of it.

  /// A count, a place or a size.
  package func number(_ column: Int32) -> Int {
    let number = sqlite3_column_int64(handle, column)
    guard number.magnitude <= UInt64(Limits.largestStoredNumber) else { return note(column, 0) }
    return Int(number)
  }

  /// Sums of a store of before there were ranges may be infinite: see `finite`.
  package func real(_ column: Int32) -> Double { finite(sqlite3_column_double(handle, column)) }

  func instant(_ column: Int32) -> Timestamp {
    let instant = Timestamp(milliseconds: sqlite3_column_int64(handle, column))
    let stored = Limits.storedInstants
    // `contains` of a range is a call into another module, which costs more than the two looks.
    guard instant.milliseconds >= stored.lowerBound, instant.milliseconds <= stored.upperBound else {
      return note(column, Timestamp(milliseconds: 0))
    }
    return instant
  }

  private func note<Value>(_ column: Int32, _ instead: Value) -> Value {
    if damagedColumn == nil { damagedColumn = column }
    return instead
  }

  /// What was found in the row at hand that the store never writes; asked once a row, and forgotten then.
  func damage() -> StoreError? {
    guard let column = damagedColumn else { return nil }
    damagedColumn = nil
    let name = sqlite3_column_name(handle, column).map { String(cString: $0) } ?? "column \(column)"
    return .damaged(table: table ?? "a table", column: name, value: text(column))
  }

  package func text(_ column: Int32) -> String {
    guard let bytes = sqlite3_column_text(handle, column) else { return "" }
    let count = Int(sqlite3_column_bytes(handle, column))
    return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }

  /// The bytes of a text, which stay while the row does.
  func withBytes<Value>(_ column: Int32, _ read: (UnsafeBufferPointer<UInt8>) -> Value) -> Value {
    let bytes = sqlite3_column_text(handle, column)
    return read(UnsafeBufferPointer(start: bytes, count: bytes == nil ? 0 : Int(sqlite3_column_bytes(handle, column))))
  }

  /// False for an infinite number, which `real` makes finite.
  func isFinite(_ column: Int32) -> Bool { sqlite3_column_double(handle, column).isFinite }

  /// - Returns: nil where the column holds anything else.
  package func uuid(_ column: Int32) -> UUID? {
    guard let bytes = sqlite3_column_text(handle, column) else { return nil }
    let count = Int(sqlite3_column_bytes(handle, column))
    return UUIDText.uuid(Span(_unsafeStart: bytes, count: count))
  }

  package func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }
  package func optionalInteger(_ column: Int32) -> Int64? { isNull(column) ? nil : integer(column) }
  package func optionalReal(_ column: Int32) -> Double? { isNull(column) ? nil : real(column) }
  package func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

  private func failure(_ code: Int32) -> StoreError {
    let verb = sql.prefix { !$0.isWhitespace }.lowercased()
    let name = table.map { " '\($0)'" } ?? ""
    return Connection.failure("\(verb)\(name)", code, on: connection)
  }

  /// The first table that the statement names.
  private var table: String? {
    let words = sql.split(whereSeparator: \.isWhitespace).drop {
      !["into", "from", "update"].contains($0.lowercased())
    }
    return words.dropFirst().first.map { String($0.prefix { $0.isLetter || $0 == "_" }) }
  }
}

// By name, as the SELECT says it: list and reading cannot slip apart.
extension Statement {
  package func integer(_ name: StaticString) -> Int64 { integer(places[name]) }
  package func number(_ name: StaticString) -> Int { number(places[name]) }
  package func flag(_ name: StaticString) -> Bool { flag(places[name]) }
  package func real(_ name: StaticString) -> Double { real(places[name]) }
  package func text(_ name: StaticString) -> String { text(places[name]) }
  func instant(_ name: StaticString) -> Timestamp { instant(places[name]) }
  package func isNull(_ name: StaticString) -> Bool { isNull(places[name]) }
  package func optionalInteger(_ name: StaticString) -> Int64? { optionalInteger(places[name]) }
  package func optionalReal(_ name: StaticString) -> Double? { optionalReal(places[name]) }
  package func optionalText(_ name: StaticString) -> String? { optionalText(places[name]) }
  func optionalInstant(_ name: StaticString) -> Timestamp? { optionalInstant(places[name]) }

  /// A UUID that the store wrote itself.
  func id<Entity>(_ name: StaticString, table: String) throws(StoreError) -> EntityID<Entity> {
    try id(places[name], table: table, name: "\(name)")
  }

  /// A word of one of our enums that the store wrote itself.
  func word<Word: RawRepresentable<String>>(_ name: StaticString, table: String) throws(StoreError) -> Word {
    try word(places[name], table: table, name: "\(name)")
  }
}
