import FlowCalendar
package import FlowModel
package import FlowStore
package import PoolModel

/// The result of an import or of its dry run.
package struct ImportEffect: Sendable {
  package let before: RecordCounts
  package let after: RecordCounts
  /// Changes by an archive, which replaces the present records; nil for other imports.
  package let changes: ArchiveChanges?
  /// Visits that keep their present readings of free chlorine and salt, because the archive does not have any.
  package let sanitiserKept: Int
  /// Pools that have another weekday in the archive, but keep their rules of dates, because the archive does not have any.
  package let rulesKept: Int

  package init(
    before: RecordCounts, after: RecordCounts, changes: ArchiveChanges? = nil, sanitiserKept: Int = 0,
    rulesKept: Int = 0
  ) {
    self.rulesKept = rulesKept
    self.before = before
    self.after = after
    self.changes = changes
    self.sanitiserKept = sanitiserKept
  }
}

/// The effect of an archive on the records that it replaces.
package struct ArchiveChanges: Hashable, Sendable {
  package let poolsCreated: Int
  package let poolsUpdated: Int
  /// Pools that are missing from the archive.
  package let poolsDeleted: Int
  /// Visits logged with `pfctl` that are missing from the archive.
  package let visitsLost: Int
  /// Visits edited with `pfctl` that differ in the archive.
  package let visitsReverted: Int
  /// Deleted pools that were added after the archive was made.
  package let poolsLost: Int
  /// Pools changed after the archive was made that differ in it: name, location, water, fee, weekday or notes.
  package let poolsReverted: Int

  /// True if work done with `pfctl` would be lost. Stock and profiles have no dates and are not checked.
  package var losesWork: Bool { visitsLost + visitsReverted + poolsLost + poolsReverted > 0 }

  package init(
    poolsCreated: Int, poolsUpdated: Int, poolsDeleted: Int, visitsLost: Int, visitsReverted: Int = 0,
    poolsLost: Int = 0, poolsReverted: Int = 0
  ) {
    self.poolsCreated = poolsCreated
    self.poolsUpdated = poolsUpdated
    self.poolsDeleted = poolsDeleted
    self.visitsLost = visitsLost
    self.visitsReverted = visitsReverted
    self.poolsLost = poolsLost
    self.poolsReverted = poolsReverted
  }
}

extension Store {
  package func replaceRecords(
    team name: String, technician: String?, records: RecordSet, photos: [ServiceEventID: Int], now: Timestamp,
    dryRun: Bool, change: PhotoChange? = nil, limitsPools: Bool = true, claim: ImportClaim<ImportEffect>? = nil,
    unless refused: @Sendable (ArchiveChanges) throws -> Void = { _ in }
  ) throws -> ImportEffect {
    try importInTransaction(name, claim, now: now, dryRun: dryRun) {
      let team = try connection.team(named: name)
      try connection.recordChange(change, of: team.id)
      let before = try connection.counts(of: team.id)
      let scope = try technician.map { try connection.technician(named: $0, of: team.id) }
      let changes = try connection.changes(by: records, team: team.id, scope: scope)
      try refused(changes)
      let pins = try connection.pins(of: team.id)
      let rulesKept = records.services == nil ? try connection.rulesKept(at: records.pools, team: team.id) : 0
      let sanitiser = records.knowsSanitiser ? nil : try connection.sanitiserReadings(of: team.id)
      try connection.removeRecords(team: team.id, scope: scope)
      try connection.refuseOtherTeamsRecords(records, team: team.id)
      let owners = try PoolOwners(connection, team: team.id, scope: scope)
      let tags = namedTechnicians(in: records.profiles)
      try connection.insert(records.pools, team: team.id, scope: scope) { (pool) throws(StoreError) in
        try owners.owner(tag: tags[pool.id])
      }
      try connection.insert(records.serviceEvents, team: team.id) { photos[$0] }
      try connection.insert(records.chemicalDoses, team: team.id)
      try connection.insert(records.inventory, team: team.id, scope: scope, position: 0)
      try connection.upsert(records.profiles(keeping: pins), team: team.id, scope: scope)
      try connection.insert(records.equipment, team: team.id)
      if let services = records.services {
        try connection.replaceServices(of: records.pools, by: services, team: team.id)
      }
      if let work = records.work { try connection.replaceWork(of: records.pools, by: work, team: team.id) }
      if let changes = records.serviceChanges {
        try connection.replaceServiceChanges(of: records.pools, by: changes, team: team.id)
      }
      try connection.removeServicesWithoutPool(of: team.id)
      let kept = try sanitiser.map { try connection.keep($0, in: records, team: team.id) } ?? 0
      try connection.removeWorkWithoutPool(of: team.id)
      if limitsPools { try connection.refuseFullFreePlan(team, now: now) }
      return ImportEffect(
        before: before, after: try connection.counts(of: team.id), changes: changes, sanitiserKept: kept,
        rulesKept: rulesKept)
    }
  }

