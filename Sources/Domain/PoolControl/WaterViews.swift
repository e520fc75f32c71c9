// What org.poolflow.Water tells.

/// What one pool earned.
package struct ProfitLineView: Codable, Sendable {
  package let id: String
  package let customer: String
  package let fee: Double
  package let chemicals: Double
  package let profit: Double
  package let margin: Double
  package let loser: Bool
  package let red: Bool

  package init(
    id: String, customer: String, fee: Double, chemicals: Double, profit: Double, margin: Double, loser: Bool,
    red: Bool
  ) {
    self.id = id
    self.customer = customer
    self.fee = fee
    self.chemicals = chemicals
    self.profit = profit
    self.margin = margin
    self.loser = loser
    self.red = red
  }
}

/// What a team's pools earned; the totals are over all pools.
package struct ProfitView: Codable, Sendable {
  package let days: Int
  package let since: String
  package let revenue: Double
  package let chemicals: Double
  package let profit: Double
  package let losers: Int
  package internal(set) var pools: [ProfitLineView]

  package init(
    days: Int, since: String, revenue: Double, chemicals: Double, profit: Double, losers: Int, pools: [ProfitLineView]
  ) {
    self.days = days
    self.since = since
    self.revenue = revenue
    self.chemicals = chemicals
    self.profit = profit
    self.losers = losers
    self.pools = pools
  }
}

/// A pool that needs attention, and why.
package struct PoolNameView: Codable, Sendable {
  package let id: String
  package let customer: String
  package let detail: String

  package init(id: String, customer: String, detail: String) {
    self.id = id
    self.customer = customer
    self.detail = detail
  }
}

/// What a team's data lack, whose water crossed a limit since yesterday, what is overdue or low.
package struct HealthView: Codable, Sendable {
  package let unlocated: [PoolNameView]
  package let unpriced: [PoolNameView]
  package let stale: [PoolNameView]
  package let crossed: [PoolNameView]
  package let overdue: [PoolNameView]
  package let low: [String]

  package init(
    unlocated: [PoolNameView], unpriced: [PoolNameView], stale: [PoolNameView], crossed: [PoolNameView],
    overdue: [PoolNameView], low: [String]
  ) {
    self.unlocated = unlocated
    self.unpriced = unpriced
    self.stale = stale
    self.crossed = crossed
    self.overdue = overdue
    self.low = low
  }
}

/// One visit's pH and saturation index.
package struct TrendPointView: Codable, Sendable {
  package let at: String
  package let local: String
  package let ph: Double
  package let lsi: Double

  package init(at: String, local: String, ph: Double, lsi: Double) {
    self.at = at
    self.local = local
    self.ph = ph
    self.lsi = lsi
  }
}

/// How much of a chemical went into a pool.
package struct ChemicalUseView: Codable, Sendable {
  package let chemical: String
  package let ounces: Double
  package let text: String
  package let cost: Double

  package init(chemical: String, ounces: Double, text: String, cost: Double) {
    self.chemical = chemical
    self.ounces = ounces
    self.text = text
    self.cost = cost
  }
}

/// What one visit cost.
package struct VisitCostView: Codable, Sendable {
  package let at: String
  package let local: String
  package let cost: Double

  package init(at: String, local: String, cost: Double) {
    self.at = at
    self.local = local
    self.cost = cost
  }
}

/// What a pool's water has cost.
package struct UsageView: Codable, Sendable {
  package let customer: String
  package let spent: Double
  package let visits: Int
  package let average: Double
  package let top: [ChemicalUseView]
  package let costs: [VisitCostView]

  package init(
    customer: String, spent: Double, visits: Int, average: Double, top: [ChemicalUseView], costs: [VisitCostView]
  ) {
    self.customer = customer
    self.spent = spent
    self.visits = visits
    self.average = average
    self.top = top
    self.costs = costs
  }
}

/// How far a refresh is.
package struct RefreshView: Codable, Sendable {
  package let row: Int
  package let pools: Int
  package let changed: Int
  package let crossed: Int
  package let total: Int
  package let done: Bool

  package init(row: Int, pools: Int, changed: Int, crossed: Int, total: Int, done: Bool) {
    self.row = row
    self.pools = pools
    self.changed = changed
    self.crossed = crossed
    self.total = total
    self.done = done
  }
}
