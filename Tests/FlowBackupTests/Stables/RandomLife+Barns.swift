import FlowCalendar
import FlowModel
import FlowPlatform
import FlowStore
import FlowTestKit
import FoundationEssentials
import StableModel
import StableRules
import StableStore

// Changes made by the people of a stable.
extension RandomLife {
  static let barn: [Verb] = [
    { life in
      let team = try await life.team(.stable)
      try await life.addHorse("Horse \(life.number)", to: team)
    },
    { life in
      guard life.chance(5), let (team, horse) = try await life.anyHorse() else { return }
      _ = try await life.store.removeHorse(horse.id, of: team.id)
    },
    { life in
      guard let (team, horse) = try await life.anyHorse() else { return }
      let template = FeedTemplate(
        id: FeedTemplateID(life.fresh()), name: "Template \(life.number)", about: "little", schedule: Self.oats,
        createdAt: life.now)
      try await life.store.changeTemplates(of: team.id) { $0.append(template) }
      try await life.store.applyTemplate(template.id, to: [horse.id], of: team.id)
    },
    { life in
      let team = try await life.team(.stable)
      let date = try life.today(of: team).adding(days: life.chance(3) ? -1 : 0)
      let (slot, instant) = (life.pick(FeedSlot.allCases), life.now)
      _ = try await life.store.changeFeedDay(date, of: team.id) { $0.markAll(slot, at: instant, by: "anna") }
    },
    { life in
      guard let (team, horse) = try await life.anyHorse() else { return }
      let date = try life.today(of: team)
      try await life.store.addCare(
        CareEvent(
          id: CareEventID(life.fresh()), horseID: horse.id, type: life.pick(CareType.allCases), date: date,
          notes: "all four", nextDue: date.adding(days: 42), cost: Cost("123.4567"), provider: "Provider"),
        to: team.id)
    },
    { life in
      let team = try await life.team(.stable)
      let start = Timestamp(seconds: life.now.seconds / 3_600 * 3_600)
      let air = Double(Int.random(in: -15...20, using: &life.random))
      let forecast = Forecast(
        source: .csv, place: "hill", issuedAt: life.now,
        hours: (-12..<40).map { ForecastHour(start: start.advanced(by: .hours($0)), air: air, wind: 20, rain: nil) })
      _ = try await life.store.importForecast(forecast, digest: "\(life.now)", to: team.id, now: life.now)
    },
    { life in
      let team = try await life.team(.stable)
      _ = try await life.store.changeBarnSettings(of: team.id) { $0.intervals[.farrier] = 49 }
    },
  ]

  private static let oats = FeedSchedule(
    am: FeedMeal(grain: "oats", supplements: ["salt", "oil"], medications: ["pill"]), pm: FeedMeal(grain: "hay"))

  mutating func addHorses(to team: Team) async throws {
    for name in ["Juniper", "Old Bob", "Clover"] { try await addHorse(name, to: team) }
  }

  private mutating func addHorse(_ name: String, to team: Team) async throws {
    let (id, today, hasPhoto) = (HorseID(fresh()), try today(of: team), chance(3))
    if hasPhoto { try writePhoto(id.uuid, of: team) }
    _ = try await store.addHorse(to: team.id) { _ in
      var horse = Horse(id: id, name: name, owner: "Owner", isClipped: true, added: today.adding(days: -2))
      horse.hasPhoto = hasPhoto
      return horse
    }
    try await store.changeSchedules(of: [id], team: team.id) { _, _ in Self.oats }
  }

  private mutating func anyHorse() async throws -> (team: Team, horse: Horse)? {
    let team = try await team(.stable)
    return any(try await store.horses(of: team.id)).map { (team, $0) }
  }

  private func today(of team: Team) throws -> CivilDate { try stand.zones.zone(named: team.zone).local(at: now).date }
}
