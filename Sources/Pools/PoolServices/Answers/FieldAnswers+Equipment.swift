import PoolControl
import FlowCalendar
import FlowControl
import FlowModel
import FlowPlatform
import FlowServices
import FlowStore
import FoundationEssentials
import PoolChemistry
import PoolModel
import PoolStore

extension FieldAnswers {
  func listEquipment(
    _ call: FieldCall.ListEquipment, _ caller: Caller
  ) async throws -> FieldCall.ListEquipment.Reply {
    let team = try await finder.team(named: call.team)
    let pools: [Pool]
    if let name = call.pool {
      pools = [try await finder.pool(name, of: team)]
    } else {
      pools = try await store.allPools(of: team.id)
    }
    let names = Dictionary(pools.map { ($0.id, $0.customerName) }, uniquingKeysWith: { first, _ in first })
    let items = try await mappingErrors { try await store.equipment(ofTeam: team.id) }
    let intervals = try await mappingErrors { try await store.workList(of: team.id, at: nil).intervals }
    return FieldCall.ListEquipment.Reply(
      items: items.compactMap { item in
        names[item.poolID].map { view(of: item, customer: $0, every: intervals[item.id], team: team) }
      })
  }

  func addEquipment(_ call: FieldCall.AddEquipment, _ caller: Caller) async throws -> FieldCall.AddEquipment.Reply {
    let team = try await finder.team(named: call.team)
    let pool = try await finder.pool(call.pool, of: team)
    let now = clock.now()
    var equipment = Equipment(
      id: EquipmentID(UUID()), poolID: pool.id, equipmentType: EquipmentType.other.rawValue, name: "", manufacturer: "",
      modelNumber: "",
      serialNumber: "", installDate: nil, warrantyExpiryDate: nil, lastServiceDate: nil, nextServiceDate: nil,
      notes: "", createdAt: now, updatedAt: now)
    let (values, every) = try Self.interval(in: call.changes)
    for value in values {
      try FieldChanges.apply(value, to: &equipment) { try day($0, team: team) }
    }
    guard !equipment.name.isEmpty else {
      throw ControlError.badValue(field: "name", value: "", why: "write its name, such as 'Pool pump'")
    }
    let made = equipment
    guard try await mappingErrors({ try await store.addEquipment(made, every: every ?? nil, to: team.id) }) else {
      throw ControlError.noSuchPool(call.pool, team: team.name)
    }
    return FieldCall.AddEquipment.Reply(
      item: view(of: made, customer: pool.customerName, every: every ?? nil, team: team))
  }

  func setEquipment(_ call: FieldCall.SetEquipment, _ caller: Caller) async throws -> FieldCall.SetEquipment.Reply {
    let team = try await finder.team(named: call.team)
    let pool = try await finder.pool(call.pool, of: team)
    let item = try await equipment(call.equipment, at: pool, of: team)
    let (values, every) = try Self.interval(in: call.changes)
    let now = clock.now()
    let changed = try await mappingErrors {
      try await store.changeEquipment(item.id, at: pool.id, of: team.id, every: every) { equipment in
        for value in values {
          try FieldChanges.apply(value, to: &equipment) { try day($0, team: team) }
        }
        equipment.updatedAt = now
      }
    }
    guard let changed else { throw ControlError.noSuchItem(call.equipment, what: "equipment", among: []) }
    return FieldCall.SetEquipment.Reply(
      item: view(
        of: changed, customer: pool.customerName, every: try await interval(of: changed, pool, team), team: team))
  }

  func removeEquipment(
    _ call: FieldCall.RemoveEquipment, _ caller: Caller
  ) async throws -> FieldCall.RemoveEquipment.Reply {
    let team = try await finder.team(named: call.team)
    let pool = try await finder.pool(call.pool, of: team)
    let item = try await equipment(call.equipment, at: pool, of: team)
    let every = try await interval(of: item, pool, team)
    if call.dryRun != true, !(try await mappingErrors { try await store.removeEquipment(item.id, of: team.id) }) {
      throw ControlError.noSuchItem(call.equipment, what: "equipment", among: [])
    }
    return FieldCall.RemoveEquipment.Reply(
      item: view(of: item, customer: pool.customerName, every: every, team: team))
  }

  /// The item of the pool that `text` names by id, by name or by a prefix of either.
  private func equipment(_ text: String, at pool: Pool, of team: Team) async throws -> Equipment {
    try ControlError.uniqueRecord(
      "equipment", "pieces of equipment", text, among: try await store.equipment(of: pool.id, team: team.id),
      id: \.id.description,
      name: \.name)
  }

  /// Splits the interval of service from the other values; `.some(nil)` for `none`, nil if it is not among them.
  private static func interval(
    in changes: [SettingChangeView]
  ) throws(ControlError) -> (values: [FieldValue], every: WorkInterval??) {
    let values = try FieldValue.unique(changes)
    guard let value = values.first(where: { $0.key == FieldChanges.intervalKey }) else { return (values, nil) }
    let rest = values.filter { $0.key != FieldChanges.intervalKey }
    if value.text == "none" || value.text.isEmpty { return (rest, .some(nil)) }
    return (rest, try value.interval())
  }

  private func interval(of item: Equipment, _ pool: Pool, _ team: Team) async throws -> WorkInterval? {
    try await mappingErrors { try await store.workList(of: team.id, at: pool.id).intervals[item.id] }
  }

  /// Midnight of the date in the team's zone; nil for `none`.
  private func day(_ value: FieldValue, team: Team) throws -> Timestamp? {
    if value.text == "none" || value.text.isEmpty { return nil }
    return try zones.instant(value.text, team: team, now: clock.now(), field: value.key)
  }

  private func view(of item: Equipment, customer: String, every: WorkInterval?, team: Team) -> EquipmentItemView {
    let dates = EquipmentDates(item, at: clock.now(), in: (try? zones.zone(named: team.zone)) ?? .utc)
    return EquipmentItemView(
      id: item.id.description, pool: item.poolID.description, customer: customer, kind: item.equipmentType,
      name: item.name, manufacturer: item.manufacturer, model: item.modelNumber, serial: item.serialNumber,
      warranty: dates.warranty, service: dates.service, expired: dates.isExpired, overdue: dates.isOverdue,
      dueSoon: dates.isDueSoon, every: every?.description)
  }
}
