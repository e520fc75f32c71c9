import FlowModel
package import FlowStore
import FlowWork
import PoolStore
import StableStore  // Stables

extension Schema {
  package static var currentVersion: Int { migrations.count }

  /// The database schema as a list of migrations, in the order of their release. A released migration never changes; new ones
  /// are appended. A build without a trade has the same versions, without that trade's tables.
  package static let migrations: [String] = [
    [server, teams, records, water, routes, jobs, ledger, delivery].joined(separator: "\n"),
    timings,
    daysOff,
    daysWork,
    people,
    receipts,
    [
      trades,
      stables,  // Stables
    ].joined(separator: "\n"),
    runsBySlot,
    visitUndos,
    measuredReadings,
    defaultVolume,
    bothUnits,
  ]
}

extension StoreTrades {
  /// All trades, with their tables in one schema.
  package static let all = StoreTrades(
    [
      PoolTables(),
      StableTables(),  // Stables
    ], ownJobs: ReminderJobs(), migrations: Schema.migrations)
}
