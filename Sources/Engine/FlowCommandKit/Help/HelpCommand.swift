internal import FlowControl
internal import FlowModel

/// `pfctl help`: lists the commands, or explains one.
package enum HelpCommand: Command {
  package static let description = CommandDescription(
    "help", "list all commands, or show help for one", operands: [.init("COMMAND", .any)],
    options: [
      .init("man", "PAGE", "print a manual page instead, such as pfctl.1 or pfctl-team.1; list shows all names"),
      .init("language", "LANGUAGE", "the language of help phrases: en, es, fr, pt-BR or de; default: en"),
    ],
    details: ["There is also help about \(TextFormat.list(HelpTopic.names, "and"))."],
    examples: [
      "pfctl help team set", "pfctl help exit-codes", "pfctl help --man pfctl.1", "pfctl help schema",
      "pfctl help schema pfctl.list/1", "pfctl help phrases --language fr",
    ])

  package static let documents: [JSONDocument] = [
    .init("help", CommandsView.self), .init("help-topic", TopicView.self),
    .init("help-schemas", SchemaHelp.Answer.self), .init("help-phrases", PhraseHelp.Answer.self),
  ]

  package static func run(_ arguments: Arguments, _ session: Session) throws {
    let (console, catalogue) = (session.console, session.catalogue)
    var line = TypedLine(words: arguments.operands)
    line.replaceVariants(in: catalogue)
    let words = line.words
    if let name = arguments["man"] {
      let pages = ManPages(catalogue)
      if name == "list" {
        for page in pages.names { console.line(page) }
        return
      }
      guard let page = pages.page(name) else {
        throw CommandFailure.usage(
          "no manual page '\(visible(name))'; `pfctl help --man list` lists all pages")
      }
      for line in page.split(separator: "\n") { console.line(String(line)) }
      return
    }
    if words == [PhraseHelp.word] {
      return try PhraseHelp.show(
        arguments.choice("language", among: PhraseHelp.languages), of: catalogue, on: console)
    }
    guard !arguments.has("language") else {
      throw CommandFailure.usage("--language is for `pfctl help phrases`: all other help is in English")
    }
    if words.first == SchemaHelp.word {
      return try SchemaHelp.show(Array(words.dropFirst()), of: catalogue, on: console)
    }
    let descriptions = catalogue.descriptions
    if words.isEmpty {
      if console.isJSON { return try document(descriptions, on: console) }
      return showAll(catalogue, on: console)
    }
    if let topic = HelpTopic.all(catalogue).first(where: { words == [$0.name] }) {
      if console.isJSON { return try console.document("help-topic", TopicView(topic)) }
      return topic.show(on: console)
    }
    if let one = descriptions.first(where: { words.starts(with: $0.path) }) {
      if console.isJSON { return try document([one], on: console) }
      return show(one, on: console)
    }
    let noun = words.count == 1 ? catalogue.noun(named: words[0]) : nil
    let begun = descriptions.filter { $0.path.count > words.count && $0.path.starts(with: words) }
    let group =
      noun.map { catalogue.commands(of: $0) }
      ?? (begun.isEmpty ? descriptions.filter { $0.path.count > 1 && $0.path[0] == words[0] } : begun)
    guard !group.isEmpty else {
      let known = Set(descriptions.map { $0.path[0] } + catalogue.nouns.map(\.name) + HelpTopic.names).sorted()
      let hint = Suggestion.nearest(to: words[0], among: known).map { "did you mean '\($0)'?" } ?? "see `pfctl help`"
      throw CommandFailure.usage("no help for '\(visible(words[0]))'; \(hint)")
    }
    if console.isJSON { return try document(group, on: console) }
    list(group, on: console)
    if let noun {
      console.line()
      console.line("Help for one command: pfctl help \(group[0].name). All of it: man pfctl-\(noun.name).")
    }
  }

  /// The command list as a JSON document.
  package static func document(_ descriptions: [CommandDescription], on console: Console) throws {
    try console.document("help", CommandsView(commands: descriptions.map(CommandsView.CommandView.init)))
  }

  /// The JSON document of the command list.
  private struct CommandsView: Codable {
    let commands: [CommandView]

    /// A command in the JSON document.
    struct CommandView: Codable {
      let name: String
      let summary: String
      let usage: String
      let options: [OptionView]
      let details: [String]
      let examples: [String]

      init(_ description: CommandDescription) {
        name = description.name
        summary = description.summary
        usage = description.usage
        options = description.options.map(OptionView.init)
        details = description.details
        examples = description.examples
      }
    }

    /// An option in the JSON document.
    struct OptionView: Codable {
      let name: String
      let value: String?
      let summary: String
      let required: Bool

      init(_ option: CommandDescription.Option) {
        name = option.name
        value = option.value
        summary = option.summary
        required = option.isRequired
      }
    }
  }

  /// The JSON document of a help topic.
  private struct TopicView: Codable {
    let name: String
    let summary: String
    let introduction: String
    let entries: [EntryView]

    /// An entry of a help topic in the JSON document.
    struct EntryView: Codable {
      let term: String
      let meaning: String
    }

    init(_ topic: HelpTopic) {
      name = topic.name
      summary = topic.summary
      introduction = topic.introduction
      entries = topic.entries.map { EntryView(term: $0.0, meaning: $0.1) }
    }
  }

  private static func showAll(_ catalogue: CommandCatalogue, on console: Console) {
    console.line("pfctl schedules, inspects and explains the work of poolflowd.")
    console.line()
    console.line("Usage: pfctl [OPTION…] COMMAND …")
    let width = catalogue.descriptions.map(\.name.count).max() ?? 0
    for chapter in catalogue.chapters {
      console.line()
      console.line("\(chapter.title):")
      list(catalogue.commands(of: chapter), width: width, on: console)
    }
    console.line()
    console.line("Options, before or after the command:")
    options(CommandDescription.globalOptions, on: console)
    console.line()
    console.line(
      "Help for one command: pfctl help COMMAND. Also: pfctl help \(HelpTopic.names.joined(separator: ", ")).")
  }

  private static func list(_ descriptions: [CommandDescription], width: Int? = nil, on console: Console) {
    let width = width ?? descriptions.map(\.name.count).max() ?? 0
    for description in descriptions {
      let padding = String(repeating: " ", count: width - description.name.count + 2)
      console.line("  \(console.paint(description.name, .bold))\(padding)\(description.summary)")
    }
  }

  private static func show(_ description: CommandDescription, on console: Console) {
    console.line("Usage: \(description.usage)")
    console.line()
    console.line(description.summary.prefix(1).uppercased() + description.summary.dropFirst() + ".")
    // Join lines until one ends with a full stop: a sentence may span several lines of the description.
    let paragraphs = description.details.reduce(into: [String]()) { paragraphs, line in
      if let last = paragraphs.last, !last.hasSuffix(".") {
        paragraphs[paragraphs.count - 1] = last + " " + line
      } else {
        paragraphs.append(line)
      }
    }
    for line in paragraphs.flatMap({ TextFormat.wrapped($0, width: HelpText.width) }) { console.line(line) }
    if !description.options.isEmpty {
      console.line()
      console.line("Options:")
      options(description.options, on: console)
    }
    if !description.examples.isEmpty {
      console.line()
      console.line("Examples:")
      for example in description.examples { console.line("  \(example)") }
    }
  }

  private static func options(_ options: [CommandDescription.Option], on console: Console) {
    HelpText.columns(options.map { ($0.usage, $0.summary) }, on: console)
  }
}
