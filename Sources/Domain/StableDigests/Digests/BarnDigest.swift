package import PoolModel
package import PoolNotices
package import StableModel
import StableRules

/// A barn's morning as data: what every horse gets, what was missed, what is due, and what it wears.
///
/// Owners, providers and notes are not in it: they are personal.
package struct BarnDigest: Hashable, Sendable, Decodable {
  package struct Meal: Hashable, Sendable, Decodable {
    package let grain: String
    package let supplements: [String]
    package let medications: [String]
  }

  /// A horse of the day's board; a slot without a meal has no schedule.
  package struct HorseLine: Hashable, Sendable, Decodable {
    package let horse: String
    package let am: Meal?
    package let pm: Meal?
  }

  /// A horse that was not fed on the day before.
  package struct MissedLine: Hashable, Sendable, Decodable {
    package let horse: String
    package let am: Bool
    package let pm: Bool
  }

  package struct CareLine: Hashable, Sendable, Decodable {
    package let horse: String
    package let type: CareType
    /// The id of the event that asks for it.
    package let event: String
    /// `2026-03-02`.
    package let due: String
    /// Until then; negative where it is overdue.
    package let days: Int
  }

  package struct BlanketLine: Hashable, Sendable, Decodable {
    package let horse: String
    package let advice: BlanketAdvice
    package let waterproof: Bool
  }

  /// The advice for a day or a night; without a forecast the reason why there is none.
  package struct BlanketPart: Hashable, Sendable, Decodable {
    package let reason: String?
    package let old: Bool
    package let felt: Double?
    package let wet: Bool
    package let horses: [BlanketLine]

    enum CodingKeys: String, CodingKey {
      case reason, old, wet, horses
      case felt = "felt_c"
    }
  }

  package let team: String
  package let speaks: BarnVoice
  /// The day it is about, `2026-03-02`.
  package let date: String
  package let horses: [HorseLine]
  package let missed: [MissedLine]
  package let care: [CareLine]
  package let day: BlanketPart
  package let night: BlanketPart
  /// Whose blanket of the night comes off.
  package let takeOff: [String]
  package let late: DigestMoment.Lateness?
  package let run: String?

  enum CodingKeys: String, CodingKey {
    case team, speaks, date, horses, missed, care, day, night, late, run
    case takeOff = "take_off"
  }
}

extension BarnDigest {
  /// - Parameter now: when it is decided: the age of the forecast is counted to it.
  package init(_ facts: BarnFacts, at moment: DigestMoment, now: Timestamp) {
    let date = moment.date
    let rules = BlanketRules(
      forecast: facts.forecast, zone: moment.zone, now: now, horses: facts.horses, settings: facts.settings)
    let blankets = rules.morning(date, lastNight: facts.lastNight)
    self.init(
      team: facts.team.name, speaks: BarnVoice(facts.team), date: date.description,
      horses: facts.day(date).board().rows.map { row in
        let schedule = facts.schedules[row.horseID] ?? FeedSchedule()
        return HorseLine(horse: row.horse, am: Meal(schedule.am), pm: Meal(schedule.pm))
      },
      missed: MissedLine.lines(facts.day(date.adding(days: -1)).board(), since: facts.boardStart),
      care: CareDue(events: facts.care, horses: facts.horses, today: date).within().map { CareLine($0) },
      day: BlanketPart(blankets.day), night: BlanketPart(blankets.night), takeOff: blankets.takeOff.map(\.name),
      late: moment.late, run: moment.run)
  }

  package var civilDate: CivilDate { CivilDate(date) ?? CivilDate(daysSince1970: 0) }
}

extension BarnDigest.Meal {
  /// Nil where nothing is fed.
  init?(_ meal: FeedMeal) {
    guard !meal.isEmpty else { return nil }
    self.init(grain: meal.grain, supplements: meal.supplements, medications: meal.medications)
  }
}

extension BarnDigest.MissedLine {
  /// What was open when the day ended, whether or not its board is closed yet; nothing of before the board was kept.
  static func lines(_ board: FeedBoard, since start: BoardStart) -> [BarnDigest.MissedLine] {
    board.rows.compactMap { row in
      let am = row.am.isMissed && start.covers(board.date, .am)
      let pm = row.pm.isMissed && start.covers(board.date, .pm)
      return am || pm ? BarnDigest.MissedLine(horse: row.horse, am: am, pm: pm) : nil
    }
  }
}

extension FeedBoard.State {
  var isMissed: Bool {
    switch self {
    case .open, .missed: true
    case .fed, .noSchedule: false
    }
  }
}

extension BarnDigest.CareLine {
  init(_ item: CareDue.Item) {
    self.init(
      horse: item.horse.name, type: item.type, event: "\(item.event.id)", due: item.due.description, days: item.days)
  }
}

extension BarnDigest.BlanketPart {
  init(_ plan: Result<BlanketPlan, NoBlanketPlan>) {
    switch plan {
    case .failure(let reason): self.init(reason: reason.rawValue, old: false, felt: nil, wet: false, horses: [])
    case .success(let plan):
      self.init(
        reason: nil, old: plan.isOld, felt: plan.weather.felt, wet: plan.weather.isWet,
        horses: plan.lines.map {
          BarnDigest.BlanketLine(horse: $0.horse.name, advice: $0.advice, waterproof: $0.isWaterproof)
        })
    }
  }
}

extension BarnFacts {
  /// All that the board of a date is made of.
  package func day(_ date: CivilDate) -> FeedDay {
    FeedDay(
      date: date, horses: horses, schedules: schedules, marks: marks.filter { $0.date == date },
      closed: closedDays[date], lastMarking: marks.map(\.marking).max() ?? 0)
  }
}
