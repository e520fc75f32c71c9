package import PoolDigests
package import PoolModel

extension Store {
  /// What opens the gates of these pools, in their order; a pool that is gone, or of which nothing is known, is left out.
  package func access(to pools: [PoolID], team: TeamID) throws -> [PoolAccess] {
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
