import FlowCalendar
import FlowModel
import PoolModel

/// A file of an archive. Its bytes are made on demand, because serialised records need several times the memory of the
/// records.
package struct ArchiveMember: Sendable {
  package let name: String
  package let bytes: @Sendable () -> [UInt8]

  package init(name: String, bytes: @escaping @Sendable () -> [UInt8]) {
    self.name = name
    self.bytes = bytes
  }
}

/// Writes an archive's members in the PoolFlow app's format: schema 2, pretty-printed JSON with sorted keys, ISO 8601
/// instants, absent optionals omitted.
///
/// Photos are not included: the caller adds their bytes to the container under `ArchivePhotoName.memberName`.
package enum ArchiveWriter {
  /// The members of an archive. Counts in the manifest are those of the records, whatever `contents.manifest` has.
  ///
  /// - Returns: the members in the app's order, the manifest last. The member with pins exists only if a profile has
  ///   one, and those with services, changed dates, free chlorine and salt, and recurring work only if the contents have them.
  package static func members(of contents: ArchiveContents) -> [ArchiveMember] {
    let pinned = contents.profiles.filter { $0.pin != nil }
    let pins = pinned.isEmpty ? [] : [ArchiveMember(name: ArchiveName.pins) { list(pinned, pinFields) }]
    let services = contents.services.map { services in
      [ArchiveMember(name: ArchiveName.services) { list(services.flatMap(ServiceEntry.entries), serviceFields) }]
    }
    let sanitiser =
      contents.knowsSanitiser
      ? [ArchiveMember(name: ArchiveName.sanitiser) { list(SanitiserEntry.entries(of: contents), sanitiserFields) }]
      : []
    let work = contents.work.map { work in
      [ArchiveMember(name: ArchiveName.work) { list(WorkEntry.entries(of: work), workFields) }]
    }
    let changes = contents.serviceChanges.map { changes in
      [ArchiveMember(name: ArchiveName.serviceChanges) { list(changes, changeFields) }]
    }
    return [
      ArchiveMember(name: ArchiveName.pools) { list(contents.pools, fields) },
      ArchiveMember(name: ArchiveName.serviceEvents) { list(contents.serviceEvents, fields) },
      ArchiveMember(name: ArchiveName.chemicalDoses) { list(contents.chemicalDoses, fields) },
      ArchiveMember(name: ArchiveName.inventory) { list(contents.inventory, fields) },
      ArchiveMember(name: ArchiveName.profiles) { list(contents.profiles.filter { !$0.hasOnlyPin }, fields) },
      ArchiveMember(name: ArchiveName.equipment) { list(contents.equipment, fields) },
    ] + pins + (services ?? []) + (changes ?? []) + sanitiser + (work ?? []) + [
      ArchiveMember(name: ArchiveName.manifest) { manifest(contents) }
    ]
  }

  private static func list<Record>(_ records: [Record], _ fields: (Record, inout JSONWriter) -> Void) -> [UInt8] {
    var writer = JSONWriter()
    writer.list(records, fields)
    return writer.bytes
  }

  private static func manifest(_ contents: ArchiveContents) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { json in
      json.text("appVersion", contents.manifest.appVersion)
      json.object("counts") { json in
        for (name, count) in contents.counts.byName { json.number(name, count) }
      }
      json.instant("createdAt", contents.manifest.createdAt)
      json.number("schemaVersion", ArchiveManifest.writtenVersion)
    }
    return writer.bytes
  }

  // MARK: Records, sorted by key

  private static func fields(_ pool: Pool, _ json: inout JSONWriter) {
    json.text("address", pool.address)
    json.number("cachedLSI", pool.cachedLSI)
    json.number("calciumHardness", pool.readings.calciumHardness)
    json.instant("createdAt", pool.createdAt)
    json.text("customerName", pool.customerName)
    json.number("cyanuricAcid", pool.readings.cyanuricAcid)
    json.id("id", pool.id.uuid)
    json.number("latitude", pool.latitude)
    json.number("longitude", pool.longitude)
    json.number("monthlyServiceFee", pool.monthlyServiceFee)
    json.text("notes", pool.notes)
    json.number("pH", pool.readings.pH)
    json.number("poolVolumeGallons", pool.volumeGallons)
    json.number("routeOrder", pool.routeOrder)
    json.number("serviceDayOfWeek", pool.serviceDay.rawValue)
    json.number("totalAlkalinity", pool.readings.totalAlkalinity)
    json.number("totalDissolvedSolids", pool.readings.totalDissolvedSolids)
    json.instant("updatedAt", pool.updatedAt)
    json.number("waterTempF", pool.readings.waterTempF)
  }

  /// The two lists of readings are poolflow's own fields, ignored by the app, and omitted if the visit measured
  /// everything.
  private static func fields(_ event: ServiceEvent, _ json: inout JSONWriter) {
    let measured = event.measured.intersection(.all)
    let isPartial = measured != .all
    json.text("assumedReadings", isPartial ? event.assumed.names.joined(separator: ",") : nil)
    json.number("calciumHardness", event.readings.calciumHardness)
    json.number("cyanuricAcid", event.readings.cyanuricAcid)
    json.id("id", event.id.uuid)
    json.number("lsiValue", event.lsiValue)
    json.text("measuredReadings", isPartial ? measured.names.joined(separator: ",") : nil)
    json.number("pH", event.readings.pH)
    json.text("photoFileName", event.photoFileName)
    json.id("poolID", event.poolID.uuid)
    json.text("techNotes", event.techNotes)
    json.instant("timestamp", event.timestamp)
    json.number("totalAlkalinity", event.readings.totalAlkalinity)
    json.number("totalChemicalCost", event.totalChemicalCost)
    json.number("totalDissolvedSolids", event.readings.totalDissolvedSolids)
    json.number("waterTempF", event.readings.waterTempF)
  }

  private static func fields(_ dose: ChemicalDose, _ json: inout JSONWriter) {
    json.id("chemicalID", dose.chemicalID?.uuid)
    json.number("cost", dose.cost)
    json.id("id", dose.id.uuid)
    json.number("quantityOz", dose.quantityOz)
    json.id("serviceEventID", dose.serviceEventID.uuid)
  }

  private static func fields(_ item: InventoryItem, _ json: inout JSONWriter) {
    json.text("chemicalTypeRaw", item.chemicalType)
    json.number("concentration", item.concentration)
    json.number("costPerOz", item.costPerOz)
    json.number("currentStockOz", item.currentStockOz)
    json.id("id", item.id.uuid)
    json.number("lowStockThresholdOz", item.lowStockThresholdOz)
    json.text("name", item.name)
    json.text("unitLabel", item.unitLabel)
  }

  private static func fields(_ profile: CustomerProfile, _ json: inout JSONWriter) {
    json.text("contactEmail", profile.contactEmail)
    json.text("contactName", profile.contactName)
    json.text("contactPhone", profile.contactPhone)
    json.text("gateAccessType", profile.gateAccessType)
    json.id("poolID", profile.poolID.uuid)
    json.text("preferredArrivalWindow", profile.preferredArrivalWindow)
    json.text("tagsCSV", profile.tagsCSV)
  }

  private static func pinFields(_ profile: CustomerProfile, _ json: inout JSONWriter) {
    json.number("place", profile.pin.map(Double.init))
    json.id("poolID", profile.poolID.uuid)
  }

  private static func serviceFields(_ entry: ServiceEntry, _ json: inout JSONWriter) {
    json.text("days", entry.pause?.days.description)
    json.text("orders", entry.orders)
    json.id("poolID", entry.poolID.uuid)
    json.text("reason", entry.pause?.reason)
    json.text("rule", entry.rule)
    json.text("ruleBefore", entry.earlier.map { $0.rule?.description ?? ServiceRule.weeklyWord })
    json.text("setBy", entry.pause?.setBy)
    json.text("until", entry.earlier?.until.description)
    json.text("weekday", entry.earlier?.weekday.abbreviation)
  }

  private static func sanitiserFields(_ entry: SanitiserEntry, _ json: inout JSONWriter) {
    json.id("eventID", entry.eventID?.uuid)
    json.number("freeChlorine", entry.freeChlorine)
    json.text("measured", entry.measured.isEmpty ? nil : entry.measured.names.joined(separator: ","))
    json.id("poolID", entry.poolID?.uuid)
    json.number("salt", entry.salt)
  }

  private static func workFields(_ entry: WorkEntry, _ json: inout JSONWriter) {
    var (work, every, done): (PoolWork?, WorkInterval?, WorkDone?) = (nil, nil, nil)
    var equipment: EquipmentID?
    switch entry {
    case .work(let one): (work, every) = (one, one.every)
    case .interval(let machine, let interval): (equipment, every) = (machine, interval)
    case .done(let one): (done, equipment) = (one, one.equipmentID)
    }
    json.text("after", done?.after.description)
    json.text("before", done?.before.description)
    json.text("date", done?.date.description)
    json.text("due", work?.due.description)
    json.id("equipmentID", equipment?.uuid)
    json.text("every", every?.description)
    json.text("name", work?.name ?? done?.name)
    json.id("poolID", (work?.poolID ?? done?.poolID)?.uuid)
    json.id("visitID", done?.visitID?.uuid)
  }

  private static func changeFields(_ change: ServiceChangeRecord, _ json: inout JSONWriter) {
    json.number("batch", Double(change.batch))
    json.text("from", change.from.description)
    json.instant("madeAt", change.madeAt)
    json.number("place", change.routeOrder.map(Double.init))
    json.id("poolID", change.poolID.uuid)
    json.text("reason", change.reason)
    json.text("setBy", change.setBy)
    json.text("technician", change.technician)
    json.text("to", change.to?.description)
  }

  private static func fields(_ one: Equipment, _ json: inout JSONWriter) {
    json.instant("createdAt", one.createdAt)
    json.text("equipmentTypeRaw", one.equipmentType)
    json.id("id", one.id.uuid)
    json.instant("installDate", one.installDate)
    json.instant("lastServiceDate", one.lastServiceDate)
    json.text("manufacturer", one.manufacturer)
    json.text("modelNumber", one.modelNumber)
    json.text("name", one.name)
    json.instant("nextServiceDate", one.nextServiceDate)
    json.text("notes", one.notes)
    json.id("poolID", one.poolID.uuid)
    json.text("serialNumber", one.serialNumber)
    json.instant("updatedAt", one.updatedAt)
    json.instant("warrantyExpiryDate", one.warrantyExpiryDate)
  }
}

