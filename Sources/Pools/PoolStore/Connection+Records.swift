import FlowModel
import FlowStore
import PoolModel

// Conversion of the app's records to rows and back, one method per table.

extension Connection {
  /// - Parameter technician: returns the technician who is assigned to a pool.
  func insert(
    _ pools: [Pool], team: TeamID, scope: TechnicianID?, technician: (Pool) throws(StoreError) -> TechnicianID
  ) throws(StoreError) {
    try insert(pools, as: Self.newPools) { (pool, row) throws(StoreError) in
      Self.put(pool, team: team, scope: scope, technician: try technician(pool), into: &row)
    }
  }

  /// Inserts a pool, or updates it; an updated pool keeps its import scope.
  func upsert(_ pool: Pool, team: TeamID, scope: TechnicianID?, technician: TechnicianID) throws(StoreError) {
    try insert([pool], as: Self.knownPools) { pool, row in
      Self.put(pool, team: team, scope: scope, technician: technician, into: &row)
    }
  }

  private static let poolRow = """
    team_id, pool_id, scope_technician_id, technician_id, customer_name, address, notes, latitude, longitude, volume_gal,
    monthly_fee, service_day, route_order, ph, water_temp_f, calcium_hardness, total_alkalinity, cyanuric_acid,
    total_dissolved_solids, free_chlorine, salt, cached_lsi, created_ms, updated_ms
    """

