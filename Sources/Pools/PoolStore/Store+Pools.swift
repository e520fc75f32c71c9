package import FlowModel
import FlowNotices
import FlowStore
package import PoolDigests
package import PoolModel

/// A pool with its technician, profile, visits and equipment.
package struct PoolDetail: Sendable {
  package let pool: Pool
  package let technician: String
  package let profile: CustomerProfile?
  /// The newest visit that is not in the future.
  package let lastVisit: ServiceEvent?
  /// Nil if no visit measured anything.
  package let water: MeasuredWater?
  package let visits: Int
  package let equipment: [Equipment]
  /// Position in its technician's route of that day, from 1.
  package let place: Int
}

/// A line of a team's list of pools.
package struct PoolLine: Sendable {
  package let pool: Pool
  package let technician: String
  package let lastVisit: Timestamp?
  /// Nil if no visit measured anything.
  package let water: MeasuredWater?
  /// Position in its technician's route of that day, from 1.
  package let place: Int
}

extension Store {
  package func pools(
    of team: TeamID, day: Weekday? = nil, technician: String? = nil, now: Timestamp
  ) throws -> [PoolLine] {
    try poolLines(of: team, day: day, technician: technician, after: 0, limit: Limits.rowsPerAnswer, now: now)
  }

  package func pools(of team: TeamID, after start: Int, limit: Int, now: Timestamp) throws -> [PoolLine] {
    try poolLines(of: team, day: nil, technician: nil, after: start, limit: limit, now: now)
  }

  /// Lines of a team's pool list; nil selects all days or technicians.
  private func poolLines(
    of team: TeamID, day: Weekday?, technician: String?, after start: Int, limit: Int, now: Timestamp
  ) throws -> [PoolLine] {
    try connection.rows(
      """
      SELECT \(Connection.poolColumns), technicians.name AS technician,
        row_number() OVER (PARTITION BY pools.service_day, pools.technician_id ORDER BY pools.route_order, pools.pool_id)
          AS place,
        (SELECT max(at_ms) FROM service_events AS visit WHERE visit.team_id = pools.team_id
          AND visit.pool_id = pools.pool_id AND visit.at_ms <= ?5) AS last_visit_ms,
        water.at_ms AS water_at_ms, water.measured AS water_measured, water.assumed AS water_assumed, water.ph AS now_ph,
        water.water_temp_f AS now_temp_f, water.calcium_hardness AS now_calcium, water.total_alkalinity AS now_alkalinity,
        water.cyanuric_acid AS now_stabilizer, water.free_chlorine AS now_chlorine, water.salt AS now_salt
      FROM pools JOIN technicians ON technicians.technician_id = pools.technician_id
      LEFT JOIN service_events AS water ON water.team_id = pools.team_id AND water.event_id =
        (SELECT visit.event_id FROM service_events AS visit WHERE visit.team_id = pools.team_id
          AND visit.pool_id = pools.pool_id AND visit.at_ms <= ?5 AND visit.measured != 0
          ORDER BY visit.at_ms DESC, visit.event_id LIMIT 1)
      WHERE pools.team_id = ?1 AND (?2 IS NULL OR pools.service_day = ?2)
        AND (?3 IS NULL OR technicians.name_key = ?3)
      ORDER BY pools.service_day, technicians.is_default DESC, technicians.name_key, place LIMIT ?4 OFFSET ?6
      """, .integer(team.number), .optional(day.map { Int64($0.rawValue) }), .optional(technician?.lowercased()),
      .integer(limit), .at(now), .integer(start)
    ) { row throws(StoreError) in
      let pool = try Connection.pool(row)
      return PoolLine(
        pool: pool, technician: row.text("technician"), lastVisit: row.optionalInstant("last_visit_ms"),
        water: Self.water(of: pool, row), place: row.number("place"))
    }
  }

