internal import FlowControl
internal import FlowModel

/// The candidates for the word being typed; the shells' completion scripts call it.
package struct Completion {
  /// A word that completes the line, with an optional summary.
  package struct Candidate: Hashable, Sendable {
    package let word: String
    package let summary: String

    package init(_ word: String, _ summary: String = "") {
      self.word = word
      self.summary = summary
    }
  }

  /// The reply to a shell.
  package enum Answer: Hashable {
    case words([Candidate])
    /// The shell completes file names itself.
    case files
  }

  private let catalogue: CommandCatalogue
  private let names: (_ kind: String, _ team: String?) -> [Candidate]

  /// - Parameter names: names of a kind that only the daemon or the machine knows; empty if neither answers in time. A nil team
  ///   means all teams.
  package init(_ catalogue: CommandCatalogue, names: @escaping (_ kind: String, _ team: String?) -> [Candidate]) {
    self.catalogue = catalogue
    self.names = names
  }

  /// - Parameter words: the words typed after `pfctl`; the last one, possibly empty, is being completed.
  package func answer(_ words: [String]) -> Answer {
    let current = words.last ?? ""
    var line = PartialLine(words.dropLast(), in: catalogue)
    if let optionAwaitingValue = line.optionAwaitingValue {
      // Prefer the command's own option: other commands may have an option of that name with other values.
      let option = line.options.first { $0.name == optionAwaitingValue.name } ?? optionAwaitingValue
      return values(of: option.value ?? "", in: line, current, prefix: "")
    }
    if current.hasPrefix("-"), !line.onlyOperands {
      if let equals = current.firstIndex(of: "=") {
        let name = current[..<equals].drop { $0 == "-" }
        if name == "json" { return fields(of: line, current) }
        guard let option = line.options.first(where: { $0.name == name }), option.value != nil else {
          return .words([])
        }
        let prefix = String(current[...equals])
        return values(of: option.value ?? "", in: line, String(current.dropFirst(prefix.count)), prefix: prefix)
      }
      return matching(
        line.options.filter { $0.isRepeated || !line.given.contains($0.name) }.map {
          Candidate("--\($0.name)", $0.summary)
        }, current)
    }
    guard let description = line.consumeCommand() else { return matching(line.nextWords, current) }
    return operand(of: description, in: line, current)
  }

  /// Candidates for the next field in `--json=FIELD,…`.
  private func fields(of line: PartialLine, _ current: String) -> Answer {
    guard let command = line.wholeCommand else { return .words([]) }
    let start = current.lastIndex { $0 == "," || $0 == "=" } ?? current.startIndex
    let prefix = String(current[...start])
    let known = PartialLine.unique(FieldSelection.names(of: command).map { Candidate($0) })
    return matching(known, String(current.dropFirst(prefix.count)), prefix: prefix)
  }

  private func matching(_ candidates: [Candidate], _ current: String, prefix: String = "") -> Answer {
    .words(
      candidates.filter { $0.word.lowercased().hasPrefix(current.lowercased()) }.map {
        Candidate(prefix + $0.word, $0.summary)
      })
  }

  // MARK: Operands and values

  private func operand(of description: CommandDescription, in line: PartialLine, _ current: String) -> Answer {
    let index = line.operands.count
    guard let operand = index < description.operands.count ? description.operands[index] : description.operands.last,
      index < description.operands.count || operand.count == .any
    else { return .words([]) }
    if let completion = catalogue.values.first(where: { $0.completesOperand(operand.name, of: description.path) }) {
      // The operand of `add` names a new record, so there is nothing to complete.
      guard description.path.last != "add" || index > 0 else { return .words([]) }
      return matching(candidates(of: completion, in: line), current)
    }
    switch (description.path[0], operand.name) {
    case (_, "KEY=VALUE"):
      guard let equals = current.firstIndex(of: "=") else {
        return matching(description.settingOptions.map { Candidate("\($0.name)=", $0.summary) }, current)
      }
      let key = description.settingOptions.first { $0.name == current[..<equals] }
      return values(
        of: key?.value ?? "", in: line, String(current[current.index(after: equals)...]),
        prefix: String(current[...equals]))
    case ("help", _):
      let typed = line.operands
      if typed == [SchemaHelp.word] {
        return matching(catalogue.schemas.map { Candidate($0.name, $0.summary) }, current)
      }
      let commands = catalogue.descriptions.filter { $0.path.starts(with: typed) && $0.path.count > typed.count }
      let nouns = typed.isEmpty ? catalogue.nouns.map { Candidate($0.name, $0.summary) } : []
      let topics =
        typed.isEmpty
        ? HelpTopic.all(catalogue).map { Candidate($0.name, $0.summary) } + [
          Candidate(SchemaHelp.word, SchemaHelp.summary), Candidate(PhraseHelp.word, PhraseHelp.summary),
        ] : []
      return matching(
        PartialLine.unique(commands.map { Candidate($0.path[typed.count], $0.summary) } + nouns) + topics, current)
    default: return values(of: operand.name, in: line, current, prefix: "")
    }
  }

  /// Candidates for a placeholder in help, such as `TEAM` or `on|off`.
  private func values(of name: String, in line: PartialLine, _ current: String, prefix: String) -> Answer {
    let words: [String]
    switch name {
    case "FILE", "PATH", "DIR": return .files
    case "WHEN": words = ["auto", "always", "never"]
    case "PAGE": words = ["list"] + ManPages(catalogue).names
    default:
      let known = catalogue.values.filter { $0.completesValue(name) }
      let own = known.filter { $0.noun == line.noun }
      // Several modules may have values of the same name, such as their trades.
      let completions = own.isEmpty ? known.filter { $0.noun == nil } : own
      if !completions.isEmpty {
        return matching(completions.flatMap { candidates(of: $0, in: line) }, current, prefix: prefix)
      }
      words = name.contains("|") ? name.lowercased().split(separator: "|").map(String.init) : []
    }
    return matching(words.map { Candidate($0) }, current, prefix: prefix)
  }

  private func candidates(of completion: ValueCompletion, in line: PartialLine) -> [Candidate] {
    completion.sources.flatMap { source in
      switch source {
      case .words(let words): words.map { Candidate($0) }
      case .names(let kind, let option):
        option.map(line.given.contains) ?? false ? [] : names(kind, line.team)
      }
    }
  }
}

