import FlowCommandKit

extension ManualNoun {
  fileprivate static let horse = ManualNoun(
    "horse", "the horses of a stable, for teams with trade stable", words: ["horse"],
    "A stable is a team made with --trade stable. A horse is named by its name in any case, by its id, of which tables "
      + "show eight characters, or by a unique beginning of either.")

  fileprivate static let feed = ManualNoun(
    "feed", "the feed board: what horses get, which feeds were given, which were missed", words: ["feed"],
    "A mark belongs to the local day on which it is made, and the first mark of a slot counts. At midnight the board of "
      + "the day is closed, and slots that are still open count as missed.")

  fileprivate static let care = ManualNoun(
    "care", "the care of horses: done, planned, due, and its cost", words: ["care"],
    "Kinds of care are vet, farrier, dental, vaccination, deworming, medication, injury and other. Costs are exact "
      + "decimals, rounded only for display.")

  fileprivate static let weather = ManualNoun(
    "weather", "weather forecasts from files, and blankets for horses", words: ["weather", "blanket"],
    "The daemon does not use the network: a timer or a person imports forecasts from files. Only the newest forecast is "
      + "used.")
}

extension [ListPart<ManualNoun.Chapter>] {
  /// The chapter of the stables' commands.
  static var stables: Self {
    [
      .init(
        30,
        [
          .init(title: "Stables", nouns: [.horse, .feed, .care, .weather])
        ])
    ]
  }
}
