import FlowCalendar
import FlowModel
import FlowStore
import PoolModel

// Rules, pauses and changed dates of the service of pools.

extension Connection {
  /// The services of a team's pools.
  func services(of team: TeamID) throws(StoreError) -> ServiceCalendar {
    let found = try rows(
      """
      SELECT pools.pool_id, pools.service_day, service.rule FROM pool_services AS service
      JOIN pools ON pools.team_id = service.team_id AND pools.pool_id = service.pool_id WHERE service.team_id = ?
      """, .integer(team.number)
    ) { row throws(StoreError) in
      guard let day = Weekday(rawValue: row.number("service_day")) else {
        throw .damaged(table: "pools", column: "service_day", value: row.text("service_day"))
      }
      let pool: PoolID = try row.id("pool_id", table: "pools")
      return (pool: pool, day: day, rule: try row.optionalText("rule").map(Self.dates))
    }
    guard !found.isEmpty else { return .weekly }
    let pauses = Dictionary(grouping: try self.pauses(of: team), by: \.pool)
    let changes = Dictionary(grouping: try serviceChanges(of: team), by: \.pool)
    let earlier = Dictionary(grouping: try earlierRules(of: team), by: \.pool)
    return ServiceCalendar(
      Dictionary(
        found.map { one in
          (
            one.pool,
            PoolService(
              weekday: one.day, rule: one.rule, pauses: (pauses[one.pool] ?? []).map(\.pause),
              changes: changes[one.pool] ?? [], earlier: (earlier[one.pool] ?? []).map(\.rule))
          )
        }, uniquingKeysWith: { first, _ in first }))
  }

  /// The services of these pools; pools that do not exist are left out.
  func services(of pools: [PoolID], team: TeamID) throws(StoreError) -> [PoolID: PoolService] {
    guard !pools.isEmpty else { return [:] }
    let own = try services(of: team)
    var found: [PoolID: PoolService] = [:]
    for id in pools {
      found[id] = own[id]
      if found[id] == nil, let state = try poolState(id, team: team) {
        found[id] = PoolService(weekday: state.pool.serviceDay)
      }
    }
    return found
  }

  /// Every pause of a team's pools, in the order in which they were added.
  func pauses(of team: TeamID) throws(StoreError) -> [(pool: PoolID, pause: ServicePause)] {
    try rows(
      "SELECT pause_id, pool_id, days, reason, set_by FROM service_pauses WHERE team_id = ? ORDER BY pause_id",
      .integer(team.number)
    ) { row throws(StoreError) in
      let days = row.text("days")
      guard let span = DaySpan(stored: days) else {
        throw .damaged(table: "service_pauses", column: "days", value: days)
      }
      return (
        try row.id("pool_id", table: "service_pauses"),
        ServicePause(id: row.integer("pause_id"), days: span, reason: row.text("reason"), setBy: row.text("set_by"))
      )
    }
  }

  /// The orders of a team's pools on other weekdays than their own.
  func serviceOrders(of team: TeamID) throws(StoreError) -> [(pool: PoolID, order: ServiceOrder)] {
    try rows(
      """
      SELECT pool_id, service_day, route_order, pin FROM service_orders WHERE team_id = ? ORDER BY pool_id, service_day
      """, .integer(team.number)
    ) { row throws(StoreError) in
      let day = row.number("service_day")
      guard let weekday = Weekday(rawValue: day) else {
        throw .damaged(table: "service_orders", column: "service_day", value: "\(day)")
      }
      return (
        try row.id("pool_id", table: "service_orders"),
        ServiceOrder(
          day: weekday, routeOrder: row.number("route_order"), pin: row.isNull("pin") ? nil : row.number("pin"))
      )
    }
  }

  /// The earlier rules of a team's pools, in the order of their dates.
  private func earlierRules(of team: TeamID) throws(StoreError) -> [(pool: PoolID, rule: EarlierRule)] {
    try rows(
      """
      SELECT pool_id, until_date, service_day, rule FROM service_rules_before WHERE team_id = ? ORDER BY until_date
      """, .integer(team.number)
    ) { row throws(StoreError) in
      guard let until = CivilDate(row.text("until_date")), let day = Weekday(rawValue: row.number("service_day")) else {
        throw .damaged(table: "service_rules_before", column: "until_date", value: row.text("until_date"))
      }
      return (
        try row.id("pool_id", table: "service_rules_before"),
        EarlierRule(until: until, weekday: day, rule: try row.optionalText("rule").map(Self.dates))
      )
    }
  }

  private static func dates(_ text: String) throws(StoreError) -> CalendarDates {
    do throws(CalendarDatesError) {
      return try CalendarDates(text)
    } catch {
      throw .damaged(table: "pool_services", column: "rule", value: text)
    }
  }

  /// Sets the rule of a pool; nil for every week.
  ///
  /// - Parameter before: the service before, and the first date of the new rule; nil if the rule is for past dates, too.
  func setRule(
    _ rule: CalendarDates?, of pool: PoolID, team: TeamID, after before: (service: PoolService, date: CivilDate)?
  ) throws(StoreError) {
    try writeRule(rule, of: pool, team: team)
    if let before, before.service.rule != rule {
      try add(
        EarlierRule(until: before.date, weekday: before.service.weekday, rule: before.service.rule), of: pool,
        team: team)
      try run(
        "DELETE FROM service_rules_before WHERE team_id = ? AND until_date < ?", .integer(team.number),
        .text(before.date.adding(days: -Limits.serviceChangesRetentionDays).description))
    }
    if rule == nil { try removeEmptyServices(of: team) }
  }

