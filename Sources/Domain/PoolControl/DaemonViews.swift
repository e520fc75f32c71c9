/// One change that somebody asked for.
package struct AuditView: Codable, Sendable {
  package let at: String
  /// Ready to print, in the machine's zone.
  package let local: String
  package let uid: Int
  package let user: String?
  package let command: String
  /// `done`, or the name of the error; nil while it is under way, or where the daemon ended meanwhile.
  package let result: String?
  package let finishedAt: String?

  package init(
    at: String, local: String, uid: Int, user: String?, command: String, result: String?, finishedAt: String?
  ) {
    self.at = at
    self.local = local
    self.uid = uid
    self.user = user
    self.command = command
    self.result = result
    self.finishedAt = finishedAt
  }

  private enum CodingKeys: String, CodingKey {
    case at, local, uid, user, command, result
    case finishedAt = "finished_at"
  }
}

/// How grave a finding is.
package enum GravityView: String, Codable, Sendable, CaseIterable {
  case ok, note, warning, error
}

/// One thing that was looked at.
package struct FindingView: Codable, Sendable {
  /// `clock`, `disk`, `socket`, …
  package let area: String
  package let gravity: GravityView
  package let message: String
  /// What to do; only where there is something to do.
  package let remedy: String?

  package init(_ area: String, _ gravity: GravityView, _ message: String, remedy: String? = nil) {
    self.area = area
    self.gravity = gravity
    self.message = message
    self.remedy = remedy
  }
}

extension DaemonCall {
  /// Who changed what, the newest first; `limit` at most.
  package struct Audit: ControlMethod {
    package static let method = "org.poolflow.Daemon.Audit"

    package let limit: Int
    package let since: String?

    package init(limit: Int, since: String? = nil) {
      self.limit = limit
      self.since = since
    }

    package struct Reply: Codable, Sendable {
      package internal(set) var entries: [AuditView]

      package init(entries: [AuditView]) {
        self.entries = entries
      }
    }
  }

  /// Looks at everything that the daemon can see of its own health.
  package struct Examine: ControlMethod {
    package static let method = "org.poolflow.Daemon.Examine"
    package static let work = CallWork.long

    package init() {}

    package struct Reply: Codable, Sendable {
      package let findings: [FindingView]

      package init(findings: [FindingView]) {
        self.findings = findings
      }
    }
  }
}