  /// The water data in a row of `poolLines`; nil if no visit measured anything.
  private static func water(of pool: Pool, _ row: Statement) -> MeasuredWater? {
    guard let at = row.optionalInstant("water_at_ms") else { return nil }
    return MeasuredWater(
      WaterReadings(
        pH: row.real("now_ph"), waterTempF: row.real("now_temp_f"), calciumHardness: row.real("now_calcium"),
        totalAlkalinity: row.real("now_alkalinity"), cyanuricAcid: row.real("now_stabilizer"),
        totalDissolvedSolids: nil, freeChlorine: row.optionalReal("now_chlorine"), salt: row.optionalReal("now_salt")),
      at: at, measured: ReadingSet(rawValue: row.number("water_measured")),
      assumed: ReadingSet(rawValue: row.number("water_assumed")),
      totalDissolvedSolids: pool.readings.totalDissolvedSolids)
  }

  package func allPools(of team: TeamID) throws -> [Pool] {
    try connection.rows(
      "SELECT \(Connection.poolColumns) FROM pools WHERE team_id = ? ORDER BY created_ms, rowid",
      .integer(team.number)
    ) { row throws(StoreError) in try Connection.pool(row) }
  }

  package func profiles(of team: TeamID) throws -> [CustomerProfile] { try connection.profiles(of: team) }

  /// An empty text finds nothing, although every name begins with it.
  package func pools(of team: TeamID, matching text: String) throws -> [Pool] {
    guard !text.isEmpty else { return [] }
    // Exact names come first, so that longer ones do not push them beyond the limit.
    let found = try connection.rows(
      """
      SELECT \(Connection.poolColumns) FROM pools
      WHERE team_id = ?1
        AND (substr(pool_id, 1, length(?3)) = ?3 OR lower(substr(customer_name, 1, length(?2))) = lower(?2))
      ORDER BY length(customer_name) = length(?2) DESC, customer_name, pool_id LIMIT 20
      """, .integer(team.number), .text(text), .optional(IDPrefix(text)?.text)
    ) { row throws(StoreError) in try Connection.pool(row) }
    let name = text.lowercased()
    let exact = found.filter { $0.customerName.lowercased() == name || $0.id.description == text.uppercased() }
    return exact.isEmpty ? found : exact
  }

  package func detail(of pool: Pool, team: TeamID, now: Timestamp) throws -> PoolDetail {
    let drive = try connection.first(
      """
      SELECT technicians.name,
        (SELECT count(*) FROM pools AS before WHERE before.team_id = pools.team_id
          AND before.service_day = pools.service_day AND before.technician_id = pools.technician_id
          AND (before.route_order, before.pool_id) <= (pools.route_order, pools.pool_id)) AS place
      FROM pools JOIN technicians ON technicians.technician_id = pools.technician_id
      WHERE pools.team_id = ? AND pool_id = ?
      """, .integer(team.number), .id(pool.id)
    ) { row throws(StoreError) in (technician: row.text("name"), place: row.number("place")) }
    let last = try events(of: pool.id, team: team, limit: 1, until: now).first
    let measured =
      last?.measured.isEmpty == false ? last : try connection.lastMeasured(at: pool.id, team: team, until: now)
    let count = try connection.first(
      "SELECT count(*) FROM service_events WHERE team_id = ? AND pool_id = ?", .integer(team.number), .id(pool.id)
    ) { row throws(StoreError) in row.number(0) }
    return PoolDetail(
      pool: pool, technician: drive?.technician ?? "",
      profile: try connection.profiles(of: team).first { $0.poolID == pool.id }, lastVisit: last,
      water: measured.flatMap { MeasuredWater($0, of: pool) }, visits: count ?? 0,
      equipment: try equipment(of: pool.id, team: team), place: drive?.place ?? 1)
  }

