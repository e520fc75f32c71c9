import FlowModel
import FlowNotices
import FlowWork

// A job's slot from its claim to the settled notice.

extension JobRecord {
  func look(at slot: Timestamp) -> JobTick {
    JobTick(
      job: self, cursor: slot, claims: [ClaimRequest(job: self, slot: slot, cause: .schedule, asOf: slot)], passed: [],
      skippedRange: nil)
  }
}

extension ClaimedRun {
  func told(at instant: Timestamp) -> RunSettlement {
    let notice = Notice(
      id: "\(slot.compact)-morning-summary-\(jobID.number)", teamID: teamID, teamName: "t", jobID: jobID,
      job: "morning-summary", slot: slot, identifier: "i", title: "t", body: "b", lines: [], dataJSON: "{}",
      lateness: .zero, createdAt: instant, expiresAt: nil)
    return RunSettlement(
      run: self, outcome: Outcome(result: .notified, reason: nil, detail: "…", notice: notice), finishedAt: instant)
  }
}
