package import FlowCalendar
package import FlowModel
package import FlowStore
package import FlowTestKit
package import FlowWork
import PoolDigests
import PoolModel
package import PoolStore

/// Everything of a store that a model team is written with.
package typealias ServiceStore = FactsOfTeams & Pools & Services & TeamDaysOff & TeamRecords & Teams

extension ServiceModel {
  private static let bleach = "Bleach"

  /// Writes the pools, rules, pauses, visits and days off to a team without records.
  ///
  /// - Parameter plan: the team's jobs.
  package func write(
    to team: Team, in store: any ServiceStore, zone: Zone, now: Timestamp,
    plan: @Sendable (Team) throws -> [JobPlan] = { _ in [] }
  ) async throws {
    try await writeRecords(to: team, in: store, zone: zone, now: now)
    for line in lines {
      try await setRule(line.rule, of: line, team, in: store, from: nil)
      let pauses = try line.pauses.map {
        ServicePause(id: 0, days: try DaySpan(first: $0.first, last: $0.last), reason: "", setBy: "anna")
      }
      _ = try await store.changePauses(of: line.pool.id, team: team.id, today: nil) { _ in PauseChange(added: pauses) }
    }
    let drivers = try await drivers(of: team, in: store)
    let off =
      try closed.map {
        DayOff(id: 0, technicianID: nil, span: try DaySpan(first: $0.first, last: $0.last), note: "", setBy: "anna")
      }
      + away.compactMap { days in
        try drivers[days.technician].map {
          DayOff(
            id: 0, technicianID: $0, span: try DaySpan(first: days.first, last: days.last), note: "", setBy: "anna")
        }
      }
    _ = try await store.addDaysOff(off, to: team.name, now: now, check: { _ in }, plan: plan)
  }

  /// The pools with their profiles and visits, and an empty can of the chlorine that each visit adds.
  private func writeRecords(to team: Team, in store: any ServiceStore, zone: Zone, now: Timestamp) async throws {
    var records = RecordSet(pools: lines.map(\.pool))
    var item = Samples.item(3_000, name: Self.bleach, stock: 0, threshold: 1)
    item.chemicalType = "chlorine"
    records.inventory = [item]
    for line in lines {
      var profile = Samples.profile(of: line.pool.id, tags: "tech:\(Self.technicians[line.technician])")
      profile.preferredArrivalWindow = line.window.text
      records.profiles.append(profile)
      for date in line.visits {
        let number = 10_000 + records.serviceEvents.count
        let noon = zone.resolve(LocalDateTime(date: date, time: Self.noon)).standard
        let visit = Samples.visit(number, to: line.pool.id, at: noon)
        var dose = Samples.dose(20_000 + number, for: visit.id, of: item.id)
        dose.quantityOz = line.chlorine
        records.serviceEvents.append(visit)
        records.chemicalDoses.append(dose)
      }
    }
    _ = try await store.replaceRecords(
      team: team.name, technician: nil, records: records, photos: [:], now: now, dryRun: false, change: nil,
      limitsPools: true, claim: nil)
  }

  private func setRule(
    _ rule: Rule, of line: Line, _ team: Team, in store: any ServiceStore, from date: CivilDate?
  ) async throws {
    guard rule.text != nil || date != nil else { return }
    let dates = try rule.text.map { try CalendarDates($0) }
    _ = try await store.changePool(
      line.pool.id, of: team.id, change: { _ in }, people: nil, rule: { _, _ in dates }, from: date)
  }

  /// Gives some pools another rule from a date on, in the model and in the store.
  private mutating func changeRules(
    of team: Team, in store: any ServiceStore, _ random: inout SeededNumbers
  ) async throws {
    for index in changeRules(&random) {
      let line = lines[index]
      guard let later = line.laterRule else { continue }
      try await setRule(later.rule, of: line, team, in: store, from: later.from)
    }
  }

  /// The technicians by their number in the model; those without a pool do not exist.
  package func drivers(of team: Team, in store: any ServiceStore) async throws -> [Int: TechnicianID] {
    Dictionary(
      try await store.technicians(of: team.id).compactMap { technician in
        Self.technicians.firstIndex(of: technician.name).map { ($0, technician.id) }
      }, uniquingKeysWith: { first, _ in first })
  }

