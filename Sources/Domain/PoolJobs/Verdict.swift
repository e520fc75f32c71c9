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

/// A decision and all that it changes, committed in one transaction with its run.
package struct Outcome: Sendable {
  package let result: RunOutcome
  /// A stable code, such as `no-stops-today`; nil where there is nothing to explain.
  package let reason: String?
  package let detail: String?
  package let notice: Notice?
  /// What the decision looked at: put into words where a run is written down, for whoever asks why.
  package let inputs: DecisionInputs?
  /// What the notice tells of a day's route, for the next one to be compared with.
  package let route: ToldRoute?

  package init(
    result: RunOutcome, reason: String?, detail: String?, notice: Notice?, inputs: DecisionInputs? = nil,
    route: ToldRoute? = nil
  ) {
    self.result = result
    self.reason = reason
    self.detail = detail
    self.notice = notice
    self.inputs = inputs
    self.route = route
  }
}
