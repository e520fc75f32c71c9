package import FlowModel
import FlowStore
package import PoolChemistry
package import PoolModel

/// The water before a visit.
package struct WaterBefore: Sendable {
  /// Those of the visit before, or else of the pool then; nil if neither is known.
  package let readings: WaterReadings?
  /// The readings that no earlier visit had taken.
  package let assumed: ReadingSet
}

/// The new state of an edited visit.
package struct VisitEdit: Sendable {
  package let readings: WaterReadings
  /// The readings that the edit names; they count as measured during the visit.
  package let measured: ReadingSet
  /// The readings that were not taken at the visit after all.
  package let removed: ReadingSet
  package let notes: String
  package let plan: VisitPlan
  /// True if the plan's doses replace the recorded ones.
  package let pours: Bool

  package init(
    readings: WaterReadings, measured: ReadingSet, removed: ReadingSet = [], notes: String, plan: VisitPlan, pours: Bool
  ) {
    self.readings = readings
    self.measured = measured
    self.removed = removed
    self.notes = notes
    self.plan = plan
    self.pours = pours
  }
}

/// The result of undoing a visit.
package enum VisitUndo: Sendable {
  case done(ServiceEvent)
  /// The pool has no visit that can be undone.
  case nothing
}

// For each visit logged or edited with `pfctl`, the store keeps the amounts that it took from stock and the pool's state
// before it. Only the last visit logged at a pool (`visit_undos.is_last`) can be undone; for other visits the amounts are
// returned to stock when they are edited or removed.
extension Store {
  package func editVisit(
    _ id: ServiceEventID, of team: TeamID, now: Timestamp, dose: @Sendable () -> ChemicalDoseID,
    decide: @Sendable (Pool, ServiceEvent, WaterBefore, [InventoryItem]) throws -> VisitEdit
  ) throws -> LoggedVisit? {
    try connection.transaction(of: [team]) {
      guard let before = try connection.visit(id, team: team),
        let state = try connection.poolState(before.poolID, team: team)
      else { return nil }
      let returned = try connection.returnedStock(by: id, team: team)
      let stock = try connection.stock(of: team, technician: state.technician).map { item in
        var item = item
        item.currentStockOz = returned[item.id] ?? item.currentStockOz
        return item
      }
      let earlier = try water(before: before, team)
      let edit = try decide(state.pool, before, earlier, stock)
      let isRemeasured =
        edit.readings.measured != before.readings || !before.measured.isSuperset(of: edit.measured)
        || !before.measured.isDisjoint(with: edit.removed)
      var event = before
      event.techNotes = edit.notes
      event.readings = edit.readings.measured
      event.measured.formUnion(edit.measured)
      event.measured.subtract(edit.removed)
      event.assumed.subtract(edit.measured)
      event.assumed.formUnion(edit.removed.intersection(earlier.assumed))
      if isRemeasured { event.lsiValue = edit.plan.storedIndex }
      if edit.pours {
        event.totalChemicalCost = edit.plan.totalChemicalCost
        for (item, ounces) in returned { try connection.setStock(item, team: team, to: ounces) }
        try connection.forgetDoses(of: id, team: team)
        try connection.pour(edit.plan, by: id, from: stock, team: team, dose: dose)
      }
      try connection.rewrite(event, team: team)
      if isRemeasured, event.timestamp <= now, try isNewest(event, team, now: now) {
        try connection.setWater(
          of: event.poolID, team: team, event.readings, lsi: edit.plan.result.lsiValue, isStale: true, updatedAt: now)
      } else if isRemeasured {
        // The undo data of a newer visit may contain the old readings.
        try connection.forgetUndo(at: event.poolID, unlessOf: id, team: team)
      }
      return LoggedVisit(
        event: event, plan: edit.plan,
        doses: edit.pours ? edit.plan.doses : try connection.poured(by: id, team: team))
    }
  }

