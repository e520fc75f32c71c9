import PoolDigests
import PoolModel
import PoolNotices

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
    for table in try connection.tables() { try prove(table) }
  }

  private func prove(_ table: String) throws(StoreError) {
    let columns = try connection.rows("SELECT name, type FROM pragma_table_info(?)", .text(table)) {
      row throws(StoreError) in (name: row.text(0), rule: Rule(table, column: row.text(0), type: row.text(1)))
    }.compactMap { column in column.rule.map { (name: column.name, rule: $0) } }
    guard !columns.isEmpty else { return }
    let names = columns.map { "\"\($0.name)\"" }.joined(separator: ", ")
    // One walk over the table for all its columns.
    let rows = try connection.statement("SELECT \(names) FROM \"\(table)\"")
    defer { rows.reset() }
    while try rows.step() {
      for index in columns.indices {
        let column = Int32(truncatingIfNeeded: index)
        if rows.isNull(column) || columns[index].rule.allows(rows, column) { continue }
        let value = visible(String(rows.text(column).prefix(80)))
        let place = "\(table).\(columns[index].name)"
        throw .corrupt(path: path, finding: "it holds a value that poolflow never writes: \(place) = '\(value)'")
      }
    }
  }

  // MARK: Rules

  /// What a column's values must be, where not any value of its type will do. (The tables are strict, so that the proof of
  /// the pages shows the types.)
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
      // A hash takes all 64 bits; every other number is counted or measured, and instants far beyond the calendar overflow.
      case (_, _, "INTEGER") where column != "input_hash": self = .countable
      default: return nil
      }
    }

    func allows(_ row: Statement, _ column: Int32) -> Bool {
      switch self {
      case .finite: row.isFinite(column)
      case .countable: row.integer(column).magnitude <= StoreContents.largest
      case .uuid: row.withBytes(column, StoreContents.isUUID)
      case .installMark:
        row.withBytes(column) { $0.count == 8 && $0.allSatisfy { (48...57).contains($0) || (97...102).contains($0) } }
      // Names are few, or short: their own types know best.
      case .day: CivilDate(row.text(column)) != nil
      case .teamName: TeamName(row.text(column)) != nil
      case .technicianName:
        row.withBytes(column) { (1...Limits.nameLength * 4).contains($0.count) && !$0.contains(0) }
      case .photoName: StoreContents.isPhotoName(row.text(column))
      case .identity: (try? PathComponent(identity: row.text(column))) != nil
      }
    }
  }

  /// 2^53: what every reader of JSON takes for a whole number, and as an instant 285,000 years away.
  private static let largest: UInt64 = 9_007_199_254_740_992

  private static let uuids: Set<String> = [
    "pool_id", "event_id", "dose_id", "chemical_id", "item_id", "equipment_id",
    "horse_id", "care_id", "template_id",
  ]

  /// As the store writes them: in capitals.
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

  /// The app names photos as it likes, folders included: what an archive may hold, a store may.
  private static func isPhotoName(_ name: String) -> Bool {
    let parts = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return name.utf8.allSatisfy { $0 >= 32 && $0 != 127 && $0 != UInt8(ascii: "\\") }
      && parts.allSatisfy { !$0.isEmpty && !$0.elementsEqual(".".utf8) && !$0.elementsEqual("..".utf8) }
  }
}
