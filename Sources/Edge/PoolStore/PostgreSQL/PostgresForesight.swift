import CPostgres

/// Questions that are asked of one team after the other, asked of all of them at once.
///
/// The facts of a batch of teams are read by the same questions, each with the team's number as its first value, and all of one
/// moment: what a question says of one team is known before it is asked. So when a question has come for the second time, with
/// the same other values, it is asked for every number that is still to come, in one journey to the server instead of one a
/// team. Whoever asks knows nothing of it; a number that means something else is answered rightly, too, or not looked at.
final class PostgresForesight {
  /// Fewer are not worth a statement of their own.
  static let leastTeams = 8

  struct Key: Hashable {
    let query: ObjectIdentifier
    let others: PostgresParameters.Others
  }

  /// The answers to one question.
  final class Answers {
    let result: OpaquePointer
    let types: [UInt32]
    /// Where each number's rows lie; a number without rows has an empty range.
    let rows: [Int64: Range<Int32>]

    /// - Parameter result: is freed with this; its last column has the number.
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
  /// How many of them have had their turn.
  var done = 0
  private var asked: Set<Key> = []
  private var answers: [Key: Answers] = [:]

  init(_ numbers: [Int64]) { self.numbers = numbers }

  subscript(key: Key) -> Answers? { answers[key] }

  /// The numbers for which a question is worth asking now, each once, however often it is still to come: none when the
  /// question comes for the first time.
  func numbers(worthAsking key: Key) -> [Int64] {
    let rest = numbers.dropFirst(done)
    guard rest.count >= Self.leastTeams, !asked.insert(key).inserted else { return [] }
    return Array(Set(rest))
  }

  func keep(_ found: Answers, for key: Key) { answers[key] = found }
}
