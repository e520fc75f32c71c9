package import PoolChemistry
package import PoolModel

/// A visit as it was logged, with what it did.
package struct LoggedVisit: Sendable {
  package let event: ServiceEvent
  package let plan: VisitPlan
}

/// A visit with the pool it was paid to.
package struct VisitLine: Sendable {
  package let event: ServiceEvent
  package let customer: String
  package let doses: Int
  /// It was logged here and nothing has come after it at that pool: it can be taken back.
  package let canBeUndone: Bool
}

/// What taking back a visit did.
package enum VisitUndo: Sendable {
  case done(ServiceEvent)
  /// The pool has no visit that could be taken back.
  case nothing
}

/// Identities for the records that a visit makes: one for the visit, one for each dose.
package struct VisitIdentities: Sendable {
  package let event: ServiceEventID
  package let dose: @Sendable () -> ChemicalDoseID

  package init(event: ServiceEventID, dose: @escaping @Sendable () -> ChemicalDoseID) {
    self.event = event
    self.dose = dose
  }
}

extension Store {
  package func logVisit(
    to pool: PoolID, of team: TeamID, at now: Timestamp, notes: String,
    photo: (fileName: String, bytes: Int)? = nil, identities: VisitIdentities,
    decide: @Sendable (Pool, [ServiceEvent], [InventoryItem]) throws -> (readings: WaterReadings, plan: VisitPlan)
  ) throws -> LoggedVisit? {
    try connection.transaction {
      guard let before = try connection.poolState(pool, team: team) else { return nil }
      let stock = try connection.stock(of: team, technician: before.technician)
      let recent = try events(of: pool, team: team, limit: 1)
      let (readings, plan) = try decide(before.pool, recent, stock)
      var measured = readings
      measured.totalDissolvedSolids = nil
      let event = ServiceEvent(
        id: identities.event, poolID: pool, timestamp: now, readings: measured, lsiValue: plan.result.lsiValue,
        totalChemicalCost: plan.totalChemicalCost, techNotes: notes, photoFileName: photo?.fileName)
      try connection.insert([event], team: team) { _ in photo?.bytes }
      try connection.run(
        "UPDATE service_events SET logged_here = 1 WHERE team_id = ? AND event_id = ?", .integer(team.number),
        .id(event.id))
      try connection.insert(
        plan.doses.map { dose in
          ChemicalDose(
            id: identities.dose(), serviceEventID: event.id, chemicalID: dose.item, quantityOz: dose.quantityOz,
            cost: dose.cost)
        }, team: team)
      try connection.rememberUndo(of: event, before: before, team: team)
      for item in stock {
        guard let left = plan.stockAfter[item.id] else { continue }
        try connection.setStock(item.id, team: team, to: left)
        try connection.rememberStock(item, of: event.id, left: left, team: team)
      }
      try connection.setWater(
        of: pool, team: team, measured, lsi: plan.result.lsiValue, isStale: true, updatedAt: now)
      return LoggedVisit(event: event, plan: plan)
    }
  }

  package func undoVisit(to pool: PoolID, of team: TeamID) throws -> VisitUndo {
    try connection.transaction {
      guard let undo = try connection.undo(of: pool, team: team) else { return .nothing }
      let event = try events(of: pool, team: team, limit: Limits.visitsLookedAt).first { $0.id == undo.event }
      guard let event, let now = try connection.poolState(pool, team: team) else { return .nothing }
      for taken in try connection.stockTaken(by: undo.event, team: team) {
        guard let current = try connection.stockLeft(of: taken.item, team: team) else { continue }
        let back = current == taken.after ? taken.before : current + (taken.before - taken.after)
        try connection.setStock(taken.item, team: team, to: max(0, back))
      }
      if now.pool.readings.measured == event.readings {
        var restored = undo.readings
        restored.totalDissolvedSolids = now.pool.readings.totalDissolvedSolids
        try connection.setWater(
          of: pool, team: team, undo.readings, lsi: LSIResult(restored).lsiValue, isStale: undo.wasStale,
          updatedAt: undo.updatedAt)
      }
      try connection.run(
        "DELETE FROM service_events WHERE team_id = ? AND event_id = ?", .integer(team.number), .id(undo.event))
      return .done(event)
    }
  }

