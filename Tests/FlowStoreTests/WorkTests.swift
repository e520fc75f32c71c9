import FlowCalendar
import FlowModel
import FlowPlatform
import FlowStore
import FlowTestKit
import PoolChemistry
import PoolDigests
import PoolModel
import PoolStore
import Testing

/// Recurring work at pools in the store: done with visits, undone, archived and removed.
struct WorkTests {
  private let folder: TemporaryFolder
  private let now = Samples.mondayMorning
  /// Monday.
  private let today = CivilDate(year: 2026, month: 3, day: 2)

  init() throws { folder = try TemporaryFolder() }

  private func team(_ store: any Engine.Opened, equipment: [Equipment] = []) async throws -> Team {
    let team = try await store.addTeam(Samples.team(), defaultTechnician: "anna", now: now) { _ in [] }
    try await replace(RecordSet(pools: [Samples.pool(1), Samples.pool(2)], equipment: equipment), of: team, in: store)
    return team
  }

  private func replace(_ records: RecordSet, of team: Team, in store: any Engine.Opened) async throws {
    _ = try await store.replaceRecords(
      team: team.name, technician: nil, records: records, photos: [:], now: now, dryRun: false)
  }

  private func add(
    _ name: String, every: String, from due: CivilDate, at pool: Pool = Samples.pool(1), _ team: Team,
    in store: any Engine.Opened
  ) async throws {
    let work = PoolWork(poolID: pool.id, name: name, every: try WorkInterval(every), due: due)
    #expect(try await store.changeWork(at: pool.id, of: team.id) { _ in .add(work) } != nil)
  }

  private func marks(_ date: CivilDate, _ choose: @escaping @Sendable (PoolWorkList) -> [WorkTarget]) -> WorkMarks {
    WorkMarks(date: date, zone: .utc, choose: choose)
  }

  /// Logs a visit at noon of a date, during which all work of the pool was done.
  private func log(
    _ number: Int, on date: CivilDate, _ team: Team, in store: any Engine.Opened
  ) async throws -> LoggedVisit {
    let instant = Timestamp(seconds: Int64(date.daysSince1970) * 86_400 + 43_200)
    let logged = try await store.logVisit(
      to: Samples.pool(1).id, of: team.id, at: instant, now: max(instant, now), notes: "", photo: nil,
      identities: VisitIdentities(
        event: ServiceEventID(Samples.uuid(9_000 + number)), dose: { ChemicalDoseID(UUIDs.next()) }),
      done: marks(date) { list in list.works.map { .work($0) } + list.machines.map { .machine($0) } }
    ) { pool, _, stock in
      VisitToLog(
        readings: pool.readings, measured: [],
        plan: VisitPlan(pool: pool, inventory: stock, readings: pool.readings, confirmed: .nothing))
    }
    return try #require(logged)
  }

  private func due(_ team: Team, in store: any Engine.Opened) async throws -> [String: CivilDate] {
    let list = try await store.workList(of: team.id, at: nil)
    return Dictionary(uniqueKeysWithValues: list.works.map { ($0.name, $0.due) })
  }

  @Test(arguments: Engine.all)
  func `work done with a visit is due again after its interval, and undoing the visit restores it`(
    engine: Engine
  ) async throws {
    var store = try engine.open(folder.path, now)
    var filter = Samples.equipment(4_000, at: Samples.pool(1).id)
    let midnight = { (date: CivilDate) in Timestamp(seconds: Int64(date.daysSince1970) * 86_400) }
    let (last, next) = (CivilDate(year: 2025, month: 8, day: 31), CivilDate(year: 2026, month: 2, day: 28))
    (filter.lastServiceDate, filter.nextServiceDate) = (midnight(last), midnight(next))
    let team = try await team(store, equipment: [filter])
    try await add("Clean filter", every: "3 months", from: today, team, in: store)
    try await add("Check salt cell", every: "2 weeks", from: today.adding(days: 30), team, in: store)
    let logged = try await log(1, on: today, team, in: store)
    #expect(logged.done.map(\.name) == ["Check salt cell", "Clean filter", filter.name])
    store = try engine.open(folder.path, now)
    let june = CivilDate(year: 2026, month: 6, day: 2)
    #expect(try await due(team, in: store) == ["Clean filter": june, "Check salt cell": today.adding(days: 14)])
    var machine = try #require(try await store.equipment(of: filter.poolID, team: team.id).first)
    // The interval is the time from the last service to the next one: six months.
    #expect(machine.lastServiceDate == midnight(today))
    #expect(machine.nextServiceDate == midnight(CivilDate(year: 2026, month: 9, day: 2)))
    #expect(try await store.workDone(during: logged.event.id, team: team.id).count == 3)
    #expect(try await store.workDone(of: team.id, from: today, to: today).count == 3)
    let facts = try #require(try await store.facts([FactsRequest(team: team.id, days: [.monday])]).first ?? nil)
    #expect(facts.work[Samples.pool(1).id]?.count == 2)
    guard case .done = try await store.undoVisit(to: Samples.pool(1).id, of: team.id, now: now.advanced(by: .hours(9)))
    else { return #expect(Bool(false)) }
    #expect(try await due(team, in: store) == ["Clean filter": today, "Check salt cell": today.adding(days: 30)])
    machine = try #require(try await store.equipment(of: filter.poolID, team: team.id).first)
    #expect(machine.lastServiceDate == filter.lastServiceDate && machine.nextServiceDate == filter.nextServiceDate)
    #expect(try await store.workDone(of: team.id, from: today, to: today).isEmpty)
  }

  @Test(arguments: Engine.all)
  func `a date set after the work was done stays when the visit is removed`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let team = try await team(store)
    try await add("Clean filter", every: "3 months", from: today, team, in: store)
    let visit = try await log(1, on: today, team, in: store)
    let wanted = CivilDate(year: 2026, month: 12, day: 1)
    _ = try await store.changeWork(at: Samples.pool(1).id, of: team.id) { list in
      var work = list.works[0]
      work.due = wanted
      return .set(list.works[0], to: work)
    }
    _ = try await store.removeVisit(visit.event.id, of: team.id, now: now.advanced(by: .hours(9)), dryRun: false)
    #expect(try await due(team, in: store) == ["Clean filter": wanted])
  }

