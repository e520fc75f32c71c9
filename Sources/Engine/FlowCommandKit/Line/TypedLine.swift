internal import FlowControl

/// A command line as typed, before the command is known.
struct TypedLine {
  var words: [String]
  var options: [String: [String]] = [:]
  /// The options that were written KEY=VALUE.
  private(set) var settings: Set<String> = []

  init(words: [String]) {
    self.words = words
  }

  /// Replaces alternative spellings by our own, and turns KEY=VALUE into options; an invalid line stays invalid.
  mutating func replaceVariants(in catalogue: CommandCatalogue) {
    catalogue.spellings.replaceCommand(in: &self)
    guard let command = catalogue.command(of: words) else { return }
    let description = catalogue.description(of: command)
    if description.takesSettings { takeSettings(behind: description.path.count + description.objects.count) }
    catalogue.spellings.replaceValues(in: &self)
  }

  /// Turns KEY=VALUE into `--KEY VALUE`.
  private mutating func takeSettings(behind count: Int) {
    var rest: [String] = []
    for (index, word) in words.enumerated() {
      guard index >= count, let equals = word.firstIndex(of: "="), equals != word.startIndex else {
        rest.append(word)
        continue
      }
      let key = String(word[..<equals])
      options[key, default: []].append(String(word[word.index(after: equals)...]))
      settings.insert(key)
    }
    words = rest
  }

  mutating func replace(_ beginning: [String], by words: [String]) {
    self.words.replaceSubrange(..<beginning.count, with: words)
  }
}
