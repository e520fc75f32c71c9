/// A noun of `pfctl`: it has a manual page `pfctl-NAME(1)` and a paragraph in the index, pfctl(1).
package struct ManualNoun: Sendable {
  package let name: String
  /// One line without a full stop.
  package let summary: String
  /// The first words of its commands: the noun itself, and verbs without a noun, such as `pause`.
  package private(set) var words: [String]
  /// Paragraphs printed before the commands.
  package let introduction: [String]

  package init(_ name: String, _ summary: String, words: [String], _ introduction: String...) {
    self.name = name
    self.summary = summary
    self.words = words
    self.introduction = introduction
  }

  package func with(words more: [String]) -> ManualNoun {
    var noun = self
    noun.words += more
    return noun
  }

  /// `pfctl-team.1`.
  package var page: String { "pfctl-\(name).1" }
  /// `pfctl-team(1)`.
  package var reference: String { "pfctl-\(name)(1)" }

  /// A heading in the manual's index and in the command list of help.
  package struct Chapter: Sendable {
    package let title: String
    package let nouns: [ManualNoun]

    package init(title: String, nouns: [ManualNoun]) { (self.title, self.nouns) = (title, nouns) }
  }
}
