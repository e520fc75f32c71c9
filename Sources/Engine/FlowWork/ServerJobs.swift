import FlowModel
import FlowNotices

extension JobKind {
  /// The nightly backup, the engine's own job of the server. A failed one is retried every hour until the next night's run. The
  /// timeout suffices to copy and verify about a hundred gigabytes.
  package static let backup = JobKind(
    "backup", severity: .info, catchUp: .latest(within: .hours(24)), attemptRules: .nightly(timeout: .hours(3)),
    work: .serverTask(ServerTask("backs up the store, verifies the copy, and removes old backups", rule: nil)))
}
