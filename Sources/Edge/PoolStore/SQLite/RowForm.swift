/// How records of one kind become rows of a table.
///
/// Rows go in many to a statement: the table and its indexes are then opened once for all of them, which saves a third of
/// what a statement for each takes (measured on pools, with SQLite 3.40).
struct RowForm {
  /// Rows of a full statement; more of them save nothing more, and all their values stay below SQLite's limit of 32,766.
  static let fullStatement = 50

  fileprivate let full: String
  fileprivate let single: String

  /// - Parameters:
  ///   - columns: with commas between, in the order of the values.
  ///   - conflict: what follows `ON CONFLICT`, or nothing.
  init(_ table: String, _ columns: String, onConflict conflict: String = "") {
    let count = columns.split(separator: ",").count
    let row = "(" + Array(repeating: "?", count: count).joined(separator: ", ") + ")"
    func statement(_ rows: Int) -> String {
      "INSERT INTO \(table) (\(columns)) VALUES " + Array(repeating: row, count: rows).joined(separator: ", ")
        + (conflict.isEmpty ? "" : " ON CONFLICT " + conflict)
    }
    full = statement(Self.fullStatement)
    single = statement(1)
  }
}

extension Connection {
  /// Inserts records in their order. Of a statement that fails no row stays; those of earlier ones do, so this belongs into
  /// a transaction.
  func insert<Records: RandomAccessCollection>(
    _ records: Records, as form: RowForm, _ values: (Records.Element) throws(StoreError) -> [SQLValue]
  ) throws(StoreError) {
    var rest = records[...]
    while rest.count >= RowForm.fullStatement {
      let statement = try statement(form.full)
      statement.begin()
      defer { statement.reset() }
      for record in rest.prefix(RowForm.fullStatement) {
        try statement.bindNext(try values(record), more: RowForm.fullStatement)
      }
      while try statement.step() {}
      rest = rest.dropFirst(RowForm.fullStatement)
    }
    for record in rest { try run(form.single, try values(record)) }
  }
}
