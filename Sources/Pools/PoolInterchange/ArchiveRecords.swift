import FlowCalendar
import FlowModel
import PoolModel

/// Reads each kind of record. Field names are the app's; unknown fields are ignored. Source: product.md, Archives,
/// fixtures `v2-*.zip`.
enum ArchiveRecords {
  static func manifest(_ record: RecordReader) throws(ArchiveError) -> ArchiveManifest {
    // The version is read first, because a manifest of another version may have other fields.
    let version = try record.whole("schemaVersion")
    guard ArchiveManifest.readableVersions.contains(version) else { throw .unsupportedSchemaVersion(version) }
    return ArchiveManifest(
      schemaVersion: version, appVersion: try record.name("appVersion"),
      createdAt: try record.instant("createdAt"), counts: RecordCounts())
  }

  /// The counts in the manifest, by field name; empty if it has none.
  static func claimedCounts(_ record: RecordReader) throws(ArchiveError) -> [(name: String, count: Int)] {
    guard let value = record.object["counts"], value != .null else { return [] }
    let counts = try record.inner(value)
    var claims: [(name: String, count: Int)] = []
    for (name, _) in RecordCounts().byName where counts.object[name] != nil {
      claims.append((name, try counts.whole(name)))
    }
    return claims
  }

  static func pool(_ record: RecordReader) throws(ArchiveError) -> Pool {
    guard let day = Weekday(rawValue: try record.whole("serviceDayOfWeek")) else {
      throw record.refuse("serviceDayOfWeek", .outOfRange)
    }
    return Pool(
      id: try record.id("id"), customerName: try record.name("customerName"), address: try record.name("address"),
      notes: try record.text("notes", .notes), latitude: try record.number("latitude"),
      longitude: try record.number("longitude"), volumeGallons: try record.number("poolVolumeGallons"),
      monthlyServiceFee: try record.number("monthlyServiceFee"), serviceDay: day,
      routeOrder: try record.whole("routeOrder"), readings: try readings(record),
      cachedLSI: try record.optionalNumber("cachedLSI"), createdAt: try record.instant("createdAt"),
      updatedAt: try record.instant("updatedAt"))
  }

  static func serviceEvent(_ record: RecordReader) throws(ArchiveError) -> ServiceEvent {
    var readings = try readings(record)
    readings.totalDissolvedSolids = nil
    let photo = try record.text("photoFileName", .name)
    return ServiceEvent(
      id: try record.id("id"), poolID: try record.id("poolID"), timestamp: try record.instant("timestamp"),
      readings: readings, lsiValue: try record.number("lsiValue"),
      totalChemicalCost: try record.number("totalChemicalCost"),
      techNotes: try record.text("techNotes", .notes), photoFileName: photo.isEmpty ? nil : photo,
      measured: (try readingSet("measuredReadings", of: record) ?? .all).intersection(.all),
      assumed: (try readingSet("assumedReadings", of: record) ?? []).intersection(.all))
  }

  /// The readings that a field lists; nil if the field is absent, as in every archive that the app writes.
  private static func readingSet(_ field: String, of record: RecordReader) throws(ArchiveError) -> ReadingSet? {
    guard record.value(field) != nil else { return nil }
    return ReadingSet(named: try record.text(field, .name).split(separator: ","))
  }

  static func chemicalDose(_ record: RecordReader) throws(ArchiveError) -> ChemicalDose {
    ChemicalDose(
      id: try record.id("id"), serviceEventID: try record.id("serviceEventID"),
      chemicalID: try record.optionalID("chemicalID"), quantityOz: try record.number("quantityOz"),
      cost: try record.number("cost"))
  }

  static func inventoryItem(_ record: RecordReader) throws(ArchiveError) -> InventoryItem {
    InventoryItem(
      id: try record.id("id"), name: try record.name("name"), chemicalType: try record.name("chemicalTypeRaw"),
      concentration: try record.number("concentration"), costPerOz: try record.number("costPerOz"),
      currentStockOz: try record.number("currentStockOz"),
      lowStockThresholdOz: try record.number("lowStockThresholdOz"),
      unitLabel: try record.text("unitLabel", .name))
  }

