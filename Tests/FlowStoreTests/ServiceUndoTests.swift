import FlowCalendar
import FlowModel
import FlowStore
import FlowTestKit
import PoolModel
import PoolStore
import Testing

/// Changed dates when they are undone, when their technician is removed, and when their team is restored.
struct ServiceUndoTests {
  private let folder: TemporaryFolder
  private let now = Samples.mondayMorning
  /// Monday.
  private let today = CivilDate(year: 2026, month: 3, day: 2)

  init() throws { folder = try TemporaryFolder() }

  /// A team with six pools on Mondays: three of anna, and three of ben. zoe has no pools.
  private struct Crew {
    let team: Team
    let pools: [Pool]
    let anna: TechnicianID
    let ben: TechnicianID
    let zoe: TechnicianID
  }

  private func crew(_ store: any Engine.Opened) async throws -> Crew {
    let team = try await store.addTeam(Samples.team(), defaultTechnician: "anna", now: now) { _ in [] }
    let pools = (1...6).map { Samples.pool($0, customer: "Customer \($0)", order: 10 * $0) }
    _ = try await store.replaceRecords(
      team: team.name, technician: nil, records: records(pools), photos: [:], now: now, dryRun: false)
    _ = try await store.addTechnician("zoe", to: team.id) { key, _ in KnownPerson(Person(key: key, wants: [])) }
    return Crew(
      team: team, pools: pools, anna: try await technician("anna", team, store),
      ben: try await technician("ben", team, store), zoe: try await technician("zoe", team, store))
  }

  private func records(_ pools: [Pool]) -> RecordSet {
    RecordSet(pools: pools, profiles: pools.suffix(3).map { Samples.profile(of: $0.id, tags: "tech:ben") })
  }

  private func technician(_ name: String, _ team: Team, _ store: any Engine.Opened) async throws -> TechnicianID {
    try #require(try await store.technicians(of: team.id).first { $0.name == name }).id
  }

  private func serviceToday(_ days: Int = 0) -> ServiceToday {
    ServiceToday(at: now.advanced(by: .hours(24 * days)), in: .utc)
  }
  private var note: ServiceChangeNote { ServiceChangeNote(reason: "flu", setBy: "anna (uid 1000)", madeAt: now) }

  /// Gives stops of a Monday to another technician.
  @discardableResult
  private func cover(
    _ pools: [Pool], on date: CivilDate, of absent: TechnicianID, by other: TechnicianID, _ crew: Crew,
    in store: any Engine.Opened
  ) async throws -> [ServiceDateChange] {
    let (note, ids) = (note, pools.map(\.id))
    return try await store.changeDates(of: crew.team.id, today: serviceToday()) { dates in
      try dates.cover(date, of: absent, by: [(other, ids)], note)
    }.changes
  }

  private func move(
    _ pool: Pool, _ from: CivilDate, _ to: CivilDate, _ crew: Crew, in store: any Engine.Opened,
    technician: TechnicianID? = nil, on day: Int = 0
  ) async throws -> [ServiceDateChange] {
    let note = note
    return try await store.changeDates(of: crew.team.id, today: serviceToday(day)) { dates in
      try dates.move(pool.id, from: from, to: to, technician: technician, note)
    }.changes
  }

  private func undo(_ batch: Int64, _ crew: Crew, in store: any Engine.Opened, on day: Int = 0) async throws
    -> ServiceDateBatch
  {
    try await store.undoDates(batch: batch, of: crew.team.id, today: serviceToday(day))
  }

  private func visit(_ pool: Pool, at time: Timestamp, _ crew: Crew, in store: any Engine.Opened) async throws {
    var all = records(crew.pools)
    all.serviceEvents = [Samples.visit(to: pool.id, at: time)]
    _ = try await store.replaceRecords(
      team: crew.team.name, technician: nil, records: all, photos: [:], now: now, dryRun: false)
  }

  // MARK: Technicians

