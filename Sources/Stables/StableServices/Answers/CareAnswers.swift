import StableControl
import FlowCalendar
import FlowControl
import FlowModel
import FlowPlatform
import FlowServices
import FlowStore
import FoundationEssentials
import StableModel
import StableRules
import StableStore

/// Answers `org.poolflow.Care`.
struct CareAnswers: CareService {
  let store: any BlanketBooks & CareBooks & FeedBooks & Horses
  let barn: BarnFinder
  let clock: any WallClock
  let mappingErrors: StoreErrorMapper
  let log: DaemonLog

  func log(_ call: CareCall.Log, _ caller: Caller) async throws -> CareCall.Log.Reply {
    let team = try await barn.team(named: call.team)
    let named: [(String, String?)] = [
      ("date", call.date), ("due", call.due), ("cost", call.cost), ("provider", call.provider), ("notes", call.notes),
    ]
    let changes = try changes(
      named.compactMap { key, value in value.map { SettingChangeView(key: key, value: $0) } }, of: team)
    let horse = try await barn.horse(call.horse, of: team)
    let today = try barn.today(of: team)
    var event = CareEvent(id: CareEventID(UUID()), horseID: horse.id, type: CareType(asked: call.type), date: today)
    try changes.apply(to: &event)
    if !changes.setsDueDate {
      let settings = try await mappingErrors { try await store.barnSettings(of: team.id) }
      event.nextDue = settings.proposedDue(event.type, on: event.date)
    }
    let made = event
    try await mappingErrors { try await store.addCare(made, to: team.id) }
    log.notice("care of a horse of team '\(team.name)' logged by \(caller.words)")
    return CareCall.Log.Reply(
      event: CareEventView(made, of: horse.name, today: today, team: team),
      proposed: !changes.setsDueDate && made.nextDue != nil)
  }

  func set(_ call: CareCall.Set, _ caller: Caller) async throws -> CareCall.Set.Reply {
    let team = try await barn.team(named: call.team)
    guard !call.changes.isEmpty else {
      throw ControlError.badValue(
        field: "changes", value: "", why: "name what to set: \(CareChanges.keys.joined(separator: ", "))")
    }
    let changes = try changes(call.changes, of: team)
    let (event, horse) = try await barn.care(call.event, of: team)
    let changed = try await mappingErrors {
      try await store.changeCare(event.id, of: team.id) { event in try changes.apply(to: &event) }
    }
    log.notice("care of a horse of team '\(team.name)' changed by \(caller.words)")
    return CareCall.Set.Reply(
      event: CareEventView(changed, of: horse.name, today: try barn.today(of: team), team: team))
  }

  func list(_ call: CareCall.List, _ caller: Caller) async throws -> CareCall.List.Reply {
    try FieldValue.check(call.limit, in: 1...Limits.rowsPerAnswer, field: "limit")
    let team = try await barn.team(named: call.team)
    let since = try barn.day(call.since, of: team, field: "since")
    let until = try barn.day(call.until, of: team, field: "until")
    let today = try barn.today(of: team)
    let horses = try await barn.horses(of: team)
    let horse = try call.horse.map { try BarnFinder.horse($0, among: horses, team: team).id }
    let type = call.type.map { CareType(asked: $0) }
    let events = try await mappingErrors {
      try await store.care(of: team.id, horse: horse, from: since, to: until, limit: type == nil ? call.limit : nil)
    }
    let names = Dictionary(horses.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
    let kept = events.filter { type == nil || $0.type == type }.prefix(call.limit)
    let total = kept.reduce(Cost.zero) { $0 + ($1.cost ?? .zero) }
    return CareCall.List.Reply(
      events: kept.map { CareEventView($0, of: names[$0.horseID] ?? "", today: today, team: team) },
      cost: total.description, costText: total.text(for: team))
  }

  func due(_ call: CareCall.Due, _ caller: Caller) async throws -> CareCall.Due.Reply {
    let team = try await barn.team(named: call.team)
    let today = try barn.today(of: team)
    var horses = try await barn.horses(of: team)
    if let name = call.horse { horses = [try BarnFinder.horse(name, among: horses, team: team)] }
    let only = call.horse == nil ? nil : horses.first?.id
    let events = try await mappingErrors {
      try await store.care(of: team.id, horse: only, from: nil, to: nil, limit: nil)
    }
    let due = CareDue(events: events, horses: horses, today: today)
    return CareCall.Due.Reply(
      today: today.description, items: (call.all ? due.items : due.within()).map { CareDueView($0) })
  }

  func remove(_ call: CareCall.Remove, _ caller: Caller) async throws -> CareCall.Remove.Reply {
    let team = try await barn.team(named: call.team)
    let (event, horse) = try await barn.care(call.event, of: team)
    if !call.dryRun {
      guard try await mappingErrors({ try await store.removeCare(event.id, of: team.id) }) else {
        throw ControlError.noSuchCare(call.event, team: team.name)
      }
      log.notice("care of a horse of team '\(team.name)' removed by \(caller.words)")
    }
    return CareCall.Remove.Reply(
      event: CareEventView(event, of: horse.name, today: try barn.today(of: team), team: team))
  }

  private func changes(_ typed: [SettingChangeView], of team: Team) throws(ControlError) -> CareChanges {
    try CareChanges(typed, days: CareDays(zone: try barn.zone(of: team), now: clock.now()))
  }
}
