package import FlowModel
package import FlowWork

/// Everything that the store needs from the trades. The list of trades makes the one value, which is passed in when a store is
/// opened.
///
/// Nothing can be left out: the initialiser has no default values, and the list finds each trade's store in a `switch` over
/// all trades.
package struct StoreTrades: Sendable {
  /// The tables of a trade.
  let store: @Sendable (Trade) -> any TradeStore
  let ownJobs: any OwnJobStore
  /// The job kind with this name in the ledger; nil for an unknown name.
  let kind: @Sendable (String) -> JobKind?
  /// The schema's migrations. A released migration never changes; new ones are appended.
  package let migrations: [String]
  /// All tables that decisions read.
  package let factTables: Set<Substring>

  package init(
    store: @escaping @Sendable (Trade) -> any TradeStore, ownJobs: any OwnJobStore,
    kind: @escaping @Sendable (String) -> JobKind?, migrations: [String]
  ) {
    self.store = store
    self.ownJobs = ownJobs
    self.kind = kind
    self.migrations = migrations
    factTables = Trade.allCases.reduce(FactChanges.tables) { $0.union(store($1).factTables) }
  }

  private init(_ other: StoreTrades, migrations: [String]) {
    store = other.store
    ownJobs = other.ownJobs
    kind = other.kind
    factTables = other.factTables
    self.migrations = migrations
  }

  /// The same trades with other migrations, for tests that simulate another release.
  package func with(migrations: [String]) -> StoreTrades { StoreTrades(self, migrations: migrations) }

  /// True if other decisions of the day read the record.
  func affectsOtherDecisions(_ record: any TradeRecord) -> Bool {
    Trade.allCases.contains { store($0).affectsOthers(record) }
  }
}

extension Connection {
  /// Stores a record of a trade, in the transaction that writes its run.
  package func keep(
    _ record: any TradeRecord, of team: TeamID, run: ClaimedRun, deletionTime: Timestamp
  ) throws(StoreError) {
    for trade in Trade.allCases
    where try trades.store(trade).keepOwn(record, of: team, run: run, deletionTime: deletionTime, on: self) { return }
    throw .failed(operation: "keep a record", code: 0, reason: "no trade stores \(type(of: record))")
  }

  /// The number of a team's records by table, as its trade counts them; empty if the team no longer exists.
  package func recordCounts(of team: TeamID) throws(StoreError) -> [String: Int] {
    guard let trade = try self.team(team)?.trade else { return [:] }
    return try trades.store(trade).recordCounts(of: team, on: self)
  }
}

extension Statement {
  /// A kind of job by its name.
  ///
  /// - Throws: `StoreError.damaged` for an unknown name.
  func kind(_ name: StaticString, table: String) throws(StoreError) -> JobKind {
    guard let kind = trades.kind(text(name)) else {
      throw .damaged(table: table, column: "\(name)", value: text(name))
    }
    return kind
  }
}
