package import FlowModel
package import FlowStore
package import FlowWork
package import PoolJobs
import PoolModel

/// The tables of pool service, for the engine.
package struct PoolTables: TradeStore {
  package init() {}

  package var trade: Trade { .poolService }
  package var jobs: JobCatalogue { .pools }

  package var schemaParts: [Int: String] {
    [
      1: [Schema.records, Schema.water, Schema.routes].joined(separator: "\n"),
      3: Schema.loggedVisits,
      4: Schema.lateness,
      9: Schema.visitUndos,
      10: Schema.measuredReadings,
      15: Schema.services,
      16: [Schema.sanitiserReadings, Schema.work, Schema.servicePins, Schema.serviceChanges].joined(separator: "\n"),
    ]
  }
  package var photoOwner: Connection.PhotoOwner? { .visit }
  package var countedTable: String? { "pools" }

  package var factTables: Set<Substring> {
    [
      "chemical_doses", "customer_profiles", "equipment", "inventory_items", "pool_services", "pool_work", "pools",
      "routes", "service_changes", "service_events", "service_orders", "service_pauses", "service_rules_before",
      "water_crossings",
    ]
  }

  package func factsPlan(for purpose: FactsPurpose, of team: TeamID) -> any FactsPlan {
    FactsRequest(for: purpose, of: team)
  }

  /// Decisions read the route only a week later.
  package func affectsOtherDecisions(_ record: SentRoutes) -> Bool { false }

  package func keep(
    _ record: SentRoutes, of team: TeamID, run: ClaimedRun, deletionTime time: Timestamp, on connection: Connection
  ) throws(StoreError) {
    for route in record.routes {
      try connection.remember(route, of: team, toldBy: run.slot, deletionTime: time)
    }
  }

  package func recordCounts(of team: TeamID, on connection: Connection) throws(StoreError) -> RecordCounts {
    try connection.poolCounts(of: team)
  }

  package func holdings(
    of technician: TechnicianID, team: TeamID, on connection: Connection
  ) throws(StoreError) -> (main: Int, others: Int) {
    let found = try connection.first(
      """
      SELECT (SELECT count(*) FROM pools WHERE team_id = ?1 AND (technician_id = ?2 OR scope_technician_id = ?2)) AS pools,
        (SELECT count(*) FROM inventory_items WHERE team_id = ?1 AND scope_technician_id = ?2)
          + (SELECT count(*) FROM customer_profiles WHERE team_id = ?1 AND scope_technician_id = ?2) AS records
      """, .integer(team.number), .integer(technician.number)
    ) { row throws(StoreError) in (main: row.number("pools"), others: row.number("records")) }
    return found ?? (0, 0)
  }

  package func comingWork(
    of technician: TechnicianID, team: TeamID, from today: CivilDate, on connection: Connection
  ) throws(StoreError) -> ComingWork? {
    let dates = try connection.services(of: team).changedDates(of: technician, from: today)
    return dates.min().map { ComingWork(jobs: dates.count, first: $0) }
  }

  package func rollBack(now: Timestamp, on connection: Connection) throws(StoreError) {
    // If several crossings of a pool would be moved to the same instant, the last one is kept.
    try connection.run(
      """
      DELETE FROM water_crossings WHERE at_ms >= ?1\(connection.ours("team_id")) AND EXISTS (SELECT 1 FROM water_crossings AS later
        WHERE later.team_id = water_crossings.team_id AND later.pool_id = water_crossings.pool_id
          AND later.at_ms > water_crossings.at_ms)
      """, .at(now))
    try connection.run(
      "UPDATE water_crossings SET at_ms = ?1 WHERE at_ms > ?1\(connection.ours("team_id"))", .at(now))
  }
}

extension FactsRequest: FactsPlan {
  package init(for purpose: FactsPurpose, of team: TeamID) {
    switch purpose {
    case .decision(let kind, let asOf, let now, let zone):
      self.init(team: team, kind: kind, asOf: asOf, now: now, zone: zone)
    case .everyDecision(let now): self = .everyDay(of: team, now: now)
    case .none: self.init(team: team, days: [])
    }
  }

  package func read(of team: Team, on connection: Connection) throws(StoreError) -> any DecisionFacts {
    try connection.facts(self, of: team)
  }
}

extension Connection.PhotoOwner {
  static let visit = Connection.PhotoOwner(idColumn: "event_id", table: "service_events", column: "photo_bytes")
}
