package import FlowModel

/// One visit to a pool. `readings.totalDissolvedSolids` is always nil, because the app does not record it per visit.
package struct ServiceEvent: Hashable, Sendable {
  package var id: ServiceEventID
  package var poolID: PoolID
  package var timestamp: Timestamp
  package var readings: WaterReadings
  /// The readings taken at this visit (the app takes all of them); the others are copied from before.
  package var measured: ReadingSet
  /// The readings that no visit has ever taken; they have the assumed values of a new pool.
  package var assumed: ReadingSet
  package var lsiValue: Double
  /// The total cost of the confirmed doses.
  package var totalChemicalCost: Double
  package var techNotes: String
  /// The file name of the photo in the archive's media folder; nil without a photo.
  package var photoFileName: String?

  package init(
    id: ServiceEventID, poolID: PoolID, timestamp: Timestamp, readings: WaterReadings, lsiValue: Double,
    totalChemicalCost: Double, techNotes: String, photoFileName: String?, measured: ReadingSet = .all,
    assumed: ReadingSet = []
  ) {
    self.id = id
    self.poolID = poolID
    self.timestamp = timestamp
    self.readings = readings
    self.measured = measured
    self.assumed = assumed
    self.lsiValue = lsiValue
    self.totalChemicalCost = totalChemicalCost
    self.techNotes = techNotes
    self.photoFileName = photoFileName
  }
}

/// A chemical added during a visit; `chemicalID` is nil if no stock item matched.
package struct ChemicalDose: Hashable, Sendable {
  package var id: ChemicalDoseID
  package var serviceEventID: ServiceEventID
  package var chemicalID: InventoryItemID?
  package var quantityOz: Double
  package var cost: Double

  package init(
    id: ChemicalDoseID, serviceEventID: ServiceEventID, chemicalID: InventoryItemID?, quantityOz: Double, cost: Double
  ) {
    self.id = id
    self.serviceEventID = serviceEventID
    self.chemicalID = chemicalID
    self.quantityOz = quantityOz
    self.cost = cost
  }
}

/// A chemical in stock. `chemicalType` keeps the app's raw value (`acid`, `base`, …), even an unknown one.
package struct InventoryItem: Hashable, Sendable {
  package var id: InventoryItemID
  package var name: String
  package var chemicalType: String
  /// Percent by weight.
  package var concentration: Double
  package var costPerOz: Double
  package var currentStockOz: Double
  package var lowStockThresholdOz: Double
  package var unitLabel: String

  package init(
    id: InventoryItemID, name: String, chemicalType: String, concentration: Double, costPerOz: Double,
    currentStockOz: Double, lowStockThresholdOz: Double, unitLabel: String
  ) {
    self.id = id
    self.name = name
    self.chemicalType = chemicalType
    self.concentration = concentration
    self.costPerOz = costPerOz
    self.currentStockOz = currentStockOz
    self.lowStockThresholdOz = lowStockThresholdOz
    self.unitLabel = unitLabel
  }

  /// Whether the stock is below the threshold; a threshold of 0 never warns. Source: golden files `inventory.json` and
  /// `notifications.json`.
  package var isLowStock: Bool { currentStockOz < lowStockThresholdOz }
}

