package import PoolModel

/// What a person must hear, once: written with its run's outcome, delivered by the outbox.
package struct Notice: Hashable, Sendable {
  /// Stable over every attempt, restart and rebuild: `20260302T140000Z-morning-summary-17-f3a91c02`, from the slot, the
  /// job's kind and number, and the store's own mark. Letters, digits, `-`, `.` only, so that it can name a file.
  package let id: String
  /// Nil, like `jobID`, for what concerns the server itself.
  package let teamID: TeamID?
  /// Empty without a team.
  package let teamName: String
  package let jobID: JobID?
  /// The job's kind in words, such as `morning-summary`; `operator` without one.
  package let job: String
  package let slot: Timestamp
  /// The app's identifier, such as `poolflow.notification.morningRouteSummary.2`.
  package let identifier: String
  package let title: String
  package let body: String
  /// Further lines for readers of text; no phone, e-mail, gate code or free-text note ever stands here.
  package let lines: [String]
  /// The same as structured data: one JSON object, or empty.
  package let dataJSON: String
  /// How late its run was at the moment of decision.
  package private(set) var lateness: Duration
  package private(set) var createdAt: Timestamp
  /// After this instant the notice is worthless.
  package let expiresAt: Timestamp?
  package let severity: Severity
  /// Whose own it is, in the words of the trade; nil for what the whole team hears, or the server says.
  package let person: PersonKey?

  package init(
    id: String, teamID: TeamID?, teamName: String, jobID: JobID?, job: String, slot: Timestamp, identifier: String,
    title: String, body: String, lines: [String], dataJSON: String, lateness: Duration, createdAt: Timestamp,
    expiresAt: Timestamp?, severity: Severity = .notice, person: PersonKey? = nil
  ) {
    self.id = id
    self.teamID = teamID
    self.teamName = teamName
    self.jobID = jobID
    self.job = job
    self.slot = slot
    self.identifier = identifier
    self.title = title
    self.body = body
    self.lines = lines
    self.dataJSON = dataJSON
    self.lateness = lateness
    self.createdAt = createdAt
    self.expiresAt = expiresAt
    self.severity = severity
    self.person = person
  }
}

extension Notice {
  /// The same of a run that was decided before it began.
  package func begun(at start: Timestamp, lateness: Duration) -> Notice {
    var begun = self
    (begun.createdAt, begun.lateness) = (start, lateness)
    return begun
  }
}
