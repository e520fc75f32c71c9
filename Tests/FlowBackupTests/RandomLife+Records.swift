import FlowCalendar
import FlowModel
import FlowPlatform
import FlowStore
import FlowTestKit
import FoundationEssentials
import PoolChemistry
import PoolModel
import PoolStore

// Changes made by offices and technicians of a pool service.
extension RandomLife {
  static let records: [Verb] = [
    { life in
      let team = try await life.team(.poolService)
      let customer = "Customer \(life.number)"
      let pool = life.fresh()
      _ = try await life.store.addPool(to: team.id, day: .friday) { _, order in
        var made = Samples.pool(1, customer: customer, day: .friday, order: order)
        made = Pool(
          id: PoolID(pool), customerName: customer, address: made.address, notes: "gate", latitude: made.latitude,
          longitude: made.longitude, volumeGallons: 9_000, monthlyServiceFee: 99.5, serviceDay: .friday,
          routeOrder: order, readings: made.readings, cachedLSI: nil, createdAt: made.createdAt,
          updatedAt: made.updatedAt)
        return made
      }
    },
    { life in
      guard let (team, pool) = try await life.anyPool() else { return }
      let tags = life.pick(["", "tech:Dan", "tech:anna, pin:2"])
      _ = try await life.store.changeProfile(of: pool.id, team: team.id) { profile in
        profile.tagsCSV = tags
        profile.gateAccessType = "Keypad 4417"
      }
    },
    { life in
      guard life.chance(4), let (team, pool) = try await life.anyPool() else { return }
      _ = try await life.store.removePool(pool.id, of: team.id, today: nil)
    },
    { life in
      guard let (team, pool) = try await life.anyPool() else { return }
      let equipment = Samples.equipment(500_000 + life.number, at: pool.id)
      life.number += 1
      _ = try await life.store.addEquipment(equipment, to: team.id)
      guard life.chance(3) else { return }
      let installed = life.now
      _ = try await life.store.changeEquipment(equipment.id, at: pool.id, of: team.id) {
        $0.installDate = installed
        $0.notes = "new seal"
      }
    },
    { life in
      let team = try await life.team(.poolService)
      guard let item = life.any(try await life.store.stock(of: team.id))?.item else { return }
      _ = try await life.store.changeStock(item.id, of: team.id) { $0.currentStockOz += 12.5 }
    },
    { life in
      let team = try await life.team(.poolService)
      let (name, quiet) = ("Tech \(life.number)", QuietHours("22:00-06:00"))
      life.number += 1
      _ = try await life.store.addTechnician(name, to: team.id) { key, _ in
        var person = KnownPerson(Person(key: key, language: .spanish, quiet: quiet, wants: [.route, .week]))
        person.addresses[.mail] = "tech@example.com"
        return person
      }
      _ = try await life.store.changePerson(.office(team.id), of: team.id) {
        $0.addresses[.ntfy] = "office-topic"
        $0.person.wants = [.operator, .route]
      }
    },
    { life in
      let team = try await life.team(.poolService)
      let stops = try await life.store.routeStops(of: team.id)
      guard let day = life.any(stops)?.routeDay else { return }
      let order = stops.filter { $0.routeDay == day }.map(\.poolID)
      _ = try await life.store.setRoute(
        Array(order.reversed()), known: order, on: day, of: team.id, now: life.now, keeping: nil)
      try await life.store.keep(
        [
          StoredRoute(
            technicianID: day.technicianID, day: day.day, inputHash: .random(in: 0 ... .max, using: &life.random),
            objective: .balanced, provider: "haversine", current: order, best: order.reversed(), unresolved: [],
            unpinned: [], figures: RouteFigures(minutes: 20, miles: 8, late: 12),
            bestFigures: RouteFigures(minutes: 15.5, miles: 6), isProven: true, computedAt: life.now)
        ], of: team.id, onlyDays: nil)
      try await life.store.setTravelTable(
        StoredTravelTable(
          name: "t.json", places: [(33.1, -112), (33.25, -111.875)], minutes: [0, 12.5, nil, 0], importedAt: life.now),
        of: team.id)
    },
    { life in
      guard let (team, pool) = try await life.anyPool() else { return }
      let rule = try life.pick([CalendarDates("Mon,Fri"), CalendarDates("every 2 weeks from 2026-03-02"), nil])
      let date = life.chance(2) ? nil : try life.stand.zones.zone(named: team.zone).local(at: life.now).date
      _ = try await life.store.changePool(
        pool.id, of: team.id, change: { _ in }, people: nil, rule: { _, _ in rule }, from: date)
      let pause = ServicePause(
        id: 0,
        days: try DaySpan(
          first: CivilDate(year: 2026, month: 3, day: 9), last: CivilDate(year: 2026, month: 3, day: 12)),
        reason: "away", setBy: "anna (uid 1000)")
      _ = try await life.store.changePauses(of: pool.id, team: team.id, today: nil) { service in
        service.pauses.isEmpty ? PauseChange(added: [pause]) : PauseChange(removed: Array(service.pauses.prefix(1)))
      }
      // A pool of Fridays gets an order of its own on Mondays.
      let stops = try await life.store.routeStops(of: team.id)
      guard let day = stops.first(where: { $0.poolID == pool.id && $0.day == .monday })?.routeDay else { return }
      let order = stops.filter { $0.routeDay == day }.map(\.poolID)
      _ = try await life.store.setRoute(
        Array(order.dropFirst() + order.prefix(1)), known: order, on: day, of: team.id, now: life.now, keeping: nil)
    },
    { life in
      guard let (team, pool) = try await life.anyPool() else { return }
      let (name, every) = ("Clean filter \(life.number)", try WorkInterval(life.pick(["3 months", "2 weeks"])))
      life.number += 1
      _ = try await life.store.changeWork(at: pool.id, of: team.id) { _ in
        .add(
          PoolWork(poolID: pool.id, name: name, every: every, due: CivilDate(year: 2026, month: 3, day: 5)))
      }
      let machine = Samples.equipment(500_000 + life.number, at: pool.id)
      life.number += 1
      _ = try await life.store.addEquipment(machine, every: every, to: team.id)
      let marks = WorkMarks(date: CivilDate(year: 2026, month: 3, day: 9), zone: .utc) { list in
        list.works.prefix(1).map { .work($0) } + list.machines.prefix(1).map { .machine($0) }
      }
      _ = try await life.store.markDone(marks, at: pool.id, of: team.id)
    },
    { life in
      // On a day with stops, its route is sent before one of them changes.
      try await runAll(&life)
      let team = try await life.team(.poolService)
      let today = ServiceToday(at: life.now, in: try life.stand.zones.zone(named: team.zone))
      let dates = try await life.store.serviceDates(of: team.id, today: today)
      let note = ServiceChangeNote(reason: "rain", setBy: "anna (uid 1000)", madeAt: life.now)
      guard let date = (0..<14).map({ today.date.adding(days: $0) }).first(where: { !dates.stops(on: $0).isEmpty }),
        let pool = life.any(dates.stops(on: date))?.pool.id
      else { return }
      do {
        let made = try await life.store.changeDates(of: team.id, today: today) { dates in
          try dates.skip(pool, on: date, note)
        }.changes
        if life.chance(3), let batch = made.first?.batch {
          _ = try await life.store.undoDates(batch: batch, of: team.id, today: today)
        }
      } catch is ServiceDateError {
        // The pool was visited today.
      }
    },
    { life in
      let team = try await life.team(.poolService)
      let forecast = Forecast(
        source: .csv, place: "", issuedAt: life.now, hours: [ForecastHour(start: life.now, air: 8.5, rain: 0.2)])
      _ = try await life.store.importForecast(forecast, digest: "\(life.number)", to: team.id, now: life.now)
      life.number += 1
    },
    { life in
      guard life.chance(6) else { return }
      try await life.replace(try await life.team(.poolService))
    },
  ]

