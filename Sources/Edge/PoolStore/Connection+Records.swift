import PoolModel

// One verb a table: how each record of the app becomes a row, and back.

extension Connection {
  func insert(_ pool: Pool, team: TeamID, scope: TechnicianID?, technician: TechnicianID) throws(StoreError) {
    try run(Self.insertPool, poolValues(pool, team: team, scope: scope, technician: technician))
  }

  /// An updated pool keeps the scope it was imported in.
  func upsert(_ pool: Pool, team: TeamID, scope: TechnicianID?, technician: TechnicianID) throws(StoreError) {
    try run(Self.upsertPool, poolValues(pool, team: team, scope: scope, technician: technician))
  }

  private static let upsertPool =
    insertPool + """
         ON CONFLICT (team_id, pool_id) DO UPDATE SET
          technician_id = CASE WHEN pools.scope_technician_id IS NULL THEN excluded.technician_id
            ELSE pools.technician_id END,
          customer_name = excluded.customer_name, address = excluded.address, notes = excluded.notes,
          latitude = excluded.latitude, longitude = excluded.longitude, volume_gal = excluded.volume_gal,
          monthly_fee = excluded.monthly_fee, service_day = excluded.service_day, route_order = excluded.route_order,
          ph = excluded.ph, water_temp_f = excluded.water_temp_f, calcium_hardness = excluded.calcium_hardness,
          total_alkalinity = excluded.total_alkalinity, cyanuric_acid = excluded.cyanuric_acid,
          total_dissolved_solids = excluded.total_dissolved_solids, cached_lsi = excluded.cached_lsi,
          lsi_stale = 1, updated_ms = excluded.updated_ms
      """

  private static let insertPool = """
    INSERT INTO pools (team_id, pool_id, scope_technician_id, technician_id, customer_name, address, notes, latitude,
      longitude, volume_gal, monthly_fee, service_day, route_order, ph, water_temp_f, calcium_hardness,
      total_alkalinity, cyanuric_acid, total_dissolved_solids, cached_lsi, created_ms, updated_ms)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """

  private func poolValues(
    _ pool: Pool, team: TeamID, scope: TechnicianID?, technician: TechnicianID
  ) -> [SQLValue] {
    [
      .integer(team.number), .id(pool.id), .optional(scope?.number), .integer(technician.number),
      .text(pool.customerName), .text(pool.address), .text(pool.notes), .real(pool.latitude), .real(pool.longitude),
      .real(pool.volumeGallons), .real(pool.monthlyServiceFee), .integer(pool.serviceDay.rawValue),
      .integer(pool.routeOrder), .real(pool.readings.pH), .real(pool.readings.waterTempF),
      .real(pool.readings.calciumHardness), .real(pool.readings.totalAlkalinity), .real(pool.readings.cyanuricAcid),
      .optional(pool.readings.totalDissolvedSolids), .optional(pool.cachedLSI), .at(pool.createdAt),
      .at(pool.updatedAt),
    ]
  }

  static let poolColumns = """
    pools.pool_id, pools.customer_name, pools.address, pools.notes, pools.latitude, pools.longitude, pools.volume_gal,
    pools.monthly_fee, pools.service_day, pools.route_order, pools.ph, pools.water_temp_f, pools.calcium_hardness,
    pools.total_alkalinity, pools.cyanuric_acid, pools.total_dissolved_solids, pools.cached_lsi, pools.created_ms,
    pools.updated_ms
    """

  static func pool(_ row: Statement) throws(StoreError) -> Pool {
    guard let day = Weekday(rawValue: row.number(8)) else {
      throw .damaged(table: "pools", column: "service_day", value: row.text(8))
    }
    return Pool(
      id: try row.id(0, table: "pools", name: "pool_id"), customerName: row.text(1), address: row.text(2),
      notes: row.text(3), latitude: row.real(4), longitude: row.real(5), volumeGallons: row.real(6),
      monthlyServiceFee: row.real(7), serviceDay: day, routeOrder: row.number(9),
      readings: WaterReadings(
        pH: row.real(10), waterTempF: row.real(11), calciumHardness: row.real(12), totalAlkalinity: row.real(13),
        cyanuricAcid: row.real(14), totalDissolvedSolids: row.optionalReal(15)),
      cachedLSI: row.optionalReal(16), createdAt: row.instant(17), updatedAt: row.instant(18))
  }

