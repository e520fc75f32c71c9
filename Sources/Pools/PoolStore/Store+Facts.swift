package import FlowCalendar
package import FlowModel
package import FlowStore
package import FlowWork
package import PoolDigests
import PoolJobs
import PoolModel

/// The part of a team's data that a decision reads.
package struct FactsRequest: Hashable, Sendable {
  package let team: TeamID
  package let days: [Weekday]
  /// Water changes after this instant are read; nil: none.
  package let waterSince: Timestamp?
  /// The last route sent before this day is read; nil: none.
  let routeBefore: CivilDate?
  /// The route sent for this date is read; nil: none.
  let routeOf: CivilDate?
  /// Use of low stock is counted from this instant; nil: it is not counted.
  let usedSince: Timestamp?
  /// All pools are read, with the cost of their visits since this instant; nil: none.
  let weekSince: Timestamp?
  /// The reporting week; nil if `weekSince` is nil.
  let week: Period?
  /// The local date of the decision.
  let date: CivilDate?
  let daysOff: RequiredFacts.RequiredDaysOff?
  let reminders: RemindersWanted
  let people: Bool
  let forecast: Bool
  /// Visits dated later are ignored; nil: all visits count.
  let visitsUntil: Timestamp?

  /// The reminders to read.
  enum RemindersWanted: Hashable, Sendable {
    case none, all
    /// One reminder; no other data than it needs is read.
    case only(ReminderName)
  }

  /// Everything that a decision about any weekday may read.
  package static func everyDay(of team: TeamID, now: Timestamp? = nil) -> FactsRequest {
    FactsRequest(
      team: team, days: Weekday.allCases, daysOff: .plain, reminders: .all, people: true, forecast: true,
      visitsUntil: now)
  }

  package init(team: TeamID, days: [Weekday], waterSince: Timestamp? = nil) {
    self.init(team: team, days: days, waterSince: waterSince, daysOff: nil)
  }

  init(
    team: TeamID, days: [Weekday], waterSince: Timestamp? = nil, routeBefore: CivilDate? = nil,
    routeOf: CivilDate? = nil, usedSince: Timestamp? = nil, weekSince: Timestamp? = nil, week: Period? = nil,
    date: CivilDate? = nil,
    daysOff: RequiredFacts.RequiredDaysOff?, reminders: RemindersWanted = .none, people: Bool = false,
    forecast: Bool = false, visitsUntil: Timestamp? = nil
  ) {
    self.team = team
    self.days = days
    self.waterSince = waterSince
    self.routeBefore = routeBefore
    self.routeOf = routeOf
    self.usedSince = usedSince
    self.weekSince = weekSince
    self.week = week
    self.date = date
    self.daysOff = daysOff
    self.reminders = reminders
    self.people = people
    self.forecast = forecast
    self.visitsUntil = visitsUntil
  }
}

extension FactsRequest {
  /// The data that a decision of this kind reads at `asOf`.
  ///
  /// - Parameters:
  ///   - now: the current time. Visits dated later, or after the local day of `asOf`, are ignored; nil: only the end of that
  ///     day limits them.
  ///   - forecast: true to read the forecast even if the decision reads none.
  package init(
    team: TeamID, kind: JobKind, asOf: Timestamp, now: Timestamp? = nil, zone: Zone, forecast: Bool = false
  ) {
    let date = zone.local(at: asOf).date
    let dayEnd = zone.resolve(LocalDateTime(date: date.adding(days: 1), time: .midnight)).standard
    let wanted = kind.scenario?.facts ?? RequiredFacts()
    func since(_ days: Int?) -> Timestamp? { days.map { zone.sameTime(-$0, daysAfter: asOf) } }
    self.init(
      team: team, days: date.weekdays(after: wanted.days), waterSince: since(wanted.waterChangeDays),
      routeBefore: wanted.lastRoute.map { date.adding(days: $0) },
      routeOf: wanted.toldRoutes ? date : nil, usedSince: since(wanted.useDays),
      weekSince: since(wanted.weekDays), week: wanted.weekDays.map { _ in Period(weekTo: date, in: zone) }, date: date,
      daysOff: wanted.daysOff,
      reminders: kind.reminderName.map { .only($0) } ?? .none, people: wanted.people,
      forecast: wanted.forecast || forecast, visitsUntil: min(now ?? dayEnd, dayEnd))
  }
}

