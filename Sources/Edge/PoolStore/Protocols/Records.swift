package import PoolModel

/// The records of teams, as imports and restores replace them: each verb is one transaction, whole or not at all.
package protocol Records: Sendable {
  /// Replaces what the team and technician scope had by `records`, as the app's restore does: one transaction.
  ///
  /// - Parameters:
  ///   - technician: whose archive it is; nil for the whole team's.
  ///   - photos: the size of each event's photo that lies in the photo folder.
  ///   - rehearse: do all of it, count, and take it back.
  ///   - change: what the photo folder's mark names; nil where no photos are replaced.
  ///   - limitsPools: whether a plan limits how many pools there may be.
  ///   - claim: the file of the inbox that it is; nil where somebody asked for the import.
  ///   - refused: throws where what would become of the records is not wanted; nothing has changed then.
  /// - Throws: `StoreError.freePlanFull`, `.ownedElsewhere`; nothing has changed then.
  func replaceRecords(
    team name: String, technician: String?, records: RecordSet, photos: [ServiceEventID: Int], now: Timestamp,
    rehearse: Bool, change: PhotoChange?, limitsPools: Bool, claim: ImportClaim?,
    unless refused: @Sendable (ArchiveChanges) throws -> Void
  ) async throws -> ImportEffect

  /// Adds or updates pools and their profiles, as a customers file does; all other records stay.
  ///
  /// - Throws: `StoreError.freePlanFull`; nothing has changed then.
  func upsertPools(
    team name: String, technician: String?, pools: [Pool], profiles: [CustomerProfile], now: Timestamp, rehearse: Bool,
    limitsPools: Bool, claim: ImportClaim?
  ) async throws -> ImportEffect

  /// Puts archives in the place of a team's records, or of one technician's: one transaction for all of them.
  ///
  /// What the team had not been told yet was decided on other records, and is held.
  /// - Parameters:
  ///   - photos: the size of each event's photo that lies in the photo folder.
  ///   - rehearse: do all of it, count, and take it back.
  ///   - change: what the photo folder's mark names; nil where no photos are replaced.
  /// - Throws: `StoreError.freePlanFull`, `.ownedElsewhere`; nothing has changed then.
  func restore(
    _ parts: [RestoredPart], over extent: RestoreExtent, of name: String, photos: [ServiceEventID: Int], now: Timestamp,
    rehearse: Bool, change: PhotoChange?, limitsPools: Bool
  ) async throws -> RestoreEffect

  /// Removes a team's pools, visits, stock and equipment; its settings, plan and technicians stay, their addresses
  /// go.
  ///
  /// - Parameters:
  ///   - stock: what it begins anew with.
  ///   - change: what the photo folder's mark names; nil where no photos are replaced.
  ///   - unless: throws where the team is not any more what the caller has seen.
  func clear(
    _ name: String, stock: [InventoryItem], rehearse: Bool, change: PhotoChange?,
    unless changed: @Sendable (RecordCounts) throws -> Void
  ) async throws -> RestoreEffect

  /// The team's pools as values, in the order in which they were made, those of one customers file by day: what the next
  /// file is compared with.
  func allPools(of team: TeamID) async throws -> [Pool]

  func profiles(of team: TeamID) async throws -> [CustomerProfile]

  /// The visits whose photos lie in the team's photo folder.
  ///
  /// - Parameter pool: nil for all of the team.
  func photoEvents(of team: TeamID, pool: PoolID?) async throws -> Set<ServiceEventID>

  /// Every pair of scope and driver of a team that has records.
  func shares(of team: TeamID) async throws -> [TeamShare]

  func counts(of team: TeamID) async throws -> RecordCounts
}

extension Records {
  /// The same, whatever becomes of the records.
  package func replaceRecords(
    team name: String, technician: String?, records: RecordSet, photos: [ServiceEventID: Int], now: Timestamp,
    rehearse: Bool, change: PhotoChange?, limitsPools: Bool, claim: ImportClaim?
  ) async throws -> ImportEffect {
    try await replaceRecords(
      team: name, technician: technician, records: records, photos: photos, now: now, rehearse: rehearse,
      change: change,
      limitsPools: limitsPools, claim: claim, unless: { _ in })
  }
}

extension Store: Records {}