  package func events(of pool: PoolID, team: TeamID, limit: Int, until last: Timestamp?) throws -> [ServiceEvent] {
    try connection.rows(
      """
      SELECT \(Connection.visitColumns) FROM service_events AS visit
      WHERE team_id = ?1 AND pool_id = ?2 AND (?4 IS NULL OR at_ms <= ?4) ORDER BY at_ms DESC, event_id LIMIT ?3
      """, .integer(team.number), .id(pool), .integer(limit), .at(last)
    ) { row throws(StoreError) in try Connection.visit(row) }
  }

  package func equipment(of pool: PoolID, team: TeamID) throws -> [Equipment] {
    try connection.rows(
      """
      SELECT \(Connection.equipmentColumns) FROM equipment AS machine WHERE team_id = ? AND pool_id = ?
      ORDER BY name, equipment_id
      """, .integer(team.number), .id(pool)
    ) { row throws(StoreError) in try Connection.equipment(row) }
  }

  package func poolsByTechnician(of team: TeamID) throws -> [TechnicianID: Int] {
    let rows = try connection.rows(
      "SELECT technician_id, count(*) FROM pools WHERE team_id = ? GROUP BY technician_id", .integer(team.number)
    ) { row throws(StoreError) in (TechnicianID(row.integer(0)), row.number(1)) }
    return Dictionary(rows, uniquingKeysWith: +)
  }

  /// Visits whose photos are in the team's photo folder, with the photo's size in bytes.
  package func photoSizes(of team: TeamID) throws -> [ServiceEventID: Int] {
    let sizes = try connection.rows(
      "SELECT event_id, photo_bytes FROM service_events WHERE team_id = ? AND photo_bytes IS NOT NULL",
      .integer(team.number)
    ) { row throws(StoreError) -> (ServiceEventID, Int) in
      (try row.id(0, table: "service_events", name: "event_id"), row.number(1))
    }
    return Dictionary(sizes, uniquingKeysWith: { first, _ in first })
  }

  package func photoEvents(of team: TeamID, pool: PoolID? = nil) throws -> Set<ServiceEventID> {
    Set(
      try connection.rows(
        "SELECT event_id FROM service_events WHERE team_id = ?1 AND photo_bytes IS NOT NULL AND (?2 IS NULL OR pool_id = ?2)",
        .integer(team.number), .id(pool)
      ) { row throws(StoreError) in try row.id(0, table: "service_events", name: "event_id") })
  }

  package nonisolated func access(to pools: [PoolID], team: TeamID) async throws -> [PoolAccess] {
    try await readConcurrently(isMany: true) { connection in
      try connection.snapshot {
        try pools.compactMap { pool in
          let found = try connection.first(
            """
            SELECT customer_name, pools.notes, contact_name, contact_phone, contact_email, gate_access FROM pools
            LEFT JOIN customer_profiles AS profile
              ON profile.team_id = pools.team_id AND profile.pool_id = pools.pool_id
            WHERE pools.team_id = ? AND pools.pool_id = ?
            """, .integer(team.number), .id(pool)
          ) { row throws(StoreError) in
            PoolAccess(
              poolID: pool, customer: row.text("customer_name"), notes: row.text("notes"),
              contact: row.optionalText("contact_name") ?? "",
              phone: row.optionalText("contact_phone") ?? "", email: row.optionalText("contact_email") ?? "",
              gate: row.optionalText("gate_access") ?? "")
          }
          return found?.isEmpty == false ? found : nil
        }
      }
    }
  }
}

extension Connection {
  /// The newest visit, up to and including `last`, that measured something; nil if there is none.
  func lastMeasured(at pool: PoolID, team: TeamID, until last: Timestamp) throws(StoreError) -> ServiceEvent? {
    try first(
      """
      SELECT \(Self.visitColumns) FROM service_events AS visit
      WHERE team_id = ? AND pool_id = ? AND at_ms <= ? AND measured != 0 ORDER BY at_ms DESC, event_id LIMIT 1
      """, .integer(team.number), .id(pool), .at(last)
    ) { row throws(StoreError) in try Self.visit(row) }
  }
}