  private static let newPools = InsertForm("pools", poolRow)
  private static let knownPools = InsertForm(
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
        total_dissolved_solids = excluded.total_dissolved_solids, free_chlorine = excluded.free_chlorine,
        salt = excluded.salt, cached_lsi = excluded.cached_lsi,
        lsi_stale = 1, updated_ms = excluded.updated_ms
      """)

  private static func put(
    _ pool: Pool, team: TeamID, scope: TechnicianID?, technician: TechnicianID, into row: inout Binding
  ) {
    row.put(team.number)
    row.put(pool.id)
    row.put(scope?.number)
    row.put(technician.number)
    row.put(pool.customerName)
    row.put(pool.address)
    row.put(pool.notes)
    row.put(pool.latitude)
    row.put(pool.longitude)
    row.put(pool.volumeGallons)
    row.put(pool.monthlyServiceFee)
    row.put(pool.serviceDay.rawValue)
    row.put(pool.routeOrder)
    row.put(pool.readings.pH)
    row.put(pool.readings.waterTempF)
    row.put(pool.readings.calciumHardness)
    row.put(pool.readings.totalAlkalinity)
    row.put(pool.readings.cyanuricAcid)
    row.put(pool.readings.totalDissolvedSolids)
    row.put(pool.readings.freeChlorine)
    row.put(pool.readings.salt)
    row.put(pool.cachedLSI)
    row.put(pool.createdAt)
    row.put(pool.updatedAt)
  }

  static let poolColumns = """
    pools.pool_id, pools.customer_name, pools.address, pools.notes, pools.latitude, pools.longitude, pools.volume_gal,
    pools.monthly_fee, pools.service_day, pools.route_order, pools.ph, pools.water_temp_f, pools.calcium_hardness,
    pools.total_alkalinity, pools.cyanuric_acid, pools.total_dissolved_solids, pools.free_chlorine, pools.salt,
    pools.cached_lsi, pools.created_ms, pools.updated_ms
    """

  static func pool(_ row: Statement) throws(StoreError) -> Pool {
    guard let day = Weekday(rawValue: row.number("service_day")) else {
      throw .damaged(table: "pools", column: "service_day", value: row.text("service_day"))
    }
    return Pool(
      id: try row.id("pool_id", table: "pools"), customerName: row.text("customer_name"), address: row.text("address"),
      notes: row.text("notes"), latitude: row.real("latitude"), longitude: row.real("longitude"),
      volumeGallons: row.real("volume_gal"), monthlyServiceFee: row.real("monthly_fee"), serviceDay: day,
      routeOrder: row.number("route_order"),
      readings: row.readingsWithSanitiser(dissolvedSolids: row.optionalReal("total_dissolved_solids")),
      cachedLSI: row.optionalReal("cached_lsi"), createdAt: row.instant("created_ms"),
      updatedAt: row.instant("updated_ms"))
  }

  /// - Parameter photoBytes: returns the size of a visit's photo in the photo folder; nil if it has none.
  func insert(
    _ events: [ServiceEvent], team: TeamID, photoBytes: (ServiceEventID) -> Int?
  ) throws(StoreError) {
    try insert(events, as: Self.visits) { event, row in
      row.put(team.number)
      row.put(event.id)
      row.put(event.poolID)
      row.put(event.timestamp)
      row.put(event.readings.pH)
      row.put(event.readings.waterTempF)
      row.put(event.readings.calciumHardness)
      row.put(event.readings.totalAlkalinity)
      row.put(event.readings.cyanuricAcid)
      row.put(event.lsiValue)
      row.put(event.totalChemicalCost)
      row.put(event.techNotes)
      row.put(event.photoFileName)
      row.put(photoBytes(event.id))
      row.put(event.measured.rawValue)
      row.put(event.assumed.rawValue)
      row.put(event.readings.freeChlorine)
      row.put(event.readings.salt)
    }
    // A dry run extracts no photos and reports their size as 0.
    for event in events where photoBytes(event.id) ?? 0 > 0 { try storePhoto(of: event.id, .visit, team: team) }
  }

  private static let visits = InsertForm(
    "service_events",
    """
    team_id, event_id, pool_id, at_ms, ph, water_temp_f, calcium_hardness, total_alkalinity, cyanuric_acid, lsi,
    total_chemical_cost, tech_notes, photo_name, photo_bytes, measured, assumed, free_chlorine, salt
    """)

  func insert(_ doses: [ChemicalDose], team: TeamID) throws(StoreError) {
    try insert(doses, as: Self.doses) { dose, row in
      row.put(team.number)
      row.put(dose.id)
      row.put(dose.serviceEventID)
      row.put(dose.chemicalID)
      row.put(dose.quantityOz)
      row.put(dose.cost)
    }
  }

  private static let doses = InsertForm(
    "chemical_doses", "team_id, dose_id, event_id, chemical_id, quantity_oz, cost")

  /// - Parameter position: index of the first item in the team's list.
  func insert(_ stock: [InventoryItem], team: TeamID, scope: TechnicianID?, position: Int) throws(StoreError) {
    try insert(stock.enumerated(), as: Self.stock) { entry, row in
      let (offset, item) = entry
      row.put(team.number)
      row.put(item.id)
      row.put(scope?.number)
      row.put(position + offset)
      row.put(item.name)
      row.put(item.chemicalType)
      row.put(item.concentration)
      row.put(item.costPerOz)
      row.put(item.currentStockOz)
      row.put(item.lowStockThresholdOz)
      row.put(item.unitLabel)
    }
  }

  private static let stock = InsertForm(
    "inventory_items",
    """
    team_id, item_id, scope_technician_id, position, name, chemical_type, concentration, cost_per_oz, stock_oz,
    threshold_oz, unit_label
    """)

  /// Inserts or updates profiles. Empty profiles are deleted, because an archive would contain a blank record.
  func upsert(_ profiles: [CustomerProfile], team: TeamID, scope: TechnicianID?) throws(StoreError) {
    for profile in profiles where profile.hasNoData {
      try run(
        "DELETE FROM customer_profiles WHERE team_id = ? AND pool_id = ?", .integer(team.number), .id(profile.poolID))
    }
    try insert(profiles.filter { !$0.hasNoData }, as: Self.profiles) { profile, row in
      row.put(team.number)
      row.put(profile.poolID)
      row.put(scope?.number)
      row.put(profile.contactName)
      row.put(profile.contactPhone)
      row.put(profile.contactEmail)
      row.put(profile.gateAccessType)
      row.put(profile.preferredArrivalWindow)
      row.put(profile.storedTags)
    }
  }

  private static let profiles = InsertForm(
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
    try insert(equipment, as: Self.equipment) { one, row in
      row.put(team.number)
      row.put(one.id)
      row.put(one.poolID)
      row.put(one.equipmentType)
      row.put(one.name)
      row.put(one.manufacturer)
      row.put(one.modelNumber)
      row.put(one.serialNumber)
      row.put(one.installDate)
      row.put(one.warrantyExpiryDate)
      row.put(one.lastServiceDate)
      row.put(one.nextServiceDate)
      row.put(one.notes)
      row.put(one.createdAt)
      row.put(one.updatedAt)
    }
  }

  private static let equipment = InsertForm(
    "equipment",
    """
    team_id, equipment_id, pool_id, equipment_type, name, manufacturer, model_number, serial_number, install_ms,
    warranty_expiry_ms, last_service_ms, next_service_ms, notes, created_ms, updated_ms
    """)

  func profiles(of team: TeamID) throws(StoreError) -> [CustomerProfile] {
    try rows(
      "SELECT \(Self.profileColumns) FROM customer_profiles AS profile WHERE team_id = ? ORDER BY pool_id",
      .integer(team.number)
    ) { row throws(StoreError) in try Self.profile(row) }
  }

  static let profileColumns = """
    profile.pool_id, profile.contact_name, profile.contact_phone, profile.contact_email, profile.gate_access,
    profile.arrival_window, profile.tags
    """

  static func profile(_ row: Statement) throws(StoreError) -> CustomerProfile {
    CustomerProfile(
      poolID: try row.id("pool_id", table: "customer_profiles"), contactName: row.text("contact_name"),
      contactPhone: row.text("contact_phone"), contactEmail: row.text("contact_email"),
      gateAccessType: row.text("gate_access"), preferredArrivalWindow: row.text("arrival_window"),
      tagsCSV: row.text("tags"))
  }
}