  package func upsertPools(
    team name: String, technician: String?, pools: [Pool], profiles: [CustomerProfile],
    rules: NewRules? = nil, now: Timestamp, dryRun: Bool, limitsPools: Bool = true,
    claim: ImportClaim<ImportEffect>? = nil
  ) throws -> ImportEffect {
    if dryRun {
      return try connection.snapshot { try previewUpsert(name, pools, profiles, limitsPools ? now : nil) }
    }
    return try importInTransaction(name, claim, now: now, dryRun: false) {
      let team = try connection.team(named: name)
      let before = try connection.counts(of: team.id)
      let scope = try technician.map { try connection.technician(named: $0, of: team.id) }
      let owners = try PoolOwners(connection, team: team.id, scope: scope)
      try connection.upsert(profiles, team: team.id, scope: scope)
      let known = try connection.ids(in: "pools", of: team.id)
      let tags =
        known.isEmpty ? namedTechnicians(in: profiles) : try connection.technicianTags(of: team.id)
      let present = try rules.map { try connection.services(of: Array($0.rules.keys), team: team.id) } ?? [:]
      let owner = { (pool: Pool) throws(StoreError) in try owners.owner(tag: tags[pool.id]) }
      for pool in pools where known.contains(pool.id) {
        try connection.upsert(pool, team: team.id, scope: scope, technician: try owner(pool))
      }
      try connection.insert(
        known.isEmpty ? pools : pools.filter { !known.contains($0.id) }, team: team.id, scope: scope, technician: owner)
      if let rules {
        for (pool, rule) in rules.rules {
          try connection.setRule(rule, of: pool, team: team.id, after: present[pool].map { ($0, rules.first) })
        }
      }
      if limitsPools { try connection.refuseFullFreePlan(team, now: now) }
      return ImportEffect(before: before, after: try connection.counts(of: team.id))
    }
  }

  /// Counts the effect of `upsertPools` without changing anything.
  ///
  /// - Parameter limitedAt: the time at which the team's plan limits its pools; nil for no limit.
  private func previewUpsert(
    _ name: String, _ pools: [Pool], _ profiles: [CustomerProfile], _ limitedAt: Timestamp?
  ) throws -> ImportEffect {
    let team = try connection.team(named: name)
    let before = try connection.counts(of: team.id)
    let knownPools = try connection.ids(in: "pools", of: team.id)
    let knownProfiles = try connection.ids(in: "customer_profiles", of: team.id)
    var after = before
    after.pools += pools.count { !knownPools.contains($0.id) }
    after.customerProfiles += profiles.count { !knownProfiles.contains($0.poolID) }
    if let limitedAt { try PoolStore.refuseFullFreePlan(team, pools: after.pools, now: limitedAt) }
    return ImportEffect(before: before, after: after)
  }
}

/// The technician of a pool: the archive's technician, else the profile's tag, else the team's default.
final class PoolOwners {
  private let connection: Connection
  private let team: TeamID
  private let fixed: TechnicianID?
  private let fallback: TechnicianID
  /// Technicians by tag; a team has few tags and many pools.
  private var known: [String: TechnicianID] = [:]

