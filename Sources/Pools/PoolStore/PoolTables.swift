import PoolJobs
package import FlowModel
package import FlowStore
package import FlowWork
package import PoolDigests

/// The tables of pool service, for the engine.
package struct PoolTables: TradeStore {
  package init() {}

  package var trade: Trade { .poolService }
  package var jobs: JobCatalogue { .pools }
  package var recordTables: [String] { ["pools", "inventory_items", "customer_profiles"] }
  package var photoOwner: Connection.PhotoOwner { .visit }

  package var factTables: Set<Substring> {
    [
      "chemical_doses", "customer_profiles", "equipment", "inventory_items", "pools", "routes", "service_events",
      "water_crossings",
    ]
  }

  package func factsPlan(for purpose: FactsPurpose, of team: TeamID) -> any FactsPlan {
    FactsRequest(for: purpose, of: team)
  }

  /// Decisions read the route only a week later.
  package func affectsOtherDecisions(_ record: SentRoute) -> Bool { false }

  package func keep(
    _ record: SentRoute, of team: TeamID, run: ClaimedRun, deletionTime time: Timestamp, on connection: Connection
  ) throws(StoreError) {
    try connection.remember(record, of: team, toldBy: run.slot, deletionTime: time)
  }

  package func recordCounts(of team: TeamID, on connection: Connection) throws(StoreError) -> [String: Int] {
    try connection.poolCounts(of: team)
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
