/// Spellings of the previous version, still accepted in this one: each use prints the current spelling.
///
/// Each module has those of its commands. Empty the tables for the next version.
package struct DeprecatedSyntax: Sendable {
  /// The version that changed these spellings.
  package static let since = "0.2"

  /// A renamed command.
  package struct Command: Sendable {
    package let old: String
    package let new: String
    /// Options that replace information in the old command's name.
    package var adding: [(name: String, value: String)] = []
    /// True: applies only with an operand; false: only without; nil: both.
    package var hasOperand: Bool?

    package init(
      old: String, new: String, adding: [(name: String, value: String)] = [], hasOperand: Bool? = nil
    ) {
      (self.old, self.new, self.adding, self.hasOperand) = (old, new, adding, hasOperand)
    }

    package var replacement: String { new + adding.map { " --\($0.name) \($0.value)" }.joined() }
  }

  /// A renamed option.
  package struct Option: Sendable {
    package let old: String
    package let new: String
    /// The commands that had the old option.
    package let commands: Set<String>
    package var adding: [(name: String, value: String)] = []

    package init(_ old: String, _ new: String, in commands: Set<String>, adding: [(name: String, value: String)] = []) {
      (self.old, self.new, self.commands, self.adding) = (old, new, commands, adding)
    }
  }

  /// An operand that became an option.
  package struct Operand: Sendable {
    package let index: Int
    package let option: String
    package let value: String
    package let commands: Set<String>

    package init(_ index: Int, option: String, value: String, in commands: Set<String>) {
      (self.index, self.option, self.value, self.commands) = (index, option, value, commands)
    }
  }

  /// Two options that became one, which takes both values with a comma between them.
  package struct JoinedOptions: Sendable {
    package let first: String
    package let second: String
    package let new: String
    /// The placeholder of the new option's value.
    package let value: String
    package let commands: Set<String>

    package init(_ first: String, _ second: String, _ new: String, value: String, in commands: Set<String>) {
      (self.first, self.second, self.new, self.value, self.commands) = (first, second, new, value, commands)
    }
  }

  package var commands: [Command] = []
  package var options: [Option] = []
  package var operands: [Operand] = []
  package var joined: [JoinedOptions] = []
  /// Options of one noun's commands that took a value before, and are a flag of every command today.
  package var flags: [(name: String, noun: String)] = []

  package init() {}

  package init(joining parts: [DeprecatedSyntax]) {
    commands = parts.flatMap(\.commands)
    options = parts.flatMap(\.options)
    operands = parts.flatMap(\.operands)
    joined = parts.flatMap(\.joined)
    flags = parts.flatMap(\.flags)
  }

  /// The value of the old option; nil if the flag is meant.
  package func value(of name: String, _ given: String?, before next: String?, in words: [String]) -> String? {
    guard flags.contains(where: { $0.name == name && $0.noun == words.first }) else { return nil }
    if let given { return given.isEmpty ? "none" : given }
    return next.flatMap { $0.first?.isNumber == true || $0 == "none" ? $0 : nil }
  }

  /// The names of all old options: each takes a value, which the parser must know before it knows the command.
  package var valued: Set<String> { Set(options.map(\.old) + joined.flatMap { [$0.first, $0.second] }) }

  /// A hint for the first word of an old command, typed alone: the commands that replaced it.
  package func hint(for noun: String) -> String? {
    guard let command = commands.first(where: { $0.old.hasPrefix(noun + " ") }) else { return nil }
    return
      "its commands are those of `pfctl \(Self.words(command.new)[0])` since \(Self.since): see `pfctl help \(Self.words(command.new)[0])`"
  }

  // MARK: Replacing old spellings

  func replaceCommand(in line: inout TypedLine) {
    let command = commands.first { command in
      let path = Self.words(command.old)
      guard line.words.starts(with: path) else { return false }
      return command.hasOperand.map { $0 == (line.words.count > path.count) } ?? true
    }
    guard let command else { return }
    line.replace(Self.words(command.old), by: Self.words(command.new))
    for option in command.adding where line.options[option.name] == nil { line.options[option.name] = [option.value] }
    line.warnings.append(
      "`pfctl \(command.old)` is called `pfctl \(command.replacement)` since \(Self.since); the next version no longer accepts the "
        + "old form")
  }

  private static func words(_ name: String) -> [String] { name.split(separator: " ").map(String.init) }

  func replaceOptions(of description: CommandDescription, in line: inout TypedLine) {
    let old = options.filter { option in
      option.commands.contains(description.name) && line.options[option.old] != nil && line.options[option.new] == nil
        && (!flags.contains { $0.name == option.old } || line.settings.contains(option.old)
          || line.options[option.old] != [""])
    }
    for option in old {
      line.rename(option.old, to: option.new)
      for added in option.adding where line.options[added.name] == nil { line.options[added.name] = [added.value] }
      line.warnings.append(
        "`--\(option.old)` of `pfctl \(description.name)` is called `--\(option.new)` since \(Self.since); the next version "
          + "no longer accepts the old name")
    }
    for pair in joined where pair.commands.contains(description.name) { join(pair, in: &line) }
  }

  func replaceOperands(of description: CommandDescription, in line: inout TypedLine) {
    let given = line.words.count - description.path.count
    for operand in operands where operand.commands.contains(description.name) {
      guard given == description.objects.count + 1, line.options[operand.option] == nil else { continue }
      line.options[operand.option] = [line.words.remove(at: description.path.count + operand.index)]
      line.warnings.append(
        "`pfctl \(description.name)` takes \(operand.value) as `--\(operand.option) \(operand.value)` since \(Self.since); "
          + "the next version no longer accepts the old form")
    }
  }

  private func join(_ options: JoinedOptions, in line: inout TypedLine) {
    guard let first = line.options[options.first]?.first, let second = line.options[options.second]?.first else {
      return
    }
    (line.options[options.first], line.options[options.second]) = (nil, nil)
    line.options[options.new] = ["\(first),\(second)"]
    line.warnings.append(
      "`--\(options.first)` and `--\(options.second)` are `--\(options.new) \(options.value)` since \(Self.since); the "
        + "next version no longer accepts the old options")
  }
}
