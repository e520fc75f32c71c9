/// How records of one kind become rows of a table.
///
/// Rows go in many to a statement: the table and its indexes are then opened once for all of them, and the pages that they
/// change are noted once for the case that one row is refused. Pools go in twice as fast as one by one, and a tenth faster
/// by two hundreds than by fifties (SQLite 3.40).
struct RowForm {
  /// Rows of a statement: the most while so many are left, then fewer, the last ones one by one. Above two hundred nothing
  /// more is saved; all their values stay below SQLite's limit of 32,766.
  static let rowsOfStatement = [200, 20, 1]

  /// So many and more go to a server as a stream, by COPY: an import has thousands, and a server that takes them as values of a
  /// statement looks at each value's expression first.
  private static let rowsOfCopy = 20

  let table: String
  let columns: String
  private let takesKnown: Bool
  /// One for each of `rowsOfStatement`.
  fileprivate let statements: [String]

  /// COPY knows no conflicts.
  func isCopied(_ count: Int) -> Bool { count >= Self.rowsOfCopy && !takesKnown }

  /// - Parameters:
  ///   - columns: with commas between, in the order of the values.
  ///   - conflict: what follows `ON CONFLICT`, or nothing.
  init(_ table: String, _ columns: String, onConflict conflict: String = "") {
    self.table = table
    self.columns = columns
    takesKnown = !conflict.isEmpty
    let count = columns.split(separator: ",").count
    let row = "(" + Array(repeating: "?", count: count).joined(separator: ", ") + ")"
    statements = Self.rowsOfStatement.map { rows in
      "INSERT INTO \(table) (\(columns)) VALUES " + Array(repeating: row, count: rows).joined(separator: ", ")
        + (conflict.isEmpty ? "" : " ON CONFLICT " + conflict)
    }
  }
}

extension Connection {
  /// Inserts records in their order. Of a statement that fails no row stays; those of earlier ones do, so this belongs into
  /// a transaction.
  ///
  /// - Parameter put: puts a record's values, all of them, in the order of the form's columns.
  func insert<Records: RandomAccessCollection>(
    _ records: Records, as form: RowForm, _ put: (Records.Element, inout Binding) throws(StoreError) -> Void
  ) throws(StoreError) {
    if case .postgresql(let session) = driver, form.isCopied(records.count) {
      return try copy(records, as: form, on: session, put)
    }
    var texts = LentTexts()
    defer { texts.giveBack() }
    var rest = records[...]
    for (count, sql) in zip(RowForm.rowsOfStatement, form.statements) {
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

  private func copy<Records: RandomAccessCollection>(
    _ records: Records, as form: RowForm, on session: PostgresSession,
    _ put: (Records.Element, inout Binding) throws(StoreError) -> Void
  ) throws(StoreError) {
    noteFacts(changedBy: form.table)
    var parameters = PostgresParameters()
    // All rows first: whoever puts one may ask the store for more (the technician that a tag names), and a session that takes
    // a stream answers nothing else.
    var pieces: [[UInt8]] = []
    var rest = records[...]
    while !rest.isEmpty {
      var bytes: [UInt8] = []
      for record in rest.prefix(RowForm.rowsOfStatement[0]) {
        parameters.removeAll()
        var binding = Binding(to: parameters)
        try put(record, &binding)
        parameters = binding.parameters
        parameters.appendRow(to: &bytes)
      }
      pieces.append(bytes)
      rest = rest.dropFirst(RowForm.rowsOfStatement[0])
    }
    try session.copy(into: form.table, form.columns) { (send) throws(StoreError) in
      for piece in pieces { try send(piece) }
    }
  }
}
