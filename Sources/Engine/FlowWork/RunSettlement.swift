package import FlowModel

/// The identity of a run: its job and slot.
package struct RunKey: Hashable, Sendable {
  package let jobID: JobID
  package let slot: Timestamp

  package init(jobID: JobID, slot: Timestamp) {
    self.jobID = jobID
    self.slot = slot
  }
}

/// An outcome to be written to the ledger.
package struct RunSettlement: Sendable {
  package let run: ClaimedRun
  package let outcome: Outcome
  package let finishedAt: Timestamp
  /// The start of the next attempt; set only for the outcome `waiting`.
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

/// Names for stored failures of work that is not a job, and reason codes of runs that failed on unreadable data.
package enum FailureCode {
  /// The team's own row cannot be read.
  package static let team = "team"
  /// A rule, a zone or a job of the team cannot be read.
  package static let schedule = "schedule"
  package static let photos = "photos"
  /// Reason codes of runs that failed because stored data cannot be read.
  package static let unreadableRecord = "record-unreadable"
  package static let unreadableZone = "zone-unreadable"
}