  package func visits(of team: TeamID, pool: PoolID?, limit: Int) throws -> [VisitLine] {
    try connection.rows(
      """
      SELECT \(Connection.visitColumns), customer_name,
        (SELECT count(*) FROM chemical_doses AS dose
         WHERE dose.team_id = visit.team_id AND dose.event_id = visit.event_id) AS doses,
        EXISTS (SELECT 1 FROM visit_undos AS undo
                WHERE undo.team_id = visit.team_id AND undo.event_id = visit.event_id) AS can_be_undone
      FROM service_events AS visit JOIN pools ON pools.team_id = visit.team_id AND pools.pool_id = visit.pool_id
      WHERE visit.team_id = ?1 AND (?2 IS NULL OR visit.pool_id = ?2) ORDER BY at_ms DESC, event_id LIMIT ?3
      """, .integer(team.number), pool.map { .id($0) } ?? .null, .integer(limit)
    ) { row throws(StoreError) in
      VisitLine(
        event: try Connection.visit(row), customer: row.text("customer_name"), doses: row.number("doses"),
        canBeUndone: row.flag("can_be_undone"))
    }
  }
}

extension Store {
  package func oldestVisits(
    of team: TeamID, after: Int, limit: Int
  ) throws -> [(event: ServiceEvent, customer: String)] {
    try connection.rows(
      """
      SELECT \(Connection.visitColumns), customer_name
      FROM service_events AS visit JOIN pools ON pools.team_id = visit.team_id AND pools.pool_id = visit.pool_id
      WHERE visit.team_id = ? ORDER BY at_ms, event_id LIMIT ? OFFSET ?
      """, .integer(team.number), .integer(limit), .integer(after)
    ) { row throws(StoreError) in (try Connection.visit(row), row.text("customer_name")) }
  }
}

/// A pool with what the store knows besides.
struct PoolState {
  let pool: Pool
  let technician: TechnicianID
  let isStale: Bool
}

/// What a visit's undo needs to know.
struct VisitMemory {
  let event: ServiceEventID
  let readings: WaterReadings
  let wasStale: Bool
  let updatedAt: Timestamp
}

extension WaterReadings {
  /// Without the dissolved solids, which a visit does not measure.
  var measured: WaterReadings {
    var readings = self
    readings.totalDissolvedSolids = nil
    return readings
  }
}

extension Statement {
  /// Of a row with the columns of that name.
  func readings(dissolvedSolids: Double?) -> WaterReadings {
    WaterReadings(
      pH: real("ph"), waterTempF: real("water_temp_f"), calciumHardness: real("calcium_hardness"),
      totalAlkalinity: real("total_alkalinity"), cyanuricAcid: real("cyanuric_acid"),
      totalDissolvedSolids: dissolvedSolids)
  }
}

extension Connection {
  func poolState(_ pool: PoolID, team: TeamID) throws(StoreError) -> PoolState? {
    try first(
      "SELECT \(Self.poolColumns), technician_id, lsi_stale FROM pools WHERE team_id = ? AND pool_id = ?",
      .integer(team.number), .id(pool)
    ) { row throws(StoreError) in
      PoolState(
        pool: try Self.pool(row), technician: TechnicianID(row.integer("technician_id")),
        isStale: row.flag("lsi_stale"))
    }
  }

  /// In listing order: what lies on the technician's truck, then the team's own store.
  func stock(of team: TeamID, technician: TechnicianID) throws(StoreError) -> [InventoryItem] {
    try rows(
      """
      SELECT \(Self.itemColumns) FROM inventory_items AS item
      WHERE team_id = ?1 AND (scope_technician_id IS NULL OR scope_technician_id = ?2)
      ORDER BY scope_technician_id IS NULL, position, item_id
      """, .integer(team.number), .integer(technician.number)
    ) { row throws(StoreError) in try Self.item(row) }
  }

  static let itemColumns = """
    item.item_id, item.name, item.chemical_type, item.concentration, item.cost_per_oz, item.stock_oz, item.threshold_oz,
    item.unit_label
    """

  static func item(_ row: Statement) throws(StoreError) -> InventoryItem {
    InventoryItem(
      id: try row.id("item_id", table: "inventory_items"), name: row.text("name"),
      chemicalType: row.text("chemical_type"), concentration: row.real("concentration"),
      costPerOz: row.real("cost_per_oz"), currentStockOz: row.real("stock_oz"),
      lowStockThresholdOz: row.real("threshold_oz"), unitLabel: row.text("unit_label"))
  }

  static let visitColumns = """
    visit.event_id, visit.pool_id, visit.at_ms, visit.ph, visit.water_temp_f, visit.calcium_hardness,
    visit.total_alkalinity, visit.cyanuric_acid, visit.lsi, visit.total_chemical_cost, visit.tech_notes, visit.photo_name
    """