  package func removeVisit(
    _ id: ServiceEventID, of team: TeamID, now: Timestamp, dryRun: Bool
  ) throws -> ServiceEvent? {
    try connection.transaction(of: [team], dryRun: dryRun) {
      guard let event = try connection.visit(id, team: team) else { return nil }
      try revert(event, team, now: now)
      return event
    }
  }

  package func undoVisit(to pool: PoolID, of team: TeamID, now: Timestamp) throws -> VisitUndo {
    try connection.transaction(of: [team]) {
      guard let id = try connection.undoable(at: pool, team: team), let event = try connection.visit(id, team: team)
      else { return .nothing }
      try revert(event, team, now: now)
      return .done(event)
    }
  }

  /// Removes a visit, returns its doses to stock and restores the pool's readings and the dates of the work that was done.
  private func revert(_ event: ServiceEvent, _ team: TeamID, now: Timestamp) throws {
    for (item, ounces) in try connection.returnedStock(by: event.id, team: team) {
      try connection.setStock(item, team: team, to: ounces)
    }
    if let pool = try connection.poolState(event.poolID, team: team)?.pool,
      pool.readings.measured == event.readings, try isNewest(event, team, now: now)
    {
      try restoreWater(of: pool, without: event, team, now: now)
    }
    try connection.forgetUndo(at: event.poolID, unlessOf: event.id, team: team)
    try connection.revertWork(doneDuring: event.id, at: event.poolID, team: team)
    try connection.run(
      "DELETE FROM service_events WHERE team_id = ? AND event_id = ?", .integer(team.number), .id(event.id))
  }

  /// Restores the pool's readings: the state before its last visit, else the readings of the newest remaining visit, else the
  /// state before this visit.
  private func restoreWater(
    of pool: Pool, without event: ServiceEvent, _ team: TeamID, now: Timestamp
  ) throws {
    let undoRecord = try connection.undoRecord(of: event.id, team: team)
    let next = try events(of: pool.id, team: team, limit: 2, until: now).first { $0.id != event.id }
    let isUndone = undoRecord?.isLast == true
    guard var water = isUndone ? undoRecord?.readings : next?.readings ?? undoRecord?.readings else { return }
    let measured = water
    water.totalDissolvedSolids = pool.readings.totalDissolvedSolids
    let method = try connection.lsiMethod(of: team)
    try connection.setWater(
      of: pool.id, team: team, measured, lsi: LSIResult(water, by: method).lsiValue,
      isStale: isUndone ? undoRecord?.wasStale ?? true : true, updatedAt: isUndone ? undoRecord?.updatedAt ?? now : now)
  }

  private func water(before event: ServiceEvent, _ team: TeamID) throws -> WaterBefore {
    let visit = try events(of: event.poolID, team: team, limit: 2, until: event.timestamp).first { $0.id != event.id }
    return WaterBefore(
      readings: try visit?.readings ?? connection.undoRecord(of: event.id, team: team)?.readings,
      assumed: visit?.assumed ?? .all)
  }

  /// True if it is the newest visit to its pool; visits dated in the future are ignored.
  private func isNewest(_ event: ServiceEvent, _ team: TeamID, now: Timestamp) throws -> Bool {
    let others = try events(of: event.poolID, team: team, limit: 2, until: max(now, event.timestamp))
    return others.allSatisfy { $0.id == event.id || $0.timestamp <= event.timestamp }
  }
}

/// The state of a pool before a visit.
private struct UndoRecord {
  /// True if it is the last visit logged at its pool, which can be undone.
  let isLast: Bool
  let readings: WaterReadings
  let wasStale: Bool
  let updatedAt: Timestamp
}

extension Connection {
  func visit(_ id: ServiceEventID, team: TeamID) throws(StoreError) -> ServiceEvent? {
    try first(
      "SELECT \(Self.visitColumns) FROM service_events AS visit WHERE team_id = ? AND event_id = ?",
      .integer(team.number), .id(id)
    ) { row throws(StoreError) in try Self.visit(row) }
  }

