package import FlowStore

extension Connection {
  /// Copies team 1 until there are `count` teams, equal except for names; the ids of technicians and jobs increase in steps.
  ///
  /// - Parameter keepsVisits: false keeps only Monday's pools and no visits.
  package func multiplyTeam(by count: Int, keepsVisits: Bool) throws {
    if !keepsVisits {
      try execute(
        "PRAGMA foreign_keys = ON; DELETE FROM service_events; DELETE FROM pools WHERE service_day <> 2",
        operation: "prepare the test")
    }
    let number = { (sql: String) throws in try self.first(sql) { row throws(StoreError) in row.number(0) } ?? 0 }
    let steps = (try number("SELECT max(technician_id) FROM technicians"), try number("SELECT max(job_id) FROM jobs"))
    var script = "PRAGMA foreign_keys = OFF; BEGIN;"
    for table in [
      "teams", "technicians", "jobs", "pools", "service_events", "chemical_doses", "inventory_items",
      "customer_profiles", "equipment", "people",
    ] {
      let columns = try rows("SELECT name FROM pragma_table_info('\(table)')") { row throws(StoreError) in row.text(0) }
        .filter { $0 != "person_id" }
      let values = columns.map { column in
        switch column {
        case "team_id": "many.n"
        case "technician_id", "scope_technician_id": "\(column) + (many.n - 1) * \(steps.0)"
        case "job_id": "job_id + (many.n - 1) * \(steps.1)"
        case "name" where table == "teams": "'team-' || many.n"
        default: column
        }
      }
      script += """
        WITH RECURSIVE many (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM many WHERE n < \(count))
        INSERT INTO \(table) (\(columns.joined(separator: ", "))) SELECT \(values.joined(separator: ", "))
        FROM many CROSS JOIN (SELECT * FROM \(table) WHERE team_id = 1);
        """
    }
    try execute(script + "COMMIT; PRAGMA wal_checkpoint(TRUNCATE)", operation: "prepare the test")
  }
}
