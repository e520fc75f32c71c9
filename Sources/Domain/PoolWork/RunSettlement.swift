package import PoolModel

/// A run by its identity.
package struct RunKey: Hashable, Sendable {
  package let jobID: JobID
  package let slot: Timestamp

  package init(jobID: JobID, slot: Timestamp) {
    self.jobID = jobID
    self.slot = slot
  }
}

/// An outcome on its way into the ledger.
package struct RunSettlement: Sendable {
  package let run: ClaimedRun
  package let outcome: Outcome
  package let finishedAt: Timestamp
  /// Of an outcome `waiting`: when the next attempt begins.
  package let nextTryAt: Timestamp?

  package init(run: ClaimedRun, outcome: Outcome, finishedAt: Timestamp, nextTryAt: Timestamp? = nil) {
    self.run = run
    self.outcome = outcome
    self.finishedAt = finishedAt
    self.nextTryAt = nextTryAt
  }
}

extension ClaimedRun {
  package var key: RunKey { RunKey(jobID: jobID, slot: slot) }
}

/// Works that are no kind of job.
package enum TroubledWork {
  /// The team's own row.
  package static let team = "team"
  /// A rule, a zone or a job of it.
  package static let schedule = "schedule"
  package static let photos = "photos"
  /// Reasons of runs that failed because of what is in the store.
  package static let unreadableRecord = "record-unreadable"
  package static let unreadableZone = "zone-unreadable"
}
