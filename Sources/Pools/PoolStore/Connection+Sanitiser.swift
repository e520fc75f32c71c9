package import FlowModel
import FlowStore
import PoolModel

/// Readings of free chlorine and salt, which an archive of the app does not have.
struct SanitiserReadings {
  /// The readings of one visit or pool, in parts per million.
  struct Values {
    let freeChlorine: Double?
    let salt: Double?
    /// The readings taken at the visit; empty for a pool.
    let measured: ReadingSet

    init(_ row: Statement, measured: ReadingSet) {
      freeChlorine = row.optionalReal("free_chlorine")
      salt = row.optionalReal("salt")
      self.measured = measured
    }
  }

  let visits: [ServiceEventID: Values]
  let pools: [PoolID: Values]
}

extension Connection {
  /// The readings of a team's visits and pools; those without any are left out.
  func sanitiserReadings(of team: TeamID) throws(StoreError) -> SanitiserReadings {
    let visits = try rows(
      """
      SELECT event_id, free_chlorine, salt, measured FROM service_events
      WHERE team_id = ? AND (free_chlorine IS NOT NULL OR salt IS NOT NULL)
      """, .integer(team.number)
    ) { row throws(StoreError) -> (ServiceEventID, SanitiserReadings.Values) in
      let measured = ReadingSet(rawValue: row.number("measured")).intersection(.sanitiser)
      return (try row.id("event_id", table: "service_events"), SanitiserReadings.Values(row, measured: measured))
    }
    let pools = try rows(
      """
      SELECT pool_id, free_chlorine, salt FROM pools
      WHERE team_id = ? AND (free_chlorine IS NOT NULL OR salt IS NOT NULL)
      """, .integer(team.number)
    ) { row throws(StoreError) -> (PoolID, SanitiserReadings.Values) in
      (try row.id("pool_id", table: "pools"), SanitiserReadings.Values(row, measured: []))
    }
    return SanitiserReadings(
      visits: Dictionary(visits, uniquingKeysWith: { first, _ in first }),
      pools: Dictionary(pools, uniquingKeysWith: { first, _ in first }))
  }

  /// Puts readings back that were there before an archive replaced the records.
  ///
  /// - Parameter records: the records of the archive.
  /// - Returns: the number of its visits that got their readings back.
  func keep(_ readings: SanitiserReadings, in records: RecordSet, team: TeamID) throws(StoreError) -> Int {
    guard !readings.visits.isEmpty || !readings.pools.isEmpty else { return 0 }
    var kept = 0
    for event in records.serviceEvents {
      guard let values = readings.visits[event.id] else { continue }
      try run(
        "UPDATE service_events SET free_chlorine = ?, salt = ?, measured = ? WHERE team_id = ? AND event_id = ?",
        .optional(values.freeChlorine), .optional(values.salt),
        .integer(event.measured.union(values.measured).rawValue), .integer(team.number), .id(event.id))
      kept += 1
    }
    for pool in records.pools {
      guard let values = readings.pools[pool.id] else { continue }
      try run(
        "UPDATE pools SET free_chlorine = ?, salt = ? WHERE team_id = ? AND pool_id = ?",
        .optional(values.freeChlorine), .optional(values.salt), .integer(team.number), .id(pool.id))
    }
    return kept
  }

  /// Whether any pool, and any visit, of a team has a reading of free chlorine or salt.
  func sanitiserUse(of team: TeamID) throws(StoreError) -> (pools: Bool, visits: Bool) {
    let use = try first(
      """
      SELECT EXISTS (SELECT 1 FROM pools WHERE team_id = ?1 AND (free_chlorine IS NOT NULL OR salt IS NOT NULL)),
        EXISTS (SELECT 1 FROM service_events WHERE team_id = ?1 AND measured > ?2)
      """, .integer(team.number), .integer(ReadingSet.all.rawValue)
    ) { row throws(StoreError) in (pools: row.flag(0), visits: row.flag(1)) }
    return use ?? (false, false)
  }
}

extension Store {
  package func sanitiserUse(of team: TeamID) throws -> (pools: Bool, visits: Bool) {
    try connection.sanitiserUse(of: team)
  }
}