  /// Records a plan's doses and takes them from stock.
  func pour(
    _ plan: VisitPlan, by event: ServiceEventID, from stock: [InventoryItem], team: TeamID,
    dose: () -> ChemicalDoseID
  ) throws(StoreError) {
    var doses: [ChemicalDose] = []
    for one in plan.doses {
      doses.append(
        ChemicalDose(
          id: dose(), serviceEventID: event, chemicalID: one.item, quantityOz: one.quantityOz, cost: one.cost))
    }
    try insert(doses, team: team)
    for item in stock {
      guard let left = plan.stockAfter[item.id] else { continue }
      try setStock(item.id, team: team, to: left)
      try run(
        "INSERT INTO visit_undo_stock (team_id, event_id, item_id, before_oz, after_oz) VALUES (?, ?, ?, ?, ?)",
        .integer(team.number), .id(event), .id(item.id), .real(item.currentStockOz), .real(left))
    }
  }

  /// Stores the undo data of a new visit; the visit before it can no longer be undone.
  func rememberUndo(of event: ServiceEvent, before: PoolState, team: TeamID) throws(StoreError) {
    try forgetUndo(at: event.poolID, unlessOf: event.id, team: team)
    let readings = before.pool.readings
    try run(
      """
      INSERT INTO visit_undos (team_id, event_id, pool_id, is_last, ph, water_temp_f, calcium_hardness,
        total_alkalinity, cyanuric_acid, lsi_stale, updated_ms, free_chlorine, salt)
      VALUES (?, ?, ?, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """, .integer(team.number), .id(event.id), .id(event.poolID), .real(readings.pH), .real(readings.waterTempF),
      .real(readings.calciumHardness), .real(readings.totalAlkalinity), .real(readings.cyanuricAcid),
      .flag(before.isStale), .at(before.pool.updatedAt), .optional(readings.freeChlorine), .optional(readings.salt))
  }

  /// Marks other visits to the pool as no longer undoable.
  fileprivate func forgetUndo(at pool: PoolID, unlessOf event: ServiceEventID, team: TeamID) throws(StoreError) {
    try run(
      "UPDATE visit_undos SET is_last = 0 WHERE team_id = ? AND pool_id = ? AND is_last = 1 AND event_id != ?",
      .integer(team.number), .id(pool), .id(event))
  }

  /// Deletes a visit's doses, and adds undo data to a visit without any, so that amounts taken from now on can be stored.
  fileprivate func forgetDoses(of event: ServiceEventID, team: TeamID) throws(StoreError) {
    try run(
      """
      INSERT INTO visit_undos (team_id, event_id, pool_id, is_last, ph, water_temp_f, calcium_hardness,
        total_alkalinity, cyanuric_acid, lsi_stale, updated_ms, free_chlorine, salt)
      SELECT team_id, event_id, pool_id, 0, ph, water_temp_f, calcium_hardness, total_alkalinity,
        cyanuric_acid, 1, at_ms, free_chlorine, salt FROM service_events WHERE team_id = ? AND event_id = ?
      ON CONFLICT DO NOTHING
      """, .integer(team.number), .id(event))
    for table in ["visit_undo_stock", "chemical_doses"] {
      try run("DELETE FROM \(table) WHERE team_id = ? AND event_id = ?", .integer(team.number), .id(event))
    }
  }

  /// Writes an edited visit and marks it as edited, so that an import can report that it would be lost.
  fileprivate func rewrite(_ event: ServiceEvent, team: TeamID) throws(StoreError) {
    let water = event.readings
    try run(
      """
      UPDATE service_events SET ph = ?, water_temp_f = ?, calcium_hardness = ?, total_alkalinity = ?, cyanuric_acid = ?,
        lsi = ?, total_chemical_cost = ?, tech_notes = ?, measured = ?, assumed = ?, free_chlorine = ?, salt = ?,
        logged_here = 2
      WHERE team_id = ? AND event_id = ?
      """, .real(water.pH), .real(water.waterTempF), .real(water.calciumHardness), .real(water.totalAlkalinity),
      .real(water.cyanuricAcid), .real(event.lsiValue), .real(event.totalChemicalCost), .text(event.techNotes),
      .integer(event.measured.rawValue), .integer(event.assumed.rawValue), .optional(water.freeChlorine),
      .optional(water.salt), .integer(team.number), .id(event.id))
  }