  static func profile(_ record: RecordReader) throws(ArchiveError) -> CustomerProfile {
    CustomerProfile(
      poolID: try record.id("poolID"), contactName: try record.text("contactName", .name),
      contactPhone: try record.text("contactPhone", .name),
      contactEmail: try record.text("contactEmail", .name),
      gateAccessType: try record.text("gateAccessType", .name),
      preferredArrivalWindow: try record.text("preferredArrivalWindow", .name),
      tagsCSV: try record.text("tagsCSV", .tags))
  }

  /// A pin: the fixed position of a pool in its day's route, from 1.
  static func pin(_ record: RecordReader) throws(ArchiveError) -> (pool: PoolID, position: Int) {
    let position = try record.whole("place")
    guard (1...Limits.routeStops).contains(position) else { throw record.refuse("place", .outOfRange) }
    return (try record.id("poolID"), position)
  }

  /// One entry of a pool's service: its rule, one of its pauses, or a rule that it had before.
  ///
  /// - Returns: one of these, or none for a pool that is served every week.
  static func service(_ record: RecordReader) throws(ArchiveError) -> PoolServiceRecord {
    if record.value("until") != nil {
      return PoolServiceRecord(
        poolID: try record.id("poolID"), rule: nil, pauses: [], earlier: [try earlierRule(record)])
    }
    let (rule, days) = (try record.text("rule", .name), try record.text("days", .name))
    var pauses: [ServicePause] = []
    if !days.isEmpty {
      guard let span = DaySpan(stored: days) else { throw record.refuse("days", .unexpectedToken) }
      pauses.append(
        ServicePause(
          id: 0, days: span, reason: try record.text("reason", .holdNote), setBy: try record.text("setBy", .name)))
    }
    return PoolServiceRecord(
      poolID: try record.id("poolID"), rule: try dates(rule, record), pauses: pauses, orders: try orders(record))
  }

  private static func earlierRule(_ record: RecordReader) throws(ArchiveError) -> EarlierRule {
    let (rule, weekday) = (try record.text("ruleBefore", .name), try record.text("weekday", .name))
    guard let day = Weekday.allCases.first(where: { $0.abbreviation == weekday }) else {
      throw record.refuse("weekday", .unexpectedToken)
    }
    return EarlierRule(
      until: try date("until", record), weekday: day,
      rule: rule == ServiceRule.weeklyWord ? nil : try dates(rule, record, "ruleBefore"))
  }

  /// The orders of a pool on other weekdays than its own; nil in archives of earlier versions.
  private static func orders(_ record: RecordReader) throws(ArchiveError) -> [ServiceOrder]? {
    guard record.value("orders") != nil else { return nil }
    return try record.text("orders", .name).split(separator: ",").map { (text) throws(ArchiveError) in
      guard let order = ServiceOrder(text) else { throw record.refuse("orders", .unexpectedToken) }
      return order
    }
  }

  /// Free chlorine and salt of a visit or a pool.
  static func sanitiser(_ record: RecordReader) throws(ArchiveError) -> SanitiserEntry {
    let isOfVisit = record.value("eventID") != nil
    return SanitiserEntry(
      eventID: isOfVisit ? try record.id("eventID") : nil, poolID: isOfVisit ? nil : try record.id("poolID"),
      freeChlorine: try record.optionalNumber("freeChlorine"), salt: try record.optionalNumber("salt"),
      measured: (try readingSet("measured", of: record) ?? []).intersection(.sanitiser))
  }

