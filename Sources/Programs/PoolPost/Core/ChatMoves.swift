import PoolModel

/// Groups of Telegram that have another number since they have grown: what they were called is known to nobody else, and
/// their new number to the server alone, which says it once.
struct ChatMoves: Codable, Hashable, Sendable {
  private struct Move: Codable, Hashable, Sendable {
    let from: String
    let to: String
  }

  /// The oldest first.
  private var moves: [Move] = []
  static let limit = 1_000

  /// Where a group is now; nil where it has not moved.
  subscript(chat: String) -> String? { moves.first { $0.from == chat }?.to }

  /// What moved before and is moved again is known by all its names.
  mutating func add(_ chat: String, to next: String) {
    let last = self[chat]
    moves = moves.map { $0.to == last || $0.to == chat ? Move(from: $0.from, to: next) : $0 }
    moves.removeAll { $0.from == chat || $0.from == next }
    moves.append(Move(from: chat, to: next))
    if moves.count > Self.limit { moves.removeFirst(moves.count - Self.limit) }
  }
}
