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

  /// Replaces the changed dates of pools by those of a team's archives. A batch may be in several archives, in each with the
  /// changes of its pools. Technicians who do not exist yet are added.
  func replaceServiceChanges(
    of pools: [Pool], by records: [ServiceChangeRecord], team: TeamID
  ) throws(StoreError) {
    let known = Set(pools.map(\.id))
    for change in try serviceChanges(of: team) where known.contains(change.pool) {
      try run("DELETE FROM service_changes WHERE change_id = ?", .integer(change.id))
    }
    // Earlier versions numbered the batches of each archive from 1, so that equal numbers alone do not mean one batch.
    let own = records.filter { known.contains($0.poolID) }.enumerated().sorted {
      ($0.element.batch, $0.element.madeAt, $0.offset) < ($1.element.batch, $1.element.madeAt, $1.offset)
    }.map(\.element)
    var batch: [ServiceDateChange] = []
    for (index, record) in own.enumerated() {
      batch.append(
        ServiceDateChange(
          pool: record.poolID, from: record.from, to: record.to, technician: try technician(of: record, team: team),
          routeOrder: record.routeOrder, reason: record.reason, setBy: record.setBy, madeAt: record.madeAt))
      guard index + 1 == own.count || own[index + 1].batch != record.batch || own[index + 1].madeAt != record.madeAt
      else { continue }
      _ = try add(batch, to: team)
      batch = []
    }
    try removeEmptyServices(of: team)
  }

  /// The technician of an archive's change, who is added if unknown; nil for the pool's own. A reserved name is the technician
  /// who has it from before the rule, else also the pool's own, as for a tag.
  private func technician(of record: ServiceChangeRecord, team: TeamID) throws(StoreError) -> TechnicianID? {
    guard let name = record.technician else { return nil }
    guard Technician.isReserved(name) else { return try technician(named: name, of: team) }
    return try technicians(of: team).first { $0.name.lowercased() == name.lowercased() }?.id
  }

  /// Deletes changes of dates long past, which no page and no report reads any more.
  func removeOldServiceChanges(of team: TeamID, before date: CivilDate) throws(StoreError) {
    try run(
      "DELETE FROM service_changes WHERE team_id = ?1 AND from_date < ?2 AND coalesce(to_date, from_date) < ?2",
      .integer(team.number), .text(date.description))
    try removeEmptyServices(of: team)
  }

  /// Sets the position of a changed stop among the stops of its technician and date.
  ///
  /// - Parameter order: nil for the position that the pool has on other dates.
  func setOrder(of change: ServiceDateChange, _ order: Int?) throws(StoreError) {
    try run(
      "UPDATE service_changes SET route_order = ? WHERE change_id = ?", .optional(order.map { Int64($0) }),
      .integer(change.id))
  }
}
