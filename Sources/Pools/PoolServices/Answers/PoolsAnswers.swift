import PoolControl
import FlowCalendar
import FlowControl
import FlowModel
import FlowNotices
import FlowPlatform
import FlowServices
import FlowStore
import PoolChemistry
import PoolDigests
import PoolModel
import PoolStore

/// Answers `org.poolflow.Pools`.
struct PoolsAnswers: PoolsService {
  let store: any Pools & RecurringWork & Services
  let zones: SystemZones
  let finder: PoolFinder
  let clock: any WallClock

  func list(_ call: PoolsCall.List, _ caller: Caller) async throws -> PoolsCall.List.Reply {
    let team = try await finder.team(named: call.team)
    let day = try call.day.map { try Weekday(asked: $0) }
    if let technician = call.technician { _ = try await finder.technician(technician, of: team) }
    let search = try call.search.map {
      try SearchText(asked: $0, example: "a part of a customer's name or of an address, such as 'juniper'")
    }
    let now = clock.now()
    let services = try await store.services(of: team.id)
    let lines = try await store.pools(
      of: team.id, day: services.isWeekly ? day : nil, technician: call.technician, now: now
    ).filter { line in
      guard let day, !services.isWeekly else { return true }
      return (services[line.pool.id]?.weekdays ?? [line.pool.serviceDay]).contains(day)
    }.filter { line in
      search.map { search in
        [line.pool.customerName, line.pool.address, line.pool.notes].contains { search.isFound(in: $0) }
      } ?? true
    }
    return PoolsCall.List.Reply(
      units: UnitsView(team.units),
      pools: lines.map {
        view(
          of: $0.pool, place: $0.place, technician: $0.technician, lastVisit: $0.lastVisit, water: $0.water,
          rule: services[$0.pool.id]?.rule, team: team)
      })
  }

  func show(_ call: PoolsCall.Show, _ caller: Caller) async throws -> PoolsCall.Show.Reply {
    let team = try await finder.team(named: call.team)
    let pool = try await finder.pool(call.pool, of: team)
    let now = clock.now()
    let detail = try await store.detail(of: pool, team: team.id, now: now)
    let visits = try await store.events(of: pool.id, team: team.id, limit: Limits.rowsPerAnswer, until: now)
    let (water, localizer) = (detail.water, Localizer(team))
    let zone = try zones.zone(asked: team.zone)
    let service = try await store.services(of: team.id)[pool.id]
    let work = try await store.workList(of: team.id, at: pool.id)
    func date(_ instant: Timestamp) -> Int { zone.local(at: instant).date.daysSince1970 }
    return PoolsCall.Show.Reply(
      details: PoolDetailsView(
        pool: view(
          of: pool, place: detail.place, technician: detail.technician, lastVisit: detail.lastVisit?.timestamp,
          water: water, rule: service?.rule, team: team),
        team: team.name, units: UnitsView(team.units), latitude: pool.hasCoordinates ? pool.latitude : nil,
        longitude: pool.hasCoordinates ? pool.longitude : nil, monthlyFee: pool.monthlyServiceFee,
        feeText: localizer.money(pool.monthlyServiceFee), readings: water.map { view(of: $0.readings) },
        readingsAt: water?.at.description, readingsLocal: water.map { zones.local($0.at, zone: team.zone) },
        readingsDays: water.map { date(now) - date($0.at) },
        readingsOlder: water.map(\.older.names),
        readingsAssumed: water?.assumed.names, water: localizer.water(water),
        profile: detail.profile.flatMap { $0.isBlank ? nil : view(of: $0, reveal: call.reveal) },
        notes: call.reveal ? pool.notes : nil,
        equipment: detail.equipment.map { EquipmentView($0, EquipmentDates($0, at: now, in: zone)) },
        visits: detail.visits,
        recentVisits: visits.prefix(Self.recentVisits).map {
          VisitView(
            at: $0.timestamp.description, local: zones.local($0.timestamp, zone: team.zone),
            lsi: $0.lsi(by: team.settings.lsiMethod),
            chemicalCost: $0.totalChemicalCost, costText: localizer.money($0.totalChemicalCost),
            photo: $0.photoFileName != nil, freeChlorine: $0.measuredFreeChlorine, salt: $0.measuredSalt)
        }, condition: water?.lsi(by: team.settings.lsiMethod).map { WaterConditionView(WaterCondition(lsi: $0)) },
        money: PoolMoneyView(
          PoolProfit(pool: pool, visits: visits, since: zone.sameTime(-Self.moneyDays, daysAfter: now)),
          days: Self.moneyDays, localizer),
        service: try await serviceView(of: pool, service, team, now: now),
        work: work.works.isEmpty
          ? nil
          : work.works.sorted { ($0.due, $0.name) < ($1.due, $1.name) }.map {
            WorkView($0, customer: pool.customerName, last: work.last(of: $0), today: zone.local(at: now).date)
          }))
  }

  /// The dates of service of a pool; nil if it is simply served every week.
  private func serviceView(
    of pool: Pool, _ service: PoolService?, _ team: Team, now: Timestamp
  ) async throws -> PoolServiceView? {
    guard let service else { return nil }
    let input = try StopInput(of: team, zones, now: now)
    let recent = service.changes.filter { $0.lastDate >= input.today.date.adding(days: -Self.changeDays) }
    guard service.hasOwnDates || !recent.isEmpty else { return nil }
    var changes: [StopChangeView]?
    if !recent.isEmpty {
      let dates = try await store.serviceDates(of: team.id, today: input.today)
      changes = recent.compactMap { input.view(of: $0, dates, isEffective: service.isEffective($0)) }
    }
    return PoolServiceView(of: pool, service, today: input.today.date, changes: changes)
  }

