import PoolChemistry
import PoolDigests
import PoolModel

// What digests look at besides the route: bounded by a team's pools of a day, its items, or its pools.

extension Connection {
  /// The newest visit of each pool as `visit`, found by the index and not by reading all visits.
  static let newestVisit = """
    LEFT JOIN service_events AS visit ON visit.rowid = (
      SELECT rowid FROM service_events AS newest
      WHERE newest.team_id = pools.team_id AND newest.pool_id = pools.pool_id
      ORDER BY newest.at_ms DESC, newest.event_id LIMIT 1)
    """

  /// The pool's identity and customer, what its water needs, and the readings of its newest visit, else its own.
  static let careColumns = """
    pools.pool_id, pools.customer_name, pools.volume_gal, pools.updated_ms, pools.total_dissolved_solids,
    visit.at_ms AS visited_ms, coalesce(visit.ph, pools.ph) AS ph,
    coalesce(visit.water_temp_f, pools.water_temp_f) AS water_temp_f,
    coalesce(visit.calcium_hardness, pools.calcium_hardness) AS calcium_hardness,
    coalesce(visit.total_alkalinity, pools.total_alkalinity) AS total_alkalinity,
    coalesce(visit.cyanuric_acid, pools.cyanuric_acid) AS cyanuric_acid
    """

  /// Of a row with `careColumns`.
  static func care(_ row: Statement, equipment: [DatedEquipment], chlorine: [UsualDose]) -> StopCare {
    StopCare(
      volumeGallons: row.real("volume_gal"),
      readings: row.readings(dissolvedSolids: row.optionalReal("total_dissolved_solids")),
      lastVisit: row.optionalInstant("visited_ms"), updatedAt: row.instant("updated_ms"), equipment: equipment,
      usualChlorine: chlorine)
  }

  /// Machines with a date, at the pools of a day.
  func datedEquipment(of team: TeamID, on day: Weekday) throws(StoreError) -> [PoolID: [DatedEquipment]] {
    var found: [PoolID: [DatedEquipment]] = [:]
    let machines = try rows(
      """
      SELECT pools.pool_id, machine.name, next_service_ms, warranty_expiry_ms
      FROM pools JOIN equipment AS machine ON machine.team_id = pools.team_id AND machine.pool_id = pools.pool_id
      WHERE pools.team_id = ? AND pools.service_day = ?
        AND (next_service_ms IS NOT NULL OR warranty_expiry_ms IS NOT NULL)
      ORDER BY pools.pool_id, machine.name, equipment_id LIMIT ?
      """, .integer(team.number), .integer(day.rawValue), .integer(Limits.rowsPerAnswer)
    ) { row throws(StoreError) in
      let id: PoolID = try row.id("pool_id", table: "pools")
      return (
        id,
        DatedEquipment(
          name: row.text("name"), nextService: row.optionalInstant("next_service_ms"),
          warrantyEnd: row.optionalInstant("warranty_expiry_ms"))
      )
    }
    for (id, machine) in machines { found[id, default: []].append(machine) }
    return found
  }

