package import FlowModel
package import FlowStore
package import PoolModel

/// The records of one archive to restore for a team.
package struct RestoredPart: Sendable {
  /// The technician of its pools; nil to use the profiles' tags.
  package let technician: String?
  /// True if all records belong to that technician alone, including the truck's stock.
  package let isOwn: Bool
  package let records: RecordSet

  package init(technician: String?, isOwn: Bool, records: RecordSet) {
    self.technician = technician
    self.isOwn = isOwn
    self.records = records
  }
}

/// The part of a team's records that a restore replaces.
package enum RestoreExtent: Hashable, Sendable {
  /// All records of the team.
  case team
  /// Records imported for this technician alone; nil: team-wide records.
  case scope(String?)
  /// Team-wide records of pools assigned to this technician. The team's stock stays unchanged.
  case poolsOfTechnician(String)
  /// Pools assigned to this technician, and all records imported for the technician alone.
  case technician(String)
}

/// The result of a restore, or of its dry run.
package struct RestoreEffect: Hashable, Sendable {
  package let before: RecordCounts
  package let after: RecordCounts
  /// Number of records that no longer exist.
  package let lost: RecordCounts
  /// Customers of lost pools; at most `Limits.lostPoolCustomersListed`.
  package let lostCustomers: [String]
  /// Number of undelivered notices that are now on hold.
  package let held: Int
  /// Restored pools that keep their present rules and pauses, because their archive does not have any.
  package let servicesKept: Int
  /// Restored visits that keep their present readings of free chlorine and salt, because their archive does not have any.
  package let sanitiserKept: Int
  /// Restored pools that keep their present recurring work, because their archive does not have any.
  package let workKept: Int
  /// Restored pools that keep their present changed dates, because their archive does not have any.
  package let changesKept: Int
}

extension Store {
  package func archiveParts(of team: TeamID) throws -> [ArchivePart] { try connection.archiveParts(of: team) }

  package func restore(
    _ parts: [RestoredPart], over extent: RestoreExtent, of name: String, photos: [ServiceEventID: Int], now: Timestamp,
    dryRun: Bool, change: PhotoChange? = nil, limitsPools: Bool
  ) throws -> RestoreEffect {
    try connection.transaction(dryRun: dryRun) {
      let team = try connection.team(named: name)
      try connection.recordChange(change, of: team.id)
      let (before, counts) = (try connection.identities(of: team.id), try connection.counts(of: team.id))
      let sanitiser = parts.allSatisfy(\.records.knowsSanitiser) ? nil : try connection.sanitiserReadings(of: team.id)
      try connection.removeReplacedRecords(extent, in: team.id)
      var shared: Set<InventoryItemID> = []
      for part in parts.map({ $0.restorable(over: extent) }) {
        if extent != .team { try connection.refuseOtherTeamsRecords(part.records, team: team.id) }
        try connection.insert(part, team: team.id, photos: photos, shared: &shared)
      }
      let changed = parts.filter { $0.records.serviceChanges != nil }.map(\.records)
      try connection.replaceServiceChanges(
        of: changed.flatMap(\.pools), by: changed.flatMap { $0.serviceChanges ?? [] }, team: team.id)
      try connection.removeServicesWithoutPool(of: team.id)
      var sanitiserKept = 0
      if let sanitiser {
        for part in parts where !part.records.knowsSanitiser {
          sanitiserKept += try connection.keep(sanitiser, in: part.records, team: team.id)
        }
      }
      try connection.removeWorkWithoutPool(of: team.id)
      if limitsPools { try connection.refuseFullFreePlan(team, now: now) }
      try connection.removeRoutes(of: team.id)
      let held = try connection.holdUndelivered(of: team.id)
      let services = try connection.services(of: team.id)
      let unknown = parts.filter { $0.records.services == nil }.flatMap(\.records.pools)
      let works = Set(try connection.works(of: team.id, at: nil).map(\.poolID))
      let withoutWork = parts.filter { $0.records.work == nil }.flatMap(\.records.pools)
      let unchanged = parts.filter { $0.records.serviceChanges == nil }.flatMap(\.records.pools)
      let after = try connection.identities(of: team.id)
      return RestoreEffect(
        before: counts, after: try connection.counts(of: team.id), lost: before.counts(without: after),
        lostCustomers: before.customers(without: after), held: held,
        servicesKept: unknown.count { services[$0.id]?.hasOwnDates ?? false },
        sanitiserKept: sanitiserKept, workKept: withoutWork.count { works.contains($0.id) },
        changesKept: unchanged.count { services[$0.id]?.changes.isEmpty == false })
    }
  }

  package func clear(
    _ name: String, stock: [InventoryItem], dryRun: Bool, change: PhotoChange?,
    unless changed: @Sendable (RecordCounts) throws -> Void
  ) throws -> ClearedRecords {
    try clear(name, dryRun: dryRun, change: change, unless: changed) { team in
      try connection.removeRecords(of: team)
      try connection.removeServicesWithoutPool(of: team)
      try connection.removeWorkWithoutPool(of: team)
      try connection.removeRoutes(of: team)
      try connection.insert(stock, team: team, scope: nil, position: 0)
    }
  }
}

extension RestoredPart {
  /// The archive part for one technician restores no stock, which belongs to the whole team.
  fileprivate func restorable(over extent: RestoreExtent) -> RestoredPart {
    switch extent {
    case .team, .scope: return self
    case .poolsOfTechnician, .technician:
      guard !isOwn else { return self }
      var records = records
      records.inventory = []
      return RestoredPart(technician: technician, isOwn: isOwn, records: records)
    }
  }
}

