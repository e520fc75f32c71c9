/// A statement of a session. It reads a result completely before its first row is used.
package protocol ServerQuery: AnyObject {
  var onlyReads: Bool { get }
  /// Number of rows that the last execution changed.
  var changed: Int { get }

  /// The statement's parameters, emptied, to be filled for the next execution.
  func emptyParameters() -> any ServerParameters

  /// Runs the query on the first call, then advances to the next row.
  ///
  /// - Returns: true if there is a row to read.
  func step() throws(StoreError) -> Bool

  /// Frees the result, so that the next `step` runs the query again.
  func reset()

  /// The columns are known only after the statement has run.
  var columnCount: Int32 { get }
  func columnName(_ column: Int32) -> UnsafePointer<CChar>?

  func isNull(_ column: Int32) -> Bool
  /// The column as an integer; 0 for NULL and for text that is no number, as in SQLite.
  func integer(_ column: Int32) -> Int64
  func real(_ column: Int32) -> Double

  /// Passes the bytes of a text to `read`, valid only inside it; a number is passed as its text.
  func withBytes<Value>(_ column: Int32, _ read: (UnsafeBufferPointer<UInt8>) -> Value) -> Value
}

/// The parameter values of one execution, in the server's own format.
package protocol ServerParameters: AnyObject {
  func removeAll()
  func append(_ number: Int64)
  func append(_ number: Double)
  func append(_ text: String)
  /// Appends a text of `count` bytes, which `write` fills in.
  func append(_ count: Int, write: (UnsafeMutableRawBufferPointer) -> Void)
  func appendNull(_ kind: SQLKind)
  func append(_ numbers: [Int64?])
  func append(_ texts: [String?])
  /// Appends the values as a row for `ServerSession.copy`.
  func appendRow(to rows: inout [UInt8])
}
