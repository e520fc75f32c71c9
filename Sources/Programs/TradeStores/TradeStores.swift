import FlowModel
package import FlowStore
import FlowWork
import PoolStore
import StableStore
import Trades

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
    store: { trade in
      switch trade {
      case .poolService: PoolTables()
      case .stable: StableTables()
      }
    }, ownJobs: ReminderJobs(), kind: { JobKind(rawValue: $0) }, migrations: Schema.migrations)
}