/// The ids of a team's records, by table.
private struct Identities {
  var pools: [String: String] = [:]
  var others: [String: Set<String>] = [:]

  /// The number of records that `other` does not have.
  func counts(without other: Identities) -> RecordCounts {
    func lost(_ table: String) -> Int { (others[table] ?? []).subtracting(other.others[table] ?? []).count }
    return RecordCounts(
      pools: pools.keys.count { other.pools[$0] == nil }, serviceEvents: lost("service_events"),
      chemicalDoses: lost("chemical_doses"), inventoryItems: lost("inventory_items"),
      customerProfiles: lost("customer_profiles"), equipment: lost("equipment"), photos: lost("photos"))
  }

  /// Customers of pools that `other` does not have.
  func customers(without other: Identities) -> [String] {
    Array(pools.filter { other.pools[$0.key] == nil }.values.sorted().prefix(Limits.lostPoolCustomersListed))
  }
}

extension Connection {
  /// The ids of all records of a team.
  fileprivate func identities(of team: TeamID) throws(StoreError) -> Identities {
    var found = Identities()
    let pools = try rows("SELECT pool_id, customer_name FROM pools WHERE team_id = ?", .integer(team.number)) {
      row throws(StoreError) in (row.text(0), row.text(1))
    }
    found.pools = Dictionary(pools, uniquingKeysWith: { first, _ in first })
    let columns = [
      "service_events": "event_id", "chemical_doses": "dose_id", "inventory_items": "item_id",
      "customer_profiles": "pool_id", "equipment": "equipment_id",
    ]
    for (table, column) in columns {
      found.others[table] = Set(
        try rows("SELECT \(column) FROM \(table) WHERE team_id = ?", .integer(team.number)) { row throws(StoreError) in
          row.text(0)
        })
    }
    found.others["photos"] = Set(
      try rows(
        "SELECT event_id FROM service_events WHERE team_id = ? AND photo_bytes IS NOT NULL", .integer(team.number)
      ) { row throws(StoreError) in row.text(0) })
    return found
  }

  /// Deletes all records of a team; foreign keys delete visits, doses and equipment with their pools.
  fileprivate func removeRecords(of team: TeamID) throws(StoreError) {
    for table in ["pools", "inventory_items", "customer_profiles"] {
      try run("DELETE FROM \(table) WHERE team_id = ?", .integer(team.number))
    }
  }

  /// Deletes computed and sent orders, which may contain pools that no longer exist; the nightly job computes new ones.
  fileprivate func removeRoutes(of team: TeamID) throws(StoreError) {
    for table in ["routes", "route_undos"] {
      try run("DELETE FROM \(table) WHERE team_id = ?", .integer(team.number))
    }
  }

  /// Deletes the records that a restore replaces.
  fileprivate func removeReplacedRecords(_ extent: RestoreExtent, in team: TeamID) throws(StoreError) {
    switch extent {
    case .team: try removeRecords(of: team)
    case .scope(let name):
      var scope: TechnicianID?
      if let name { scope = try technician(named: name, of: team) }
      try removeRecords(team: team, scope: scope)
    case .poolsOfTechnician(let name): try removePoolsOfTechnician(of: try technician(named: name, of: team), team)
    case .technician(let name):
      let technician = try technician(named: name, of: team)
      try removeRecords(team: team, scope: technician)
      try removePoolsOfTechnician(of: technician, team)
    }
  }

  /// Deletes the team-wide pools assigned to a technician, with their profiles.
  private func removePoolsOfTechnician(of technician: TechnicianID, _ team: TeamID) throws(StoreError) {
    try run(
      """
      DELETE FROM customer_profiles WHERE team_id = ?1 AND pool_id IN (SELECT pool_id FROM pools
        WHERE team_id = ?1 AND scope_technician_id IS NULL AND technician_id = ?2)
      """, .integer(team.number), .integer(technician.number))
    try run(
      "DELETE FROM pools WHERE team_id = ? AND scope_technician_id IS NULL AND technician_id = ?",
      .integer(team.number), .integer(technician.number))
  }

  /// Inserts the records of an archive.
  ///
  /// - Parameter shared: ids of the team's stock inserted so far; each part's archive contains the whole team stock.
  fileprivate func insert(
    _ part: RestoredPart, team: TeamID, photos: [ServiceEventID: Int], shared: inout Set<InventoryItemID>
  ) throws(StoreError) {
    let records = part.records
    var driver: TechnicianID?
    if let name = part.technician { driver = try technician(named: name, of: team) }
    let scope = part.isOwn ? driver : nil
    let owners = try PoolOwners(self, team: team, scope: driver)
    let tags = Dictionary(records.profiles.map { ($0.poolID, $0.technicianTag) }, uniquingKeysWith: { $1 })
    try insert(records.pools, team: team, scope: scope) { (pool) throws(StoreError) in
      try owners.owner(tag: tags[pool.id] ?? nil)
    }
    try insert(records.serviceEvents, team: team) { photos[$0] }
    try insert(records.chemicalDoses, team: team)
    for (position, item) in records.inventory.enumerated() where part.isOwn || shared.insert(item.id).inserted {
      try insert([item], team: team, scope: scope, position: position)
    }
    try upsert(records.profiles, team: team, scope: scope)
    try insert(records.equipment, team: team)
    if let services = records.services { try replaceServices(of: records.pools, by: services, team: team) }
    if let work = records.work { try replaceWork(of: records.pools, by: work, team: team) }
  }
}
