package import FlowModel

/// An operator's order not to run a job, or any job of a team, for a while.
package struct Hold: Hashable, Sendable {
  /// A pause by time, or a skip by number of slots.
  package enum Kind: Hashable, Sendable {
    /// No slot from `from` up to the end runs; nil for no end.
    case pause(until: Timestamp?)
    /// The next `left` slots after `from` do not run; later slots run as usual.
    case skip(left: Int)
  }

  package let id: Int64
  /// The team of the held jobs; nil for jobs of the server.
  package let teamID: TeamID?
  /// The held job; nil for all jobs of the team, or for all jobs of the server.
  package let jobID: JobID?
  package let kind: Kind
  package let from: Timestamp
  /// The time at which an operator ended the hold early; nil while the hold is effective.
  package let endedAt: Timestamp?
  package let note: String
  /// The operator and user id that set the hold, such as `anna (uid 1000)`.
  package let setBy: String

  package init(
    id: Int64, teamID: TeamID?, jobID: JobID?, kind: Kind, from: Timestamp, endedAt: Timestamp?, note: String,
    setBy: String
  ) {
    self.id = id
    self.teamID = teamID
    self.jobID = jobID
    self.kind = kind
    self.from = from
    self.endedAt = endedAt
    self.note = note
    self.setBy = setBy
  }

  /// Whether the hold applies to this job.
  package func concerns(_ job: JobRecord) -> Bool {
    jobID.map { $0 == job.id } ?? (teamID == job.teamID)
  }

  /// Whether the hold is a pause that covers `slot`. A skip always returns false: it counts slots instead of covering a time
  /// range.
  package func pauses(_ slot: Timestamp) -> Bool {
    guard case .pause(let until) = kind, slot >= from else { return false }
    if let endedAt, slot >= endedAt { return false }
    if let until, slot >= until { return false }
    return true
  }

  /// Whether the hold affects slots at or after `now`; true for a pause that begins later.
  package func isEffective(at now: Timestamp) -> Bool {
    if case .skip(let left) = kind { return left > 0 && endedAt == nil }
    return now < from || pauses(now)
  }

  /// The hold as shown to operators: `paused by anna (uid 1000): recount`.
  package var sentence: String {
    let verb = if case .pause = kind { "paused" } else { "skipped" }
    return "\(verb) by \(setBy)" + (note.isEmpty ? "" : ": \(note)")
  }
}

/// A hold as an operator requests it, before the store assigns an id.
package struct HoldRequest: Hashable, Sendable {
  package let teamID: TeamID?
  package let jobID: JobID?
  package let kind: Hold.Kind
  package let note: String
  package let setBy: String

  package init(teamID: TeamID?, jobID: JobID?, kind: Hold.Kind, note: String, setBy: String) {
    self.teamID = teamID
    self.jobID = jobID
    self.kind = kind
    self.note = note
    self.setBy = setBy
  }
}
