import FlowModel
import FlowStore
package import PoolModel
import TradeStores

/// A store as the last release before schema 9 left it: with three visits that were logged or edited at one pool.
package enum OldStores {
  package static let schema = 8
  package static let pool = PoolID(Samples.uuid(1))

  /// Of three visits the last can be undone; an earlier one was logged here, the first was imported and edited.
  package static let rows: [String] =
    [
      "INSERT INTO epochs (epoch, started_ms, seen_ms, version) VALUES (1, 0, 0, '0.2.0')",
      """
      INSERT INTO teams (team_id, name, zone, language, units, objective, plan, notifications_enabled, morning_summary,
        low_stock, weekly_digest, morning_time_s, clock, created_ms)
      VALUES (1, 'desert-blue', 'America/Phoenix', 'en', 'imperial', 'time', 'paid', 1, 1, 1, 1, 25200, 'auto', 0)
      """,
      "INSERT INTO technicians (technician_id, team_id, name, name_key, is_default) VALUES (1, 1, 'anna', 'anna', 1)",
      """
      INSERT INTO pools (team_id, pool_id, technician_id, customer_name, address, notes, latitude, longitude, volume_gal,
        monthly_fee, service_day, route_order, ph, water_temp_f, calcium_hardness, total_alkalinity, cyanuric_acid,
        created_ms, updated_ms)
      VALUES (1, '\(pool)', 1, 'Steve Baird', '1 E Juniper St', '', 33, -111, 21000, 145, 2, 0, 7.7, 54, 325, 80, 70, 0, 0)
      """,
    ] + (1...3).flatMap(visit)

  private static func visit(_ number: Int) -> [String] {
    let event = ServiceEventID(Samples.uuid(1_000 + number))
    let undo = number == 3 ? "\(pool)" : "older \(event)"
    return [
      """
      INSERT INTO service_events (team_id, event_id, pool_id, at_ms, ph, water_temp_f, calcium_hardness,
        total_alkalinity, cyanuric_acid, lsi, total_chemical_cost, tech_notes, logged_here)
      VALUES (1, '\(event)', '\(pool)', \(number)000, 7.\(number), 80, 300, 90, 50, 0.1, 2.5, '', 1)
      """,
      """
      INSERT INTO visit_undos (team_id, event_id, pool_id, ph, water_temp_f, calcium_hardness, total_alkalinity,
        cyanuric_acid, lsi_stale, updated_ms)
      VALUES (1, '\(event)', '\(undo)', 7.7, 54, 325, 80, 70, 0, 0)
      """,
      """
      INSERT INTO visit_undo_stock (team_id, event_id, item_id, before_oz, after_oz)
      VALUES (1, '\(event)', '\(InventoryItemID(Samples.uuid(3_000)))', 50, \(50 - number))
      """,
    ]
  }

  /// Writes the store into a new file.
  package static func make(_ path: String) throws {
    let connection = try Connection(path: path, mode: .readWrite)
    try connection.execute(
      """
      \(Schema.migrations.prefix(schema).joined(separator: "\n"))
      PRAGMA application_id = \(Schema.applicationID);
      PRAGMA user_version = \(schema);
      \(rows.joined(separator: ";\n"));
      """, operation: "make an old store")
  }
}
