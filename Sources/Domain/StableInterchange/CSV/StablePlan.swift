package import PoolInterchange
package import PoolModel
package import StableModel

/// What importing a stable's file would do, worked out in full before anything is changed.
package struct StablePlan: Hashable, Sendable {
  package let kind: StableFileKind
  package let encoding: CSVEncoding
  package let delimiter: CSVDelimiter
  /// Rows that make a record, that found their like (changed or not), and that are left out for an error.
  package internal(set) var created = 0
  package internal(set) var updated = 0
  package internal(set) var skipped = 0
  /// By row, then field.
  package internal(set) var issues: [StableIssue] = []
  /// What is there afterwards: existing ones in their order, then created ones in the order of the file.
  package internal(set) var after: StableRecords
  /// Those that are new or differ.
  package internal(set) var touchedHorses: [HorseID] = []
  package internal(set) var touchedSchedules: [HorseID] = []
  package internal(set) var touchedCare: [CareEventID] = []
}

extension StableTable {
  /// Works out what the table does to a stable's records.
  ///
  /// - Parameters:
  ///   - today: the date added of a horse that has none in the file.
  ///   - makeHorse: the id of the next created horse; `makeCare` of the next event.
  package func plan(
    over existing: StableRecords, today: CivilDate, makeHorse: () -> HorseID, makeCare: () -> CareEventID
  ) -> StablePlan {
    var planner = StablePlanner(table: self, existing: existing, today: today)
    for row in rows.indices {
      switch kind {
      case .horses: planner.takeHorse(row, makeID: makeHorse)
      case .feed: planner.takeFeed(row)
      case .care: planner.takeCare(row, makeID: makeCare)
      }
    }
    return planner.finished(existing)
  }
}
