import FlowCalendar
import FlowModel
import FlowPlatform
import FlowStore
import Foundation
import TradeStores

/// A store of many equal teams: one archive is imported through the socket, then copied inside the file.
///
/// Ten thousand imports would take far too long. The copies contain an import's records and a month of visits before `today`:
/// on that day and on the next, each team has the demo's twenty-four stops.
struct HerdTeams {
  /// The demo describes the week of this day, a Monday.
  private static let demoDay = CivilDate(daysSince1970: 20_514)
  private static let monthDays = 30

  let count: Int
  /// The local day of the slot.
  let today: CivilDate
  let hasPeople: Bool
  /// True for a hundred thousand teams without pages: each has only two days' pools and no visits. Its stock is low, and its
  /// morning notices are off, because they would include the low stock.
  let isThin: Bool
  /// True to have the first twenty of the demo's horses instead of pools.
  let isBarn: Bool

  /// - Parameter path: a store in which team 1 has the demo's archive.
  func fill(_ path: String) throws {
    let connection = try Connection(path: path, mode: .readWrite)
    for script in [
      "PRAGMA synchronous = OFF; PRAGMA foreign_keys = ON; PRAGMA cache_size = -200000", isBarn ? barn : template,
      "PRAGMA foreign_keys = OFF",
      "BEGIN; \(try copies(connection)); COMMIT", "PRAGMA wal_checkpoint(TRUNCATE)",
    ] { try connection.execute(script, operation: "make the herd") }
  }

  /// - Parameters:
  ///   - kind: the job that is due for all teams.
  ///   - time: the slot's time in UTC.
  func setSlot(_ path: String, kind: String, at time: String) throws {
    let connection = try Connection(path: path, mode: .readWrite)
    for script in [
      """
      UPDATE jobs SET rule = '*-*-* \(time)', zone = 'UTC', cursor_ms = (SELECT max(created_ms) FROM teams)
      WHERE kind = '\(kind)'
      """, "PRAGMA wal_checkpoint(TRUNCATE)",
    ] { try connection.execute(script, operation: "set the herd's slot") }
  }

  /// The changes that make team 1 the template of all barns.
  private let barn = """
    UPDATE teams SET plan = 'paid', trial_expires_ms = NULL, name = 'team-1';
    DELETE FROM horses WHERE horse_id NOT IN (SELECT horse_id FROM horses ORDER BY name_key LIMIT 20);
    """

  /// The changes that make team 1 the template of all teams.
  private var template: String {
    let shift = today.daysSince1970 - Self.demoDay.daysSince1970
    let oldest = Int64(today.daysSince1970 - Self.monthDays) * 86_400_000
    let weekday = today.weekday.rawValue
    let moved = "+ \(shift) * 86400000"
    return """
      UPDATE teams SET plan = 'paid', trial_expires_ms = NULL, zone = 'UTC', name = 'team-1'
        \(isThin ? ", morning_summary = 0" : "");
      UPDATE pools SET service_day = (service_day - 2 + \(weekday) + 6) % 7 + 1, created_ms = created_ms \(moved),
        updated_ms = min(updated_ms, 1772218080000) \(moved), lsi_stale = 0;
      UPDATE service_events SET at_ms = at_ms \(moved), photo_bytes = NULL, photo_name = NULL;
      DELETE FROM service_events WHERE at_ms < \(isThin ? "9e15" : "\(oldest)");
      UPDATE equipment SET next_service_ms = next_service_ms \(moved), warranty_expiry_ms = warranty_expiry_ms \(moved);
      \(isThin ? "DELETE FROM pools WHERE service_day NOT IN (\(weekday), \(weekday % 7 + 1)); DELETE FROM equipment;" : "")
      \(isThin ? "UPDATE inventory_items SET stock_oz = threshold_oz / 2; DELETE FROM customer_profiles;" : "")
      \(hasPeople ? """
        INSERT INTO people (team_id, technician_id, quiet, wants, addresses)
        SELECT team_id, technician_id, '', 'route', 'mail ' || name || '@example.com' FROM technicians WHERE is_default = 0;
        """ : "")
      """
  }

  /// Copies every row of team 1 for each other team; the ids of technicians and jobs increase in steps.
  private func copies(_ connection: Connection) throws -> String {
    let tables = try connection.rows(
      """
      SELECT name FROM sqlite_schema WHERE type = 'table' AND name IN ('teams', 'technicians', 'jobs', 'pools',
        'service_events', 'chemical_doses', 'inventory_items', 'customer_profiles', 'equipment', 'people', 'past_rules',
        'horses', 'feed_schedules', 'care_events', 'forecasts', 'forecast_hours')
      """
    ) { row throws(StoreError) in row.text(0) }
    let technicians = try number("SELECT max(technician_id) FROM technicians", connection)
    let jobs = try number("SELECT max(job_id) FROM jobs", connection)
    let forecasts = isBarn ? try number("SELECT coalesce(max(forecast_id), 0) FROM forecasts", connection) : 0
    return try tables.map { table in
      let columns = try connection.rows("SELECT name FROM pragma_table_info('\(table)')") { row throws(StoreError) in
        row.text(0)
      }.filter { $0 != "person_id" }
      let values = columns.map { column in
        switch column {
        case "team_id": "herd.n"
        case "technician_id", "scope_technician_id": "\(column) + (herd.n - 1) * \(technicians)"
        case "forecast_id": "forecast_id + (herd.n - 1) * \(forecasts)"
        case "job_id": "job_id + (herd.n - 1) * \(jobs)"
        case "name" where table == "teams": "'team-' || herd.n"
        default: column
        }
      }
      return """
        WITH RECURSIVE herd (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM herd WHERE n < \(count))
        INSERT INTO \(table) (\(columns.joined(separator: ", "))) SELECT \(values.joined(separator: ", "))
        FROM herd CROSS JOIN (SELECT * FROM \(table)\(columns.contains("team_id") ? " WHERE team_id = 1" : ""))
        """
    }.joined(separator: ";\n")
  }

  private func number(_ sql: String, _ connection: Connection) throws -> Int {
    try connection.first(sql) { row throws(StoreError) in row.number(0) } ?? 0
  }
}
