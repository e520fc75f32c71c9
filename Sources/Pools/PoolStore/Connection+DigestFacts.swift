import FlowModel
import FlowStore
import PoolChemistry
import PoolDigests
import PoolModel

// Facts for digests besides the route; their number is limited by a team's pools or stock.

extension Connection {
  /// Columns of `pools` for `care`: water data that no visit measures.
  static let careColumns = "volume_gal, updated_ms, total_dissolved_solids"

  /// Reads a row with `careColumns`.
  static func care(_ row: Statement, _ history: PoolHistory, equipment: [DatedEquipment]) -> StopCare {
    StopCare(
      volumeGallons: row.real("volume_gal"),
      water: history.measured.map { visit in
        MeasuredWater(
          visit.readings, at: visit.timestamp, measured: visit.measured, assumed: visit.assumed,
          totalDissolvedSolids: row.optionalReal("total_dissolved_solids"))
      }, lastVisit: history.lastVisit,
      updatedAt: row.instant("updated_ms"), equipment: equipment, usualChlorine: history.usualChlorine)
  }

  /// Equipment with a service or warranty date, at the pools of a weekday; nil for all pools.
  func datedEquipment(of team: TeamID, on day: Weekday?) throws(StoreError) -> [PoolID: [DatedEquipment]] {
    var found: [PoolID: [DatedEquipment]] = [:]
    let isOnDay = day == nil ? "" : " AND pools.service_day = ?3"
    let machines = try rows(
      """
      SELECT pools.pool_id, machine.name, next_service_ms, warranty_expiry_ms
      FROM pools CROSS JOIN equipment AS machine ON machine.team_id = pools.team_id AND machine.pool_id = pools.pool_id
      WHERE pools.team_id = ?1\(isOnDay)
        AND (next_service_ms IS NOT NULL OR warranty_expiry_ms IS NOT NULL)
      ORDER BY machine.name, equipment_id LIMIT ?2
      """, [.integer(team.number), .integer(Limits.rowsPerAnswer)] + (day.map { [.integer($0.rawValue)] } ?? [])
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

  /// Every pool with the cost of its visits from `start` to `last`, both inclusive, and the work done in the week and in the
  /// week before it.
  func week(
    of team: TeamID, since start: Timestamp, until last: Timestamp, _ week: Period, _ visits: inout TeamVisitReader
  ) throws(StoreError) -> WeekFacts {
    let pools = try rows(
      """
      SELECT pool_id, customer_name, \(Self.careColumns), technician_id, monthly_fee, latitude, longitude,
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
        hasCoordinates: isValidLocation(latitude: row.real("latitude"), longitude: row.real("longitude")),
        chemicalCost: row.real("chemical_cost"), care: Self.care(row, try visits.history(of: id), equipment: []))
    }
    return WeekFacts(pools: pools, periodDays: WeekDigest.periodDays, week: try period(week, of: team, until: last))
  }
}
