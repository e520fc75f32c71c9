import PoolControl
import FlowCalendar
import FlowControl
import FlowModel
import FlowPlatform
import FlowServices
import PoolChemistry
import PoolDigests
import PoolModel
import PoolStore

/// A service visit, parsed from text: readings and poured doses.
struct VisitDraft: Sendable {
  private let values: [FieldValue]
  private let removedValues: [FieldValue]
  private let team: Team
  private let dose: PouredView
  private let amounts: [MeasuredDoseView]

  /// - Parameter mayRemove: whether `none` as a reading removes it, from a visit that is edited.
  init(
    _ readings: [SettingChangeView], _ dose: PouredView, _ measured: [MeasuredDoseView], team: Team,
    mayRemove: Bool = false
  ) throws(ControlError) {
    let all = try FieldValue.unique(readings)
    func removes(_ value: FieldValue) -> Bool { value.text.isEmpty || value.text.lowercased() == "none" }
    values = all.filter { !removes($0) }
    removedValues = all.filter(removes)
    for value in removedValues where FieldChanges.parameters(in: [value]).isEmpty {
      throw value.unknown(among: FieldChanges.readingKeys)
    }
    if !mayRemove, let value = removedValues.first {
      throw value.refusal("leave it out: a reading that is not given was not measured")
    }
    guard (dose == .measured) == !measured.isEmpty else {
      throw ControlError.badValue(
        field: "dose", value: dose.rawValue, why: "must be all, none, or one or more of NAME=AMOUNT")
    }
    self.team = team
    self.dose = dose
    amounts = measured
  }

  /// The instant of a visit: not after `now`, and at most `Limits.visitAgeDays` ago, because an older date is likely a typing
  /// error.
  static func instant(
    _ text: String?, team: Team, now: Timestamp, zones: SystemZones
  ) throws(ControlError) -> Timestamp {
    guard let text else { return now }
    let instant = try zones.instant(text, team: team, now: now, field: "at")
    guard instant <= now else {
      throw ControlError.badValue(
        field: "at", value: text,
        why: "that is \(zones.local(instant, zone: team.zone)), which is in the future; a weekday "
          + "alone means the next one of "
          + "that name")
    }
    let oldest = try zones.zone(asked: team.zone).sameTime(-Limits.visitAgeDays, daysAfter: now)
    guard instant >= oldest else {
      throw ControlError.badValue(
        field: "at", value: text, why: "a visit is logged up to ten years back, and that is longer ago")
    }
    return instant
  }

  /// The water parameters with a new reading.
  var parameters: Set<WaterParameter> { FieldChanges.parameters(in: values) }

  var measured: ReadingSet { parameters.reduce(into: []) { $0.insert($1.bit) } }

  /// The readings that are removed from the visit.
  var removed: ReadingSet { FieldChanges.parameters(in: removedValues).reduce(into: []) { $0.insert($1.bit) } }

  /// The readings of an edited visit; a removed one has its value of before the visit, or the usual one of the region.
  func readings(of event: ServiceEvent, after earlier: WaterBefore) throws(ControlError) -> WaterReadings {
    for value in removedValues
    where FieldChanges.parameters(in: [value]).contains(where: { !event.measured.contains($0.bit) }) {
      throw value.refusal(
        "it was not measured at this visit, so there is nothing to remove; `pfctl visit list` shows the visits")
    }
    var water = event.readings
    water.replace(removed, by: earlier.readings ?? RegionDefaults(of: team).readings)
    return try readings(after: water)
  }

  /// The last readings with this visit's readings on top.
  func readings(after last: WaterReadings) throws(ControlError) -> WaterReadings {
    var water = last
    for value in values where try !FieldChanges.apply(value, to: &water, units: team.units) {
      throw value.unknown(among: FieldChanges.readingKeys)
    }
    try water.checkPlausible()
    return water
  }

  /// The parameters that no visit has measured yet, this visit included.
  func assumed(after recent: [ServiceEvent]) -> ReadingSet {
    (recent.first?.assumed ?? .all).subtracting(measured)
  }

  /// The plan of doses for the visit.
  ///
  /// - Parameters:
  ///   - isMeasured: true if the readings describe the water at the visit; otherwise no dose can be recommended. Without a pH
  ///     reading only chlorine is.
  ///   - assumed: the readings that no visit has ever taken.
  func plan(
    for pool: Pool, readings: WaterReadings, isMeasured: Bool, assumed: ReadingSet, stock: [InventoryItem]
  ) throws(ControlError) -> VisitPlan {
    let confirmed = try confirmedDoses(stock: stock)
    guard (isMeasured && !assumed.contains(.pH)) || readings.freeChlorine != nil || dose != .all else {
      throw ControlError.badValue(
        field: "dose", value: dose.rawValue,
        why: "no dose is recommended without a pH reading; give the readings, or the chemicals added: NAME=AMOUNT")
    }
    try Self.check(pool, stock)
    return VisitPlan(
      pool: pool, inventory: stock, readings: readings, confirmed: confirmed, isMeasured: isMeasured, assumed: assumed,
      by: team.settings.dosing, index: team.settings.lsiMethod)
  }

  /// Refuses volumes, costs and stocks that older versions stored without bounds: a result from them may be infinite or not a
  /// number, which would make the stored visit unreadable.
  private static func check(_ pool: Pool, _ stock: [InventoryItem]) throws(ControlError) {
    guard NumberRule.record.accepts(pool.volumeGallons) else {
      throw ControlError.badValue(
        field: "volume", value: "\(pool.volumeGallons)",
        why: "this is not a possible volume of a pool; correct it first with `pfctl pool set`")
    }
    for item in stock {
      for (field, value) in [("cost", item.costPerOz), ("stock", item.currentStockOz)]
      where !NumberRule.record.accepts(value) {
        throw ControlError.badValue(
          field: field, value: "\(value)",
          why: "the value of '\(item.name)' cannot be used for a calculation; correct it first "
            + "with `pfctl inventory set`")
      }
    }
  }

  /// The poured doses; refuses more than the stock holds.
  func confirmedDoses(stock: [InventoryItem]) throws(ControlError) -> DoseConfirmation {
    switch dose {
    case .all: return .all
    case .none: return .nothing
    case .measured: break
    }
    var left: [InventoryItemID: Double] = [:]
    var doses: [MeasuredDose] = []
    for measured in amounts {
      let item = try InventoryItem.named(measured.chemical, among: stock)
      let type = ChemicalType(rawValue: item.chemicalType) ?? .none
      if let ounces = FieldCheck.ounces(
        measured.amount, of: type, isDry: item.isDry, units: team.units), ounces <= 0
      {
        throw ControlError.badValue(field: "dose", value: measured.amount, why: "it is more than 0")
      }
      let ounces = try FieldValue("dose", measured.amount).ounces(
        of: type, isDry: item.isDry, units: team.units)
      let available = left[item.id] ?? item.currentStockOz
      guard ounces <= available else {
        let stock = Localizer(team).stock(ounces: available, of: type, isDry: item.isDry)
        throw ControlError(
          .stockTooLow,
          "the stock of \(item.name) is \(stock), less than \(measured.amount); "
            + "correct the stock first with `pfctl inventory set`, or enter a smaller amount",
          facts: ["name": item.name, "stock": stock])
      }
      left[item.id] = available - ounces
      doses.append(MeasuredDose(item: item.id, quantityOz: ounces))
    }
    return .measured(doses)
  }
}
