package import FlowModel
import FlowStore
import PoolChemistry
package import PoolDigests
package import PoolModel

extension Store {
  package func doses(of visit: ServiceEventID, team: TeamID) throws -> [VisitReport.Dose] {
    try connection.rows(
      """
      SELECT coalesce(item.name, '') AS name, coalesce(item.chemical_type, '') AS chemical_type, dose.quantity_oz,
        coalesce(item.concentration, 0) AS concentration, coalesce(item.unit_label, '') AS unit_label
      FROM chemical_doses AS dose
      LEFT JOIN inventory_items AS item ON item.team_id = dose.team_id AND item.item_id = dose.chemical_id
      WHERE dose.team_id = ? AND dose.event_id = ? ORDER BY dose.quantity_oz DESC, dose.dose_id LIMIT ?
      """, .integer(team.number), .id(visit), .integer(Limits.rowsPerAnswer)
    ) { row throws(StoreError) in
      VisitReport.Dose(
        name: row.text("name"), type: row.text("chemical_type"), quantityOz: row.real("quantity_oz"),
        isDry: Connection.isDry(row))
    }
  }

  package func period(_ period: Period, of team: TeamID, until last: Timestamp) throws -> PeriodFacts {
    try connection.snapshot { try connection.period(period, of: team, until: last) }
  }
}

extension Connection {
  /// Reads each pool's visits through the index by time, so that older visits are not read.
  func period(_ period: Period, of team: TeamID, until last: Timestamp) throws(StoreError) -> PeriodFacts {
    /// `end`, but at most just after `last`.
    func bound(_ end: Timestamp) -> Timestamp { end > last ? last.advanced(by: .milliseconds(1)) : end }
    let method = try lsiMethod(of: team)
    let visits = try rows(
      """
      SELECT visit.pool_id, visit.at_ms, visit.lsi, visit.measured, visit.assumed, visit.total_chemical_cost, visit.ph,
        visit.total_alkalinity, visit.cyanuric_acid, visit.free_chlorine, visit.salt
      FROM pools CROSS JOIN service_events AS visit
        ON visit.team_id = pools.team_id AND visit.pool_id = pools.pool_id AND visit.at_ms >= ?2 AND visit.at_ms < ?3
      WHERE pools.team_id = ?1 ORDER BY visit.at_ms DESC, visit.event_id LIMIT ?4
      """, .integer(team.number), .at(period.before), .at(bound(period.nearEnd)), .integer(Limits.visitsPerPeriod)
    ) { row throws(StoreError) in
      PeriodFacts.Visit(
        poolID: try row.id("pool_id", table: "service_events"), at: row.instant("at_ms"),
        lsi: Self.hasIndex(row) ? Self.lsi(row, by: method) : nil, cost: row.real("total_chemical_cost"),
        chlorine: row.optionalReal("free_chlorine").map {
          PeriodFacts.Chlorine(ppm: $0, ideal: Self.idealChlorine(row))
        })
    }
    let uses = try rows(
      """
      SELECT coalesce(item.chemical_type, '') AS chemical_type, visit.at_ms < ?3 AS is_before,
        coalesce(item.concentration, 0) AS concentration, coalesce(item.unit_label, '') AS unit_label,
        sum(dose.quantity_oz) AS ounces, sum(dose.cost) AS cost
      FROM pools CROSS JOIN service_events AS visit
        ON visit.team_id = pools.team_id AND visit.pool_id = pools.pool_id AND visit.at_ms >= ?2 AND visit.at_ms < ?4
      CROSS JOIN chemical_doses AS dose ON dose.team_id = visit.team_id AND dose.event_id = visit.event_id
      LEFT JOIN inventory_items AS item ON item.team_id = dose.team_id AND item.item_id = dose.chemical_id
      WHERE pools.team_id = ?1 GROUP BY 1, 2, 3, 4 LIMIT ?5
      """, .integer(team.number), .at(period.before), .at(period.start), .at(bound(period.end)),
      .integer(Limits.rowsPerAnswer)
    ) { row throws(StoreError) in
      PeriodFacts.Use(
        type: row.text("chemical_type"), isBefore: row.number("is_before") == 1, ounces: row.real("ounces"),
        cost: row.real("cost"), isDry: Self.isDry(row))
    }
    return PeriodFacts(period: period, visits: visits, uses: uses)
  }

  private static func lsi(_ row: Statement, by method: LSIMethod) -> Double {
    method.lsi(
      stored: row.real("lsi"), pH: row.real("ph"), totalAlkalinity: row.real("total_alkalinity"),
      cyanuricAcid: row.real("cyanuric_acid"))
  }

  private static func idealChlorine(_ row: Statement) -> ClosedRange<Double> {
    let assumed = ReadingSet(rawValue: row.number("assumed"))
    return ChlorineRange(
      stabiliser: assumed.contains(.cyanuricAcid) ? nil : row.real("cyanuric_acid"), hasGenerator: !row.isNull("salt")
    ).ideal
  }

  /// Same condition as `ServiceEvent.hasIndex`.
  private static func hasIndex(_ row: Statement) -> Bool {
    row.number("measured") != 0 && !ReadingSet(rawValue: row.number("assumed")).contains(.pH)
  }
}
