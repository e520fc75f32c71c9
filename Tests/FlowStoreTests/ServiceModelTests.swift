import FlowCalendar
import FlowModel
import FlowNotices
import FlowPlatform
import FlowStore
import FlowTestKit
import FlowWork
import PoolJobs
import PoolModel
import PoolStore
import Testing

@testable import PoolDigests

/// Compares the stops of every date with a model of "which pools are served on which date" that shares no code with poolflow.
struct ServiceModelTests {
  private static let teams = 20
  private static let poolsPerTeam = 12
  private static let days = 730
  private static let first = CivilDate(year: 2026, month: 1, day: 5)

  /// The technician of each date of service of one pool, as a table; changes of single dates are moves of its entries.
  private struct ModelDates {
    /// A stop: its technician, nil for the pool's own, and the batches of the changes that led there.
    struct Entry: Equatable {
      var technician: Int?
      var batches: [Int64] = []
    }

    var stops: [CivilDate: Entry] = [:]

    /// Whether the stop of a date can be moved to another one.
    func canMove(_ date: CivilDate, to other: CivilDate) -> Bool {
      guard stops[date] != nil, stops[other] == nil else { return false }
      return !stops.keys.contains { min(date, other) < $0 && $0 < max(date, other) }
    }
  }

  /// A batch of changes of the model, with what undoes it.
  private struct ModelBatch {
    /// One change: the new date, nil for a skip, and the entry that the date had before.
    struct Change {
      let pool: Int
      let from: CivilDate
      let to: CivilDate?
      let before: ModelDates.Entry
    }

    let id: Int64
    let changes: [Change]
  }

  /// A pool of the model: a condition written out as arithmetic, and the text that says the same to poolflow.
  private struct ModelPool {
    let pool: Pool
    /// Nil for every week.
    var rule: String?
    var pauses: [(first: CivilDate, last: CivilDate)] = []
    var technician = 0
    var dates = ModelDates()
    let isByRule: @Sendable (CivilDate) -> Bool

    init(pool: Pool, rule: String? = nil, isByRule: @escaping @Sendable (CivilDate) -> Bool) {
      self.pool = pool
      self.rule = rule
      self.isByRule = isByRule
    }

    func isPaused(_ date: CivilDate) -> Bool { pauses.contains { $0.first <= date && date <= $0.last } }

    func driver(_ date: CivilDate) -> Int? { dates.stops[date].map { $0.technician ?? technician } }
  }

  private static func modelPool(_ number: Int, _ random: inout SeededNumbers) -> ModelPool {
    let day = Weekday.allCases[Int.random(in: 0..<7, using: &random)]
    let pool = Samples.pool(
      number, customer: "Customer \(number)", day: day, order: Int.random(in: 0..<5, using: &random))
    let word = day.abbreviation
    switch Int.random(in: 0..<9, using: &random) {
    case 0:
      let weeks = Int.random(in: 2...6, using: &random)
      var anchor = first.adding(days: Int.random(in: -40..<200, using: &random))
      while anchor.weekday != day { anchor = anchor.adding(days: 1) }
      return ModelPool(pool: pool, rule: "every \(weeks) weeks from \(anchor)") { [anchor] date in
        let distance = date.daysSince1970 - anchor.daysSince1970
        return distance >= 0 && distance % (7 * weeks) == 0
      }
    case 1:
      let other = day.next.next.next
      return ModelPool(pool: pool, rule: "\(word),\(other.abbreviation)") { $0.weekday == day || $0.weekday == other }
    case 2: return ModelPool(pool: pool, rule: "\(word) *-*-1..7") { $0.weekday == day && $0.day <= 7 }
    case 3:
      return ModelPool(pool: pool, rule: "\(word) *-04..10-*") { $0.weekday == day && (4...10).contains($0.month) }
    case 4:
      let last = first.adding(days: Int.random(in: 1..<days, using: &random))
      return ModelPool(pool: pool, rule: "\(word) *-*-* until \(last)") { $0.weekday == day && $0 <= last }
    case 5: return ModelPool(pool: pool, rule: "*-*-15") { $0.day == 15 }
    default: return ModelPool(pool: pool) { $0.weekday == day }
    }
  }

