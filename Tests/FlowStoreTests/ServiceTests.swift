import FlowCalendar
import FlowModel
import FlowStore
import FlowTestKit
import PoolDigests
import PoolModel
import PoolStore
import Testing

/// Rules and pauses of the service of pools in the store.
struct ServiceTests {
  private let folder: TemporaryFolder
  private let now = Samples.mondayMorning
  /// Monday.
  private let today = CivilDate(year: 2026, month: 3, day: 2)

  init() throws { folder = try TemporaryFolder() }

  private func team(_ store: any Engine.Opened) async throws -> (team: Team, pools: [Pool]) {
    let team = try await store.addTeam(Samples.team(), defaultTechnician: "anna", now: now) { _ in [] }
    let pools = [
      Samples.pool(1, order: 0), Samples.pool(2, order: 1), Samples.pool(3, day: .thursday, order: 0),
      Samples.pool(4, day: .thursday, order: 1),
    ]
    try await restore(pools, of: team, in: store)
    return (team, pools)
  }

  private func restore(_ pools: [Pool], of team: Team, in store: any Engine.Opened) async throws {
    _ = try await store.replaceRecords(
      team: team.name, technician: nil, records: RecordSet(pools: pools), photos: [:], now: now, dryRun: false)
  }

  private func setRule(_ text: String?, of pool: Pool, _ team: Team, in store: any Engine.Opened) async throws {
    let rule = try text.map { try CalendarDates($0) }
    _ = try await store.changePool(
      pool.id, of: team.id, change: { _ in }, people: nil, rule: { _, _ in rule })
  }

  private func pause(_ days: String, _ pool: Pool, _ team: Team, in store: any Engine.Opened) async throws
    -> ServicePause
  {
    let pause = ServicePause(
      id: 0, days: try DaySpan(days, today: today), reason: "family away", setBy: "anna (uid 1000)")
    let change = try await store.changePauses(of: pool.id, team: team.id, today: nil) { _ in PauseChange(added: [pause])
    }
    return try #require(change?.added.first)
  }

  private func stops(_ date: CivilDate, _ team: Team, in store: any Engine.Opened) async throws -> [PoolID] {
    let facts = try await store.facts([FactsRequest(team: team.id, days: Weekday.allCases)])
    return try #require(facts.first ?? nil).stops(on: date).map(\.poolID)
  }

  @Test(arguments: Engine.all)
  func `rules and pauses are stored, and end with their pool`(engine: Engine) async throws {
    var store = try engine.open(folder.path, now)
    let (team, pools) = try await team(store)
    #expect(try await store.services(of: team.id) == .weekly)
    try await setRule("Mon,Thu", of: pools[0], team, in: store)
    let first = try await pause("2026-03-09..2026-03-12", pools[0], team, in: store)
    let second = try await pause("*-12-20..31", pools[1], team, in: store)
    store = try engine.open(folder.path, now)
    var services = try await store.services(of: team.id)
    #expect(Set(services.pools) == [pools[0].id, pools[1].id])
    #expect(services[pools[0].id]?.rule?.description == "Mon,Thu *-*-*")
    #expect(services[pools[0].id]?.pauses == [first] && services[pools[1].id]?.pauses == [second])
    #expect(services[pools[1].id]?.rule == nil)
    // An archive of the app has no rules, so those of its pools stay; a pool that it lacks loses them.
    try await restore([pools[0], pools[2], pools[3]], of: team, in: store)
    services = try await store.services(of: team.id)
    #expect(Set(services.pools) == [pools[0].id] && services[pools[0].id]?.pauses == [first])
    let gone = try await store.changePauses(of: pools[0].id, team: team.id, today: nil) {
      PauseChange(removed: $0.pauses)
    }
    #expect(gone?.removed == [first])
    #expect(try await store.services(of: team.id)[pools[0].id]?.pauses == [])
    try await setRule(nil, of: pools[0], team, in: store)
    #expect(try await store.services(of: team.id) == .weekly)
    #expect(try await store.changePauses(of: pools[1].id, team: team.id, today: nil) { _ in PauseChange() } == nil)
    try await setRule("every 2 weeks from 2026-03-02", of: pools[0], team, in: store)
    #expect(try await store.removePool(pools[0].id, of: team.id, today: nil))
    #expect(try await store.services(of: team.id) == .weekly)
  }

