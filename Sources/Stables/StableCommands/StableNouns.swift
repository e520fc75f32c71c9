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

  fileprivate static let blanket = ManualNoun(
    "blanket", "blankets for horses, by the weather forecast", words: ["blanket"],
    "The advice is based on the newest forecast, which `pfctl weather import` imports.")
}

extension [ListPart<ManualNoun.Chapter>] {
  /// The chapter of the stables' commands.
  static var stables: Self {
    [
      .init(
        30,
        [
          .init(title: "Stables", nouns: [.horse, .feed, .care, .blanket])
        ])
    ]
  }
}