  @Test(arguments: Engine.all)
  func `an interval of a machine is stored, used and removed with it`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let team = try await team(store)
    let pump = Samples.equipment(4_001, at: Samples.pool(1).id)
    #expect(try await store.addEquipment(pump, every: try WorkInterval("1 year"), to: team.id))
    _ = try await log(1, on: today, team, in: store)
    let machine = try #require(try await store.equipment(of: pump.poolID, team: team.id).first)
    let next = CivilDate(year: 2027, month: 3, day: 2)
    #expect(machine.nextServiceDate == Timestamp(seconds: Int64(next.daysSince1970) * 86_400))
    _ = try await store.changeEquipment(pump.id, at: pump.poolID, of: team.id) { $0.notes = "new seal" }
    #expect(try await store.workList(of: team.id, at: nil).intervals[pump.id]?.description == "1 year")
    #expect(try await store.removeEquipment(pump.id, of: team.id))
    #expect(try await store.workList(of: team.id, at: nil).intervals.isEmpty)
  }

  @Test(arguments: Engine.all)
  func `an archive of the app keeps work, one of poolflow replaces it, and a removed pool ends it`(
    engine: Engine
  ) async throws {
    let store = try engine.open(folder.path, now)
    let team = try await team(store)
    try await add("Clean filter", every: "3 months", from: today, team, in: store)
    let visit = try await log(1, on: today, team, in: store)
    try await replace(RecordSet(pools: [Samples.pool(1), Samples.pool(2)]), of: team, in: store)
    let june = CivilDate(year: 2026, month: 6, day: 2)
    #expect(try await due(team, in: store) == ["Clean filter": june])
    // The visit is gone, so what was done has none.
    #expect(try await store.workDone(of: team.id, from: today, to: today).map(\.visitID) == [nil])
    #expect(try await store.workDone(during: visit.event.id, team: team.id).isEmpty)
    let brush = PoolWork(poolID: Samples.pool(2).id, name: "Brush tile", every: try WorkInterval("1 month"), due: june)
    try await replace(
      RecordSet(pools: [Samples.pool(1), Samples.pool(2)], work: PoolWorkRecords(works: [brush])), of: team, in: store)
    #expect(try await due(team, in: store) == ["Brush tile": june])
    #expect(try await store.workDone(of: team.id, from: today, to: today).isEmpty)
    #expect(try await store.removePool(Samples.pool(2).id, of: team.id, today: nil))
    #expect(try await due(team, in: store).isEmpty)
    #expect(try await store.changeWork(at: Samples.pool(2).id, of: team.id) { _ in .add(brush) } == nil)
  }

  // MARK: A model of due dates that shares no code with poolflow

  /// The date some months later, by counting days from the month's first.
  private func months(_ count: Int, after date: CivilDate) -> CivilDate {
    var (year, month) = (date.year, date.month)
    for _ in 0..<count { (year, month) = month == 12 ? (year + 1, 1) : (year, month + 1) }
    var day = date.day
    while !CivilDate(year: year, month: month, day: day).exists { day -= 1 }
    return CivilDate(year: year, month: month, day: day)
  }

  @Test(arguments: Engine.all)
  func `due dates agree with a model of random visits and removals`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    for seed in 1...8 {
      var random = SeededNumbers(seed: UInt64(seed))
      var sample = Samples.team()
      sample.name = "team-\(seed)"
      let team = try await store.addTeam(sample, defaultTechnician: "anna", now: now) { _ in [] }
      var pool = Samples.pool(1)
      pool = Pool(
        id: PoolID(Samples.uuid(600 + seed)), customerName: pool.customerName, address: pool.address, notes: "",
        latitude: pool.latitude, longitude: pool.longitude, volumeGallons: pool.volumeGallons,
        monthlyServiceFee: pool.monthlyServiceFee, serviceDay: pool.serviceDay, routeOrder: 0, readings: pool.readings,
        cachedLSI: nil, createdAt: pool.createdAt, updatedAt: pool.updatedAt)
      try await replace(RecordSet(pools: [pool]), of: team, in: store)
      let count = Int.random(in: 1...14, using: &random)
      let isMonths = Bool.random(using: &random)
      let first = today.adding(days: Int.random(in: -60...60, using: &random))
      try await add(
        "Clean filter", every: "\(count) \(isMonths ? "months" : "days")", from: first, at: pool, team, in: store)
      var visits: [(id: ServiceEventID, date: CivilDate)] = []
      for step in 0..<40 {
        if Int.random(in: 0..<3, using: &random) == 0, !visits.isEmpty {
          let gone = visits.remove(at: Int.random(in: visits.indices, using: &random))
          _ = try await store.removeVisit(gone.id, of: team.id, now: now, dryRun: false)
        } else {
          let date = today.adding(days: -Int.random(in: 1...900, using: &random))
          let id = ServiceEventID(Samples.uuid(20_000 + seed * 100 + step))
          let instant = Timestamp(seconds: Int64(date.daysSince1970) * 86_400 + 43_200)
          _ = try await store.logVisit(
            to: pool.id, of: team.id, at: instant, now: now, notes: "", photo: nil,
            identities: VisitIdentities(event: id, dose: { ChemicalDoseID(UUIDs.next()) }),
            done: marks(date) { $0.works.map { .work($0) } }
          ) { pool, _, stock in
            VisitToLog(
              readings: pool.readings, measured: [],
              plan: VisitPlan(pool: pool, inventory: stock, readings: pool.readings, confirmed: .nothing))
          }
          visits.append((id, date))
        }
        let newest = visits.map(\.date).max()
        let expected = newest.map { isMonths ? months(count, after: $0) : $0.adding(days: count) } ?? first
        #expect(try await due(team, in: store)["Clean filter"] == expected, "seed \(seed), step \(step)")
      }
    }
  }
}

