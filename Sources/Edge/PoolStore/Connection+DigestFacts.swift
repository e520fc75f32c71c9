import PoolChemistry
import PoolDigests
import PoolModel

// What digests look at besides the route: bounded by a team's pools of a day, its items, or its pools.

extension Connection {
  /// The pool's identity and customer, and of its water what no visit measures.
  static let careColumns = "pool_id, customer_name, volume_gal, updated_ms, total_dissolved_solids"

  /// Of a row with `careColumns`.
  static func care(_ row: Statement, _ past: PoolPast, equipment: [DatedEquipment]) -> StopCare {
    StopCare(
      volumeGallons: row.real("volume_gal"),
      water: past.measured.map { visit in
        MeasuredWater(
          visit.readings, at: visit.timestamp, measured: visit.measured, assumed: visit.assumed,
          totalDissolvedSolids: row.optionalReal("total_dissolved_solids"))
      }, lastVisit: past.lastVisit,
      updatedAt: row.instant("updated_ms"), equipment: equipment, usualChlorine: past.usualChlorine)
  }

  /// Machines with a date, at the pools of a day.
  func datedEquipment(of team: TeamID, on day: Weekday) throws(StoreError) -> [PoolID: [DatedEquipment]] {
    var found: [PoolID: [DatedEquipment]] = [:]
    let machines = try rows(
      """
      SELECT pools.pool_id, machine.name, next_service_ms, warranty_expiry_ms
      FROM pools CROSS JOIN equipment AS machine ON machine.team_id = pools.team_id AND machine.pool_id = pools.pool_id
      WHERE pools.team_id = ? AND pools.service_day = ?
        AND (next_service_ms IS NOT NULL OR warranty_expiry_ms IS NOT NULL)
      ORDER BY machine.name, equipment_id LIMIT ?
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

  /// Every pool with what its visits cost from `start` to `last`, both inclusive, and what was done in the week and the one before it.
  func week(
    of team: TeamID, since start: Timestamp, until last: Timestamp, _ week: Period, _ visits: inout VisitsOfTeam
  ) throws(StoreError) -> WeekFacts {
    let pools = try rows(
      """
      SELECT \(Self.careColumns), technician_id, monthly_fee, latitude, longitude,
        (SELECT coalesce(sum(total_chemical_cost), 0) FROM service_events AS paid
         WHERE paid.team_id = pools.team_id AND paid.pool_id = pools.pool_id AND paid.at_ms >= ?2
           AND paid.at_ms <= ?4) AS chemical_cost
      FROM pools WHERE team_id = ?1 ORDER BY pool_id LIMIT ?3
      """, .integer(team.number), .at(start), .integer(Limits.rowsPerAnswer), .at(last)
    ) { row throws(StoreError) in
      let id: PoolID = try row.id("pool_id", table: "pools")
      return WeekFacts.Line(
        poolID: id, customer: row.text("customer_name"),
        technicianID: TechnicianID(row.integer("technician_id")), monthlyFee: row.real("monthly_fee"),
        hasCoordinates: isPlace(latitude: row.real("latitude"), longitude: row.real("longitude")),
        chemicalCost: row.real("chemical_cost"), care: Self.care(row, try visits.past(of: id), equipment: []))
    }
    return WeekFacts(pools: pools, periodDays: WeekDigest.periodDays, week: try period(week, of: team, until: last))
  }
}
