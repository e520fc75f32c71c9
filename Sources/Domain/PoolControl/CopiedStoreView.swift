/// What `poolflowd --copy-store` has brought from one engine to the other, for `pfctl store copy`.
package struct CopiedStoreView: Codable, Sendable {
  /// A file's path, or the server's place.
  package let from: String
  package let to: String
  /// In the order in which they went.
  package let tables: [CopiedTableView]

  package init(from: String, to: String, tables: [CopiedTableView]) {
    self.from = from
    self.to = to
    self.tables = tables
  }
}

package struct CopiedTableView: Codable, Sendable {
  package let table: String
  package let rows: Int

  package init(table: String, rows: Int) {
    self.table = table
    self.rows = rows
  }
}
