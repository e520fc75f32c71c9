package import FlowCalendar
package import FlowModel
import PoolChemistry
import PoolModel

/// The owner's monthly report as data: visits, chemicals, water, money, and gaps in the records.
package struct MonthDigest: Hashable, Sendable {
  /// One technician's visits, with the number in the previous month.
  package struct TechnicianLine: Hashable, Sendable {
    package let technician: String
    /// Visits by any technician to the pools that this technician serves now.
    package let visits: Int
    package let visitsBefore: Int
    /// Service days of those pools without a visit within `nearDays`.
    package let missed: Int
  }

  /// A customer whose pool was missed, and how often.
  package struct MissedLine: Hashable, Sendable {
    package let customer: String
    package let missed: Int
  }

  /// The saturation index of a pool at each visit of this and the previous month.
  package struct WaterLine: Hashable, Sendable {
    /// The index at one visit.
    package struct Point: Hashable, Sendable {
      /// The local date of the visit: `2026-02-23`.
      package let date: String
      package let lsi: Double
    }

    package let customer: String
    /// The measured visits, oldest first.
    package let points: [Point]
  }

  /// One pool's fee, chemical cost and profit in the month.
  package struct ProfitLine: Hashable, Sendable {
    package let customer: String
    /// The monthly fee.
    package let fee: Double
    package let chemicals: Double
    package let profit: Double
    /// Whether the chemicals cost more than the fee, or too large a part of it.
    package let isMarked: Bool
  }

  /// Recurring work, or the service of a machine, that was done.
  package struct WorkLine: Hashable, Sendable {
    /// The local date: `2026-02-23`.
    package let date: String
    package let customer: String
    package let name: String
  }

  package let team: String
  package let speaks: DigestLocale
  /// The reported month: `2026-02`.
  package let month: String
  package let pools: Int
  package let visits: Int
  package let visitsBefore: Int
  package let technicians: [TechnicianLine]
  /// The customers with the most missed visits, at most `missedListed`.
  package let missed: [MissedLine]
  /// The number of all customers with missed visits.
  package let missedPools: Int
  package let chemicals: [ChemicalLine]
  /// Water balance by the last measured visit of the month; a pool without one is not counted.
  package let balance: BalanceSpread
  /// The pools whose water was furthest from balance at the end of the month.
  package let worst: [WaterLine]
  /// Free chlorine at the last visit of the month that measured it; nil if none did.
  package let chlorine: ChlorineSpread?
  package let money: WeekDigest.Money
  /// Pools with a loss first, then by profit in ascending order.
  package let profits: [ProfitLine]
  package let missingCoordinates: Int
  package let missingFee: Int
  package let unlocated: [String]
  package let unpriced: [String]
  /// The work that was done, by date, at most `Limits.workListed`.
  package let work: [WorkLine]
  /// The number of all works that were done.
  package let workDone: Int

  /// The number of pools listed in `profits`, and below the numbers listed in `missed` and `worst`.
  package static let profitsListed = 15
  package static let missedListed = 10
  package static let worstListed = 5
  /// A visit up to this many days before or after a service day counts for it; every day of a week is then nearest to one
  /// service day.
  package static let nearDays = 3
}

