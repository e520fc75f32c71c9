import FlowCommandKit

extension GrammarPart {
  /// The words of the stables' commands.
  static let stables = GrammarPart(
    verbs: [
      .init(
        60,
        [
          .init("board", "show which horses were fed and which were not"), .init("mark", "record that it is done"),
          .init("history", "show what was done on past days"), .init("save", "store it under a name"),
        ]),
      .init(80, [.init("due", "show what is due and what is overdue")]),
    ],
    options: [
      .init(60, [.init("date", "DATE", "the day, such as today, yesterday or 2026-03-02")])
    ])
}
