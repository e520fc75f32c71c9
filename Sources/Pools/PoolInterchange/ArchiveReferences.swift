import FlowModel
import PoolModel

/// Checks that all records refer to existing records, and collects the references that do not.
struct ArchiveReferences {
  private var dangling: [DanglingReference] = []
  private var total = 0

  /// Throws `invalidReference` if a visit or dose refers to a missing record. Equipment is not checked: the reader
  /// leaves out equipment of unknown pools, as the app does.
  static func check(
    events: [ServiceEvent], doses: [ChemicalDose], poolIDs: Set<PoolID>, eventIDs: Set<ServiceEventID>,
    chemicalIDs: Set<InventoryItemID>
  ) throws(ArchiveError) {
    var references = ArchiveReferences()
    for event in events where !poolIDs.contains(event.poolID) {
      references.note(ArchiveName.serviceEvents, event.id, "poolID", event.poolID)
    }
    for dose in doses {
      if !eventIDs.contains(dose.serviceEventID) {
        references.note(ArchiveName.chemicalDoses, dose.id, "serviceEventID", dose.serviceEventID)
      }
      if let chemical = dose.chemicalID, !chemicalIDs.contains(chemical) {
        references.note(ArchiveName.chemicalDoses, dose.id, "chemicalID", chemical)
      }
    }
    if references.total > 0 { throw .invalidReference(references.dangling, total: references.total) }
  }

  private mutating func note<Record, Target>(
    _ file: String, _ id: EntityID<Record>, _ field: String, _ missing: EntityID<Target>
  ) {
    total += 1
    guard dangling.count < Limits.problemsShown else { return }
    dangling.append(
      DanglingReference(file: file, recordID: id.description, field: field, missingID: missing.description))
  }
}

/// The set of ids of a kind of record.
///
/// - Throws: `repeatedIDs` if an id occurs twice, even if once in upper and once in lower case.
func distinct<Record, Entity>(
  _ records: [Record], _ id: KeyPath<Record, EntityID<Entity>>, file: String
) throws(ArchiveError) -> Set<EntityID<Entity>> {
  var seen: Set<EntityID<Entity>> = []
  seen.reserveCapacity(records.count)
  var repeated: [EntityID<Entity>] = []
  for record in records where !seen.insert(record[keyPath: id]).inserted { repeated.append(record[keyPath: id]) }
  guard repeated.isEmpty else {
    let shown = Set(repeated).sorted()
    throw .unreadableArchive(
      .repeatedIDs(
        file: file, shown.prefix(Limits.problemsShown).map(\.description), total: shown.count))
  }
  return seen
}
