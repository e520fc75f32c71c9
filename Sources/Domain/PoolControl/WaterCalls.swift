// The calls of org.poolflow.Water.

package enum WaterCall {
  /// Computes saturation indexes anew, a stretch of pools a call: call again with `row` until it is done.
  package struct Refresh: ControlMethod {
    package static let method = "org.poolflow.Water.Refresh"
    package static let work = CallWork.long
    package static let changes = true

    package let all: Bool
    package let row: Int

    package init(all: Bool, row: Int) {
      self.all = all
      self.row = row
    }

    package struct Reply: Codable, Sendable {
      package let progress: RefreshView

      package init(progress: RefreshView) {
        self.progress = progress
      }
    }
  }

  /// Profit over 30, 60 or 90 days.
  package struct Profit: ControlMethod {
    package static let method = "org.poolflow.Water.Profit"

    package let team: String
    package let days: Int
    package let sort: String
    package let losers: Bool

    package init(team: String, days: Int, sort: String, losers: Bool) {
      self.team = team
      self.days = days
      self.sort = sort
      self.losers = losers
    }

    package struct Reply: Codable, Sendable {
      package internal(set) var report: ProfitView

      package init(report: ProfitView) {
        self.report = report
      }
    }
  }

  /// What needs attention.
  package struct Health: ControlMethod {
    package static let method = "org.poolflow.Water.Health"
    package static let answersAtLength = true

    package let team: String

    package init(team: String) {
      self.team = team
    }

    package struct Reply: Codable, Sendable {
      package let health: HealthView

      package init(health: HealthView) {
        self.health = health
      }
    }
  }

  /// The last fifteen visits of a pool, oldest first.
  package struct Trend: ControlMethod {
    package static let method = "org.poolflow.Water.Trend"

    package let team: String
    package let pool: String

    package init(team: String, pool: String) {
      self.team = team
      self.pool = pool
    }

    package struct Reply: Codable, Sendable {
      package let customer: String
      package let points: [TrendPointView]

      package init(customer: String, points: [TrendPointView]) {
        self.customer = customer
        self.points = points
      }
    }
  }

  /// What a pool's water has cost.
  package struct Usage: ControlMethod {
    package static let method = "org.poolflow.Water.Usage"

    package let team: String
    package let pool: String

    package init(team: String, pool: String) {
      self.team = team
      self.pool = pool
    }

    package struct Reply: Codable, Sendable {
      package let usage: UsageView

      package init(usage: UsageView) {
        self.usage = usage
      }
    }
  }

  /// Lines of a CSV file of pools, visits or stock; more follow after `next`.
  package struct Export: ControlMethod {
    package static let method = "org.poolflow.Water.Export"
    package static let answersAtLength = true

    package let team: String
    package let table: String
    package let after: String?

    package init(team: String, table: String, after: String? = nil) {
      self.team = team
      self.table = table
      self.after = after
    }

    package struct Reply: Codable, Sendable {
      package let lines: [String]
      package let next: String?

      package init(lines: [String], next: String? = nil) {
        self.lines = lines
        self.next = next
      }
    }
  }
}