  /// One team of the model with its days off.
  private struct ModelTeam {
    var pools: [ModelPool]
    let closed: [(first: CivilDate, last: CivilDate)]
    /// The days on which each technician is away.
    let away: [(technician: Int, first: CivilDate, last: CivilDate)]
    var batches: [ModelBatch] = []

    func isClosed(_ date: CivilDate) -> Bool { closed.contains { $0.first <= date && date <= $0.last } }

    func isAway(_ technician: Int, _ date: CivilDate) -> Bool {
      away.contains { $0.technician == technician && $0.first <= date && date <= $0.last }
    }

    /// The number of the technician of each pool that is served on a date.
    func served(_ date: CivilDate) -> [PoolID: Int] {
      Dictionary(
        pools.compactMap { pool in pool.driver(date).map { (pool.pool.id, $0) } },
        uniquingKeysWith: { first, _ in first })
    }

    /// Whether a stop can be moved to a date and technician; nil for the pool's own.
    func canMove(_ pool: Int, from: CivilDate, to: CivilDate, technician: Int?) -> Bool {
      let own = pools[pool]
      guard let driver = own.driver(from), to >= first, from >= first, !isClosed(to) else { return false }
      let next = technician ?? own.technician
      guard !isAway(next, to) else { return false }
      return from == to ? next != driver : !own.isPaused(to) && own.dates.canMove(from, to: to)
    }

    /// Applies changes as one batch.
    mutating func apply(_ changes: [(pool: Int, from: CivilDate, to: CivilDate?, technician: Int?)], batch: Int64) {
      var made: [ModelBatch.Change] = []
      for change in changes {
        guard let before = pools[change.pool].dates.stops.removeValue(forKey: change.from) else { continue }
        made.append(.init(pool: change.pool, from: change.from, to: change.to, before: before))
        if let date = change.to {
          pools[change.pool].dates.stops[date] = ModelDates.Entry(
            technician: change.technician, batches: before.batches + [batch])
        }
      }
      batches.append(ModelBatch(id: batch, changes: made))
    }

    /// Whether no later change moved the stops of a batch, and the dates that they had are free.
    func canUndo(_ batch: ModelBatch) -> Bool {
      batch.changes.allSatisfy { change in
        let stops = pools[change.pool].dates.stops
        guard change.from >= first else { return false }
        if let date = change.to { guard stops[date]?.batches.last == batch.id else { return false } }
        return change.to == change.from || stops[change.from] == nil
      }
    }

    mutating func undo(_ batch: ModelBatch) {
      for change in batch.changes {
        if let date = change.to { pools[change.pool].dates.stops[date] = nil }
        pools[change.pool].dates.stops[change.from] = change.before
      }
      batches.removeAll { $0.id == batch.id }
    }
  }

  private static func range(_ random: inout SeededNumbers) -> (first: CivilDate, last: CivilDate) {
    let start = first.adding(days: Int.random(in: 0..<days, using: &random))
    return (start, start.adding(days: Int.random(in: 0..<30, using: &random)))
  }

  private static func modelTeam(_ random: inout SeededNumbers) -> ModelTeam {
    let pools = (1...poolsPerTeam).map { number in
      var pool = modelPool(number, &random)
      pool.pauses = (0..<Int.random(in: 0...2, using: &random)).map { _ in range(&random) }
      pool.technician = Int.random(in: 0..<technicians.count, using: &random)
      // Beyond the two years, because a stop may be moved up to its next date.
      for date in (0..<days + 100).map({ first.adding(days: $0) }) where pool.isByRule(date) && !pool.isPaused(date) {
        pool.dates.stops[date] = .init()
      }
      return pool
    }
    return ModelTeam(
      pools: pools, closed: (0..<3).map { _ in range(&random) },
      away: (0..<6).map { _ in
        let days = range(&random)
        return (Int.random(in: 0..<technicians.count, using: &random), days.first, days.last)
      })
  }

