package import PoolChemistry
package import PoolDigests
package import PoolModel

extension Store {
  package func doses(of visit: ServiceEventID, team: TeamID) throws -> [VisitReport.Dose] {
    try connection.rows(
      """
      SELECT coalesce(item.name, ''), coalesce(item.chemical_type, ''), dose.quantity_oz FROM chemical_doses AS dose
      LEFT JOIN inventory_items AS item ON item.team_id = dose.team_id AND item.item_id = dose.chemical_id
      WHERE dose.team_id = ? AND dose.event_id = ? ORDER BY dose.quantity_oz DESC, dose.dose_id LIMIT ?
      """, .integer(team.number), .id(visit), .integer(Limits.rowsPerAnswer)
    ) { row throws(StoreError) in
      VisitReport.Dose(name: row.text(0), type: row.text(1), quantityOz: row.real(2))
    }
  }

  package func month(
    of team: TeamID, from start: Timestamp, to end: Timestamp
  ) throws -> (visits: Int, pools: [PoolProfit]) {
    var visits = 0
    let pools = try connection.rows(
      """
      SELECT pools.pool_id, pools.customer_name, pools.monthly_fee, coalesce(sum(visit.total_chemical_cost), 0) AS cost,
        count(visit.event_id) AS visits
      FROM pools LEFT JOIN service_events AS visit ON visit.team_id = pools.team_id AND visit.pool_id = pools.pool_id
        AND visit.at_ms >= ?2 AND visit.at_ms < ?3
      WHERE pools.team_id = ?1 GROUP BY pools.pool_id ORDER BY pools.pool_id LIMIT ?4
      """, .integer(team.number), .at(start), .at(end), .integer(Limits.rowsPerAnswer)
    ) { row throws(StoreError) in
      visits += row.number("visits")
      return PoolProfit(
        poolID: try row.id("pool_id", table: "pools"), customerName: row.text("customer_name"),
        monthlyServiceFee: row.real("monthly_fee"), totalChemicalCost: row.real("cost"))
    }
    return (visits, pools)
  }
}
