import FlowStore
package import FlowWork
import TradeStores

extension JobCatalogues {
  /// The job kinds of all trades.
  package static var all: JobCatalogues { StoreTrades.all.jobs }
}
