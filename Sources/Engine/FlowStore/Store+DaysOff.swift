package import FlowCalendar
package import FlowModel
package import FlowWork

extension Store {
  package nonisolated func daysOff(of team: TeamID) async throws -> DaysOff {
    try await readConcurrently { try $0.daysOff(of: team) }
  }

  package func addDaysOff(
    _ days: [DayOff], to name: String, now: Timestamp, check: @Sendable (DaysOff) throws -> Void,
    plan: @Sendable (Team) throws -> [JobPlan]
  ) throws -> [DayOff] {
    try connection.transaction {
      let team = try connection.team(named: name)
      let known = try connection.daysOff(of: team.id)
      let new = days.filter { day in !known.all.contains { $0.isSame(as: day) } }
      try check(DaysOff(known.all + new))
      let added = try new.compactMap { day in
        try connection.first(
          """
          INSERT INTO days_off (team_id, technician_id, days, note, set_by) VALUES (?, ?, ?, ?, ?)
          RETURNING day_off_id
          """, .integer(team.id.number), .optional(day.technicianID?.number), .text(day.span.description),
          .text(day.note), .text(day.setBy)
        ) { row throws(StoreError) in
          DayOff(
            id: row.integer(0), technicianID: day.technicianID, span: day.span, note: day.note, setBy: day.setBy)
        }
      }
      try connection.replan(team.id, now: now, plan)
      return added
    }
  }

  package func removeDaysOff(
    _ ids: Set<Int64>, of name: String, now: Timestamp, plan: @Sendable (Team) throws -> [JobPlan]
  ) throws -> [DayOff] {
    try connection.transaction {
      let team = try connection.team(named: name)
      let removed = try connection.daysOff(of: team.id).all.filter { ids.contains($0.id) }
      for day in removed { try connection.run("DELETE FROM days_off WHERE day_off_id = ?", .integer(day.id)) }
      try connection.replan(team.id, now: now, plan)
      return removed
    }
  }
}

extension Connection {
  package func daysOff(of team: TeamID) throws(StoreError) -> DaysOff {
    DaysOff(
      try rows(
        """
        SELECT day_off_id, technician_id, days, note, set_by FROM days_off WHERE team_id = ? ORDER BY day_off_id
        """, .integer(team.number)
      ) { row throws(StoreError) in try Self.dayOff(row) })
  }

  static func dayOff(_ row: Statement) throws(StoreError) -> DayOff {
    let days = row.text("days")
    guard let span = DaySpan(stored: days) else { throw .damaged(table: "days_off", column: "days", value: days) }
    return DayOff(
      id: row.integer("day_off_id"), technicianID: row.optionalInteger("technician_id").map { TechnicianID($0) },
      span: span, note: row.text("note"), setBy: row.text("set_by"))
  }

  /// Plans the team's jobs again, inside the transaction that changed the team.
  func replan(_ id: TeamID, now: Timestamp, _ plan: (Team) throws -> [JobPlan]) throws {
    guard let team = try team(id) else { return }
    try planJobs(of: id, zone: team.zone, try plan(team), now: now)
  }
}

extension DayOff {
  /// True for a day off that a repeated import of the same file contains again.
  fileprivate func isSame(as other: DayOff) -> Bool {
    technicianID == other.technicianID && span == other.span && note == other.note
  }
}
