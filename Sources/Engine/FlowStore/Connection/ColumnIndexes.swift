import CSQLite
import Glibc

/// Column numbers by the names in a statement's SELECT list.
///
/// Each name is searched once per statement. Afterwards its address in the program identifies it, so reading by name costs one
/// comparison of addresses.
final class ColumnIndexes {
  private typealias Known = (cName: UnsafePointer<UInt8>?, column: Int32)

  /// The statement that knows the column names.
  private enum Columns {
    case sqlite(OpaquePointer)
    /// The columns are known only after the statement has run.
    case server(any ServerQuery)
  }

  private let columns: Columns
  /// Hash table with open addressing; the probe starts at the lower bits of the name's address.
  private let known: UnsafeMutablePointer<Known>
  /// Table size minus one; the size is a power of two and at least twice the number of columns.
  private let mask: Int

  private let log: StatementLog?

  convenience init(of handle: OpaquePointer, log: StatementLog?) {
    self.init(.sqlite(handle), count: Int(sqlite3_column_count(handle)), log)
  }

  /// 64 columns are reserved; no statement of the store has more.
  convenience init(of query: any ServerQuery, log: StatementLog?) {
    self.init(.server(query), count: 64, log)
  }

  private init(_ columns: Columns, count: Int, _ log: StatementLog?) {
    self.columns = columns
    self.log = log
    var capacity = 1
    while capacity < 2 * count { capacity *= 2 }
    mask = capacity - 1
    known = .allocate(capacity: capacity)
    known.initialize(repeating: (nil, 0), count: capacity)
  }

  deinit { known.deallocate() }

  /// The column number for `name`, which must occur exactly once in the SELECT list.
  subscript(name: StaticString) -> Int32 {
    let first = Int(bitPattern: name.utf8Start) >> 3 & mask
    return known[first].cName == name.utf8Start ? known[first].column : search(name, from: first)
  }

  /// Finds the name by probing the hash table, and adds it if it is new.
  private func search(_ name: StaticString, from first: Int) -> Int32 {
    for step in 0...mask {
      let slot = (first + step) & mask
      if known[slot].cName == name.utf8Start { return known[slot].column }
      guard known[slot].cName == nil else { continue }
      known[slot] = (name.utf8Start, column(name))
      return known[slot].column
    }
    return column(name)
  }

  /// Finds the column by comparing names.
  private func column(_ name: StaticString) -> Int32 {
    log?.asked(for: name)
    let found = (0..<count).filter { column in
      cName(of: column).map { strcmp($0, name.utf8Start) == 0 } == true
    }
    precondition(found.count == 1, "a SELECT names '\(name)' \(found.count) times")
    return found[0]
  }

  func name(of column: Int32) -> String? { cName(of: column).map { String(cString: $0) } }

  private var count: Int32 {
    switch columns {
    case .sqlite(let handle): sqlite3_column_count(handle)
    case .server(let query): query.columnCount
    }
  }

  private func cName(of column: Int32) -> UnsafePointer<CChar>? {
    switch columns {
    case .sqlite(let handle): sqlite3_column_name(handle, column)
    case .server(let query): query.columnName(column)
    }
  }
}
