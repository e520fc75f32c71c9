import CPostgres
import FlowModel
import FlowStore

/// A statement of a session. It is prepared when it first runs, once for each list of parameter types, and again in a session
/// that replaces a lost one.
///
/// A result is read completely before its first row is used: the store's lists are bounded, and the session runs other queries
/// meanwhile.
final class PostgresQuery: ServerQuery {
  /// A server-side prepared statement: its parameter types, its name, and the number of its session.
  private struct Prepared {
    let types: [UInt32]
    let name: String
    let session: Int
  }

  private let session: PostgresSession
  private let sql: String
  /// The statement in PostgreSQL's dialect.
  private let text: String
  let onlyReads: Bool
  private var prepared: [Prepared] = []
  private var parameters = PostgresParameters()
  private var result: OpaquePointer?
  /// The batch of answers that owns `result`; nil if this query owns it.
  private var answers: QueryBatch.Answers?
  /// The batched form of this query, which takes a list as its first value.
  private var batchedQuery: PostgresQuery?
  private var types: [UInt32] = []
  /// The current row, -1 before the first, and the row after the last.
  private var rows: (current: Int32, end: Int32) = (-1, 0)
  /// Number of rows that the last execution changed.
  private(set) var changed = 0

  init(_ sql: String, on session: PostgresSession) {
    self.session = session
    self.sql = sql
    text = Dialect.postgresql(sql)
    let verb = sql.prefix { $0.isLetter }.uppercased()
    onlyReads = !["INSERT", "UPDATE", "DELETE"].contains(verb)
  }

  /// The batched form of `other`: takes a list of first values and returns the rows of each, in the order of the list.
  private init(asking other: PostgresQuery) {
    session = other.session
    sql = other.sql
    onlyReads = true
    text = Dialect.forEach(other.text)
  }

  deinit { reset() }

  func emptyParameters() -> any ServerParameters {
    parameters.removeAll()
    return parameters
  }

  func reset() {
    if let result, answers == nil { poolflow_pq_clear(result) }
    answers = nil
    result = nil
    rows.current = -1
  }

  func step() throws(StoreError) -> Bool {
    if result == nil { try run() }
    rows.current += 1
    return rows.current < rows.end
  }

  /// Gets the result, from a batched answer if there is one.
  private func run() throws(StoreError) {
    if onlyReads, let queryBatch = session.queryBatch, try isAnswered(by: queryBatch) { return }
    let answer: OpaquePointer
    do throws(StoreError) {
      answer = try send()
    } catch {
      // A single read outside of a transaction can be repeated after the session was lost.
      guard session.isLost, !session.isInTransaction, onlyReads else { throw error }
      answer = try send()
    }
    result = answer
    rows = (-1, poolflow_pq_rows(answer))
    types = Self.types(of: answer)
    changed = onlyReads ? 0 : poolflow_pq_changed(answer).flatMap { Int(String(cString: $0)) } ?? 0
  }

  private static func types(of answer: OpaquePointer) -> [UInt32] {
    (0..<poolflow_pq_columns(answer)).map { poolflow_pq_column_type(answer, $0) }
  }

  /// Takes the rows from a batched answer; sends the batched query if it is worth it.
  ///
  /// - Returns: false if the query must be sent by itself.
  private func isAnswered(by queryBatch: QueryBatch) throws(StoreError) -> Bool {
    guard let (first, others) = parameters.split else { return false }
    let key = QueryBatch.Key(query: ObjectIdentifier(self), others: others)
    if queryBatch[key] == nil {
      let numbers = queryBatch.numbers(worthAsking: key)
      guard !numbers.isEmpty else { return false }
      let batchedQuery = self.batchedQuery ?? PostgresQuery(asking: self)
      self.batchedQuery = batchedQuery
      batchedQuery.parameters = parameters.with(first: numbers)
      let answer = try batchedQuery.send()
      queryBatch.keep(.init(answer, types: Self.types(of: answer), numbers: numbers), for: key)
    }
    guard let found = queryBatch[key], let range = found.rows[first] else { return false }
    answers = found
    result = found.result
    types = found.types
    rows = (range.lowerBound - 1, range.upperBound)
    changed = 0
    return true
  }

  /// Runs the prepared statement with the current parameters.
  private func send() throws(StoreError) -> OpaquePointer {
    let connection = try session.connected()
    let name = try name(on: connection)
    let answer = parameters.withPointers { values, lengths, formats in
      poolflow_pq_run(connection, name, Int32(truncatingIfNeeded: parameters.count), values, lengths, formats)
    }
    return try session.check(answer, operation: operation(of: sql))
  }

