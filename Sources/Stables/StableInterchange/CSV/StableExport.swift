import FlowModel
import PoolInterchange
package import StableModel

/// Writes a stable's lists as CSV lines. Importing them into the same stable changes nothing.
package enum StableExport {
  private static let columns: [StableFileKind: [StableColumn]] = [
    .horses: [.horse, .owner, .clipped, .dateAdded],
    .feed: [.horse, .amGrain, .amSupplements, .amMedications, .pmGrain, .pmSupplements, .pmMedications],
    .care: [.horse, .type, .date, .nextDue, .cost, .provider, .notes],
  ]

  package static func header(of kind: StableFileKind) -> String {
    CSVExport.line((columns[kind] ?? []).map(\.rawValue))
  }

  /// One line per horse, schedule or care event; horses by name, care events in the order of entry.
  package static func lines(of kind: StableFileKind, _ records: StableRecords) -> [String] {
    switch kind {
    case .horses:
      return records.horses.map { horse in
        CSVExport.line([horse.name, horse.owner, horse.isClipped ? "yes" : "no", horse.added.description])
      }
    case .feed:
      return records.horses.compactMap { horse in
        records.schedules[horse.id].map { schedule in
          CSVExport.line([horse.name] + [schedule.am, schedule.pm].flatMap(cells))
        }
      }
    case .care:
      let names = Dictionary(records.horses.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
      return records.care.map { event in
        CSVExport.line([
          names[event.horseID] ?? "", event.type.rawValue, event.date.description, event.nextDue?.description ?? "",
          event.cost?.description ?? "", event.provider, event.notes,
        ])
      }
    }
  }

  private static func cells(_ meal: FeedMeal) -> [String] {
    [meal.grain, meal.supplements.joined(separator: "; "), meal.medications.joined(separator: "; ")]
  }
}
