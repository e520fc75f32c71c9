package import FlowModel
package import StableModel

extension FeedDay {
  /// Marks a horse as fed on this date. Names are compared ignoring case and repeated blanks.
  ///
  /// - Returns: `marked`, or `corrected` on a closed day. Otherwise `unknownHorse`, `notOnBoard`, `alreadyFed` or
  ///   `noSchedule`, and nothing changes.
  package mutating func mark(_ horseName: String, _ slot: FeedSlot, at instant: Timestamp, by person: String)
    -> FeedOutcome
  {
    let name = HorseName(horseName)
    guard let horse = horses.first(where: { $0.nameKey == name }) else { return .unknownHorse }
    guard let row = board().rows.first(where: { $0.horseID == horse.id }) else { return .notOnBoard }
    switch row[slot] {
    case .fed: return .alreadyFed
    case .noSchedule: return .noSchedule
    case .open, .missed: return mark([row], slot, at: instant, by: person)
    }
  }

  /// Marks all horses whose slot is open, or was missed on a closed day, under one marking number.
  ///
  /// - Returns: `marked`, `corrected` or `nothingOpen`.
  package mutating func markAll(_ slot: FeedSlot, at instant: Timestamp, by person: String) -> FeedOutcome {
    let rows = board().rows.filter { $0[slot] == .open || $0[slot] == .missed }
    return rows.isEmpty ? .nothingOpen : mark(rows, slot, at: instant, by: person)
  }

  /// Undoes the last marking of this date with all its marks.
  ///
  /// - Returns: `undone` with the horses that are open or missed again, or `nothingToUndo`.
  package mutating func undo() -> FeedOutcome {
    guard let last = marks.max(by: { $0.marking < $1.marking }) else { return .nothingToUndo }
    let names = Dictionary(board().rows.map { ($0.horseID, $0.horse) }, uniquingKeysWith: { first, _ in first })
    let taken = marks.filter { $0.marking == last.marking }
    marks.removeAll { $0.marking == last.marking }
    for mark in taken { setRow(of: mark.horseID, last.slot, to: .missed) }
    let horses = taken.compactMap { names[$0.horseID] }.sorted { HorseName($0) < HorseName($1) }
    return .undone(FeedChange(date: date, slot: last.slot, horses: horses))
  }

  /// Closes the day with the current horses and schedules; open slots become missed.
  ///
  /// - Returns: `closed` with the number of rows, or `alreadyClosed` without a change.
  package mutating func close() -> FeedOutcome {
    guard closed == nil else { return .alreadyClosed(date: date) }
    let rows = board().rows.map { row in
      func result(_ slot: FeedSlot) -> FeedResult {
        switch row[slot] {
        case .fed: .fed
        case .open, .missed: .missed
        case .noSchedule: .noSchedule
        }
      }
      return FeedRow(date: date, horseID: row.horseID, horse: row.horse, am: result(.am), pm: result(.pm))
    }
    closed = rows
    return .closed(date: date, count: rows.count)
  }

  private mutating func mark(_ rows: [FeedBoard.Row], _ slot: FeedSlot, at instant: Timestamp, by person: String)
    -> FeedOutcome
  {
    lastMarking += 1
    for row in rows {
      marks.append(
        FeedMark(horseID: row.horseID, date: date, slot: slot, at: instant, by: person, marking: lastMarking))
      setRow(of: row.horseID, slot, to: .fed)
    }
    let change = FeedChange(date: date, slot: slot, horses: rows.map(\.horse))
    return closed == nil ? .marked(change) : .corrected(change)
  }

  /// Sets a slot of a closed day; has no effect on an open day.
  private mutating func setRow(of horse: HorseID, _ slot: FeedSlot, to result: FeedResult) {
    guard let index = closed?.firstIndex(where: { $0.horseID == horse }) else { return }
    closed?[index][slot] = result
  }
}
