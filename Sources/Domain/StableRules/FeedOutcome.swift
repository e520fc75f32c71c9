package import PoolModel
package import StableModel

/// What became of a verb of the feed board.
package enum FeedOutcome: Hashable, Sendable {
  case marked(FeedChange)
  /// As `marked`, on a day that was closed: what was missed is fed.
  case corrected(FeedChange)
  /// Nothing has changed: the first mark stands.
  case alreadyFed
  case noSchedule
  case unknownHorse
  /// The horse came later than this date.
  case notOnBoard
  /// Neither today nor yesterday.
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

  /// What was marked or taken back; nil where nothing was.
  package var change: FeedChange? {
    switch self {
    case .marked(let change), .corrected(let change), .undone(let change): change
    case .alreadyFed, .noSchedule, .unknownHorse, .notOnBoard, .badDate, .nothingOpen, .nothingToUndo, .closed,
      .alreadyClosed:
      nil
    }
  }
}

/// The horses of one slot that were marked, or whose marks were taken back.
package struct FeedChange: Hashable, Sendable {
  package let date: CivilDate
  package let slot: FeedSlot
  /// By name, as the board calls them.
  package let horses: [String]
}
