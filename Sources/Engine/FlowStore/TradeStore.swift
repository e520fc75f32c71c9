package import FlowCalendar
package import FlowModel
package import FlowNotices
package import FlowWork

/// The purpose for which the facts of a team are read.
package enum FactsPurpose: Sendable {
  /// One decision; records dated after `now` are ignored.
  case decision(JobKind, asOf: Timestamp, now: Timestamp, zone: Zone)
  /// Any decision; records dated after `now` are ignored, or none if `now` is nil.
  case everyDecision(now: Timestamp?)
  /// No decision: only the team itself is read.
  case none
}

/// The facts of one trade to read for one purpose.
package protocol FactsPlan: Sendable {
  func read(of team: Team, on connection: Connection) throws(StoreError) -> any DecisionFacts
}

/// The tables of one trade, as far as the engine needs them. The trade's other verbs are extensions of `Store`.
package protocol TradeStore: Sendable {
  /// A record that a decision of the trade leaves behind.
  associatedtype Record: TradeRecord

  var trade: Trade { get }

  /// The trade's parts of the schema, by the version that they lead to; a part may refer to the engine's tables. A released part
  /// never changes. A new part has a version above all released ones.
  var schemaParts: [Int: String] { get }

  /// The trade's job kinds.
  var jobs: JobCatalogue { get }

  /// The tables that the trade's decisions read, apart from the engine's own.
  var factTables: Set<Substring> { get }

  /// The kind of the trade's records that may have a photo; nil if none may.
  var photoOwner: Connection.PhotoOwner? { get }

  /// The table of the records that `pfctl status` counts and with which no team can be removed; nil for none.
  var countedTable: String? { get }

  /// Plans which facts to read; computes days and zones, so that the store's queue does not.
  func factsPlan(for purpose: FactsPurpose, of team: TeamID) -> any FactsPlan

  /// True if other decisions of the day read the record; decisions made before it was stored are then repeated.
  func affectsOtherDecisions(_ record: Record) -> Bool

  /// Stores a record, in the transaction that writes its run.
  ///
  /// - Parameter time: older records may be deleted, measured from this time.
  func keep(
    _ record: Record, of team: TeamID, run: ClaimedRun, deletionTime time: Timestamp, on connection: Connection
  ) throws(StoreError)

  /// The number of a team's records of each kind.
  func recordCounts(of team: TeamID, on connection: Connection) throws(StoreError) -> RecordCounts

  /// The numbers of records that prevent the removal of a technician: the trade's main records, and others.
  func holdings(
    of technician: TechnicianID, team: TeamID, on connection: Connection
  ) throws(StoreError) -> (main: Int, others: Int)

  /// The dates from `today` on at which a technician does the work of another one, or work that was moved there.
  ///
  /// - Returns: the number of jobs, and their first date; nil without any.
  func comingWork(
    of technician: TechnicianID, team: TeamID, from today: CivilDate, on connection: Connection
  ) throws(StoreError) -> ComingWork?

  /// Dates the trade's records back to `now` that are dated after it, because the clock was ahead.
  func rollBack(now: Timestamp, on connection: Connection) throws(StoreError)
}

extension TradeStore {
  package var countedTable: String? { nil }

  package func holdings(
    of technician: TechnicianID, team: TeamID, on connection: Connection
  ) throws(StoreError) -> (main: Int, others: Int) { (0, 0) }

  package func comingWork(
    of technician: TechnicianID, team: TeamID, from today: CivilDate, on connection: Connection
  ) throws(StoreError) -> ComingWork? { nil }

  package func rollBack(now: Timestamp, on connection: Connection) throws(StoreError) {}

  /// Reads a record of this trade; nil for other bytes.
  func record(from fields: inout ByteFields) -> (any TradeRecord)? { Record(from: &fields) }

  func owns(_ record: any TradeRecord) -> Bool { record is Record }

  /// As `affectsOtherDecisions`; false for a record of another trade.
  func affectsOthers(_ record: any TradeRecord) -> Bool { (record as? Record).map(affectsOtherDecisions) ?? false }

  /// Stores a record of this trade.
  ///
  /// - Returns: false for a record of another trade.
  func keepOwn(
    _ record: any TradeRecord, of team: TeamID, run: ClaimedRun, deletionTime: Timestamp, on connection: Connection
  ) throws(StoreError) -> Bool {
    guard let record = record as? Record else { return false }
    try keep(record, of: team, run: run, deletionTime: deletionTime, on: connection)
    return true
  }
}

/// The jobs that teams made themselves.
package protocol OwnJobs: Sendable {
  /// The plans of a team's own jobs.
  func ownPlans(of team: TeamID) async throws -> [JobPlan]
}

extension Store: OwnJobs {
  package func ownPlans(of team: TeamID) throws -> [JobPlan] { try trades.ownJobs.plans(of: team, on: connection) }
}

/// Jobs that a team makes itself, besides those in its trade's catalogue.
package protocol OwnJobStore: Sendable {
  /// The kind of such a job, by its raw value; nil for the name of any other kind.
  func kind(named word: String) -> JobKind?

  /// The plans of a team's own jobs.
  func plans(of team: TeamID, on connection: Connection) throws(StoreError) -> [JobPlan]

  /// Counts a notice of a scheduled run, in the transaction that writes the notice.
  ///
  /// - Returns: the reason if the notice must not be sent; nil otherwise, and for a run of any other job.
  func countNotice(
    of run: ClaimedRun, team: TeamID, now: Timestamp, on connection: Connection
  ) throws(StoreError) -> SuppressionReason?

  /// Teams that have an unreadable job of their own, and the reason.
  func unreadable(on connection: Connection) throws(StoreError) -> [TeamID: String]

  /// Deletes jobs that ended before the given time.
  func forgetEnded(before: Timestamp, on connection: Connection) throws(StoreError)
}
