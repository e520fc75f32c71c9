import FlowControl
import FlowModel
import FlowServices
import PoolChemistry
import PoolModel

/// Keys and setters of readings, pools, customers, stock items and equipment: the same for every command that sets them.
enum FieldChanges {
  private static let waterKeys = ["ph", "temp", "calcium", "alkalinity", "cya"]
  static let readingKeys = waterKeys + ["free-chlorine", "salt"]
  private static let parameters: [String: WaterParameter] = [
    "ph": .pH, "temp": .waterTempF, "calcium": .calciumHardness, "alkalinity": .totalAlkalinity, "cya": .cyanuricAcid,
    "free-chlorine": .freeChlorine, "salt": .salt,
  ]

  /// The water parameters whose keys are among `values`.
  static func parameters(in values: [FieldValue]) -> Set<WaterParameter> {
    Set(values.compactMap { parameters[$0.key] })
  }

  /// Sets one reading.
  ///
  /// - Returns: false if the key names no reading.
  static func apply(_ value: FieldValue, to water: inout WaterReadings, units: UnitSystem) throws(ControlError) -> Bool
  {
    switch value.key {
    case "ph": water.pH = try value.number(.pH)
    case "temp": water.waterTempF = try value.temperature(units: units)
    case "calcium": water.calciumHardness = try value.number(.hardness)
    case "alkalinity": water.totalAlkalinity = try value.number(.hardness)
    case "cya": water.cyanuricAcid = try value.number(.cyanuricAcid)
    case "free-chlorine": water.freeChlorine = try value.number(.freeChlorine)
    case "salt": water.salt = try value.number(.salt)
    default: return false
    }
    return true
  }

  static let poolKeys =
    ["customer", "address", "notes", "latitude", "longitude", "volume", "fee", "day", "service", "tds"] + waterKeys

  /// Sets one value of a pool; the caller has parsed the day.
  static func apply(_ value: FieldValue, to pool: inout Pool, units: UnitSystem, day: Weekday?) throws(ControlError) {
    switch value.key {
    case "customer": pool.customerName = try value.words(.name, isRequired: true)
    case "address": pool.address = try value.words(.name, isRequired: true)
    case "notes": pool.notes = try value.words(.notes, isSensitive: true)
    case "latitude": pool.latitude = try value.number(.latitude)
    case "longitude": pool.longitude = try value.number(.longitude)
    case "volume": pool.volumeGallons = try value.volume(units: units)
    case "fee": pool.monthlyServiceFee = try value.fee()
    case "day": if let day { pool.serviceDay = day }
    // The rule is stored beside the pool; see `ServiceChange`.
    case ServiceChange.key: break
    case "tds": pool.readings.totalDissolvedSolids = try value.number(.dissolvedSolids)
    default:
      // Free chlorine and salt are readings of visits only.
      guard waterKeys.contains(value.key), try apply(value, to: &pool.readings, units: units) else {
        throw value.unknown(among: poolKeys)
      }
    }
  }

  static let profileKeys = ["contact", "phone", "mail", "gate", "arrival", "tags"]

  /// True if the key belongs to the customer's profile.
  static func belongsToProfile(_ key: String) -> Bool { profileKeys.contains(key) || key == "email" }

  /// The technician that the `tags` value names; nil without such a tag.
  static func technician(in values: [FieldValue]) -> String? {
    values.first { $0.key == "tags" }.flatMap { CustomerProfile.technicianTag(in: $0.text) }
  }

  static func apply(_ value: FieldValue, to profile: inout CustomerProfile) throws(ControlError) {
    func text() throws(ControlError) -> String { try value.words(.name, isSensitive: true) }
    switch value.key {
    case "contact": profile.contactName = try text()
    case "phone": profile.contactPhone = try text()
    // Clients before 0.2 send `email`.
    case "mail", "email": profile.contactEmail = try text()
    case "gate": profile.gateAccessType = try text()
    case "arrival": profile.preferredArrivalWindow = try text()
    case "tags": profile.tagsCSV = try text()
    default: throw value.unknown(among: profileKeys)
    }
  }

  static let stockKeys = ["name", "type", "stock", "threshold", "cost", "concentration", "unit"]

  /// Applies all values. Type, concentration and unit are set first: how amounts and prices are read depends on the chemical
  /// and on whether it is weighed.
  static func apply(_ values: [FieldValue], to item: inout InventoryItem, units: UnitSystem) throws(ControlError) {
    let first = ["type", "concentration", "unit"]
    for key in first { for value in values where value.key == key { try apply(value, to: &item, units: units) } }
    if !values.contains(where: { $0.key == "unit" }) { setUnit(of: values, in: &item) }
    for value in values where !first.contains(value.key) { try apply(value, to: &item, units: units) }
  }

  /// Sets the item's unit from the unit that was typed: tablets in kilograms are weighed from then on, bleach in litres is
  /// measured. Pounds do not decide for acid, because the app shows even muriatic acid in pounds.
  private static func setUnit(of values: [FieldValue], in item: inout InventoryItem) {
    let type = ChemicalType(rawValue: item.chemicalType) ?? .none
    let named = ["stock", "threshold", "cost"].lazy.compactMap { key in
      values.first { $0.key == key }.flatMap { AmountUnit.named(in: $0.text) }
    }.first { !(type == .acid && $0.hasPrefix("lb")) }
    if type.isLiquid, let named, AmountUnit.isWeight(named) != item.isDry { item.unitLabel = named }
  }

  private static func apply(
    _ value: FieldValue, to item: inout InventoryItem, units: UnitSystem
  ) throws(ControlError) {
    let type = ChemicalType(rawValue: item.chemicalType) ?? .none
    switch value.key {
    case "name": item.name = try value.words(.name, isRequired: true)
    case "type": item.chemicalType = try value.chemicalType()
    case "stock": item.currentStockOz = try value.ounces(of: type, isDry: item.isDry, units: units)
    case "threshold": item.lowStockThresholdOz = try value.ounces(of: type, isDry: item.isDry, units: units)
    case "cost": item.costPerOz = try value.costPerOunce(of: type, isDry: item.isDry, units: units)
    case "concentration": item.concentration = try value.number(.concentration)
    case "unit": item.unitLabel = try value.words(.unitLabel)
    default: throw value.unknown(among: stockKeys)
    }
  }

  static let equipmentKeys = [
    "name", "type", "manufacturer", "model", "serial", "installed", "warranty", "serviced", "service", intervalKey,
    "notes",
  ]
  /// The interval of service is stored beside the equipment.
  static let intervalKey = "every"

  /// Sets one value of an item of equipment.
  ///
  /// - Parameter day: parses a date in the team's zone.
  static func apply(
    _ value: FieldValue, to equipment: inout Equipment, day: (FieldValue) throws -> Timestamp?
  ) throws {
    switch value.key {
    case "name": equipment.name = try value.words(.name, isRequired: true)
    case "type": equipment.equipmentType = try value.equipmentType()
    case "manufacturer": equipment.manufacturer = try value.words(.name)
    case "model": equipment.modelNumber = try value.words(.name)
    case "serial": equipment.serialNumber = try value.words(.name)
    case "installed": equipment.installDate = try day(value)
    case "warranty": equipment.warrantyExpiryDate = try day(value)
    case "serviced": equipment.lastServiceDate = try day(value)
    case "service": equipment.nextServiceDate = try day(value)
    case "notes": equipment.notes = try value.words(.notes, isSensitive: true)
    default: throw value.unknown(among: equipmentKeys)
    }
  }
}
