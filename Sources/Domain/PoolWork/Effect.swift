package import PoolModel

/// Heavy work of the server that decides nothing: what it does, and when.
package struct Effect: Sendable {
  /// What it does, in a sentence without a subject.
  package let words: String
  /// When it begins, in the machine's zone; nil where the settings say it.
  private let fixedRule: JobRule?

  package init(_ words: String, rule: JobRule?) {
    self.words = words
    fixedRule = rule
  }

  /// - Parameter set: the time of the settings, for work whose time stands there; nil for never.
  package func rule(set: TimeOfDay?) -> JobRule { fixedRule ?? set.map { .daily($0) } ?? .never }
}
