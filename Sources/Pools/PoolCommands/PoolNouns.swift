import FlowCommandKit

extension ManualNoun {
  fileprivate static let pool = ManualNoun(
    "pool", "pools: customer, address, dates of service, water, equipment and cost",
    words: ["pool", "service"],
    "A pool is named by its customer's name, by its id, of which tables show eight characters, or by a unique beginning "
      + "of either (of an id at least four characters).")

  fileprivate static let stop = ManualNoun(
    "stop", "single stops: moved to another date, skipped, or served by another technician",
    words: ["stop", "day", "cover"],
    "A stop is a pool on one of its dates of service. pfctl day changes all stops of a date, and pfctl cover gives those of "
      + "one technician to others; pfctl stop undo undoes what one command changed.")

  fileprivate static let visit = ManualNoun(
    "visit", "visits: readings, doses and photos, logged and corrected", words: ["visit"],
    "A visit takes the poured chemicals from the stock, and returns them if it is edited, undone or removed. A refused "
      + "input changes nothing.")

  fileprivate static let water = ManualNoun(
    "water", "the saturation index of water, and the chemicals to pour", words: ["lsi", "dose"],
    "lsi and dose take readings from the command line and need no daemon. Each night the index of every pool whose "
      + "readings changed is computed; the morning summary and pfctl health list the pools that crossed a limit.")

  fileprivate static let inventory = ManualNoun(
    "inventory", "the chemicals that a team has in stock", words: ["inventory"],
    "Amounts may name their unit (12oz, 2lb 3oz, 900g, 2.5L). A number without a unit is in ounces; for a metric team in "
      + "millilitres for liquids, else in grams.")

  fileprivate static let equipment = ManualNoun(
    "equipment", "the machines at a pool, and the work that comes back there", words: ["equipment", "work"],
    "The morning summary shows overdue service, and recurring work that is due, at the pool's stop. `pfctl visit log --done` "
      + "records that it was done and moves its next date.")

  fileprivate static let weather = ManualNoun(
    "weather", "weather forecasts from files", words: ["weather"],
    "The daemon does not use the network: a timer or a person imports forecasts from files. Only the newest forecast is "
      + "used.")

  fileprivate static let route = ManualNoun(
    "route", "the order of a day's stops, and better orders", words: ["route"],
    "The morning summary uses the order that was set. Every night a better one is computed; it is proposed with the time "
      + "it saves, or applied if the team has route-order=best. Pinned and moved stops keep their positions.")
}

extension [ListPart<ManualNoun.Chapter>] {
  /// The chapters of the pools' commands.
  static var pools: Self {
    [
      .init(
        20,
        [
          .init(title: "Pools and visits", nouns: [.pool, .stop, .visit]),
          .init(title: "Water, stock and equipment", nouns: [.water, .inventory, .equipment, .weather]),
        ]),
      .init(
        40,
        [
          .init(title: "Routes", nouns: [.route])
        ]),
    ]
  }
}
