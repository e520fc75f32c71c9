package import PoolModel

/// What one pool earned over a billing period.
///
/// Source: PRODUCT.md, Profit; golden files `profit.json`, `analytics.json`. The monthly fee is not scaled to
/// longer periods, as written there.
package struct PoolProfit: Hashable, Sendable {
  package let poolID: PoolID
  package let customerName: String
  package let monthlyServiceFee: Double
  /// Of the period's visits.
  package let totalChemicalCost: Double

  package init(poolID: PoolID, customerName: String, monthlyServiceFee: Double, totalChemicalCost: Double) {
    self.poolID = poolID
    self.customerName = customerName
    self.monthlyServiceFee = monthlyServiceFee
    self.totalChemicalCost = totalChemicalCost
  }

  /// - Parameter start: where the period begins, inclusive: `now` less 30, 60 or 90 calendar days at the same local time.
  package init(pool: Pool, visits: [ServiceEvent], since start: Timestamp) {
    self.init(
      poolID: pool.id, customerName: pool.customerName, monthlyServiceFee: pool.monthlyServiceFee,
      totalChemicalCost: finite(visits.reduce(0) { $1.timestamp >= start ? $0 + $1.totalChemicalCost : $0 }))
  }

  package var profit: Double { finite(monthlyServiceFee - totalChemicalCost) }

  /// The fee less the chemicals, as both are shown.
  package var shownProfit: Double { shownDifference(monthlyServiceFee, totalChemicalCost, places: 2) }

  /// It cost more than it brought.
  package var isInTheRed: Bool { profit < 0 }

  /// Profit by fee; -1 where there is no fee. Example: fee 120, chemicals 39.23 give 0.673.
  package var marginRatio: Double { monthlyServiceFee > 0 ? finite(profit / monthlyServiceFee) : -1 }

  /// Chemicals eat more than this share of the fee: a money loser.
  package static let loserShare = 0.30

  /// A pool without a fee is no loser: data health names it instead.
  package var isMoneyLoser: Bool {
    monthlyServiceFee > 0 && totalChemicalCost > monthlyServiceFee * Self.loserShare
  }
}

/// How a list of pools is ordered; ties by customer in any case, then by id.
package enum ProfitOrder: String, Hashable, Sendable, CaseIterable, Codable {
  /// Losers before the others, each by profit from the lowest.
  case moneyLosersFirst
  case worstMarginFirst
  case highestChemSpend
  case alphabetical
}

/// What a team's pools earned over a billing period.
package struct ProfitReport: Hashable, Sendable {
  /// Sorted, and filtered where only losers were asked for.
  package let pools: [PoolProfit]
  /// The totals are over all pools, shown or not.
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

  /// What decides an order, computed once a pool.
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