/// Intervals of recurring work as text.
struct WorkIntervalTests {
  @Test(arguments: [
    ("3 months", "3 months"), ("every 3 Months", "3 months"), ("1 month", "1 month"), ("monthly", "1 month"),
    ("90d", "90 days"), ("2 weeks", "2 weeks"), ("1 year", "1 year"), ("every week", "1 week"),
    ("10 years", "10 years"),
  ])
  func `an interval is read and written`(text: String, written: String) throws {
    #expect(try WorkInterval(text).description == written)
    #expect(try WorkInterval(written).description == written)
  }

  @Test(arguments: [
    ("", "no interval is named"), ("3", "has no unit"), ("0 months", "an interval is 1 or more"),
    ("11 years", "the longest interval is ten years"), ("three months", "is no interval"),
    ("3 moons", "is no interval"),
    ("-1 days", "an interval is 1 or more"), ("3 months 2 days", "is no interval"),
    ("99999999999999999999 d", "is no interval"),
  ])
  func `another text is refused in words`(text: String, saying: String) {
    do {
      _ = try WorkInterval(text)
      Issue.record("'\(text)' was read")
    } catch {
      #expect("\(error)".contains(saying), "\(error)")
    }
  }

  @Test func `a month without the day takes its last day`() throws {
    let date = CivilDate(year: 2027, month: 1, day: 31)
    #expect(try WorkInterval("1 month").date(after: date) == CivilDate(year: 2027, month: 2, day: 28))
    #expect(try WorkInterval("13 months").date(after: date) == CivilDate(year: 2028, month: 2, day: 29))
    #expect(
      try WorkInterval("1 year").date(after: CivilDate(year: 2028, month: 2, day: 29)).description == "2029-02-28")
    #expect(WorkInterval(from: date, to: CivilDate(year: 2027, month: 4, day: 30))?.description == "3 months")
    #expect(WorkInterval(from: date, to: CivilDate(year: 2027, month: 2, day: 10))?.description == "10 days")
    #expect(WorkInterval(from: date, to: date) == nil)
  }
}