  /// Days for which a pool's view shows changed dates that are past.
  private static let changeDays = 7

  func listStopChanges(
    _ call: PoolsCall.ListStopChanges, _ caller: Caller
  ) async throws -> PoolsCall.ListStopChanges.Reply {
    let team = try await finder.team(named: call.team)
    let input = try StopInput(of: team, zones, now: clock.now())
    let dates = try await store.serviceDates(of: team.id, today: input.today)
    let shown = dates.services.changes.filter { call.past == true || $0.lastDate >= input.today.date }
    return PoolsCall.ListStopChanges.Reply(
      changes: shown.sorted { ($0.from, $0.id) < ($1.from, $1.id) }.compactMap { change in
        input.view(
          of: change, dates, isEffective: dates.services[change.pool]?.isEffective(change) ?? false)
      })
  }

  func listServices(_ call: PoolsCall.ListServices, _ caller: Caller) async throws -> PoolsCall.ListServices.Reply {
    let team = try await finder.team(named: call.team)
    let now = clock.now()
    let today = try zones.zone(asked: team.zone).local(at: now).date
    let services = try await store.services(of: team.id)
    guard !services.isWeekly else { return PoolsCall.ListServices.Reply(services: []) }
    let pools = try await store.pools(of: team.id, day: nil, technician: nil, now: now).map(\.pool)
    return PoolsCall.ListServices.Reply(
      services: pools.compactMap { pool in
        services[pool.id].flatMap { $0.hasOwnDates ? PoolServiceView(of: pool, $0, today: today) : nil }
      })
  }

  /// Number of visits in a pool's view. Source: PoolFlow feature inventory, 12.10.
  private static let recentVisits = 6
  /// Default period of `profit`, in days.
  private static let moneyDays = 30

  private func view(
    of pool: Pool, place: Int, technician: String, lastVisit: Timestamp?, water: MeasuredWater?,
    rule: CalendarDates?, team: Team
  ) -> PoolView {
    PoolView(
      id: pool.id.description, customer: pool.customerName, address: pool.address, day: DayView(pool.serviceDay),
      order: place, technician: technician, volumeGallons: pool.volumeGallons,
      lsi: water?.lsi(by: team.settings.lsiMethod),
      lastVisit: lastVisit?.description, lastVisitLocal: lastVisit.map { zones.local($0, zone: team.zone) },
      volumeText: Localizer(team).volume(gallons: pool.volumeGallons), service: rule?.description)
  }

  private func view(of readings: WaterReadings) -> ReadingsView {
    ReadingsView(
      ph: readings.pH, waterTempF: readings.waterTempF, calciumHardness: readings.calciumHardness,
      totalAlkalinity: readings.totalAlkalinity, cyanuricAcid: readings.cyanuricAcid,
      totalDissolvedSolids: readings.totalDissolvedSolids, freeChlorine: readings.freeChlorine, salt: readings.salt)
  }

  private func view(of profile: CustomerProfile, reveal: Bool) -> ProfileView {
    ProfileView(
      contactName: profile.contactName, contactPhone: reveal ? profile.contactPhone : nil,
      contactEmail: reveal ? profile.contactEmail : nil, gateAccess: reveal ? profile.gateAccessType : nil,
      arrivalWindow: profile.preferredArrivalWindow,
      tags: profile.tagsCSV.split(separator: ",").map(trimmingSpaces).filter { !$0.isEmpty })
  }
}

extension PoolServiceView {
  fileprivate init(of pool: Pool, _ service: PoolService, today: CivilDate, changes: [StopChangeView]? = nil) {
    let weekly = "every \(DateFormats(.english).weekday(service.weekday))"
    self.init(
      id: pool.id.description, customer: pool.customerName, day: DayView(pool.serviceDay),
      rule: service.rule?.description ?? ServiceRule.weeklyWord, words: service.rule?.inWords ?? weekly,
      next: service.next(onOrAfter: today)?.description,
      pauses: service.pauses.map { PauseView($0, today: today) }, changes: changes)
  }
}

extension EquipmentView {
  fileprivate init(_ equipment: Equipment, _ dates: EquipmentDates) {
    self.init(
      name: equipment.name, kind: equipment.equipmentType, manufacturer: equipment.manufacturer,
      model: equipment.modelNumber, warranty: dates.warranty, service: dates.service, expired: dates.isExpired,
      overdue: dates.isOverdue, dueSoon: dates.isDueSoon)
  }
}

extension PoolMoneyView {
  fileprivate init(_ money: PoolProfit, days: Int, _ localizer: Localizer) {
    self.init(
      days: days, fee: money.monthlyServiceFee, feeText: localizer.money(money.monthlyServiceFee),
      chemicals: money.totalChemicalCost, chemicalsText: localizer.money(money.totalChemicalCost), profit: money.profit,
      profitText: localizer.money(money.shownProfit), loser: money.isMoneyLoser, red: money.isInTheRed)
  }
}
