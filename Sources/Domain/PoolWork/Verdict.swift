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
}

/// A decision and all that it changes, committed in one transaction with its run.
package struct Outcome: Sendable {
  package let result: RunOutcome
  /// A stable code, such as `notifications-off`; nil where there is nothing to explain.
  package let reason: String?
  package let detail: String?
  package let notice: Notice?
  /// For single persons besides, each with an id of its own.
  package let personal: [Notice]
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
