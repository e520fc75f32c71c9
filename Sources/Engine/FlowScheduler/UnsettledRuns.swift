import FlowModel
import FlowWork

/// Runs that are claimed or wait for a retry.
struct UnsettledRuns {
  /// Runs that this process claimed and could not settle because the store failed; settled before anything else.
  var claims: [ClaimedRun] = []
  /// True after a claim failed with a transient error: it may have been committed without an answer.
  var mayHaveUnknownClaims = false
  /// Runs whose last attempt failed, with the instant of their retry.
  var waiting: [RunKey: Timestamp] = [:]
}
