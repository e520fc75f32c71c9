extension InterfaceDescription {
  /// `org.poolflow.Water`, as the daemon serves it: what the data say: saturation indexes, profit, health, trends, and files of it.
  package static let water = InterfaceDescription(
    name: "org.poolflow.Water",
    text: """
      # What the data say: saturation indexes, profit, health, trends, and files of it.
      interface org.poolflow.Water

      # What one pool earned.
      type ProfitLineView (
        id: string, customer: string, fee: float, chemicals: float, profit: float, margin: float, loser: bool,
        red: bool
      )

      # What a team's pools earned; the totals are over all pools.
      type ProfitView (
        days: int, since: string, revenue: float, chemicals: float, profit: float, losers: int,
        pools: []ProfitLineView
      )

      # A pool that needs attention, and why.
      type PoolNameView (id: string, customer: string, detail: string)

      # What a team's data lack, whose water crossed a limit since yesterday, what is overdue or low.
      type HealthView (
        unlocated: []PoolNameView, unpriced: []PoolNameView, stale: []PoolNameView, crossed: []PoolNameView,
        overdue: []PoolNameView, low: []string
      )

      # One visit's pH and saturation index.
      type TrendPointView (at: string, local: string, ph: float, lsi: float)

      # How much of a chemical went into a pool.
      type ChemicalUseView (chemical: string, ounces: float, text: string, cost: float)

      # What one visit cost.
      type VisitCostView (at: string, local: string, cost: float)

      # What a pool's water has cost.
      type UsageView (
        customer: string, spent: float, visits: int, average: float, top: []ChemicalUseView, costs: []VisitCostView
      )

      # How far a refresh is.
      type RefreshView (row: int, pools: int, changed: int, crossed: int, total: int, done: bool)

      # Computes saturation indexes anew, a stretch of pools a call: call again with `row` until it is done.
      method Refresh(all: bool, row: int) -> (progress: RefreshView)

      # Profit over 30, 60 or 90 days.
      method Profit(team: string, days: int, sort: string, losers: bool) -> (report: ProfitView)

      # What needs attention.
      method Health(team: string) -> (health: HealthView)

      # The last fifteen visits of a pool, oldest first.
      method Trend(team: string, pool: string) -> (customer: string, points: []TrendPointView)

      # What a pool's water has cost.
      method Usage(team: string, pool: string) -> (usage: UsageView)

      # Lines of a CSV file of pools, visits or stock; more follow after `next`.
      method Export(team: string, table: string, after: ?string) -> (lines: []string, next: ?string)
      """)
}