  /// The visit to a pool that can be undone; nil if there is none.
  fileprivate func undoable(at pool: PoolID, team: TeamID) throws(StoreError) -> ServiceEventID? {
    try first(
      "SELECT event_id FROM visit_undos WHERE team_id = ? AND pool_id = ? AND is_last = 1", .integer(team.number),
      .id(pool)
    ) { row throws(StoreError) in try row.id("event_id", table: "visit_undos") }
  }

  /// The undo data of a visit; nil if there is none.
  fileprivate func undoRecord(of event: ServiceEventID, team: TeamID) throws(StoreError) -> UndoRecord? {
    try first(
      """
      SELECT is_last, ph, water_temp_f, calcium_hardness, total_alkalinity, cyanuric_acid, lsi_stale, updated_ms,
        free_chlorine, salt
      FROM visit_undos WHERE team_id = ? AND event_id = ?
      """, .integer(team.number), .id(event)
    ) { row throws(StoreError) in
      UndoRecord(
        isLast: row.flag("is_last"), readings: row.readingsWithSanitiser(dissolvedSolids: nil),
        wasStale: row.flag("lsi_stale"), updatedAt: row.instant("updated_ms"))
    }
  }

  /// The stock if the visit had used no chemicals: computed from the amounts it took if they are known, else from its doses.
  /// Items removed from stock are left out.
  fileprivate func returnedStock(
    by event: ServiceEventID, team: TeamID
  ) throws(StoreError) -> [InventoryItemID: Double] {
    var given: [InventoryItemID: Double] = [:]
    if try undoRecord(of: event, team: team) == nil {
      for dose in try poured(by: event, team: team) {
        guard let id = dose.item, let left = try stockLeft(of: id, team: team) else { continue }
        given[id] = max(0, finite((given[id] ?? left) + dose.quantityOz))
      }
      return given
    }
    let taken = try rows(
      "SELECT item_id, before_oz, after_oz FROM visit_undo_stock WHERE team_id = ? AND event_id = ?",
      .integer(team.number), .id(event)
    ) { row throws(StoreError) -> (InventoryItemID, Double, Double) in
      (try row.id(0, table: "visit_undo_stock", name: "item_id"), row.real(1), row.real(2))
    }
    for (item, before, after) in taken {
      guard let left = try stockLeft(of: item, team: team) else { continue }
      given[item] = max(0, left == after ? before : left + (before - after))
    }
    return given
  }

  /// The doses of a visit, largest first; a chemical removed from stock has no name.
  fileprivate func poured(by event: ServiceEventID, team: TeamID) throws(StoreError) -> [PlannedDose] {
    try rows(
      """
      SELECT dose.chemical_id, dose.quantity_oz, dose.cost, coalesce(item.name, '') AS name,
        coalesce(item.chemical_type, '') AS chemical_type, coalesce(item.concentration, 0) AS concentration,
        coalesce(item.unit_label, '') AS unit_label FROM chemical_doses AS dose
      LEFT JOIN inventory_items AS item ON item.team_id = dose.team_id AND item.item_id = dose.chemical_id
      WHERE dose.team_id = ? AND dose.event_id = ? ORDER BY dose.quantity_oz DESC, dose.dose_id
      """, .integer(team.number), .id(event)
    ) { row throws(StoreError) in
      PlannedDose(
        item: row.optionalText("chemical_id").flatMap { InventoryItemID($0) }, chemicalType: row.text("chemical_type"),
        name: row.text("name"), quantityOz: row.real("quantity_oz"), cost: row.real("cost"), isDry: Self.isDry(row))
    }
  }
}
