import CPostgres

/// Batches N+1 queries: when the same query comes a second time with another team, it is sent once for all remaining teams.
///
/// The facts of a batch of teams are read in one snapshot, with the same queries for each team and the team's number as the
/// first value. A batched query saves a round trip per team. Callers need not know: numbers that are no team are answered
/// correctly or not batched.
final class QueryBatch {
  /// Smallest batch that is worth a statement of its own.
  static let leastTeams = 8

  /// A query with all its values except the first.
  struct Key: Hashable {
    let query: ObjectIdentifier
    let others: PostgresParameters.OtherValues
  }

  /// The answers to a batched query.
  final class Answers {
    let result: OpaquePointer
    let types: [UInt32]
    /// The range of rows of each number; empty for a number without rows.
    let rows: [Int64: Range<Int32>]

    /// - Parameter result: libpq result, freed with this object; its last column holds the number.
    init(_ result: OpaquePointer, types: [UInt32], numbers: [Int64]) {
      self.result = result
      self.types = types
      let column = Int32(truncatingIfNeeded: types.count - 1)
      var rows = Dictionary(numbers.map { ($0, Int32(0)..<0) }, uniquingKeysWith: { first, _ in first })
      var begin: Int32 = 0
      let count = poolflow_pq_rows(result)
      func number(_ row: Int32) -> Int64? {
        poolflow_pq_value(result, row, column).map {
          Int64(bigEndian: UnsafeRawPointer($0).loadUnaligned(as: Int64.self))
        }
      }
      while begin < count {
        let first = number(begin)
        var end = begin + 1
        while end < count, number(end) == first { end += 1 }
        if let first { rows[first] = begin..<end }
        begin = end
      }
      self.rows = rows
    }

    deinit { poolflow_pq_clear(result) }
  }

  private let numbers: [Int64]
  /// How many teams have been processed.
  var done = 0
  private var asked: Set<Key> = []
  private var answers: [Key: Answers] = [:]

  init(_ numbers: [Int64]) { self.numbers = numbers }

  subscript(key: Key) -> Answers? { answers[key] }

  /// The numbers to send with a batched query: the remaining teams, without duplicates; empty on the query's first occurrence
  /// and for small batches.
  func numbers(worthAsking key: Key) -> [Int64] {
    let rest = numbers.dropFirst(done)
    guard rest.count >= Self.leastTeams, !asked.insert(key).inserted else { return [] }
    return Array(Set(rest))
  }

  func keep(_ found: Answers, for key: Key) { answers[key] = found }
}
