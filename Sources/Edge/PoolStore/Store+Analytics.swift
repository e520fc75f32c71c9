package import PoolModel

/// How much of one chemical went into a pool.
package struct ChemicalUse: Hashable, Sendable {
  /// The stock item's name; where it has left the stock, or none matched, that is said.
  package let name: String
  package let chemicalType: String
  package let ounces: Double
  package let cost: Double
}

extension Store {
  /// What the visits of each pool cost since `start`, inclusive; a pool without one is not in it.
  package func chemicalCosts(of team: TeamID, since start: Timestamp) throws -> [PoolID: Double] {
    let rows = try connection.rows(
      """
      SELECT pool_id, sum(total_chemical_cost) FROM service_events WHERE team_id = ? AND at_ms >= ? GROUP BY pool_id
      """, .integer(team.number), .at(start)
    ) { row throws(StoreError) in
      (try row.id(0, table: "service_events", name: "pool_id") as PoolID, row.real(1))
    }
    return Dictionary(rows, uniquingKeysWith: +)
  }

  /// The chemicals of a pool's visits, the dearest first.
  package func chemicalsUsed(at pool: PoolID, of team: TeamID, limit: Int) throws -> [ChemicalUse] {
    try connection.rows(
      """
      SELECT coalesce(item.name, 'not from stock'), coalesce(item.chemical_type, ''), sum(dose.quantity_oz) AS ounces,
        sum(dose.cost) AS cost
      FROM service_events AS visit
      JOIN chemical_doses AS dose ON dose.team_id = visit.team_id AND dose.event_id = visit.event_id
      LEFT JOIN inventory_items AS item ON item.team_id = dose.team_id AND item.item_id = dose.chemical_id
      WHERE visit.team_id = ? AND visit.pool_id = ? GROUP BY item.item_id ORDER BY cost DESC, 1 LIMIT ?
      """, .integer(team.number), .id(pool), .integer(limit)
    ) { row throws(StoreError) in
      ChemicalUse(name: row.text(0), chemicalType: row.text(1), ounces: row.real(2), cost: row.real(3))
    }
  }

  /// Everything at a team's pools, by pool and name.
  package func equipment(ofTeam team: TeamID) throws -> [Equipment] {
    try connection.rows(
      """
      SELECT \(Connection.equipmentColumns) FROM equipment WHERE team_id = ? ORDER BY pool_id, name, equipment_id LIMIT ?
      """, .integer(team.number), .integer(Limits.rowsPerAnswer)
    ) { row throws(StoreError) in try Connection.equipment(row) }
  }
}

extension Connection {
  static let equipmentColumns = """
    equipment_id, pool_id, equipment_type, name, manufacturer, model_number, serial_number, install_ms,
    warranty_expiry_ms, last_service_ms, next_service_ms, notes, created_ms, updated_ms
    """

  static func equipment(_ row: Statement) throws(StoreError) -> Equipment {
    Equipment(
      id: try row.id(0, table: "equipment", name: "equipment_id"),
      poolID: try row.id(1, table: "equipment", name: "pool_id"), equipmentType: row.text(2), name: row.text(3),
      manufacturer: row.text(4), modelNumber: row.text(5), serialNumber: row.text(6),
      installDate: row.optionalInstant(7), warrantyExpiryDate: row.optionalInstant(8),
      lastServiceDate: row.optionalInstant(9), nextServiceDate: row.optionalInstant(10), notes: row.text(11),
      createdAt: row.instant(12), updatedAt: row.instant(13))
  }
}
