import FlowCalendar
package import FlowModel
package import FlowNotices
import PoolChemistry
import PoolModel

/// The owner's weekly report as data: money, data health, and the chemicals for the coming week.
package struct WeekDigest: Hashable, Sendable, Decodable {
  /// Revenue, cost and profit of a period.
  package struct Money: Hashable, Sendable, Decodable {
    package let periodDays: Int
    package let revenue: Double
    package let chemicals: Double
    package let profit: Double
    /// Profit divided by revenue; nil without revenue.
    package let margin: Double?
    /// The ten pools with the largest losses.
    package let losers: [Loser]
    package let loserCount: Int

    enum CodingKeys: String, CodingKey {
      case revenue, chemicals, profit, margin, losers
      case periodDays = "period_days"
      case loserCount = "loser_count"
    }
  }

  /// A pool whose chemicals cost too large a part of its fee.
  package struct Loser: Hashable, Sendable, Decodable {
    package let customer: String
    package let fee: Double
    package let chemicals: Double
    package let profit: Double
  }

  package let team: String
  package let speaks: DigestLocale
  /// The local date of the notice: `2026-03-01`.
  package let date: String
  package let pools: Int
  /// Profit figures; nil if the team's plan does not include profit analysis.
  package let money: Money?
  package let missingCoordinates: Int
  package let missingFee: Int
  package let stale: Int
  /// The customers of the first pools without coordinates; nil in a digest from an older version.
  package let unlocated: [String]?
  /// The customers of the first pools without a fee; nil in a digest from an older version.
  package let unpriced: [String]?
  /// The chemicals for one visit to every pool, by the last readings.
  package let nextWeek: [LoadLine]
  package let late: DigestMoment.Lateness?
  package let dataAsOf: String?
  package let run: String?
  /// The days off of the next two weeks; nil for none.
  package let daysOff: [DaysOffLine]?
  /// The changed stops of the next two weeks; nil for none.
  package let changedStops: [StopLine]?

  /// The visits of each technician by day of the week; nil in a digest from an older version.
  package let technicians: [TechnicianLine]?
  package let chemicals: [ChemicalLine]?
  /// The water balance by the last readings of all pools that were ever measured.
  package let balance: BalanceSpread?

  /// The visits to one technician's pools.
  package struct TechnicianLine: Hashable, Sendable, Decodable {
    /// The visits on one day.
    package struct Day: Hashable, Sendable, Decodable {
      /// The local date: `2026-02-23`.
      package let date: String
      package let visits: Int
      /// The visits on the same weekday a week earlier.
      package let before: Int
    }

    package let technician: String
    package let days: [Day]
  }

  /// A stop that was moved, skipped or given to another technician.
  package struct StopLine: Hashable, Sendable, Decodable {
    /// The date that the stop would have: `2026-03-03`.
    package let from: String
    /// The date that it has; nil if it is skipped.
    package let to: String?
    package let customer: String
    /// The technician who serves it instead of the pool's own; otherwise nil.
    package let technician: String?
    package let reason: String
  }

  /// A day off, or several in a row.
  package struct DaysOffLine: Hashable, Sendable, Decodable {
    /// The first day off: `2026-12-24`.
    package let first: String
    package let last: String
    /// The technician who is away; nil if the team is closed.
    package let technician: String?
    package let note: String
  }

  enum CodingKeys: String, CodingKey {
    case team, speaks, date, pools, money, stale, unlocated, unpriced, late, run, technicians, chemicals, balance
    case daysOff = "days_off"
    case changedStops = "changed_stops"
    case missingCoordinates = "missing_coordinates"
    case missingFee = "missing_fee"
    case nextWeek = "next_week"
    case dataAsOf = "data_as_of"
  }

  package static let losersListed = 10
  /// The number of pools listed without coordinates, and of those without a fee.
  package static let gapsListed = 10
  /// The number of days that `money` covers. Source: product.md, Profit, the standard period.
  package static let periodDays = 30
}

