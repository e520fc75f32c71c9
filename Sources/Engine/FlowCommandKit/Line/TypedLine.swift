internal import FlowControl

/// A command line as typed, before the command is known.
struct TypedLine {
  var words: [String]
  var options: [String: [String]] = [:]
  /// The options that were written KEY=VALUE.
  private(set) var settings: Set<String> = []
  /// Deprecation warnings for old spellings, one line each.
  var warnings: [String] = []

  init(words: [String]) {
    self.words = words
  }

  /// Replaces old and alternative spellings by the current ones; an invalid line stays invalid.
  mutating func replaceOldWords(in catalogue: CommandCatalogue) {
    let (spellings, deprecated) = (catalogue.spellings, catalogue.deprecated)
    spellings.replaceCommand(in: &self)
    deprecated.replaceCommand(in: &self)
    guard let command = catalogue.command(of: words) else { return }
    let description = catalogue.description(of: command)
    if description.takesSettings { takeSettings(behind: description.path.count + description.objects.count) }
    deprecated.replaceOptions(of: description, in: &self)
    deprecated.replaceOperands(of: description, in: &self)
    spellings.replaceValues(in: &self)
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

  mutating func rename(_ option: String, to new: String) {
    guard let values = options.removeValue(forKey: option) else { return }
    options[new] = values
    if settings.remove(option) != nil { settings.insert(new) }
  }

  mutating func replace(_ beginning: [String], by words: [String]) {
    self.words.replaceSubrange(..<beginning.count, with: words)
  }
}
