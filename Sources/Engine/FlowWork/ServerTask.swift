package import FlowModel

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
