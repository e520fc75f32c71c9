import CSQLite

/// What a column can hold.
package enum SQLValue {
  case integer(Int64)
  case real(Double)
  case text(String)
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

  init(_ handle: OpaquePointer, connection: OpaquePointer, sql: String) {
    self.handle = handle
    self.connection = connection
    self.sql = sql
  }

  deinit {
    sqlite3_finalize(handle)
  }

  func bind(_ values: [SQLValue]) throws(StoreError) {
    for (offset, value) in values.enumerated() {
      let index = Int32(offset + 1)
      let code =
        switch value {
        case .integer(let number): sqlite3_bind_int64(handle, index, number)
        case .real(let number): sqlite3_bind_double(handle, index, number)
        case .text(var text):
          text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) {
              // An empty string has no address; a null one would bind NULL.
              poolflow_sqlite3_bind_text(handle, index, $0.baseAddress ?? Self.empty, Int32($0.count))
            }
          }
        case .null: sqlite3_bind_null(handle, index)
        }
      guard code == SQLITE_OK else { throw failure(code) }
    }
  }

  // A static empty C string: immutable for the life of the process.
  private nonisolated(unsafe) static let empty: UnsafePointer<CChar> = {
    let pointer = UnsafeMutablePointer<CChar>.allocate(capacity: 1)
    pointer.initialize(to: 0)
    return UnsafePointer(pointer)
  }()

  /// - Returns: true while there is a row to read.
  func step() throws(StoreError) -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw failure(code)
    }
  }

  func reset() {
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
  }

  package func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }
  package func number(_ column: Int32) -> Int { Int(sqlite3_column_int64(handle, column)) }
  package func flag(_ column: Int32) -> Bool { sqlite3_column_int64(handle, column) != 0 }
  package func real(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }

  package func text(_ column: Int32) -> String {
    guard let bytes = sqlite3_column_text(handle, column) else { return "" }
    let count = Int(sqlite3_column_bytes(handle, column))
    return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }

  package func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }
  package func optionalInteger(_ column: Int32) -> Int64? { isNull(column) ? nil : integer(column) }
  package func optionalReal(_ column: Int32) -> Double? { isNull(column) ? nil : real(column) }
  package func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

  private func failure(_ code: Int32) -> StoreError {
    let verb = sql.prefix { !$0.isWhitespace }.lowercased()
    let table = sql.split(whereSeparator: \.isWhitespace).drop {
      !["into", "from", "update"].contains($0.lowercased())
    }
    let name = table.dropFirst().first.map { " '\($0.prefix { $0.isLetter || $0 == "_" })'" } ?? ""
    return .failed(operation: "\(verb)\(name)", code: code, reason: String(cString: sqlite3_errmsg(connection)))
  }
}