  init(_ connection: Connection, team: TeamID, scope: TechnicianID?) throws(StoreError) {
    self.connection = connection
    self.team = team
    fixed = scope
    guard let standard = try connection.technicians(of: team).first(where: \.isDefault) else {
      throw .damaged(table: "technicians", column: "is_default", value: "none for team \(team.number)")
    }
    fallback = standard.id
  }

  /// The technician for a profile's tag; creates a technician for an unknown name.
  func owner(tag: String?) throws(StoreError) -> TechnicianID {
    if let fixed { return fixed }
    guard let tag else { return fallback }
    if let owner = known[tag] { return owner }
    let owner =
      try Technician.isReserved(tag) ? technicianWithReservedName(of: tag) : connection.technician(named: tag, of: team)
    known[tag] = owner
    return owner
  }

  /// A reserved name creates no technician; a technician with that name from before the rule keeps the pools.
  private func technicianWithReservedName(of name: String) throws(StoreError) -> TechnicianID {
    try connection.technicians(of: team).first { $0.name.lowercased() == name.lowercased() }?.id ?? fallback
  }
}

extension Connection {
  func poolCounts(of team: TeamID) throws(StoreError) -> RecordCounts {
    let counts = try first(
      """
      SELECT (SELECT count(*) FROM pools WHERE team_id = ?1) AS pools,
        (SELECT count(*) FROM service_events WHERE team_id = ?1) AS visits,
        (SELECT count(*) FROM chemical_doses WHERE team_id = ?1) AS doses,
        (SELECT count(*) FROM inventory_items WHERE team_id = ?1) AS items,
        (SELECT count(*) FROM customer_profiles WHERE team_id = ?1) AS profiles,
        (SELECT count(*) FROM equipment WHERE team_id = ?1) AS equipment,
        (SELECT count(*) FROM service_events WHERE team_id = ?1 AND photo_bytes IS NOT NULL) AS photos
      """, .integer(team.number)
    ) { row throws(StoreError) in
      RecordCounts(
        pools: row.number("pools"), serviceEvents: row.number("visits"), chemicalDoses: row.number("doses"),
        inventoryItems: row.number("items"), customerProfiles: row.number("profiles"),
        equipment: row.number("equipment"), photos: row.number("photos"))
    }
    return counts ?? RecordCounts()
  }

