package import FlowModel

/// A message for people. It is stored in the transaction of its run and delivered once to each sink by the outbox.
package struct Notice: Hashable, Sendable {
  /// The idempotency key, equal over every attempt and restart: `20260302T140000Z-morning-summary-17-f3a91c02`, built from
  /// the slot, the job's kind and number, and the store's id. It contains only ASCII letters, digits, `-` and `.`, so it can
  /// be a file name.
  package let id: String
  /// The team; nil, like `jobID`, for a notice about the server itself.
  package let teamID: TeamID?
  /// The team's name; empty for a notice without a team.
  package let teamName: String
  package let jobID: JobID?
  /// The raw value of the job's kind, such as `morning-summary`; `operator` for a notice without a job.
  package let job: String
  package let slot: Timestamp
  /// The PoolFlow app's identifier, such as `poolflow.notification.morningRouteSummary.2`.
  package let identifier: String
  package let title: String
  package let body: String
  /// Further lines for text readers; never contains a phone number, e-mail address, gate code or free-text note.
  package let lines: [String]
  /// The digest as one JSON object; empty if there is none.
  package let dataJSON: String
  /// The delay of the run against its slot at the time of the decision.
  package private(set) var lateness: Duration
  package private(set) var createdAt: Timestamp
  /// The instant after which delivery is useless; nil for never.
  package let expiresAt: Timestamp?
  package let severity: Severity
  /// The person whose own notice it is; nil for a notice to the whole team and for a notice about the server.
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
  /// A prefetched notice with the actual start and lateness of its run.
  package func begun(at start: Timestamp, lateness: Duration) -> Notice {
    var begun = self
    (begun.createdAt, begun.lateness) = (start, lateness)
    return begun
  }
}