  @Test(arguments: Engine.all)
  func `a technician who takes stops of coming dates is removed only after them`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let crew = try await crew(store)
    let date = today.adding(days: 7)
    let changes = try await cover(Array(crew.pools.suffix(3)), on: date, of: crew.ben, by: crew.zoe, crew, in: store)
    for day in [today, date] {
      let holdings = try await store.removeTechnician(crew.zoe, of: crew.team.id, today: day)
      #expect(!holdings.isEmpty && holdings.coming == ComingWork(jobs: 3, first: date))
    }
    #expect(try await store.services(of: crew.team.id).changes == changes)
    // A stop that is given back is not zoe's any more.
    let back = try await move(crew.pools[3], date, date, crew, in: store)
    #expect(
      try await store.removeTechnician(crew.zoe, of: crew.team.id, today: date).coming
        == ComingWork(jobs: 2, first: date))
    _ = try await undo(back[0].batch, crew, in: store)
    #expect(try await store.removeTechnician(crew.zoe, of: crew.team.id, today: date.adding(days: 1)).isEmpty)
    #expect(try await !store.technicians(of: crew.team.id).contains { $0.name == "zoe" })
  }

  // MARK: Undo

  @Test(arguments: Engine.all)
  func `a stop that was moved to an earlier date is taken back unless it was visited since`(
    engine: Engine
  ) async throws {
    let store = try engine.open(folder.path, now)
    let crew = try await crew(store)
    let monday = today.adding(days: 7)
    for (offset, isRefused) in [(-1, false), (4, false), (5, true), (6, true), (7, true)] {
      let change = try await move(crew.pools[0], monday, today.adding(days: 5), crew, in: store)
      try await visit(crew.pools[0], at: serviceToday(offset).start.advanced(by: .hours(23)), crew, in: store)
      let expected = ServiceDateError.undoVisited(
        batch: change[0].batch, customer: "Customer 1", today.adding(days: offset), remedy: nil)
      do {
        _ = try await undo(change[0].batch, crew, in: store, on: 7)
        #expect(!isRefused, "visited on day \(offset)")
      } catch let error as ServiceDateError {
        #expect(isRefused && error == expected, "visited on day \(offset): \(error)")
        _ = try await undo(change[0].batch, crew, in: store)
      }
      #expect(try await store.services(of: crew.team.id).changes.isEmpty)
    }
  }

  @Test(arguments: Engine.all)
  func `a partly visited batch is not undone, and the refusal names the command for another stop`(
    engine: Engine
  ) async throws {
    let store = try engine.open(folder.path, now)
    let crew = try await crew(store)
    let covered = Array(crew.pools.suffix(3))
    let changes = try await cover(covered, on: today, of: crew.ben, by: crew.zoe, crew, in: store)
    try await visit(covered[0], at: now, crew, in: store)
    let remedy = UndoRemedy(customer: "Customer 5", from: today, to: today, technician: "ben")
    #expect(
      remedy.description == "`pfctl stop move 'Customer 5' --from 2026-03-02 --to 2026-03-02 --technician ben`")
    await #expect(
      throws: ServiceDateError.undoVisited(batch: changes[0].batch, customer: "Customer 4", today, remedy: remedy)
    ) { _ = try await undo(changes[0].batch, crew, in: store) }
    // The command that the refusal names works.
    _ = try await move(covered[1], today, today, crew, in: store, technician: crew.ben)
    let services = try await store.services(of: crew.team.id)
    #expect(
      covered.map { services.technician(of: $0.id, own: crew.ben, on: today) } == [crew.zoe, crew.ben, crew.zoe])
  }

  @Test(arguments: Engine.all)
  func `an undo tells of the stops that it puts on a day off`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let crew = try await crew(store)
    let (first, second) = (today.adding(days: 7), today.adding(days: 14))
    let moved = try await move(crew.pools[0], first, first.adding(days: 2), crew, in: store)
    let covered = try await cover(Array(crew.pools.suffix(3)), on: second, of: crew.ben, by: crew.zoe, crew, in: store)
    let days = try [(nil, first), (crew.ben, second)].map { technician, date in
      DayOff(id: 0, technicianID: technician, span: try DaySpan(first: date, last: date), note: "rest", setBy: "anna")
    }
    _ = try await store.addDaysOff(days, to: crew.team.name, now: now, check: { _ in }, plan: { _ in [] })
    func told(_ batch: Int64) async throws -> [StopsOnDayOff] {
      let undone = try await undo(batch, crew, in: store)
      return undone.dates.stopsOnDaysOff(afterUndoOf: undone.changes)
    }
    let closed = try await told(moved[0].batch)
    #expect(closed.map(\.date) == [first] && closed.map(\.technician) == [nil] && closed.map(\.stops) == [1])
    let absent = try await told(covered[0].batch)
    #expect(absent.map(\.date) == [second] && absent.map(\.technician) == [crew.ben] && absent.map(\.stops) == [3])
    let other = try await move(crew.pools[0], second, second.adding(days: 1), crew, in: store)
    #expect(try await told(other[0].batch).isEmpty)
  }

  // MARK: Routes

  /// The stops of a technician on a date, in order.
  private func route(
    _ technician: TechnicianID, on date: CivilDate, _ crew: Crew, in store: any Engine.Opened
  ) async throws -> [PoolID] {
    try await store.routeStops(of: crew.team.id).due(from: date, by: try await store.services(of: crew.team.id))
      .filter { $0.day == date.weekday && $0.technicianID == technician }.map(\.poolID)
  }

  @Test(arguments: Engine.all)
  func `the undo of an order restores the positions of covered stops and the order of later weeks`(
    engine: Engine
  ) async throws {
    let store = try engine.open(folder.path, now)
    let crew = try await crew(store)
    let (date, later) = (today.adding(days: 7), today.adding(days: 14))
    let day = RouteDay(technicianID: crew.anna, day: .monday)
    let (own, covered) = (crew.pools.prefix(3).map(\.id), crew.pools.suffix(2).map(\.id))
    // One stop of anna is given to zoe, and two of ben to anna, first and last.
    _ = try await move(crew.pools[1], date, date, crew, in: store, technician: crew.zoe)
    let note = note
    _ = try await store.changeDates(of: crew.team.id, today: serviceToday()) { dates in
      try dates.cover(date, of: crew.ben, by: [(crew.anna, [covered[0], own[0], own[2], covered[1]])], note)
    }
    let before = try await route(crew.anna, on: date, crew, in: store)
    #expect(before == [covered[0], own[0], own[2], covered[1]])
    let services = try await store.services(of: crew.team.id)
    let orders = [
      // Only the covered stops move, so later weeks keep their order.
      [own[0], covered[1], own[2], covered[0]],
      [own[2], covered[0], covered[1], own[0]],
    ]
    for (order, weekly) in zip(orders, [own, nil]) {
      #expect(
        try await store.setRoute(
          order, known: before, on: day, from: date, of: crew.team.id, now: now, keeping: nil) == .done)
      #expect(try await route(crew.anna, on: date, crew, in: store) == order)
      if let weekly { #expect(try await route(crew.anna, on: later, crew, in: store) == weekly) }
      #expect(try await store.undoRoute(on: day, of: crew.team.id) == .done)
      #expect(try await route(crew.anna, on: date, crew, in: store) == before)
      #expect(try await route(crew.anna, on: later, crew, in: store) == own)
      #expect(try await store.services(of: crew.team.id) == services)
    }
    #expect(try await store.undoRoute(on: day, of: crew.team.id) == .nothing)
    // Without the cover, the order of later weeks can still be restored.
    #expect(
      try await store.setRoute(
        orders[1], known: before, on: day, from: date, of: crew.team.id, now: now, keeping: nil) == .done)
    _ = try await undo(try #require(services.changes.last).batch, crew, in: store)
    #expect(try await store.undoRoute(on: day, of: crew.team.id) == .done)
    #expect(try await route(crew.anna, on: later, crew, in: store) == own)
  }

  // MARK: Archives

  /// The archives of a team, as a backup has them: one for each technician with pools.
  private func archives(of crew: Crew, in store: any Engine.Opened) async throws -> [RestoredPart] {
    let services = try await store.services(of: crew.team.id)
    let technicians = try await store.technicians(of: crew.team.id)
    return [("anna", crew.pools.prefix(3)), ("ben", crew.pools.suffix(3))].map { name, pools in
      var set = RecordSet(pools: Array(pools))
      set.services = services.records(of: set.pools)
      set.serviceChanges = services.changeRecords(of: set.pools, technicians)
      return RestoredPart(technician: name, isOwn: false, records: set)
    }
  }

  private func remove(_ crew: Crew, from store: any Engine.Opened) async throws {
    _ = try await store.clear(crew.team.name, stock: [], dryRun: false, change: nil, unless: { _ in })
    #expect(try await store.removeTeam(named: crew.team.name) != nil)
  }

  @Test(arguments: Engine.all)
  func `a restored team has its technicians, its batches and its earlier rules`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let crew = try await crew(store)
    let date = today.adding(days: 7)
    _ = try await cover(Array(crew.pools.prefix(3)), on: date, of: crew.anna, by: crew.zoe, crew, in: store)
    let note = note
    let day = try await store.changeDates(of: crew.team.id, today: serviceToday()) { dates in
      try dates.moveDay(today.adding(days: 14), to: today.adding(days: 15), of: nil, note)
    }.changes
    #expect(day.count == 6)
    let rule = try CalendarDates("Tue,Fri")
    _ = try await store.changePool(
      crew.pools[5].id, of: crew.team.id, change: { _ in }, people: nil, rule: { _, _ in rule }, from: today)
    let parts = try await archives(of: crew, in: store)
    let services = try await store.services(of: crew.team.id)

    try await remove(crew, from: store)
    let team = try await store.addTeam(Samples.team(), defaultTechnician: "office manager", now: now) { _ in [] }
    _ = try await store.restore(
      parts, over: .team, of: team.name, photos: [:], now: now, dryRun: false, change: nil, limitsPools: false)
    let back = try await store.services(of: team.id)
    let zoe = try await technician("zoe", team, store)
    for pool in crew.pools.prefix(3) { #expect(back[pool.id]?.changedStop(on: date)?.technician == zoe) }
    #expect(Set(back.changes.suffix(6).map(\.batch)).count == 1 && Set(back.changes.map(\.batch)).count == 2)
    let earlier = try #require(back[crew.pools[5].id]?.earlier)
    #expect(earlier == services[crew.pools[5].id]?.earlier && earlier.count == 1)
    let dates = (-70..<70).map { today.adding(days: $0) }
    for pool in crew.pools {
      let (now, then) = (try #require(back[pool.id]), try #require(services[pool.id]))
      #expect(dates.filter(now.isServed) == dates.filter(then.isServed), "\(pool.customerName)")
    }
    let undone = try await store.undoDates(
      batch: try #require(back.changes.last).batch, of: team.id, today: serviceToday())
    #expect(undone.changes.count == 6)
  }

  @Test(arguments: Engine.all)
  func `an archive of one technician adds the technicians of its changed dates`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let crew = try await crew(store)
    let date = today.adding(days: 7)
    _ = try await cover(Array(crew.pools.suffix(3)), on: date, of: crew.ben, by: crew.zoe, crew, in: store)
    let records = try #require(try await archives(of: crew, in: store).last).records
    try await remove(crew, from: store)
    let team = try await store.addTeam(Samples.team(), defaultTechnician: "anna", now: now) { _ in [] }
    for dryRun in [true, false] {
      _ = try await store.replaceRecords(
        team: team.name, technician: "ben", records: records, photos: [:], now: now, dryRun: dryRun)
      #expect(try await store.technicians(of: team.id).contains { $0.name == "zoe" } == !dryRun)
    }
    let zoe = try await technician("zoe", team, store)
    #expect(try await store.services(of: team.id).changes.map(\.technician) == [zoe, zoe, zoe])
  }
}