  /// One entry of recurring work: a work has the field `due`, an execution has `date`, and the interval of a machine neither.
  static func work(_ record: RecordReader) throws(ArchiveError) -> WorkEntry {
    if record.value("due") != nil {
      return .work(
        PoolWork(
          poolID: try record.id("poolID"), name: try record.name("name"), every: try interval(record),
          due: try date("due", record)))
    }
    guard record.value("date") != nil else { return .interval(try record.id("equipmentID"), try interval(record)) }
    let equipment: EquipmentID? = try record.optionalID("equipmentID")
    return .done(
      WorkDone(
        poolID: try record.id("poolID"), name: try record.name("name"), equipmentID: equipment,
        visitID: try record.optionalID("visitID"), date: try date("date", record),
        before: try workDates("before", of: equipment, record), after: try workDates("after", of: equipment, record)))
  }

  private static func interval(_ record: RecordReader) throws(ArchiveError) -> WorkInterval {
    let text = try record.name("every")
    do throws(WorkIntervalError) { return try WorkInterval(text) } catch {
      throw record.refuse("every", .unexpectedToken)
    }
  }

  private static func date(_ field: String, _ record: RecordReader) throws(ArchiveError) -> CivilDate {
    guard let date = CivilDate(try record.name(field)) else { throw record.refuse(field, .unexpectedToken) }
    return date
  }

  /// The dates of a machine's service, or of a work if `equipment` is nil.
  private static func workDates(
    _ field: String, of equipment: EquipmentID?, _ record: RecordReader
  ) throws(ArchiveError) -> WorkDates {
    let dates = WorkDates(stored: try record.name(field))
    switch (dates, equipment) {
    case (let dates?, nil): if case .due = dates { return dates }
    case (let dates?, _?): if case .service = dates { return dates }
    case (nil, _): break
    }
    throw record.refuse(field, .unexpectedToken)
  }

  private static func dates(
    _ text: String, _ record: RecordReader, _ field: String = "rule"
  ) throws(ArchiveError) -> CalendarDates? {
    guard !text.isEmpty else { return nil }
    do throws(CalendarDatesError) { return try CalendarDates(text) } catch {
      throw record.refuse(field, .unexpectedToken)
    }
  }

  /// A changed date of a pool.
  static func serviceChange(_ record: RecordReader) throws(ArchiveError) -> ServiceChangeRecord {
    let technician = try record.text("technician", .name)
    let place = record.value("place") == nil ? nil : try record.whole("place")
    guard place.map((0...Limits.routeStops).contains) ?? true else { throw record.refuse("place", .outOfRange) }
    return ServiceChangeRecord(
      poolID: try record.id("poolID"), batch: try record.whole("batch"), from: try date("from", record),
      to: record.value("to") == nil ? nil : try date("to", record), technician: technician.isEmpty ? nil : technician,
      routeOrder: place, reason: try record.text("reason", .holdNote), setBy: try record.text("setBy", .name),
      madeAt: try record.instant("madeAt"))
  }

  static func equipment(_ record: RecordReader) throws(ArchiveError) -> Equipment {
    Equipment(
      id: try record.id("id"), poolID: try record.id("poolID"), equipmentType: try record.name("equipmentTypeRaw"),
      name: try record.name("name"), manufacturer: try record.text("manufacturer", .name),
      modelNumber: try record.text("modelNumber", .name),
      serialNumber: try record.text("serialNumber", .name),
      installDate: try record.optionalInstant("installDate"),
      warrantyExpiryDate: try record.optionalInstant("warrantyExpiryDate"),
      lastServiceDate: try record.optionalInstant("lastServiceDate"),
      nextServiceDate: try record.optionalInstant("nextServiceDate"),
      notes: try record.text("notes", .notes), createdAt: try record.instant("createdAt"),
      updatedAt: try record.instant("updatedAt"))
  }

  private static func readings(_ record: RecordReader) throws(ArchiveError) -> WaterReadings {
    WaterReadings(
      pH: try record.number("pH"), waterTempF: try record.number("waterTempF"),
      calciumHardness: try record.number("calciumHardness"), totalAlkalinity: try record.number("totalAlkalinity"),
      cyanuricAcid: try record.number("cyanuricAcid"),
      totalDissolvedSolids: try record.optionalNumber("totalDissolvedSolids"))
  }
}
