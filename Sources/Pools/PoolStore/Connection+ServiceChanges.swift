import FlowCalendar
import FlowModel
import FlowStore
import PoolModel

// Changed dates of single stops.

extension Connection {
  /// Every changed date of a team's pools, in the order in which they were made.
  func serviceChanges(of team: TeamID) throws(StoreError) -> [ServiceDateChange] {
    try rows(
      """
      SELECT change_id, batch, pool_id, from_date, to_date, technician_id, route_order, reason, set_by, made_ms
      FROM service_changes WHERE team_id = ? ORDER BY change_id
      """, .integer(team.number)
    ) { row throws(StoreError) in
      ServiceDateChange(
        id: row.integer("change_id"), batch: row.integer("batch"),
        pool: try row.id("pool_id", table: "service_changes"), from: try Self.date(row.text("from_date"), "from_date"),
        to: try row.optionalText("to_date").map { (text) throws(StoreError) in try Self.date(text, "to_date") },
        technician: row.optionalInteger("technician_id").map { TechnicianID($0) },
        routeOrder: row.optionalInteger("route_order").map { Int($0) }, reason: row.text("reason"),
        setBy: row.text("set_by"), madeAt: row.instant("made_ms"))
    }
  }

  private static func date(_ text: String, _ column: String) throws(StoreError) -> CivilDate {
    guard let date = CivilDate(text) else { throw .damaged(table: "service_changes", column: column, value: text) }
    return date
  }

  /// Adds changes as one batch; their numbers and batch are ignored.
  ///
  /// - Returns: the changes with their numbers.
  func add(_ changes: [ServiceDateChange], to team: TeamID) throws(StoreError) -> [ServiceDateChange] {
    var batch: Int64 = 0
    var added: [ServiceDateChange] = []
    for change in changes {
      try addService(of: change.pool, team: team)
      let id = try first(
        """
        INSERT INTO service_changes (team_id, pool_id, batch, from_date, to_date, technician_id, route_order, reason,
          set_by, made_ms)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING change_id
        """, .integer(team.number), .id(change.pool), .integer(batch), .text(change.from.description),
        .optional(change.to?.description), .optional(change.technician?.number),
        .optional(change.routeOrder.map { Int64($0) }), .text(change.reason), .text(change.setBy), .at(change.madeAt)
      ) { row throws(StoreError) in row.integer(0) }
      guard let id else { continue }
      if batch == 0 {
        batch = id
        try run("UPDATE service_changes SET batch = change_id WHERE change_id = ?", .integer(id))
      }
      added.append(
        ServiceDateChange(
          id: id, batch: batch, pool: change.pool, from: change.from, to: change.to, technician: change.technician,
          routeOrder: change.routeOrder, reason: change.reason, setBy: change.setBy, madeAt: change.madeAt))
    }
    return added
  }

  /// Deletes the changes of a batch.
  func removeServiceChanges(batch: Int64, of team: TeamID) throws(StoreError) {
    try run("DELETE FROM service_changes WHERE team_id = ? AND batch = ?", .integer(team.number), .integer(batch))
    try removeEmptyServices(of: team)
  }

  /// Replaces the changed dates of pools by those of an archive, in the order of the records.
  func replaceServiceChanges(
    of pools: [Pool], by records: [ServiceChangeRecord], team: TeamID
  ) throws(StoreError) {
    let known = Set(pools.map(\.id))
    for change in try serviceChanges(of: team) where known.contains(change.pool) {
      try run("DELETE FROM service_changes WHERE change_id = ?", .integer(change.id))
    }
    let technicians = Dictionary(
      try technicians(of: team).map { ($0.name, $0.id) }, uniquingKeysWith: { first, _ in first })
    let own = records.filter { known.contains($0.poolID) }
    var batch: [ServiceDateChange] = []
    // The records of a batch follow each other, as they were made.
    for (index, record) in own.enumerated() {
      batch.append(
        ServiceDateChange(
          pool: record.poolID, from: record.from, to: record.to,
          technician: record.technician.flatMap { technicians[$0] }, routeOrder: record.routeOrder,
          reason: record.reason, setBy: record.setBy, madeAt: record.madeAt))
      guard index + 1 == own.count || own[index + 1].batch != record.batch else { continue }
      _ = try add(batch, to: team)
      batch = []
    }
    try removeEmptyServices(of: team)
  }

  /// Deletes changes of dates long past, which no page and no report reads any more.
  func removeOldServiceChanges(of team: TeamID, before date: CivilDate) throws(StoreError) {
    try run(
      "DELETE FROM service_changes WHERE team_id = ?1 AND from_date < ?2 AND coalesce(to_date, from_date) < ?2",
      .integer(team.number), .text(date.description))
    try removeEmptyServices(of: team)
  }

  /// Sets the position of a changed stop among the stops of its technician and date.
  func setOrder(of change: ServiceDateChange, _ order: Int) throws(StoreError) {
    try run(
      "UPDATE service_changes SET route_order = ? WHERE change_id = ?", .integer(order), .integer(change.id))
  }
}
