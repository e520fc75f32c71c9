package import FlowModel
import FlowStore
package import PoolChemistry
package import PoolModel

extension Store {
  package func chemicalCosts(of team: TeamID, since start: Timestamp, until end: Timestamp) throws -> [PoolID: Double] {
    // Summed here in a fixed order, because a database's sum of fractions depends on its row order.
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

  package func usage(at pool: PoolID, of team: TeamID, until last: Timestamp) throws -> PoolUsage {
    var visits: [PoolUsage.Visit] = []
    _ = try connection.rows(
      """
      SELECT visit.event_id, visit.at_ms, visit.total_chemical_cost, dose.dose_id, dose.quantity_oz, dose.cost,
        item.item_id, coalesce(item.name, '') AS name, coalesce(item.chemical_type, '') AS chemical_type,
        coalesce(item.concentration, 0) AS concentration, coalesce(item.unit_label, '') AS unit_label
      FROM service_events AS visit
      LEFT JOIN chemical_doses AS dose ON dose.team_id = visit.team_id AND dose.event_id = visit.event_id
      LEFT JOIN inventory_items AS item ON item.team_id = dose.team_id AND item.item_id = dose.chemical_id
      WHERE visit.team_id = ? AND visit.pool_id = ? AND visit.at_ms <= ?
      ORDER BY visit.at_ms DESC, visit.event_id, dose.quantity_oz DESC, dose.dose_id
      """, .integer(team.number), .id(pool), .at(last)
    ) { row throws(StoreError) in
      let id: ServiceEventID = try row.id("event_id", table: "service_events")
      if visits.last?.id != id {
        visits.append(.init(id: id, at: row.instant("at_ms"), cost: row.real("total_chemical_cost")))
      }
      guard !row.isNull("dose_id") else { return }
      visits[visits.count - 1].chemicals.append(
        .init(
          item: row.isNull("item_id") ? nil : try row.id("item_id", table: "inventory_items"), name: row.text("name"),
          type: ChemicalType(rawValue: row.text("chemical_type")) ?? .none, isDry: Connection.isDry(row),
          ounces: row.real("quantity_oz"), cost: row.real("cost")))
    }
    return PoolUsage(visits)
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
