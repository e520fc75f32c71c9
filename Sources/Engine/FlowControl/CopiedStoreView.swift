/// Result of `poolflowd --copy-store`, which copies the store between SQLite and PostgreSQL; `pfctl store copy` shows it.
package struct CopiedStoreView: Codable, Sendable {
  /// Path of the SQLite file, or address of the PostgreSQL server; `to` likewise.
  package let from: String
  package let to: String
  /// The copied tables, in the order of copying.
  package let tables: [CopiedTableView]

  package init(from: String, to: String, tables: [CopiedTableView]) {
    self.from = from
    self.to = to
    self.tables = tables
  }
}

/// A table and the number of rows copied.
package struct CopiedTableView: Codable, Sendable {
  package let table: String
  package let rows: Int

  package init(table: String, rows: Int) {
    self.table = table
    self.rows = rows
  }
}
