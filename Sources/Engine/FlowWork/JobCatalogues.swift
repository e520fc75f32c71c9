package import FlowModel

/// The job kinds of all trades.
package struct JobCatalogues: Sendable {
  /// The trades, in the order of their registration.
  package let trades: [Trade]
  /// The kinds and subscriptions of all trades without duplicates, for names given without a trade.
  package let every: JobCatalogue
  private let byTrade: [Trade: JobCatalogue]
  private let ownKind: @Sendable (String) -> JobKind?

  /// - Parameters:
  ///   - byTrade: the kinds of each trade; a team of the trade has a job of every team kind. A trade occurs once.
  ///   - ownKind: the kind of a job that a team made itself, by its raw value; nil for other names.
  package init(
    _ byTrade: [(trade: Trade, jobs: JobCatalogue)], ownKind: @escaping @Sendable (String) -> JobKind?
  ) {
    trades = byTrade.map(\.trade)
    self.byTrade = Dictionary(uniqueKeysWithValues: byTrade.map { ($0.trade, $0.jobs) })
    self.ownKind = ownKind
    every = JobCatalogue(
      ofTeam: Self.withoutDuplicates(byTrade.flatMap(\.jobs.ofTeam)),
      ofServer: Self.withoutDuplicates(byTrade.flatMap(\.jobs.ofServer)),
      subscriptions: Self.withoutDuplicates(byTrade.flatMap(\.jobs.ownSubscriptions)))
  }

  private static func withoutDuplicates<Value: Equatable>(_ values: [Value]) -> [Value] {
    values.reduce(into: []) { found, value in
      if !found.contains(value) { found.append(value) }
    }
  }

  /// The job kinds of one trade; none for a trade that is not registered.
  package func of(_ trade: Trade) -> JobCatalogue { byTrade[trade] ?? JobCatalogue(ofTeam: [], ofServer: []) }

  /// The kind with this raw value in any trade, or of a job that a team made itself; nil if there is none.
  package func kind(named word: String) -> JobKind? { every.kind(named: word) ?? ownKind(word) }
}