extension MonthDigest {
  /// - Parameter today: the current date; a service day counts as missed only after `nearDays` have passed.
  package init(_ facts: MonthFacts, today: CivilDate, zone: Zone) {
    let period = facts.period.period
    let visits = Dictionary(grouping: facts.period.visits, by: \.poolID)
    let pools = facts.pools.map {
      PoolMonth($0, visits[$0.pool.id] ?? [], period, facts.daysOff, facts.services, today: today, zone)
    }
    let report = ProfitReport(pools.map(\.profit), order: .moneyLosersFirst, onlyMoneyLosers: false)
    let losers = ProfitReport(pools.map(\.profit), order: .moneyLosersFirst, onlyMoneyLosers: true)
    let missed = pools.filter { $0.missed > 0 }.sorted {
      (-$0.missed, $0.pool.customerName, $0.pool.id) < (-$1.missed, $1.pool.customerName, $1.pool.id)
    }
    let unlocated = facts.pools.filter { !$0.pool.hasCoordinates }.map(\.pool.customerName)
    let customers = Dictionary(
      facts.pools.map { ($0.pool.id, $0.pool.customerName) }, uniquingKeysWith: { first, _ in first })
    let work = facts.work.compactMap { done in
      customers[done.poolID].map { WorkLine(date: done.date.description, customer: $0, name: done.name) }
    }
    let unpriced = facts.pools.filter { $0.pool.monthlyServiceFee <= 0 }.map(\.pool.customerName)
    self.init(
      team: facts.team.name, speaks: DigestLocale(facts.team), month: String(period.first.description.dropLast(3)),
      pools: pools.count, visits: pools.reduce(0) { $0 + $1.visits },
      visitsBefore: pools.reduce(0) { $0 + $1.visitsBefore }, technicians: Self.technicians(pools),
      missed: missed.prefix(Self.missedListed).map { MissedLine(customer: $0.pool.customerName, missed: $0.missed) },
      missedPools: missed.count, chemicals: ChemicalLine.lines(facts.period.uses),
      balance: BalanceSpread(pools.compactMap(\.lsi)), worst: Self.worst(pools),
      chlorine: ChlorineSpread(pools.compactMap { pool in pool.chlorine.map { (pool.pool.customerName, $0) } }),
      money: WeekDigest.Money(losers, periodDays: period.last.day),
      profits: report.pools.prefix(Self.profitsListed).map {
        ProfitLine(
          customer: $0.customerName, fee: $0.monthlyServiceFee, chemicals: $0.totalChemicalCost, profit: $0.profit,
          isMarked: $0.isMoneyLoser || $0.isInTheRed)
      }, missingCoordinates: unlocated.count, missingFee: unpriced.count,
      unlocated: Array(unlocated.prefix(WeekDigest.gapsListed)),
      unpriced: Array(unpriced.prefix(WeekDigest.gapsListed)),
      work: Array(work.prefix(Limits.workListed)), workDone: work.count)
  }

  private static func technicians(_ pools: [PoolMonth]) -> [TechnicianLine] {
    Dictionary(grouping: pools, by: \.technician).map { name, own in
      TechnicianLine(
        technician: name, visits: own.reduce(0) { $0 + $1.visits },
        visitsBefore: own.reduce(0) { $0 + $1.visitsBefore }, missed: own.reduce(0) { $0 + $1.missed })
    }.sorted { $0.technician < $1.technician }
  }

  private static func worst(_ pools: [PoolMonth]) -> [WaterLine] {
    pools.filter { $0.lsi.map { WaterCondition(lsi: $0) != .balanced } ?? false }
      .sorted { (-abs($0.lsi ?? 0), $0.pool.id) < (-abs($1.lsi ?? 0), $1.pool.id) }
      .prefix(worstListed).map { WaterLine(customer: $0.pool.customerName, points: $0.points) }
  }

  package var firstDay: CivilDate { CivilDate(month + "-01") ?? CivilDate(daysSince1970: 0) }
}

/// The figures of one pool for one month.
private struct PoolMonth {
  let pool: Pool
  let technician: String
  let visits: Int
  let visitsBefore: Int
  let missed: Int
  /// The index at the month's last measured visit; nil without one.
  let lsi: Double?
  let points: [MonthDigest.WaterLine.Point]
  /// Free chlorine at the month's last visit that measured it.
  let chlorine: PeriodFacts.Chlorine?
  let profit: PoolProfit

  /// - Parameter visits: the pool's visits, newest first.
  init(
    _ line: MonthFacts.Line, _ visits: [PeriodFacts.Visit], _ period: Period, _ daysOff: DaysOff,
    _ services: ServiceCalendar, today: CivilDate, _ zone: Zone
  ) {
    pool = line.pool
    technician = line.technician
    let both = visits.filter { period.before <= $0.at && $0.at < period.end }
    let own = both.filter { $0.at >= period.start }
    self.visits = own.count
    visitsBefore = both.count - own.count
    lsi = own.lazy.compactMap(\.lsi).first.map(finite)
    points = both.reversed().compactMap { visit in
      visit.lsi.map { .init(date: zone.local(at: visit.at).date.description, lsi: finite($0)) }
    }
    chlorine = own.lazy.compactMap(\.chlorine).first
    profit = PoolProfit(
      poolID: pool.id, customerName: pool.customerName, monthlyServiceFee: pool.monthlyServiceFee,
      totalChemicalCost: finite(own.reduce(0) { $0 + $1.cost }))
    let visited = visits.map { zone.local(at: $0.at).date.daysSince1970 }
    missed =
      line.pool.missedDays(
        (0..<period.last.day).map(period.first.adding), visited, daysOff, services, today: today, zone
      ).count
  }
}

