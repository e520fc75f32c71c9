import PoolModel

// One verb a table: how each record of the app becomes a row, and back.

extension Connection {
  /// - Parameter technician: who drives to a pool.
  func insert(
    _ pools: [Pool], team: TeamID, scope: TechnicianID?, technician: (Pool) throws(StoreError) -> TechnicianID
  ) throws(StoreError) {
    try insert(pools, as: Self.newPools) { (pool) throws(StoreError) in
      poolValues(pool, team: team, scope: scope, technician: try technician(pool))
    }
  }

  /// An updated pool keeps the scope it was imported in.
  func upsert(_ pool: Pool, team: TeamID, scope: TechnicianID?, technician: TechnicianID) throws(StoreError) {
    try insert([pool], as: Self.knownPools) { _ in
      poolValues(pool, team: team, scope: scope, technician: technician)
    }
  }

  private static let poolRow = """
    team_id, pool_id, scope_technician_id, technician_id, customer_name, address, notes, latitude, longitude, volume_gal,
    monthly_fee, service_day, route_order, ph, water_temp_f, calcium_hardness, total_alkalinity, cyanuric_acid,
    total_dissolved_solids, cached_lsi, created_ms, updated_ms
    """

  private static let newPools = RowForm("pools", poolRow)
  private static let knownPools = RowForm(
    "pools", poolRow,
    onConflict: """
      (team_id, pool_id) DO UPDATE SET
        technician_id = CASE WHEN pools.scope_technician_id IS NULL THEN excluded.technician_id
          ELSE pools.technician_id END,
        customer_name = excluded.customer_name, address = excluded.address, notes = excluded.notes,
        latitude = excluded.latitude, longitude = excluded.longitude, volume_gal = excluded.volume_gal,
        monthly_fee = excluded.monthly_fee, service_day = excluded.service_day, route_order = excluded.route_order,
        ph = excluded.ph, water_temp_f = excluded.water_temp_f, calcium_hardness = excluded.calcium_hardness,
        total_alkalinity = excluded.total_alkalinity, cyanuric_acid = excluded.cyanuric_acid,
        total_dissolved_solids = excluded.total_dissolved_solids, cached_lsi = excluded.cached_lsi,
        lsi_stale = 1, updated_ms = excluded.updated_ms
      """)

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

  /// - Parameter photoBytes: the size of a visit's photo that lies in the photo folder.
  func insert(
    _ events: [ServiceEvent], team: TeamID, photoBytes: (ServiceEventID) -> Int?
  ) throws(StoreError) {
    try insert(events, as: Self.visits) { event in
      [
        .integer(team.number), .id(event.id), .id(event.poolID), .at(event.timestamp), .real(event.readings.pH),
        .real(event.readings.waterTempF), .real(event.readings.calciumHardness),
        .real(event.readings.totalAlkalinity), .real(event.readings.cyanuricAcid), .real(event.lsiValue),
        .real(event.totalChemicalCost), .text(event.techNotes), .optional(event.photoFileName),
        .optional(photoBytes(event.id).map(Int64.init)),
      ]
    }
  }

  private static let visits = RowForm(
    "service_events",
    """
    team_id, event_id, pool_id, at_ms, ph, water_temp_f, calcium_hardness, total_alkalinity, cyanuric_acid, lsi,
    total_chemical_cost, tech_notes, photo_name, photo_bytes
    """)

  func insert(_ doses: [ChemicalDose], team: TeamID) throws(StoreError) {
    try insert(doses, as: Self.doses) { dose in
      [
        .integer(team.number), .id(dose.id), .id(dose.serviceEventID), dose.chemicalID.map { .id($0) } ?? .null,
        .real(dose.quantityOz), .real(dose.cost),
      ]
    }
  }

  private static let doses = RowForm(
    "chemical_doses", "team_id, dose_id, event_id, chemical_id, quantity_oz, cost")

  /// - Parameter position: of the first one in the team's list.
  func insert(_ stock: [InventoryItem], team: TeamID, scope: TechnicianID?, position: Int) throws(StoreError) {
    try insert(stock.enumerated(), as: Self.stock) { (offset, item) in
      [
        .integer(team.number), .id(item.id), .optional(scope?.number), .integer(position + offset), .text(item.name),
        .text(item.chemicalType), .real(item.concentration), .real(item.costPerOz), .real(item.currentStockOz),
        .real(item.lowStockThresholdOz), .text(item.unitLabel),
      ]
    }
  }

  private static let stock = RowForm(
    "inventory_items",
    """
    team_id, item_id, scope_technician_id, position, name, chemical_type, concentration, cost_per_oz, stock_oz,
    threshold_oz, unit_label
    """)

  func upsert(_ profiles: [CustomerProfile], team: TeamID, scope: TechnicianID?) throws(StoreError) {
    try insert(profiles, as: Self.profiles) { profile in
      [
        .integer(team.number), .id(profile.poolID), .optional(scope?.number), .text(profile.contactName),
        .text(profile.contactPhone), .text(profile.contactEmail), .text(profile.gateAccessType),
        .text(profile.preferredArrivalWindow), .text(profile.tagsCSV),
      ]
    }
  }

  private static let profiles = RowForm(
    "customer_profiles",
    """
    team_id, pool_id, scope_technician_id, contact_name, contact_phone, contact_email, gate_access, arrival_window, tags
    """,
    onConflict: """
      (team_id, pool_id) DO UPDATE SET contact_name = excluded.contact_name,
        contact_phone = excluded.contact_phone, contact_email = excluded.contact_email,
        gate_access = excluded.gate_access, arrival_window = excluded.arrival_window, tags = excluded.tags
      """)

  func insert(_ equipment: [Equipment], team: TeamID) throws(StoreError) {
    try insert(equipment, as: Self.equipment) { one in
      [
        .integer(team.number), .id(one.id), .id(one.poolID), .text(one.equipmentType), .text(one.name),
        .text(one.manufacturer), .text(one.modelNumber), .text(one.serialNumber), .at(one.installDate),
        .at(one.warrantyExpiryDate), .at(one.lastServiceDate), .at(one.nextServiceDate), .text(one.notes),
        .at(one.createdAt), .at(one.updatedAt),
      ]
    }
  }

  private static let equipment = RowForm(
    "equipment",
    """
    team_id, equipment_id, pool_id, equipment_type, name, manufacturer, model_number, serial_number, install_ms,
    warranty_expiry_ms, last_service_ms, next_service_ms, notes, created_ms, updated_ms
    """)

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
