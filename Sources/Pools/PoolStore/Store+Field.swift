package import FlowCalendar
package import FlowModel
import FlowStore
package import PoolModel

// Records that an office edits by hand: pools, profiles, stock and equipment of one team. Each change is one transaction; an
// error thrown by a closure is rethrown and nothing is changed.

extension Store {
  package func addPool(
    to team: TeamID, day: Weekday, rule: CalendarDates?,
    make: @Sendable (_ pools: Int, _ nextOrder: Int) throws -> Pool
  ) throws -> Pool {
    try connection.transaction(of: [team]) {
      let next = try connection.first(
        """
        SELECT (SELECT count(*) FROM pools WHERE team_id = ?1),
          (SELECT coalesce(max(route_order) + 1, 0) FROM pools WHERE team_id = ?1 AND service_day = ?2)
        """, .integer(team.number), .integer(day.rawValue)
      ) { row throws(StoreError) in (row.number(0), row.number(1)) }
      let pool = try make(next?.0 ?? 0, next?.1 ?? 0)
      let owners = try PoolOwners(connection, team: team, scope: nil)
      let owner = try owners.owner(tag: nil)
      try connection.insert([pool], team: team, scope: nil) { _ in owner }
      if let rule { try connection.setRule(rule, of: pool.id, team: team, after: nil) }
      return pool
    }
  }

  package func changePool(
    _ id: PoolID, of team: TeamID, change: @Sendable (inout Pool) throws -> Void,
    people: (@Sendable (inout CustomerProfile) throws -> Void)?,
    rule: (@Sendable (inout Pool, PoolService) throws -> CalendarDates?)?, from date: CivilDate?, today: ServiceToday?
  ) throws -> ChangedPool? {
    try connection.transaction(of: [team]) {
      guard let state = try connection.poolState(id, team: team) else { return nil }
      let service = try connection.services(of: team)[id] ?? PoolService(weekday: state.pool.serviceDay)
      var pool = state.pool
      var dates = service.rule
      try change(&pool)
      if let rule {
        dates = try rule(&pool, service)
        try connection.setRule(dates, of: id, team: team, after: date.map { (service, $0) })
      }
      try connection.upsert(pool, team: team, scope: nil, technician: state.technician)
      if let people { _ = try connection.changeProfile(of: id, team: team, change: people) }
      if let today {
        try connection.planChangeNotice(of: id, since: service, technician: state.technician, team: team, today)
      }
      return ChangedPool(pool: pool, rule: dates, before: service)
    }
  }

  package func removePool(_ id: PoolID, of team: TeamID, today: ServiceToday?) throws -> Bool {
    try connection.transaction(of: [team]) {
      if let today { try connection.planChangeNotice(withoutPool: id, team: team, today) }
      try connection.run(
        "DELETE FROM customer_profiles WHERE team_id = ? AND pool_id = ?", .integer(team.number), .id(id))
      try connection.removeService(of: id, team: team)
      try connection.removeWork(of: id, team: team)
      return try connection.run("DELETE FROM pools WHERE team_id = ? AND pool_id = ?", .integer(team.number), .id(id))
        == 1
    }
  }

  package func changeProfile(
    of pool: PoolID, team: TeamID, change: @Sendable (inout CustomerProfile) throws -> Void
  ) throws -> CustomerProfile? {
    try connection.transaction(of: [team]) { try connection.changeProfile(of: pool, team: team, change: change) }
  }

  // MARK: Stock

  package func stock(of team: TeamID) throws -> [(item: InventoryItem, technician: String?)] {
    try connection.rows(
      """
      SELECT \(Connection.itemColumns), technicians.name AS technician
      FROM inventory_items AS item LEFT JOIN technicians ON technicians.technician_id = item.scope_technician_id
      WHERE item.team_id = ? ORDER BY coalesce(scope_technician_id, 0), position, item_id
      """, .integer(team.number)
    ) { row throws(StoreError) in (try Connection.item(row), row.optionalText("technician")) }
  }

  package func addStock(
    to team: TeamID, make: @Sendable ([InventoryItem]) throws -> [InventoryItem]
  ) throws -> [InventoryItem] {
    try connection.transaction(of: [team]) {
      let known = try stock(of: team).map(\.item)
      let items = try make(known)
      let position = try connection.first(
        "SELECT coalesce(max(position) + 1, 0) FROM inventory_items WHERE team_id = ?", .integer(team.number)
      ) { row throws(StoreError) in row.number(0) }
      try connection.insert(items, team: team, scope: nil, position: position ?? 0)
      return items
    }
  }