extension WeekDigest {
  package init(_ facts: TeamFacts, at moment: DigestMoment) {
    let lines = facts.week?.pools ?? []
    var loads = LoadList(facts.stock)
    let limit = moment.staleBefore
    let open = facts.team.plan.allows(.analytics, records: 0, at: moment.asOf)
    let unlocated = lines.filter { !$0.hasCoordinates }
    let unpriced = lines.filter { $0.monthlyFee <= 0 }
    self.init(
      team: facts.team.name, speaks: DigestLocale(facts.team), date: moment.date.description, pools: facts.poolCount,
      money: open ? facts.week.map { Money($0) } : nil,
      missingCoordinates: unlocated.count, missingFee: unpriced.count,
      stale: lines.count { line in
        line.care.lastVisit.map { $0 < limit } ?? true
          && facts.services.isServed(line.poolID, from: moment.staleDate, before: moment.date)
      },
      unlocated: unlocated.prefix(Self.gapsListed).map(\.customer),
      unpriced: unpriced.prefix(Self.gapsListed).map(\.customer),
      nextWeek: loads.lines(
        for: nil,
        need: ChemicalNeed(
          lines.flatMap { line in
            Array(
              repeating: ChemicalNeed.Visit(
                pool: line.poolID, technician: line.technicianID, customer: line.customer, care: line.care),
              count: facts.services.visits(to: line.poolID, from: moment.date.adding(days: 1), days: 7))
          }, by: facts.doseRules(on: moment.date, in: moment.zone))),
      late: moment.late,
      dataAsOf: lines.map { max($0.care.updatedAt, $0.care.lastVisit ?? $0.care.updatedAt) }.max().map {
        moment.zone.local(at: $0).minuteText
      }, run: moment.run, daysOff: Self.daysOff(facts, after: moment.date),
      changedStops: Self.changedStops(facts, after: moment.date),
      technicians: Self.technicians(facts, in: moment.zone),
      chemicals: facts.week.map { ChemicalLine.lines($0.week.uses) },
      balance: facts.week.map { week in
        BalanceSpread(week.pools.compactMap { $0.care.water?.lsi(by: facts.team.settings.lsiMethod).map(finite) })
      })
  }

  /// Visits are assigned to the technician who serves the pool now; technicians without pools are left out.
  private static func technicians(_ facts: TeamFacts, in zone: Zone) -> [TechnicianLine]? {
    guard let week = facts.week else { return nil }
    let drivers = Dictionary(week.pools.map { ($0.poolID, $0.technicianID) }, uniquingKeysWith: { first, _ in first })
    let visits = Dictionary(grouping: week.week.visits) { drivers[$0.poolID] }.mapValues { own in
      Dictionary(own.map { (zone.local(at: $0.at).date, 1) }, uniquingKeysWith: +)
    }
    let driving = Set(drivers.values)
    return facts.technicians.filter { driving.contains($0.id) }.map { technician in
      let own = visits[technician.id] ?? [:]
      return TechnicianLine(
        technician: technician.name,
        days: (0..<7).map { offset in
          let date = week.week.period.first.adding(days: offset)
          return TechnicianLine.Day(
            date: date.description, visits: own[date] ?? 0, before: own[date.adding(days: -7)] ?? 0)
        })
    }
  }

  /// The days ahead for which days off are listed.
  private static let daysAhead = 1...14

  private static func daysOff(_ facts: TeamFacts, after date: CivilDate) -> [DaysOffLine]? {
    guard !facts.daysOff.isEmpty else { return nil }
    let names = Dictionary(facts.technicians.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
    let lines = facts.daysOff.ranges(in: daysAhead, after: date).map {
      DaysOffLine(
        first: $0.first.description, last: $0.last.description, technician: $0.technicianID.map { names[$0] ?? "" },
        note: $0.note)
    }
    return lines.isEmpty ? nil : lines
  }

  private static func changedStops(_ facts: TeamFacts, after date: CivilDate) -> [StopLine]? {
    guard !facts.services.isWeekly, let week = facts.week else { return nil }
    let names = Dictionary(facts.technicians.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
    let pools = Dictionary(week.pools.map { ($0.poolID, $0) }, uniquingKeysWith: { first, _ in first })
    let end = date.adding(days: daysAhead.upperBound)
    let lines = facts.services.effectiveChanges.filter { $0.lastDate > date && min($0.from, $0.to ?? $0.from) <= end }
      .sorted { ($0.from, $0.id) < ($1.from, $1.id) }
      .compactMap { change -> StopLine? in
        guard let pool = pools[change.pool] else { return nil }
        return StopLine(
          from: change.from.description, to: change.to?.description, customer: pool.customer,
          technician: change.technician.flatMap { $0 == pool.technicianID ? nil : names[$0] }, reason: change.reason)
      }
    return lines.isEmpty ? nil : lines
  }

  package var civilDate: CivilDate { CivilDate(date) ?? CivilDate(daysSince1970: 0) }
}

extension WeekDigest.Money {
  init(_ week: WeekFacts) {
    let pools = week.pools.map {
      PoolProfit(
        poolID: $0.poolID, customerName: $0.customer, monthlyServiceFee: $0.monthlyFee,
        totalChemicalCost: $0.chemicalCost)
    }
    self.init(
      ProfitReport(pools, order: .moneyLosersFirst, onlyMoneyLosers: true), periodDays: week.periodDays)
  }

  /// - Parameter report: contains only pools with losses, largest first; its totals cover all pools.
  init(_ report: ProfitReport, periodDays: Int) {
    self.init(
      periodDays: periodDays, revenue: report.totalRevenue, chemicals: report.totalChemicalCost,
      profit: report.totalProfit, margin: report.totalRevenue > 0 ? report.totalProfit / report.totalRevenue : nil,
      losers: report.pools.prefix(WeekDigest.losersListed).map {
        WeekDigest.Loser(
          customer: $0.customerName, fee: $0.monthlyServiceFee, chemicals: $0.totalChemicalCost, profit: $0.profit)
      }, loserCount: report.moneyLoserCount)
  }
}
