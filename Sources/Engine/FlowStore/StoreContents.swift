package import FlowModel
import FlowNotices
import PoolDigests

/// A damaged value in one team's records. The daemon works with such a store and reports the team.
package struct UnusableValue: Hashable, Sendable, CustomStringConvertible {
  package let team: TeamID
  /// For example `pools.updated_ms = '9223372036854775807'`.
  package let description: String
}

/// Searches a copied store for values that poolflow never writes: names that lead out of a directory, invalid ids, and
/// impossible times or numbers. SQLite's own checks do not find them.
///
/// It reads every row, so it runs for a restore and for a full verification, never at a daemon's start.
struct StoreContents {
  let connection: Connection
  let path: String

  /// - Returns: the first damaged value of each affected team; the other teams' records can be restored.
  /// - Throws: `StoreError.corrupt` with the first value that concerns the whole server or could lead out of a directory.
  func verify() throws(StoreError) -> [UnusableValue] {
    var found: [TeamID: UnusableValue] = [:]
    for table in try connection.tables() { try verify(table, &found) }
    return found.values.sorted { $0.team < $1.team }
  }

  /// Checks one table and adds each team's first damaged value to `found`.
  private func verify(_ table: String, _ found: inout [TeamID: UnusableValue]) throws(StoreError) {
    let all = try connection.rows("SELECT name, type FROM pragma_table_info(?)", .text(table)) {
      row throws(StoreError) in (name: row.text(0), rule: Rule(table, column: row.text(0), type: row.text(1)))
    }
    let columns = all.compactMap { column in column.rule.map { (name: column.name, rule: $0) } }
    guard !columns.isEmpty else { return }
    let owner = all.contains { $0.name == "team_id" } ? "team_id" : "NULL"
    let names = ([owner] + columns.map { "\"\($0.name)\"" }).joined(separator: ", ")
    // One scan of the table checks all columns.
    let rows = try connection.statement("SELECT \(names) FROM \"\(table)\"")
    defer { rows.reset() }
    while try rows.step() {
      for index in columns.indices {
        let column = Int32(truncatingIfNeeded: index + 1)
        if rows.isNull(column) || columns[index].rule.allows(rows, column) { continue }
        let value = "\(table).\(columns[index].name) = '\(visible(String(rows.text(column).prefix(80))))'"
        guard let owner = rows.optionalInteger(0), columns[index].rule.affectsOnlyItsTeam else {
          throw .corrupt(path: path, finding: "it holds an invalid value: \(value)")
        }
        let team = TeamID(owner)
        found[team] = found[team] ?? UnusableValue(team: team, description: value)
      }
    }
  }

  // MARK: Rules

  /// Rule for a column whose valid values are narrower than its type. (The tables are STRICT, so SQLite's own check verifies
  /// the types.)
  private enum Rule {
    case installMark, teamName, technicianName, photoName, day, identity, uuid, finite, countable

    init?(_ table: String, column: String, type: String) {
      switch (table, column, type) {
      case ("store", "install", _): self = .installMark
      case ("teams", "name", _): self = .teamName
      case (_, "local_date", "TEXT"), ("horses", "added_date", _), ("care_events", "next_due", _): self = .day
      case ("technicians", "name", _), ("technicians", "name_key", _): self = .technicianName
      case ("service_events", "photo_name", _): self = .photoName
      case ("notices", "notice_id", _), ("outbox", "notice_id", _), ("outbox", "sink", _), ("backups", "backup_id", _),
        ("inbox_claims", "claim", _), ("receipts", "notice_id", _), ("receipts", "delivery", _),
        ("receipts", "sink", _),
        ("receipts", "channel", _), ("receipts", "kind", _):
        self = .identity
      case (_, _, "TEXT") where StoreContents.uuids.contains(column): self = .uuid
      case (_, _, "REAL"): self = .finite
      // A hash uses all 64 bits. All other numbers are counts or measurements, and instants far outside the calendar would
      // overflow.
      case (_, _, "INTEGER") where column != "input_hash": self = .countable
      default: return nil
      }
    }

    /// True if a value that breaks the rule makes only its own row unreadable. Numbers, days and the app's ids are parsed
    /// whenever they are read; names can become parts of paths.
    var affectsOnlyItsTeam: Bool {
      switch self {
      case .day, .uuid, .finite, .countable: true
      case .installMark, .teamName, .technicianName, .photoName, .identity: false
      }
    }

    /// True if the column's value meets the rule.
    func allows(_ row: Statement, _ column: Int32) -> Bool {
      switch self {
      case .finite: row.isFinite(column)
      case .countable: row.integer(column).magnitude <= StoreContents.largest
      case .uuid: row.withBytes(column, StoreContents.isUUID)
      case .installMark:
        row.withBytes(column) { $0.count == 8 && $0.allSatisfy { (48...57).contains($0) || (97...102).contains($0) } }
      // Names are few or short, so their own types may check them.
      case .day: CivilDate(row.text(column)) != nil
      case .teamName: TeamName(row.text(column)) != nil
      case .technicianName:
        row.withBytes(column) { (1...Limits.nameLength * 4).contains($0.count) && !$0.contains(0) }
      case .photoName: StoreContents.isPhotoName(row.text(column))
      case .identity: (try? PathComponent(identity: row.text(column))) != nil
      }
    }
  }

  /// 2^53: the largest integer that every JSON reader accepts; as an instant, 285,000 years from 1970.
  private static let largest: UInt64 = 9_007_199_254_740_992

  private static let uuids: Set<String> = [
    "pool_id", "event_id", "dose_id", "chemical_id", "item_id", "equipment_id",
    "horse_id", "care_id", "template_id",
  ]

  /// True for a UUID in upper case, as the store writes them.
  private static func isUUID(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard bytes.count == 36 else { return false }
    for index in 0..<36 {
      let byte = bytes[index]
      switch index {
      case 8, 13, 18, 23: guard byte == UInt8(ascii: "-") else { return false }
      default: guard (48...57).contains(byte) || (65...70).contains(byte) else { return false }
      }
    }
    return true
  }

  /// The app's photo names may contain directories; a name that is valid in an archive is valid here.
  private static func isPhotoName(_ name: String) -> Bool {
    let parts = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return name.utf8.allSatisfy { $0 >= 32 && $0 != 127 && $0 != UInt8(ascii: "\\") }
      && parts.allSatisfy { !$0.isEmpty && !$0.elementsEqual(".".utf8) && !$0.elementsEqual("..".utf8) }
  }
}
