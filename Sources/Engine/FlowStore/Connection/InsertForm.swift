/// Multi-row INSERT statements for one table.
///
/// With many rows in a statement, the table and its indexes are opened once for all of them, and one savepoint covers them.
/// Pools are inserted twice as fast as one by one, and 10 % faster by 200 than by 50 (SQLite 3.40).
package struct InsertForm {
  /// Rows per statement: as many full blocks of 200 as there are, then of 20, then single rows. Larger blocks save nothing
  /// more; 200 rows stay below SQLite's limit of 32,766 values.
  static let batchSizes = [200, 20, 1]

  /// From this number of rows on, a server receives them as one COPY stream, because it parses every value of an INSERT as an
  /// expression.
  private static let fewestRowsForCopy = 20

  let table: String
  let columns: String
  private let hasConflictClause: Bool
  /// One INSERT for each number in `batchSizes`.
  fileprivate let statements: [String]

  /// True if a server receives `count` rows by COPY; statements with an ON CONFLICT clause never use COPY, which has none.
  func isCopied(_ count: Int) -> Bool { count >= Self.fewestRowsForCopy && !hasConflictClause }

  /// - Parameters:
  ///   - columns: column names in the order of the values, separated by commas.
  ///   - conflict: the text after `ON CONFLICT`; empty for none.
  package init(_ table: String, _ columns: String, onConflict conflict: String = "") {
    self.table = table
    self.columns = columns
    hasConflictClause = !conflict.isEmpty
    let count = columns.split(separator: ",").count
    let row = "(" + Array(repeating: "?", count: count).joined(separator: ", ") + ")"
    statements = Self.batchSizes.map { rows in
      "INSERT INTO \(table) (\(columns)) VALUES " + Array(repeating: row, count: rows).joined(separator: ", ")
        + (conflict.isEmpty ? "" : " ON CONFLICT " + conflict)
    }
  }
}

extension Connection {
  /// Inserts records in order. If a statement fails, the rows of earlier statements stay inserted, so call this inside a
  /// transaction.
  ///
  /// - Parameter put: binds all values of one record, in the order of the form's columns.
  package func insert<Records: RandomAccessCollection>(
    _ records: Records, as form: InsertForm, _ put: (Records.Element, inout Binding) throws(StoreError) -> Void
  ) throws(StoreError) {
    if let session = server, form.isCopied(records.count) {
      return try copy(records, as: form, on: session, put)
    }
    var texts = TextBuffers()
    defer { texts.deallocate() }
    var rest = records[...]
    for (count, sql) in zip(InsertForm.batchSizes, form.statements) {
      while rest.count >= count {
        let statement = try statement(sql)
        texts.reuse()
        defer { statement.reset() }
        try statement.bind(&texts) { (binding) throws(StoreError) in
          for record in rest.prefix(count) { try put(record, &binding) }
        }
        while try statement.step() {}
        rest = rest.dropFirst(count)
      }
    }
  }

  /// Sends the records to a server as one COPY stream.
  private func copy<Records: RandomAccessCollection>(
    _ records: Records, as form: InsertForm, on session: any ServerSession,
    _ put: (Records.Element, inout Binding) throws(StoreError) -> Void
  ) throws(StoreError) {
    noteFactChange(changedBy: form.table)
    let parameters = session.parameters()
    // All rows are encoded first: `put` may query the store (for a tag's technician), and a session cannot run queries during
    // COPY.
    var pieces: [[UInt8]] = []
    var rest = records[...]
    while !rest.isEmpty {
      var bytes: [UInt8] = []
      for record in rest.prefix(InsertForm.batchSizes[0]) {
        parameters.removeAll()
        var binding = Binding(to: parameters)
        try put(record, &binding)
        parameters.appendRow(to: &bytes)
      }
      pieces.append(bytes)
      rest = rest.dropFirst(InsertForm.batchSizes[0])
    }
    try session.copy(into: form.table, form.columns) { (send) throws(StoreError) in
      for piece in pieces { try send(piece) }
    }
  }
}
