import FlowCalendar
import FlowModel
import FlowStore
import PoolModel

// Recurring work at pools, intervals of machines, and the work that was done.

extension Connection {
  /// The recurring work of one pool, or of every pool of the team (nil), by pool and name.
  func works(of team: TeamID, at pool: PoolID?) throws(StoreError) -> [PoolWork] {
    try rows(
      """
      SELECT pool_id, name, every, due FROM pool_work WHERE team_id = ?1 AND (?2 IS NULL OR pool_id = ?2)
      ORDER BY pool_id, name
      """, .integer(team.number), .id(pool)
    ) { row throws(StoreError) in
      PoolWork(
        poolID: try row.id("pool_id", table: "pool_work"), name: row.text("name"),
        every: try Self.interval(row.text("every"), table: "pool_work"),
        due: try Self.date(row.text("due"), table: "pool_work", column: "due"))
    }
  }

  func workList(of team: TeamID, at pool: PoolID?) throws(StoreError) -> PoolWorkList {
    let last = try rows(
      """
      SELECT pool_id, name, max(done_on) AS done_on FROM work_done
      WHERE team_id = ?1 AND equipment_id IS NULL AND (?2 IS NULL OR pool_id = ?2) GROUP BY pool_id, name
      """, .integer(team.number), .id(pool)
    ) { row throws(StoreError) in
      (
        PoolWorkList.Key(poolID: try row.id("pool_id", table: "work_done"), name: row.text("name")),
        try Self.date(row.text("done_on"), table: "work_done", column: "done_on")
      )
    }
    return PoolWorkList(
      works: try works(of: team, at: pool), machines: try machines(of: team, at: pool),
      intervals: try intervals(of: team), last: Dictionary(last, uniquingKeysWith: { $1 }))
  }

  private func machines(of team: TeamID, at pool: PoolID?) throws(StoreError) -> [Equipment] {
    try rows(
      """
      SELECT \(Self.equipmentColumns) FROM equipment AS machine WHERE team_id = ?1 AND (?2 IS NULL OR pool_id = ?2)
      ORDER BY name, equipment_id
      """, .integer(team.number), .id(pool)
    ) { row throws(StoreError) in try Self.equipment(row) }
  }

  /// The intervals of service of a team's machines.
  func intervals(of team: TeamID) throws(StoreError) -> [EquipmentID: WorkInterval] {
    Dictionary(
      try rows("SELECT equipment_id, every FROM equipment_intervals WHERE team_id = ?", .integer(team.number)) {
        row throws(StoreError) in
        (
          try row.id("equipment_id", table: "equipment_intervals") as EquipmentID,
          try Self.interval(row.text("every"), table: "equipment_intervals")
        )
      }, uniquingKeysWith: { $1 })
  }

  /// Sets the interval of service of a machine; nil removes it.
  func setInterval(_ every: WorkInterval?, of equipment: EquipmentID, team: TeamID) throws(StoreError) {
    guard let every else {
      try run(
        "DELETE FROM equipment_intervals WHERE team_id = ? AND equipment_id = ?", .integer(team.number), .id(equipment))
      return
    }
    try run(
      """
      INSERT INTO equipment_intervals (team_id, equipment_id, every) VALUES (?, ?, ?)
      ON CONFLICT (team_id, equipment_id) DO UPDATE SET every = excluded.every
      """, .integer(team.number), .id(equipment), .text(every.description))
  }

  func insert(_ work: PoolWork, team: TeamID) throws(StoreError) {
    try run(
      "INSERT INTO pool_work (team_id, pool_id, name, every, due) VALUES (?, ?, ?, ?, ?)", .integer(team.number),
      .id(work.poolID), .text(work.name), .text(work.every.description), .text(work.due.description))
  }

  func remove(_ work: PoolWork, team: TeamID) throws(StoreError) {
    try run(
      "DELETE FROM pool_work WHERE team_id = ? AND pool_id = ? AND name = ?", .integer(team.number), .id(work.poolID),
      .text(work.name))
  }

  /// Writes a changed work. If its date follows from its newest execution, that execution gets the new date, too, so that
  /// its removal still restores the date before it.
  func replace(_ work: PoolWork, by changed: PoolWork, team: TeamID) throws(StoreError) {
    if changed.every != work.every, let last = try doneRows(of: .work(work), team: team).last,
      last.done.after == .due(work.due), changed.due == changed.every.date(after: last.done.date)
    {
      var done = last.done
      done.after = .due(changed.due)
      try rewrite(done, number: last.number, team: team)
    }
    try remove(work, team: team)
    try insert(changed, team: team)
    try run(
      "UPDATE work_done SET name = ? WHERE team_id = ? AND pool_id = ? AND name = ? AND equipment_id IS NULL",
      .text(changed.name), .integer(team.number), .id(work.poolID), .text(work.name))
  }

  // MARK: Work that was done

  /// A row of the work that was done.
  struct DoneRow {
    let number: Int64
    var done: WorkDone
  }

  private static let doneColumns = "done_id, pool_id, event_id, equipment_id, name, done_on, before, after"

