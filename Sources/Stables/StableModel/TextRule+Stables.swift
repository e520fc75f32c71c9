package import FlowModel

extension TextRule {
  /// An entry in a list of supplements or medications.
  package static let feedEntry = TextRule(maxCharacters: Limits.feedEntryLength)
}
