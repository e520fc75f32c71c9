package import FlowModel
package import StableModel

/// The feed board of one local date, as shown to users.
package struct FeedBoard: Hashable, Sendable {
  /// The state of one slot of a horse.
  package enum State: Hashable, Sendable {
    /// `at` and `by` are nil on a closed day if the mark no longer exists.
    case fed(at: Timestamp?, by: String?)
    case open
    case noSchedule
    /// Not fed; on closed days only.
    case missed
  }

  /// The row of one horse.
  package struct Row: Hashable, Sendable {
    package let horseID: HorseID
    /// The horse's name; on a closed day its name at that time.
    package let horse: String
    package let am: State
    package let pm: State

    package subscript(slot: FeedSlot) -> State { slot == .am ? am : pm }
  }

  package let date: CivilDate
  package let isClosed: Bool
  /// Sorted by name.
  package let rows: [Row]

  /// The rows whose slot is still open, sorted by name.
  package func open(_ slot: FeedSlot) -> [Row] { rows.filter { $0[slot] == .open } }

  /// The content of a feed reminder for a slot.
  package func reminder(_ slot: FeedSlot) -> FeedReminder {
    let open = open(slot)
    guard open.isEmpty else { return .speaks(open) }
    let wasFed = rows.contains { row in if case .fed = row[slot] { true } else { false } }
    return wasFed ? .allFed : .noSchedules
  }
}

/// The outcome of a feed reminder: the horses to list, or the reason for sending none.
package enum FeedReminder: Hashable, Sendable {
  /// The rows that are still open, sorted by name.
  case speaks([FeedBoard.Row])
  case allFed
  /// No horse has feed scheduled in this slot, or the barn has no horses.
  case noSchedules

  package var code: String {
    switch self {
    case .speaks: "speaks"
    case .allFed: "all-fed"
    case .noSchedules: "no-schedules"
    }
  }
}

extension FeedDay {
  /// The board: the stored rows of a closed day, otherwise all horses added by this date.
  package func board() -> FeedBoard {
    let marks = marksBySlot
    let rows =
      if let closed {
        closed.sorted { (HorseName($0.horse), $0.horseID) < (HorseName($1.horse), $1.horseID) }.map { row in
          func state(_ slot: FeedSlot) -> FeedBoard.State {
            switch row[slot] {
            case .fed:
              marks[HorseFeedSlot(row.horseID, slot)].map { .fed(at: $0.at, by: $0.by) } ?? .fed(at: nil, by: nil)
            case .missed: .missed
            case .noSchedule: .noSchedule
            }
          }
          return FeedBoard.Row(horseID: row.horseID, horse: row.horse, am: state(.am), pm: state(.pm))
        }
      } else {
        horses.filter { $0.added <= date }.sortedByName().map { horse in
          func state(_ slot: FeedSlot) -> FeedBoard.State {
            if let mark = marks[HorseFeedSlot(horse.id, slot)] { return .fed(at: mark.at, by: mark.by) }
            return schedules[horse.id].map { !$0[slot].isEmpty } ?? false ? .open : .noSchedule
          }
          return FeedBoard.Row(horseID: horse.id, horse: horse.name, am: state(.am), pm: state(.pm))
        }
      }
    return FeedBoard(date: date, isClosed: closed != nil, rows: rows)
  }

  var marksBySlot: [HorseFeedSlot: FeedMark] {
    Dictionary(marks.map { (HorseFeedSlot($0.horseID, $0.slot), $0) }, uniquingKeysWith: { first, _ in first })
  }
}

/// The key of one slot of a horse.
struct HorseFeedSlot: Hashable {
  let horse: HorseID
  let slot: FeedSlot

  init(_ horse: HorseID, _ slot: FeedSlot) {
    self.horse = horse
    self.slot = slot
  }
}
