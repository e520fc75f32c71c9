/// What keeps the records.
package enum StoreEngine: String, Sendable, CaseIterable, Codable {
  case sqlite
  case postgresql

  /// As people write it.
  package var name: String { self == .sqlite ? "SQLite" : "PostgreSQL" }
}