  private static let technicians = ["anna", "ben", "maria"]

  private static let zones = ["America/Phoenix", "America/New_York", "Europe/Berlin", "Australia/Lord_Howe"]

  @Test(arguments: Engine.all)
  func `every consumer agrees with the model of rules, pauses and changes over two years`(engine: Engine) async throws {
    let folder = try TemporaryFolder()
    let sources = SystemZones()
    for number in 0..<Self.teams {
      var random = SeededNumbers(seed: UInt64(number) + 52)
      var model = Self.modelTeam(&random)
      let zone = try sources.zone(named: Self.zones[number % Self.zones.count])
      func morning(_ date: CivilDate) -> Timestamp {
        zone.resolve(LocalDateTime(date: date, time: .sevenInTheMorning)).standard
      }
      var store = try engine.open(folder.path, morning(Self.first))
      let team = try await add(model, "team-\(number)", zone: zone.name, to: store, now: morning(Self.first))
      // Another process reads and changes what this one wrote.
      store = try engine.open(folder.path, morning(Self.first))
      try await change(&model, team, zone, in: store, &random, seed: number)
      store = try engine.open(folder.path, morning(Self.first))
      try await compare(model, team, zone, store, seed: number, morning)
    }
  }

  private func add(
    _ model: ModelTeam, _ name: String, zone: String, to store: any Engine.Opened, now: Timestamp
  ) async throws -> Team {
    var sample = Samples.team(zone: zone)
    sample.name = name
    let team = try await store.addTeam(sample, defaultTechnician: "anna", now: now) { _ in [] }
    _ = try await store.replaceRecords(
      team: name, technician: nil,
      records: RecordSet(
        pools: model.pools.map(\.pool),
        profiles: model.pools.map { Samples.profile(of: $0.pool.id, tags: "tech:\(Self.technicians[$0.technician])") }),
      photos: [:], now: now, dryRun: false)
    for pool in model.pools {
      if let text = pool.rule {
        let rule = try CalendarDates(text)
        _ = try await store.changePool(
          pool.pool.id, of: team.id, change: { _ in }, people: nil, rule: { _, _ in rule })
      }
      let pauses = try pool.pauses.map {
        ServicePause(id: 0, days: try DaySpan(first: $0.first, last: $0.last), reason: "", setBy: "anna")
      }
      _ = try await store.changePauses(of: pool.pool.id, team: team.id) { _ in PauseChange(added: pauses) }
    }
    let drivers = try await drivers(of: team, in: store)
    let off =
      try model.closed.map {
        DayOff(id: 0, technicianID: nil, span: try DaySpan(first: $0.first, last: $0.last), note: "", setBy: "anna")
      }
      + model.away.compactMap { days in
        try drivers[days.technician].map {
          DayOff(
            id: 0, technicianID: $0, span: try DaySpan(first: days.first, last: days.last), note: "", setBy: "anna")
        }
      }
    _ = try await store.addDaysOff(off, to: name, now: now, check: { _ in }, plan: { _ in [] })
    return try #require(try await store.team(team.id))
  }

  /// The technicians by their number in the model; those without a pool do not exist.
  private func drivers(of team: Team, in store: any Engine.Opened) async throws -> [Int: TechnicianID] {
    Dictionary(
      try await store.technicians(of: team.id).compactMap { technician in
        Self.technicians.firstIndex(of: technician.name).map { ($0, technician.id) }
      }, uniquingKeysWith: { first, _ in first })
  }