  func insert(_ event: ServiceEvent, team: TeamID, photoBytes: Int?) throws(StoreError) {
    try run(
      """
      INSERT INTO service_events (team_id, event_id, pool_id, at_ms, ph, water_temp_f, calcium_hardness,
        total_alkalinity, cyanuric_acid, lsi, total_chemical_cost, tech_notes, photo_name, photo_bytes)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """, .integer(team.number), .id(event.id), .id(event.poolID), .at(event.timestamp), .real(event.readings.pH),
      .real(event.readings.waterTempF), .real(event.readings.calciumHardness), .real(event.readings.totalAlkalinity),
      .real(event.readings.cyanuricAcid), .real(event.lsiValue), .real(event.totalChemicalCost),
      .text(event.techNotes), .optional(event.photoFileName), .optional(photoBytes.map(Int64.init)))
  }

  func insert(_ dose: ChemicalDose, team: TeamID) throws(StoreError) {
    try run(
      """
      INSERT INTO chemical_doses (team_id, dose_id, event_id, chemical_id, quantity_oz, cost)
      VALUES (?, ?, ?, ?, ?, ?)
      """, .integer(team.number), .id(dose.id), .id(dose.serviceEventID),
      .optional(dose.chemicalID?.description), .real(dose.quantityOz), .real(dose.cost))
  }

  func insert(_ item: InventoryItem, team: TeamID, scope: TechnicianID?, position: Int) throws(StoreError) {
    try run(
      """
      INSERT INTO inventory_items (team_id, item_id, scope_technician_id, position, name, chemical_type, concentration,
        cost_per_oz, stock_oz, threshold_oz, unit_label)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """, .integer(team.number), .id(item.id), .optional(scope?.number), .integer(position), .text(item.name),
      .text(item.chemicalType), .real(item.concentration), .real(item.costPerOz), .real(item.currentStockOz),
      .real(item.lowStockThresholdOz), .text(item.unitLabel))
  }

  func upsert(_ profile: CustomerProfile, team: TeamID, scope: TechnicianID?) throws(StoreError) {
    try run(
      """
      INSERT INTO customer_profiles (team_id, pool_id, scope_technician_id, contact_name, contact_phone, contact_email,
        gate_access, arrival_window, tags)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (team_id, pool_id) DO UPDATE SET contact_name = excluded.contact_name,
        contact_phone = excluded.contact_phone, contact_email = excluded.contact_email,
        gate_access = excluded.gate_access, arrival_window = excluded.arrival_window, tags = excluded.tags
      """, .integer(team.number), .id(profile.poolID), .optional(scope?.number), .text(profile.contactName),
      .text(profile.contactPhone), .text(profile.contactEmail), .text(profile.gateAccessType),
      .text(profile.preferredArrivalWindow), .text(profile.tagsCSV))
  }

  func insert(_ equipment: Equipment, team: TeamID) throws(StoreError) {
    try run(
      """
      INSERT INTO equipment (team_id, equipment_id, pool_id, equipment_type, name, manufacturer, model_number,
        serial_number, install_ms, warranty_expiry_ms, last_service_ms, next_service_ms, notes, created_ms, updated_ms)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """, .integer(team.number), .id(equipment.id), .id(equipment.poolID), .text(equipment.equipmentType),
      .text(equipment.name), .text(equipment.manufacturer), .text(equipment.modelNumber),
      .text(equipment.serialNumber), .at(equipment.installDate), .at(equipment.warrantyExpiryDate),
      .at(equipment.lastServiceDate), .at(equipment.nextServiceDate), .text(equipment.notes),
      .at(equipment.createdAt), .at(equipment.updatedAt))
  }

  func profiles(of team: TeamID) throws(StoreError) -> [CustomerProfile] {
    try rows(
      """
      SELECT pool_id, contact_name, contact_phone, contact_email, gate_access, arrival_window, tags
      FROM customer_profiles WHERE team_id = ? ORDER BY pool_id
      """, .integer(team.number)
    ) { row throws(StoreError) in
      CustomerProfile(
        poolID: try row.id(0, table: "customer_profiles", name: "pool_id"), contactName: row.text(1),
        contactPhone: row.text(2), contactEmail: row.text(3), gateAccessType: row.text(4),
        preferredArrivalWindow: row.text(5), tagsCSV: row.text(6))
    }
  }
}