extension FactsRequest {
  /// Reads only the last route sent for the same weekday before `date`.
  package init(toldBefore date: CivilDate, of team: TeamID) {
    self.init(team: team, days: [], routeBefore: date, daysOff: nil)
  }

  /// Further weekdays whose stops are read because days off move or cancel them.
  func days(because off: DaysOff) -> [Weekday] {
    guard let date, !off.isEmpty else { return [] }
    switch daysOff {
    case .nextWorkingDay?: return off.nextWorkingDay(after: date).map { [$0.weekday] } ?? []
    case .closedTomorrow?:
      return off.closedDays(from: date.adding(days: 1)).prefix(Limits.closedDaysListed).map(\.weekday)
    case .plain?, nil: return []
    }
  }
}

/// Reads the facts that decisions use.
package protocol FactsOfTeams: Sendable {
  /// Facts for each request, in one consistent snapshot; nil for a team that no longer exists. Unreadable records of one team
  /// fail only its own result.
  func factsPerTeam(_ requests: [FactsRequest]) async throws -> [Result<TeamFacts?, StoreError>]
}

extension FactsOfTeams {
  /// Facts for each request, in one consistent snapshot; nil for a team that no longer exists.
  ///
  /// - Throws: the first team's error.
  package func facts(_ requests: [FactsRequest]) async throws -> [TeamFacts?] {
    try await factsPerTeam(requests).map { try $0.get() }
  }
}

extension Store: FactsOfTeams {
  package func factsPerTeam(_ requests: [FactsRequest]) throws -> [Result<TeamFacts?, StoreError>] {
    try connection.factsPerTeam(requests, changesSeen: connection.changes.count)
  }
}

extension Connection {
  /// Facts for each request, in one consistent snapshot.
  ///
  /// - Parameter changesSeen: the change count before the read; settling compares it to find outdated decisions.
  func factsPerTeam(_ requests: [FactsRequest], changesSeen: Int) throws -> [Result<TeamFacts?, StoreError>] {
    try snapshot(of: requests.map(\.team)) { next in
      try requests.map { request in
        defer { next() }
        return try factsPerTeam(request).map { facts in
          var facts = facts
          facts?.changesSeen = changesSeen
          return facts
        }
      }
    }
  }

  /// Facts for one request; errors in the team's records become a failed result.
  ///
  /// - Throws: `StoreError` that concerns the whole store.
  func factsPerTeam(_ request: FactsRequest) throws(StoreError) -> Result<TeamFacts?, StoreError> {
    do throws(StoreError) {
      return .success(try facts(request))
    } catch {
      guard error.isAboutData else { throw error }
      return .failure(error)
    }
  }

  /// Facts for one request; nil if the team no longer exists.
  package func facts(_ request: FactsRequest) throws(StoreError) -> TeamFacts? {
    guard let team = try team(request.team) else { return nil }
    return try facts(request, of: team)
  }

