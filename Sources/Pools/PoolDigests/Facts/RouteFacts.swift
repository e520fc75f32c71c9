package import FlowModel
import FlowNotices
package import PoolModel

/// The result of the nightly route planning for one technician's day.
package struct PlannedRoute: Hashable, Sendable {
  /// The stops in the order for which `figures` were computed.
  package let order: [PoolID]
  package let figures: RouteFigures
  package let bestFigures: RouteFigures

  package init(order: [PoolID], figures: RouteFigures, bestFigures: RouteFigures) {
    self.order = order
    self.figures = figures
    self.bestFigures = bestFigures
  }
}

/// The route listed in a morning digest. For a comparison with a later day it also has the present weekdays of its pools.
package struct SentRoute: Hashable, Sendable {
  /// One stop of the route, with the names that the digest listed. The store keeps them, because a pool may be renamed, moved
  /// or removed before the next comparison.
  package struct Stop: Hashable, Sendable {
    package let poolID: PoolID
    package let customer: String
    package let technician: String

    package init(poolID: PoolID, customer: String, technician: String) {
      self.poolID = poolID
      self.customer = customer
      self.technician = technician
    }
  }

  /// The date of the digest, such as `2026-02-23`.
  package let date: CivilDate
  /// The stops of all sections, in route order within each.
  package let stops: [Stop]
  /// The present weekdays of the pools that the team still has; empty when the route is recorded.
  package let currentDays: [PoolID: Weekday]

  package init(date: CivilDate, stops: [Stop], currentDays: [PoolID: Weekday] = [:]) {
    self.date = date
    self.stops = stops
    self.currentDays = currentDays
  }
}

/// The facts about all of a team's pools for the weekly digest.
package struct WeekFacts: Sendable {
  /// One pool.
  package struct Line: Sendable {
    package let poolID: PoolID
    package let customer: String
    package let technicianID: TechnicianID
    package let monthlyFee: Double
    package let hasCoordinates: Bool
    /// The chemical cost of the visits in the period.
    package let chemicalCost: Double
    package let care: StopCare

    package init(
      poolID: PoolID, customer: String, technicianID: TechnicianID, monthlyFee: Double, hasCoordinates: Bool,
      chemicalCost: Double, care: StopCare
    ) {
      self.poolID = poolID
      self.customer = customer
      self.technicianID = technicianID
      self.monthlyFee = monthlyFee
      self.hasCoordinates = hasCoordinates
      self.chemicalCost = chemicalCost
      self.care = care
    }
  }

  package let pools: [Line]
  package let periodDays: Int
  /// Visits and chemical use of the week that ends with the digest's day.
  package let week: PeriodFacts

  package init(pools: [Line], periodDays: Int, week: PeriodFacts) {
    self.pools = pools
    self.periodDays = periodDays
    self.week = week
  }
}
