import PoolCalendar
import PoolChemistry
package import PoolModel
package import PoolNotices

/// The week's page as data, for the owner: money, data health, what the coming week needs.
package struct WeekDigest: Hashable, Sendable, Decodable {
  package struct Money: Hashable, Sendable, Decodable {
    package let periodDays: Int
    package let revenue: Double
    package let chemicals: Double
    package let profit: Double
    /// Profit by revenue; nil without revenue.
    package let margin: Double?
    /// The ten worst.
    package let losers: [Loser]
    package let loserCount: Int

    enum CodingKeys: String, CodingKey {
      case revenue, chemicals, profit, margin, losers
      case periodDays = "period_days"
      case loserCount = "loser_count"
    }
  }

  package struct Loser: Hashable, Sendable, Decodable {
    package let customer: String
    package let fee: Double
    package let chemicals: Double
    package let profit: Double
  }

  package let team: String
  package let speaks: DigestSpeech
  /// The day it is told, `2026-03-01`.
  package let date: String
  package let pools: Int
  /// Nil where the team's plan holds no profit analysis.
  package let money: Money?
  package let missingCoordinates: Int
  package let missingFee: Int
  package let stale: Int
  /// The customers of the first pools without coordinates; a digest of before they were named has none.
  package let unlocated: [String]?
  /// The customers of the first pools without a fee.
  package let unpriced: [String]?
  /// What one visit to every pool needs, by the last readings.
  package let nextWeek: [LoadLine]
  package let late: DigestMoment.Lateness?
  package let dataAsOf: String?
  package let run: String?
  /// The days off of the coming two weeks; left out where there are none.
  package let daysOff: [DaysOffLine]?

  /// Who came to how many pools on each day of the week; nil in a digest of before that was told.
  package let technicians: [TechnicianLine]?
  package let chemicals: [ChemicalLine]?
  /// Of the pools whose water was ever measured, by their last readings.
  package let balance: BalanceSpread?

  package struct TechnicianLine: Hashable, Sendable, Decodable {
    package struct Day: Hashable, Sendable, Decodable {
      /// `2026-02-23`.
      package let date: String
      package let visits: Int
      /// A week earlier.
      package let before: Int
    }

    package let technician: String
    package let days: [Day]
  }

  package struct DaysOffLine: Hashable, Sendable, Decodable {
    /// `2026-12-24`.
    package let first: String
    package let last: String
    /// Who is away; nil where the team is closed.
    package let technician: String?
    package let note: String
  }

  enum CodingKeys: String, CodingKey {
    case team, speaks, date, pools, money, stale, unlocated, unpriced, late, run, technicians, chemicals, balance
    case daysOff = "days_off"
    case missingCoordinates = "missing_coordinates"
    case missingFee = "missing_fee"
    case nextWeek = "next_week"
    case dataAsOf = "data_as_of"
  }

  package static let losersTold = 10
  /// How many pools without coordinates, or without a fee, are named.
  package static let gapsTold = 10
  /// The period of its money. Source: product.md, Profit, the standard period.
  package static let periodDays = 30
}

extension WeekDigest {
  package init(_ facts: TeamFacts, at moment: DigestMoment) {
    let lines = facts.week?.pools ?? []
    var loads = LoadList(facts.stock)
    let limit = moment.staleBefore
    let open = facts.team.plan.allows(.analytics, pools: 0, at: moment.asOf)
    let unlocated = lines.filter { !$0.hasCoordinates }
    let unpriced = lines.filter { $0.monthlyFee <= 0 }
    self.init(
      team: facts.team.name, speaks: DigestSpeech(facts.team), date: moment.date.description, pools: facts.poolCount,
      money: open ? facts.week.map { Money($0) } : nil,
      missingCoordinates: unlocated.count, missingFee: unpriced.count,
      stale: lines.count { $0.care.lastVisit.map { $0 < limit } ?? true },
      unlocated: unlocated.prefix(Self.gapsTold).map(\.customer),
      unpriced: unpriced.prefix(Self.gapsTold).map(\.customer),
      nextWeek: loads.lines(
        for: nil, need: ChemicalNeed(lines.map { ($0.customer, $0.care) }, on: moment.date, in: moment.zone)),
      late: moment.late,
      dataAsOf: lines.map { max($0.care.updatedAt, $0.care.lastVisit ?? $0.care.updatedAt) }.max().map {
        moment.zone.local(at: $0).minuteText
      }, run: moment.run, daysOff: Self.daysOff(facts, after: moment.date),
      technicians: Self.technicians(facts, in: moment.zone),
      chemicals: facts.week.map { ChemicalLine.lines($0.week.uses) },
      balance: facts.week.map { week in
        BalanceSpread(week.pools.compactMap { $0.care.water?.lsi.map(finite) })
      })
  }

  /// Visits are those of whoever drives to the pool now; who has no pools is left out.
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

  /// How far ahead days off are named.
  private static let daysAhead = 1...14

  private static func daysOff(_ facts: TeamFacts, after date: CivilDate) -> [DaysOffLine]? {
    guard !facts.daysOff.isEmpty else { return nil }
    let names = Dictionary(facts.technicians.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
    let lines = facts.daysOff.stretches(in: daysAhead, after: date).map {
      DaysOffLine(
        first: $0.first.description, last: $0.last.description, technician: $0.technicianID.map { names[$0] ?? "" },
        note: $0.note)
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

  /// - Parameter report: of losers alone, the worst first; its totals are over all pools.
  init(_ report: ProfitReport, periodDays: Int) {
    self.init(
      periodDays: periodDays, revenue: report.totalRevenue, chemicals: report.totalChemicalCost,
      profit: report.totalProfit, margin: report.totalRevenue > 0 ? report.totalProfit / report.totalRevenue : nil,
      losers: report.pools.prefix(WeekDigest.losersTold).map {
        WeekDigest.Loser(
          customer: $0.customerName, fee: $0.monthlyServiceFee, chemicals: $0.totalChemicalCost, profit: $0.profit)
      }, loserCount: report.moneyLoserCount)
  }
}
