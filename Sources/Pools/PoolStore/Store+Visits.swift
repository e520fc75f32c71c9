package import FlowModel
import FlowStore
package import PoolChemistry
package import PoolModel

/// A visit that was logged or edited, with its effects.
package struct LoggedVisit: Sendable {
  package let event: ServiceEvent
  package let plan: VisitPlan
  /// The plan's doses, or the recorded doses if an edit left them unchanged.
  package let doses: [PlannedDose]
  /// The work that was marked as done with a logged visit.
  package var done: [WorkDone] = []
}

/// The data of a visit to log.
package struct VisitToLog: Sendable {
  /// All readings; those that were not measured keep their previous values.
  package let readings: WaterReadings
  package let measured: ReadingSet
  package let plan: VisitPlan

  package init(readings: WaterReadings, measured: ReadingSet, plan: VisitPlan) {
    self.readings = readings
    self.measured = measured
    self.plan = plan
  }
}

/// Default data for a new visit to a pool.
package struct VisitStart: Sendable {
  package let pool: Pool
  /// The newest visit that is not in the future; empty if there is none.
  package let recent: [ServiceEvent]
  /// Stock in listing order: the technician's truck, then the team's store.
  package let stock: [InventoryItem]
}

/// A visit with the customer of its pool.
package struct VisitLine: Sendable {
  package let event: ServiceEvent
  package let customer: String
  package let doses: Int
  /// True if it is the last visit logged with `pfctl` at its pool, so that it can be undone.
  package let canBeUndone: Bool

  package init(event: ServiceEvent, customer: String, doses: Int, canBeUndone: Bool) {
    self.event = event
    self.customer = customer
    self.doses = doses
    self.canBeUndone = canBeUndone
  }
}

/// New ids for a visit and its doses.
package struct VisitIdentities: Sendable {
  package let event: ServiceEventID
  package let dose: @Sendable () -> ChemicalDoseID

  package init(event: ServiceEventID, dose: @escaping @Sendable () -> ChemicalDoseID) {
    self.event = event
    self.dose = dose
  }
}

extension Store {
  package func visitStart(at pool: PoolID, of team: TeamID, now: Timestamp) throws -> VisitStart? {
    try connection.snapshot {
      guard let state = try connection.poolState(pool, team: team) else { return nil }
      return VisitStart(
        pool: state.pool, recent: try events(of: pool, team: team, limit: 1, until: now),
        stock: try connection.stock(of: team, technician: state.technician))
    }
  }

  package func logVisit(
    to pool: PoolID, of team: TeamID, at instant: Timestamp, now: Timestamp, notes: String,
    photo: (fileName: String, bytes: Int)? = nil, identities: VisitIdentities, done: WorkMarks? = nil,
    decide: @Sendable (Pool, [ServiceEvent], [InventoryItem]) throws -> VisitToLog
  ) throws -> LoggedVisit? {
    try connection.transaction(of: [team]) {
      guard let before = try connection.poolState(pool, team: team) else { return nil }
      let stock = try connection.stock(of: team, technician: before.technician)
      let newest = try events(of: pool, team: team, limit: 1, until: now)
      let recent = instant == now ? newest : try events(of: pool, team: team, limit: 1, until: instant)
      let visit = try decide(before.pool, recent, stock)
      let plan = visit.plan
      let event = ServiceEvent(
        id: identities.event, poolID: pool, timestamp: instant, readings: visit.readings.measured,
        lsiValue: plan.storedIndex, totalChemicalCost: plan.totalChemicalCost, techNotes: notes,
        photoFileName: photo?.fileName, measured: visit.measured,
        assumed: (recent.first?.assumed ?? .all).subtracting(visit.measured))
      try connection.insert([event], team: team) { _ in photo?.bytes }
      try connection.run(
        "UPDATE service_events SET logged_here = 1 WHERE team_id = ? AND event_id = ?", .integer(team.number),
        .id(event.id))
      try connection.rememberUndo(of: event, before: before, team: team)
      try connection.pour(plan, by: event.id, from: stock, team: team, dose: identities.dose)
      if !event.measured.isEmpty, newest.allSatisfy({ $0.timestamp <= instant }) {
        try connection.setWater(
          of: pool, team: team, event.readings, lsi: plan.result.lsiValue, isStale: true, updatedAt: now)
      }
      let done = try done.map { try connection.markDone($0, at: pool, during: event.id, team: team) }
      return LoggedVisit(event: event, plan: plan, doses: plan.doses, done: done ?? [])
    }
  }