  /// What a visit usually pours of chlorine, by pool, where the stock has a chlorine and it is not nothing.
  ///
  /// - Parameter day: of pools of this day alone; nil for all.
  func usualChlorine(of team: TeamID, on day: Weekday?) throws(StoreError) -> [PoolID: [UsualDose]] {
    let chlorines = try rows(
      "SELECT item_id, name, concentration FROM inventory_items WHERE team_id = ? AND chemical_type = 'chlorine'",
      .integer(team.number)
    ) { row throws(StoreError) in
      (
        id: try row.id("item_id", table: "inventory_items") as InventoryItemID, name: row.text("name"),
        isDry: ChemicalType.chlorine.isDry(percent: row.real("concentration"))
      )
    }
    guard !chlorines.isEmpty else { return [:] }
    let poured = try rows(
      """
      SELECT pools.pool_id, visit.rowid AS visit, dose.quantity_oz, dose.chemical_id
      FROM pools CROSS JOIN service_events AS visit ON visit.rowid IN (
        SELECT rowid FROM service_events AS newest
        WHERE newest.team_id = pools.team_id AND newest.pool_id = pools.pool_id
        ORDER BY newest.at_ms DESC, newest.event_id LIMIT ?3)
      LEFT JOIN chemical_doses AS dose ON dose.team_id = visit.team_id AND dose.event_id = visit.event_id
        AND dose.chemical_id IN (
          SELECT item_id FROM inventory_items WHERE team_id = ?1 AND chemical_type = 'chlorine')
      WHERE pools.team_id = ?1 AND (?2 IS NULL OR pools.service_day = ?2) LIMIT ?4
      """, .integer(team.number), .optional(day.map { Int64($0.rawValue) }), .integer(StopCare.visitsOfMedian),
      .integer(Limits.rowsPerAnswer)
    ) { row throws(StoreError) in
      let dose: (item: InventoryItemID, ounces: Double)? =
        row.isNull("chemical_id")
        ? nil : (try row.id("chemical_id", table: "chemical_doses"), row.real("quantity_oz"))
      return (pool: try row.id("pool_id", table: "pools") as PoolID, visit: row.integer("visit"), dose: dose)
    }
    // A pool's visits come one after the other, and each visit's doses side by side.
    var usual: [PoolID: [UsualDose]] = [:]
    var rest = poured[...]
    while let pool = rest.first?.pool {
      var visits: [[UsualDose]] = []
      var last: Int64?
      while let row = rest.first, row.pool == pool {
        rest.removeFirst()
        if row.visit != last { visits.append([]) }
        last = row.visit
        guard let dose = row.dose, let item = chlorines.first(where: { $0.id == dose.item }) else { continue }
        visits[visits.count - 1].append(UsualDose(name: item.name, ounces: dose.ounces, isDry: item.isDry))
      }
      usual[pool] = UsualDose.medians(visits)
    }
    return usual
  }

  /// Ounces of each of these items that visits since `start` poured.
  func use(
    of items: [InventoryItemID], team: TeamID, since start: Timestamp
  ) throws(StoreError) -> [InventoryItemID: Double] {
    var use: [InventoryItemID: Double] = [:]
    guard !items.isEmpty else { return use }
    let wanted = Set(items)
    // By each pool's visits since then, newest first in the index: visits of before are never read.
    let poured = try rows(
      """
      SELECT dose.chemical_id, sum(dose.quantity_oz)
      FROM pools CROSS JOIN service_events AS visit
        ON visit.team_id = pools.team_id AND visit.pool_id = pools.pool_id AND visit.at_ms >= ?2
      CROSS JOIN chemical_doses AS dose ON dose.team_id = visit.team_id AND dose.event_id = visit.event_id
      WHERE pools.team_id = ?1 AND dose.chemical_id IS NOT NULL GROUP BY dose.chemical_id LIMIT ?3
      """, .integer(team.number), .at(start), .integer(Limits.rowsPerAnswer)
    ) { row throws(StoreError) in
      (try row.id(0, table: "chemical_doses", name: "chemical_id") as InventoryItemID, row.real(1))
    }
    for (item, ounces) in poured where wanted.contains(item) { use[item] = ounces }
    return use
  }

  /// Every pool with what its visits cost since `start`, inclusive, and what was done in the week and the one before it.
  func week(of team: TeamID, since start: Timestamp, _ week: Period) throws(StoreError) -> WeekFacts {
    let chlorine = try usualChlorine(of: team, on: nil)
    let pools = try rows(
      """
      SELECT \(Self.careColumns), pools.technician_id, pools.monthly_fee, pools.latitude, pools.longitude,
        (SELECT coalesce(sum(total_chemical_cost), 0) FROM service_events AS paid
         WHERE paid.team_id = pools.team_id AND paid.pool_id = pools.pool_id AND paid.at_ms >= ?2) AS chemical_cost
      FROM pools \(Self.newestVisit) WHERE pools.team_id = ?1 ORDER BY pools.pool_id LIMIT ?3
      """, .integer(team.number), .at(start), .integer(Limits.rowsPerAnswer)
    ) { row throws(StoreError) in
      let id: PoolID = try row.id("pool_id", table: "pools")
      return WeekFacts.Line(
        poolID: id, customer: row.text("customer_name"),
        technicianID: TechnicianID(row.integer("technician_id")), monthlyFee: row.real("monthly_fee"),
        hasCoordinates: isPlace(latitude: row.real("latitude"), longitude: row.real("longitude")),
        chemicalCost: row.real("chemical_cost"), care: Self.care(row, equipment: [], chlorine: chlorine[id] ?? []))
    }
    return WeekFacts(pools: pools, periodDays: WeekDigest.periodDays, week: try period(week, of: team))
  }
}