  /// Facts for one request about a team whose record is already read.
  func facts(_ request: FactsRequest, of team: Team) throws(StoreError) -> TeamFacts {
    let off = request.daysOff != nil && team.hasDaysOff ? try daysOff(of: team.id) : .none
    let reminders = try reminders(request.reminders, of: team.id)
    // For a single reminder, only the data it mentions is read.
    let only: Reminder? = if case .only(let name) = request.reminders { reminders[name] } else { nil }
    let needsStock = only?.needsStock != false
    let lastVisit = request.visitsUntil ?? Timestamp(milliseconds: .max)
    let stock = needsStock || only?.needsStops != false ? try stock(of: team.id) : []
    var visits = TeamVisitReader(
      team: team.id, stock: stock.map(\.item), usedSince: request.usedSince,
      until: lastVisit, connection: self)
    let count = try first(
      """
      SELECT (SELECT count(*) FROM pools WHERE team_id = ?1), (SELECT count(*) FROM pool_services WHERE team_id = ?1),
        EXISTS (SELECT 1 FROM pool_work WHERE team_id = ?1)
      """, .integer(team.id.number)
    ) { row throws(StoreError) in (pools: row.number(0), services: row.number(1), hasWork: row.flag(2)) }
    let forecast = request.forecast ? try keptForecasts(of: team.id, limit: 1).first : nil
    let services = (count?.services ?? 0) > 0 ? try services(of: team.id) : .weekly
    var stops: [Weekday: [DayStop]] = [:]
    if only?.needsStops != false {
      let equipment = services.isWeekly ? [:] : try datedEquipment(of: team.id, on: nil)
      for day in request.days + request.days(because: off) where stops[day] == nil {
        stops[day] =
          services.isWeekly
          ? try self.stops(of: team.id, on: day, &visits)
          : try self.stops(of: team.id, on: day, by: services, equipment, &visits)
      }
    }
    var facts = TeamFacts(
      team: team, technicians: try technicians(of: team.id), poolCount: count?.pools ?? 0, stopsByDay: stops,
      stock: needsStock ? stock : [],
      waterChanges: try waterChanges(of: team.id, since: request.waterSince))
    facts.daysOff = off
    facts.services = services
    facts.forecast = forecast
    if count?.hasWork == true, !stops.isEmpty {
      facts.work = Dictionary(grouping: try works(of: team.id, at: nil), by: \.poolID)
    }
    facts.reminders = reminders
    if request.people { facts.people = try people(of: team.id).map(\.person) }
    if let date = request.routeBefore {
      facts.lastRoute = try lastRoute(of: team.id, before: date)
      for route in try routes(of: team.id) where route.day == date.weekday {
        facts.plannedRoutes[route.technicianID] = PlannedRoute(
          order: route.current, figures: route.figures, bestFigures: route.bestFigures)
      }
    }
    if let date = request.routeOf {
      facts.toldRoute = try sentRoute(of: team.id, on: date)
      facts.toldTomorrow = try sentRoute(of: team.id, on: date.adding(days: 1))
    }
    facts.usedOz = try visits.chemicalUse()
    if let start = request.weekSince, let week = request.week {
      facts.week = try self.week(
        of: team.id, since: start, until: lastVisit, week, &visits)
    }
    return facts
  }

  private func reminders(
    _ wanted: FactsRequest.RemindersWanted, of team: TeamID
  ) throws(StoreError) -> [ReminderName: Reminder] {
    let found: [TeamReminder] =
      switch wanted {
      case .none: []
      case .all: try reminders(of: team)
      case .only(let name): try reminder(name, of: team).map { [$0] } ?? []
      }
    return Dictionary(found.map { ($0.reminder.name, $0.reminder) }, uniquingKeysWith: { first, _ in first })
  }

  /// Water changes of a team after `start`; empty for nil.
  private func waterChanges(of team: TeamID, since start: Timestamp?) throws(StoreError) -> [WaterChange] {
    guard let start else { return [] }
    // A quick existence check: on most days no water crossed a limit, and even an empty sort is slower.
    let changed = try first(
      "SELECT 1 FROM water_crossings WHERE team_id = ? AND at_ms > ? LIMIT 1", .integer(team.number), .at(start)
    ) { _ throws(StoreError) in true }
    guard changed == true else { return [] }
    return try crossings(of: team, since: start)
  }

