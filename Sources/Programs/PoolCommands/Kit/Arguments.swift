internal import PoolControl
internal import PoolModel

/// A command line taken apart: which command, its operands and its options, all known and complete.
struct Arguments {
  let command: any Command.Type
  let operands: [String]
  private let options: [String: [String]]

  /// - Parameter words: The command line without the program's name.
  init(_ words: [String]) throws(CommandFailure) {
    var scanned = try Self.scan(words)
    if scanned.options["version"] != nil { scanned = Scanned(words: ["version"], options: [:]) }
    // Help is given for a command line that is not complete yet.
    if scanned.options["help"] != nil {
      self.init(command: HelpCommand.self, operands: scanned.words, options: [:])
      return
    }
    let (command, rest) = try Self.find(scanned.words)
    let description = command.description
    let known = description.options + CommandDescription.globalOptions
    for name in scanned.options.keys.sorted() {
      guard let option = known.first(where: { $0.name == name }) else {
        throw Self.unknownOption(name, among: known, of: description)
      }
      guard option.isRepeated || scanned.options[name]?.count == 1 else { throw .usage("--\(name) is given twice") }
    }
    try Self.check(rest, against: description)
    self.init(command: command, operands: rest, options: scanned.options)
  }

  private init(command: any Command.Type, operands: [String], options: [String: [String]]) {
    self.command = command
    self.operands = operands
    self.options = options
  }

  // MARK: What was given

  subscript(option: String) -> String? { options[option]?.first }

  /// Of an option that may be given more than once: every value, in their order.
  func all(_ option: String) -> [String] { options[option] ?? [] }

  func has(_ flag: String) -> Bool { options[flag] != nil }

  /// The operand at `index`, which the description promises.
  func operand(_ index: Int) -> String? { operands.indices.contains(index) ? operands[index] : nil }

  /// A whole number within `range`, or `standard` where the option is not given.
  func integer(_ option: String, standard: Int, in range: ClosedRange<Int>) throws(CommandFailure) -> Int {
    guard let text = self[option] else { return standard }
    guard let number = Int(text), range.contains(number) else {
      throw .usage(
        "--\(option) takes a whole number from \(range.lowerBound) to \(range.upperBound), not '\(visible(text))'")
    }
    return number
  }

  /// One of the wire's words, or `standard` where the option is not given.
  ///
  /// - Throws: `ControlError` that names the words there are, as the daemon would.
  func word<Word: WireWord>(_ option: String, standard: Word) throws(ControlError) -> Word {
    guard let text = self[option] else { return standard }
    return try Word(asked: text, field: option)
  }

  /// Asks for an option that the command cannot do without.
  func required(_ option: String, such example: String) throws(CommandFailure) -> String {
    guard let value = self[option] else {
      throw .usage("`pfctl \(command.description.name)` needs --\(option), such as --\(option) \(example)")
    }
    return value
  }

  // MARK: Taking apart

  private struct Scanned {
    var words: [String]
    var options: [String: [String]]
  }

  /// Every option of every command: which take a value must be known before the command is.
  private static let allOptions: [String: CommandDescription.Option] = {
    let options = CommandDescription.globalOptions + Catalogue.descriptions.flatMap(\.options)
    return Dictionary(options.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }()

  private static func scan(_ words: [String]) throws(CommandFailure) -> Scanned {
    var result = Scanned(words: [], options: [:])
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
      let (name, given) = split(word)
      if name == "version" || name == "help" {
        result.options[name] = [""]
      } else if let option = allOptions[name], word.hasPrefix("--") || word == "-f" {
        result.options[name, default: []].append(try value(of: option, given, &rest))
      } else {
        // The command decides what could have been meant.
        let description = (try? find(result.words + rest.filter { !$0.hasPrefix("-") }))?.command.description
        let known = (description?.options ?? []) + CommandDescription.globalOptions
        throw unknownOption(name, among: known, of: description, as: word.hasPrefix("--") ? "--\(name)" : word)
      }
    }
    return result
  }

  private static func split(_ word: String) -> (name: String, value: String?) {
    if word == "-h" { return ("help", nil) }
    if word == "-f" { return ("follow", nil) }
    let body = word.drop { $0 == "-" }
    guard let equals = body.firstIndex(of: "=") else { return (String(body), nil) }
    return (String(body[..<equals]), String(body[body.index(after: equals)...]))
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
    _ name: String, among known: [CommandDescription.Option], of command: CommandDescription?, as word: String? = nil
  ) -> CommandFailure {
    let shown = visible(word ?? "--\(name)")
    let place = command.map { "`pfctl \($0.name)`" } ?? "pfctl"
    let hint =
      Suggestion.nearest(to: name, among: known.map(\.name)).map { "did you mean --\($0)?" }
      ?? "see `pfctl help\(command.map { " \($0.name)" } ?? "")`"
    return .usage("\(place) has no option \(shown); \(hint)")
  }

  /// The command that the words begin with, and the words after it.
  private static func find(_ words: [String]) throws(CommandFailure) -> (command: any Command.Type, rest: [String]) {
    guard let first = words.first else { return (HelpCommand.self, []) }
    for command in Catalogue.commands where words.starts(with: command.description.path) {
      return (command, Array(words.dropFirst(command.description.path.count)))
    }
    let descriptions = Catalogue.descriptions
    guard Catalogue.groups.contains(first) else {
      let hint =
        Suggestion.nearest(to: first, among: Set(descriptions.map { $0.path[0] }).sorted())
        .map { "did you mean `pfctl \($0)`?" } ?? "see `pfctl help`"
      throw .usage("there is no command '\(visible(first))'; \(hint)")
    }
    let verbs = descriptions.filter { $0.path[0] == first }.map { $0.path[1] }
    guard words.count > 1 else { throw .usage("`pfctl \(first)` needs to know what to do: \(joined(verbs))") }
    let hint =
      Suggestion.nearest(to: words[1], among: verbs).map { "did you mean `pfctl \(first) \($0)`?" }
      ?? "there are \(joined(verbs))"
    throw .usage("there is no command '\(first) \(visible(words[1]))'; \(hint)")
  }

  private static func check(_ operands: [String], against description: CommandDescription) throws(CommandFailure) {
    let needed = description.operands.filter { $0.count == .one }
    if operands.count < needed.count {
      throw .usage("`pfctl \(description.name)` needs \(needed[operands.count].name): \(description.usage)")
    }
    let isBounded = !description.operands.contains { $0.count == .any }
    if isBounded, operands.count > description.operands.count {
      let extra = visible(operands[description.operands.count])
      throw .usage("`pfctl \(description.name)` does not take '\(extra)': \(description.usage)")
    }
  }

  private static func joined(_ words: [String]) -> String {
    guard let last = words.last, words.count > 1 else { return words.joined() }
    return words.dropLast().joined(separator: ", ") + " or " + last
  }
}
