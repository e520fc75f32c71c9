/// The name and the parameters of a command. Parsing, help, suggestions, completion and manual pages use it; `GrammarTests`
/// checks that all descriptions follow one grammar.
package struct CommandDescription: Sendable {
  /// A positional argument.
  package struct Operand: Sendable {
    /// How many operands of this name the command accepts.
    package enum Count: Sendable {
      case one, atMostOne, any
    }

    package let name: String
    package let count: Count

    package init(_ name: String, _ count: Count = .one) {
      self.name = name
      self.count = count
    }
  }

  /// An option such as `--team TEAM`, or a flag.
  package struct Option: Sendable {
    /// The option's name without dashes.
    package let name: String
    /// The placeholder of its value in help; nil for a flag.
    package let value: String?
    package let summary: String
    package let isRequired: Bool
    /// True if the option may be given several times.
    package let isRepeated: Bool
    /// The optional value after `=` of a flag, such as `FIELD,…` in `--json=FIELD,…`.
    let valueAfterEquals: String?

    package init(
      _ name: String, _ value: String? = nil, _ summary: String, isRequired: Bool = false, isRepeated: Bool = false,
      valueAfterEquals: String? = nil
    ) {
      self.valueAfterEquals = valueAfterEquals
      self.name = name
      self.value = value
      self.summary = summary
      self.isRequired = isRequired
      self.isRepeated = isRepeated
    }

    /// `--team TEAM`.
    package var usage: String { "--\(name)\(value.map { " \($0)" } ?? valueAfterEquals.map { "[=\($0)]" } ?? "")" }
  }

  /// The words of the command's name, such as `team`, `add`.
  package let path: [String]
  /// One line without a full stop.
  package let summary: String
  package let operands: [Operand]
  package internal(set) var options: [Option]
  /// Additional lines of help.
  package let details: [String]
  /// Complete command lines.
  package internal(set) var examples: [String]

  package init(
    _ path: String, _ summary: String, operands: [Operand] = [], options: [Option] = [], details: [String] = [],
    examples: [String] = []
  ) {
    self.path = path.split(separator: " ").map(String.init)
    self.summary = summary
    self.operands = operands + (self.path.last == "set" ? [Self.settings] : [])
    self.options = options
    self.details = details
    self.examples = examples
  }

  package var name: String { path.joined(separator: " ") }

  /// The KEY=VALUE operands of every `set` command: `fee=150` means `--fee 150`.
  private static let settings = Operand("KEY=VALUE", .any)

  /// True if the command only changes something and prints a success message, which `--quiet` drops.
  var printsOnlySuccess: Bool { path.last.map(Grammar.successVerbs.contains) ?? false }

  var takesSettings: Bool { path.last == "set" }

  /// The operands without KEY=VALUE.
  package var objects: [Operand] { takesSettings ? operands.dropLast() : operands }

  /// The options that may be written KEY=VALUE.
  var settingOptions: [Option] { takesSettings ? options.filter { $0.value != nil && $0.name != "team" } : [] }

  /// `pfctl closed list --team TEAM [--limit N]`; more than four options are abbreviated to one word.
  package var usage: String {
    var words = ["pfctl"] + path
    for operand in operands {
      switch operand.count {
      case .one: words.append(operand.name)
      case .atMostOne: words.append("[\(operand.name)]")
      case .any: words.append("[\(operand.name)…]")
      }
    }
    for option in options where option.isRequired { words.append(option.usage) }
    let others = options.filter { !$0.isRequired }
    words += others.count > 4 ? ["[OPTION…]"] : others.map { "[\($0.usage)]" }
    return words.joined(separator: " ")
  }

  /// The options that every command accepts.
  static let globalOptions: [Option] = [
    Option("socket", "PATH", "the daemon's socket"),
    Option("instance", "NAME", "use the daemon poolflowd@NAME instead of poolflowd"),
    Option(
      "json", nil, "print one JSON document instead of tables, or only these fields of it; errors as JSON, too",
      valueAfterEquals: "FIELD,…"),
    Option("no-legend", nil, "print no headings and no closing notes"),
    Option("quiet", nil, "print only requested data: no success messages, no progress; also -q"),
    Option("plain", nil, "print tables as tab-separated rows, for scripts that do not read JSON"),
    Option("no-pager", nil, "longer output is not paged"),
    Option("color", "WHEN", "when to use colours: auto, always or never"),
    Option("help", nil, "help for the command"),
  ]

  package static let teamOption = Option("team", "TEAM", "only this team")

  /// The `--team` option of a command for one team; it defaults to $POOLFLOW_TEAM or to the only team.
  package static func team(_ whose: String) -> Option { Option("team", "TEAM", whose) }
}

/// A command of `pfctl`.
package protocol Command: SendableMetatype {
  static var description: CommandDescription { get }
  /// Every document that the command may write with `--json`; empty if it has no JSON output.
  static var documents: [JSONDocument] { get }
  /// Executes the command. Data goes to the console's standard output, messages to standard error.
  ///
  /// - Throws: `CommandFailure` or `ControlError` with the sentence to print.
  static func run(_ arguments: Arguments, _ session: Session) throws
}