/// A rule or a pause of a pool, as one record of the archive.
private struct ServiceEntry {
  let poolID: PoolID
  var rule: String?
  var orders: String?
  var pause: ServicePause?
  var earlier: EarlierRule?

  static func entries(of service: PoolServiceRecord) -> [ServiceEntry] {
    let orders = service.orders.map { orders in orders.map(\.description).joined(separator: ", ") }
    let rule = service.rule.map { ServiceEntry(poolID: service.poolID, rule: $0.description, orders: orders) }
    return (rule.map { [$0] } ?? []) + service.pauses.map { ServiceEntry(poolID: service.poolID, pause: $0) }
      + service.earlier.map { ServiceEntry(poolID: service.poolID, earlier: $0) }
  }
}

/// A recurring work, the interval of a machine, or work that was done, as one record of the archive.
enum WorkEntry {
  case work(PoolWork)
  case interval(EquipmentID, WorkInterval)
  case done(WorkDone)

  static func entries(of records: PoolWorkRecords) -> [WorkEntry] {
    records.works.map { .work($0) }
      + records.intervals.sorted { $0.key < $1.key }.map { .interval($0.key, $0.value) }
      + records.done.map { .done($0) }
  }
}

extension PoolWorkRecords {
  /// The records of entries; of several works with the same name at a pool the first one.
  init(_ entries: [WorkEntry]) {
    self.init()
    var known: Set<PoolWorkList.Key> = []
    for entry in entries {
      switch entry {
      case .work(let work):
        let key = PoolWorkList.Key(poolID: work.poolID, name: work.name.lowercased())
        if known.insert(key).inserted { works.append(work) }
      case .interval(let equipment, let every): intervals[equipment] = every
      case .done(let one): done.append(one)
      }
    }
  }
}