  @Test(arguments: Engine.all)
  func `a refused pause changes nothing`(engine: Engine) async throws {
    struct Refused: Error {}
    let store = try engine.open(folder.path, now)
    let (team, pools) = try await team(store)
    let before = try engine.dump(folder.path)
    await #expect(throws: Refused.self) {
      try await store.changePauses(of: pools[0].id, team: team.id, today: nil) { _ in throw Refused() }
    }
    await #expect(throws: Refused.self) {
      try await store.changePool(
        pools[0].id, of: team.id, change: { $0.notes = "x" }, people: nil, rule: { _, _ in throw Refused() })
    }
    #expect(try engine.dump(folder.path) == before)
  }

  @Test(arguments: Engine.all)
  func `the order of a weekday is kept for the pools that are due`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let (team, pools) = try await team(store)
    let ids = pools.map(\.id)
    try await setRule("Mon,Thu", of: pools[1], team, in: store)
    try await setRule("every 2 weeks from 2026-03-05", of: pools[2], team, in: store)
    let thursday = today.adding(days: 3)
    #expect(try await stops(today, team, in: store) == [ids[0], ids[1]])
    // Without an order of its own on Thursdays, the pool has the one of its Mondays.
    #expect(try await stops(thursday, team, in: store) == [ids[2], ids[1], ids[3]])
    #expect(try await stops(thursday.adding(days: 7), team, in: store) == [ids[1], ids[3]])
    let services = try await store.services(of: team.id)
    let all = try await store.routeStops(of: team.id)
    let day = try #require(all.last?.routeDay)
    func due(_ date: CivilDate) -> [PoolID] {
      all.due(from: date, by: services).filter { $0.day == .thursday }.map(\.poolID)
    }
    #expect(due(today) == [ids[2], ids[1], ids[3]] && due(today.adding(days: 7)) == [ids[1], ids[3]])
    // The order of the second week moves nothing else of Thursday and nothing of Monday.
    #expect(
      try await store.setRoute(
        [ids[3], ids[1]], known: [ids[1], ids[3]], on: day, of: team.id, now: now, keeping: nil) == .done)
    #expect(try await stops(thursday.adding(days: 7), team, in: store) == [ids[3], ids[1]])
    #expect(try await stops(thursday, team, in: store) == [ids[2], ids[3], ids[1]])
    #expect(try await stops(today, team, in: store) == [ids[0], ids[1]])
    #expect(
      try await store.setRoute([ids[3]], known: [ids[3]], on: day, of: team.id, now: now, keeping: nil) == .nothing)
    #expect(
      try await store.setRoute([ids[1]], known: [ids[1]], on: day, of: team.id, now: now, keeping: nil)
        == .changedMeanwhile)
    #expect(try await store.undoRoute(on: day, of: team.id) == .done)
    #expect(try await stops(thursday, team, in: store) == [ids[2], ids[1], ids[3]])
  }

  @Test(arguments: Engine.all)
  func `a pin on a second weekday is stored with its order there`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let (team, pools) = try await team(store)
    let ids = pools.map(\.id)
    try await setRule("Mon,Thu", of: pools[1], team, in: store)
    func stop(_ pool: PoolID, _ day: Weekday) async throws -> DayStop? {
      try await store.routeStops(of: team.id).first { $0.poolID == pool && $0.day == day }
    }
    func pins() async throws -> [Int?] {
      [try await stop(ids[1], .monday)?.pin, try await stop(ids[1], .thursday)?.pin]
    }
    // Without a pin of its own, the second weekday has the pool's pin.
    try await store.setPin(2, of: ids[1], on: .monday, team: team.id)
    #expect(try await pins() == [2, 2])
    try await store.setPin(3, of: ids[1], on: .thursday, team: team.id)
    #expect(try await pins() == [2, 3])
    #expect(try await stop(ids[1], .thursday)?.routeOrder == stop(ids[1], .monday)?.routeOrder)
    try await store.setPin(nil, of: ids[1], on: .thursday, team: team.id)
    #expect(try await pins() == [2, nil])
    let day = try #require(try await stop(ids[1], .thursday)).routeDay
    let known = try await store.routeStops(of: team.id).filter { $0.routeDay == day }.map(\.poolID)
    let order = known.filter { $0 != ids[1] } + [ids[1]]
    #expect(
      try await store.setRoute(
        order, known: known, on: day, of: team.id, now: now, keeping: (pool: ids[1], place: order.count)) == .done)
    #expect(try await pins() == [2, order.count])
    #expect(try await stop(ids[1], .thursday)?.routeOrder == order.count - 1)
    // A pool with one weekday has its pin in its profile.
    try await store.setPin(2, of: ids[3], on: .thursday, team: team.id)
    #expect(try await stop(ids[3], .thursday)?.pin == 2)
  }

  @Test(arguments: Engine.all)
  func `a restore replaces rules and orders; an archive without them keeps both`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let (team, pools) = try await team(store)
    try await setRule("Mon,Thu", of: pools[1], team, in: store)
    func restore(_ services: [PoolServiceRecord]?) async throws -> Int {
      let records = RecordSet(pools: pools, services: services)
      return try await store.restore(
        [RestoredPart(technician: nil, isOwn: false, records: records)], over: .team, of: team.name, photos: [:],
        now: now, dryRun: false, change: nil, limitsPools: false
      ).servicesKept
    }
    func thursday() async throws -> DayStop? {
      try await store.routeStops(of: team.id).first { $0.poolID == pools[1].id && $0.day == .thursday }
    }
    let rule = try CalendarDates("Mon,Thu")
    let orders = [ServiceOrder(day: .thursday, routeOrder: 7, pin: 3)]
    #expect(
      try await restore([PoolServiceRecord(poolID: pools[1].id, rule: rule, pauses: [], orders: orders)]) == 0)
    let restored = try #require(try await thursday())
    #expect(restored.routeOrder == 7 && restored.pin == 3)
    // An archive of an earlier version has rules without orders.
    #expect(try await restore([PoolServiceRecord(poolID: pools[1].id, rule: rule, pauses: [])]) == 0)
    #expect(try await thursday()?.routeOrder == 7)
    #expect(try await restore(nil) == 1)
    #expect(try await thursday()?.routeOrder == 7)
    #expect(try await restore([PoolServiceRecord(poolID: pools[1].id, rule: rule, pauses: [], orders: [])]) == 0)
    #expect(try await thursday()?.routeOrder == pools[1].routeOrder)
    #expect(try await restore([]) == 0)
    #expect(try await store.services(of: team.id) == .weekly)
    // Earlier rules are replaced, too, and kept by an archive without them.
    let earlier = [EarlierRule(until: today, weekday: .monday, rule: rule)]
    for record in [
      PoolServiceRecord(poolID: pools[1].id, rule: nil, pauses: [], earlier: earlier),
      PoolServiceRecord(poolID: pools[1].id, rule: rule, pauses: [], earlier: earlier),
      PoolServiceRecord(poolID: pools[1].id, rule: rule, pauses: []),
    ] {
      #expect(try await restore([record]) == 0)
      let service = try #require(try await store.services(of: team.id)[pools[1].id])
      #expect(service.earlier == earlier && service.rule == record.rule)
    }
    #expect(try await restore([]) == 0)
    #expect(try await store.services(of: team.id)[pools[1].id]?.hasOwnDates == false)
  }

  private var serviceToday: ServiceToday { ServiceToday(at: now, in: .utc) }
  private var note: ServiceChangeNote { ServiceChangeNote(reason: "rain", setBy: "anna (uid 1000)", madeAt: now) }

  private func move(
    _ pool: Pool, _ from: CivilDate, _ to: CivilDate, _ team: Team, in store: any Engine.Opened
  ) async throws -> [ServiceDateChange] {
    let note = note
    return try await store.changeDates(of: team.id, today: serviceToday) { dates in
      try dates.move(pool.id, from: from, to: to, technician: nil, note)
    }.changes
  }

  @Test(arguments: Engine.all)
  func `changed dates are stored in batches, have an order of their own, and are undone`(engine: Engine) async throws {
    var store = try engine.open(folder.path, now)
    let (team, pools) = try await team(store)
    let ids = pools.map(\.id)
    let (monday, thursday) = (today.adding(days: 7), today.adding(days: 10))
    let plain = try await stops(thursday, team, in: store)
    let first = try await move(pools[0], monday, thursday, team, in: store)
    let note = note
    let day = try await store.changeDates(of: team.id, today: serviceToday) { dates in
      try dates.moveDay(thursday, to: thursday.adding(days: 1), of: nil, note)
    }.changes
    #expect(first.map(\.batch) == first.map(\.id) && day.count == 3)
    #expect(Set(day.map(\.batch)) == [day[0].id] && day.map(\.pool).sorted() == [ids[0], ids[2], ids[3]].sorted())
    store = try engine.open(folder.path, now)
    #expect(try await store.services(of: team.id).changes == first + day)
    #expect(try await stops(thursday, team, in: store).isEmpty)
    #expect(try await stops(monday, team, in: store) == [ids[1]])
    await #expect(
      throws: ServiceDateError.builtUpon(batch: first[0].batch, later: day[0].batch, customer: "Steve Baird")
    ) {
      try await store.undoDates(batch: first[0].batch, of: team.id, today: serviceToday)
    }
    await #expect(throws: ServiceDateError.noSuchBatch(4_711)) {
      try await store.undoDates(batch: 4_711, of: team.id, today: serviceToday)
    }
    #expect(try await store.undoDates(batch: day[0].batch, of: team.id, today: serviceToday).changes == day)
    let joined = try await stops(thursday, team, in: store)
    #expect(Set(joined) == Set(plain + [ids[0]]))
    // The order of the moved stop among those of its new date ends with this date.
    let services = try await store.services(of: team.id)
    let due = try await store.routeStops(of: team.id).due(from: monday, by: services).filter { $0.day == .thursday }
    let order = Array(due.map(\.poolID).reversed())
    #expect(
      try await store.setRoute(
        order, known: order.reversed(), on: due[0].routeDay, from: monday, of: team.id, now: now, keeping: nil) == .done
    )
    #expect(try await stops(thursday, team, in: store) == order)
    #expect(try await stops(thursday.adding(days: 7), team, in: store) == order.filter { $0 != ids[0] })
    #expect(try await store.undoRoute(on: due[0].routeDay, of: team.id) == .done)
    #expect(try await store.undoDates(batch: first[0].batch, of: team.id, today: serviceToday).changes.count == 1)
    #expect(try await store.services(of: team.id) == .weekly)
    #expect(try await stops(thursday, team, in: store) == plain)
    #expect(try await stops(monday, team, in: store) == [ids[0], ids[1]])
  }

  @Test(arguments: Engine.all)
  func `a refused change of dates changes nothing; old ones are removed`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let (team, pools) = try await team(store)
    let before = try engine.dump(folder.path)
    await #expect(throws: ServiceDateError.self) {
      try await move(pools[0], today.adding(days: -7), today, team, in: store)
    }
    await #expect(throws: ServiceDateError.self) {
      try await move(pools[2], today, today.adding(days: 1), team, in: store)
    }
    #expect(try engine.dump(folder.path) == before)
    _ = try await move(pools[0], today, today.adding(days: 1), team, in: store)
    let later = ServiceToday(at: now.advanced(by: .hours(24 * (Limits.serviceChangesRetentionDays + 2))), in: .utc)
    let note = note
    let date = try #require(PoolService(weekday: .monday).next(onOrAfter: later.date))
    let kept = try await store.changeDates(of: team.id, today: later) { dates in
      try dates.skip(pools[1].id, on: date, note)
    }.changes
    #expect(try await store.services(of: team.id).changes == kept)
    // A pool that is removed loses its changes.
    #expect(try await store.removePool(pools[1].id, of: team.id, today: nil))
    #expect(try await store.services(of: team.id) == .weekly)
  }

  @Test(arguments: Engine.all)
  func `an archive with changed dates replaces those of its pools`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let (team, pools) = try await team(store)
    _ = try await move(pools[0], today, today.adding(days: 1), team, in: store)
    let kept = try await move(pools[2], today.adding(days: 3), today.adding(days: 4), team, in: store)
    let records = try await store.services(of: team.id).changeRecords(
      of: pools, try await store.technicians(of: team.id))
    #expect(records.map(\.batch) == [1, 2] && records.map(\.from) == [today, today.adding(days: 3)])
    _ = try await store.undoDates(batch: kept[0].batch, of: team.id, today: serviceToday)
    var set = RecordSet(pools: pools)
    set.serviceChanges = records
    _ = try await store.replaceRecords(team: team.name, technician: nil, records: set, photos: [:], now: now)
    let back = try await store.services(of: team.id).changes
    #expect(back.map(\.pool) == records.map(\.poolID) && Set(back.map(\.batch)).count == 2)
    // An archive without them leaves them as they are.
    try await restore(pools, of: team, in: store)
    #expect(try await store.services(of: team.id).changes == back)
  }

  @Test(arguments: Engine.all)
  func `the rule of a customers file holds from the team's date on`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let (team, pools) = try await team(store)
    let first = today.adding(days: 1)
    _ = try await store.upsertPools(
      team: team.name, technician: nil, pools: [pools[0]], profiles: [],
      rules: NewRules([pools[0].id: try CalendarDates("Fri *-*-*")], from: first), now: now, dryRun: false,
      limitsPools: true, claim: nil)
    #expect(try await store.services(of: team.id)[pools[0].id]?.earlier.map(\.until) == [first])
  }

  @Test(arguments: Engine.all)
  func `changes of several archives are one batch if one command made them`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let (team, pools) = try await team(store)
    func change(_ pool: Pool, batch: Int, after seconds: Int64, by technician: String?) -> ServiceChangeRecord {
      ServiceChangeRecord(
        poolID: pool.id, batch: batch, from: today, to: today.adding(days: 1), technician: technician, routeOrder: nil,
        reason: "rain", setBy: "anna", madeAt: now.advanced(by: .seconds(seconds)))
    }
    func restore(_ changes: [ServiceChangeRecord]) async throws -> [ServiceDateChange] {
      let parts = changes.enumerated().map { index, change in
        RestoredPart(
          technician: nil, isOwn: false, records: RecordSet(pools: [pools[index]], serviceChanges: [change]))
      }
      _ = try await store.restore(
        parts, over: .team, of: team.name, photos: [:], now: now, dryRun: false, change: nil, limitsPools: false)
      return try await store.services(of: team.id).changes
    }
    let together = try await restore([
      change(pools[0], batch: 7, after: 0, by: "Nora"), change(pools[1], batch: 7, after: 0, by: "office"),
    ])
    #expect(Set(together.map(\.batch)).count == 1 && together.map(\.pool) == [pools[0].id, pools[1].id])
    // A technician who does not exist yet is added; the name of the office is no technician's.
    let nora = try #require(try await store.technicians(of: team.id).first { $0.name == "Nora" })
    #expect(together.map(\.technician) == [nora.id, nil])
    // Each archive of an earlier version has batches from 1 on.
    let apart = try await restore([
      change(pools[0], batch: 1, after: 60, by: nil), change(pools[1], batch: 1, after: 0, by: nil),
    ])
    #expect(Set(apart.map(\.batch)).count == 2 && apart.map(\.pool) == [pools[1].id, pools[0].id])
  }

  @Test(arguments: Engine.all)
  func `a new rule holds from its date on, the one before it until then`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let (team, pools) = try await team(store)
    func set(_ text: String?, from date: CivilDate) async throws {
      let rule = try text.map { try CalendarDates($0) }
      _ = try await store.changePool(
        pools[0].id, of: team.id, change: { _ in }, people: nil, rule: { _, _ in rule }, from: date)
    }
    try await set("every 2 weeks from 2026-03-02", from: today)
    try await set("Fri *-*-*", from: today.adding(days: 21))
    try await set(nil, from: today.adding(days: 42))
    let service = try #require(try await store.services(of: team.id)[pools[0].id])
    let days = (-14..<56).map { today.adding(days: $0) }.filter(service.isServed)
    #expect(days.map { $0.daysSince1970 - today.daysSince1970 } == [-14, -7, 0, 14, 25, 32, 39, 42, 49])
    #expect(service.next(onOrAfter: today.adding(days: 1)) == today.adding(days: 14))
    #expect(service.next(onOrAfter: today.adding(days: 15)) == today.adding(days: 25))
    try await set("Sat *-*-*", from: today.adding(days: 42 + Limits.serviceChangesRetentionDays + 1))
    #expect(try await store.services(of: team.id)[pools[0].id]?.earlier.count == 1)
  }

  @Test func `covered stops keep their order if others are undone or the day is ordered again`() throws {
    var random = SeededNumbers(seed: 7)
    let (absent, other) = (TechnicianID(1), TechnicianID(2))
    func record(_ number: Int) -> DayStop {
      DayStop(
        poolID: Samples.pool(number).id, customerName: "", address: "", latitude: 0, longitude: 0,
        technicianID: number <= 4 ? other : absent, day: .monday, routeOrder: number)
    }
    func calendar(_ changes: [ServiceDateChange]) -> ServiceCalendar {
      ServiceCalendar(
        Dictionary(grouping: changes, by: \.pool).mapValues { PoolService(weekday: .monday, changes: $0) })
    }
    for _ in 0..<300 {
      let count = Int.random(in: 1...6, using: &random)
      // Each change gives a stop of the absent technician to the other one.
      func change(_ number: Int, at position: Int) -> ServiceDateChange {
        ServiceDateChange(
          id: Int64(number), batch: Int64(number), pool: Samples.pool(4 + number).id, from: today, to: today,
          technician: other, routeOrder: position, reason: "", setBy: "", madeAt: now)
      }
      let changes = (1...count).map { change($0, at: Int.random(in: 0...(3 + $0), using: &random)) }
      let stops = (1...(4 + count)).map(record)
      let services = calendar(changes)
      func order(_ services: ServiceCalendar) -> [PoolID] {
        stops.due(from: today, by: services).filter { $0.technicianID == other }.map(\.poolID)
      }
      let undone = changes.filter { _ in Bool.random(using: &random) }
      let lines = zip(stops, 1...).map { stop, number in
        ServiceDates.Line(pool: Samples.pool(number, day: .monday), technicianID: stop.technicianID)
      }
      let all = ServiceDates(
        lines: lines, services: services, technicians: [], daysOff: .none, visited: [], today: today)
      var positions = Dictionary(uniqueKeysWithValues: changes.map { ($0.id, $0.routeOrder ?? 0) })
      for (change, position) in all.positions(without: undone) { positions[change.id] = position }
      let rest = changes.filter { !undone.contains($0) }.map { change(Int($0.id), at: positions[$0.id] ?? 0) }
      let gone = Set(undone.map(\.pool))
      #expect(order(calendar(rest)) == order(services).filter { !gone.contains($0) }, "\(changes) without \(undone)")

      // Any order of the day can be stored.
      let wanted = order(services).shuffled(using: &random)
      let placed = services.placed(wanted, on: today)
      let ordered = changes.map { change(Int($0.id), at: placed[$0.pool]?.position ?? 0) }
      let regular = wanted.filter { placed[$0] == nil }
      let kept = stops.filter { $0.technicianID == absent }
      let renumbered = regular.enumerated().compactMap { index, pool in
        stops.first { $0.poolID == pool }.map {
          DayStop(
            poolID: pool, customerName: "", address: "", latitude: 0, longitude: 0, technicianID: $0.technicianID,
            day: .monday, routeOrder: index)
        }
      }
      let after = (renumbered + kept).due(from: today, by: calendar(ordered)).filter { $0.technicianID == other }
      #expect(after.map(\.poolID) == wanted)
    }
  }
}
