package import PoolModel
package import PoolNotices

/// What became of a run: one word for tables, a code and a sentence for whoever asks why.
package enum RunOutcome: String, Sendable, CaseIterable {
  case running
  /// An attempt failed; the next one has its time.
  case waiting
  case done, notified, skipped, missed
  /// It fell due while an earlier slot of its job was still running, which stands for it.
  case coalesced
  /// An operator had paused its job.
  case paused
  case failed
}

/// What a trade has to say of a decision besides its outcome; what of it is kept, the trade's part of the store knows.
package protocol DecisionAccount: Sendable {
  /// What the decision looked at, for whoever asks why: put into words only where a run is written down.
  var words: String { get }
  /// The count of the store's changes that was asked for before its facts were read.
  var changesSeen: Int? { get }
  /// What is written with its run, for the trade's part of the store alone; nil where nothing is.
  var record: (any TradeRecord)? { get }
  /// What the notice was made of; nil where it has no page.
  var digest: (any PagedDigest)? { get }
  /// What became of the own notice of each of the team's people.
  var personal: [PersonalDecision] { get }
}

extension DecisionAccount {
  package var digest: (any PagedDigest)? { nil }
  package var personal: [PersonalDecision] { [] }
}

/// Keeps outcomes that were decided before their slots have come, outside of memory: a morning of thousands is larger than
/// what a daemon may hold.
package protocol OutcomeShelf: AnyObject, Sendable {
  /// - Returns: what finds it again; nil where it cannot be kept, for want of room or because it holds what cannot be written
  ///   down: it is decided when it is due.
  func lay(_ outcome: Outcome) -> (any LaidOutcome)?
}

/// An outcome on a shelf.
package protocol LaidOutcome: Sendable {
  /// Says the same as the outcome that was laid there; nil where it cannot be read any more.
  func outcome() -> Outcome?
}

/// What a decision leaves behind besides its run and its notices, in the same transaction.
package protocol TradeRecord: Sendable {}

/// A decision and all that it changes, committed in one transaction with its run.
package struct Outcome: Sendable {
  package let result: RunOutcome
  /// A stable code, such as `notifications-off`; nil where there is nothing to explain.
  package let reason: String?
  package let detail: String?
  package private(set) var notice: Notice?
  /// For single persons besides, each with an id of its own.
  package private(set) var personal: [Notice]
  /// Nil where nothing was decided.
  package let account: (any DecisionAccount)?

  package init(
    result: RunOutcome, reason: String? = nil, detail: String?, notice: Notice? = nil,
    personal: [Notice] = [], account: (any DecisionAccount)? = nil
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
  /// The whole team's and those of single persons; none without the team's.
  package var notices: [Notice] { notice.map { [$0] + personal } ?? [] }

  /// What the notices that have pages were made of, the whole team's and each person's own.
  package var digests: [(notice: Notice, digest: any PagedDigest)] {
    guard let account, let notice else { return [] }
    var made: [(notice: Notice, digest: any PagedDigest)] = account.digest.map { [(notice, $0)] } ?? []
    for own in account.personal {
      guard case .speak(let draft) = own.decision, let digest = draft.kept,
        let notice = personal.first(where: { $0.person == own.person })
      else { continue }
      made.append((notice, digest))
    }
    return made
  }

  /// The same of a run that was decided before it began.
  package func begun(at start: Timestamp, lateness: Duration) -> Outcome {
    var begun = self
    begun.notice = notice?.begun(at: start, lateness: lateness)
    begun.personal = personal.map { $0.begun(at: start, lateness: lateness) }
    return begun
  }
}
