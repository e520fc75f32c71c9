import FlowCalendar
import FlowModel
import FlowPlatform
import FlowStore
import FlowTestKit
import FlowWork
import StableJobs
import StableModel
import StableRules
import StableStore

/// The world's own records of its barns, apart from the store: fed horses, in the order of the markings of each date.
struct BarnBook {
  struct Day: Hashable {
    let team: TeamID
    let date: CivilDate
  }

  struct Marking {
    let slot: FeedSlot
    let horses: [HorseID]
  }

  /// Oldest first.
  var markings: [Day: [Marking]] = [:]

  func isFed(_ horse: HorseID, _ slot: FeedSlot, on day: Day) -> Bool {
    markings[day]?.contains { $0.slot == slot && $0.horses.contains(horse) } == true
  }
}

// People mark meals, undo marks and import forecasts at any moment, also during faults.
extension World {
  private static let names = ["Juniper", "Old Bob", "Clover"]
  static let barnKinds: [JobKind] = [.barnDigest, .feedAM, .blanket, .barnWeek]

  /// Adds horses, some without an evening meal.
  func fillBarn(_ team: Team, number: Int) async throws {
    let today = try zones.zone(named: team.zone).local(at: now).date
    for (index, name) in Self.names.enumerated() {
      let horse = Horse(
        id: HorseID(Samples.uuid(9_000 + 10 * number + index)), name: name, isClipped: index == 0,
        added: today.adding(days: -2))
      _ = try await store.addHorse(to: team.id) { _ in horse }
      guard index < 2 else { continue }
      let meal = FeedMeal(grain: "oats")
      let schedule = FeedSchedule(am: meal, pm: index == 0 ? meal : FeedMeal(grain: ""))
      try await store.changeSchedules(of: [horse.id], team: team.id) { _, _ in schedule }
    }
  }

  func keepBarn(_ team: Team) async throws {
    let zone = try zones.zone(named: team.zone)
    let today = FeedDates.date(at: now, in: zone)
    let date = random.chance(4) ? today.adding(days: -1) : today
    let day = BarnBook.Day(team: team.id, date: date)
    let (slot, instant) = (random.pick(FeedSlot.allCases), now)
    switch Int.random(in: 0..<8, using: &random) {
    case 0:
      let outcome = try await store.changeFeedDay(date, of: team.id) { $0.undo() }
      note("\(team.name) takes back what was marked on \(date): \(outcome.code)")
      if case .undone = outcome { _ = barns.markings[day]?.popLast() }
    case 1, 2:
      let name = random.pick(Self.names)
      try remember(
        try await store.changeFeedDay(date, of: team.id) { $0.mark(name, slot, at: instant, by: "anna") }, day, slot,
        try await store.horses(of: team.id))
    case 3, 4, 5:
      try remember(
        try await store.changeFeedDay(date, of: team.id) { $0.markAll(slot, at: instant, by: "anna") }, day, slot,
        try await store.horses(of: team.id))
    case 6:
      let air = Double(Int.random(in: -15...20, using: &random))
      let start = Timestamp(seconds: now.seconds / 3_600 * 3_600)
      let forecast = Forecast(
        source: .csv, place: "hill", issuedAt: now,
        hours: (-12..<40).map { ForecastHour(start: start.advanced(by: .hours($0)), air: air, wind: 20, rain: nil) })
      _ = try await store.importForecast(forecast, digest: "\(now) \(team.id)", to: team.id, now: now)
      note("\(team.name) has a forecast of \(air) °C")
    default:
      let event = CareEvent(
        id: CareEventID(Samples.uuid(Int.random(in: 20_000..<2_000_000_000, using: &random))),
        horseID: random.pick(try await store.horses(of: team.id)).id, type: random.pick(CareType.allCases), date: date,
        notes: "", nextDue: date.adding(days: Int.random(in: 1...40, using: &random)), cost: nil, provider: "")
      try await store.addCare(event, to: team.id)
      note("\(team.name) logs care")
    }
    try point()
  }

  /// From here on, committed marks belong to the world's own records, whatever crashes next.
  private func remember(_ outcome: FeedOutcome, _ day: BarnBook.Day, _ slot: FeedSlot, _ horses: [Horse]) throws {
    note("team \(day.team.number) feeds \(slot.rawValue) of \(day.date): \(outcome.code)")
    switch outcome {
    case .marked(let change), .corrected(let change):
      let fed = change.horses.compactMap { name in horses.first { $0.name == name }?.id }
      guard fed.count == change.horses.count else { throw Violation("\(change.horses) are no horses of the barn") }
      barns.markings[day, default: []].append(BarnBook.Marking(slot: slot, horses: fed))
    default: break
    }
  }
}
