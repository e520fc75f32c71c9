package import FlowModel
package import StableModel

/// The outcome of a command on the feed board.
package enum FeedOutcome: Hashable, Sendable {
  case marked(FeedChange)
  /// Like `marked`, on a closed day: a missed slot becomes fed.
  case corrected(FeedChange)
  /// Nothing changes: the first mark counts.
  case alreadyFed
  case noSchedule
  case unknownHorse
  /// The horse was added after this date.
  case notOnBoard
  /// The date is neither today nor yesterday.
  case badDate
  case nothingOpen
  case undone(FeedChange)
  case nothingToUndo
  case closed(date: CivilDate, count: Int)
  case alreadyClosed(date: CivilDate)

  package var code: String {
    switch self {
    case .marked: "marked"
    case .corrected: "corrected"
    case .alreadyFed: "already-fed"
    case .noSchedule: "no-schedule"
    case .unknownHorse: "unknown-horse"
    case .notOnBoard: "not-on-board"
    case .badDate: "bad-date"
    case .nothingOpen: "nothing-open"
    case .undone: "undone"
    case .nothingToUndo: "nothing-to-undo"
    case .closed: "closed"
    case .alreadyClosed: "already-closed"
    }
  }

  /// The marks that were added or undone; nil if none were.
  package var change: FeedChange? {
    switch self {
    case .marked(let change), .corrected(let change), .undone(let change): change
    case .alreadyFed, .noSchedule, .unknownHorse, .notOnBoard, .badDate, .nothingOpen, .nothingToUndo, .closed,
      .alreadyClosed:
      nil
    }
  }
}

/// The horses of one slot that were marked, or whose marks were undone.
package struct FeedChange: Hashable, Sendable {
  package let date: CivilDate
  package let slot: FeedSlot
  /// The names as on the board, sorted.
  package let horses: [String]
}
