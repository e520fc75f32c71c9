/// The grammar of `pfctl` commands: `pfctl help grammar` prints it, and `GrammarTests` checks every command against it.
package struct Grammar: Sendable {
  /// How a command is built, with an example.
  package let introduction: String
  /// Rules of the grammar beyond its vocabulary.
  package let rules: [Rule]
  /// Every verb that follows a noun.
  package let verbs: [Verb]
  /// Options that several nouns share.
  package let shared: [OptionRule]

  package typealias Rule = (term: String, meaning: String)

  package init(_ parts: [GrammarPart] = []) {
    introduction = parts.map(\.introduction).joined()
    rules = parts.flatMap(\.rules)
    verbs = ListPart.joined(parts.flatMap(\.verbs))
    shared = ListPart.joined(parts.flatMap(\.options))
  }

  /// The verb after a noun.
  package struct Verb: Sendable {
    package let word: String
    package let meaning: String

    package init(_ word: String, _ meaning: String) { (self.word, self.meaning) = (word, meaning) }
  }

  /// An option with a fixed meaning and a fixed placeholder for its value in all commands.
  package struct OptionRule: Sendable {
    /// The kind of value that an option takes.
    package enum Value: Equatable, Sendable {
      case flag
      /// A value with this placeholder in help.
      case named(String)
      /// One of a few keywords, which may differ between commands: `text|html`.
      case choice
    }

    package let name: String
    package let value: Value
    package let meaning: String

    package init(_ name: String, _ value: String? = nil, _ meaning: String) {
      self.name = name
      self.value = value.map { $0 == "…|…" ? .choice : .named($0) } ?? .flag
      self.meaning = meaning
    }

    /// `--team TEAM`.
    package var usage: String {
      switch value {
      case .flag: "--\(name)"
      case .named(let word): "--\(name) \(word)"
      case .choice: "--\(name) …|…"
      }
    }
  }

  /// The verbs of commands that print nothing on success with `--quiet`.
  package static let successVerbs: Set = [
    "add", "set", "reset", "rename", "remove", "prune", "clear", "undo", "log", "mark", "save", "plan", "verify",
    "restore", "import",
    "test", "retry", "release", "discard", "apply", "move", "pin", "refresh", "check", "setup", "run", "cancel",
    "pause",
    "resume", "skip", "remind", "reload", "drain",
  ]
}

/// The part of the grammar that a module adds.
package struct GrammarPart: Sendable {
  package var introduction = ""
  package var rules: [Grammar.Rule] = []
  package var verbs: [ListPart<Grammar.Verb>] = []
  package var options: [ListPart<Grammar.OptionRule>] = []

  package init() {}

  package init(
    introduction: String = "", rules: [Grammar.Rule] = [], verbs: [ListPart<Grammar.Verb>],
    options: [ListPart<Grammar.OptionRule>] = []
  ) {
    self.introduction = introduction
    (self.rules, self.verbs, self.options) = (rules, verbs, options)
  }
}
