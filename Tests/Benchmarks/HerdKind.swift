/// The kinds of teams in the benchmark, and concurrent work.
enum HerdKind {
  /// The morning's route as an event and a page, to the default sinks.
  case mornings
  /// Like `mornings`, with a personal notice for each technician to a sink that accepts them.
  case people
  /// Like `mornings`, during a backup, an import and the nightly route plan.
  case beside
  /// Low stock, which has no page; teams without visits, so that a hundred thousand fit on a disk.
  case withoutPages
  /// Barns of twenty horses.
  case barns

  var counts: [Int] {
    switch self {
    case .mornings: [100, 1_000, 10_000]
    case .people, .beside, .barns: [1_000]
    case .withoutPages: [100_000]
    }
  }
}
