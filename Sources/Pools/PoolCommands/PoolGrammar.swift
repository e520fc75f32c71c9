import FlowCommandKit

extension GrammarPart {
  /// The words of the pools' commands.
  static let pools = GrammarPart(
    verbs: [
      .init(
        20,
        [
          .init("undo", "undo the last change, or one by its number"), .init("log", "record what was done"),
          .init("done", "record that it was done"),
        ]),
      .init(
        35,
        [
          .init("pause", "stop it until it is resumed, or on some days"), .init("skip", "leave it out once"),
        ]),
      .init(
        40,
        [
          .init("trend", "show its development over time"), .init("usage", "show what it has used"),
          .init("progress", "show how much is done"), .init("optimise", "compute the best order"),
          .init("solve", "compute the best order of a file's stops"), .init("compare", "compare several orders"),
          .init("apply", "use the computed order from now on"),
          .init("move", "change a position in the order, or a date"),
          .init("pin", "fix a position in the order"), .init("refresh", "compute again"),
        ]),
    ],
    options: [
      .init(20, [.init("pool", "POOL", "only this pool's")]),
      .init(35, [.init("reason", "TEXT", "the reason, stored with it")]),
      .init(40, [.init("place", "N", "a position in the day's order, from 1")]),
    ])
}
