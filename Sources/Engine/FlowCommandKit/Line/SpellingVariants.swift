/// Permanent synonyms of a module's commands: British and American spelling, and second names that the trade uses.
package struct SpellingVariants: Sendable {
  /// Synonyms for the beginning of a command.
  package var commands: [(other: [String], own: [String])] = []
  package var options: [String: String] = [:]
  package var values: [(option: String, other: String, own: String)] = []

  package init() {}

  package init(joining parts: [SpellingVariants]) {
    commands = parts.flatMap(\.commands)
    options = parts.reduce(into: [:]) { options, part in options.merge(part.options) { first, _ in first } }
    values = parts.flatMap(\.values)
  }

  /// `words` with its beginning replaced by the current spelling.
  package func own(_ words: [String]) -> [String] {
    var line = TypedLine(words: words)
    replaceCommand(in: &line)
    return line.words
  }

  func replaceCommand(in line: inout TypedLine) {
    guard let alias = commands.first(where: { line.words.starts(with: $0.other) }) else { return }
    line.replace(alias.other, by: alias.own)
  }

  func replaceValues(in line: inout TypedLine) {
    for value in values {
      line.options[value.option] = line.options[value.option]?.map { $0 == value.other ? value.own : $0 }
    }
  }
}