  package func visits(
    of team: TeamID, pool: PoolID?, search: SearchText?, limit: Int
  ) throws -> [VisitLine] {
    try connection.visitLines(
      "AND (?2 IS NULL OR visit.pool_id = ?2)", of: team, .id(pool), search: search, limit: limit)
  }

  package func newestVisit(to pool: PoolID, of team: TeamID, now: Timestamp) throws -> VisitLine? {
    guard let event = try events(of: pool, team: team, limit: 1, until: now).first else { return nil }
    return try visits(of: team, beginning: event.id.description, limit: 1).first
  }

  package func visits(of team: TeamID, beginning id: String, limit: Int) throws -> [VisitLine] {
    try connection.visitLines(
      "AND substr(visit.event_id, 1, length(?2)) = upper(?2)", of: team, .text(id), search: nil, limit: limit)
  }
}

extension Store {
  package func oldestVisits(
    of team: TeamID, pool: PoolID?, after: Int, limit: Int
  ) throws -> [(event: ServiceEvent, customer: String)] {
    try connection.rows(
      """
      SELECT \(Connection.visitColumns), customer_name
      FROM service_events AS visit JOIN pools ON pools.team_id = visit.team_id AND pools.pool_id = visit.pool_id
      WHERE visit.team_id = ?1 AND (?4 IS NULL OR visit.pool_id = ?4) ORDER BY at_ms, event_id LIMIT ?2 OFFSET ?3
      """, .integer(team.number), .integer(limit), .integer(after), .id(pool)
    ) { row throws(StoreError) in (try Connection.visit(row), row.text("customer_name")) }
  }
}

/// A pool with columns that are not part of the app's record.
struct PoolState {
  let pool: Pool
  let technician: TechnicianID
  let isStale: Bool
}

extension WaterReadings {
  /// The readings without dissolved solids, which a visit does not measure.
  var measured: WaterReadings {
    var readings = self
    readings.totalDissolvedSolids = nil
    return readings
  }
}

extension Statement {
  /// The readings in a row with the columns of a pool or visit.
  func readings(dissolvedSolids: Double?) -> WaterReadings {
    WaterReadings(
      pH: real("ph"), waterTempF: real("water_temp_f"), calciumHardness: real("calcium_hardness"),
      totalAlkalinity: real("total_alkalinity"), cyanuricAcid: real("cyanuric_acid"),
      totalDissolvedSolids: dissolvedSolids)
  }

