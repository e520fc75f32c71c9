package import FlowModel
package import FlowNotices

/// The state or result of a run, as shown in tables.
package enum RunOutcome: String, Sendable, CaseIterable {
  /// An attempt is in progress.
  case running
  /// An attempt failed and another one is scheduled.
  case waiting
  case done, notified, skipped, missed
  /// The slot fell due while an earlier run of its job was unfinished, and was merged into that run.
  case coalesced
  /// An operator had paused the job.
  case paused
  case failed
}

/// A trade's explanation of a decision; the trade's part of the store decides how much of it to keep.
package protocol DecisionExplanation: Sendable {
  /// The facts that the decision used, as text; computed only when the run is written to the ledger.
  var words: String { get }
  /// The store's change counter from before the facts were read; nil if the facts were not read for a run.
  var changesSeen: Int? { get }
  /// Extra data that the trade's part of the store writes with the run; nil for none.
  var record: (any TradeRecord)? { get }
  /// The content of the notice's page; nil if it has no page.
  var digest: (any PagedDigest)? { get }
  /// The decision for each person on the team who may get a notice of their own.
  var personal: [PersonalDecision] { get }
}

extension DecisionExplanation {
  package var digest: (any PagedDigest)? { nil }
  package var personal: [PersonalDecision] { [] }
}

/// Stores prefetched outcomes outside of memory, because a morning with thousands of them is larger than the daemon's memory
/// limit.
package protocol PrefetchStore: AnyObject, Sendable {
  /// Stores an outcome that was decided before its slot.
  ///
  /// - Returns: the handle to read it back; nil if it cannot be stored, because space is short or it contains data with no
  ///   file format. The run is then decided when it is due.
  func store(_ outcome: Outcome) -> (any PrefetchedOutcome)?
}

/// A handle to a stored prefetched outcome.
package protocol PrefetchedOutcome: Sendable {
  /// Reads the stored outcome, equal to the one passed to `store`; nil if it can no longer be read.
  func outcome() -> Outcome?
}

/// Data that a decision writes in the transaction of its run, besides the run and its notices.
package protocol TradeRecord: Sendable {
  /// Writes the record for the same process.
  ///
  /// - Returns: false if records of this type are not prefetched.
  func write(to fields: inout ByteFields) -> Bool

  /// Reads what `write` wrote; nil for other bytes.
  init?(from fields: inout ByteFields)
}

extension TradeRecord {
  package func write(to fields: inout ByteFields) -> Bool { false }
  package init?(from fields: inout ByteFields) { return nil }
}

/// The outcome of a run with everything that is committed in the run's transaction.
package struct Outcome: Sendable {
  package let result: RunOutcome
  /// A stable code, such as `notifications-off`; nil if the result needs no explanation.
  package let reason: String?
  package let detail: String?
  package private(set) var notice: Notice?
  /// Notices for individual people in addition to the team's, each with its own id.
  package private(set) var personal: [Notice]
  /// The explanation of the decision; nil if the run decided nothing.
  package let account: (any DecisionExplanation)?

  package init(
    result: RunOutcome, reason: String? = nil, detail: String?, notice: Notice? = nil,
    personal: [Notice] = [], account: (any DecisionExplanation)? = nil
  ) {
    self.result = result
    self.reason = reason
    self.detail = detail
    self.notice = notice
    self.personal = personal
    self.account = account
  }
}

extension Outcome {
  /// The team's notice followed by the notices for individual people; empty without a team's notice.
  package var notices: [Notice] { notice.map { [$0] + personal } ?? [] }

  /// The notices that have pages, with the content of each page.
  package var digests: [(notice: Notice, digest: any PagedDigest)] {
    guard let account, let notice else { return [] }
    var made: [(notice: Notice, digest: any PagedDigest)] = account.digest.map { [(notice, $0)] } ?? []
    for own in account.personal {
      guard case .notice(let draft) = own.decision, let digest = draft.kept,
        let notice = personal.first(where: { $0.person == own.person })
      else { continue }
      made.append((notice, digest))
    }
    return made
  }

  /// A prefetched outcome with the actual start and lateness of its run.
  package func begun(at start: Timestamp, lateness: Duration) -> Outcome {
    var begun = self
    begun.notice = notice?.begun(at: start, lateness: lateness)
    begun.personal = personal.map { $0.begun(at: start, lateness: lateness) }
    return begun
  }
}
