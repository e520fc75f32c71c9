package import FlowModel
import FlowNotices

/// A background task of the server, such as the nightly backup, and when it is due.
package struct ServerTask: Sendable {
  /// The purpose of the task, as a sentence without a subject.
  package let words: String
  /// The fixed schedule, in the machine's zone; nil where the settings choose the time.
  private let fixedRule: JobRule?

  package init(_ words: String, rule: JobRule?) {
    self.words = words
    fixedRule = rule
  }

  /// The schedule of the task.
  ///
  /// - Parameter set: the time of day from the settings, used by tasks without a fixed schedule; nil for never.
  package func rule(set: TimeOfDay?) -> JobRule { fixedRule ?? set.map { .daily($0) } ?? .never }
}

extension JobKind {
  /// The nightly backup, the engine's own job of the server. A failed one is retried every hour until the next night's run. The
  /// timeout suffices to copy and verify about a hundred gigabytes.
  package static let backup = JobKind(
    "backup", severity: .info, catchUp: .latest(within: .hours(24)), attemptRules: .nightly(timeout: .hours(3)),
    work: .serverTask(ServerTask("backs up the store, verifies the copy, and removes old backups", rule: nil)))
}
