package import PoolModel
import PoolNotices

/// What a night worked out of a technician's day.
package struct PlannedRoute: Hashable, Sendable {
  /// The stops in the order that it was worked out for.
  package let order: [PoolID]
  package let figures: RouteFigures
  package let bestFigures: RouteFigures

  package init(order: [PoolID], figures: RouteFigures, bestFigures: RouteFigures) {
    self.order = order
    self.figures = figures
    self.bestFigures = bestFigures
  }
}

/// What a morning digest told of its route, and, once it is compared with another day's, where those pools are by then.
package struct ToldRoute: Hashable, Sendable {
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

  /// `2026-02-23`: the day it was about.
  package let date: CivilDate
  /// Section by section, each in its order.
  package let stops: [Stop]
  /// The days of pools that were on it and still are the team's; none while it is being told.
  package let daysNow: [PoolID: Weekday]

  package init(date: CivilDate, stops: [Stop], daysNow: [PoolID: Weekday] = [:]) {
    self.date = date
    self.stops = stops
    self.daysNow = daysNow
  }
}

/// All of a team's pools, as the week's digest looks at them.
package struct WeekFacts: Sendable {
  package struct Line: Sendable {
    package let poolID: PoolID
    package let customer: String
    package let technicianID: TechnicianID
    package let monthlyFee: Double
    package let hasCoordinates: Bool
    /// What the period's visits cost.
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
  /// The week that ends with the digest's day.
  package let week: PeriodFacts

  package init(pools: [Line], periodDays: Int, week: PeriodFacts) {
    self.pools = pools
    self.periodDays = periodDays
    self.week = week
  }
}
