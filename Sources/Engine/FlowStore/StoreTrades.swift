package import FlowModel
package import FlowWork

/// Everything that the store needs from the trades. The list of trades makes the one value, which is passed in when a store is
/// opened.
///
/// Nothing can be left out: the initialiser has no default values, and each trade gives its tables and its job kinds together.
package struct StoreTrades: Sendable {
  /// The tables of each trade, in the order of their registration.
  let stores: [any TradeStore]
  let ownJobs: any OwnJobStore
  /// The job kinds of all trades.
  package let jobs: JobCatalogues
  /// The schema's migrations. A released migration never changes; new ones are appended.
  package let migrations: [String]
  /// The version of the schema that all migrations make.
  package var schemaVersion: Int { migrations.count }
  /// All tables that decisions read.
  package let factTables: Set<Substring>

  package init(
    _ stores: [any TradeStore], ownJobs: any OwnJobStore, migrations: [String]
  ) {
    self.stores = stores
    self.ownJobs = ownJobs
    jobs = JobCatalogues(stores.map { ($0.trade, $0.jobs) }, ownKind: { ownJobs.kind(named: $0) })
    self.migrations = migrations
    factTables = stores.reduce(FactChanges.tables) { $0.union($1.factTables) }
  }

  /// The tables of all teams' records.
  package var recordTables: [String] { stores.flatMap(\.recordTables) }

  /// The kinds of records that may have a photo.
  package var photoOwners: [Connection.PhotoOwner] { stores.map(\.photoOwner) }

  private init(_ other: StoreTrades, migrations: [String]) {
    stores = other.stores
    ownJobs = other.ownJobs
    jobs = other.jobs
    factTables = other.factTables
    self.migrations = migrations
  }

  /// The same trades with other migrations, for tests that simulate another release.
  package func with(migrations: [String]) -> StoreTrades { StoreTrades(self, migrations: migrations) }

  /// Writes a record for the same process, with its trade.
  ///
  /// - Returns: false if it cannot be prefetched; the fields are then of no use.
  package func write(_ record: any TradeRecord, to fields: inout ByteFields) -> Bool {
    guard let index = stores.firstIndex(where: { $0.owns(record) }) else { return false }
    fields.put(index)
    return record.write(to: &fields)
  }

  /// Reads what `write` wrote; nil for other bytes.
  package func record(from fields: inout ByteFields) -> (any TradeRecord)? {
    guard let index = fields.number(), stores.indices.contains(index) else { return nil }
    return stores[index].record(from: &fields)
  }

  /// True if other decisions of the day read the record.
  func affectsOtherDecisions(_ record: any TradeRecord) -> Bool {
    stores.contains { $0.affectsOthers(record) }
  }
}

extension Connection {
  /// Stores a record of a trade, in the transaction that writes its run.
  package func keep(
    _ record: any TradeRecord, of team: TeamID, run: ClaimedRun, deletionTime: Timestamp
  ) throws(StoreError) {
    for tables in trades.stores
    where try tables.keepOwn(record, of: team, run: run, deletionTime: deletionTime, on: self) { return }
    throw .failed(operation: "keep a record", code: 0, reason: "no trade stores \(type(of: record))")
  }

  /// The number of a team's records by table, as its trade counts them; empty if the team no longer exists.
  package func recordCounts(of team: TeamID) throws(StoreError) -> [String: Int] {
    guard let trade = try self.team(team)?.trade else { return [:] }
    return try trades.stores.first { $0.trade == trade }?.recordCounts(of: team, on: self) ?? [:]
  }
}

extension Statement {
  /// A team's trade by its name.
  ///
  /// - Throws: `StoreError.damaged` for the name of a trade that is not registered.
  func trade(_ name: StaticString, table: String) throws(StoreError) -> Trade {
    let trade = Trade(rawValue: text(name))
    guard trades.stores.contains(where: { $0.trade == trade }) else {
      throw .damaged(table: table, column: "\(name)", value: trade.rawValue)
    }
    return trade
  }

  /// A kind of job by its name.
  ///
  /// - Throws: `StoreError.damaged` for an unknown name.
  func kind(_ name: StaticString, table: String) throws(StoreError) -> JobKind {
    guard let kind = trades.jobs.kind(named: text(name)) else {
      throw .damaged(table: table, column: "\(name)", value: text(name))
    }
    return kind
  }
}