  /// The same with free chlorine and salt.
  func readingsWithSanitiser(dissolvedSolids: Double?) -> WaterReadings {
    var water = readings(dissolvedSolids: dissolvedSolids)
    water.freeChlorine = optionalReal("free_chlorine")
    water.salt = optionalReal("salt")
    return water
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

  /// Stock in listing order: the technician's truck, then the team's store.
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

  /// True if a stock item is dry, from the columns for its type, concentration and unit.
  static func isDry(_ row: Statement) -> Bool {
    ChemicalType(rawValue: row.text("chemical_type"))?.isDry(
      percent: row.real("concentration"), unit: row.text("unit_label")) ?? false
  }

  static let visitColumns = """
    visit.event_id, visit.pool_id, visit.at_ms, visit.ph, visit.water_temp_f, visit.calcium_hardness,
    visit.total_alkalinity, visit.cyanuric_acid, visit.lsi, visit.total_chemical_cost, visit.tech_notes, visit.photo_name,
    visit.measured, visit.assumed, visit.free_chlorine, visit.salt
    """

  static func visit(_ row: Statement) throws(StoreError) -> ServiceEvent {
    ServiceEvent(
      id: try row.id("event_id", table: "service_events"), poolID: try row.id("pool_id", table: "service_events"),
      timestamp: row.instant("at_ms"), readings: row.readingsWithSanitiser(dissolvedSolids: nil),
      lsiValue: row.real("lsi"),
      totalChemicalCost: row.real("total_chemical_cost"), techNotes: row.text("tech_notes"),
      photoFileName: row.optionalText("photo_name"), measured: ReadingSet(rawValue: row.number("measured")),
      assumed: ReadingSet(rawValue: row.number("assumed")))
  }

  /// Sets the amount of an item in stock, in ounces.
  func setStock(_ item: InventoryItemID, team: TeamID, to ounces: Double) throws(StoreError) {
    try run(
      "UPDATE inventory_items SET stock_oz = ? WHERE team_id = ? AND item_id = ?", .real(ounces),
      .integer(team.number), .id(item))
  }

  /// The amount of an item in stock, in ounces; nil if the item does not exist.
  func stockLeft(of item: InventoryItemID, team: TeamID) throws(StoreError) -> Double? {
    try first(
      "SELECT stock_oz FROM inventory_items WHERE team_id = ? AND item_id = ?", .integer(team.number), .id(item)
    ) { row throws(StoreError) in row.real(0) }
  }

  /// Sets the readings that a visit measures, and the index; dissolved solids stay unchanged.
  func setWater(
    of pool: PoolID, team: TeamID, _ readings: WaterReadings, lsi: Double, isStale: Bool, updatedAt: Timestamp
  ) throws(StoreError) {
    try run(
      """
      UPDATE pools SET ph = ?, water_temp_f = ?, calcium_hardness = ?, total_alkalinity = ?, cyanuric_acid = ?,
        free_chlorine = ?, salt = ?, cached_lsi = ?, lsi_stale = ?, updated_ms = ? WHERE team_id = ? AND pool_id = ?
      """, .real(readings.pH), .real(readings.waterTempF), .real(readings.calciumHardness),
      .real(readings.totalAlkalinity), .real(readings.cyanuricAcid), .optional(readings.freeChlorine),
      .optional(readings.salt), .real(lsi), .flag(isStale), .at(updatedAt), .integer(team.number), .id(pool))
  }

  /// Visits, newest first.
  ///
  /// - Parameter filter: a further SQL condition that uses `?2`.
  fileprivate func visitLines(
    _ filter: String, of team: TeamID, _ value: SQLValue, search: SearchText?, limit: Int
  ) throws(StoreError) -> [VisitLine] {
    var lines: [VisitLine] = []
    _ = try rows(
      """
      SELECT \(Self.visitColumns), customer_name,
        (SELECT count(*) FROM chemical_doses AS dose
         WHERE dose.team_id = visit.team_id AND dose.event_id = visit.event_id) AS doses,
        EXISTS (SELECT 1 FROM visit_undos AS undo WHERE undo.team_id = visit.team_id
                AND undo.event_id = visit.event_id AND undo.is_last = 1) AS can_be_undone
      FROM service_events AS visit JOIN pools ON pools.team_id = visit.team_id AND pools.pool_id = visit.pool_id
      WHERE visit.team_id = ?1 \(filter) ORDER BY at_ms DESC, event_id LIMIT ?3
      """, .integer(team.number), value, .integer(search == nil ? Int64(limit) : .max)
    ) { row throws(StoreError) in
      // SQL cannot ignore accents, so the search runs on the rows.
      let customer = row.text("customer_name")
      guard lines.count < limit,
        search.map({ $0.isFound(in: customer) || $0.isFound(in: row.text("tech_notes")) }) ?? true
      else { return }
      lines.append(
        VisitLine(
          event: try Connection.visit(row), customer: customer, doses: row.number("doses"),
          canBeUndone: row.flag("can_be_undone")))
    }
    return lines
  }
}
