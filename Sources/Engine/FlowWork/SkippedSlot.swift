package import FlowModel

/// A slot that passed without a run, and its verdict: missed, paused, skipped by an operator or coalesced.
package struct SkippedSlot: Hashable, Sendable {
  package let jobID: JobID
  package let generation: Int64
  package let slot: Timestamp
  package let outcome: RunOutcome
  package let reason: String
  package let detail: String
  /// The hold that covers the slot; a skip is used up by it.
  package let holdID: Int64?

  package init(
    jobID: JobID, generation: Int64, slot: Timestamp, outcome: RunOutcome = .missed, reason: String, detail: String,
    holdID: Int64? = nil
  ) {
    self.jobID = jobID
    self.generation = generation
    self.slot = slot
    self.outcome = outcome
    self.reason = reason
    self.detail = detail
    self.holdID = holdID
  }
}

extension SkippedSlot {
  /// A slot that fell due while the run of slot `open` was unfinished: it is coalesced into that run.
  package init(coalescing request: ClaimRequest, with open: Timestamp) {
    self.init(
      jobID: request.jobID, generation: request.generation, slot: request.slot, outcome: .coalesced,
      reason: "coalesced",
      detail: "the run of \(open) was still active or waiting for a retry; this slot is merged into it")
  }
}

/// A range of missed slots, used when there are too many to list: every slot of the job's rule from `first` through `last`.
package struct SkippedSlotRange: Hashable, Sendable {
  package let jobID: JobID
  package let generation: Int64
  package let first: Timestamp
  package let last: Timestamp
  package let reason: String
  package let detail: String

  package init(
    jobID: JobID, generation: Int64, first: Timestamp, last: Timestamp, reason: String, detail: String
  ) {
    self.jobID = jobID
    self.generation = generation
    self.first = first
    self.last = last
    self.reason = reason
    self.detail = detail
  }
}

/// The result of one scheduler tick for one job; the store applies all of it in one transaction or none.
package struct JobTick: Hashable, Sendable {
  package let jobID: JobID
  package let teamID: TeamID?
  package let generation: Int64
  /// The newest slot that this tick settles.
  package let cursor: Timestamp
  /// The slots to run now, oldest first.
  package let claims: [ClaimRequest]
  /// The slots that passed without a run, oldest first.
  package let passed: [SkippedSlot]
  package let skippedRange: SkippedSlotRange?

  package init(
    job: JobRecord, cursor: Timestamp, claims: [ClaimRequest], passed: [SkippedSlot] = [],
    skippedRange: SkippedSlotRange? = nil
  ) {
    jobID = job.id
    teamID = job.teamID
    generation = job.generation
    self.cursor = cursor
    self.claims = claims
    self.passed = passed
    self.skippedRange = skippedRange
  }

  /// The number of rows that the store writes for it.
  package var rowCount: Int { claims.count + passed.count + (skippedRange == nil ? 1 : 2) }
}