  /// Changes dates at random: the store and the model accept and refuse the same changes.
  private func change(
    _ model: inout ModelTeam, _ team: Team, _ zone: Zone, in store: any Engine.Opened,
    _ random: inout SeededNumbers, seed: Int
  ) async throws {
    let drivers = try await drivers(of: team, in: store)
    let now = zone.resolve(LocalDateTime(date: Self.first, time: .sevenInTheMorning)).standard
    let today = ServiceToday(at: now, in: zone)
    let note = ServiceChangeNote(reason: "rain", setBy: "anna", madeAt: now)
    for step in 0..<40 {
      let from = Self.first.adding(days: Int.random(in: -3..<Self.days - 12, using: &random))
      let to = from.adding(days: Int.random(in: -4...8, using: &random))
      let pool = Int.random(in: 0..<Self.poolsPerTeam, using: &random)
      let id = model.pools[pool].pool.id
      // Most dates have no stop of one pool, so the nearest date with one is taken.
      let date =
        Int.random(in: 0..<6, using: &random) == 0
        ? from : model.pools[pool].dates.stops.keys.filter { $0 >= from }.min() ?? from
      let target = to.adding(days: date.daysSince1970 - from.daysSince1970)
      let driver = drivers.keys.sorted().randomElement(using: &random)
      let kind = Int.random(in: 0..<7, using: &random)
      let (accepted, changes): (Bool, [(pool: Int, from: CivilDate, to: CivilDate?, technician: Int?)])
      switch kind {
      case 0:
        accepted = date >= Self.first && model.pools[pool].driver(date) != nil
        changes = [(pool, date, nil, nil)]
      case 1, 2:
        let technician = kind == 1 ? driver : nil
        accepted = model.canMove(pool, from: date, to: target, technician: technician)
        changes = [(pool, date, target, technician)]
      case 3:
        accepted = model.canMove(pool, from: date, to: date, technician: driver)
        changes = [(pool, date, date, driver)]
      case 4, 5:
        let only = kind == 4 ? nil : driver
        let all = model.pools.indices.filter { index in
          model.pools[index].driver(date).map { only == nil || $0 == only } ?? false
        }
        accepted =
          date != target && !all.isEmpty
          && all.allSatisfy { model.canMove($0, from: date, to: target, technician: nil) }
        changes = all.map { ($0, date, target, nil) }
      default:
        guard let batch = model.batches.randomElement(using: &random) else { continue }
        let isAccepted = model.canUndo(batch)
        do {
          _ = try await store.undoDates(batch: batch.id, of: team.id, today: today)
          #expect(isAccepted, "seed \(seed), step \(step): undo of \(batch)")
          model.undo(batch)
        } catch let error as ServiceDateError {
          #expect(!isAccepted, "seed \(seed), step \(step): \(error)")
        }
        continue
      }
      do {
        let technician = driver.flatMap { drivers[$0] }
        let made = try await store.changeDates(of: team.id, today: today) { dates in
          switch kind {
          case 0: try dates.skip(id, on: date, note)
          case 1: try dates.move(id, from: date, to: target, technician: technician, note)
          case 2: try dates.move(id, from: date, to: target, technician: nil, note)
          case 3: try dates.move(id, from: date, to: date, technician: technician, note)
          case 4: try dates.moveDay(date, to: target, of: nil, note)
          default: try dates.moveDay(date, to: target, of: technician, note)
          }
        }.changes
        let text: Comment = "seed \(seed), step \(step), kind \(kind), \(date) to \(target)"
        #expect(accepted && made.count == changes.count, text)
        if let batch = made.first?.batch { model.apply(changes, batch: batch) }
      } catch let error as ServiceDateError {
        #expect(!accepted, "seed \(seed), step \(step), kind \(kind), \(date) to \(target): \(error)")
      }
    }
  }

