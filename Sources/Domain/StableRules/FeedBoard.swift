package import PoolModel
package import StableModel

/// The feed board of one local date as people see it.
package struct FeedBoard: Hashable, Sendable {
  package enum State: Hashable, Sendable {
    /// `at` and `by` are nil where a closed day does not know any more who fed.
    case fed(at: Timestamp?, by: String?)
    case open
    case noSchedule
    /// Of closed days alone.
    case missed
  }

  package struct Row: Hashable, Sendable {
    package let horseID: HorseID
    /// On a closed day what it was called then.
    package let horse: String
    package let am: State
    package let pm: State

    package subscript(slot: FeedSlot) -> State { slot == .am ? am : pm }
  }

  package let date: CivilDate
  package let isClosed: Bool
  /// By name.
  package let rows: [Row]

  /// Those of which a slot is still open, by name.
  package func open(_ slot: FeedSlot) -> [Row] { rows.filter { $0[slot] == .open } }

  /// What a reminder of a slot comes to.
  package func reminder(_ slot: FeedSlot) -> FeedReminder {
    let open = open(slot)
    guard open.isEmpty else { return .speaks(open) }
    let wasFed = rows.contains { row in if case .fed = row[slot] { true } else { false } }
    return wasFed ? .allFed : .noSchedules
  }
}

/// Whether a reminder of a slot speaks, and of whom.
package enum FeedReminder: Hashable, Sendable {
  /// Of the open ones, by name.
  case speaks([FeedBoard.Row])
  case allFed
  /// Nobody has anything to be fed in this slot, or there is nobody.
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
  /// The board: of a closed day its rows, else every horse that had come by this date.
  package func board() -> FeedBoard {
    let marks = marksBySlot
    let rows =
      if let closed {
        closed.sorted { (HorseName($0.horse), $0.horseID) < (HorseName($1.horse), $1.horseID) }.map { row in
          func state(_ slot: FeedSlot) -> FeedBoard.State {
            switch row[slot] {
            case .fed:
              marks[FeedPlace(row.horseID, slot)].map { .fed(at: $0.at, by: $0.by) } ?? .fed(at: nil, by: nil)
            case .missed: .missed
            case .noSchedule: .noSchedule
            }
          }
          return FeedBoard.Row(horseID: row.horseID, horse: row.horse, am: state(.am), pm: state(.pm))
        }
      } else {
        horses.filter { $0.added <= date }.sortedByName().map { horse in
          func state(_ slot: FeedSlot) -> FeedBoard.State {
            if let mark = marks[FeedPlace(horse.id, slot)] { return .fed(at: mark.at, by: mark.by) }
            return schedules[horse.id].map { !$0[slot].isEmpty } ?? false ? .open : .noSchedule
          }
          return FeedBoard.Row(horseID: horse.id, horse: horse.name, am: state(.am), pm: state(.pm))
        }
      }
    return FeedBoard(date: date, isClosed: closed != nil, rows: rows)
  }

  var marksBySlot: [FeedPlace: FeedMark] {
    Dictionary(marks.map { (FeedPlace($0.horseID, $0.slot), $0) }, uniquingKeysWith: { first, _ in first })
  }
}

/// A horse's slot of a day.
struct FeedPlace: Hashable {
  let horse: HorseID
  let slot: FeedSlot

  init(_ horse: HorseID, _ slot: FeedSlot) {
    self.horse = horse
    self.slot = slot
  }
}
