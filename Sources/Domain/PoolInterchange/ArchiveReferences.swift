import PoolModel

/// The check that every record leads to records that exist, with each one that does not, named.
struct ArchiveReferences {
  private var dangling: [DanglingReference] = []
  private var total = 0

  /// Equipment of an unknown pool is no fault: the reader leaves it out, as the app does.
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

/// The identities of a kind of record.
///
/// - Throws: `repeatedIDs` where one occurs twice, in whatever letters it was written.
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
