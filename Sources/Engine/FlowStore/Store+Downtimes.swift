package import FlowModel
package import FlowWork

extension Store {
  package func heartbeat(_ downtime: Downtime?, trust: ClockTrust? = nil, now: Timestamp) throws {
    try connection.transaction {
      if let trust, connection.servesServer { try connection.remember(trust) }
      try connection.run("UPDATE epochs SET seen_ms = ? WHERE epoch = ?", .at(now), .integer(epoch))
      guard let downtime else { return }
      try connection.run(
        """
        INSERT INTO absences (epoch, from_ms, to_ms, kind) VALUES (?, ?, ?, ?)
        ON CONFLICT (epoch, from_ms, kind) DO UPDATE SET to_ms = max(absences.to_ms, excluded.to_ms)
        """, .integer(epoch), .at(downtime.from), .at(downtime.to), .text(downtime.kind.rawValue))
    }
  }

  package func downtimes(since: Timestamp, limit: Int = Limits.downtimesRemembered) throws -> [Downtime] {
    if let node = connection.node { return try node.downtimes(since: since, limit: limit, on: connection) }
    let found = try connection.rows(
      """
      SELECT kind, from_ms, to_ms FROM (
        SELECT kind, from_ms, to_ms FROM absences
        UNION ALL
        SELECT CASE WHEN before.ended_ms IS NULL THEN 'crashed' ELSE 'stopped' END,
          coalesce(before.ended_ms, before.seen_ms), epochs.started_ms
        FROM epochs JOIN epochs AS before ON before.epoch = epochs.epoch - 1
        WHERE epochs.started_ms > coalesce(before.ended_ms, before.seen_ms)
      ) AS away WHERE to_ms >= ?1 ORDER BY to_ms DESC, from_ms DESC LIMIT ?2
      """, .at(since), .integer(limit)
    ) { row throws(StoreError) in
      Downtime(kind: try row.word(0, table: "absences", name: "kind"), from: row.instant(1), to: row.instant(2))
    }
    return found.reversed()
  }
}
