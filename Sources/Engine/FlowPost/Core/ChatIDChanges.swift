import FlowModel

/// The new chat ids of Telegram groups that became supergroups. The server returns the new id only once, so it must be stored.
struct ChatIDChanges: Codable, Hashable, Sendable {
  /// A group's change of id.
  private struct Change: Codable, Hashable, Sendable {
    let from: String
    let to: String
  }

  /// The changes, oldest first, at most `limit`.
  private var moves: [Change] = []
  static let limit = 1_000

  /// The present id of a group; nil if it has not changed.
  subscript(chat: String) -> String? { moves.first { $0.from == chat }?.to }

  /// Adds a change of id. If the group has changed before, its older ids lead to the new one too.
  mutating func add(_ chat: String, to next: String) {
    let last = self[chat]
    moves = moves.map { $0.to == last || $0.to == chat ? Change(from: $0.from, to: next) : $0 }
    moves.removeAll { $0.from == chat || $0.from == next }
    moves.append(Change(from: chat, to: next))
    if moves.count > Self.limit { moves.removeFirst(moves.count - Self.limit) }
  }
}
