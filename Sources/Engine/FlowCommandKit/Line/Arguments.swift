package import FlowControl
internal import FlowModel

/// A parsed command line: the command, its operands and its options, all checked against the command's description.
package struct Arguments {
  package let command: any Command.Type
  package let operands: [String]
  private let options: [String: [String]]

  /// - Parameter words: the command line without the program's name.
  package init(_ words: [String], in catalogue: CommandCatalogue) throws(CommandFailure) {
    var typed = try Self.scan(words, in: catalogue)
    if typed.options["version"] != nil { typed = TypedLine(words: ["version"]) }
    // `--help` also works on an incomplete command line.
    if typed.options["help"] != nil {
      self.init(command: HelpCommand.self, operands: typed.words, options: [:])
      return
    }
    typed.replaceVariants(in: catalogue)
    let (command, rest) = try Self.find(typed.words, in: catalogue)
    let description = catalogue.description(of: command)
    let known = description.options + CommandDescription.globalOptions
    for name in typed.options.keys.sorted() {
      guard let option = known.first(where: { $0.name == name }) else {
        guard !typed.settings.contains(name) else { throw Self.unknownSetting(name, of: description) }
        throw Self.unknownOption(name, among: known, of: description, in: catalogue)
      }
      // A flag is no KEY=VALUE: its value would be ignored.
      guard option.value != nil || !typed.settings.contains(name) else {
        throw Self.unknownSetting(name, of: description)
      }
      guard option.isRepeated || typed.options[name]?.count == 1 else {
        throw .usage("\(typed.settings.contains(name) ? "" : "--")\(name) is given twice")
      }
    }
    if typed.options["output"] == ["-"] {
      guard known.contains(where: { $0.name == "output" && $0.summary.contains("instead of standard output") }) else {
        throw .usage("`pfctl \(description.name)` cannot write to standard output; give --output FILE")
      }
      typed.options["output"] = nil
    }
    try Self.check(rest, against: description)
    self.init(command: command, operands: rest, options: typed.options)
  }

  private init(command: any Command.Type, operands: [String], options: [String: [String]]) {
    self.command = command
    self.operands = operands
    self.options = options
  }

  // MARK: Given values

  package subscript(option: String) -> String? { options[option]?.first }

  /// Every value of a repeatable option, in the order given.
  package func all(_ option: String) -> [String] { options[option] ?? [] }

  package func has(_ flag: String) -> Bool { options[flag] != nil }

  /// The operand at `index`; nil if it was omitted.
  package func operand(_ index: Int) -> String? { operands.indices.contains(index) ? operands[index] : nil }

  /// The option's value, which must be one of `numbers`; `standard` if the option is omitted.
  package func integer(_ option: String, standard: Int, among numbers: [Int]) throws(CommandFailure) -> Int {
    guard let text = self[option] else { return standard }
    guard let number = Int(text), numbers.contains(number) else {
      throw .usage("--\(option) is \(TextFormat.list(numbers.map(String.init), "or")), not '\(visible(text))'")
    }
    return number
  }

  /// The option's value, which must be within `range`; `standard` if the option is omitted.
  package func integer(_ option: String, standard: Int, in range: ClosedRange<Int>) throws(CommandFailure) -> Int {
    guard let text = self[option] else { return standard }
    guard let number = Int(text), range.contains(number) else {
      throw .usage(
        "--\(option) must be a whole number from \(range.lowerBound) to \(range.upperBound), not '\(visible(text))'")
    }
    return number
  }

  /// The option's value as a wire enum; `standard` if the option is omitted.
  ///
  /// - Throws: `ControlError` that lists the valid values, as the daemon would.
  package func word<Word: WireWord>(_ option: String, standard: Word) throws(ControlError) -> Word {
    guard let text = self[option] else { return standard }
    return try Word(asked: text, field: option)
  }

  /// The option's value, which must be one of `words`; the first of `words` if the option is omitted.
  package func choice(_ option: String, among words: [String]) throws(CommandFailure) -> String {
    guard let word = self[option] else { return words.first ?? "" }
    guard words.contains(word) else {
      let hint = Suggestion.nearest(to: word, among: words).map { "; did you mean \($0)?" } ?? ""
      throw .usage("--\(option) is \(TextFormat.list(words, "or")), not '\(visible(word))'\(hint)")
    }
    return word
  }

  /// The value of a mandatory option.
  ///
  /// - Throws: `CommandFailure` with exit code 64 if the option is missing.
  package func required(_ option: String, such example: String) throws(CommandFailure) -> String {
    guard let value = self[option] else {
      // The error shows a complete example, so that one error covers all missing options.
      let line = command.description.examples.first { $0.contains("--\(option) ") }.map { ": \($0)" } ?? ""
      throw .usage("`pfctl \(command.description.name)` needs --\(option), such as --\(option) \(example)\(line)")
    }
    return value
  }

  // MARK: Parsing

  private static func scan(
    _ words: [String], in catalogue: CommandCatalogue
  ) throws(CommandFailure) -> TypedLine {
    var result = TypedLine(words: [])
    var rest = words[...]
    while let word = rest.popFirst() {
      if word == "--" {
        result.words += rest
        break
      }
      guard word.hasPrefix("-"), word.count > 1 else {
        result.words.append(word)
        continue
      }
      let (name, given) = split(word, catalogue.spellings)
      if name == "version" || name == "help" {
        result.options[name] = [""]
      } else if let option = option(name, behind: result.words, before: rest, in: catalogue),
        word.hasPrefix("--") || short[word] != nil
      {
        if option.value != nil, given == nil, rest.isEmpty {
          try checkBelongsToCommand(name, by: result.words, as: word, in: catalogue)
        }
        result.options[name, default: []].append(try value(of: option, given, &rest))
      } else {
        // An unknown command is reported before its options.
        let words = catalogue.spellings.own(result.words)
        if let noun = words.first, !catalogue.descriptions.contains(where: { $0.path[0] == noun }) {
          _ = try find(words, in: catalogue)
        }
        // The suggestions in the error come from the command's own options.
        let description = (try? find(result.words + rest.filter { !$0.hasPrefix("-") }, in: catalogue))
          .map { catalogue.description(of: $0.command) }
        let known = (description?.options ?? []) + CommandDescription.globalOptions
        throw unknownOption(
          name, among: known, of: description, as: word.hasPrefix("--") ? "--\(name)" : word, in: catalogue)
      }
    }
    return result
  }

  /// The option named `name`, preferably the command's own: two commands may have the same option with and without a value
  /// (`--map`).
  private static func option(
    _ name: String, behind words: [String], before rest: ArraySlice<String>, in catalogue: CommandCatalogue
  ) -> CommandDescription.Option? {
    let matchingPaths = rest.filter { !$0.hasPrefix("-") }
    // If the command name comes later, the first word may be the option's value.
    for line in [words + matchingPaths, words + matchingPaths.dropFirst()] {
      let options = catalogue.command(of: line).map { catalogue.description(of: $0).options } ?? []
      if let own = options.first(where: { $0.name == name }) { return own }
    }
    return catalogue.optionsByName[name]
  }

  /// Called for an option without its value. Refuses an option that the command does not have, before its missing value is
  /// reported.
  private static func checkBelongsToCommand(
    _ name: String, by words: [String], as word: String, in catalogue: CommandCatalogue
  ) throws(CommandFailure) {
    guard let description = (try? find(words, in: catalogue)).map({ catalogue.description(of: $0.command) }) else {
      return
    }
    let known = description.options + CommandDescription.globalOptions
    if !known.contains(where: { $0.name == name }) {
      throw unknownOption(name, among: known, of: description, as: word, in: catalogue)
    }
  }

  /// Single-character options.
  private static let short = ["-h": "help", "-f": "follow", "-q": "quiet"]

  private static func split(_ word: String, _ spellings: SpellingVariants) -> (name: String, value: String?) {
    if let name = short[word] { return (name, nil) }
    let body = word.drop { $0 == "-" }
    let name = String(body.prefix { $0 != "=" })
    let own = spellings.options[name] ?? name
    guard let equals = body.firstIndex(of: "=") else { return (own, nil) }
    return (own, String(body[body.index(after: equals)...]))
  }

  private static func value(
    of option: CommandDescription.Option, _ given: String?, _ rest: inout ArraySlice<String>
  ) throws(CommandFailure) -> String {
    guard let valueName = option.value else {
      if let after = option.valueAfterEquals, let given {
        guard !given.isEmpty else { throw .usage("--\(option.name)= needs a value: --\(option.name)=\(after)") }
        return given
      }
      guard given == nil else { throw .usage("--\(option.name) takes no value") }
      return ""
    }
    guard let value = given ?? rest.popFirst() else {
      throw .usage("--\(option.name) needs a value: --\(option.name) \(valueName)")
    }
    return value
  }

  private static func unknownOption(
    _ name: String, among known: [CommandDescription.Option], of command: CommandDescription?, as word: String? = nil,
    in catalogue: CommandCatalogue
  ) -> CommandFailure {
    let shown = visible(word ?? "--\(name)")
    // `pfctl` without arguments has an empty path.
    let command = command.flatMap { $0.path.isEmpty ? nil : $0 }
    let commandText = command.map { "`pfctl \($0.name)`" } ?? "pfctl"
    if name == "team", let command, command.operands.first?.name == "TEAM" {
      return .usage("the team is an operand of \(commandText), not an option: \(command.usage)")
    }
    let hint =
      OtherToolWords.options[name]?.first { own in known.contains { $0.name == own } }.map { "did you mean --\($0)?" }
      ?? Suggestion.nearest(to: name, among: known.map(\.name)).map { "did you mean --\($0)?" }
      ?? command.flatMap { catalogue.otherTools.elsewhere["\($0.name) \(name)"] }
      ?? "see `pfctl help\(command.map { " \($0.name)" } ?? "")`"
    return .usage("\(commandText) has no option \(shown); \(hint)")
  }

  private static func unknownSetting(_ name: String, of command: CommandDescription) -> CommandFailure {
    let known = command.settingOptions.map(\.name)
    let hint =
      Suggestion.nearest(to: name, among: known).map { "did you mean \($0)?" }
      ?? "there are \(TextFormat.list(known, "and"))"
    return .usage("`pfctl \(command.name)` has no setting '\(visible(name))'; \(hint)")
  }

  /// The command that the words begin with, and the remaining words.
  private static func find(
    _ words: [String], in catalogue: CommandCatalogue
  ) throws(CommandFailure) -> (command: any Command.Type, rest: [String]) {
    guard !words.isEmpty else { return (Overview.self, []) }
    if let command = catalogue.command(of: words) {
      return (command, Array(words.dropFirst(command.description.path.count)))
    }
    // Take the longest prefix of the words that begins some command; `matchingPaths` holds its possible continuations.
    var typedPrefix: [String] = []
    var matchingPaths = catalogue.descriptions.map(\.path)
    for word in words {
      let longer = matchingPaths.filter { $0.count > typedPrefix.count + 1 && $0[typedPrefix.count] == word }
      guard !longer.isEmpty else { break }
      typedPrefix.append(word)
      matchingPaths = longer
    }
    let next = matchingPaths.map { $0[typedPrefix.count] }.reduce(into: [String]()) {
      if !$0.contains($1) { $0.append($1) }
    }
    let typedText = typedPrefix.map { $0 + " " }.joined()
    guard words.count > typedPrefix.count else {
      throw .usage("`pfctl \(typedPrefix.joined(separator: " "))` needs a verb: \(TextFormat.list(next, "or"))")
    }
    let word = words[typedPrefix.count]
    let hint =
      (typedPrefix.isEmpty ? catalogue.otherTools.commands[word] : nil)
      ?? OtherToolWords.verb(word, behind: typedText, among: next, in: catalogue)
      ?? Suggestion.nearest(to: word, among: typedPrefix.isEmpty ? next.sorted() : next).map {
        "did you mean `pfctl \(typedText)\($0)`?"
      }
      ?? (typedPrefix.isEmpty ? "see `pfctl help`" : "there are \(TextFormat.list(next, "and"))")
    throw .usage("unknown command '\(typedText)\(visible(word))'; \(hint)")
  }

  private static func check(_ operands: [String], against description: CommandDescription) throws(CommandFailure) {
    let needed = description.operands.filter { $0.count == .one }
    if operands.count < needed.count {
      let name = needed[operands.count].name
      let words = name.split(separator: "|").map(String.init)
      let what =
        words.first == words.first?.lowercased() && words.count > 1 ? "one of \(TextFormat.list(words, "and"))" : name
      throw .usage("`pfctl \(description.name)` needs \(what): \(description.usage)")
    }
    if description.takesSettings, operands.count > description.objects.count {
      let extra = visible(operands[description.objects.count])
      throw .usage(
        "`pfctl \(description.name)` accepts values as KEY=VALUE or --KEY VALUE, not '\(extra)'; `pfctl help "
          + "\(description.name)` lists them")
    }
    let isBounded = !description.operands.contains { $0.count == .any }
    if isBounded, operands.count > description.operands.count {
      let extra = visible(operands[description.operands.count])
      let isSettings = extra.hasSuffix(".conf") && description.options.contains { $0.name == "config" }
      throw .usage(
        "`pfctl \(description.name)` does not take '\(extra)'"
          + (isSettings ? "; did you mean --config \(extra)?" : ": \(description.usage)"))
    }
  }
}
