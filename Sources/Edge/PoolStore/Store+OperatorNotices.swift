package import PoolModel
package import PoolNotices

extension Store {
  package func tell(_ notice: Notice, routes: [SinkRoute], now: Timestamp) throws -> [String] {
    let told = routes.filter { $0.takes(notice) }
    guard !told.isEmpty else { return [] }
    try connection.transaction { try connection.insertNotice(notice, routes: told, now: now) }
    return told.map(\.sink)
  }

  package func tell(_ notice: Notice, only sink: String, now: Timestamp) throws {
    try connection.transaction { try connection.insertNotice(notice, routes: [SinkRoute(sink: sink)], now: now) }
  }

  package func lastTold(_ identifier: String) throws -> Timestamp? {
    try connection.first(
      "SELECT max(created_ms) FROM notices WHERE identifier = ? AND job_id IS NULL", .text(identifier)
    ) { row throws(StoreError) in row.optionalInstant(0) } ?? nil
  }

  package func entry(_ sequence: Int64) throws -> OutboxEntry? {
    try connection.entries("WHERE outbox.sequence = ?", .integer(sequence)).first
  }

  package func sinkDepths() throws -> [SinkDepth] {
    var depths: [String: SinkDepth] = [:]
    _ = try connection.rows(
      """
      SELECT sink, state, count(*) AS entries, min(CASE WHEN state IN ('pending', 'staged') THEN
        (SELECT created_ms FROM notices WHERE notices.notice_id = outbox.notice_id) END) AS oldest_ms,
        min(next_try_ms) AS next_try_ms, max(sent_ms) AS sent_ms
      FROM outbox GROUP BY sink, state
      """
    ) { row throws(StoreError) in
      let sink = row.text("sink")
      let state: EntryState = try row.word("state", table: "outbox")
      var depth = depths[sink] ?? SinkDepth(sink: sink, counts: [:])
      depth.counts[state] = row.number("entries")
      switch state {
      case .pending, .staged:
        depth.oldest = [depth.oldest, row.optionalInstant("oldest_ms")].compactMap { $0 }.min()
        depth.nextTry = [depth.nextTry, row.optionalInstant("next_try_ms")].compactMap { $0 }.min()
      case .sent: depth.lastSent = row.optionalInstant("sent_ms")
      case .dead, .held: break
      }
      depths[sink] = depth
    }
    return depths.values.sorted { $0.sink < $1.sink }
  }
}
