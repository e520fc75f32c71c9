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

  /// A pool of the model: a condition written out as arithmetic, and the text that says the same to poolflow.
  private struct ModelPool {
    let pool: Pool
    /// Nil for every week.
    var rule: String?
    var pauses: [(first: CivilDate, last: CivilDate)] = []
    let isByRule: @Sendable (CivilDate) -> Bool

    func isServed(_ date: CivilDate) -> Bool {
      isByRule(date) && !pauses.contains { $0.first <= date && date <= $0.last }
    }
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
    let pools: [ModelPool]
    let closed: [(first: CivilDate, last: CivilDate)]

    func isClosed(_ date: CivilDate) -> Bool { closed.contains { $0.first <= date && date <= $0.last } }

    func served(_ date: CivilDate) -> Set<PoolID> { Set(pools.filter { $0.isServed(date) }.map(\.pool.id)) }
  }

  private static func range(_ random: inout SeededNumbers) -> (first: CivilDate, last: CivilDate) {
    let start = first.adding(days: Int.random(in: 0..<days, using: &random))
    return (start, start.adding(days: Int.random(in: 0..<30, using: &random)))
  }

  private static func modelTeam(_ random: inout SeededNumbers) -> ModelTeam {
    let pools = (1...poolsPerTeam).map { number in
      var pool = modelPool(number, &random)
      pool.pauses = (0..<Int.random(in: 0...2, using: &random)).map { _ in range(&random) }
      return pool
    }
    return ModelTeam(pools: pools, closed: (0..<3).map { _ in range(&random) })
  }

  private static let zones = ["America/Phoenix", "America/New_York", "Europe/Berlin", "Australia/Lord_Howe"]

  @Test(arguments: Engine.all)
  func `every consumer agrees with the model over two years`(engine: Engine) async throws {
    let folder = try TemporaryFolder()
    let sources = SystemZones()
    for number in 0..<Self.teams {
      var random = SeededNumbers(seed: UInt64(number) + 52)
      let model = Self.modelTeam(&random)
      let zone = try sources.zone(named: Self.zones[number % Self.zones.count])
      func morning(_ date: CivilDate) -> Timestamp {
        zone.resolve(LocalDateTime(date: date, time: .sevenInTheMorning)).standard
      }
      var store = try engine.open(folder.path, morning(Self.first))
      let team = try await add(model, "team-\(number)", zone: zone.name, to: store, now: morning(Self.first))
      // Another process reads what this one wrote.
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
      team: name, technician: nil, records: RecordSet(pools: model.pools.map(\.pool)), photos: [:], now: now,
      dryRun: false)
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
    let off = try model.closed.map {
      DayOff(id: 0, technicianID: nil, span: try DaySpan(first: $0.first, last: $0.last), note: "", setBy: "anna")
    }
    _ = try await store.addDaysOff(off, to: name, now: now, check: { _ in }, plan: { _ in [] })
    return try #require(try await store.team(team.id))
  }

  private func compare(
    _ model: ModelTeam, _ team: Team, _ zone: Zone, _ store: any Engine.Opened, seed: Int,
    _ morning: (CivilDate) -> Timestamp
  ) async throws {
    let all = try #require(try await store.facts([.everyDay(of: team.id)]).first ?? nil)
    let services = try await store.services(of: team.id)
    let stops = try await store.routeStops(of: team.id)
    let pools = try await store.allPools(of: team.id)
    var open: [PoolID: [CivilDate]] = [:]
    for offset in 0..<Self.days {
      let date = Self.first.adding(days: offset)
      let served = model.served(date)
      #expect(Set(all.stops(on: date).map(\.poolID)) == served, "seed \(seed), \(date)")
      #expect(all.pools(on: date, of: nil) == (model.isClosed(date) ? 0 : served.count), "seed \(seed), \(date)")
      #expect(
        Set(stops.due(from: date, by: services).filter { $0.day == date.weekday }.map(\.poolID)) == served,
        "seed \(seed), \(date)")
      for pool in served where !model.isClosed(date) { open[pool, default: []].append(date) }
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
      let served = model.isClosed(about) ? [] : model.served(about)
      guard case .notice(let draft) = decision else {
        #expect(served.isEmpty, "seed \(seed), \(kind.rawValue) of \(date)")
        continue
      }
      let digest = try #require(draft.kept as? MorningDigest)
      let told = digest.sections.flatMap(\.stops).map(\.poolID)
      #expect(Set(told) == Set(served.map(\.description)), "seed \(seed), \(kind.rawValue) of \(date)")
    }
  }
}
