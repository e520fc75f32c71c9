package import FlowModel
package import PoolModel

/// Revenue and chemical cost of one pool over a billing period.
///
/// Source: product.md, Profit; golden files `profit.json`, `analytics.json`. As specified there, the monthly fee is not scaled
/// to longer periods.
package struct PoolProfit: Hashable, Sendable {
  package let poolID: PoolID
  package let customerName: String
  package let monthlyServiceFee: Double
  /// Total cost of chemicals at the visits of the period.
  package let totalChemicalCost: Double

  package init(poolID: PoolID, customerName: String, monthlyServiceFee: Double, totalChemicalCost: Double) {
    self.poolID = poolID
    self.customerName = customerName
    self.monthlyServiceFee = monthlyServiceFee
    self.totalChemicalCost = totalChemicalCost
  }

  /// - Parameter start: start of the period (inclusive): 30, 60 or 90 calendar days before now at the same local time.
  package init(pool: Pool, visits: [ServiceEvent], since start: Timestamp) {
    self.init(
      poolID: pool.id, customerName: pool.customerName, monthlyServiceFee: pool.monthlyServiceFee,
      totalChemicalCost: finite(visits.reduce(0) { $1.timestamp >= start ? $0 + $1.totalChemicalCost : $0 }))
  }

  package var profit: Double { finite(monthlyServiceFee - totalChemicalCost) }

  /// Fee minus chemical cost, both rounded as displayed.
  package var shownProfit: Double { roundedDifference(monthlyServiceFee, totalChemicalCost, places: 2) }

  /// True if the chemicals cost more than the fee.
  package var isInTheRed: Bool { profit < 0 }

  /// Profit divided by fee; -1 if there is no fee. Example: fee 120 and chemicals 39.23 give 0.673.
  package var marginRatio: Double { monthlyServiceFee > 0 ? finite(profit / monthlyServiceFee) : -1 }

  /// Part of the fee above which chemical costs make the pool a money loser.
  package static let loserShare = 0.30

  /// True if chemicals cost more than `loserShare` of the fee; false without a fee, which `DataHealth` reports instead.
  package var isMoneyLoser: Bool {
    monthlyServiceFee > 0 && totalChemicalCost > monthlyServiceFee * Self.loserShare
  }
}

/// Sort order for a list of pools; ties go by customer name (case-insensitive), then by id.
package enum ProfitOrder: String, Hashable, Sendable, CaseIterable, Codable {
  /// Money losers first; within both groups by ascending profit.
  case moneyLosersFirst
  case worstMarginFirst
  case highestChemSpend
  case alphabetical
}

/// Revenue and chemical costs of a team's pools over a billing period.
package struct ProfitReport: Hashable, Sendable {
  /// Sorted, and limited to money losers if requested.
  package let pools: [PoolProfit]
  /// Total over all pools, listed or not; likewise for `totalChemicalCost` and `moneyLoserCount`.
  package let totalRevenue: Double
  package let totalChemicalCost: Double
  package let moneyLoserCount: Int

  package var totalProfit: Double { finite(totalRevenue - totalChemicalCost) }

  package init(_ all: [PoolProfit], order: ProfitOrder, onlyMoneyLosers: Bool) {
    totalRevenue = finite(all.reduce(0) { $0 + $1.monthlyServiceFee })
    totalChemicalCost = finite(all.reduce(0) { $0 + $1.totalChemicalCost })
    moneyLoserCount = all.count(where: \.isMoneyLoser)
    pools = (onlyMoneyLosers ? all.filter(\.isMoneyLoser) : all)
      .map { (key: Key($0, order), pool: $0) }.sorted { $0.key < $1.key }.map(\.pool)
  }

  /// Sort key, computed once per pool.
  private struct Key: Comparable {
    let group: Int
    let number: Double
    let name: String
    let id: PoolID

    init(_ pool: PoolProfit, _ order: ProfitOrder) {
      switch order {
      case .moneyLosersFirst:
        group = pool.isMoneyLoser ? 0 : 1
        number = pool.profit
      case .worstMarginFirst:
        group = 0
        number = pool.marginRatio
      case .highestChemSpend:
        group = 0
        number = -pool.totalChemicalCost
      case .alphabetical:
        group = 0
        number = 0
      }
      name = pool.customerName.lowercased()
      id = pool.poolID
    }

    static func < (left: Key, right: Key) -> Bool {
      (left.group, left.number, left.name, left.id) < (right.group, right.number, right.name, right.id)
    }
  }
}
