import FlowModel
import FlowTestKit
import StableInterchange
import StableModel

/// A case of `expected.json` of kind `csv`; of other kinds only the kind is read.
struct CSVCase: Decodable {
  struct GivenHorse: Decodable, Equatable {
    let name: String
    let owner: String
    let clipped: Bool
    let added: String
  }
  struct Meal: Decodable, Equatable {
    let grain: String
    let supplements: [String]
    let medications: [String]
  }
  struct Schedule: Decodable, Equatable {
    let am: Meal
    let pm: Meal
  }
  struct Event: Decodable {
    let horse: String
    let type: String
    let date: String
    let nextDue: String?
    let cost: String?
    let provider: String?
    let notes: String?
  }
  struct Existing: Decodable {
    let horses: [GivenHorse]
    let schedules: [String: Schedule]?
    let events: [Event]?
  }
  struct Issue: Decodable, Equatable {
    let row: Int
    let severity: String
    let field: String
  }
  struct Expected: Decodable {
    let kind: String?
    let encoding: String?
    let delimiter: String?
    let created: Int?
    let updated: Int?
    let skipped: Int?
    let issues: [Issue]?
    let horses: [GivenHorse]?
    let schedules: [String: Schedule]?
    let events: [Event]?
    let error: String?
    let value: [String]?
  }

  let name: String
  let kind: String
  let source: FixtureBytes
  let today: String?
  let existing: Existing?
  let expected: Expected

  private enum Keys: CodingKey { case name, kind, today, existing, expected }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Keys.self)
    name = try values.decode(String.self, forKey: .name)
    kind = try values.decode(String.self, forKey: .kind)
    source = try FixtureBytes(from: decoder)
    today = try values.decodeIfPresent(String.self, forKey: .today)
    existing = try values.decodeIfPresent(Existing.self, forKey: .existing)
    expected = try values.decode(Expected.self, forKey: .expected)
  }
}

/// Assigns each name a stable id.
struct StableNames {
  private var ids: [String: HorseID] = [:]

  mutating func id(_ name: String) -> HorseID {
    if let id = ids[name] { return id }
    let id = HorseID(Samples.uuid(ids.count + 1))
    ids[name] = id
    return id
  }
}

extension CSVCase.Existing {
  func records(_ names: inout StableNames) -> StableRecords {
    var records = StableRecords()
    let someDay = CivilDate(year: 2026, month: 1, day: 1)
    for horse in horses {
      records.horses.append(
        Horse(
          id: names.id(horse.name), name: horse.name, owner: horse.owner, isClipped: horse.clipped,
          added: CivilDate(horse.added) ?? someDay))
    }
    for (name, schedule) in schedules ?? [:] { records.schedules[names.id(name)] = schedule.feed }
    for (number, event) in (events ?? []).enumerated() {
      records.care.append(
        CareEvent(
          id: CareEventID(Samples.uuid(1_000 + number)), horseID: names.id(event.horse),
          type: CareType(rawValue: event.type) ?? .other, date: CivilDate(event.date) ?? someDay,
          notes: event.notes ?? "", nextDue: event.nextDue.flatMap { CivilDate($0) },
          cost: event.cost.flatMap { Cost($0) }, provider: event.provider ?? ""))
    }
    return records
  }
}

extension CSVCase.GivenHorse {
  init(_ horse: Horse) {
    self.init(name: horse.name, owner: horse.owner, clipped: horse.isClipped, added: horse.added.description)
  }
}

extension CSVCase.Schedule {
  init(_ schedule: FeedSchedule) {
    func meal(_ meal: FeedMeal) -> CSVCase.Meal {
      CSVCase.Meal(grain: meal.grain, supplements: meal.supplements, medications: meal.medications)
    }
    self.init(am: meal(schedule.am), pm: meal(schedule.pm))
  }

  var feed: FeedSchedule {
    func meal(_ meal: CSVCase.Meal) -> FeedMeal {
      FeedMeal(grain: meal.grain, supplements: meal.supplements, medications: meal.medications)
    }
    return FeedSchedule(am: meal(am), pm: meal(pm))
  }
}

extension CSVCase.Event: Equatable {
  init(_ event: CareEvent, _ horse: String) {
    self.init(
      horse: horse, type: event.type.rawValue, date: event.date.description, nextDue: event.nextDue?.description,
      cost: event.cost?.description, provider: event.provider, notes: event.notes)
  }

  /// Costs are compared by value, missing texts as empty ones.
  static func == (left: Self, right: Self) -> Bool {
    left.horse == right.horse && left.type == right.type && left.date == right.date && left.nextDue == right.nextDue
      && left.cost.flatMap { Cost($0) } == right.cost.flatMap { Cost($0) }
      && left.provider ?? "" == right.provider ?? "" && left.notes ?? "" == right.notes ?? ""
  }
}
