package import FlowCalendar
package import FlowModel
package import PoolChemistry
package import PoolModel

/// A range of local days and the previous range for comparison, which ends where this one begins.
package struct Period: Hashable, Sendable {
  /// The first day of the previous range.
  package let firstBefore: CivilDate
  package let first: CivilDate
  /// The last day of the range, inclusive.
  package let last: CivilDate
  /// The midnights at the start of the previous range, and below at the start and the end of this range.
  package let before: Timestamp
  package let start: Timestamp
  package let end: Timestamp
  /// The end of the time in which a visit may still count for a service day of the range (`MonthDigest.nearDays`).
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

  /// The calendar month of `date` and the previous month.
  package init(monthOf date: CivilDate, in zone: Zone) {
    let first = date.adding(days: 1 - date.day)
    let lastBefore = first.adding(days: -1)
    self.init(
      firstBefore: lastBefore.adding(days: 1 - lastBefore.day), first: first,
      last: first.adding(days: CivilDate.length(ofMonth: first.month, year: first.year) - 1), in: zone)
  }

  /// The seven days that end with `date`, and the seven days before them.
  package init(weekTo date: CivilDate, in zone: Zone) {
    self.init(firstBefore: date.adding(days: -13), first: date.adding(days: -6), last: date, in: zone)
  }
}

/// Visits and chemical use at a team's pools in a period and in the previous one.
package struct PeriodFacts: Sendable {
  /// One visit.
  package struct Visit: Hashable, Sendable {
    package let poolID: PoolID
    package let at: Timestamp
    /// The saturation index; nil if too little was measured to compute it.
    package let lsi: Double?
    package let cost: Double
    /// The readings with free chlorine; nil if it was not measured.
    package let chlorine: Chlorine?

    package init(poolID: PoolID, at: Timestamp, lsi: Double?, cost: Double, chlorine: Chlorine? = nil) {
      self.chlorine = chlorine
      self.poolID = poolID
      self.at = at
      self.lsi = lsi
      self.cost = cost
    }
  }

  /// Free chlorine at a visit.
  package struct Chlorine: Hashable, Sendable {
    /// Parts per million.
    package let ppm: Double
    /// Relative to the ideal range of the water.
    package let status: ReadingStatus

    package init(ppm: Double, ideal: ClosedRange<Double>) {
      self.ppm = ppm
      status = ReadingStatus(ppm, in: ideal)
    }
  }

  /// The amount of one type of chemical used in one of the two periods.
  package struct Use: Hashable, Sendable {
    /// The raw type of the stock item; empty if the item was removed or the dose named none.
    package let type: String
    /// Whether the chemical was used in the previous period.
    package let isBefore: Bool
    package let ounces: Double
    package let cost: Double
    /// True for tablets or powder of a chemical that is usually liquid.
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
  /// The visits of both periods and of `MonthDigest.nearDays` around them, newest first.
  package let visits: [Visit]
  package let uses: [Use]

  package init(period: Period, visits: [Visit], uses: [Use]) {
    self.period = period
    self.visits = visits
    self.uses = uses
  }
}

/// The facts for a month's page.
package struct MonthFacts: Sendable {
  /// A pool and its technician.
  package struct Line: Sendable {
    package let pool: Pool
    /// The technician who serves the pool now.
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
  package let services: ServiceCalendar
  /// The recurring work that was done in the month, by date.
  package let work: [WorkDone]

  package init(
    team: Team, pools: [Line], period: PeriodFacts, daysOff: DaysOff, services: ServiceCalendar = .weekly,
    work: [WorkDone] = []
  ) {
    self.team = team
    self.pools = pools
    self.period = period
    self.daysOff = daysOff
    self.services = services
    self.work = work
  }
}