  private static func doneRow(_ row: Statement) throws(StoreError) -> DoneRow {
    func dates(_ text: String, _ column: String) throws(StoreError) -> WorkDates {
      guard let dates = WorkDates(stored: text) else {
        throw .damaged(table: "work_done", column: column, value: text)
      }
      return dates
    }
    var (equipment, visit): (EquipmentID?, ServiceEventID?) = (nil, nil)
    if !row.isNull("equipment_id") { equipment = try row.id("equipment_id", table: "work_done") }
    if !row.isNull("event_id") { visit = try row.id("event_id", table: "work_done") }
    return DoneRow(
      number: row.integer("done_id"),
      done: WorkDone(
        poolID: try row.id("pool_id", table: "work_done"), name: row.text("name"), equipmentID: equipment,
        visitID: visit, date: try date(row.text("done_on"), table: "work_done", column: "done_on"),
        before: try dates(row.text("before"), "before"), after: try dates(row.text("after"), "after")))
  }

  /// The executions of one work or of the services of one machine, by date.
  private func doneRows(of target: WorkTarget, team: TeamID) throws(StoreError) -> [DoneRow] {
    switch target {
    case .work(let work):
      try rows(
        """
        SELECT \(Self.doneColumns) FROM work_done
        WHERE team_id = ? AND pool_id = ? AND name = ? AND equipment_id IS NULL ORDER BY done_on, done_id
        """, .integer(team.number), .id(work.poolID), .text(work.name)
      ) { row throws(StoreError) in try Self.doneRow(row) }
    case .machine(let machine):
      try rows(
        """
        SELECT \(Self.doneColumns) FROM work_done WHERE team_id = ? AND pool_id = ? AND equipment_id = ?
        ORDER BY done_on, done_id
        """, .integer(team.number), .id(machine.poolID), .id(machine.id)
      ) { row throws(StoreError) in try Self.doneRow(row) }
    }
  }

  /// Work that was done during one visit, by name.
  func workDone(during visit: ServiceEventID, team: TeamID) throws(StoreError) -> [WorkDone] {
    try rows(
      "SELECT \(Self.doneColumns) FROM work_done WHERE team_id = ? AND event_id = ? ORDER BY name, done_id",
      .integer(team.number), .id(visit)
    ) { row throws(StoreError) in try Self.doneRow(row).done }
  }

  /// Work that was done from `first` to `last`, by date.
  func workDone(of team: TeamID, from first: CivilDate, to last: CivilDate) throws(StoreError) -> [WorkDone] {
    try rows(
      """
      SELECT \(Self.doneColumns) FROM work_done WHERE team_id = ? AND done_on BETWEEN ? AND ?
      ORDER BY done_on, done_id LIMIT ?
      """, .integer(team.number), .text(first.description), .text(last.description), .integer(Limits.rowsPerAnswer)
    ) { row throws(StoreError) in try Self.doneRow(row).done }
  }

  private func insert(_ done: WorkDone, team: TeamID) throws(StoreError) {
    try run(
      """
      INSERT INTO work_done (team_id, pool_id, event_id, equipment_id, name, done_on, before, after)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """, .integer(team.number), .id(done.poolID), .id(done.visitID), .id(done.equipmentID), .text(done.name),
      .text(done.date.description), .text(done.before.description), .text(done.after.description))
  }

  private func rewrite(_ done: WorkDone, number: Int64, team: TeamID) throws(StoreError) {
    try run(
      "UPDATE work_done SET before = ?, after = ? WHERE team_id = ? AND done_id = ?", .text(done.before.description),
      .text(done.after.description), .integer(team.number), .integer(number))
  }

  /// Records that work was done, and moves its next date.
  ///
  /// - Parameter visit: nil if it was done without a visit.
  func markDone(
    _ target: WorkTarget, on date: CivilDate, during visit: ServiceEventID?, interval: WorkInterval?, in zone: Zone,
    team: TeamID
  ) throws(StoreError) -> WorkDone {
    let known = try doneRows(of: target, team: team)
    var history = WorkHistory(known.map(\.done), present: target.dates)
    let index = history.add(on: date) { before in
      switch target {
      case .work(let work):
        WorkDone(
          poolID: work.poolID, name: work.name, visitID: visit, date: date, before: before,
          after: .due(work.every.date(after: date)))
      case .machine(let machine):
        WorkDone(
          poolID: machine.poolID, name: machine.name, equipmentID: machine.id, visitID: visit, date: date,
          before: before, after: machine.serviced(on: date, every: interval, before: before, in: zone))
      }
    }
    let done = history.done[index]
    // The next execution follows the new one.
    if index < known.count { try rewrite(history.done[index + 1], number: known[index].number, team: team) }
    try insert(done, team: team)
    if history.present != target.dates { try set(history.present, of: target, team: team) }
    return done
  }