  // MARK: Random changes

  /// Changes dates at random, on the first date of the model, and then some rules: the store must accept and refuse the same
  /// changes as the model.
  ///
  /// - Returns: a sentence for each difference.
  package mutating func change(
    _ team: Team, in store: any ServiceStore, zone: Zone, _ random: inout SeededNumbers
  ) async throws -> [String] {
    let drivers = try await drivers(of: team, in: store)
    let now = zone.resolve(LocalDateTime(date: Self.first, time: .sevenInTheMorning)).standard
    let changer = ServiceChanger(
      team: team, store: store, drivers: drivers, today: ServiceToday(at: now, in: zone),
      note: ServiceChangeNote(reason: "rain", setBy: "anna", madeAt: now))
    var differences: [String] = []
    for step in 0..<steps {
      let found = try await changer.step(&self, &random)
      differences += found.map { "team \(number), step \(step), \($0)" }
    }
    try await changeRules(of: team, in: store, &random)
    return differences
  }
}

/// Makes one change after the other in the store and in the model.
private struct ServiceChanger: Sendable {
  let team: Team
  let store: any ServiceStore
  let drivers: [Int: TechnicianID]
  let today: ServiceToday
  let note: ServiceChangeNote

  /// - Returns: the differences between the store and the model.
  func step(_ model: inout ServiceModel, _ random: inout SeededNumbers) async throws -> [String] {
    let from = ServiceModel.first.adding(days: Int.random(in: -3..<ServiceModel.days - 12, using: &random))
    let to = from.adding(days: Int.random(in: -4...8, using: &random))
    let pool = Int.random(in: 0..<ServiceModel.poolsPerTeam, using: &random)
    // Most dates have no stop of one pool, so the nearest date with one is taken.
    let date =
      Int.random(in: 0..<6, using: &random) == 0
      ? from : model.lines[pool].stops.keys.filter { $0 >= from }.min() ?? from
    let target = to.adding(days: date.daysSince1970 - from.daysSince1970)
    let driver = drivers.keys.sorted().randomElement(using: &random)
    let kind = Int.random(in: 0..<9, using: &random)
    switch kind {
    case 0:
      let accepted = date >= ServiceModel.first && model.lines[pool].driver(date) != nil
      return try await change(&model, [(pool, date, nil, nil)], kind, accepted) { id, dates in
        try dates.skip(id, on: date, note)
      }
    case 1, 2, 3:
      let (technician, to) = (kind == 2 ? nil : driver, kind == 3 ? date : target)
      let accepted = model.canMove(pool, from: date, to: to, technician: technician)
      let driver = technician.flatMap { drivers[$0] }
      return try await change(&model, [(pool, date, to, technician)], kind, accepted) { id, dates in
        try dates.move(id, from: date, to: to, technician: driver, note)
      }
    case 4, 5:
      let only = kind == 4 ? nil : driver
      let all = model.lines.indices.filter { index in
        model.lines[index].driver(date).map { only == nil || $0 == only } ?? false
      }
      let accepted =
        date != target && !all.isEmpty
        && all.allSatisfy { model.canMove($0, from: date, to: target, technician: nil) }
      let technician = only.flatMap { drivers[$0] }
      return try await change(&model, all.map { ($0, date, target, nil) }, kind, accepted) { _, dates in
        try dates.moveDay(date, to: target, of: technician, note)
      }
    case 6, 7: return try await cover(&model, date, absent: driver ?? 0, &random)
    default: return try await undo(&model, &random)
    }
  }

  private typealias Planned = (pool: Int, from: CivilDate, to: CivilDate?, technician: Int?)

