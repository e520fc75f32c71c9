import FlowModel
import FlowWork
import PoolDigests
import StableModel
import StableRules
import Trades

/// A record that a trade's decision leaves behind; the store keeps it in the transaction that writes the run.
protocol StoredTradeRecord: TradeRecord {
  /// True if other decisions of the day read the record; decisions made before it was kept are then repeated.
  var affectsOtherDecisions: Bool { get }

  /// Stores the record.
  ///
  /// - Parameter time: older records may be deleted, measured from this time.
  func keep(on connection: Connection, of team: TeamID, run: ClaimedRun, deletionTime time: Timestamp)
    throws(StoreError)
}

extension Connection {
  /// Stores a trade's record, in the transaction that writes its run.
  func keep(
    _ record: any TradeRecord, of team: TeamID, run: ClaimedRun, deletionTime: Timestamp
  ) throws(StoreError) {
    guard let record = record as? any StoredTradeRecord else {
      preconditionFailure("no store of a trade keeps \(type(of: record))")
    }
    try record.keep(on: self, of: team, run: run, deletionTime: deletionTime)
  }
}

extension SentRoute: StoredTradeRecord {
  /// Decisions read the route only a week later.
  var affectsOtherDecisions: Bool { false }

  func keep(on connection: Connection, of team: TeamID, run: ClaimedRun, deletionTime time: Timestamp)
    throws(StoreError)
  {
    try connection.remember(self, of: team, toldBy: run.slot, deletionTime: time)
  }
}

extension StableRecord: StoredTradeRecord {
  var affectsOtherDecisions: Bool { true }

  func keep(on connection: Connection, of team: TeamID, run: ClaimedRun, deletionTime time: Timestamp)
    throws(StoreError)
  {
    switch self {
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
}
