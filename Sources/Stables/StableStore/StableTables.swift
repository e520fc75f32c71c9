import FlowCalendar
package import FlowModel
package import FlowStore
package import FlowWork
import PoolJobs
import PoolStore
import StableJobs
package import StableModel
import StableRules

/// The tables of stables, for the engine.
package struct StableTables: TradeStore {
  package init() {}

  package var trade: Trade { .stable }
  package var jobs: JobCatalogue { .stables }
  package var schemaParts: [Int: String] { [7: Schema.stables] }
  package var photoOwner: Connection.PhotoOwner? { .horse }

  package var factTables: Set<Substring> {
    [
      "barn_settings", "blanket_advice", "blanket_nights", "care_events", "feed_days", "feed_history", "feed_marks",
      "feed_schedules", "horses",
    ]
  }

  package func factsPlan(for purpose: FactsPurpose, of team: TeamID) -> any FactsPlan {
    switch purpose {
    // Reminders read the same facts in every trade.
    case .decision(let kind, _, _, _) where kind.reminderName != nil: FactsRequest(for: purpose, of: team)
    case .decision(_, let asOf, _, let zone): BarnRequest(on: zone.local(at: asOf).date)
    case .everyDecision, .none: BarnRequest.newest
    }
  }

  package func affectsOtherDecisions(_ record: StableRecord) -> Bool { true }

  package func keep(
    _ record: StableRecord, of team: TeamID, run: ClaimedRun, deletionTime time: Timestamp, on connection: Connection
  ) throws(StoreError) {
    switch record {
    case .closeDay(let decided):
      // Uses the present marks and schedules, even if the run was decided with earlier ones.
      let old = try connection.feedDay(decided.date, of: team)
      var day = old
      if day.closed == nil { _ = day.close() }
      try connection.write(day, replacing: old, of: team)
    case .advice(let night):
      try connection.keep(night, of: team)
    }
  }

  package func recordCounts(of team: TeamID, on connection: Connection) throws(StoreError) -> RecordCounts {
    try connection.stableCounts(of: team)
  }
}

extension BarnRequest: FactsPlan {
  package func read(of team: Team, on connection: Connection) throws(StoreError) -> any DecisionFacts {
    try connection.facts(self, of: team)
  }
}

extension Connection.PhotoOwner {
  static let horse = Connection.PhotoOwner(idColumn: "horse_id", table: "horses", column: "has_photo")
}
