import CSQLite
import Glibc

/// Where a statement's columns stand, by the names that its SELECT gives them.
///
/// A name is looked up among the columns once for a statement. From then on it is known by where its letters lie in the
/// program, so that reading by name costs a row one comparison of addresses a column.
final class ColumnPlaces {
  private typealias Known = (letters: UnsafePointer<UInt8>?, column: Int32)

  private enum Columns {
    case sqlite(OpaquePointer)
    /// They are known once the statement has run.
    case postgresql(PostgresQuery)
  }

  private let columns: Columns
  /// Begins at the place that the address's lower bits say.
  private let known: UnsafeMutablePointer<Known>
  /// A power of two less one, with room for twice as many names as there are columns.
  private let mask: Int

  private let log: StatementLog?

  convenience init(of handle: OpaquePointer, log: StatementLog?) {
    self.init(.sqlite(handle), count: Int(sqlite3_column_count(handle)), log)
  }

  /// No statement of the store has more columns than there is room for here.
  convenience init(of query: PostgresQuery, log: StatementLog?) {
    self.init(.postgresql(query), count: 64, log)
  }

  private init(_ columns: Columns, count: Int, _ log: StatementLog?) {
    self.columns = columns
    self.log = log
    var room = 1
    while room < 2 * count { room *= 2 }
    mask = room - 1
    known = .allocate(capacity: room)
    known.initialize(repeating: (nil, 0), count: room)
  }

  deinit { known.deallocate() }

  subscript(name: StaticString) -> Int32 {
    let first = Int(bitPattern: name.utf8Start) >> 3 & mask
    return known[first].letters == name.utf8Start ? known[first].column : search(name, from: first)
  }

  private func search(_ name: StaticString, from first: Int) -> Int32 {
    for step in 0...mask {
      let place = (first + step) & mask
      if known[place].letters == name.utf8Start { return known[place].column }
      guard known[place].letters == nil else { continue }
      known[place] = (name.utf8Start, column(name))
      return known[place].column
    }
    return column(name)
  }

  private func column(_ name: StaticString) -> Int32 {
    log?.asked(for: name)
    let found = (0..<count).filter { column in
      letters(of: column).map { strcmp($0, name.utf8Start) == 0 } == true
    }
    precondition(found.count == 1, "a SELECT names '\(name)' \(found.count) times")
    return found[0]
  }

  func name(of column: Int32) -> String? { letters(of: column).map { String(cString: $0) } }

  private var count: Int32 {
    switch columns {
    case .sqlite(let handle): sqlite3_column_count(handle)
    case .postgresql(let query): query.columnCount
    }
  }

  private func letters(of column: Int32) -> UnsafePointer<CChar>? {
    switch columns {
    case .sqlite(let handle): sqlite3_column_name(handle, column)
    case .postgresql(let query): query.columnName(column)
    }
  }
}