  private func compare(
    _ model: ModelTeam, _ team: Team, _ zone: Zone, _ store: any Engine.Opened, seed: Int,
    _ morning: (CivilDate) -> Timestamp
  ) async throws {
    let all = try #require(try await store.facts([.everyDay(of: team.id)]).first ?? nil)
    let services = try await store.services(of: team.id)
    let stops = try await store.routeStops(of: team.id)
    let pools = try await store.allPools(of: team.id)
    let drivers = try await drivers(of: team, in: store)
    var open: [PoolID: [CivilDate]] = [:]
    for offset in 0..<Self.days {
      let date = Self.first.adding(days: offset)
      let served = model.served(date).mapValues { drivers[$0] }
      func technicians(_ stops: [(PoolID, TechnicianID)]) -> [PoolID: TechnicianID?] {
        Dictionary(stops.map { ($0.0, Optional($0.1)) }, uniquingKeysWith: { _, _ in nil })
      }
      #expect(
        technicians(all.stops(on: date).map { ($0.poolID, $0.technicianID) }) == served, "seed \(seed), \(date)")
      #expect(all.pools(on: date, of: nil) == (model.isClosed(date) ? 0 : served.count), "seed \(seed), \(date)")
      for (number, technician) in drivers {
        let own = model.isClosed(date) || model.isAway(number, date) ? 0 : served.values.count { $0 == technician }
        #expect(all.pools(on: date, of: technician) == own, "seed \(seed), \(date), \(number)")
      }
      let due = stops.due(from: date, by: services).filter { $0.day == date.weekday }
      #expect(technicians(due.map { ($0.poolID, $0.technicianID) }) == served, "seed \(seed), \(date)")
      for pool in served.keys where !model.isClosed(date) { open[pool, default: []].append(date) }
    }
    // Nothing was visited, so every date of service on a working day since the pool was added is missed.
    let dates = (0..<Self.days).map { Self.first.adding(days: $0) }
    for pool in pools {
      let made = zone.local(at: pool.createdAt).date
      let missed = pool.missedDays(
        dates, [], all.daysOff, services, today: Self.first.adding(days: Self.days + 10), zone)
      #expect(missed == (open[pool.id] ?? []).filter { $0 >= made }, "seed \(seed), \(pool.customerName)")
    }
    for offset in stride(from: seed, to: Self.days, by: 23) {
      try await compareNotices(model, team, zone, store, seed: seed, on: Self.first.adding(days: offset), morning)
    }
  }

  /// Decides the notices of one date as the daemon does.
  private func compareNotices(
    _ model: ModelTeam, _ team: Team, _ zone: Zone, _ store: any Engine.Opened, seed: Int, on date: CivilDate,
    _ morning: (CivilDate) -> Timestamp
  ) async throws {
    let tomorrow = date.adding(days: 1)
    for (kind, about) in [(JobKind.morningSummary, date), (.routePreview, tomorrow)] {
      let now = morning(date)
      let request = FactsRequest(team: team.id, kind: kind, asOf: now, now: now, zone: zone)
      let facts = try #require(try await store.facts([request]).first ?? nil)
      let moment = DigestMoment(zone: zone, asOf: now)
      let decision = try #require(kind.scenario).decide(facts, DecisionMoment(digest: moment, now: now, kind: kind))
      let served = model.isClosed(about) ? [:] : model.served(about)
      guard case .notice(let draft) = decision else {
        #expect(served.isEmpty, "seed \(seed), \(kind.rawValue) of \(date)")
        continue
      }
      let digest = try #require(draft.kept as? MorningDigest)
      let told = digest.sections.flatMap { section in section.stops.map { ($0.poolID, section.technician) } }
      #expect(
        Dictionary(told, uniquingKeysWith: { _, _ in "twice" })
          == Dictionary(
            uniqueKeysWithValues: served.map { ($0.key.description, Self.technicians[$0.value]) }),
        "seed \(seed), \(kind.rawValue) of \(date)")
    }
  }
}
