package import FlowModel
import FlowStore
import PoolChemistry
package import PoolModel

/// The part of a team's records that one archive holds: those imported for one technician, or the team-wide records for pools
/// of one technician. All parts together are the whole team.
package struct ArchivePart: Hashable, Sendable {
  package let technician: Technician
  /// True if the records were imported for this technician alone, including the truck's stock.
  package let isOwn: Bool
  /// True if profiles of pools that no longer exist belong to this part, so that no profile is left out.
  package let includesOrphanProfiles: Bool
}

/// The records of one archive part, and details that the archive's format cannot hold.
package struct ArchivePartRecords: Sendable {
  package var records: RecordSet
  /// Visits whose photo is in the photo folder.
  package var photos: [ServiceEventID]
  /// Number of doses of chemicals that are not in this part's stock; the archive must not name such chemicals.
  package var dosesWithoutStock: Int
}

extension Connection {
  /// The archive parts of a team, team-wide records first; empty for a team without records.
  func archiveParts(of team: TeamID) throws(StoreError) -> [ArchivePart] {
    let people = try technicians(of: team)
    let pairs = Set(
      try rows(
        """
        SELECT technician_id, CASE WHEN scope_technician_id IS NULL THEN 0 ELSE 1 END FROM pools WHERE team_id = ?1
        UNION SELECT scope_technician_id, 1 FROM inventory_items WHERE team_id = ?1 AND scope_technician_id IS NOT NULL
        UNION SELECT scope_technician_id, 1 FROM customer_profiles
          WHERE team_id = ?1 AND scope_technician_id IS NOT NULL
        UNION SELECT (SELECT technician_id FROM technicians WHERE team_id = ?1 AND is_default = 1), 0
          WHERE EXISTS (SELECT 1 FROM inventory_items WHERE team_id = ?1 AND scope_technician_id IS NULL)
          OR EXISTS (SELECT 1 FROM customer_profiles WHERE team_id = ?1 AND scope_technician_id IS NULL)
        """, .integer(team.number)
      ) { row throws(StoreError) in PartKey(technician: TechnicianID(row.integer(0)), isOwn: row.flag(1)) })
    return [false, true].flatMap { isOwn in
      people.filter { pairs.contains(PartKey(technician: $0.id, isOwn: isOwn)) }.map {
        ArchivePart(technician: $0, isOwn: isOwn, includesOrphanProfiles: isOwn || $0.isDefault)
      }
    }
  }

  /// Technician and scope of an archive part, as a set element.
  private struct PartKey: Hashable {
    let technician: TechnicianID
    let isOwn: Bool
  }

