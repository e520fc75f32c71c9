import FlowModel
package import FlowWork

extension RunKey {
  /// The run's id, such as `20260302T140000Z-morning-summary-17`.
  package func id(of kind: JobKind) -> String { "\(slot.compact)-\(kind.rawValue)-\(jobID.number)" }

  /// Parses an id such as `20260302T140000Z-morning-summary-17`; nil for anything else.
  package init?(id: String) {
    let parts = id.split(separator: "-")
    guard let first = parts.first, let last = parts.last, parts.count > 2, let slot = Timestamp(compact: String(first)),
      let job = Int64(last)
    else { return nil }
    self.init(jobID: JobID(job), slot: slot)
  }
}

extension RunRecord {
  package var id: String { RunKey(jobID: jobID, slot: slot).id(of: kind) }
  /// The team's name; nil for a job of the server.
  package var team: String? { teamID == nil ? nil : teamName }
  /// `of team 'desert-blue'`, for the log.
  package var ownerText: String { teamID == nil ? "of the server" : "of team '\(teamName)'" }
}
