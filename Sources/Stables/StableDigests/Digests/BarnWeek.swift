import FlowModel
package import FlowNotices
package import StableModel
import StableRules

/// The data of a barn's weekly digest: missed feeds, the cost of care, and care to come.
package struct BarnWeek: Hashable, Sendable, Decodable {
  /// A horse's missed feeds on one day.
  package struct Missed: Hashable, Sendable, Decodable {
    /// A date such as `2026-03-02`.
    package let date: String
    package let horse: String
    package let am: Bool
    package let pm: Bool
  }

  /// The cost of one type of care.
  package struct CostLine: Hashable, Sendable, Decodable {
    package let type: CareType
    /// The exact amount in the team's currency, such as `120.5025`.
    package let cost: String
  }

  /// The costs of one horse.
  package struct HorseCosts: Hashable, Sendable, Decodable {
    package let horse: String
    package let types: [CostLine]
    package let total: String
  }

  package let team: String
  package let speaks: BarnLocale
  /// The day of the digest, such as `2026-03-08`.
  package let date: String
  /// The Monday of its week.
  package let from: String
  /// The Sunday of its week.
  package let to: String
  package let horses: Int
  package let missed: [Missed]
  package let costs: [HorseCosts]
  package let types: [CostLine]
  package let total: String
  /// Care that is overdue or due within fourteen days.
  package let care: [BarnDigest.CareLine]
  package let late: DigestMoment.Lateness?
  package let run: String?

  /// The number of days ahead that the digest lists due care.
  package static let careDays = 14
}

extension BarnWeek {
  package init(_ facts: BarnFacts, at moment: DigestMoment) {
    let costs = CareCosts(weekAround: moment.date, events: facts.care, horses: facts.horses)
    // Only until yesterday, because today's slots may still be marked as fed.
    let days = (0..<7).map { costs.from.adding(days: $0) }.filter { $0 < moment.date }
    self.init(
      team: facts.team.name, speaks: BarnLocale(facts.team), date: moment.date.description,
      from: costs.from.description, to: costs.to.description, horses: facts.horses.count,
      missed: days.flatMap { date in
        BarnDigest.MissedLine.lines(facts.day(date).board(), since: facts.boardStart).map {
          Missed(date: date.description, horse: $0.horse, am: $0.am, pm: $0.pm)
        }
      },
      costs: costs.horses.map {
        HorseCosts(horse: $0.horse.name, types: Self.lines($0.types), total: $0.total.description)
      }, types: Self.lines(costs.types), total: costs.total.description,
      care: CareDue(events: facts.care, horses: facts.horses, today: moment.date).within(days: Self.careDays).map {
        BarnDigest.CareLine($0)
      }, late: moment.late, run: moment.run)
  }

  private static func lines(_ lines: [CareCosts.Line]) -> [CostLine] {
    lines.map { CostLine(type: $0.type, cost: $0.cost.description) }
  }

  /// The number of missed feeds; a morning and an evening count as two.
  package var missedFeeds: Int { missed.reduce(0) { $0 + ($1.am ? 1 : 0) + ($1.pm ? 1 : 0) } }
}