  /// Reads the records of one archive part.
  ///
  /// CROSS JOIN fixes the join order: from the part's pools to their visits and doses. SQLite's own plan reads every dose of
  /// the team for every part.
  func records(of part: ArchivePart, team: TeamID) throws(StoreError) -> ArchivePartRecords {
    let key: [SQLValue] = [.integer(team.number), .integer(part.technician.id.number), .flag(part.isOwn)]
    // An archive has the app's index.
    let isByApp = try lsiMethod(of: team) == .app
    let pools = try rows("SELECT \(Self.poolColumns) FROM pools WHERE \(Self.isInPart) ORDER BY pools.pool_id", key) {
      row throws(StoreError) in
      var pool = try Self.pool(row)
      if !isByApp, pool.cachedLSI != nil { pool.cachedLSI = LSIResult(pool.readings).lsiValue }
      return pool
    }
    var photos: [ServiceEventID] = []
    let events = try rows(
      """
      SELECT \(Self.visitColumns), visit.photo_bytes FROM pools
      CROSS JOIN service_events AS visit ON visit.team_id = pools.team_id AND visit.pool_id = pools.pool_id
      WHERE \(Self.isInPart) ORDER BY at_ms, event_id
      """, key
    ) { row throws(StoreError) in
      let event = try Self.visit(row)
      if event.photoFileName != nil, !row.isNull("photo_bytes") { photos.append(event.id) }
      return event
    }
    let stock = try stockOfPart(of: part, team: team)
    let known = Set(stock.map(\.id))
    var lost = 0
    let doses = try rows(
      """
      SELECT dose_id, dose.event_id, chemical_id, quantity_oz, cost FROM pools
      CROSS JOIN service_events AS visit ON visit.team_id = pools.team_id AND visit.pool_id = pools.pool_id
      CROSS JOIN chemical_doses AS dose ON dose.team_id = visit.team_id AND dose.event_id = visit.event_id
      WHERE \(Self.isInPart) ORDER BY dose_id
      """, key
    ) { row throws(StoreError) in
      var chemical: InventoryItemID?
      if !row.isNull("chemical_id") { chemical = try row.id("chemical_id", table: "chemical_doses") }
      if let item = chemical, !known.contains(item) {
        chemical = nil
        lost += 1
      }
      return ChemicalDose(
        id: try row.id("dose_id", table: "chemical_doses"),
        serviceEventID: try row.id("event_id", table: "chemical_doses"), chemicalID: chemical,
        quantityOz: row.real("quantity_oz"), cost: row.real("cost"))
    }
    let orders = Dictionary(grouping: try serviceOrders(of: team), by: \.pool)
    let calendar = try services(of: team)
    let services = calendar.records(of: pools).map { service in
      var service = service
      if service.rule != nil { service.orders = (orders[service.poolID] ?? []).map(\.order) }
      return service
    }
    let equipment = try equipmentOfPart(key)
    return ArchivePartRecords(
      records: RecordSet(
        pools: pools, serviceEvents: events, chemicalDoses: doses, inventory: stock,
        profiles: try profilesOfPart(key + [.flag(part.includesOrphanProfiles)]), equipment: equipment,
        services: services, serviceChanges: calendar.changeRecords(of: pools, try technicians(of: team)),
        knowsSanitiser: true, work: try workRecords(of: pools, equipment, team: team)),
      photos: photos, dosesWithoutStock: lost)
  }

  /// Condition for pools of one archive part: team `?1`, technician `?2`, imported for the technician alone if `?3` is 1.
  private static let isInPart = """
    pools.team_id = ?1 AND pools.technician_id = ?2 AND (pools.scope_technician_id IS NOT NULL) = (?3 = 1)
    """

  /// The truck's stock, or the team's stock if the part is team-wide.
  private func stockOfPart(of part: ArchivePart, team: TeamID) throws(StoreError) -> [InventoryItem] {
    try rows(
      """
      SELECT \(Self.itemColumns) FROM inventory_items AS item
      WHERE team_id = ? AND scope_technician_id IS ? ORDER BY position, item_id
      """, .integer(team.number), .optional(part.isOwn ? part.technician.id.number : nil)
    ) { row throws(StoreError) in try Self.item(row) }
  }

  /// Profiles of the part's pools, and of pools that no longer exist.
  private func profilesOfPart(_ key: [SQLValue]) throws(StoreError) -> [CustomerProfile] {
    try rows(
      """
      SELECT \(Self.profileColumns) FROM customer_profiles AS profile
      LEFT JOIN pools ON pools.team_id = profile.team_id AND pools.pool_id = profile.pool_id
      WHERE profile.team_id = ?1 AND ((\(Self.isInPart)) OR (pools.pool_id IS NULL AND ?4 = 1
        AND profile.scope_technician_id IS NOT DISTINCT FROM CASE WHEN ?3 = 1 THEN ?2 END))
      ORDER BY profile.pool_id
      """, key
    ) { row throws(StoreError) in try Self.profile(row) }
  }

  private func equipmentOfPart(_ key: [SQLValue]) throws(StoreError) -> [Equipment] {
    try rows(
      """
      SELECT \(Self.equipmentColumns)
      FROM equipment AS machine JOIN pools ON pools.team_id = machine.team_id AND pools.pool_id = machine.pool_id
      WHERE \(Self.isInPart) ORDER BY equipment_id
      """, key
    ) { row throws(StoreError) in try Self.equipment(row) }
  }
}
