package import FlowModel

/// The stored results of deliveries that a sender makes from a sink's notices.
package protocol Receipts: Sendable {
  /// Stores results of deliveries of this sink's notices in one transaction. For several receipts of one delivery, the one
  /// with more tries wins; with equal tries, a final outcome wins over `waiting`. A repeated receipt changes nothing.
  ///
  /// - Returns: the number of receipts that were dropped, because their notice was never given to this sink or has too many
  ///   receipts already.
  func keep(_ receipts: [Receipt], from sink: String, now: Timestamp) async throws -> Int

  /// The receipts of each notice, losses first; notices without receipts are absent.
  func receipts(of notices: [String]) async throws -> [String: [Receipt]]

  /// The receipts of all notices of a run, losses first.
  func receipts(of job: JobID, slot: Timestamp, limit: Int) async throws -> [Receipt]

  /// The number of deliveries by outcome, for receipts that the daemon stored at `start` or later.
  func receiptCounts(since start: Timestamp) async throws -> [Receipt.Outcome: Int]

  /// Lost deliveries to persons that have not been reported to an office yet, oldest first.
  func unreportedLosses(limit: Int) async throws -> [DeliveryLoss]

  /// The time of the last loss report about each team, to its office or to the operator instead.
  func lossReportTimes(to teams: Set<TeamID>) async throws -> [TeamID: Timestamp]

  /// Stores a notice that reports losses, with an entry for each sink that accepts it, and marks the losses as reported, in
  /// one transaction.
  ///
  /// - Returns: the sinks that accept the notice.
  func notify(
    _ notice: Notice, of losses: [DeliveryLoss], routes: [SinkRoute], now: Timestamp
  ) async throws -> [String]
}

/// A lost delivery to a person.
package struct DeliveryLoss: Sendable {
  package let receipt: Receipt
  package let team: TeamID
  package let job: JobID
  /// The raw value of the job's kind.
  package let work: String
  package let slot: Timestamp
  /// The notice's title.
  package let title: String
  /// The time at which the daemon stored the receipt.
  package let knownAt: Timestamp

  package init(
    receipt: Receipt, team: TeamID, job: JobID, work: String, slot: Timestamp, title: String, knownAt: Timestamp
  ) {
    (self.receipt, self.team, self.job, self.work) = (receipt, team, job, work)
    (self.slot, self.title, self.knownAt) = (slot, title, knownAt)
  }
}