extension Pool {
  /// The service days among `dates` without a visit within `MonthDigest.nearDays`. Closed days are excluded, and so are days
  /// for which a visit may still follow.
  ///
  /// - Parameter visited: the visits as days since 1970.
  func missedDays(
    _ dates: [CivilDate], _ visited: [Int], _ daysOff: DaysOff, _ services: ServiceCalendar, today: CivilDate,
    _ zone: Zone
  ) -> [CivilDate] {
    let made = zone.local(at: createdAt).date
    return dates.filter { date in
      services.isServed(id, weekday: serviceDay, on: date) && date >= made
        && date.adding(days: MonthDigest.nearDays) < today && daysOff.closure(on: date) == nil
        && !visited.contains { counts($0, for: date, services) }
    }
  }
}

extension Pool {
  /// Whether a visit counts for a service date: within `MonthDigest.nearDays`, and for the nearest date if the pool is served
  /// more often than once a week.
  private func counts(_ visit: Int, for date: CivilDate, _ services: ServiceCalendar) -> Bool {
    let distance = abs(visit - date.daysSince1970)
    guard distance <= MonthDigest.nearDays else { return false }
    guard let service = services[id] else { return true }
    return !(visit - distance + 1..<max(visit + distance, visit - distance + 1)).contains {
      service.isServed(on: CivilDate(daysSince1970: $0))
    }
  }
}

extension MonthDigest: JSONWritable {
  package func members(_ json: inout JSONText) {
    json.member("balance", balance)
    json.member("chemicals", chemicals)
    if let chlorine { json.member("chlorine", chlorine) }
    json.member("missed", missed)
    json.member("missed_pools", missedPools)
    json.member("missing_coordinates", missingCoordinates)
    json.member("missing_fee", missingFee)
    json.member("money", money)
    json.member("month", month)
    json.member("pools", pools)
    json.member("profits", profits)
    json.member("speaks", speaks)
    json.member("team", team)
    json.member("technicians", technicians)
    json.member("unlocated", unlocated)
    json.member("unpriced", unpriced)
    json.member("visits", visits)
    json.member("visits_before", visitsBefore)
    if !work.isEmpty {
      json.member("work", work)
      json.member("work_done", workDone)
    }
    json.member("worst", worst)
  }
}

extension MonthDigest.WorkLine: JSONWritable {
  package func members(_ json: inout JSONText) {
    json.member("customer", customer)
    json.member("date", date)
    json.member("name", name)
  }
}

extension MonthDigest.TechnicianLine: JSONWritable {
  package func members(_ json: inout JSONText) {
    json.member("missed", missed)
    json.member("technician", technician)
    json.member("visits", visits)
    json.member("visits_before", visitsBefore)
  }
}

extension MonthDigest.MissedLine: JSONWritable {
  package func members(_ json: inout JSONText) {
    json.member("customer", customer)
    json.member("missed", missed)
  }
}

extension MonthDigest.WaterLine: JSONWritable {
  package func members(_ json: inout JSONText) {
    json.member("customer", customer)
    json.member("points", points)
  }
}

extension MonthDigest.WaterLine.Point: JSONWritable {
  package func members(_ json: inout JSONText) {
    json.member("date", date)
    json.member("lsi", lsi)
  }
}

extension MonthDigest.ProfitLine: JSONWritable {
  package func members(_ json: inout JSONText) {
    json.member("chemicals", chemicals)
    json.member("customer", customer)
    json.member("fee", fee)
    json.member("marked", isMarked)
    json.member("profit", profit)
  }
}
