package import FlowModel
package import FlowNotices

extension Store {
  package func notify(_ notice: Notice, routes: [SinkRoute], now: Timestamp) throws -> [String] {
    try connection.transaction { try connection.notify(notice, routes: routes, now: now) }
  }

  package func notify(_ notice: Notice, only sink: String, now: Timestamp) throws {
    try connection.transaction { try connection.insertNotice(notice, routes: [SinkRoute(sink: sink)], now: now) }
  }

  package func lastNoticeTime(_ identifier: String) throws -> Timestamp? { try connection.lastNoticeTime(identifier) }

  package func notify<Decided: Sendable>(
    after identifiers: [String], routes: [SinkRoute], now: Timestamp,
    _ decide: @Sendable ([Timestamp?]) -> (notice: Notice?, decided: Decided)
  ) throws -> (told: [String], decided: Decided) {
    try connection.transaction {
      try connection.node?.lockOperatorNotices()
      let (notice, decided) = decide(try identifiers.map { try connection.lastNoticeTime($0) })
      return (try notice.map { try connection.notify($0, routes: routes, now: now) } ?? [], decided)
    }
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

extension Connection {
  /// Time of the last operator notice with this identifier; nil if there was none.
  fileprivate func lastNoticeTime(_ identifier: String) throws(StoreError) -> Timestamp? {
    try first(
      "SELECT max(created_ms) FROM notices WHERE identifier = ? AND job_id IS NULL", .text(identifier)
    ) { row throws(StoreError) in row.optionalInstant(0) } ?? nil
  }

  /// Stores a notice if a sink takes it. People who subscribed to operator notices get a notice of their own, too.
  ///
  /// - Returns: the sinks that get it; empty if nothing was stored.
  func notify(_ notice: Notice, routes: [SinkRoute], now: Timestamp) throws(StoreError) -> [String] {
    let own = notice.isForOperator ? try operators().map { notice.own(of: $0.key, team: $0.team) } : []
    let told = routes.filter { route in ([notice] + own).contains(where: route.takes) }
    guard !told.isEmpty else { return [] }
    try insertNotice(notice, routes: told, now: now)
    for notice in own where told.contains(where: { $0.takes(notice) }) {
      try insertNotice(notice, routes: told, now: now)
    }
    return told.map(\.sink)
  }

  /// People who subscribed to operator notices and have an address. Only these columns are read, so that an unreadable record
  /// does not block the notice.
  private func operators() throws(StoreError) -> [(key: PersonKey, team: String)] {
    try rows(
      """
      SELECT people.technician_id, people.team_id, teams.name FROM people JOIN teams ON teams.team_id = people.team_id
      WHERE instr(' ' || people.wants || ' ', ?) > 0 AND people.addresses <> '' ORDER BY people.person_id
      """, .text(" \(Person.Subscription.operator.rawValue) ")
    ) { row throws(StoreError) in
      let technician = row.optionalInteger("technician_id").map { TechnicianID($0) }
      return (technician.map { .technician($0) } ?? .office(TeamID(row.integer("team_id"))), row.text("name"))
    }
  }
}
