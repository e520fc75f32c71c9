import FlowModel
package import FlowStore
import PoolStore
import StableStore  // Stables

extension Schema {
  package static var currentVersion: Int { migrations.count }

  package static var migrations: [String] { StoreTrades.all.migrations }
}

extension StoreTrades {
  /// The tables of the daemon's trades, for tests below the daemon; a test of the daemon compares them with its list.
  package static let all = StoreTrades(
    [
      PoolTables(),
      StableTables(),  // Stables
    ], ownJobs: ReminderJobs())
}
