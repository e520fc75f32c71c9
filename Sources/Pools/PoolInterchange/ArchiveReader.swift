package import FlowModel
package import PoolModel

/// Reads all records of an archive from its members, or throws the reason for refusing the archive.
///
/// The order of the checks is fixed: manifest, its version, the required files, each record's fields, then references.
/// Source: reading R-BACKUP-2.
package enum ArchiveReader {
  /// Reads an archive.
  ///
  /// - Parameters:
  ///   - origin: the source of the archive, which decides how strictly fields are checked.
  ///   - parallel: reads the members in two parts.
  /// - Throws: the first defect found, in the fixed order above.
  package static func read(
    _ members: some ArchiveMembers, origin: ArchiveOrigin = .anywhere, parallel: some ParallelRunner = SerialRunner()
  ) throws(ArchiveError) -> ArchiveContents {
    guard let bytes = try bytes(of: ArchiveName.manifest, members, origin) else { throw .missingManifest }
    let manifestRecord = try document(bytes, file: ArchiveName.manifest, origin)
    var contents = ArchiveContents(manifest: try ArchiveRecords.manifest(manifestRecord))
    let claims = try ArchiveRecords.claimedCounts(manifestRecord)
    contents.manifest.counts = counts(claims)

    let names = members.names()
    let present = Set(names)
    for name in ArchiveName.required where !present.contains(name) { throw .missingRequiredFile(name) }

    let (left, right) = parallel.run(
      { VisitMembers(members, origin, present) }, { OtherMembers(members, origin, present) })
    var warnings = ArchiveWarnings()
    contents.pools = try take(right.pools, &warnings)
    contents.serviceEvents = try take(left.events, &warnings)
    contents.chemicalDoses = try take(right.doses, &warnings)
    contents.inventory = try take(right.inventory, &warnings)
    contents.profiles = try take(right.profiles, &warnings)
    contents.equipment = try take(left.equipment, &warnings)

    let poolIDs = try right.poolIDs.get()
    let eventIDs = try left.eventIDs.get()
    _ = try right.doseIDs.get()
    let chemicalIDs = try right.chemicalIDs.get()
    _ = try left.equipmentIDs.get()
    try ArchiveReferences.check(
      events: contents.serviceEvents, doses: contents.chemicalDoses, poolIDs: poolIDs, eventIDs: eventIDs,
      chemicalIDs: chemicalIDs)

    keepOneProfile(&contents, poolIDs, &warnings)
    try putOwnMembers(right, of: poolIDs, present, into: &contents, &warnings)
    warnAboutCoordinates(contents.pools, &warnings)
    warnAboutTechnicians(contents.profiles, &warnings)
    let equipmentRead = contents.equipment.count
    contents.equipment.removeAll { !poolIDs.contains($0.poolID) }
    contents.equipmentSkipped = equipmentRead - contents.equipment.count
    if contents.equipmentSkipped > 0 {
      warnings.add(.equipmentOfNoPool(contents.equipmentSkipped, of: equipmentRead))
    }
    resolvePhotos(&contents, present, &warnings)
    warnAboutCounts(claims, contents, equipmentRead: equipmentRead, &warnings)
    warnAboutUnknown(names, contents, &warnings)
    contents.warnings = warnings.shown
    return contents
  }

  // MARK: Members

  // Visits and doses are the two long members. Each of the two parts reads one of them and about half of the others, and
  // checks its members for repeated ids.

  /// The part of an archive with the visits.
  private struct VisitMembers: Sendable {
    let events: Read<ServiceEvent>
    let equipment: Read<Equipment>
    let eventIDs: Result<Set<ServiceEventID>, ArchiveError>
    let equipmentIDs: Result<Set<EquipmentID>, ArchiveError>

    init(_ members: some ArchiveMembers, _ origin: ArchiveOrigin, _ present: Set<String>) {
      events = records(ArchiveName.serviceEvents, members, origin, ArchiveRecords.serviceEvent)
      // Equipment is optional in version 2 too (R-BACKUP-1); if a version 1 archive has it, it is imported.
      equipment = optional(ArchiveName.equipment, members, origin, present, ArchiveRecords.equipment)
      eventIDs = distinct(events, \.id, file: ArchiveName.serviceEvents)
      equipmentIDs = distinct(equipment, \.id, file: ArchiveName.equipment)
    }
  }

  /// The part of an archive with the doses.
  private struct OtherMembers: Sendable {
    let doses: Read<ChemicalDose>
    let pools: Read<Pool>
    let inventory: Read<InventoryItem>
    let profiles: Read<CustomerProfile>
    let pins: Read<(pool: PoolID, position: Int)>
    let services: Read<PoolServiceRecord>
    let changes: Read<ServiceChangeRecord>
    let sanitiser: Read<SanitiserEntry>
    let work: Read<WorkEntry>
    let doseIDs: Result<Set<ChemicalDoseID>, ArchiveError>
    let poolIDs: Result<Set<PoolID>, ArchiveError>
    let chemicalIDs: Result<Set<InventoryItemID>, ArchiveError>

    init(_ members: some ArchiveMembers, _ origin: ArchiveOrigin, _ present: Set<String>) {
      doses = records(ArchiveName.chemicalDoses, members, origin, ArchiveRecords.chemicalDose)
      pools = records(ArchiveName.pools, members, origin, ArchiveRecords.pool)
      inventory = records(ArchiveName.inventory, members, origin, ArchiveRecords.inventoryItem)
      profiles = records(ArchiveName.profiles, members, origin, ArchiveRecords.profile)
      pins = optional(ArchiveName.pins, members, origin, present, ArchiveRecords.pin)
      services = optional(ArchiveName.services, members, origin, present, ArchiveRecords.service)
      changes = optional(ArchiveName.serviceChanges, members, origin, present, ArchiveRecords.serviceChange)
      sanitiser = optional(ArchiveName.sanitiser, members, origin, present, ArchiveRecords.sanitiser)
      work = optional(ArchiveName.work, members, origin, present, ArchiveRecords.work)
      doseIDs = distinct(doses, \.id, file: ArchiveName.chemicalDoses)
      poolIDs = distinct(pools, \.id, file: ArchiveName.pools)
      chemicalIDs = distinct(inventory, \.id, file: ArchiveName.inventory)
    }
  }

  private static func bytes(
    of name: String, _ members: some ArchiveMembers, _ origin: ArchiveOrigin
  ) throws(ArchiveError) -> [UInt8]? {
    do {
      return try members.bytes(
        of: name, limit: origin == .ownBackup ? Limits.archiveBytes : Limits.archiveRecordBytes)
    } catch {
      throw .unreadableArchive(.container("\(error)"))
    }
  }

  private static func document(
    _ bytes: [UInt8], file: String, _ origin: ArchiveOrigin
  ) throws(ArchiveError) -> RecordReader {
    let value: JSONValue
    do throws(JSONFault) {
      var scanner = JSONScanner(bytes)
      value = try scanner.document()
    } catch {
      throw .unreadableArchive(.json(file: file, error))
    }
    return try RecordReader(file: file, number: 1, value: value, origin: origin, warnings: RecordWarnings())
  }

  /// The records of one member, and the warnings from reading them.
  private typealias Read<Record> = Result<([Record], [ArchiveWarning]), ArchiveError>

  private static func distinct<Record, Entity>(
    _ records: Read<Record>, _ id: KeyPath<Record, EntityID<Entity>>, file: String
  ) -> Result<Set<EntityID<Entity>>, ArchiveError> {
    records.flatMap { records in
      Result { () throws(ArchiveError) in try PoolInterchange.distinct(records.0, id, file: file) }
    }
  }

  private static func records<Record>(
    _ file: String, _ members: some ArchiveMembers, _ origin: ArchiveOrigin,
    _ read: (RecordReader) throws(ArchiveError) -> Record
  ) -> Read<Record> {
    Result { () throws(ArchiveError) in
      guard let bytes = try bytes(of: file, members, origin) else { throw .missingRequiredFile(file) }
      let recordWarnings = RecordWarnings()
      var scanner = JSONScanner(bytes)
      var records: [Record] = []
      let isList = try scanner.elements { (value) throws(ArchiveError) in
        records.append(
          try read(
            RecordReader(
              file: file, number: records.count + 1, value: value, origin: origin, warnings: recordWarnings)))
      } fault: {
        .unreadableArchive(.json(file: file, $0))
      }
      guard isList else { throw .unreadableArchive(.notAList(file: file)) }
      return (records, recordWarnings.warnings.shown)
    }
  }

  /// The records of a member that an archive need not have.
  private static func optional<Record>(
    _ file: String, _ members: some ArchiveMembers, _ origin: ArchiveOrigin, _ present: Set<String>,
    _ read: (RecordReader) throws(ArchiveError) -> Record
  ) -> Read<Record> {
    present.contains(file) ? records(file, members, origin, read) : .success(([], []))
  }

  private static func counts(_ claims: [(name: String, count: Int)]) -> RecordCounts {
    func claim(_ name: String) -> Int { claims.first { $0.name == name }?.count ?? 0 }
    return RecordCounts(
      pools: claim("pools"), serviceEvents: claim("serviceEvents"), chemicalDoses: claim("chemicalDoses"),
      inventoryItems: claim("inventoryItems"), customerProfiles: claim("customerProfiles"),
      equipment: claim("equipment"), photos: claim("mediaFiles"))
  }

  // MARK: Correctable faults

  /// Moves the warnings of a member's reading to those of the archive.
  private static func take<Record>(
    _ result: Read<Record>, _ warnings: inout ArchiveWarnings
  ) throws(ArchiveError) -> [Record] {
    let (records, found) = try result.get()
    for warning in found { warnings.add(warning) }
    return records
  }

  /// Stores the records of the members that only poolflow writes, without those of pools that are not in the archive.
  private static func putOwnMembers(
    _ right: OtherMembers, of poolIDs: Set<PoolID>, _ present: Set<String>, into contents: inout ArchiveContents,
    _ warnings: inout ArchiveWarnings
  ) throws(ArchiveError) {
    let services = PoolServiceRecord.merged(try take(right.services, &warnings))
    if present.contains(ArchiveName.services) { contents.services = services.filter { poolIDs.contains($0.poolID) } }
    contents.knowsSanitiser = present.contains(ArchiveName.sanitiser)
    SanitiserEntry.put(try take(right.sanitiser, &warnings), into: &contents)
    let work = PoolWorkRecords(try take(right.work, &warnings))
    if present.contains(ArchiveName.work) { contents.work = work.only(at: poolIDs) }
    let changes = try take(right.changes, &warnings)
    if present.contains(ArchiveName.serviceChanges) {
      contents.serviceChanges = changes.filter { poolIDs.contains($0.poolID) }
    }
    putPins(try take(right.pins, &warnings), of: poolIDs, into: &contents)
  }

  /// If a pool has several profiles, keeps the last one, with a warning. A profile's pool need not exist (R-BACKUP-7).
  private static func keepOneProfile(
    _ contents: inout ArchiveContents, _ poolIDs: Set<PoolID>, _ warnings: inout ArchiveWarnings
  ) {
    var positions: [PoolID: Int] = [:]
    var kept: [CustomerProfile] = []
    for profile in contents.profiles {
      if let position = positions[profile.poolID] {
        kept[position] = profile
        warnings.add(.profileTwice(profile.poolID))
      } else {
        positions[profile.poolID] = kept.count
        kept.append(profile)
        if !poolIDs.contains(profile.poolID) {
          warnings.add(.profileOfNoPool(profile.poolID))
        }
      }
    }
    contents.profiles = kept
  }

  /// Stores each pin in its pool's profile, adding a blank profile if the pool has none. Pins of pools that are not in
  /// the archive are left out.
  private static func putPins(
    _ pins: [(pool: PoolID, position: Int)], of poolIDs: Set<PoolID>, into contents: inout ArchiveContents
  ) {
    guard !pins.isEmpty else { return }
    var positions = Dictionary(
      contents.profiles.enumerated().map { ($1.poolID, $0) }, uniquingKeysWith: { first, _ in first })
    for (pool, position) in pins where poolIDs.contains(pool) {
      if positions[pool] == nil {
        positions[pool] = contents.profiles.count
        contents.profiles.append(.blank(pool))
      }
      if let index = positions[pool] { contents.profiles[index].pin = position }
    }
  }

  /// Warns about coordinates off the globe. They are kept as they are but treated as missing (`isValidLocation`).
  private static func warnAboutCoordinates(_ pools: [Pool], _ warnings: inout ArchiveWarnings) {
    for pool in pools where !pool.hasCoordinates && (pool.latitude != 0 || pool.longitude != 0) {
      warnings.add(.impossibleCoordinates(pool.id))
    }
  }

  /// Warns about tags that name a reserved technician. They are kept as they are but assign no technician.
  private static func warnAboutTechnicians(_ profiles: [CustomerProfile], _ warnings: inout ArchiveWarnings) {
    for profile in profiles {
      if let name = profile.technicianTag, Technician.isReserved(name) {
        warnings.add(.reservedTechnician(profile.poolID))
      }
    }
  }

  /// Collects the photos that visits name. If one is missing, the visit is restored without it (R-BACKUP-4).
  private static func resolvePhotos(
    _ contents: inout ArchiveContents, _ present: Set<String>, _ warnings: inout ArchiveWarnings
  ) {
    for index in contents.serviceEvents.indices {
      guard let fileName = contents.serviceEvents[index].photoFileName else { continue }
      let photo = ArchivePhotoName(eventID: contents.serviceEvents[index].id, fileName: fileName)
      if present.contains(photo.memberName) {
        contents.photoNames.append(photo)
      } else {
        contents.serviceEvents[index].photoFileName = nil
        warnings.add(.photoMissing(photo.eventID))
      }
    }
  }

  // MARK: Warnings

  private static func warnAboutCounts(
    _ claims: [(name: String, count: Int)], _ contents: ArchiveContents, equipmentRead: Int,
    _ warnings: inout ArchiveWarnings
  ) {
    var actual = contents.counts
    actual.equipment = equipmentRead
    for (name, count) in actual.byName where name != "mediaFiles" {
      guard let claim = claims.first(where: { $0.name == name }), claim.count != count else { continue }
      warnings.add(.countDiffers(name: name, claimed: claim.count, found: count))
    }
  }

  private static func warnAboutUnknown(
    _ names: [String], _ contents: ArchiveContents, _ warnings: inout ArchiveWarnings
  ) {
    let used = Set(contents.photoNames.map(\.memberName))
    for name in names where !used.contains(name) {
      if name.hasPrefix(ArchiveName.photoFolder) {
        warnings.add(.photoOfNoVisit(name: name))
      } else if !ArchiveName.known.contains(name) {
        warnings.add(.foreign(name: name))
      }
    }
  }
}

/// The first `Limits.problemsShown` warnings, and the number of further ones.
package struct ArchiveWarnings {
  private var kept: [ArchiveWarning] = []
  private var total = 0

  package init() {}

  /// Adds a warning; after the first `Limits.problemsShown` it is only counted.
  package mutating func add(_ warning: ArchiveWarning) {
    total += 1
    if kept.count < Limits.problemsShown { kept.append(warning) }
  }

  package var shown: [ArchiveWarning] {
    total > kept.count ? kept + [.more(total - kept.count)] : kept
  }
}
