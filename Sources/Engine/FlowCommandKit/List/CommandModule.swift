package import FlowControl
package import FlowWork

/// Everything that a module adds to `pfctl`: its commands, and the parts of help, manual, completion and schemas about them.
///
/// To add a command, write its type in a file of its own and name it in `commands` of its module. The modules are put together
/// in a `CommandCatalogue`.
package struct CommandModule: Sendable {
  package let commands: [ListPart<any Command.Type>]
  package let chapters: [ListPart<ManualNoun.Chapter>]
  /// Additional first words of commands on the page of another module's noun, by the noun's name.
  package var wordsOfNouns: [String: [String]] = [:]
  /// Additional examples of commands of the engine, by the command's name; they follow the engine's examples.
  package var examplesOfCommands: [String: [String]] = [:]
  /// Pages of the manual about something else than commands.
  package var pages: [ManualPage] = []
  package var overview: [ListPart<Overview.Line>] = []
  package var grammar = GrammarPart()
  /// Examples of records that may not exist, for the meaning of the exit code.
  package var recordNames: [String] = []
  package var spellings = SpellingVariants()
  package var otherTools = OtherToolWords()
  package var values: [ValueCompletion] = []
  package var names: [NameSource] = []
  /// JSON formats that no command writes.
  package var formats: [SchemaEntry] = []
  package var events: [EventSchema] = []
  /// Optional fields that the data of every event may have.
  package var eventParts: [SchemaEntry.Part] = []
  /// The interfaces of the control protocol whose calls the commands make.
  package var interfaces: [InterfaceDescription] = []

  /// The trade of the commands; nil for the engine's commands.
  package var trade: CommandTrade?
  /// The lists that `pfctl export` writes.
  package var exports: [ExportedList] = []
  /// The kind of a job that a team made itself, by its raw value; nil for other names.
  package var ownKind: @Sendable (String) -> JobKind? = { _ in nil }

  package init(commands: [ListPart<any Command.Type>], chapters: [ListPart<ManualNoun.Chapter>]) {
    (self.commands, self.chapters) = (commands, chapters)
  }
}
