/// The parts of the database schema's migrations; the list of trades joins them in the order of their release. A released part
/// never changes.
///
/// Every table has its team's number. Instants are whole milliseconds UTC (`_ms`), ids of the app are UUID text in upper case.
/// The SQL is also valid for PostgreSQL where that costs nothing.
package enum Schema {
  /// Application id of a store file: "pool".
  package static let applicationID = 0x706F_6F6C
  /// Application id of stores made before the first release, "pflw"; they have their own schema numbers.
  static let developmentID = 0x7066_6C77
}
