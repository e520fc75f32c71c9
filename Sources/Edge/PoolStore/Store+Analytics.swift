package import PoolModel

/// How much of one chemical went into a pool.
package struct ChemicalUse: Hashable, Sendable {
  /// The stock item's name; where it has left the stock, or none matched, that is said.
  package let name: String
  package let chemicalType: String
  package let ounces: Double
  package let cost: Double
  /// Tablets or powder of a kind that is else a liquid.
  package let isDry: Bool
}

extension Store {
  package func chemicalCosts(of team: TeamID, since start: Timestamp, until end: Timestamp) throws -> [PoolID: Double] {
    // Summed here, in one order: an engine's own sum of fractions depends on how it comes by its rows.
    var costs: [PoolID: Double] = [:]
    _ = try connection.rows(
      """
      SELECT pool_id, total_chemical_cost FROM service_events WHERE team_id = ? AND at_ms >= ? AND at_ms <= ?
      ORDER BY pool_id, at_ms, event_id
      """, .integer(team.number), .at(start), .at(end)
    ) { row throws(StoreError) in
      costs[try row.id(0, table: "service_events", name: "pool_id") as PoolID, default: 0] += row.real(1)
    }
    return costs
  }

  package func chemicalsUsed(at pool: PoolID, of team: TeamID, limit: Int) throws -> [ChemicalUse] {
    try connection.rows(
      """
      SELECT coalesce(item.name, 'not from stock') AS name, coalesce(item.chemical_type, '') AS chemical_type,
        coalesce(item.concentration, 0) AS concentration, coalesce(item.unit_label, '') AS unit_label,
        sum(dose.quantity_oz) AS ounces, sum(dose.cost) AS cost
      FROM service_events AS visit
      JOIN chemical_doses AS dose ON dose.team_id = visit.team_id AND dose.event_id = visit.event_id
      LEFT JOIN inventory_items AS item ON item.team_id = dose.team_id AND item.item_id = dose.chemical_id
      WHERE visit.team_id = ? AND visit.pool_id = ?
      GROUP BY item.item_id, item.name, item.chemical_type, item.concentration, item.unit_label ORDER BY cost DESC, 1 LIMIT ?
      """, .integer(team.number), .id(pool), .integer(limit)
    ) { row throws(StoreError) in
      ChemicalUse(
        name: row.text("name"), chemicalType: row.text("chemical_type"), ounces: row.real("ounces"),
        cost: row.real("cost"), isDry: Connection.isDry(row))
    }
  }

  package func equipment(ofTeam team: TeamID) throws -> [Equipment] {
    try connection.rows(
      """
      SELECT \(Connection.equipmentColumns) FROM equipment AS machine WHERE team_id = ?
      ORDER BY pool_id, name, equipment_id LIMIT ?
      """, .integer(team.number), .integer(Limits.rowsPerAnswer)
    ) { row throws(StoreError) in try Connection.equipment(row) }
  }
}

extension Connection {
  static let equipmentColumns = """
    machine.equipment_id, machine.pool_id, machine.equipment_type, machine.name, machine.manufacturer,
    machine.model_number, machine.serial_number, machine.install_ms, machine.warranty_expiry_ms, machine.last_service_ms,
    machine.next_service_ms, machine.notes, machine.created_ms, machine.updated_ms
    """

  static func equipment(_ row: Statement) throws(StoreError) -> Equipment {
    Equipment(
      id: try row.id("equipment_id", table: "equipment"), poolID: try row.id("pool_id", table: "equipment"),
      equipmentType: row.text("equipment_type"), name: row.text("name"), manufacturer: row.text("manufacturer"),
      modelNumber: row.text("model_number"), serialNumber: row.text("serial_number"),
      installDate: row.optionalInstant("install_ms"), warrantyExpiryDate: row.optionalInstant("warranty_expiry_ms"),
      lastServiceDate: row.optionalInstant("last_service_ms"),
      nextServiceDate: row.optionalInstant("next_service_ms"), notes: row.text("notes"),
      createdAt: row.instant("created_ms"), updatedAt: row.instant("updated_ms"))
  }
}
