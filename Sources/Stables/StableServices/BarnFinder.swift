import StableControl
import FlowCalendar
import FlowControl
import FlowModel
import FlowPlatform
import FlowServices
import FlowStore
import StableModel
import StableStore

/// Finds what a caller of a stable's interfaces named: horses, feed templates, care events and days.
struct BarnFinder: Sendable {
  let store: any CareBooks & FeedBooks & Horses
  let finder: TeamFinder
  let zones: SystemZones
  let clock: any WallClock
  let mappingErrors: StoreErrorMapper

  /// The stable with this name.
  ///
  /// - Throws: `ControlError` also for a team of another trade.
  func team(named name: String) async throws -> Team {
    let team = try await finder.team(named: name)
    guard team.trade == .stable else {
      let stable = TradeSettings.stable
      throw ControlError.otherTrade(
        team.name, has: team.trade, owner: "a pool service", records: stable.records, of: stable.owners)
    }
    return team
  }

  func horses(of team: Team) async throws -> [Horse] {
    try await mappingErrors { try await store.horses(of: team.id) }
  }

  /// The horse that `text` names by name, by id or by a prefix of either; case and runs of blanks are ignored. An exact match
  /// wins over names that start with the text.
  func horse(_ text: String, of team: Team) async throws -> Horse {
    try Self.horse(text, among: try await horses(of: team), team: team)
  }

  static func horse(_ text: String, among horses: [Horse], team: Team) throws(ControlError) -> Horse {
    let found = IDPrefix.records(
      HorseName(text).key, among: horses, id: \.id.description, name: \.nameKey.key)
    guard let horse = found.first else {
      throw .noSuchHorse(text, team: team.name, suggestion: Suggestion.nearest(to: text, among: horses.map(\.name)))
    }
    guard found.count == 1 else {
      let ids = ShownIDs(records: found.map(\.id.description))
      throw .ambiguous(
        .ambiguousHorse, text, "horses",
        found.map { ("\($0.name) (\(ids[$0.id.description]))", $0.id.description) }, isNamed: true)
    }
    return horse
  }

  /// The feed template that `text` names by name, by id or by a prefix of either.
  func template(_ text: String, of team: Team) async throws -> FeedTemplate {
    let templates = try await mappingErrors { try await store.templates(of: team.id) }
    let found = IDPrefix.records(
      HorseName(text).key, among: templates, id: \.id.description, name: { HorseName($0.name).key })
    guard let template = found.first else {
      throw ControlError.noSuchTemplate(
        text, team: team.name, suggestion: Suggestion.nearest(to: text, among: templates.map(\.name)))
    }
    guard found.count == 1 else {
      let ids = ShownIDs(records: found.map(\.id.description))
      throw ControlError.ambiguous(
        .ambiguousTemplate, text, "templates",
        found.map { ("\($0.name) (\(ids[$0.id.description]))", $0.id.description) }, isNamed: true)
    }
    return template
  }

  /// The care event whose id begins with `text`, or the newest event of the horse of that name.
  ///
  /// - Throws: `ControlError` also if `text` matches both a horse and a care event: a guess might change the wrong record.
  func care(_ text: String, of team: Team) async throws -> (event: CareEvent, horse: Horse) {
    let horses = try await horses(of: team)
    let named = Dictionary(horses.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    var found: [(event: CareEvent, horse: Horse)] = []
    let id = IDPrefix(text)?.text
    if let id {
      let all = try await mappingErrors {
        try await store.care(of: team.id, horse: nil, from: nil, to: nil, limit: nil)
      }
      found = all.filter { $0.id.description.hasPrefix(id) }
        .compactMap { event in named[event.horseID].map { (event, $0) } }
    }
    let matchingHorses = IDPrefix.records(
      HorseName(text).key, among: horses, id: { _ in "" }, name: \.nameKey.key)
    guard found.count + min(matchingHorses.count, 1) <= 1 else {
      let ids = ShownIDs(records: found.map(\.event.id.description))
      throw ControlError.ambiguous(
        .ambiguousCare, text, matchingHorses.isEmpty ? "entries of care" : "entries of care and horses",
        found.map {
          ("\(ids[$0.event.id.description]), \($0.event.type.rawValue) of \($0.horse.name)", $0.event.id.description)
        } + matchingHorses.map { ("the horse \($0.name)", $0.id.description) })
    }
    if let only = found.first { return only }
    guard !matchingHorses.isEmpty || id == nil else { throw ControlError.noSuchCare(text, team: team.name) }
    let horse = try Self.horse(text, among: horses, team: team)
    let newest = try await mappingErrors {
      try await store.care(of: team.id, horse: horse.id, from: nil, to: nil, limit: 1)
    }
    guard let event = newest.first else {
      throw ControlError(.noSuchCare, "no care is recorded for \(horse.name) yet", facts: ["name": text])
    }
    return (event, horse)
  }

  // MARK: Days

  func zone(of team: Team) throws(ControlError) -> Zone { try zones.zone(asked: team.zone) }

  /// Today's date in the team's zone.
  func today(of team: Team) throws(ControlError) -> CivilDate { try zone(of: team).local(at: clock.now()).date }

  /// Parses a day as `TypedInstant` does, in the team's zone; nil for nil.
  func day(_ text: String?, of team: Team, field: String) throws(ControlError) -> CivilDate? {
    guard let text else { return nil }
    return try date(text, of: team, field: field)
  }

  func date(_ text: String, of team: Team, field: String) throws(ControlError) -> CivilDate {
    let time = try zones.time(text, team: team, now: clock.now(), field: field)
    if let date = time.date { return date }
    return try zone(of: team).local(at: time.instant).date
  }
}
