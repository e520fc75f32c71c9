import FlowModel
import FlowStore
import PoolDigests
import PoolModel

// Routes that were sent to teams; the next morning of the same weekday is compared with them.

extension Connection {
  /// The route of the newest morning digest for the same weekday before `date`, days without stops left out; nil if there is
  /// none.
  func lastRoute(of team: TeamID, before date: CivilDate) throws(StoreError) -> SentRoute? {
    let earliest = Timestamp(seconds: Int64(date.adding(days: -Limits.previousRouteDays).daysSince1970) * 86_400)
    let sentRoute = try first(
      """
      SELECT route_id, local_date FROM told_routes
      WHERE team_id = ? AND service_day = ? AND local_date < ? AND slot_ms >= ?
        AND EXISTS (SELECT 1 FROM told_stops WHERE told_stops.route_id = told_routes.route_id)
      ORDER BY slot_ms DESC LIMIT 1
      """, .integer(team.number), .integer(date.weekday.rawValue), .text(date.description), .at(earliest)
    ) { row throws(StoreError) in (id: row.integer(0), date: CivilDate(row.text(1))) }
    guard let sentRoute, let day = sentRoute.date else { return nil }
    return try self.sentRoute(sentRoute.id, of: team, on: day)
  }

  /// The route of the newest notice about `date`; nil if there is none.
  func sentRoute(of team: TeamID, on date: CivilDate) throws(StoreError) -> SentRoute? {
    let id = try first(
      "SELECT route_id FROM told_routes WHERE team_id = ? AND service_day = ? AND local_date = ?",
      .integer(team.number), .integer(date.weekday.rawValue), .text(date.description)
    ) { row throws(StoreError) in row.integer(0) }
    return try id.map { (id) throws(StoreError) in try sentRoute(id, of: team, on: date) }
  }

  private func sentRoute(_ id: Int64, of team: TeamID, on day: CivilDate) throws(StoreError) -> SentRoute {
    var days: [PoolID: Weekday] = [:]
    let stops = try rows(
      """
      SELECT pool_id, customer_name, technician,
        (SELECT service_day FROM pools WHERE pools.team_id = ?1 AND pools.pool_id = told_stops.pool_id) AS service_day
      FROM told_stops WHERE route_id = ?2 ORDER BY place LIMIT ?3
      """, .integer(team.number), .integer(id), .integer(Limits.rowsPerAnswer)
    ) { row throws(StoreError) in
      let pool: PoolID = try row.id("pool_id", table: "told_stops")
      days[pool] = row.optionalInteger("service_day").flatMap { Weekday(rawValue: Int($0)) }
      return SentRoute.Stop(poolID: pool, customer: row.text("customer_name"), technician: row.text("technician"))
    }
    return SentRoute(date: day, stops: stops, currentDays: days)
  }

  /// Stores the route of a digest, in the transaction that writes its notice. It replaces a route of the same day.
  ///
  /// - Parameter time: routes older than `Limits.previousRouteDays` at this time are deleted.
  func remember(
    _ route: SentRoute, of team: TeamID, toldBy slot: Timestamp, deletionTime time: Timestamp
  ) throws(StoreError) {
    let old = min(slot, time).advanced(by: .hours(-24 * (Limits.previousRouteDays + 1)))
    let day: [SQLValue] = [
      .integer(team.number), .integer(route.date.weekday.rawValue), .text(route.date.description), .at(slot),
    ]
    try run(
      """
      DELETE FROM told_routes WHERE team_id = ?1 AND service_day = ?2
        AND (slot_ms < ?5 OR (local_date = ?3 AND slot_ms <= ?4))
      """, day + [.at(old)])
    let sentRoute = try rows(
      """
      INSERT INTO told_routes (team_id, service_day, local_date, slot_ms) VALUES (?, ?, ?, ?)
      ON CONFLICT (team_id, service_day, local_date) DO NOTHING RETURNING route_id
      """, day
    ) { row throws(StoreError) in row.integer(0) }
    guard let id = sentRoute.first else { return }
    try insert(Array(route.stops.enumerated()), as: Self.toldStops) { stop, row in
      row.put(id)
      row.put(stop.offset)
      row.put(stop.element.poolID)
      row.put(stop.element.customer)
      row.put(stop.element.technician)
    }
  }

  private static let toldStops = InsertForm("told_stops", "route_id, place, pool_id, customer_name, technician")
}
