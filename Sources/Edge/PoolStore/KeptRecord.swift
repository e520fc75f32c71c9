import PoolDigests
import PoolModel
import PoolTrades
import PoolWork
import StableModel
import StableRules

/// A record of a trade's decisions that the store knows how to keep: part of the transaction that writes the run.
protocol KeptRecord: TradeRecord {
  /// Whether another decision of that day looks at it: what was decided before it was kept is decided anew then.
  var isLookedAt: Bool { get }

  /// - Parameter time: what is too old by then is looked for no more, and may go.
  func keep(on connection: Connection, of team: TeamID, run: ClaimedRun, deletionTime time: Timestamp)
    throws(StoreError)
}

extension Connection {
  func keep(
    _ record: any TradeRecord, of team: TeamID, run: ClaimedRun, deletionTime: Timestamp
  ) throws(StoreError) {
    guard let record = record as? any KeptRecord else { preconditionFailure("nobody keeps \(type(of: record))") }
    try record.keep(on: self, of: team, run: run, deletionTime: deletionTime)
  }
}

extension ToldRoute: KeptRecord {
  /// Only a week later.
  var isLookedAt: Bool { false }

  func keep(on connection: Connection, of team: TeamID, run: ClaimedRun, deletionTime time: Timestamp)
    throws(StoreError)
  {
    try connection.remember(self, of: team, toldBy: run.slot, deletionTime: time)
  }
}

extension StableRecord: KeptRecord {
  var isLookedAt: Bool { true }

  func keep(on connection: Connection, of team: TeamID, run: ClaimedRun, deletionTime time: Timestamp)
    throws(StoreError)
  {
    switch self {
    case .closeDay(let decided):
      // By the marks and schedules of this moment, also where the run was decided on those of one before.
      let old = try connection.feedDay(decided.date, of: team)
      var day = old
      if day.closed == nil { _ = day.close() }
      try connection.write(day, instead: old, of: team)
    case .advice(let night):
      try connection.keep(night, of: team)
    }
  }
}
