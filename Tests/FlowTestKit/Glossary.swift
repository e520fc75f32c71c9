package import FlowModel
package import FlowNotices

/// The terms of a language, each with words that its texts must not use for the same thing.
///
/// Lines of the form `de⇥Messwert⇥Wasserwerte?`: language, term, regular expressions of other words, separated by `|`. Case
/// does not matter; a term may be followed by further characters, such as a plural ending; another word must be a whole word.
package struct Glossary {
  package struct Entry {
    package let language: Language
    package let term: String
    let others: String
  }

  /// A line that is not of this form.
  package struct BadLine: Error {
    let line: Substring
  }

  package let entries: [Entry]

  package init(_ text: String) throws {
    entries = try text.split(separator: "\n").map { line in
      let cells = line.split(separator: "\t").map(String.init)
      guard cells.count == 3, let language = Language(rawValue: cells[0]) else { throw BadLine(line: line) }
      return Entry(language: language, term: cells[1], others: cells[2])
    }
  }

  /// The offences in the texts of a language: a text with another word than the term, or a term that no text uses.
  package func offences(in texts: [PhraseExample], of language: Language) throws -> [String] {
    try entries.filter { $0.language == language }.flatMap { entry in
      let other = try Regex("\\b(?:\(entry.others))\\b").ignoresCase().wordBoundaryKind(.simple)
      let wrong = texts.filter { $0.text.contains(other) }.map { "\($0.name): '\($0.text)': use '\(entry.term)'" }
      let term = try Regex("\\b\(entry.term)").ignoresCase().wordBoundaryKind(.simple)
      return texts.contains { $0.text.contains(term) } ? wrong : wrong + ["no text has '\(entry.term)'"]
    }
  }
}