  /// Makes a change, whose first pool the closure gets.
  private func change(
    _ model: inout ServiceModel, _ planned: [Planned], _ kind: Int, _ accepted: Bool,
    _ plan: @escaping @Sendable (PoolID, ServiceDates) throws -> [ServiceDateChange]
  ) async throws -> [String] {
    let id = planned.first.map { model.lines[$0.pool].pool.id } ?? PoolID(Samples.uuid(0))
    let changes = planned.map {
      ServiceModel.Change(pool: $0.pool, from: $0.from, to: $0.to, technician: $0.technician)
    }
    return try await apply(&model, changes, "kind \(kind): \(planned)", accepted) { try plan(id, $0) }
  }

  private func apply(
    _ model: inout ServiceModel, _ changes: [ServiceModel.Change], _ words: String, _ accepted: Bool,
    _ plan: @escaping @Sendable (ServiceDates) throws -> [ServiceDateChange]
  ) async throws -> [String] {
    do {
      let made = try await store.changeDates(of: team.id, today: today, plan: plan).changes
      if let batch = made.first?.batch { model.apply(changes, batch: batch) }
      return accepted && made.count == changes.count ? [] : ["\(words): \(made.count) changes were made"]
    } catch let error as ServiceDateError {
      return accepted ? ["\(words): \(error)"] : []
    }
  }

  /// Gives the stops of a technician to others, most of them, at random positions.
  private func cover(
    _ model: inout ServiceModel, _ date: CivilDate, absent: Int, _ random: inout SeededNumbers
  ) async throws -> [String] {
    guard let away = drivers[absent] else { return [] }
    let others = drivers.keys.sorted().filter { $0 != absent || Int.random(in: 0..<8, using: &random) == 0 }
      .filter { _ in Int.random(in: 0..<5, using: &random) > 0 }
    let accepted = model.canCover(date, of: absent, by: others)
    var days = try await stops(on: date, of: others)
    var changes: [ServiceModel.Change] = []
    let covered = model.lines.indices.filter { model.lines[$0].driver(date) == absent }
    for (number, pool) in covered.enumerated() where !others.isEmpty {
      guard number == 0 || Int.random(in: 0..<5, using: &random) > 0 else { continue }
      let other = Int.random(in: 0..<others.count, using: &random)
      days[other].insert(pool, at: Int.random(in: 0...days[other].count, using: &random))
    }
    for (other, pools) in zip(others, days) {
      // The stops that they have already stay as they are.
      for pool in pools where covered.contains(pool) {
        changes.append(.init(pool: pool, from: date, to: date, technician: other))
      }
    }
    let ids = days.map { $0.map { model.lines[$0].pool.id } }
    let technicians = others.compactMap { drivers[$0] }
    let differences = try await apply(
      &model, changes, "cover of \(date) for \(absent) by \(others)", accepted
    ) { dates in
      _ = try dates.checkCover(date, of: away, by: technicians)
      return try dates.cover(date, of: away, by: zip(technicians, ids).map { (technician: $0, stops: $1) }, note)
    }
    guard accepted else { return differences }
    // The date has the order of the cover.
    let told = try await stops(on: date, of: others)
    return differences + (told == days ? [] : ["the order of \(date) is \(told) instead of \(days)"])
  }

  /// Each technician's stops of a date, by their index in the model, in the order of the date.
  private func stops(on date: CivilDate, of technicians: [Int]) async throws -> [[Int]] {
    let facts = try await store.facts([.everyDay(of: team.id)]).first ?? nil
    let stops = facts?.stops(on: date) ?? []
    return technicians.map { technician in
      stops.filter { $0.technicianID == drivers[technician] }.compactMap { stop in
        (0..<ServiceModel.poolsPerTeam).first { PoolID(Samples.uuid($0 + 1)) == stop.poolID }
      }
    }
  }

  private func undo(_ model: inout ServiceModel, _ random: inout SeededNumbers) async throws -> [String] {
    guard let batch = model.batches.randomElement(using: &random) else { return [] }
    let accepted = model.canUndo(batch)
    do {
      _ = try await store.undoDates(batch: batch.id, of: team.id, today: today)
      model.undo(batch)
      return accepted ? [] : ["undo of \(batch): it was accepted"]
    } catch let error as ServiceDateError {
      return accepted ? ["undo of \(batch): \(error)"] : []
    }
  }
}