/// The complete words before the word being typed, parsed.
private struct PartialLine {
  private(set) var given: Set<String> = []
  private(set) var operands: [String] = []
  private(set) var onlyOperands = false
  /// The first word of the command.
  private(set) var noun: String?
  /// The team on the line, from `--team` or from a TEAM operand.
  private(set) var team: String?
  /// The option whose value is being typed; nil if the next word is not an option's value.
  private(set) var optionAwaitingValue: CommandDescription.Option?

  private let catalogue: CommandCatalogue

  init(_ words: some Sequence<String>, in catalogue: CommandCatalogue) {
    self.catalogue = catalogue
    let all = CommandDescription.globalOptions + catalogue.descriptions.flatMap(\.options)
    for word in words {
      if let option = optionAwaitingValue {
        if option.name == "team" { team = word }
        optionAwaitingValue = nil
      } else if onlyOperands || !word.hasPrefix("-") {
        operands.append(word)
      } else if word == "--" {
        onlyOperands = true
      } else {
        let name = word.drop { $0 == "-" }.prefix { $0 != "=" }
        given.insert(String(name))
        if name == "team", let equals = word.firstIndex(of: "=") { team = String(word[word.index(after: equals)...]) }
        // Two commands may have an option of the same name with and without a value.
        let own = catalogue.command(of: operands).map { catalogue.description(of: $0).options } ?? []
        if !word.contains("="), let option = (own + all).first(where: { $0.name == name }), option.value != nil {
          optionAwaitingValue = option
        }
      }
    }
    operands = catalogue.spellings.own(operands)
    noun = operands.first
  }

  /// Removes the command's words from `operands` and returns the command; nil if the command is incomplete.
  mutating func consumeCommand() -> CommandDescription? {
    guard let found = command else { return nil }
    operands.removeFirst(found.path.count)
    if let place = found.operands.firstIndex(where: { $0.name == "TEAM" }), operands.indices.contains(place) {
      team = operands[place]
    }
    return found
  }

  /// The command on the line; nil if it is incomplete.
  var wholeCommand: (any Command.Type)? {
    catalogue.commands.first { operands.starts(with: $0.description.path) }
  }

  private var command: CommandDescription? { catalogue.descriptions.first { operands.starts(with: $0.path) } }

  var options: [CommandDescription.Option] { (command?.options ?? []) + CommandDescription.globalOptions }

  /// The words that can continue the command.
  var nextWords: [Completion.Candidate] {
    let following = catalogue.descriptions.filter {
      $0.path.starts(with: operands) && $0.path.count > operands.count
    }
    return Self.unique(
      following.map { description in
        let isWhole = description.path.count == operands.count + 1
        let verbs = following.filter { $0.path[operands.count] == description.path[operands.count] }
        return Completion.Candidate(
          description.path[operands.count],
          isWhole ? description.summary : verbs.compactMap(\.path.last).joined(separator: ", "))
      })
  }

  static func unique(_ candidates: [Completion.Candidate]) -> [Completion.Candidate] {
    var seen: Set<String> = []
    return candidates.filter { seen.insert($0.word).inserted }
  }
}
