import PoolModel

/// Writes an archive's members as the PoolFlow app writes them: schema 2, pretty-printed JSON with sorted keys, ISO 8601
/// instants, absent optionals left out.
///
/// Photos are not included: whoever writes the container adds their bytes under `ArchivePhotoName.memberName`.
package enum ArchiveWriter {
  /// - Returns: name and bytes of each member in the order in which the app writes them, the manifest last, its counts
  ///   those of the records whatever `contents.manifest` says.
  package static func members(of contents: ArchiveContents) -> [(name: String, bytes: [UInt8])] {
    [
      (ArchiveName.pools, list(contents.pools, fields)),
      (ArchiveName.serviceEvents, list(contents.serviceEvents, fields)),
      (ArchiveName.chemicalDoses, list(contents.chemicalDoses, fields)),
      (ArchiveName.inventory, list(contents.inventory, fields)),
      (ArchiveName.profiles, list(contents.profiles, fields)),
      (ArchiveName.equipment, list(contents.equipment, fields)),
      (ArchiveName.manifest, manifest(contents)),
    ]
  }

  private static func list<Record>(_ records: [Record], _ fields: (Record) -> JSONWriter.Fields) -> [UInt8] {
    var writer = JSONWriter()
    writer.list(records, fields)
    return writer.bytes
  }

  private static func manifest(_ contents: ArchiveContents) -> [UInt8] {
    var counts = JSONObject()
    for (name, count) in contents.counts.byName { counts.append(name, number(count)) }
    var writer = JSONWriter()
    writer.object([
      ("appVersion", .text(contents.manifest.appVersion)), ("counts", .object(counts)),
      ("createdAt", instant(contents.manifest.createdAt)),
      ("schemaVersion", number(ArchiveManifest.writtenVersion)),
    ])
    return writer.bytes
  }

  // MARK: Records

  private static func fields(_ pool: Pool) -> JSONWriter.Fields {
    [
      ("id", id(pool.id)), ("customerName", .text(pool.customerName)), ("address", .text(pool.address)),
      ("notes", .text(pool.notes)), ("latitude", .number(pool.latitude)), ("longitude", .number(pool.longitude)),
      ("poolVolumeGallons", .number(pool.volumeGallons)), ("monthlyServiceFee", .number(pool.monthlyServiceFee)),
      ("serviceDayOfWeek", number(pool.serviceDay.rawValue)), ("routeOrder", number(pool.routeOrder)),
      ("cachedLSI", pool.cachedLSI.map { .number($0) }), ("createdAt", instant(pool.createdAt)),
      ("updatedAt", instant(pool.updatedAt)),
    ] + fields(pool.readings)
  }

  private static func fields(_ event: ServiceEvent) -> JSONWriter.Fields {
    [
      ("id", id(event.id)), ("poolID", id(event.poolID)), ("timestamp", instant(event.timestamp)),
      ("lsiValue", .number(event.lsiValue)), ("totalChemicalCost", .number(event.totalChemicalCost)),
      ("techNotes", .text(event.techNotes)), ("photoFileName", event.photoFileName.map { .text($0) }),
    ] + fields(event.readings)
  }

  private static func fields(_ dose: ChemicalDose) -> JSONWriter.Fields {
    [
      ("id", id(dose.id)), ("serviceEventID", id(dose.serviceEventID)), ("chemicalID", dose.chemicalID.map(id)),
      ("quantityOz", .number(dose.quantityOz)), ("cost", .number(dose.cost)),
    ]
  }

  private static func fields(_ item: InventoryItem) -> JSONWriter.Fields {
    [
      ("id", id(item.id)), ("name", .text(item.name)), ("chemicalTypeRaw", .text(item.chemicalType)),
      ("concentration", .number(item.concentration)), ("costPerOz", .number(item.costPerOz)),
      ("currentStockOz", .number(item.currentStockOz)), ("lowStockThresholdOz", .number(item.lowStockThresholdOz)),
      ("unitLabel", .text(item.unitLabel)),
    ]
  }

  private static func fields(_ profile: CustomerProfile) -> JSONWriter.Fields {
    [
      ("poolID", id(profile.poolID)), ("contactName", .text(profile.contactName)),
      ("contactPhone", .text(profile.contactPhone)), ("contactEmail", .text(profile.contactEmail)),
      ("gateAccessType", .text(profile.gateAccessType)),
      ("preferredArrivalWindow", .text(profile.preferredArrivalWindow)), ("tagsCSV", .text(profile.tagsCSV)),
    ]
  }

  private static func fields(_ equipment: Equipment) -> JSONWriter.Fields {
    [
      ("id", id(equipment.id)), ("poolID", id(equipment.poolID)), ("equipmentTypeRaw", .text(equipment.equipmentType)),
      ("name", .text(equipment.name)), ("manufacturer", .text(equipment.manufacturer)),
      ("modelNumber", .text(equipment.modelNumber)), ("serialNumber", .text(equipment.serialNumber)),
      ("installDate", equipment.installDate.map(instant)),
      ("warrantyExpiryDate", equipment.warrantyExpiryDate.map(instant)),
      ("lastServiceDate", equipment.lastServiceDate.map(instant)),
      ("nextServiceDate", equipment.nextServiceDate.map(instant)), ("notes", .text(equipment.notes)),
      ("createdAt", instant(equipment.createdAt)), ("updatedAt", instant(equipment.updatedAt)),
    ]
  }

  private static func fields(_ readings: WaterReadings) -> JSONWriter.Fields {
    [
      ("pH", .number(readings.pH)), ("waterTempF", .number(readings.waterTempF)),
      ("calciumHardness", .number(readings.calciumHardness)), ("totalAlkalinity", .number(readings.totalAlkalinity)),
      ("cyanuricAcid", .number(readings.cyanuricAcid)),
      ("totalDissolvedSolids", readings.totalDissolvedSolids.map { .number($0) }),
    ]
  }

  // MARK: Values

  private static func id<Entity>(_ id: EntityID<Entity>) -> JSONValue { .text(UUIDText.text(id.uuid)) }

  private static func number(_ number: Int) -> JSONValue { .number(Double(number)) }

  /// Whole seconds: the app's decoder refuses fractions.
  private static func instant(_ instant: Timestamp) -> JSONValue {
    .text(Timestamp(seconds: instant.seconds).description)
  }
}