  /// The stops of a weekday of a team whose pools are all served weekly, in route order.
  private func stops(
    of team: TeamID, on day: Weekday, _ visits: inout TeamVisitReader
  ) throws(StoreError) -> [DayStop] {
    // On days without stops, one lookup in the index saves the queries below.
    let isBusy = try first(
      "SELECT 1 FROM pools WHERE team_id = ? AND service_day = ? LIMIT 1", .integer(team.number), .integer(day.rawValue)
    ) { _ throws(StoreError) in true }
    guard isBusy == true else { return [] }
    let equipment = try datedEquipment(of: team, on: day)
    return try rows(
      """
      SELECT \(Self.stopColumns), \(Self.careColumns) FROM \(Self.stopTables)
      WHERE pools.team_id = ? AND service_day = ? ORDER BY route_order, pools.pool_id
      """, .integer(team.number), .integer(day.rawValue)
    ) { row throws(StoreError) in try Self.stop(row, equipment, &visits) }
  }

  /// The stops that a weekday may have, by rules or changed dates, for a team with other services than weekly ones; in the
  /// order that the weekday has without changed dates.
  private func stops(
    of team: TeamID, on day: Weekday, by services: ServiceCalendar, _ equipment: [PoolID: [DatedEquipment]],
    _ visits: inout TeamVisitReader
  ) throws(StoreError) -> [DayStop] {
    try rows(
      """
      SELECT \(Self.stopColumns), \(Self.careColumns), \(Self.orderOnDay) AS order_on_day FROM \(Self.stopTables)
      WHERE pools.team_id = ?1 AND \(Self.mayBeServed) ORDER BY order_on_day, pools.pool_id
      """, .integer(team.number), .integer(day.rawValue)
    ) { row throws(StoreError) in
      let id: PoolID = try row.id("pool_id", table: "pools")
      let isOwnDay = row.number("service_day") == day.rawValue
      guard services[id].map({ $0.mayBeServed(on: day) }) ?? isOwnDay else { return nil as DayStop? }
      var stop = try Self.stop(row, equipment, &visits)
      stop.day = day
      stop.routeOrder = row.number("order_on_day")
      return stop
    }.compactMap(\.self)
  }

  /// The pools that may be served on weekday `?2` of team `?1`: those of the weekday, and those with dates of their own.
  static let mayBeServed = """
    (pools.service_day = ?2 OR EXISTS (SELECT 1 FROM pool_services AS service
      WHERE service.team_id = pools.team_id AND service.pool_id = pools.pool_id))
    """

  /// The order of a pool on weekday `?2`.
  private static let orderOnDay = """
    CASE WHEN pools.service_day = ?2 THEN pools.route_order ELSE coalesce((SELECT own.route_order
      FROM service_orders AS own WHERE own.team_id = pools.team_id AND own.pool_id = pools.pool_id
        AND own.service_day = ?2), pools.route_order) END
    """

  /// Reads a row with `stopColumns` and `careColumns`.
  private static func stop(
    _ row: Statement, _ equipment: [PoolID: [DatedEquipment]], _ visits: inout TeamVisitReader
  ) throws(StoreError) -> DayStop {
    var stop = try dayStop(row)
    stop.care = care(row, try visits.history(of: stop.poolID), equipment: equipment[stop.poolID] ?? [])
    return stop
  }

  /// The stock in listing order: the team's own first, then each truck's.
  private func stock(of team: TeamID) throws(StoreError) -> [StockItem] {
    try rows(
      """
      SELECT \(Self.itemColumns), scope_technician_id FROM inventory_items AS item
      WHERE team_id = ? ORDER BY coalesce(scope_technician_id, 0), position, item_id
      """, .integer(team.number)
    ) { row throws(StoreError) in
      StockItem(
        item: try Self.item(row), technicianID: row.optionalInteger("scope_technician_id").map { TechnicianID($0) })
    }
  }
}
