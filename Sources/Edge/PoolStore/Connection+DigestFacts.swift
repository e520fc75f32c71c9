import PoolChemistry
import PoolJobs
import PoolModel
import PoolNotices

// What digests look at besides the route: bounded by a team's pools of a day, its items, or its pools.

extension Connection {
  /// The newest visit of each pool as `visit`, found by the index and not by reading all visits.
  static let newestVisit = """
    LEFT JOIN service_events AS visit ON visit.rowid = (
      SELECT rowid FROM service_events AS newest
      WHERE newest.team_id = pools.team_id AND newest.pool_id = pools.pool_id
      ORDER BY newest.at_ms DESC, newest.event_id LIMIT 1)
    """

  /// Sixteen columns: the pool's identity and customer, what its water needs, and its newest visit's readings.
  static let careColumns = """
    pools.pool_id, pools.customer_name, pools.volume_gal, pools.updated_ms, pools.total_dissolved_solids, pools.ph,
    pools.water_temp_f, pools.calcium_hardness, pools.total_alkalinity, pools.cyanuric_acid, visit.at_ms, visit.ph,
    visit.water_temp_f, visit.calcium_hardness, visit.total_alkalinity, visit.cyanuric_acid
    """

  /// Of a row that begins with `careColumns`.
  static func care(_ row: Statement, equipment: [DatedEquipment]) -> StopCare {
    let lastVisit = row.optionalInstant(10)
    let first: Int32 = lastVisit == nil ? 5 : 11
    return StopCare(
      volumeGallons: row.real(2),
      readings: WaterReadings(
        pH: row.real(first), waterTempF: row.real(first + 1), calciumHardness: row.real(first + 2),
        totalAlkalinity: row.real(first + 3), cyanuricAcid: row.real(first + 4),
        totalDissolvedSolids: row.optionalReal(4)),
      lastVisit: lastVisit, updatedAt: row.instant(3), equipment: equipment)
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
      let id: PoolID = try row.id(0, table: "pools", name: "pool_id")
      return (
        id,
        DatedEquipment(
          name: row.text(1), nextService: row.optionalInstant(2), warrantyEnd: row.optionalInstant(3))
      )
    }
    for (id, machine) in machines { found[id, default: []].append(machine) }
    return found
  }

  /// What the newest morning digest of that weekday told, of an earlier day than `date`.
  func lastRoute(of team: TeamID, before date: CivilDate) throws(StoreError) -> LastRoute? {
    let earliest = Timestamp(seconds: Int64(date.adding(days: -Limits.lastRouteDays).daysSince1970) * 86_400)
    let notice = try first(
      """
      SELECT notice_id, data ->> '$.date' FROM notices
      WHERE job_id = (SELECT job_id FROM jobs WHERE team_id = ? AND kind = ?)
        AND slot_ms >= ? AND identifier = ? AND CASE WHEN json_valid(data) THEN data ->> '$.date' END < ?
      ORDER BY slot_ms DESC LIMIT 1
      """, .integer(team.number), .text(JobKind.morningSummary.rawValue), .at(earliest),
      .text(NoticeIdentifier.morning(date.weekday)),
      .text(date.description)
    ) { row throws(StoreError) in (row.text(0), row.text(1)) }
    guard let notice, let day = CivilDate(iso: notice.1) else { return nil }
    let stops = try rows(
      """
      SELECT stop.value ->> '$.pool_id', stop.value ->> '$.customer', section.value ->> '$.technician',
        (SELECT service_day FROM pools WHERE team_id = ?1 AND pool_id = stop.value ->> '$.pool_id')
      FROM notices, json_each(notices.data, '$.sections') AS section, json_each(section.value, '$.stops') AS stop
      WHERE notices.notice_id = ?2 ORDER BY section.key, stop.key LIMIT ?3
      """, .integer(team.number), .text(notice.0), .integer(Limits.rowsPerAnswer)
    ) { row throws(StoreError) in
      (
        LastRoute.Stop(
          poolID: try row.id(0, table: "notices", name: "data"), customer: row.text(1), technician: row.text(2)),
        row.optionalInteger(3).flatMap { Weekday(rawValue: Int($0)) }
      )
    }
    var days: [PoolID: Weekday] = [:]
    for (stop, day) in stops { days[stop.poolID] = day }
    return LastRoute(date: day, stops: stops.map(\.0), daysNow: days)
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

  /// Every pool with what its visits cost since `start`, inclusive.
  func week(of team: TeamID, since start: Timestamp) throws(StoreError) -> WeekFacts {
    let pools = try rows(
      """
      SELECT \(Self.careColumns), pools.monthly_fee, pools.latitude, pools.longitude,
        (SELECT coalesce(sum(total_chemical_cost), 0) FROM service_events AS paid
         WHERE paid.team_id = pools.team_id AND paid.pool_id = pools.pool_id AND paid.at_ms >= ?2)
      FROM pools \(Self.newestVisit) WHERE pools.team_id = ?1 ORDER BY pools.pool_id LIMIT ?3
      """, .integer(team.number), .at(start), .integer(Limits.rowsPerAnswer)
    ) { row throws(StoreError) in
      WeekFacts.Line(
        poolID: try row.id(0, table: "pools", name: "pool_id"), customer: row.text(1), monthlyFee: row.real(16),
        hasCoordinates: isPlace(latitude: row.real(17), longitude: row.real(18)), chemicalCost: row.real(19),
        care: Self.care(row, equipment: []))
    }
    return WeekFacts(pools: pools, periodDays: WeekDigest.periodDays)
  }
}