  /// Compares the scope's records with `records`, which will replace them.
  fileprivate func changes(
    by records: RecordSet, team: TeamID, scope: TechnicianID?
  ) throws(StoreError) -> ArchiveChanges {
    let owner: [SQLValue] = [.integer(team.number), .optional(scope?.number)]
    let known: [(id: PoolID, created: Timestamp, updated: Timestamp)] = try readableRows(
      "SELECT pool_id, created_ms, updated_ms FROM pools WHERE team_id = ? AND scope_technician_id IS ?", owner
    ) { row throws(StoreError) in
      (try row.id("pool_id", table: "pools"), row.instant("created_ms"), row.instant("updated_ms"))
    }
    let ours: [(visit: ServiceEvent, isEdited: Bool)] =
      known.isEmpty
      ? []
      : try readableRows(
        """
        SELECT \(Self.visitColumns), logged_here FROM service_events AS visit JOIN pools
          ON pools.team_id = visit.team_id AND pools.pool_id = visit.pool_id
        WHERE visit.team_id = ? AND pools.scope_technician_id IS ? AND visit.logged_here > 0
        """, owner
      ) { row throws(StoreError) in (try Self.visit(row), row.number("logged_here") == 2) }
    let pools = Dictionary(records.pools.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let kept = known.count { pools[$0.id] != nil }
    // Times in an archive are whole seconds.
    func isNewer(_ pool: PoolID, _ updated: Timestamp) -> Bool {
      pools[pool].map { updated.seconds > $0.updatedAt.seconds } ?? false
    }
    let changed: [Pool] =
      !known.contains { isNewer($0.id, $0.updated) }
      ? []
      : try readableRows(
        "SELECT \(Self.poolColumns) FROM pools WHERE team_id = ? AND scope_technician_id IS ?", owner
      ) { row throws(StoreError) in try Self.pool(row) }
    let brought = Dictionary(
      ours.isEmpty ? [] : records.serviceEvents.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    return ArchiveChanges(
      poolsCreated: pools.count - kept, poolsUpdated: kept, poolsDeleted: known.count - kept,
      visitsLost: ours.count { brought[$0.visit.id] == nil },
      visitsReverted: ours.count { one in
        one.isEdited
          && brought[one.visit.id].map { !$0.hasSameContent(as: one.visit, withSanitiser: records.knowsSanitiser) }
            ?? false
      },
      poolsLost: known.count { one in pools[one.id] == nil && records.madeAt.map { one.created > $0 } ?? false },
      poolsReverted: changed.count { one in
        isNewer(one.id, one.updatedAt) && pools[one.id].map { !$0.hasSameContent(as: one) } ?? false
      })
  }

  /// The number of pools that move to another weekday which their rule of dates does not have.
  ///
  /// - Parameter pools: the pools as they will be.
  fileprivate func rulesKept(at pools: [Pool], team: TeamID) throws(StoreError) -> Int {
    let services = try services(of: team)
    guard !services.isWeekly else { return 0 }
    return pools.count { pool in
      guard let service = services[pool.id], let rule = service.rule else { return false }
      return service.weekday != pool.serviceDay && !rule.weekdays.contains(pool.serviceDay)
    }
  }

  /// Deletes the scope's records; foreign keys delete visits, doses and equipment with their pools.
  func removeRecords(team: TeamID, scope: TechnicianID?) throws(StoreError) {
    for table in ["pools", "inventory_items", "customer_profiles"] {
      try run(
        "DELETE FROM \(table) WHERE team_id = ? AND scope_technician_id IS ?", .integer(team.number),
        .optional(scope?.number))
    }
  }

  /// The pinned route positions of a team's pools.
  fileprivate func pins(of team: TeamID) throws(StoreError) -> [PoolID: Int] {
    let pinned = try rows(
      "SELECT \(Self.profileColumns) FROM customer_profiles AS profile WHERE team_id = ? AND tags LIKE '%pin:%'",
      .integer(team.number)
    ) { row throws(StoreError) in try Self.profile(row) }
    return Dictionary(pinned.compactMap { one in one.pin.map { (one.poolID, $0) } }, uniquingKeysWith: { $1 })
  }

  /// Checks that no record with an id in `records` remains. Call it after the scope's own records are deleted.
  ///
  /// - Throws: `StoreError.ownedElsewhere` if a record belongs to another scope.
  func refuseOtherTeamsRecords(_ records: RecordSet, team: TeamID) throws(StoreError) {
    let left = try counts(of: team)
    func refuse<Entity>(
      _ ids: some Sequence<EntityID<Entity>>, in table: String, _ column: String, of count: Int, as entity: String
    ) throws(StoreError) {
      // An empty table needs no queries for thousands of ids.
      guard count > 0 else { return }
      for id in ids where try exists(table, column, .id(id), team: team) {
        throw .ownedElsewhere(entity: entity, id: id.description)
      }
    }
    try refuse(records.pools.lazy.map(\.id), in: "pools", "pool_id", of: left.pools, as: "pool")
    try refuse(
      records.inventory.lazy.map(\.id), in: "inventory_items", "item_id", of: left.inventoryItems, as: "stock item")
    try refuse(
      records.serviceEvents.lazy.map(\.id), in: "service_events", "event_id", of: left.serviceEvents, as: "visit")
    try refuse(
      records.chemicalDoses.lazy.map(\.id), in: "chemical_doses", "dose_id", of: left.chemicalDoses, as: "dose")
    try refuse(records.equipment.lazy.map(\.id), in: "equipment", "equipment_id", of: left.equipment, as: "equipment")
    try refuse(
      records.profiles.lazy.map(\.poolID), in: "customer_profiles", "pool_id", of: left.customerProfiles,
      as: "customer profile of pool")
  }

  private func exists(_ table: String, _ column: String, _ id: SQLValue, team: TeamID) throws(StoreError) -> Bool {
    try first("SELECT 1 FROM \(table) WHERE team_id = ? AND \(column) = ?", .integer(team.number), id) {
      _ throws(StoreError) in true
    } ?? false
  }

  /// Throws `StoreError.freePlanFull` if the team has more pools than its plan allows at `now`.
  func refuseFullFreePlan(_ team: Team, now: Timestamp) throws(StoreError) {
    guard team.plan.isLimited(at: now) else { return }
    try PoolStore.refuseFullFreePlan(team, pools: try counts(of: team.id).pools, now: now)
  }

  /// The pool ids in a team's table.
  fileprivate func ids(in table: String, of team: TeamID) throws(StoreError) -> Set<PoolID> {
    Set(
      try rows("SELECT pool_id FROM \(table) WHERE team_id = ?", .integer(team.number)) { row throws(StoreError) in
        try row.id(0, table: table, name: "pool_id")
      })
  }

  /// The technician named in the `tech:` tag of each profile; profiles without one are left out.
  fileprivate func technicianTags(of team: TeamID) throws(StoreError) -> [PoolID: String] {
    let tagged = try rows(
      "SELECT pool_id, tags FROM customer_profiles WHERE team_id = ? AND tags LIKE '%tech:%'", .integer(team.number)
    ) { row throws(StoreError) in
      var profile = CustomerProfile.blank(try row.id(0, table: "customer_profiles", name: "pool_id"))
      profile.tagsCSV = row.text(1)
      return profile
    }
    return namedTechnicians(in: tagged)
  }
}

extension Pool {
  /// Compares the values that people set; readings belong to visits, and the nightly job also changes the route order.
  fileprivate func hasSameContent(as other: Pool) -> Bool {
    customerName == other.customerName && address == other.address && notes == other.notes
      && latitude == other.latitude && longitude == other.longitude && volumeGallons == other.volumeGallons
      && monthlyServiceFee == other.monthlyServiceFee && serviceDay == other.serviceDay
      && readings.totalDissolvedSolids == other.readings.totalDissolvedSolids
  }
}

extension ServiceEvent {
  /// Compares the values that an edit can change.
  ///
  /// - Parameter withSanitiser: false to leave out free chlorine and salt, which an archive of the app does not have.
  fileprivate func hasSameContent(as other: ServiceEvent, withSanitiser: Bool) -> Bool {
    func water(_ readings: WaterReadings) -> WaterReadings {
      withSanitiser ? readings.measured : readings.measured.withoutSanitiser
    }
    return water(readings) == water(other.readings) && techNotes == other.techNotes
      && totalChemicalCost == other.totalChemicalCost
  }
}

extension RecordSet {
  /// The profiles with the present pins added where the records have none; the app's archives have no pins.
  fileprivate func profiles(keeping pins: [PoolID: Int]) -> [CustomerProfile] {
    guard !pins.isEmpty else { return profiles }
    let known = Set(profiles.map(\.poolID))
    let alone = pools.filter { pins[$0.id] != nil && !known.contains($0.id) }.map { CustomerProfile.blank($0.id) }
    return (profiles + alone).map { profile in
      var profile = profile
      profile.pin = profile.pin ?? pins[profile.poolID]
      return profile
    }
  }
}

/// The technician named in the `tech:` tag of each profile; profiles without one are left out.
private func namedTechnicians(in profiles: [CustomerProfile]) -> [PoolID: String] {
  Dictionary(
    profiles.compactMap { profile in profile.technicianTag.map { (profile.poolID, $0) } }, uniquingKeysWith: { $1 })
}

private func refuseFullFreePlan(_ team: Team, pools: Int, now: Timestamp) throws(StoreError) {
  guard team.plan.isLimited(at: now), pools > Limits.freePlanRecords else { return }
  throw .freePlanFull(team: team.name, records: pools, limit: Limits.freePlanRecords)
}