  /// Replaces a team's records by an inbox archive, and a technician's records by an archive of their own.
  mutating func replace(_ team: Team) async throws {
    let pools = (0..<4).map { Samples.pool(1_000 * Int(team.id.number) + $0, customer: "C \($0)", order: $0) }
    let acid = Samples.item(9_000 + Int(team.id.number), stock: 500, threshold: 900)
    let visits = pools.prefix(2).map {
      Samples.visit(700_000 + Int(team.id.number) * 10_000 + fork(), to: $0.id, at: now)
    }
    let doses = visits.map { Samples.dose(800_000 + Int(team.id.number) * 10_000 + fork(), for: $0.id, of: acid.id) }
    _ = try await store.replaceRecords(
      team: team.name, technician: nil,
      records: RecordSet(
        pools: pools, serviceEvents: visits, chemicalDoses: doses, inventory: [acid],
        profiles: pools.map { Samples.profile(of: $0.id, tags: "tech:Dan") }
          + [Samples.profile(of: PoolID(Samples.uuid(77)))], equipment: []), photos: [:], now: now, dryRun: false,
      change: .fresh(), limitsPools: false, claim: ImportClaim(id: "claim-\(number)") { _ in "imported" })
    let hers = Samples.pool(1_000 * Int(team.id.number) + 500, customer: "Hers", day: .friday)
    _ = try await store.replaceRecords(
      team: team.name, technician: "María José", records: RecordSet(pools: [hers], inventory: []), photos: [:],
      now: now, dryRun: false)
  }

