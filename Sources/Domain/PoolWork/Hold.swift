package import PoolModel

/// An operator's word that a job, or all jobs of a team, stand still for a while.
package struct Hold: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// No slot from `from` on runs until the end.
    case pause(until: Timestamp?)
    /// So many slots after `from` do not run; then all is as before.
    case skip(left: Int)
  }

  package let id: Int64
  /// Nil for a job of the server.
  package let teamID: TeamID?
  /// Nil for all jobs of the team, or of the server.
  package let jobID: JobID?
  package let kind: Kind
  package let from: Timestamp
  /// When somebody resumed the job; nil while the hold is in force.
  package let endedAt: Timestamp?
  package let note: String
  /// Who asked for it, such as `anna (uid 1000)`.
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

  package func concerns(_ job: JobRecord) -> Bool {
    jobID.map { $0 == job.id } ?? (teamID == job.teamID)
  }

  /// Whether a pause covers `slot`; a skip covers slots by their number, not by time.
  package func pauses(_ slot: Timestamp) -> Bool {
    guard case .pause(let until) = kind, slot >= from else { return false }
    if let endedAt, slot >= endedAt { return false }
    if let until, slot >= until { return false }
    return true
  }

  package func isInForce(at now: Timestamp) -> Bool {
    if case .skip(let left) = kind { return left > 0 && endedAt == nil }
    return now < from || pauses(now)
  }

  /// `paused by anna (uid 1000): recount`.
  package var sentence: String {
    let verb = if case .pause = kind { "paused" } else { "skipped" }
    return "\(verb) by \(setBy)" + (note.isEmpty ? "" : ": \(note)")
  }
}

/// What an operator asks for; the store gives it a number.
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