  /// Removes what was done during a visit, and restores the dates before it.
  func revertWork(doneDuring visit: ServiceEventID, at pool: PoolID, team: TeamID) throws(StoreError) {
    let done = try workDone(during: visit, team: team)
    guard !done.isEmpty else { return }
    let list = try workList(of: team, at: pool)
    for one in done {
      guard let target = list.target(of: one) else { continue }
      let known = try doneRows(of: target, team: team)
      guard let index = known.firstIndex(where: { $0.done.visitID == visit }) else { continue }
      var history = WorkHistory(known.map(\.done), present: target.dates)
      history.remove(at: index)
      if index + 1 < known.count { try rewrite(history.done[index], number: known[index + 1].number, team: team) }
      if history.present != target.dates { try set(history.present, of: target, team: team) }
    }
    try run("DELETE FROM work_done WHERE team_id = ? AND event_id = ?", .integer(team.number), .id(visit))
  }

  private func set(_ dates: WorkDates, of target: WorkTarget, team: TeamID) throws(StoreError) {
    switch (target, dates) {
    case (.work(let work), .due(let due)):
      try run(
        "UPDATE pool_work SET due = ? WHERE team_id = ? AND pool_id = ? AND name = ?", .text(due.description),
        .integer(team.number), .id(work.poolID), .text(work.name))
    case (.machine(let machine), .service(let last, let next)):
      try run(
        "UPDATE equipment SET last_service_ms = ?, next_service_ms = ? WHERE team_id = ? AND equipment_id = ?",
        .optional(last?.milliseconds), .optional(next?.milliseconds), .integer(team.number), .id(machine.id))
    case (.work, .service), (.machine, .due): break
    }
  }

  // MARK: Archives

  /// The recurring work of an archive's pools.
  func workRecords(of pools: [Pool], _ equipment: [Equipment], team: TeamID) throws(StoreError) -> PoolWorkRecords {
    let (known, machines) = (Set(pools.map(\.id)), Set(equipment.map(\.id)))
    let done = try rows(
      "SELECT \(Self.doneColumns) FROM work_done WHERE team_id = ? ORDER BY done_on, done_id", .integer(team.number)
    ) { row throws(StoreError) in try Self.doneRow(row).done }
    return PoolWorkRecords(
      works: try works(of: team, at: nil), intervals: try intervals(of: team).filter { machines.contains($0.key) },
      done: done
    ).only(at: known)
  }

  /// Replaces the recurring work of pools by that of an archive.
  func replaceWork(
    of pools: [Pool], by records: PoolWorkRecords, team: TeamID
  ) throws(StoreError) {
    for pool in pools { try removeWork(of: pool.id, team: team) }
    let known = Set(pools.map(\.id))
    for work in records.works where known.contains(work.poolID) { try insert(work, team: team) }
    for done in records.done where known.contains(done.poolID) { try insert(done, team: team) }
    let machines = Set(try self.machines(of: team, at: nil).map(\.id))
    for (machine, every) in records.intervals where machines.contains(machine) {
      try setInterval(every, of: machine, team: team)
    }
  }

  /// Deletes the recurring work of a pool, and the work that was done there.
  func removeWork(of pool: PoolID, team: TeamID) throws(StoreError) {
    for table in ["pool_work", "work_done"] {
      try run("DELETE FROM \(table) WHERE team_id = ? AND pool_id = ?", .integer(team.number), .id(pool))
    }
    try run(
      """
      DELETE FROM equipment_intervals WHERE team_id = ?1 AND EXISTS (SELECT 1 FROM equipment AS machine
        WHERE machine.team_id = ?1 AND machine.pool_id = ?2 AND machine.equipment_id = equipment_intervals.equipment_id)
      """, .integer(team.number), .id(pool))
  }

  /// Deletes work of pools, and intervals of machines, that no longer exist. Work that was done during a visit that no
  /// longer exists stays, without its visit.
  func removeWorkWithoutPool(of team: TeamID) throws(StoreError) {
    for table in ["pool_work", "work_done"] {
      try run(
        """
        DELETE FROM \(table) WHERE team_id = ?1 AND NOT EXISTS (SELECT 1 FROM pools
          WHERE pools.team_id = ?1 AND pools.pool_id = \(table).pool_id)
        """, .integer(team.number))
    }
    try run(
      """
      DELETE FROM equipment_intervals WHERE team_id = ?1 AND NOT EXISTS (SELECT 1 FROM equipment AS machine
        WHERE machine.team_id = ?1 AND machine.equipment_id = equipment_intervals.equipment_id)
      """, .integer(team.number))
    try run(
      """
      UPDATE work_done SET event_id = NULL WHERE team_id = ?1 AND event_id IS NOT NULL AND NOT EXISTS (SELECT 1
        FROM service_events AS visit WHERE visit.team_id = ?1 AND visit.event_id = work_done.event_id)
      """, .integer(team.number))
  }

  // MARK: Columns

  private static func interval(_ text: String, table: String) throws(StoreError) -> WorkInterval {
    do throws(WorkIntervalError) {
      return try WorkInterval(text)
    } catch {
      throw .damaged(table: table, column: "every", value: text)
    }
  }

  private static func date(_ text: String, table: String, column: String) throws(StoreError) -> CivilDate {
    guard let date = CivilDate(text) else { throw .damaged(table: table, column: column, value: text) }
    return date
  }
}
