package import FlowModel

/// Bounds of the stable trade.
extension Limits {
  /// Maximum horses of one team: ten times the largest barn known.
  package static let horsesPerTeam = 2_000
  /// Maximum entries of a list of supplements or medications.
  package static let feedListEntries = 50
  /// Maximum characters of one such entry.
  package static let feedEntryLength = 200
  /// Maximum feed templates of one team, which are stored as one list.
  package static let feedTemplatesPerTeam = 200
  /// Days until the next care appointment that a team may set: at most ten years.
  package static let careIntervalDays = 1...3_650
}

extension TextRule {
  /// An entry in a list of supplements or medications.
  package static let feedEntry = TextRule(maxCharacters: Limits.feedEntryLength)
}
