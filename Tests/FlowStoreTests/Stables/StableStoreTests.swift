import FlowCalendar
import FlowModel
import FlowPlatform
import FlowStore
import FlowTestKit
import FlowWork
import PoolJobs
import PoolModel
import PoolStore
import StableModel
import StableRules
import StableStore
import Testing

/// A stable's records on every engine.
struct StableStoreTests {
  private let folder: TemporaryFolder
  private let now = Samples.mondayMorning
  private let monday = CivilDate(year: 2026, month: 3, day: 2)

  init() throws { folder = try TemporaryFolder() }

  private func barn(_ store: any Teams, jobs: [JobKind] = []) async throws -> Team {
    var team = Samples.team("hill", zone: "UTC")
    team.trade = .stable
    return try await store.addTeam(team, defaultTechnician: "office", now: now) { _ in
      jobs.map { JobPlan(kind: $0, rule: .calendar("*-*-* 00:00:00")) }
    }
  }

  private func horse(_ number: Int, _ name: String) -> Horse {
    Horse(
      id: HorseID(Samples.uuid(number)), name: name, owner: "Owner \(number)", isClipped: number == 1, added: monday)
  }

  private func herd(_ store: any Horses, _ team: Team) async throws -> (juniper: Horse, bob: Horse) {
    let juniper = try await store.addHorse(to: team.id) { _ in horse(1, "Juniper") }
    let bob = try await store.addHorse(to: team.id) { known in
      #expect(known == [juniper])
      return horse(2, "Bob")
    }
    return (juniper, bob)
  }

  private let oats = FeedSchedule(
    am: FeedMeal(grain: "oats", supplements: ["salt", "oil"], medications: ["pill"]), pm: FeedMeal(grain: "hay"))

