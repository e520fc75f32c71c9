internal import FlowControl
internal import FlowModel
internal import FlowNotices

/// `pfctl help phrases`: prints all texts that people get in one language, each with an example, for review by a native
/// reader.
enum PhraseHelp {
  /// The topic's name in `pfctl help phrases`.
  static let word = "phrases"
  static let summary = "all texts for people in one language, each with an example"
  static let languages = Language.allCases.map(\.rawValue)

  /// The JSON document of the texts.
  struct Answer: Codable {
    /// The texts of one part of the program.
    struct Group: Codable {
      /// `engine`, or the name of a trade.
      let name: String
      let phrases: [Phrase]
    }

    /// A text and its example.
    struct Phrase: Codable {
      let name: String
      let text: String
      let example: String
    }

    let language: String
    let groups: [Group]
  }

  /// - Parameter language: its tag, such as `fr`.
  static func show(_ language: String, of catalogue: CommandCatalogue, on console: Console) throws {
    guard let language = Language(rawValue: language) else { return }
    let groups =
      [("engine", CommonPhrases.examples(in: language))]
      + catalogue.trades.map { ($0.trade.rawValue, $0.phrases(language)) }
    if console.isJSON {
      return try console.document(
        "help-phrases",
        Answer(
          language: language.rawValue,
          groups: groups.map { name, phrases in
            Answer.Group(
              name: name, phrases: phrases.map { Answer.Phrase(name: $0.name, text: $0.text, example: $0.example) })
          }))
    }
    if console.isPlain {
      var table = Table([.init("GROUP"), .init("NAME"), .init("TEXT"), .init("EXAMPLE")])
      for (name, phrases) in groups {
        for phrase in phrases { table.add([name, phrase.name, phrase.text, phrase.example].map { .init($0) }) }
      }
      return console.table(table)
    }
    for (index, group) in groups.enumerated() {
      if index > 0 { console.line() }
      console.line(console.paint(group.0, .bold))
      for phrase in group.1 {
        console.line("  \(console.paint(phrase.name, .dim))")
        console.line("    \(phrase.text)")
        if phrase.example != phrase.text { console.line("    = \(phrase.example)") }
      }
    }
    let others = languages.filter { $0 != language.rawValue }
    console.note(
      "\(groups.reduce(0) { $0 + $1.1.count }) texts in \(language.rawValue); --language \(TextFormat.list(others, "or")) "
        + "shows another language")
  }
}
