package import FlowBackup
package import FlowCalendar
import FlowModel
package import FlowPlatform
package import FlowStore
package import FlowWork
import PoolBackup
import StableBackup  // Stables
import TradeStores

extension BackupTrades {
  /// All trades, with their archives and tables.
  package static let all = BackupTrades(
    stores: .all,
    archives: [
      PoolArchives(),
      StableArchives(),  // Stables
    ])
}

// Backups and restores with all trades.

extension BackupKeeper {
  package init(
    store: any Backups & Teams & TeamFailures & ClockLog, source: BackupMaker.Source, folder: BackupFolder,
    zones: any ZoneSource, clock: any WallClock
  ) {
    self.init(store: store, source: source, folder: folder, zones: zones, clock: clock, trades: .all)
  }
}

extension BackupMaker {
  package init(source: Source, folder: BackupFolder, zones: any ZoneSource) {
    self.init(source: source, folder: folder, zones: zones, trades: .all)
  }
}

extension BackupVerifier {
  package init(folder: BackupFolder) { self.init(folder: folder, trades: .all) }
}

extension StoreRecovery {
  package init(state: String) { self.init(state: state, trades: .all) }
}
