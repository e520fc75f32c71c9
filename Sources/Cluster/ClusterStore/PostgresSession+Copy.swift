import CPostgres
import FlowStore

/// Many rows as one stream.
extension PostgresSession {
  /// Streams rows into a table with COPY, as one statement: all of them or none.
  ///
  /// - Parameter rows: sends rows in COPY's binary format, some at a time.
  func copy(
    into table: String, _ columns: String,
    _ rows: ((([UInt8]) throws(StoreError) -> Void)) throws(StoreError) -> Void
  ) throws(StoreError) {
    let operation = "insert into '\(table)'"
    let connection = try connected()
    poolflow_pq_clear(
      try check(
        poolflow_pq_execute(connection, "COPY \(table) (\(columns)) FROM STDIN (FORMAT binary)"), operation: operation))
    func send(_ bytes: [UInt8]) throws(StoreError) {
      let code = bytes.withUnsafeBytes {
        poolflow_pq_put_copy(
          connection, $0.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(truncatingIfNeeded: $0.count))
      }
      if code != 1 { _ = try check(nil, operation: operation) }
    }
    /// Ends the stream and checks the server's result.
    func end(_ error: String?) throws(StoreError) {
      if poolflow_pq_end_copy(connection, error) != 1 { _ = try check(nil, operation: operation) }
      var last: OpaquePointer?
      while let answer = poolflow_pq_next_result(connection) {
        if let last { poolflow_pq_clear(last) }
        last = answer
      }
      poolflow_pq_clear(try check(last, operation: operation))
    }
    do throws(StoreError) {
      // COPY's binary header: signature, flags, no extension.
      try send(Array("PGCOPY\n".utf8) + [0xff, 0x0d, 0x0a, 0] + [UInt8](repeating: 0, count: 8))
      try rows(send)
      try send([0xff, 0xff])
    } catch {
      // Throw the first error.
      if !isLost { try? end("given up") }
      throw error
    }
    try end(nil)
  }
}