  @Test(arguments: Engine.all)
  func `a horse is added, changed, and removed with its schedule, care and marks`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let team = try await barn(store)
    let (juniper, bob) = try await herd(store, team)
    #expect(try await store.horses(of: team.id) == [bob, juniper])
    await #expect(throws: StoreError.nameTaken(.horse, name: " JUNIPER")) {
      try await store.addHorse(to: team.id) { _ in horse(3, " JUNIPER") }
    }
    await #expect(throws: StoreError.nameTaken(.horse, name: "bob")) {
      try await store.changeHorse(juniper.id, of: team.id) { horse, _ in horse.name = "bob" }
    }
    let other = try await store.changeHorse(juniper.id, of: team.id) { horse, others in
      #expect(others == [bob])
      horse.name = "Juno"
      horse.isClipped = false
      horse.hasPhoto = true
    }
    #expect(try await store.horses(of: team.id) == [bob, other] && other.name == "Juno")
    await #expect(throws: StoreError.gone(.horse, id: horse(9, "x").id.description)) {
      try await store.changeHorse(horse(9, "x").id, of: team.id) { _, _ in }
    }

    try await store.changeSchedules(of: [bob.id, other.id], team: team.id) { _, _ in oats }
    try await store.addCare(care(1, bob), to: team.id)
    let at = now
    for day in [monday.adding(days: -1), monday] {
      try await store.changeFeedDay(day, of: team.id) { board in
        board.marks.append(
          FeedMark(horseID: bob.id, date: day, slot: .am, at: at, by: "Ann", marking: board.lastMarking + 1))
      }
    }
    try await store.changeFeedDay(monday.adding(days: -1), of: team.id) { $0.closed = [row(bob, on: $0.date)] }
    #expect(try await store.removeHorse(bob.id, of: team.id))
    #expect(try await !store.removeHorse(bob.id, of: team.id))
    #expect(try await store.schedules(of: team.id).keys.sorted() == [other.id])
    #expect(try await store.care(of: team.id, horse: nil, from: nil, to: nil, limit: nil).isEmpty)
    let days = try await store.feedDays([monday.adding(days: -1), monday], of: team.id)
    #expect(days[0].marks.count == 1 && days[0].closed?.count == 1, "what is closed stays as it was")
    #expect(days[1].marks.isEmpty && days[1].closed == nil)
  }

  private func row(_ horse: Horse, on date: CivilDate, am: FeedResult = .fed, pm: FeedResult = .missed) -> FeedRow {
    FeedRow(date: date, horseID: horse.id, horse: horse.name, am: am, pm: pm)
  }

  private func care(_ number: Int, _ horse: Horse, on date: CivilDate? = nil) -> CareEvent {
    CareEvent(
      id: CareEventID(Samples.uuid(100 + number)), horseID: horse.id, type: .farrier, date: date ?? monday,
      notes: "all four", nextDue: (date ?? monday).adding(days: 42), cost: Cost("123.4567"), provider: "Provider")
  }

  @Test(arguments: Engine.all)
  func `schedules and templates are stored completely, and a board changes in one step`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let team = try await barn(store)
    let (juniper, bob) = try await herd(store, team)
    try await store.changeSchedules(of: [juniper.id], team: team.id) { _, old in
      #expect(old == nil)
      return oats
    }
    #expect(try await store.schedules(of: team.id) == [juniper.id: oats])
    let gone = horse(9, "x").id
    await #expect(throws: StoreError.gone(.horse, id: gone.description)) {
      try await store.changeSchedules(of: [bob.id, gone], team: team.id) { _, _ in oats }
    }
    #expect(try await store.schedules(of: team.id) == [juniper.id: oats], "all or none")

    let at = now
    let template = FeedTemplate(
      id: FeedTemplateID(Samples.uuid(7)), name: "Easy keeper", about: "little", schedule: oats, createdAt: at)
    try await store.changeTemplates(of: team.id) { $0.append(template) }
    await #expect(throws: StoreError.nameTaken(.template, name: "EASY  keeper")) {
      try await store.changeTemplates(of: team.id) { templates in
        var other = template
        other.name = "EASY  keeper"
        templates.append(other)
      }
    }
    try await store.applyTemplate(template.id, to: [bob.id, juniper.id], of: team.id)
    var used = template
    used.uses = 1
    #expect(try await store.templates(of: team.id) == [used])
    #expect(try await store.schedules(of: team.id) == [juniper.id: oats, bob.id: oats])
    try await store.changeSchedules(of: [bob.id], team: team.id) { _, _ in FeedSchedule() }
    #expect(try await store.schedules(of: team.id)[bob.id] == nil)

    let mark = FeedMark(horseID: juniper.id, date: monday, slot: .pm, at: at, by: "Ann", marking: 1)
    let (day, late) = (monday, row(juniper, on: monday, am: .missed, pm: .fed))
    try await store.changeFeedDay(day, of: team.id) { board in
      #expect(board.marks.isEmpty && board.closed == nil && board.lastMarking == 0 && board.horses.count == 2)
      board.marks = [mark]
    }
    struct Refused: Error {}
    await #expect(throws: Refused.self) {
      try await store.changeFeedDay(day, of: team.id) { board in
        board.marks = []
        throw Refused()
      }
    }
    #expect(try await store.feedDays([day], of: team.id).first?.marks == [mark])
    try await store.changeFeedDay(day, of: team.id) { $0.closed = [late] }
    try await store.changeFeedDay(day, of: team.id) { board in
      board.marks = []
      board.closed?[0].pm = .missed
    }
    let closed = try #require(try await store.feedDays([day], of: team.id).first)
    #expect(closed.marks.isEmpty && closed.closed == [row(juniper, on: day, am: .missed, pm: .missed)])
    let history = try await store.feedHistory(of: team.id, horse: juniper.id, from: day, to: day, limit: 1)
    #expect(history == closed.closed)
    #expect(try await store.feedHistory(of: team.id, horse: bob.id, from: nil, to: nil, limit: 9).isEmpty)
  }

  @Test(arguments: Engine.all)
  func `care is stored exactly, changed, found by date and removed`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let team = try await barn(store)
    let (juniper, bob) = try await herd(store, team)
    let (old, new) = (care(1, juniper, on: monday.adding(days: -9)), care(2, bob))
    for event in [old, new] { try await store.addCare(event, to: team.id) }
    await #expect(throws: StoreError.gone(.horse, id: horse(9, "x").id.description)) {
      try await store.addCare(care(3, horse(9, "x")), to: team.id)
    }
    #expect(try await store.care(of: team.id, horse: nil, from: nil, to: nil, limit: nil) == [new, old])
    #expect(try await store.care(of: team.id, horse: juniper.id, from: old.date, to: old.date, limit: 5) == [old])
    #expect(try await store.care(of: team.id, horse: nil, from: monday, to: nil, limit: 5) == [new])
    let changed = try await store.changeCare(old.id, of: team.id) { event in
      event.type = .other
      event.nextDue = nil
      event.cost = nil
    }
    #expect(try await store.care(of: team.id, horse: juniper.id, from: nil, to: nil, limit: 1) == [changed])
    await #expect(throws: StoreError.gone(.care, id: care(9, bob).id.description)) {
      try await store.changeCare(care(9, bob).id, of: team.id) { _ in }
    }
    #expect(try await store.removeCare(old.id, of: team.id))
    #expect(try await !store.removeCare(old.id, of: team.id))
  }

  private func forecast(_ hours: Int) -> Forecast {
    let issued = now.advanced(by: .hours(hours))
    return Forecast(
      source: .csv, place: "hill", issuedAt: issued,
      hours: [
        ForecastHour(start: issued, air: -3.5, wind: 12, rain: 0.2, probability: 60),
        ForecastHour(start: issued.advanced(by: .hours(1)), air: -4),
      ])
  }

  @Test(arguments: Engine.all)
  func `the newest forecast is stored with its predecessor, and a barn's settings stay`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let team = try await barn(store)
    for (hours, digest, effect) in [
      (0, "a", .imported), (1, "b", .imported), (1, "b", .unchanged), (0, "c", .older), (2, "d", .imported),
    ] as [(Int, String, ForecastEffect)] {
      #expect(try await store.importForecast(forecast(hours), digest: digest, to: team.id, now: now) == effect)
    }
    #expect(try await store.forecasts(of: team.id) == [forecast(2), forecast(1)])
    #expect(try await store.barnSettings(of: team.id) == BarnSettings())
    let limits = try #require(BlanketLimits([12.5, 8, 3, -2, -9]))
    let settings = try await store.changeBarnSettings(of: team.id) { settings in
      settings.limits = limits
      settings.intervals = [.farrier: 49, .dental: Int?.none]
    }
    #expect(try await store.barnSettings(of: team.id) == settings)
    #expect(
      settings.interval(.farrier) == 49 && settings.interval(.dental) == nil && settings.interval(.deworming) == 90)
  }

  @Test(arguments: Engine.all)
  func `a list changes horses, feed and care in one step, and swaps names`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let team = try await barn(store)
    let (juniper, bob) = try await herd(store, team)
    try await store.addCare(care(1, bob), to: team.id)
    let third = horse(3, "Clover")
    @Sendable func edit(_ records: inout StableRecords) {
      records.horses = [juniper, bob, third]
      (records.horses[0].name, records.horses[1].name) = ("Bob", "Juniper")
      records.schedules = [third.id: oats]
      records.care[0].notes = "front only"
      records.care.append(care(2, third))
    }
    let claim = ImportClaim<ImportEffect>(id: "20260302T140000Z-1f2e3d4c") { "\($0.after.horses) horses" }
    let preview = try await store.changeStable(team.name, now: now, dryRun: true, claim: claim, change: edit)
    #expect(preview.before.horses == 2 && preview.after.horses == 3 && preview.after.care == 2)
    #expect(try await store.horses(of: team.id) == [bob, juniper])
    let done = try await store.changeStable(team.name, now: now, dryRun: false, claim: claim, change: edit)
    #expect(done.after == preview.after && done.after.schedules == 1)
    #expect(try await store.inboxReport(of: claim.id) == "3 horses")
    let records = try await store.stableRecords(of: team.id)
    #expect(records.horses.map(\.name) == ["Bob", "Clover", "Juniper"] && records.horses[0].id == juniper.id)
    #expect(records.care.map(\.notes) == ["front only", "all four"] && records.schedules == [third.id: oats])
    await #expect(throws: StoreError.nameTaken(.horse, name: "Juniper")) {
      try await store.changeStable(team.name, now: now, dryRun: false, claim: nil) { $0.horses[0].name = "Juniper" }
    }
    _ = try await store.changeStable(team.name, now: now, dryRun: false, claim: nil) { records in
      records.horses.removeAll { $0.id == bob.id }
      records.care.removeAll { $0.horseID == third.id }
    }
    #expect(try await store.counts(of: team.id) == RecordCounts(horses: 2, schedules: 1, care: 0, photos: 0))
  }

  @Test(arguments: Engine.all)
  func `a stable's records are replaced as a whole, and a cleared barn keeps its settings`(engine: Engine) async throws
  {
    let store = try engine.open(folder.path, now)
    let team = try await barn(store)
    let (juniper, bob) = try await herd(store, team)
    let (at, day) = (now, monday)
    try await store.addCare(care(1, bob), to: team.id)
    try await store.changeTemplates(of: team.id) {
      $0 = [
        FeedTemplate(
          id: FeedTemplateID(Samples.uuid(7)), name: "Easy", about: "", schedule: oats, uses: 2, createdAt: at)
      ]
    }
    var full = try await store.stableBook(of: team.id)
    full.records.horses[0].hasPhoto = true
    full.records.schedules = [juniper.id: oats]
    full.settings.intervals = [.vet: 7]
    full.marks = [FeedMark(horseID: juniper.id, date: day, slot: .am, at: at, by: "Ann", marking: 3)]
    full.closedDays = [day: [row(bob, on: day), row(juniper, on: day)], day.adding(days: -1): []]
    full.forecasts = [2, 1].map { StoredForecast(forecast: forecast($0), digest: "d\($0)", importedAt: at) }
    full.nights = [BlanketNight(date: day, felt: -3.5, isWet: true, advice: [juniper.id: .heavy, bob.id: .none])]
    struct Refused: Error {}
    let book = full
    await #expect(throws: Refused.self) {
      try await store.replaceStable(
        team.name, by: book, now: at, dryRun: false, photos: nil, claim: nil,
        unless: { old in
          #expect(old.records.horses.count == 2)
          throw Refused()
        })
    }
    for dryRun in [true, false] {
      let effect = try await store.replaceStable(
        team.name, by: book, now: at, dryRun: dryRun, photos: nil, claim: nil, unless: { _ in })
      #expect(effect.after == RecordCounts(horses: 2, schedules: 1, care: 1, photos: 1))
      #expect((try await store.stableBook(of: team.id) == book) == !dryRun)
    }
    #expect(try await store.photoHorses(of: team.id) == [book.records.horses[0].id])
    // A repetition changes nothing.
    _ = try await store.replaceStable(
      team.name, by: book, now: at, dryRun: false, photos: nil, claim: nil, unless: { _ in })
    #expect(try await store.stableBook(of: team.id) == book)
    let cleared = try await store.clearStable(team.name, dryRun: false, change: nil) { counts in
      #expect(counts.horses == 2)
    }
    #expect(cleared.after == RecordCounts())
    #expect(try await store.stableBook(of: team.id) == StableBook(settings: book.settings))
  }

  @Test(arguments: Engine.all)
  func `a closed feed day and a blanket advice are committed with their run`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let (reset, blanket) = (
      try #require(JobCatalogues.all.kind(named: "feed-reset")), try #require(JobCatalogues.all.kind(named: "blanket"))
    )
    let team = try await barn(store, jobs: [reset, blanket])
    let (juniper, _) = try await herd(store, team)
    try await store.changeSchedules(of: [juniper.id], team: team.id) { _, _ in oats }
    let zones = SystemZones()
    let evening = now.advanced(by: .hours(5))
    let hours = (0..<36).map { ForecastHour(start: now.advanced(by: .hours($0)), air: -1) }
    _ = try await store.importForecast(
      Forecast(source: .nws, place: "", issuedAt: now, hours: hours), digest: "x", to: team.id, now: now)
    let at = now
    let day = try zones.zone(named: "UTC").local(at: now).date
    try await store.changeFeedDay(day, of: team.id) {
      $0.marks = [FeedMark(horseID: juniper.id, date: day, slot: .am, at: at, by: "Ann", marking: 1)]
    }
    _ = try await store.changeHorse(juniper.id, of: team.id) { horse, _ in horse.added = day }
    #expect(try await store.lastNight(before: day.adding(days: 1), of: team.id) == nil)
    // Each slot twice: the stored advice is unchanged, and no day is closed again.
    for (hours, kind) in [(5, blanket), (6, blanket), (24, reset), (25, reset)] {
      let job = try #require(try await store.jobs(of: team.id).first { $0.kind == kind })
      let slot = now.advanced(by: .hours(hours))
      let runs = try await store.claim([ClaimRequest(job: job, slot: slot, cause: .manual, asOf: slot)], now: slot)
      let run = try #require(runs.first)
      let decision = try #require(try await store.decisions(of: runs, zones: zones).first?.get())
      let context = RunContext(
        jobID: run.jobID, kind: kind, slot: slot, asOf: slot, now: slot, lateness: .zero, install: "test")
      let outcome = decision(context, try zones.zone(named: "UTC"))
      #expect((outcome.account?.record != nil) == (hours != 25), "\(kind)")
      try await store.settle([RunSettlement(run: run, outcome: outcome, finishedAt: slot)], routes: [])
    }
    let night = try #require(try await store.lastNight(before: day.adding(days: 1), of: team.id))
    #expect(night.date == zones.date(of: evening) && night.felt == -1 && !night.isWet && night.advice.count == 2)
    let closed = try #require(try await store.feedDays([day], of: team.id).first)
    #expect(closed.closed?.first { $0.horseID == juniper.id } == row(juniper, on: day))
    #expect(closed.marks.count == 1)
    let book = try await store.feedHistory(of: team.id, horse: nil, from: nil, to: nil, limit: 99)
    #expect(Set(book.map(\.date)).count == book.count / 2)
  }
}

extension SystemZones {
  fileprivate func date(of moment: Timestamp) -> CivilDate? { try? zone(named: "UTC").local(at: moment).date }
}
