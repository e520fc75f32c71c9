import PoolModel
package import PoolNotices
package import StableModel
import StableRules

/// A barn's week as data: feeds missed, what care cost, and what care comes.
package struct BarnWeek: Hashable, Sendable, Decodable {
  /// The missed feeds of a horse on a day.
  package struct Missed: Hashable, Sendable, Decodable {
    /// `2026-03-02`.
    package let date: String
    package let horse: String
    package let am: Bool
    package let pm: Bool
  }

  package struct CostLine: Hashable, Sendable, Decodable {
    package let type: CareType
    /// Exact, in the team's currency: `120.5025`.
    package let cost: String
  }

  package struct HorseCosts: Hashable, Sendable, Decodable {
    package let horse: String
    package let types: [CostLine]
    package let total: String
  }

  package let team: String
  package let speaks: BarnVoice
  /// The day it is told, `2026-03-08`; Monday and Sunday of its week.
  package let date: String
  package let from: String
  package let to: String
  package let horses: Int
  package let missed: [Missed]
  package let costs: [HorseCosts]
  package let types: [CostLine]
  package let total: String
  /// Due within fourteen days, and overdue.
  package let care: [BarnDigest.CareLine]
  package let late: DigestMoment.Lateness?
  package let run: String?

  /// How far ahead care is told.
  package static let careDays = 14
}

extension BarnWeek {
  package init(_ facts: BarnFacts, at moment: DigestMoment) {
    let costs = CareCosts(weekAround: moment.date, events: facts.care, horses: facts.horses)
    // Until yesterday: today's feeds may still come.
    let days = (0..<7).map { costs.from.adding(days: $0) }.filter { $0 < moment.date }
    self.init(
      team: facts.team.name, speaks: BarnVoice(facts.team), date: moment.date.description,
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

  /// How many feeds were missed, mornings and evenings counted apart.
  package var missedFeeds: Int { missed.reduce(0) { $0 + ($1.am ? 1 : 0) + ($1.pm ? 1 : 0) } }
}