  /// Adds a rule that a pool had before, unless it has one until the same date.
  private func add(_ earlier: EarlierRule, of pool: PoolID, team: TeamID) throws(StoreError) {
    try run(
      """
      INSERT INTO service_rules_before (team_id, pool_id, until_date, service_day, rule) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (team_id, pool_id, until_date) DO NOTHING
      """, .integer(team.number), .id(pool), .text(earlier.until.description), .integer(earlier.weekday.rawValue),
      .optional(earlier.rule?.description))
  }

  private func writeRule(_ rule: CalendarDates?, of pool: PoolID, team: TeamID) throws(StoreError) {
    try run(
      """
      INSERT INTO pool_services (team_id, pool_id, rule) VALUES (?, ?, ?)
      ON CONFLICT (team_id, pool_id) DO UPDATE SET rule = excluded.rule
      """, .integer(team.number), .id(pool), .optional(rule?.description))
  }

  /// Adds the row to which the pauses and changes of a pool refer, unless it exists.
  func addService(of pool: PoolID, team: TeamID) throws(StoreError) {
    try run(
      "INSERT INTO pool_services (team_id, pool_id) VALUES (?, ?) ON CONFLICT (team_id, pool_id) DO NOTHING",
      .integer(team.number), .id(pool))
  }

  /// Adds pauses to a pool.
  ///
  /// - Returns: the pauses with their numbers.
  func add(_ pauses: [ServicePause], to pool: PoolID, team: TeamID) throws(StoreError) -> [ServicePause] {
    if !pauses.isEmpty { try addService(of: pool, team: team) }
    var added: [ServicePause] = []
    for pause in pauses {
      let id = try first(
        """
        INSERT INTO service_pauses (team_id, pool_id, days, reason, set_by) VALUES (?, ?, ?, ?, ?) RETURNING pause_id
        """, .integer(team.number), .id(pool), .text(pause.days.description), .text(pause.reason), .text(pause.setBy)
      ) { row throws(StoreError) in row.integer(0) }
      added.append(ServicePause(id: id ?? 0, days: pause.days, reason: pause.reason, setBy: pause.setBy))
    }
    return added
  }

  func removePauses(_ ids: [Int64], of team: TeamID) throws(StoreError) {
    for id in ids {
      try run("DELETE FROM service_pauses WHERE team_id = ? AND pause_id = ?", .integer(team.number), .integer(id))
    }
    try removeEmptyServices(of: team)
  }

  /// Deletes the rule, the pauses and the orders of a pool.
  func removeService(of pool: PoolID, team: TeamID) throws(StoreError) {
    try run("DELETE FROM pool_services WHERE team_id = ? AND pool_id = ?", .integer(team.number), .id(pool))
  }

  /// Replaces the rules, pauses and orders of pools by those of an archive; pools without an entry are served every week. A
  /// pool whose orders or earlier rules the archive does not have keeps its own. Changed dates stay.
  func replaceServices(
    of pools: [Pool], by services: [PoolServiceRecord], team: TeamID
  ) throws(StoreError) {
    let present = try self.services(of: team)
    let listed = Set(services.map(\.poolID))
    let known = Set(pools.map(\.id))
    for pool in known.subtracting(listed) {
      guard let service = present[pool] else { continue }
      try writeRule(nil, of: pool, team: team)
      try removePauses(service.pauses.map(\.id), of: team)
    }
    for service in services where known.contains(service.poolID) {
      try writeRule(service.rule, of: service.poolID, team: team)
      if !service.earlier.isEmpty {
        try run(
          "DELETE FROM service_rules_before WHERE team_id = ? AND pool_id = ?", .integer(team.number),
          .id(service.poolID))
        for earlier in service.earlier { try add(earlier, of: service.poolID, team: team) }
      }
      let pauses = present[service.poolID]?.pauses ?? []
      if !pauses.isEmpty { try removePauses(pauses.map(\.id), of: team) }
      _ = try add(service.pauses, to: service.poolID, team: team)
      if let orders = service.orders { try replaceOrders(of: service.poolID, by: orders, team: team) }
    }
  }

  private func replaceOrders(of pool: PoolID, by orders: [ServiceOrder], team: TeamID) throws(StoreError) {
    try run("DELETE FROM service_orders WHERE team_id = ? AND pool_id = ?", .integer(team.number), .id(pool))
    for order in orders {
      try run(
        """
        INSERT INTO service_orders (team_id, pool_id, service_day, route_order, pin) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (team_id, pool_id, service_day) DO NOTHING
        """, .integer(team.number), .id(pool), .integer(order.day.rawValue), .integer(Int64(order.routeOrder)),
        .optional(order.pin.map { Int64($0) }))
    }
  }

  /// Deletes the services of pools that no longer exist.
  func removeServicesWithoutPool(of team: TeamID) throws(StoreError) {
    try run(
      """
      DELETE FROM pool_services WHERE team_id = ?1 AND NOT EXISTS (SELECT 1 FROM pools
        WHERE pools.team_id = ?1 AND pools.pool_id = pool_services.pool_id)
      """, .integer(team.number))
  }

  /// Deletes services without a rule now or earlier, a pause and a changed date, so that a team of weekly pools has none.
  func removeEmptyServices(of team: TeamID) throws(StoreError) {
    try run(
      """
      DELETE FROM pool_services WHERE team_id = ?1 AND rule IS NULL AND NOT EXISTS (SELECT 1 FROM service_pauses AS pause
        WHERE pause.team_id = ?1 AND pause.pool_id = pool_services.pool_id)
        AND NOT EXISTS (SELECT 1 FROM service_changes AS change
          WHERE change.team_id = ?1 AND change.pool_id = pool_services.pool_id)
        AND NOT EXISTS (SELECT 1 FROM service_rules_before AS before
          WHERE before.team_id = ?1 AND before.pool_id = pool_services.pool_id)
      """, .integer(team.number))
  }
}
