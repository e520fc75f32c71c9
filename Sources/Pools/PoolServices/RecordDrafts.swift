import FlowControl
import FlowModel
import FlowServices
import FoundationEssentials
import PoolChemistry
import PoolControl
import PoolModel
import PoolStore

/// Changes of a pool and its customer, each key at most once.
struct PoolChanges: Sendable {
  private let values: [FieldValue]
  private let profileValues: [FieldValue]
  private let units: UnitSystem
  /// Nil if no new day is given.
  let day: Weekday?
  /// The water parameters that change.
  var parameters: Set<WaterParameter> { FieldChanges.parameters(in: values) }

  init(_ changes: [SettingChangeView], units: UnitSystem) throws(ControlError) {
    let all = try FieldValue.unique(changes)
    values = all.filter { !FieldChanges.belongsToProfile($0.key) }
    profileValues = all.filter { FieldChanges.belongsToProfile($0.key) }
    self.units = units
    day = if let value = values.first(where: { $0.key == "day" }) { try Weekday(asked: value.text) } else { nil }
  }

  /// The new service; nil if neither a rule nor a weekday is given.
  var service: ServiceChange? {
    let text = values.first { $0.key == ServiceChange.key }
    return text == nil && day == nil ? nil : ServiceChange(text: text, day: day)
  }

  /// The technician that the `tags` value names; nil without such a tag.
  var technician: String? { FieldChanges.technician(in: profileValues) }

  /// True if no change concerns the customer's profile.
  var leavesProfileUnchanged: Bool { profileValues.isEmpty }

  func apply(to profile: inout CustomerProfile) throws(ControlError) {
    for value in profileValues { try FieldChanges.apply(value, to: &profile) }
  }

  /// Applies all changes; after an error the pool must be discarded.
  func apply(to pool: inout Pool, at now: Timestamp) throws(ControlError) {
    for value in values { try FieldChanges.apply(value, to: &pool, units: units, day: day) }
    try pool.readings.checkPlausible()
    pool.cachedLSI = LSIResult(pool.readings).lsiValue
    pool.updatedAt = now
  }
}

/// A new pool: the region's defaults with the given values on top.
struct PoolDraft: Sendable {
  let customer: String
  let address: String
  let changes: PoolChanges
  let defaults: RegionDefaults
  /// The weekday of the pool.
  let day: Weekday

  func pool(order: Int, at now: Timestamp) throws(ControlError) -> Pool {
    var pool = Pool(
      id: PoolID(UUID()), customerName: try FieldValue("customer", customer).words(.name, isRequired: true),
      address: try FieldValue("address", address).words(.name, isRequired: true), notes: "", latitude: 0, longitude: 0,
      volumeGallons: defaults.volumeGallons, monthlyServiceFee: defaults.monthlyServiceFee, serviceDay: day,
      routeOrder: order, readings: defaults.readings, cachedLSI: nil, createdAt: now, updatedAt: now)
    try changes.apply(to: &pool, at: now)
    pool.serviceDay = day
    return pool
  }
}

extension WaterReadings {
  /// Throws unless the readings are physically possible and a pair of values has both numbers or neither.
  func checkPlausible() throws(ControlError) {
    if let complaint = ReadingCheck.complaint(about: self) {
      throw ControlError.badValue(field: complaint.field, value: complaint.value, why: complaint.why)
    }
  }
}

/// New stock items.
enum StockDraft {
  /// The items to add to a team's stock.
  ///
  /// - Parameters:
  ///   - values: fields of one item; nil for all items of the default catalogue that the team lacks.
  ///   - known: names of the team's items.
  static func items(
    _ values: [FieldValue]?, beside known: [String], units: UnitSystem
  ) throws(ControlError) -> [InventoryItem] {
    let names = Set(known.map { $0.lowercased() })
    guard let values else {
      return CatalogueItem.standard.filter { !names.contains($0.name.lowercased()) }.map(\.stockItem)
    }
    var item = InventoryItem(
      id: InventoryItemID(UUID()), name: "", chemicalType: "", concentration: 100, costPerOz: 0, currentStockOz: 0,
      lowStockThresholdOz: 0, unitLabel: "oz")
    try FieldChanges.apply(values, to: &item, units: units)
    guard !item.name.isEmpty, !item.chemicalType.isEmpty else {
      throw ControlError.badValue(
        field: item.name.isEmpty ? "name" : "type", value: "", why: "an item needs a name and a type, such as acid")
    }
    guard !names.contains(item.name.lowercased()) else {
      throw ControlError.badValue(
        field: "name", value: item.name, why: "this item exists already; `pfctl inventory set` changes it")
    }
    return [item]
  }
}

extension InventoryItem {
  /// The item that `text` names by id, by name or by a prefix of either.
  static func named(_ text: String, among items: [InventoryItem]) throws(ControlError) -> InventoryItem {
    try ControlError.uniqueRecord("stock item", "stock items", text, among: items, id: \.id.description, name: \.name)
  }
}

extension ControlError {
  /// The refusal of an unknown name; suggests the nearest known one.
  static func noSuchItem(_ name: String, what: String, among known: [String]) -> ControlError {
    let near = Suggestion.nearest(to: name, among: known)
    let counts = Dictionary(known.map { ($0, 1) }, uniquingKeysWith: +)
    var listed: Set<String> = []
    let names = known.filter { listed.insert($0).inserted }.map { name in
      counts[name].map { $0 > 1 ? "\(name) (\($0) times)" : name } ?? name
    }
    let rest =
      near.map { "did you mean '\($0)'?" }
      ?? (known.isEmpty ? "there is none" : "there are \(names.joined(separator: ", "))")
    var facts = ["name": name]
    facts["suggestion"] = near
    return ControlError(.noSuchItem, "there is no \(what) '\(name)'; \(rest)", facts: facts)
  }

  /// The record that `text` names by id, by name or by a prefix of either.
  ///
  /// - Throws: `noSuchItem` with the nearest name; `ambiguousItem` with all matches.
  static func uniqueRecord<Record>(
    _ what: String, _ plural: String, _ text: String, among records: [Record], id: (Record) -> String,
    name: (Record) -> String
  ) throws(ControlError) -> Record {
    let found = IDPrefix.records(text, among: records, id: id, name: name)
    guard let record = found.first else { throw noSuchItem(text, what: what, among: records.map(name)) }
    guard found.count == 1 else {
      let ids = ShownIDs(records: found.map(id))
      throw ambiguous(
        .ambiguousItem, text, plural, found.map { ("\(name($0)) (\(ids[id($0)]))", id($0)) }, isNamed: true)
    }
    return record
  }
}

extension CatalogueItem {
  /// A new item with the catalogue's initial stock.
  var stockItem: InventoryItem {
    InventoryItem(
      id: InventoryItemID(UUID()), name: name, chemicalType: chemicalType.rawValue, concentration: concentration,
      costPerOz: costPerOz, currentStockOz: stockOz, lowStockThresholdOz: 0, unitLabel: "oz")
  }
}