  /// Name of the prepared statement for the present parameter types; prepares it in this session if needed.
  private func name(on connection: OpaquePointer) throws(StoreError) -> String {
    if let known = prepared.first(where: { $0.session == session.number && $0.types == parameters.types }) {
      return known.name
    }
    prepared.removeAll { $0.session != session.number }
    let name = session.nextName()
    let answer = parameters.types.withUnsafeBufferPointer {
      poolflow_pq_prepare(connection, name, text, Int32($0.count), $0.baseAddress)
    }
    poolflow_pq_clear(try session.check(answer, operation: "prepare to " + operation(of: sql)))
    prepared.append(Prepared(types: parameters.types, name: name, session: session.number))
    return name
  }

  // MARK: The current row

  var columnCount: Int32 { Int32(types.count) }

  func columnName(_ column: Int32) -> UnsafePointer<CChar>? {
    guard let result else { return nil }
    return poolflow_pq_column_name(result, column)
  }

  func isNull(_ column: Int32) -> Bool {
    guard let result else { return true }
    return poolflow_pq_is_null(result, rows.current, column) != 0
  }

  /// The bytes as the server sent them; empty for NULL.
  private func raw(_ column: Int32) -> UnsafeRawBufferPointer {
    guard let result, poolflow_pq_is_null(result, rows.current, column) == 0 else {
      return UnsafeRawBufferPointer(start: nil, count: 0)
    }
    return UnsafeRawBufferPointer(
      start: poolflow_pq_value(result, rows.current, column),
      count: Int(poolflow_pq_length(result, rows.current, column)))
  }

  func integer(_ column: Int32) -> Int64 {
    let bytes = raw(column)
    guard !bytes.isEmpty else { return 0 }
    switch types[Int(column)] {
    case PostgresType.int8: return Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
    case PostgresType.int4: return Int64(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self)))
    case PostgresType.int2: return Int64(Int16(bigEndian: bytes.loadUnaligned(as: Int16.self)))
    case PostgresType.boolean: return bytes[0] == 0 ? 0 : 1
    case PostgresType.float4, PostgresType.float8, PostgresType.numeric:
      return Int64(exactly: real(column).rounded(.towardZero)) ?? 0
    default: return Int64(String(decoding: bytes, as: UTF8.self)) ?? 0
    }
  }

  func real(_ column: Int32) -> Double {
    let bytes = raw(column)
    guard !bytes.isEmpty else { return 0 }
    switch types[Int(column)] {
    case PostgresType.float8: return Double(bitPattern: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)))
    case PostgresType.float4: return Double(Float(bitPattern: UInt32(bigEndian: bytes.loadUnaligned(as: UInt32.self))))
    case PostgresType.numeric: return Self.numeric(bytes)
    case PostgresType.int8, PostgresType.int4, PostgresType.int2, PostgresType.boolean: return Double(integer(column))
    default: return Double(String(decoding: bytes, as: UTF8.self)) ?? 0
    }
  }

  /// Decodes PostgreSQL's binary `numeric`, the type of sums: digits of base 10,000 after a header of four 16-bit numbers.
  private static func numeric(_ bytes: UnsafeRawBufferPointer) -> Double {
    func word(_ index: Int) -> UInt16 {
      UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: 2 * index, as: UInt16.self))
    }
    guard bytes.count >= 8, bytes.count >= 8 + 2 * Int(word(0)) else { return .nan }
    var weight = Int(Int16(bitPattern: word(1)))
    let sign = word(2)
    guard sign == 0 || sign == 0x4000 else { return .nan }
    var value = 0.0
    for index in 0..<Int(word(0)) {
      var digit = Double(word(4 + index))
      for _ in 0..<abs(weight) { digit = weight > 0 ? digit * 10_000 : digit / 10_000 }
      value += digit
      weight -= 1
    }
    return sign == 0 ? value : -value
  }

  func withBytes<Value>(_ column: Int32, _ read: (UnsafeBufferPointer<UInt8>) -> Value) -> Value {
    let bytes = raw(column)
    var words: String
    switch types[Int(column)] {
    case PostgresType.int8, PostgresType.int4, PostgresType.int2, PostgresType.boolean: words = "\(integer(column))"
    case PostgresType.float4, PostgresType.float8, PostgresType.numeric: words = "\(real(column))"
    default: return read(bytes.bindMemory(to: UInt8.self))
    }
    if isNull(column) { words = "" }
    return words.withUTF8(read)
  }
}
