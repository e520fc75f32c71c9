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

  /// Of UTF-8.
  fileprivate var textBytes: Int {
    switch self {
    case .text(let text): text.utf8.count
    case .uuid: UUIDText.length
    case .integer, .real, .null: 0
    }
  }

  /// - Parameter room: of `textBytes`.
  fileprivate func write(into room: UnsafeMutableBufferPointer<UInt8>) {
    switch self {
    case .text(let text): _ = room.initialize(from: text.utf8)
    case .uuid(let uuid):
      var text = OutputSpan(buffer: room, initializedCount: 0)
      UUIDText.append(uuid, to: &text)
      _ = text.finalize(for: room)
    case .integer, .real, .null: break
    }
  }
}

/// The texts of bound values side by side: lent to SQLite, which would ask for memory for each of them.
private struct LentTexts {
  private var block: UnsafeMutableBufferPointer<UInt8>?
  private var used = 0
  /// Blocks without room enough.
  private var full: [UnsafeMutableBufferPointer<UInt8>] = []

  /// Room in which nothing else will be written.
  ///
  /// - Parameter more: how much may follow; asked for at once where a new block is needed.
  mutating func room(_ count: Int, more: Int) -> UnsafeMutableBufferPointer<UInt8> {
    if let block, block.count - used >= count {
      defer { used += count }
      return UnsafeMutableBufferPointer(rebasing: block[used..<used + count])
    }
    if let block { full.append(block) }
    let new = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: count + more)
    (block, used) = (new, count)
    return UnsafeMutableBufferPointer(rebasing: new[..<count])
  }

  mutating func giveBack() {
    block?.deallocate()
    for block in full { block.deallocate() }
    self = LentTexts()
  }
}

/// A compiled statement: bound, stepped, reset, used again.
package final class Statement {
  private let handle: OpaquePointer
  private let connection: OpaquePointer
  private let sql: String
  private var isInUse = false
  /// How many values are bound, and their texts.
  private var bound: Int32 = 0
  private var texts = LentTexts()

  init(_ handle: OpaquePointer, connection: OpaquePointer, sql: String) {
    self.handle = handle
    self.connection = connection
    self.sql = sql
  }

  deinit {
    reset()
    sqlite3_finalize(handle)
  }

  /// Binds these values; `reset` is to follow, also where this throws.
  func bind(_ values: [SQLValue]) throws(StoreError) {
    begin()
    try bindNext(values, more: 0)
  }

  /// Binds nothing yet; `reset` is to follow.
  func begin() {
    precondition(!isInUse, "a statement is run while it still runs")
    isInUse = true
  }

  /// Binds these values after those that are bound.
  ///
  /// - Parameter more: how many times as many will follow.
  func bindNext(_ values: [SQLValue], more: Int) throws(StoreError) {
    // Never without room: a text without an address would be NULL.
    let bytes = values.reduce(1) { $0 + $1.textBytes }
    var room = texts.room(bytes, more: bytes * more)
    for value in values {
      bound += 1
      let code: Int32
      switch value {
      case .integer(let number): code = sqlite3_bind_int64(handle, bound, number)
      case .real(let number): code = sqlite3_bind_double(handle, bound, number)
      case .text, .uuid:
        let count = value.textBytes
        value.write(into: UnsafeMutableBufferPointer(rebasing: room[..<count]))
        // No destructor: the bytes outlive the binding.
        code = room.withMemoryRebound(to: CChar.self) {
          sqlite3_bind_text(handle, bound, $0.baseAddress, Int32(count), nil)
        }
        room = UnsafeMutableBufferPointer(rebasing: room[count...])
      case .null: code = sqlite3_bind_null(handle, bound)
      }
      guard code == SQLITE_OK else { throw failure(code) }
    }
  }

  func reset() {
    guard isInUse else { return }
    isInUse = false
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
    bound = 0
    texts.giveBack()
  }

  /// - Returns: true while there is a row to read.
  func step() throws(StoreError) -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw failure(code)
    }
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
    let table = sql.split(whereSeparator: \.isWhitespace).drop {
      !["into", "from", "update"].contains($0.lowercased())
    }
    let name = table.dropFirst().first.map { " '\($0.prefix { $0.isLetter || $0 == "_" })'" } ?? ""
    return .failed(operation: "\(verb)\(name)", code: code, reason: String(cString: sqlite3_errmsg(connection)))
  }
}
