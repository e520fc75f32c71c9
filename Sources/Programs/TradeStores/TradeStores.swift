import FlowModel
package import FlowStore
import FlowWork
import PoolStore
import StableStore

extension Schema {
  package static var currentVersion: Int { migrations.count }

  /// The database schema as a list of migrations, in the order of their release. A released migration never changes; new ones
  /// are appended.
  package static let migrations: [String] = [
    [server, teams, records, water, routes, jobs, ledger, delivery].joined(separator: "\n"),
    timings,
    daysOff,
    daysWork,
    people,
    receipts,
    stables,
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
    [PoolTables(), StableTables()], ownJobs: ReminderJobs(), migrations: Schema.migrations)
}
