import PoolChemistry
import PoolControl
import PoolModel

/// Reads what somebody typed for one value of a record; every refusal is a sentence that names the value's key.
struct FieldValue {
  let key: String
  let text: String

  init(_ change: SettingChangeView) {
    key = change.key
    text = trimmingSpaces(change.value)
  }

  private func refusal(_ why: String) -> ControlError { ControlError.badValue(field: key, value: text, why: why) }

  /// - Parameter unit: with a space before it.
  func number(in range: ClosedRange<Double>, unit: String = "") throws(ControlError) -> Double {
    guard let number = FieldCheck.number(text) else {
      throw refusal("write a plain number with a point, such as 7.4")
    }
    guard range.contains(number) else {
      throw refusal(
        "it is from \(decimalText(range.lowerBound, places: 0)) to \(decimalText(range.upperBound, places: 0))\(unit)")
    }
    return number
  }

  func wholeNumber(in range: ClosedRange<Int>) throws(ControlError) -> Int {
    guard let number = Int(text), range.contains(number) else {
      throw refusal("write a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// Degrees Fahrenheit from `84`, `84F` or `29C`; a bare number is in the team's unit.
  func temperature(units: UnitSystem) throws(ControlError) -> Double {
    let isNamed = text.last.map { "CcFf".contains($0) } ?? false
    let isCelsius = isNamed ? text.lowercased().hasSuffix("c") : units == .metric
    let digits = isNamed ? String(text.dropLast()) : text
    guard let number = FieldCheck.number(digits) else { throw refusal("write a temperature such as 84, 84F or 29C") }
    let fahrenheit = isCelsius ? UnitConversion.fahrenheit(celsius: number) : number
    guard Limits.waterTempF.contains(fahrenheit) else {
      throw refusal("water in a pool has 32 to 140 °F, or 0 to 60 °C")
    }
    return fahrenheit
  }

  /// US gallons, from gallons or litres.
  func volume(units: UnitSystem) throws(ControlError) -> Double {
    if let why = FieldCheck.poolVolume(text, units: units) { throw refusal(why) }
    let number = FieldCheck.number(text) ?? 0
    return units == .metric ? UnitConversion.gallons(liters: number) : number
  }

  func fee() throws(ControlError) -> Double {
    if let why = FieldCheck.monthlyFee(text) { throw refusal(why) }
    return try number(in: Limits.monthlyFee)
  }

  /// - Parameter isSensitive: the refusal does not repeat the text.
  func words(upTo length: Int, isRequired: Bool = false, isSensitive: Bool = false) throws(ControlError) -> String {
    let shown = isSensitive ? "…" : String(text.prefix(40))
    guard text.count <= length else {
      throw ControlError.badValue(field: key, value: shown, why: "it has \(text.count) characters, \(length) at most")
    }
    guard !isRequired || !text.isEmpty else {
      throw ControlError.badValue(field: key, value: shown, why: "write something")
    }
    return text
  }

  func chemicalType() throws(ControlError) -> String {
    guard let type = ChemicalType(rawValue: text.lowercased()), ChemicalType.stockable.contains(type) else {
      let known = ChemicalType.stockable.map(\.rawValue)
      let near = Suggestion.nearest(to: text.lowercased(), among: known).map { "; did you mean '\($0)'?" } ?? ""
      throw refusal("a chemical is \(known.joined(separator: ", "))\(near)")
    }
    return type.rawValue
  }

  /// The key is not one of `known`.
  func unknown(among known: [String]) -> ControlError {
    let near = Suggestion.nearest(to: key, among: known)
    return ControlError.badValue(
      field: "key", value: key,
      why: near.map { "there is no such value; did you mean '\($0)'?" }
        ?? "the values are \(known.joined(separator: ", "))")
  }
}

/// Readings, a pool or an item take the same keys wherever they are set.
enum FieldChanges {
  static let readingKeys = ["ph", "temp", "calcium", "alkalinity", "cya"]

  /// - Returns: false where the key is no reading's.
  static func apply(_ value: FieldValue, to water: inout WaterReadings, units: UnitSystem) throws(ControlError) -> Bool
  {
    switch value.key {
    case "ph": water.pH = try value.number(in: Limits.pH)
    case "temp": water.waterTempF = try value.temperature(units: units)
    case "calcium": water.calciumHardness = try value.number(in: Limits.hardnessPPM, unit: " ppm")
    case "alkalinity": water.totalAlkalinity = try value.number(in: Limits.hardnessPPM, unit: " ppm")
    case "cya": water.cyanuricAcid = try value.number(in: Limits.cyanuricAcidPPM, unit: " ppm")
    default: return false
    }
    return true
  }

  static let poolKeys =
    ["customer", "address", "notes", "latitude", "longitude", "volume", "fee", "day", "order", "tds"] + readingKeys

  static func apply(_ value: FieldValue, to pool: inout Pool, units: UnitSystem, day: Weekday?) throws(ControlError) {
    switch value.key {
    case "customer": pool.customerName = try value.words(upTo: Limits.nameLength, isRequired: true)
    case "address": pool.address = try value.words(upTo: Limits.nameLength, isRequired: true)
    case "notes": pool.notes = try value.words(upTo: Limits.notesLength, isSensitive: true)
    case "latitude": pool.latitude = try value.number(in: -90...90, unit: " degrees")
    case "longitude": pool.longitude = try value.number(in: -180...180, unit: " degrees")
    case "volume": pool.volumeGallons = try value.volume(units: units)
    case "fee": pool.monthlyServiceFee = try value.fee()
    case "day": if let day { pool.serviceDay = day }
    case "order": pool.routeOrder = try value.wholeNumber(in: 0...Limits.rowsPerAnswer)
    case "tds": pool.readings.totalDissolvedSolids = try value.number(in: Limits.dissolvedSolidsPPM, unit: " ppm")
    default:
      guard try apply(value, to: &pool.readings, units: units) else { throw value.unknown(among: poolKeys) }
    }
  }

  static let profileKeys = ["contact", "phone", "email", "gate", "arrival", "tags"]

  static func apply(_ value: FieldValue, to profile: inout CustomerProfile) throws(ControlError) {
    func text() throws(ControlError) -> String { try value.words(upTo: Limits.nameLength, isSensitive: true) }
    switch value.key {
    case "contact": profile.contactName = try text()
    case "phone": profile.contactPhone = try text()
    case "email": profile.contactEmail = try text()
    case "gate": profile.gateAccessType = try text()
    case "arrival": profile.preferredArrivalWindow = try text()
    case "tags": profile.tagsCSV = try text()
    default: throw value.unknown(among: profileKeys)
    }
  }

  static let stockKeys = ["name", "type", "stock", "threshold", "cost", "concentration", "unit"]

  static func apply(_ value: FieldValue, to item: inout InventoryItem) throws(ControlError) {
    switch value.key {
    case "name": item.name = try value.words(upTo: Limits.nameLength, isRequired: true)
    case "type": item.chemicalType = try value.chemicalType()
    case "stock": item.currentStockOz = try value.number(in: Limits.quantityOz, unit: " oz")
    case "threshold": item.lowStockThresholdOz = try value.number(in: Limits.quantityOz, unit: " oz")
    case "cost": item.costPerOz = try value.number(in: Limits.costPerOz, unit: " an ounce")
    case "concentration": item.concentration = try value.number(in: 0...100, unit: " percent")
    case "unit": item.unitLabel = try value.words(upTo: 20)
    default: throw value.unknown(among: stockKeys)
    }
  }

  static let equipmentKeys = [
    "name", "type", "manufacturer", "model", "serial", "installed", "warranty", "serviced", "service", "notes",
  ]

  /// - Parameter day: reads a date in the team's zone.
  static func apply(
    _ value: FieldValue, to equipment: inout Equipment, day: (FieldValue) throws -> Timestamp?
  ) throws {
    switch value.key {
    case "name": equipment.name = try value.words(upTo: Limits.nameLength, isRequired: true)
    case "type": equipment.equipmentType = try value.words(upTo: Limits.nameLength, isRequired: true)
    case "manufacturer": equipment.manufacturer = try value.words(upTo: Limits.nameLength)
    case "model": equipment.modelNumber = try value.words(upTo: Limits.nameLength)
    case "serial": equipment.serialNumber = try value.words(upTo: Limits.nameLength)
    case "installed": equipment.installDate = try day(value)
    case "warranty": equipment.warrantyExpiryDate = try day(value)
    case "serviced": equipment.lastServiceDate = try day(value)
    case "service": equipment.nextServiceDate = try day(value)
    case "notes": equipment.notes = try value.words(upTo: Limits.notesLength, isSensitive: true)
    default: throw value.unknown(among: equipmentKeys)
    }
  }
}
