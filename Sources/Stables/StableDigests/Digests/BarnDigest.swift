package import FlowModel
package import FlowNotices
package import StableModel
import StableRules

/// The data of a barn's morning digest: the feed of each horse, missed feeds, due care and blankets.
///
/// It contains no owners, providers and notes, because these are personal data.
package struct BarnDigest: Hashable, Sendable, Decodable {
  /// The feed of one slot.
  package struct Meal: Hashable, Sendable, Decodable {
    package let grain: String
    package let supplements: [String]
    package let medications: [String]
  }

  /// A horse on the feed board of the day; nil for a slot without scheduled feed.
  package struct HorseLine: Hashable, Sendable, Decodable {
    package let horse: String
    package let am: Meal?
    package let pm: Meal?
  }

  /// A horse that missed a feed on the day before.
  package struct MissedLine: Hashable, Sendable, Decodable {
    package let horse: String
    package let am: Bool
    package let pm: Bool
  }

  /// A due care event of one horse.
  package struct CareLine: Hashable, Sendable, Decodable {
    package let horse: String
    package let type: CareType
    /// The id of the event whose `nextDue` makes this care due.
    package let event: String
    /// A date such as `2026-03-02`.
    package let due: String
    /// The days until the due date; negative when overdue.
    package let days: Int
  }

  /// The blanket advice for one horse.
  package struct BlanketLine: Hashable, Sendable, Decodable {
    package let horse: String
    package let advice: BlanketAdvice
    package let waterproof: Bool
  }

  /// The blanket advice for a day or a night, or the reason why there is none.
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
  package let speaks: BarnLocale
  /// The day of the digest, such as `2026-03-02`.
  package let date: String
  package let horses: [HorseLine]
  package let missed: [MissedLine]
  package let care: [CareLine]
  package let day: BlanketPart
  package let night: BlanketPart
  /// The names of the horses whose night blanket must come off.
  package let takeOff: [String]
  package let late: DigestMoment.Lateness?
  package let run: String?

  enum CodingKeys: String, CodingKey {
    case team, speaks, date, horses, missed, care, day, night, late, run
    case takeOff = "take_off"
  }
}

extension BarnDigest {
  /// Builds the digest.
  ///
  /// - Parameter now: the instant of the decision, for the age of the forecast.
  package init(_ facts: BarnFacts, at moment: DigestMoment, now: Timestamp) {
    let date = moment.date
    let rules = BlanketRules(
      forecast: facts.forecast, zone: moment.zone, now: now, horses: facts.horses, settings: facts.settings)
    let blankets = rules.morning(date, lastNight: facts.lastNight)
    self.init(
      team: facts.team.name, speaks: BarnLocale(facts.team), date: date.description,
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
  /// Nil if nothing is to be fed.
  init?(_ meal: FeedMeal) {
    guard !meal.isEmpty else { return nil }
    self.init(grain: meal.grain, supplements: meal.supplements, medications: meal.medications)
  }
}

extension BarnDigest.MissedLine {
  /// The feeds that were open at the end of the day, even if its board is not closed yet. Slots before the first use of
  /// the board are left out.
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
  /// The data of the feed board of a date.
  package func day(_ date: CivilDate) -> FeedDay {
    FeedDay(
      date: date, horses: horses, schedules: schedules, marks: marks.filter { $0.date == date },
      closed: closedDays[date], lastMarking: marks.map(\.marking).max() ?? 0)
  }
}
