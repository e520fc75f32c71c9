package import FlowModel

/// The members common to all notices, with which the `data` of a CloudEvent begins.
package struct NoticeData: Decodable, Sendable {
  /// The PoolFlow app's identifier, such as `poolflow.notification.morningRouteSummary.2`.
  package let identifier: String
  package let title: String
  package let body: String
  /// Further lines for text readers.
  package let lines: [String]
  /// The team's name; empty for a notice about the server itself.
  package let team: String
  package let job: String
  package let severity: Severity
  /// The run's slot in RFC 3339, UTC.
  package let slot: String
  package let lateSeconds: Int

  enum CodingKeys: String, CodingKey {
    case identifier, title, body, lines, team, job, severity, slot
    case lateSeconds = "late_s"
  }

  package init(_ notice: Notice) {
    identifier = notice.identifier
    title = notice.title
    body = notice.body
    lines = notice.lines
    team = notice.teamName
    job = notice.job
    severity = notice.severity
    slot = notice.slot.description
    lateSeconds = Int(notice.lateness.components.seconds)
  }
}

extension NoticeData: JSONWritable {
  package func members(_ json: inout JSONText) {
    json.member("identifier", identifier)
    json.member("title", title)
    json.member("body", body)
    json.member("lines", lines)
    json.member("team", team)
    json.member("job", job)
    json.member("severity", severity)
    json.member("slot", slot)
    json.member("late_s", lateSeconds)
  }
}
