package import FlowCalendar
package import FlowModel
package import FlowStore
package import PoolModel

/// New dates of service of some pools.
package struct NewRules: Sendable {
  /// Nil for every week on the pool's weekday.
  package let rules: [PoolID: CalendarDates?]
  /// The first date of the new rules, in the team's zone; earlier dates keep the rule before.
  package let first: CivilDate

  package init(_ rules: [PoolID: CalendarDates?], from first: CivilDate) {
    self.rules = rules
    self.first = first
  }
}

/// Imports and restores of team records; each method is one transaction.
package protocol TeamRecords: Sendable {
  /// Replaces the records of a team or of one technician by `records`, like the app's restore.
  ///
  /// - Parameters:
  ///   - technician: the technician whose archive it is; nil for the whole team's.
  ///   - photos: size in bytes of each event's photo in the photo folder.
  ///   - dryRun: true for a dry run: all is done, counted and rolled back.
  ///   - change: the photo change that the photo folder's mark names; nil if no photos are replaced.
  ///   - limitsPools: true if the team's plan limits the number of pools.
  ///   - claim: the inbox file; nil if the import was requested by a command.
  ///   - refused: throws to refuse the resulting changes.
  /// - Throws: `StoreError.freePlanFull`, `.ownedElsewhere`, or the error of `refused`; nothing is changed then.
  func replaceRecords(
    team name: String, technician: String?, records: RecordSet, photos: [ServiceEventID: Int], now: Timestamp,
    dryRun: Bool, change: PhotoChange?, limitsPools: Bool, claim: ImportClaim<ImportEffect>?,
    unless refused: @Sendable (ArchiveChanges) throws -> Void
  ) async throws -> ImportEffect

  /// Adds or updates pools and their profiles from a customers file; all other records stay.
  ///
  /// - Throws: `StoreError.freePlanFull`; nothing is changed then.
  func upsertPools(
    team name: String, technician: String?, pools: [Pool], profiles: [CustomerProfile],
    rules: NewRules?, now: Timestamp, dryRun: Bool, limitsPools: Bool, claim: ImportClaim<ImportEffect>?
  ) async throws -> ImportEffect

  /// Replaces a team's records, or one technician's, by archives, in one transaction.
  ///
  /// Undelivered notices of the team are put on hold, because they were decided with other records.
  /// - Parameters:
  ///   - photos: size in bytes of each event's photo in the photo folder.
  ///   - dryRun: true for a dry run: all is done, counted and rolled back.
  ///   - change: the photo change that the photo folder's mark names; nil if no photos are replaced.
  /// - Throws: `StoreError.freePlanFull`, `.ownedElsewhere`; nothing is changed then.
  func restore(
    _ parts: [RestoredPart], over extent: RestoreExtent, of name: String, photos: [ServiceEventID: Int], now: Timestamp,
    dryRun: Bool, change: PhotoChange?, limitsPools: Bool
  ) async throws -> RestoreEffect

  /// Removes a team's pools, visits, stock and equipment, and the addresses of its technicians and office. Settings, plan and
  /// technicians stay.
  ///
  /// - Parameters:
  ///   - stock: the stock that the team gets instead.
  ///   - change: the photo change that the photo folder's mark names; nil if no photos are replaced.
  ///   - changed: throws if the team differs from what the caller has seen.
  func clear(
    _ name: String, stock: [InventoryItem], dryRun: Bool, change: PhotoChange?,
    unless changed: @Sendable (RecordCounts) throws -> Void
  ) async throws -> ClearedRecords

  /// The team's pools, to compare with the next customers file: in the order of their creation, pools of one file by weekday.
  func allPools(of team: TeamID) async throws -> [Pool]

  func profiles(of team: TeamID) async throws -> [CustomerProfile]

  /// Visits whose photos are in the team's photo folder.
  ///
  /// - Parameter pool: nil for all pools of the team.
  func photoEvents(of team: TeamID, pool: PoolID?) async throws -> Set<ServiceEventID>

  /// Each combination of import scope and assigned technician for which a team has records.
  func archiveParts(of team: TeamID) async throws -> [ArchivePart]

  func counts(of team: TeamID) async throws -> RecordCounts
}

extension TeamRecords {
  /// Replaces records without a check of the resulting changes.
  package func replaceRecords(
    team name: String, technician: String?, records: RecordSet, photos: [ServiceEventID: Int], now: Timestamp,
    dryRun: Bool, change: PhotoChange?, limitsPools: Bool, claim: ImportClaim<ImportEffect>?
  ) async throws -> ImportEffect {
    try await replaceRecords(
      team: name, technician: technician, records: records, photos: photos, now: now, dryRun: dryRun,
      change: change,
      limitsPools: limitsPools, claim: claim, unless: { _ in })
  }
}

extension Store: TeamRecords {}
