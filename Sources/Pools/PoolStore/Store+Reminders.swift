import FlowCalendar
package import FlowModel
package import FlowNotices
package import FlowStore
package import FlowWork
package import PoolDigests
package import PoolJobs

/// Reminders that teams write themselves.
package protocol Reminders: Sendable {
  /// The readable reminders, by name.
  func reminders(of team: TeamID) async throws -> [TeamReminder]

  /// Adds, changes or removes a reminder and re-plans the team's jobs, as `changeTeam` does.
  ///
  /// - Parameter change: takes the present reminder (nil: none) and the number of the team's other reminders; returns the new
  ///   reminder, or nil to remove it.
  func changeReminder(
    _ name: ReminderName, of team: String, now: Timestamp,
    change: @Sendable (Team, TeamReminder?, _ others: Int) throws -> TeamReminder?,
    plan: @Sendable (Team) throws -> [JobPlan]
  ) async throws -> Team
}

extension Store: Reminders {
  package func reminders(of team: TeamID) throws -> [TeamReminder] { try connection.reminders(of: team) }

  package func changeReminder(
    _ name: ReminderName, of team: String, now: Timestamp,
    change: @Sendable (Team, TeamReminder?, _ others: Int) throws -> TeamReminder?,
    plan: @Sendable (Team) throws -> [JobPlan]
  ) throws -> Team {
    try connection.transaction {
      let team = try connection.team(named: team)
      let known = try connection.reminders(of: team.id)
      let old = known.first { $0.reminder.name == name }
      let new = try change(team, old, known.count - (old == nil ? 0 : 1))
      let key: [SQLValue] = [.integer(team.id.number), .text(name.text)]
      try connection.run("DELETE FROM reminders WHERE team_id = ? AND name = ?", key)
      var plans = try plan(team)
      if let new {
        try connection.insert(new, of: team.id)
      } else {
        // The job stays in the ledger with its history, but has no rule any more.
        let kind = JobKind.reminder(name)
        try connection.run(
          "DELETE FROM job_timings WHERE team_id = ? AND kind = ?", .integer(team.id.number), .text(kind.rawValue))
        plans.append(JobPlan(kind: kind, rule: .never))
      }
      try connection.planJobs(of: team.id, zone: team.zone, plans, now: now)
      return team
    }
  }
}

extension Connection {
  static let reminderColumns = """
    name, title, body, technician_id, severity, told_when, rule, once_ms, times_left, set_by
    """

  /// The readable reminders, by name.
  func reminders(of team: TeamID) throws(StoreError) -> [TeamReminder] {
    try readableRows(
      "SELECT \(Self.reminderColumns) FROM reminders WHERE team_id = ? ORDER BY name", [.integer(team.number)]
    ) { row throws(StoreError) in try Self.reminder(row) }
  }

  func reminder(_ name: ReminderName, of team: TeamID) throws(StoreError) -> TeamReminder? {
    try first(
      "SELECT \(Self.reminderColumns) FROM reminders WHERE team_id = ? AND name = ?", .integer(team.number),
      .text(name.text)
    ) { row throws(StoreError) in try Self.reminder(row) }
  }

  static func reminder(_ row: Statement) throws(StoreError) -> TeamReminder {
    guard let name = ReminderName(row.text("name")) else {
      throw .damaged(table: "reminders", column: "name", value: row.text("name"))
    }
    return TeamReminder(
      Reminder(
        name: name, title: try template(row.text("title"), column: "title"),
        text: try template(row.text("body"), column: "body"),
        technicianID: row.optionalInteger("technician_id").map { TechnicianID($0) },
        severity: try row.word("severity", table: "reminders"),
        condition: try row.word("told_when", table: "reminders"),
        timesLeft: row.optionalInteger("times_left").map { Int($0) }),
      rule: row.optionalInstant("once_ms").map { .once($0) } ?? .calendar(row.text("rule")), setBy: row.text("set_by"))
  }

  private static func template(_ text: String, column: String) throws(StoreError) -> ReminderText {
    do throws(ReminderTextError) {
      return try ReminderText(text)
    } catch {
      throw .damaged(table: "reminders", column: column, value: text)
    }
  }