/// Contact and access data of a pool's customer. Phone, e-mail and gate access are sensitive.
package struct CustomerProfile: Hashable, Sendable {
  package var poolID: PoolID
  package var contactName: String
  package var contactPhone: String
  package var contactEmail: String
  package var gateAccessType: String
  package var preferredArrivalWindow: String
  /// Comma separated. `tech:NAME` assigns the pool's technician. A tag `pin:N` is moved to `pin` and removed.
  package var tagsCSV: String { didSet { extractPin() } }
  /// The fixed position in the day's route, from 1; nil for none. A feature of poolflow that the app does not have.
  package var pin: Int?

  package init(
    poolID: PoolID, contactName: String, contactPhone: String, contactEmail: String, gateAccessType: String,
    preferredArrivalWindow: String, tagsCSV: String
  ) {
    self.poolID = poolID
    self.contactName = contactName
    self.contactPhone = contactPhone
    self.contactEmail = contactEmail
    self.gateAccessType = gateAccessType
    self.preferredArrivalWindow = preferredArrivalWindow
    self.tagsCSV = tagsCSV
    extractPin()
  }

  /// A profile without any data.
  package static func blank(_ pool: PoolID) -> CustomerProfile {
    CustomerProfile(
      poolID: pool, contactName: "", contactPhone: "", contactEmail: "", gateAccessType: "",
      preferredArrivalWindow: "", tagsCSV: "")
  }

  /// Whether every field that the app has is empty.
  package var isBlank: Bool {
    contactName.isEmpty && contactPhone.isEmpty && contactEmail.isEmpty && gateAccessType.isEmpty
      && preferredArrivalWindow.isEmpty && tagsCSV.isEmpty
  }

  /// Whether the profile contains nothing worth storing.
  package var hasNoData: Bool { isBlank && pin == nil }

  /// Whether the profile contains only a pin, so that the app has no use for it.
  package var hasOnlyPin: Bool { isBlank && pin != nil }

  /// The tags as stored, with the pin as the last tag, `pin:N`.
  package var storedTags: String {
    guard let pin else { return tagsCSV }
    return tagsCSV.isEmpty ? "pin:\(pin)" : "\(tagsCSV),pin:\(pin)"
  }

  /// Moves a `pin:N` tag from the tags to `pin`; an invalid number stays a tag.
  private mutating func extractPin() {
    guard Self.mayContain(Self.pinPrefix, tagsCSV) else { return }
    let tags = tagsCSV.split(separator: ",").map { trimmingSpaces($0) }
    func isPin(_ tag: String) -> Bool { tag.lowercased().hasPrefix("pin:") }
    let positions = tags.filter(isPin).compactMap { Int(trimmingSpaces($0.dropFirst(4))) }
    guard let position = positions.first(where: { $0 >= 1 && $0 <= Limits.routeStops }) else { return }
    pin = position
    tagsCSV = tags.filter { !isPin($0) }.joined(separator: ",")
  }

  private static let pinPrefix = Array("pin:".utf8)
  private static let technicianPrefix = Array("tech:".utf8)

  /// Whether some tag may begin with `prefix`. It only compares bytes, because every stop of a day is checked and few have such
  /// a tag.
  ///
  /// - Parameter prefix: lower-case ASCII whose first byte occurs once; the tags may have any case.
  private static func mayContain(_ prefix: [UInt8], _ tags: String) -> Bool {
    var matched = 0
    for byte in tags.utf8 {
      if byte | 0x20 == prefix[matched] {
        matched += 1
        if matched == prefix.count { return true }
      } else {
        matched = byte | 0x20 == prefix[0] ? 1 : 0
      }
    }
    return false
  }

  /// The trimmed NAME of the first `tech:NAME` tag; nil without one.
  package var technicianTag: String? { Self.technicianTag(in: tagsCSV) }

  /// The technician's name in the given tags: the trimmed NAME of the first `tech:NAME`; nil without one.
  package static func technicianTag(in tags: String) -> String? {
    guard mayContain(technicianPrefix, tags) else { return nil }
    for tag in tags.split(separator: ",") {
      let trimmed = trimmingSpaces(tag)
      guard trimmed.lowercased().hasPrefix("tech:") else { continue }
      let name = trimmingSpaces(trimmed.dropFirst(5))
      // A name longer than the limit for names matches no technician.
      if !name.isEmpty, TextRule.name.lengthFault(in: name) == nil { return name }
    }
    return nil
  }
}

/// A pump, filter or heater at a pool. `equipmentType` keeps the app's raw value, even an unknown one.
package struct Equipment: Hashable, Sendable {
  package var id: EquipmentID
  package var poolID: PoolID
  package var equipmentType: String
  package var name: String
  package var manufacturer: String
  package var modelNumber: String
  package var serialNumber: String
  package var installDate: Timestamp?
  package var warrantyExpiryDate: Timestamp?
  package var lastServiceDate: Timestamp?
  package var nextServiceDate: Timestamp?
  package var notes: String
  package var createdAt: Timestamp
  package var updatedAt: Timestamp

  package init(
    id: EquipmentID, poolID: PoolID, equipmentType: String, name: String, manufacturer: String, modelNumber: String,
    serialNumber: String, installDate: Timestamp?, warrantyExpiryDate: Timestamp?, lastServiceDate: Timestamp?,
    nextServiceDate: Timestamp?, notes: String, createdAt: Timestamp, updatedAt: Timestamp
  ) {
    self.id = id
    self.poolID = poolID
    self.equipmentType = equipmentType
    self.name = name
    self.manufacturer = manufacturer
    self.modelNumber = modelNumber
    self.serialNumber = serialNumber
    self.installDate = installDate
    self.warrantyExpiryDate = warrantyExpiryDate
    self.lastServiceDate = lastServiceDate
    self.nextServiceDate = nextServiceDate
    self.notes = notes
    self.createdAt = createdAt
    self.updatedAt = updatedAt
  }
}

/// The kind of a piece of equipment, one of the app's nine. Source: product.md, Equipment.
package enum EquipmentType: String, Hashable, Sendable, CaseIterable {
  case pump, filter, heater, cleaner, saltSystem, automation, light, cover, other

  /// The name in commands: `salt-system`.
  package var word: String { self == .saltSystem ? "salt-system" : rawValue }

  /// - Parameter text: the kind in any case, with or without a separator between two words: `Salt System`, `saltSystem`.
  /// - Returns: nil for an unknown kind.
  package init?(typed text: String) {
    let name = text.lowercased().filter { $0 != " " && $0 != "-" && $0 != "_" }
    guard let type = Self.allCases.first(where: { $0.rawValue.lowercased() == name }) else { return nil }
    self = type
  }

  /// The display text of a stored raw value; an unknown one is shown unchanged.
  package static func shown(_ raw: String) -> String { EquipmentType(rawValue: raw)?.word ?? raw }
}
