package import FlowModel
package import PoolInterchange
package import StableModel

/// The complete effect of importing a stable's file, computed before anything is changed.
package struct StablePlan: Hashable, Sendable {
  package let kind: StableFileKind
  package let encoding: CSVEncoding
  package let delimiter: CSVDelimiter
  /// Rows that create a record.
  package internal(set) var created = 0
  /// Rows that match an existing record, whether they change it or not.
  package internal(set) var updated = 0
  /// Rows left out because of an error.
  package internal(set) var skipped = 0
  /// Sorted by row, then by field.
  package internal(set) var issues: [StableIssue] = []
  /// All records after the import: the existing ones in their order, then the created ones in file order.
  package internal(set) var after: StableRecords
  /// The ids of created and changed records.
  package internal(set) var touchedHorses: [HorseID] = []
  package internal(set) var touchedSchedules: [HorseID] = []
  package internal(set) var touchedCare: [CareEventID] = []
}

extension StableTable {
  /// Computes the effect of the table on a stable's records.
  ///
  /// - Parameters:
  ///   - today: the date added of a created horse, if the file has none.
  ///   - makeHorse: makes the id of the next created horse.
  ///   - makeCare: makes the id of the next created care event.
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
