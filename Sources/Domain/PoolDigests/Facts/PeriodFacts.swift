package import PoolCalendar
package import PoolModel

/// A stretch of local days and the one it is compared with, which ends where this one begins.
package struct Period: Hashable, Sendable {
  package let firstBefore: CivilDate
  package let first: CivilDate
  /// The last of its days.
  package let last: CivilDate
  /// When the stretch before it begins, it begins, and it is over.
  package let before: Timestamp
  package let start: Timestamp
  package let end: Timestamp
  /// Visits up to then may still count for one of its days.
  package var nearEnd: Timestamp { end.advanced(by: .hours(24 * (MonthDigest.nearDays + 1))) }

  init(firstBefore: CivilDate, first: CivilDate, last: CivilDate, in zone: Zone) {
    func midnight(_ date: CivilDate) -> Timestamp {
      zone.resolve(LocalDateTime(date: date, time: .midnight)).standard
    }
    self.firstBefore = firstBefore
    self.first = first
    self.last = last
    before = midnight(firstBefore)
    start = midnight(first)
    end = midnight(last.adding(days: 1))
  }

  /// The calendar month of `date`, and the one before it.
  package init(monthOf date: CivilDate, in zone: Zone) {
    let first = date.adding(days: 1 - date.day)
    let lastBefore = first.adding(days: -1)
    self.init(
      firstBefore: lastBefore.adding(days: 1 - lastBefore.day), first: first,
      last: first.adding(days: CivilDate.length(ofMonth: first.month, year: first.year) - 1), in: zone)
  }

  /// The seven days that end with `date`, and the seven before them.
  package init(weekTo date: CivilDate, in zone: Zone) {
    self.init(firstBefore: date.adding(days: -13), first: date.adding(days: -6), last: date, in: zone)
  }
}

/// What was done at a team's pools in a period and in the one before it.
package struct PeriodFacts: Sendable {
  package struct Visit: Hashable, Sendable {
    package let poolID: PoolID
    package let at: Timestamp
    /// Nil where too little was measured to work it out.
    package let lsi: Double?
    package let cost: Double

    package init(poolID: PoolID, at: Timestamp, lsi: Double?, cost: Double) {
      self.poolID = poolID
      self.at = at
      self.lsi = lsi
      self.cost = cost
    }
  }

  /// What was poured of one kind of chemical.
  package struct Use: Hashable, Sendable {
    /// The stock item's kind in the app's words; empty where the item has left the stock, or none was named.
    package let type: String
    /// In the period before.
    package let isBefore: Bool
    package let ounces: Double
    package let cost: Double
    /// Tablets or powder of a kind that is else a liquid.
    package let isDry: Bool

    package init(type: String, isBefore: Bool, ounces: Double, cost: Double, isDry: Bool = false) {
      self.isDry = isDry
      self.type = type
      self.isBefore = isBefore
      self.ounces = ounces
      self.cost = cost
    }
  }

  package let period: Period
  /// Of both, and of the days beside the period on which a visit still counts for one of its days; newest first.
  package let visits: [Visit]
  package let uses: [Use]

  package init(period: Period, visits: [Visit], uses: [Use]) {
    self.period = period
    self.visits = visits
    self.uses = uses
  }
}

/// What a month's page looks at.
package struct MonthFacts: Sendable {
  package struct Line: Sendable {
    package let pool: Pool
    /// Who drives there now.
    package let technician: String

    package init(pool: Pool, technician: String) {
      self.pool = pool
      self.technician = technician
    }
  }

  package let team: Team
  package let pools: [Line]
  package let period: PeriodFacts
  package let daysOff: DaysOff

  package init(team: Team, pools: [Line], period: PeriodFacts, daysOff: DaysOff) {
    self.team = team
    self.pools = pools
    self.period = period
    self.daysOff = daysOff
  }
}