  package func changeStock(
    _ id: InventoryItemID, of team: TeamID, change: @Sendable (inout InventoryItem) throws -> Void
  ) throws -> InventoryItem? {
    try connection.transaction(of: [team]) {
      guard var item = try stock(of: team).map(\.item).first(where: { $0.id == id }) else { return nil }
      try change(&item)
      try connection.run(
        """
        UPDATE inventory_items SET name = ?, chemical_type = ?, concentration = ?, cost_per_oz = ?, stock_oz = ?,
          threshold_oz = ?, unit_label = ? WHERE team_id = ? AND item_id = ?
        """, .text(item.name), .text(item.chemicalType), .real(item.concentration), .real(item.costPerOz),
        .real(item.currentStockOz), .real(item.lowStockThresholdOz), .text(item.unitLabel), .integer(team.number),
        .id(id))
      return item
    }
  }

  package func removeStock(_ id: InventoryItemID, of team: TeamID) throws -> Bool {
    try connection.run(
      "DELETE FROM inventory_items WHERE team_id = ? AND item_id = ?", .integer(team.number), .id(id)) == 1
  }

  // MARK: Equipment

  package func addEquipment(_ equipment: Equipment, every: WorkInterval?, to team: TeamID) throws -> Bool {
    try connection.transaction(of: [team]) {
      guard try connection.poolState(equipment.poolID, team: team) != nil else { return false }
      try connection.insert([equipment], team: team)
      if let every { try connection.setInterval(every, of: equipment.id, team: team) }
      return true
    }
  }

  package func changeEquipment(
    _ id: EquipmentID, at pool: PoolID, of team: TeamID, every: WorkInterval??,
    change: @Sendable (inout Equipment) throws -> Void
  ) throws -> Equipment? {
    try connection.transaction(of: [team]) {
      guard var equipment = try equipment(of: pool, team: team).first(where: { $0.id == id }) else { return nil }
      try change(&equipment)
      try connection.run("DELETE FROM equipment WHERE team_id = ? AND equipment_id = ?", .integer(team.number), .id(id))
      try connection.insert([equipment], team: team)
      if let every { try connection.setInterval(every, of: id, team: team) }
      return equipment
    }
  }

  package func removeEquipment(_ id: EquipmentID, of team: TeamID) throws -> Bool {
    try connection.transaction(of: [team]) {
      try connection.setInterval(nil, of: id, team: team)
      return try connection.run(
        "DELETE FROM equipment WHERE team_id = ? AND equipment_id = ?", .integer(team.number), .id(id)) == 1
    }
  }
}

extension Pools {
  /// Adds a pool that is served every week.
  package func addPool(
    to team: TeamID, day: Weekday, make: @Sendable (_ pools: Int, _ nextOrder: Int) throws -> Pool
  ) async throws -> Pool { try await addPool(to: team, day: day, rule: nil, make: make) }

  /// Changes a pool and its customer profile; its dates of service stay.
  package func changePool(
    _ id: PoolID, of team: TeamID, change: @Sendable (inout Pool) throws -> Void,
    people: (@Sendable (inout CustomerProfile) throws -> Void)?
  ) async throws -> Pool? {
    try await changePool(id, of: team, change: change, people: people, rule: nil, from: nil, today: nil)?.pool
  }

  /// Changes a pool and its dates of service; no notice tells of it.
  ///
  /// - Parameter date: the first date of the new rule; nil if it is for past dates, too.
  package func changePool(
    _ id: PoolID, of team: TeamID, change: @Sendable (inout Pool) throws -> Void,
    people: (@Sendable (inout CustomerProfile) throws -> Void)?,
    rule: (@Sendable (inout Pool, PoolService) throws -> CalendarDates?)?, from date: CivilDate? = nil
  ) async throws -> Pool? {
    try await changePool(id, of: team, change: change, people: people, rule: rule, from: date, today: nil)?.pool
  }
}

extension Connection {
  /// Changes a pool's profile and, if its `tech:` tag changed, the pool's technician.
  ///
  /// - Returns: nil if the pool no longer exists.
  func changeProfile(
    of pool: PoolID, team: TeamID, change: (inout CustomerProfile) throws -> Void
  ) throws -> CustomerProfile? {
    guard try poolState(pool, team: team) != nil else { return nil }
    let known = try profiles(of: team).first { $0.poolID == pool }
    var profile = known ?? .blank(pool)
    try change(&profile)
    try upsert([profile], team: team, scope: nil)
    if profile.technicianTag != known?.technicianTag {
      let owner = try PoolOwners(self, team: team, scope: nil).owner(tag: profile.technicianTag)
      try run(
        """
        UPDATE pools SET technician_id = ? WHERE team_id = ? AND pool_id = ? AND scope_technician_id IS NULL
        """, .integer(owner.number), .integer(team.number), .id(pool))
    }
    return profile
  }
}
