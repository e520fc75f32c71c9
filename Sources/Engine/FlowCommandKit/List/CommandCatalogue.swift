import FlowModel
package import FlowControl
package import FlowWork

/// All commands of `pfctl`, put together from its modules; help and the manual group them by `chapters`.
package struct CommandCatalogue: Sendable {
  package let commands: [any Command.Type]
  package let descriptions: [CommandDescription]
  package let chapters: [ManualNoun.Chapter]
  let grammar: Grammar
  /// Examples of records that may not exist: `team, run`.
  let recordNames: String
  let pages: [ManualPage]
  let overview: [Overview.Line]
  let spellings: SpellingVariants
  let otherTools: OtherToolWords
  let values: [ValueCompletion]
  /// The job kinds of the modules' trades.
  package let jobs: JobCatalogues
  package let trades: [CommandTrade]
  /// The lists that `pfctl export` writes.
  package let exports: [ExportedList]
  let nameSources: [String: NameSource]
  private let formats: [SchemaEntry]
  private let events: [SchemaEntry]
  /// The interfaces of the control protocol, with the errors that the daemon can return.
  package let interfaces: InterfaceCatalogue
  /// The first option of each name. The parser must know which options take a value before it knows the command.
  let optionsByName: [String: CommandDescription.Option]

  package init(_ modules: [CommandModule]) {
    commands = ListPart.joined(modules.flatMap(\.commands))
    trades = modules.compactMap(\.trade)
    let addedOptions = trades.flatMap(\.setup.addedOptions)
    let addedExamples = modules.reduce(into: [:]) { examples, module in
      examples.merge(module.examplesOfCommands, uniquingKeysWith: +)
    }
    descriptions = commands.map { $0.description.adding(addedOptions, examples: addedExamples) }
    let added = modules.reduce(into: [:]) { words, module in words.merge(module.wordsOfNouns, uniquingKeysWith: +) }
    chapters = ListPart.joined(modules.flatMap(\.chapters)).map { chapter in
      .init(title: chapter.title, nouns: chapter.nouns.map { $0.with(words: added[$0.name] ?? []) })
    }
    grammar = Grammar(modules.map(\.grammar))
    recordNames = modules.flatMap(\.recordNames).joined(separator: ", ")
    pages = modules.flatMap(\.pages)
    overview = ListPart.joined(modules.flatMap(\.overview))
    spellings = SpellingVariants(joining: modules.map(\.spellings))
    otherTools = OtherToolWords(joining: modules.map(\.otherTools))
    values = modules.flatMap(\.values)
    nameSources = Dictionary(modules.flatMap(\.names).map { ($0.kind, $0) }, uniquingKeysWith: { first, _ in first })
    exports = modules.flatMap(\.exports)
    jobs = JobCatalogues(
      trades.map { ($0.trade, $0.jobs) },
      ownKind: { word in modules.lazy.compactMap { $0.ownKind(word) }.first })
    formats = modules.flatMap(\.formats)
    let parts = modules.flatMap(\.eventParts)
    // Two trades may have a job of the same name, whose events have the same form.
    var jobs: Set<String> = []
    events = modules.flatMap(\.events).filter { jobs.insert($0.job).inserted }.map { $0.entry(parts) }
    interfaces = InterfaceCatalogue(modules.map(\.interfaces))
    let options = CommandDescription.globalOptions + descriptions.flatMap(\.options)
    optionsByName = Dictionary(options.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The command that the words begin with.
  package func command(of words: [String]) -> (any Command.Type)? {
    commands.first { words.starts(with: $0.description.path) }
  }

  /// The description of a command, with the options and examples that trades add to it.
  package func description(of command: any Command.Type) -> CommandDescription {
    let own = command.description
    return descriptions.first { $0.path == own.path } ?? own
  }

  // MARK: Trades

  /// The trade of a team whose trade is not named; nil if no module has it.
  package var standardTrade: CommandTrade? { trades.first(where: \.isStandard) }

  /// What the engine's commands need of a trade, by its name; nil if no module has it. Daemons before the second trade send no
  /// name.
  package func trade(named name: String?) -> CommandTrade? {
    guard let name else { return standardTrade }
    return trades.first { $0.trade.rawValue == name }
  }

  /// The trade of a team; the standard trade if a newer daemon sends one that no module has.
  package func trade(of team: TeamView) -> CommandTrade? { trade(named: team.trade) ?? standardTrade }

  // MARK: Nouns

  package var nouns: [ManualNoun] { chapters.flatMap(\.nouns) }

  /// The noun with that name, or the noun of the command that starts with `word`.
  package func noun(named word: String) -> ManualNoun? {
    nouns.first { $0.name == word } ?? nouns.first { $0.words.contains(word) }
  }

  /// The commands of a noun, sorted by the order of its words, then by the catalogue.
  package func commands(of noun: ManualNoun) -> [CommandDescription] {
    noun.words.flatMap { word in descriptions.filter { $0.path[0] == word } }
  }

  package func commands(of chapter: ManualNoun.Chapter) -> [CommandDescription] {
    chapter.nouns.flatMap { commands(of: $0) }
  }

  // MARK: JSON formats

  /// Every format, sorted by name.
  package var schemas: [SchemaEntry] {
    (SchemaEntry.documents(of: commands) + events + [.error] + formats).sorted { $0.name < $1.name }
  }

  /// Finds a format by its full name, or without its version or without the prefix `pfctl.`.
  package func schema(named word: String) -> SchemaEntry? {
    let all = schemas
    return all.first { $0.name == word } ?? all.first { $0.plainName == word || $0.plainName == "pfctl.\(word)" }
  }
}
