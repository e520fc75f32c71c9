import PoolModel

/// Looks into a store that comes from outside for values that no poolflow writes: names that lead out of a folder,
/// identities that are none, instants and numbers beyond all reason. SQLite's own checks know nothing of them.
///
/// It reads every row, so it is for a store that is to be put in another's place or whose backup is proved, never for the
/// daemon's own at each start.
struct StoreContents {
  let connection: Connection
  let path: String

  /// - Throws: `StoreError.corrupt` with the first value that is wrong.
  func prove() throws(StoreError) {
    let tables = try connection.rows(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name"
    ) { row throws(StoreError) in row.text(0) }
    for table in tables { try prove(table) }
    try proveInstallMark()
  }

  private func prove(_ table: String) throws(StoreError) {
    let columns = try connection.rows("SELECT name, type FROM pragma_table_info(?)", .text(table)) {
      row throws(StoreError) in (name: row.text(0), type: row.text(1))
    }
    let rules = columns.compactMap { column in
      Self.wrong(table, column.name, column.type).map { (column: column.name, sql: $0) }
    }
    guard !rules.isEmpty else { return }
    // One walk over the table for all its columns.
    let values = rules.map { "CASE WHEN \($0.sql) THEN substr(\"\($0.column)\", 1, 80) END" }
    let condition = rules.map { "coalesce(\($0.sql), 0)" }.joined(separator: " OR ")
    let wrong = try connection.first("SELECT \(values.joined(separator: ", ")) FROM \"\(table)\" WHERE \(condition)") {
      row throws(StoreError) in
      rules.indices.first { !row.isNull(Int32($0)) }.map { (rules[$0].column, row.text(Int32($0))) }
    }
    guard let found = wrong, let (column, value) = found else { return }
    throw .corrupt(
      path: path, finding: "it holds a value that poolflow never writes: \(table).\(column) = '\(visible(value))'")
  }

  private func proveInstallMark() throws(StoreError) {
    let mark = try connection.first("SELECT value FROM meta WHERE key = 'install'") { row throws(StoreError) in
      row.text(0)
    }
    guard let mark, mark.utf8.count != 8 || !mark.utf8.allSatisfy(Self.isHexadecimal) else { return }
    throw .corrupt(path: path, finding: "its mark '\(visible(String(mark.prefix(80))))' is none that poolflow makes")
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool { (48...57).contains(byte) || (97...102).contains(byte) }

  // MARK: Rules

  /// A condition that holds for a wrong value; nil where any value of its type will do.
  private static func wrong(_ table: String, _ column: String, _ type: String) -> String? {
    let quoted = "\"\(column)\""
    switch (table, column, type) {
    case ("teams", "name", _): return notTeamName(quoted)
    case ("technicians", "name", _), ("technicians", "name_key", _):
      return "(length(CAST(\(quoted) AS BLOB)) NOT BETWEEN 1 AND \(Limits.nameLength * 4) OR \(hasNull(quoted)))"
    case ("service_events", "photo_name", _): return notPhotoName(quoted)
    case ("notices", "notice_id", _), ("outbox", "notice_id", _), ("outbox", "sink", _), ("backups", "backup_id", _),
      ("inbox_claims", "claim", _):
      return notIdentity(quoted)
    case (_, _, "TEXT"): return uuids.contains(column) ? notUUID(quoted) : nil
    case (_, _, "REAL"): return "abs(\(quoted)) > 1.7976931348623157e308"
    // A hash takes all 64 bits; every other number is counted or measured, and instants far beyond the calendar overflow.
    case (_, _, "INTEGER"): return column == "input_hash" ? nil : "\(quoted) NOT BETWEEN -\(largest) AND \(largest)"
    default: return nil
    }
  }

  /// 2^53: what every reader of JSON takes for a whole number, and as an instant 285,000 years away.
  private static let largest = 9_007_199_254_740_992

  private static let uuids: Set<String> = [
    "pool_id", "event_id", "dose_id", "chemical_id", "item_id", "equipment_id",
  ]

  private static func notUUID(_ column: String) -> String {
    let pattern = [8, 4, 4, 4, 12].map { String(repeating: "[0-9A-F]", count: $0) }.joined(separator: "-")
    return "(length(CAST(\(column) AS BLOB)) <> 36 OR \(column) NOT GLOB '\(pattern)')"
  }

  /// As `TeamName`.
  private static func notTeamName(_ column: String) -> String {
    "(length(CAST(\(column) AS BLOB)) NOT BETWEEN 1 AND \(Limits.teamNameLength) OR \(hasNull(column))"
      + " OR \(column) GLOB '*[^A-Za-z0-9._-]*' OR \(column) GLOB '[._-]*')"
  }

  /// As `PathComponent(identity:)`.
  private static func notIdentity(_ column: String) -> String {
    "(length(CAST(\(column) AS BLOB)) NOT BETWEEN 1 AND \(PathComponent.longest) OR \(hasNull(column))"
      + " OR \(column) GLOB '*[^A-Za-z0-9._-]*' OR \(column) GLOB '[.-]*')"
  }

  /// The app names photos as it likes, folders included: what an archive may hold, a store may.
  private static func notPhotoName(_ column: String) -> String {
    "(\(column) = '' OR \(hasNull(column)) OR \(column) GLOB '/*' OR instr(\(column), char(92)) > 0"
      + " OR instr('/' || \(column) || '/', '/../') > 0 OR instr('/' || \(column) || '/', '/./') > 0"
      + " OR instr(\(column) || '/', '//') > 0 OR \(column) GLOB '*[' || char(1) || '-' || char(31) || char(127) || ']*')"
  }

  private static func hasNull(_ column: String) -> String { "instr(CAST(\(column) AS BLOB), x'00') > 0" }
}
