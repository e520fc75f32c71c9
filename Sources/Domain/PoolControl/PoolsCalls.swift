// The calls of org.poolflow.Pools.

package enum PoolsCall {
  /// The pools of a team, by day and route order.
  package struct List: ControlMethod {
    package static let method = "org.poolflow.Pools.List"

    package let team: String
    package let technician: String?
    /// A weekday such as `Mon` or `monday`.
    package let day: String?

    package init(team: String, technician: String? = nil, day: String? = nil) {
      self.team = team
      self.technician = technician
      self.day = day
    }

    package struct Reply: Codable, Sendable {
      /// How the team measures: `imperial` or `metric`.
      package let units: String
      package internal(set) var pools: [PoolView]

      package init(units: String, pools: [PoolView]) {
        self.units = units
        self.pools = pools
      }
    }
  }

  /// One pool, by id or by the beginning of its customer's name; phone, e-mail, gate and notes only with `reveal`.
  package struct Show: ControlMethod {
    package static let method = "org.poolflow.Pools.Show"

    package let team: String
    package let pool: String
    package let reveal: Bool

    package init(team: String, pool: String, reveal: Bool) {
      self.team = team
      self.pool = pool
      self.reveal = reveal
    }

    package struct Reply: Codable, Sendable {
      package let details: PoolDetailsView

      package init(details: PoolDetailsView) {
        self.details = details
      }
    }
  }
}