  fileprivate func insert(_ one: TeamReminder, of team: TeamID) throws(StoreError) {
    let (rule, once): (String, Timestamp?) =
      switch one.rule {
      case .calendar(let text): (text, nil)
      case .once(let instant): ("", instant)
      case .never: ("", nil)
      }
    let reminder = one.reminder
    try run(
      """
      INSERT INTO reminders (team_id, name, title, body, technician_id, severity, told_when, rule, once_ms, times_left,
        set_by)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """, .integer(team.number), .text(reminder.name.text), .text(reminder.title.description),
      .text(reminder.text.description), .optional(reminder.technicianID?.number), .text(reminder.severity.rawValue),
      .text(reminder.condition.rawValue), .text(rule), .at(once), .optional(reminder.timesLeft.map { Int64($0) }),
      .text(one.setBy))
  }

  /// Counts a notice of a reminder, in the transaction that writes the notice.
  ///
  /// - Returns: the reason if the reminder must not be sent any more; else nil.
  func countNotice(of name: ReminderName, team: TeamID, zone: String, now: Timestamp) throws(StoreError)
    -> SuppressionReason?
  {
    let left = try first(
      """
      UPDATE reminders SET times_left = times_left - 1
      WHERE team_id = ? AND name = ? AND (times_left IS NULL OR times_left > 0) RETURNING times_left
      """, .integer(team.number), .text(name.text)
    ) { row throws(StoreError) in row.optionalInteger(0) }
    guard let left else { return try reminder(name, of: team) == nil ? .noReminder : .occurrencesReached }
    if left == 0 { try planJobs(of: team, zone: zone, [], now: now) }
    return nil
  }

  /// Deletes one-time reminders that are long past, and the jobs of removed reminders that have no runs left.
  ///
  /// It looks for such rows before deleting: any write to these tables, even one without effect, makes prefetched decisions
  /// outdated.
  func forgetEndedReminders(before: Timestamp) throws(StoreError) {
    func isAny(_ rows: String) throws(StoreError) -> Bool {
      try first("SELECT 1 FROM \(rows) LIMIT 1", .at(before)) { _ throws(StoreError) in true } ?? false
    }
    let reminders = "reminders WHERE once_ms < ?"
    if try isAny(reminders) { try run("DELETE FROM \(reminders)", .at(before)) }
    let jobs = """
      jobs WHERE kind GLOB 'reminder-*' AND cursor_ms < ?
        AND NOT EXISTS (SELECT 1 FROM reminders
          WHERE reminders.team_id = jobs.team_id AND reminders.name = substr(jobs.kind, 10))
        AND NOT EXISTS (SELECT 1 FROM runs WHERE runs.job_id = jobs.job_id)
      """
    if try isAny(jobs) { try run("DELETE FROM \(jobs)", .at(before)) }
  }
}

/// The reminders, and the notice of a changed route, as the jobs that a team makes itself.
package struct ReminderJobs: OwnJobStore {
  package init() {}

  package func kind(named word: String) -> JobKind? { .reminder(in: word) ?? .changedToday(in: word) }

  package func plans(of team: TeamID, on connection: Connection) throws(StoreError) -> [JobPlan] {
    try connection.reminders(of: team).map(\.plan) + connection.changeNoticePlans(of: team)
  }

  package func countNotice(
    of run: ClaimedRun, team: TeamID, now: Timestamp, on connection: Connection
  ) throws(StoreError) -> SuppressionReason? {
    guard let name = run.kind.reminderName else { return nil }
    return try connection.countNotice(of: name, team: team, zone: run.zone, now: now)
  }

  package func unreadable(on connection: Connection) throws(StoreError) -> [TeamID: String] {
    var found: [TeamID: String] = [:]
    _ = try connection.readableRows("SELECT team_id, \(Connection.reminderColumns) FROM reminders") {
      row throws(StoreError) in
      try Connection.reminder(row)
    } unreadable: { row, error in
      found[TeamID(row.integer("team_id"))] = "\(error)"
    }
    return found
  }

  package func forgetEnded(before: Timestamp, on connection: Connection) throws(StoreError) {
    try connection.forgetEndedReminders(before: before)
  }
}