  private mutating func fork() -> Int {
    number += 1
    return number
  }

  mutating func anyPool() async throws -> (team: Team, pool: Pool)? {
    let team = try await team(.poolService)
    return any(try await store.allPools(of: team.id)).map { (team, $0) }
  }
}

// Visits: logged twice at one pool, edited, removed and undone.
extension RandomLife {
  static let field: [Verb] =
    [
      { life in
        guard let (_, pool) = try await life.anyPool(), let team = try await life.owner(of: pool) else { return }
        let (event, instant) = (ServiceEventID(life.fresh()), life.now)
        let photo: (fileName: String, bytes: Int)? = life.chance(3) ? (PhotoPath.name(event), 3) : nil
        let (water, measured) = (life.water(), life.chance(4) ? ReadingSet.pH : .all)
        if photo != nil { try life.writePhoto(event.uuid, of: team) }
        _ = try await life.store.logVisit(
          to: pool.id, of: team.id, at: life.chance(4) ? instant.advanced(by: .hours(-30)) : instant, now: instant,
          notes: "Brushed tile", photo: photo,
          identities: VisitIdentities(event: event, dose: { ChemicalDoseID(UUIDs.next()) }),
          done: WorkMarks(date: CivilDate(year: 2026, month: 3, day: 10), zone: .utc) { list in
            list.works.prefix(1).map { .work($0) }
          }
        ) { pool, _, stock in
          VisitToLog(
            readings: water, measured: measured,
            plan: VisitPlan(pool: pool, inventory: stock, readings: water, confirmed: .all))
        }
      },
      { life in
        guard let (team, visit) = try await life.anyVisit() else { return }
        let (water, pours) = (life.water(), life.chance(2))
        _ = try await life.store.editVisit(
          visit, of: team.id, now: life.now, dose: { ChemicalDoseID(UUIDs.next()) }
        ) { pool, _, _, stock in
          VisitEdit(
            readings: water, measured: .all, notes: "edited",
            plan: VisitPlan(pool: pool, inventory: stock, readings: water, confirmed: .all), pours: pours)
        }
      },
      { life in
        guard life.chance(3), let (team, visit) = try await life.anyVisit() else { return }
        _ = try await life.store.removeVisit(visit, of: team.id, now: life.now, dryRun: false)
      },
      { life in
        guard life.chance(3), let (team, pool) = try await life.anyPool() else { return }
        _ = try await life.store.undoVisit(to: pool.id, of: team.id, now: life.now)
      },
      { life in
        var progress = RefreshProgress()
        while !progress.isDone {
          progress = try await life.store.refreshBlockPools(after: progress, all: false, now: life.now)
        }
        try await life.store.noteRefresh(at: life.now)
      },
    ] + Array(repeating: logAgain, count: 2)

  /// The second visit at a pool makes the first visit's undo record obsolete.
  private static let logAgain: Verb = { try await field[0](&$0) }

  private func owner(of pool: Pool) async throws -> Team? {
    for team in try await store.teams() where team.trade == .poolService {
      if try await store.allPools(of: team.id).contains(where: { $0.id == pool.id }) { return team }
    }
    return nil
  }

  private mutating func anyVisit() async throws -> (team: Team, visit: ServiceEventID)? {
    let team = try await team(.poolService)
    return any(try await store.visits(of: team.id, pool: nil, search: nil, limit: 1_000)).map { (team, $0.event.id) }
  }

  private mutating func water() -> WaterReadings {
    WaterReadings(
      pH: Double.random(in: 6.5...8.5, using: &random), waterTempF: 78, calciumHardness: 250, totalAlkalinity: 40,
      cyanuricAcid: 30, totalDissolvedSolids: nil)
  }

  func writePhoto(_ record: UUID, of team: Team) throws {
    let folder = "\(stand.state)/photos"
    for path in [folder, "\(folder)/\(team.id.number)"] { try PrivateFiles.makeFolder(path) }
    // A PostgreSQL store takes the photo in under its staged name; with a file store it has its final name at once.
    let name = "\(record).bin"
    let path = "\(folder)/\(team.id.number)/\(ServerStores.isChosen ? PhotoPath.staged(name) : name)"
    try PrivateFiles.write(path, [0xFF, 0xD8, 0xFF])
  }
}