  static func visit(_ row: Statement) throws(StoreError) -> ServiceEvent {
    ServiceEvent(
      id: try row.id("event_id", table: "service_events"), poolID: try row.id("pool_id", table: "service_events"),
      timestamp: row.instant("at_ms"), readings: row.readings(dissolvedSolids: nil), lsiValue: row.real("lsi"),
      totalChemicalCost: row.real("total_chemical_cost"), techNotes: row.text("tech_notes"),
      photoFileName: row.optionalText("photo_name"))
  }

  func setStock(_ item: InventoryItemID, team: TeamID, to ounces: Double) throws(StoreError) {
    try run(
      "UPDATE inventory_items SET stock_oz = ? WHERE team_id = ? AND item_id = ?", .real(ounces),
      .integer(team.number), .id(item))
  }

  func stockLeft(of item: InventoryItemID, team: TeamID) throws(StoreError) -> Double? {
    try first(
      "SELECT stock_oz FROM inventory_items WHERE team_id = ? AND item_id = ?", .integer(team.number), .id(item)
    ) { row throws(StoreError) in row.real(0) }
  }

  /// The readings that a visit measures, and the index; dissolved solids stay.
  func setWater(
    of pool: PoolID, team: TeamID, _ readings: WaterReadings, lsi: Double, isStale: Bool, updatedAt: Timestamp
  ) throws(StoreError) {
    try run(
      """
      UPDATE pools SET ph = ?, water_temp_f = ?, calcium_hardness = ?, total_alkalinity = ?, cyanuric_acid = ?,
        cached_lsi = ?, lsi_stale = ?, updated_ms = ? WHERE team_id = ? AND pool_id = ?
      """, .real(readings.pH), .real(readings.waterTempF), .real(readings.calciumHardness),
      .real(readings.totalAlkalinity), .real(readings.cyanuricAcid), .real(lsi), .flag(isStale), .at(updatedAt),
      .integer(team.number), .id(pool))
  }

  /// Only a pool's last visit can be taken back, so an older memory of the pool goes.
  fileprivate func rememberUndo(of event: ServiceEvent, before: PoolState, team: TeamID) throws(StoreError) {
    try run(
      "DELETE FROM visit_undos WHERE team_id = ? AND pool_id = ?", .integer(team.number), .id(event.poolID))
    let readings = before.pool.readings
    try run(
      """
      INSERT INTO visit_undos (team_id, event_id, pool_id, ph, water_temp_f, calcium_hardness, total_alkalinity,
        cyanuric_acid, lsi_stale, updated_ms)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """, .integer(team.number), .id(event.id), .id(event.poolID), .real(readings.pH), .real(readings.waterTempF),
      .real(readings.calciumHardness), .real(readings.totalAlkalinity), .real(readings.cyanuricAcid),
      .flag(before.isStale), .at(before.pool.updatedAt))
  }

  fileprivate func rememberStock(
    _ item: InventoryItem, of event: ServiceEventID, left: Double, team: TeamID
  ) throws(StoreError) {
    try run(
      "INSERT INTO visit_undo_stock (team_id, event_id, item_id, before_oz, after_oz) VALUES (?, ?, ?, ?, ?)",
      .integer(team.number), .id(event), .id(item.id), .real(item.currentStockOz), .real(left))
  }

  fileprivate func undo(of pool: PoolID, team: TeamID) throws(StoreError) -> VisitMemory? {
    try first(
      """
      SELECT event_id, ph, water_temp_f, calcium_hardness, total_alkalinity, cyanuric_acid, lsi_stale, updated_ms
      FROM visit_undos WHERE team_id = ? AND pool_id = ?
      """, .integer(team.number), .id(pool)
    ) { row throws(StoreError) in
      VisitMemory(
        event: try row.id("event_id", table: "visit_undos"), readings: row.readings(dissolvedSolids: nil),
        wasStale: row.flag("lsi_stale"), updatedAt: row.instant("updated_ms"))
    }
  }

  fileprivate func stockTaken(
    by event: ServiceEventID, team: TeamID
  ) throws(StoreError) -> [(item: InventoryItemID, before: Double, after: Double)] {
    try rows(
      "SELECT item_id, before_oz, after_oz FROM visit_undo_stock WHERE team_id = ? AND event_id = ?",
      .integer(team.number), .id(event)
    ) { row throws(StoreError) in
      (try row.id(0, table: "visit_undo_stock", name: "item_id"), row.real(1), row.real(2))
    }
  }
}
