import FlowControl
import FlowModel
import PoolChemistry
import PoolModel

/// Parses the text of one value of a record. Each refusal is a sentence that names the value's key.
struct FieldValue: Sendable {
  let key: String
  let text: String

  init(_ change: SettingChangeView) {
    self.init(change.key, change.value)
  }

  init(_ key: String, _ text: String) {
    self.key = key
    self.text = trimmingSpaces(text)
  }

  /// Parses changes into fields; refuses a key that is named twice.
  static func unique(_ changes: [SettingChangeView]) throws(ControlError) -> [FieldValue] {
    var keys: Set<String> = []
    for change in changes where !keys.insert(change.key).inserted {
      throw ControlError.badValue(field: change.key, value: "…", why: "it is named twice")
    }
    return changes.map(FieldValue.init)
  }

  /// Checks that `number` is in `range`.
  ///
  /// - Parameter field: name of the counted thing, for the refusal.
  static func check(_ number: Int, in range: ClosedRange<Int>, field: String) throws(ControlError) {
    guard !range.contains(number) else { return }
    throw ControlError.badValue(
      field: field, value: String(number), why: "must be between \(range.lowerBound) and \(range.upperBound)")
  }

  private func refusal(_ why: String) -> ControlError {
    ControlError.badValue(field: key, value: text, why: why)
  }

  func number(_ rule: NumberRule) throws(ControlError) -> Double {
    guard let number = FieldCheck.number(text) else {
      throw refusal("write a plain number with a point, such as 7.4")
    }
    guard rule.accepts(number) else { throw refusal(rule.sentence) }
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
    guard NumberRule.waterTempF.accepts(fahrenheit) else {
      throw refusal("the water of a pool must be between 32 and 140 °F, or 0 and 60 °C")
    }
    return fahrenheit
  }

  /// US gallons from a number of gallons or litres; a bare number is in the team's unit.
  func volume(units: UnitSystem) throws(ControlError) -> Double {
    let (digits, units) = FieldCheck.volume(text, units: units)
    if let why = FieldCheck.poolVolume(digits, units: units) { throw refusal(why) }
    let number = FieldCheck.number(digits) ?? 0
    return units == .metric ? UnitConversion.gallons(liters: number) : number
  }

  /// Ounces of a chemical from `12oz`, `2lb 3oz`, `900g` or `2.5L`; a bare number counts ounces, grams or millilitres.
  func ounces(of type: ChemicalType, isDry: Bool, units: UnitSystem) throws(ControlError) -> Double {
    guard let ounces = FieldCheck.ounces(text, of: type, isDry: isDry, units: units) else {
      let bare = units == .imperial ? "ounces" : type.isLiquid && !isDry ? "millilitres" : "grams"
      throw refusal(
        "write an amount such as 12oz, 2lb 3oz, 900g or 2.5L, with a decimal point; a number without a unit counts \(bare)"
      )
    }
    guard NumberRule.quantity.accepts(ounces) else {
      let most = QuantityText.text(ounces: Limits.quantityOz.upperBound, of: type, in: units, isDry: isDry)
      throw refusal(units == .imperial ? NumberRule.quantity.sentence : "must be between 0 and \(most)")
    }
    return ounces
  }

  /// Price of an ounce of a chemical from `0.05`, `1.60/lb`, `3.50/kg` or `2/L`.
  func costPerOunce(of type: ChemicalType, isDry: Bool, units: UnitSystem) throws(ControlError) -> Double {
    guard let cost = FieldCheck.costPerOunce(text, of: type, isDry: isDry, units: units) else {
      let bare = units == .imperial ? "an ounce" : type.isLiquid && !isDry ? "a litre" : "a kilogram"
      throw refusal(
        "write a price such as 0.05, 1.60/lb, 3.50/kg or 2/L; a number without a unit is the price of \(bare)")
    }
    guard NumberRule.costPerOz.accepts(cost) else { throw refusal(NumberRule.costPerOz.sentence) }
    return cost
  }

  func fee() throws(ControlError) -> Double {
    if let why = FieldCheck.monthlyFee(text) { throw refusal(why) }
    return try number(.monthlyFee)
  }

  /// The text, checked against a rule.
  ///
  /// - Parameter isSensitive: true if a refusal must not repeat the text.
  func words(_ rule: TextRule, isRequired: Bool = false, isSensitive: Bool = false) throws(ControlError) -> String {
    let shown = isSensitive ? "…" : text
    if let fault = rule.fault(in: text) {
      throw ControlError.badValue(field: key, value: shown, why: "it \(fault)")
    }
    guard !isRequired || !text.isEmpty else {
      throw ControlError.badValue(field: key, value: shown, why: "write something")
    }
    return text
  }

  /// Checks a name that is stored with its leading and trailing spaces.
  static func checkName(_ text: String, field: String) throws(ControlError) {
    guard !trimmingSpaces(text).isEmpty else {
      throw ControlError.badValue(field: field, value: "", why: "write something")
    }
    if let fault = TextRule.name.fault(in: text) {
      throw ControlError.badValue(field: field, value: text, why: "it \(fault)")
    }
  }

  func chemicalType() throws(ControlError) -> String {
    guard let type = ChemicalType(rawValue: text.lowercased()), ChemicalType.stockable.contains(type) else {
      let known = ChemicalType.stockable.map(\.rawValue)
      let near = Suggestion.nearest(to: text.lowercased(), among: known).map { "; did you mean '\($0)'?" } ?? ""
      throw refusal("a chemical is \(known.joined(separator: ", "))\(near)")
    }
    return type.rawValue
  }

  func equipmentType() throws(ControlError) -> String {
    guard let type = EquipmentType(typed: text) else {
      let known = EquipmentType.allCases.map(\.word)
      let near = Suggestion.nearest(to: text.lowercased(), among: known).map { "; did you mean '\($0)'?" } ?? ""
      throw refusal("equipment is \(known.joined(separator: ", "))\(near)")
    }
    return type.rawValue
  }

  /// The refusal of a key that is not in `known`; suggests the nearest known key.
  func unknown(among known: [String]) -> ControlError {
    let near = Suggestion.nearest(to: key, among: known)
    return ControlError.badValue(
      field: "key", value: key,
      why: near.map { "this value does not exist; did you mean '\($0)'?" }
        ?? "the values are \(known.joined(separator: ", "))")
  }
}

/// Keys and setters of readings, pools, customers, stock items and equipment: the same for every command that sets them.
enum FieldChanges {
  static let readingKeys = ["ph", "temp", "calcium", "alkalinity", "cya"]
  private static let parameters: [String: WaterParameter] = [
    "ph": .pH, "temp": .waterTempF, "calcium": .calciumHardness, "alkalinity": .totalAlkalinity, "cya": .cyanuricAcid,
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
    default: return false
    }
    return true
  }

  static let poolKeys =
    ["customer", "address", "notes", "latitude", "longitude", "volume", "fee", "day", "tds"] + readingKeys

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
    case "tds": pool.readings.totalDissolvedSolids = try value.number(.dissolvedSolids)
    default:
      guard try apply(value, to: &pool.readings, units: units) else { throw value.unknown(among: poolKeys) }
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
    "name", "type", "manufacturer", "model", "serial", "installed", "warranty", "serviced", "service", "notes",
  ]

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
