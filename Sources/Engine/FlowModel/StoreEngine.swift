/// The database system that contains the records.
package enum StoreEngine: String, Sendable, CaseIterable, Codable {
  case sqlite
  case postgresql

  /// The product name.
  package var name: String { self == .sqlite ? "SQLite" : "PostgreSQL" }
}
