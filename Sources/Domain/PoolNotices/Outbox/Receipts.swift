package import PoolModel

/// What is known of deliveries that somebody else makes of a sink's notices.
package protocol Receipts: Sendable {
  /// Writes down what became of deliveries of this sink's notices, in one transaction. Of several receipts of one delivery
  /// the one stays that came of more tries, and an end before a wait; the same twice is one.
  ///
  /// - Returns: how many were about nothing that this sink was given; nothing is kept of those.
  func keep(_ receipts: [Receipt], from sink: String, now: Timestamp) async throws -> Int

  /// Of each of these notices, the losses first.
  func receipts(of notices: [String]) async throws -> [String: [Receipt]]

  /// Of every notice of a run, the losses first; at most `limit`.
  func receipts(of job: JobID, slot: Timestamp, limit: Int) async throws -> [Receipt]

  /// How many deliveries came to each outcome, as far as that became known since `start`.
  func receiptCounts(since start: Timestamp) async throws -> [Receipt.Outcome: Int]

  /// Deliveries to single persons, offices excepted, that were lost and that no office was told of, the oldest first.
  func untoldLosses(limit: Int) async throws -> [DeliveryLoss]

  /// When an office, or the operator in its place, was last told of one of these teams' losses.
  func lossesTold(to teams: Set<TeamID>) async throws -> [TeamID: Timestamp]

  /// Writes down the notice that tells of losses, with an entry for each sink that takes it, and that they are told: one
  /// transaction.
  ///
  /// - Returns: the sinks that are told.
  func tell(
    _ notice: Notice, of losses: [DeliveryLoss], routes: [SinkRoute], now: Timestamp
  ) async throws -> [String]
}

/// A person's delivery that was lost.
package struct DeliveryLoss: Sendable {
  package let receipt: Receipt
  package let team: TeamID
  package let job: JobID
  /// The job's kind.
  package let work: String
  package let slot: Timestamp
  /// What the notice is called.
  package let title: String
  /// When it became known.
  package let knownAt: Timestamp

  package init(
    receipt: Receipt, team: TeamID, job: JobID, work: String, slot: Timestamp, title: String, knownAt: Timestamp
  ) {
    (self.receipt, self.team, self.job, self.work) = (receipt, team, job, work)
    (self.slot, self.title, self.knownAt) = (slot, title, knownAt)
  }
}
