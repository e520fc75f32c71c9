package import FlowModel
package import FlowWork
import PoolJobs
import Trades

extension Store {
  package func timings(of team: TeamID) throws -> [JobKind: JobTiming] { try connection.timings(of: team) }

  package func chooseTiming(
    of kind: JobKind, team name: String, now: Timestamp, change: @Sendable (Team, JobTiming) throws -> JobTiming,
    plan: @Sendable (Team) throws -> [JobPlan]
  ) throws -> Team {
    try connection.transaction {
      let team = try connection.team(named: name)
      let timing = try change(team, try connection.timings(of: team.id)[kind] ?? .unchosen)
      try connection.run(
        "DELETE FROM job_timings WHERE team_id = ? AND kind = ?", .integer(team.id.number), .text(kind.rawValue))
      if !timing.isEmpty {
        try connection.run(
          "INSERT INTO job_timings (team_id, kind, rule, options) VALUES (?, ?, ?, ?)", .integer(team.id.number),
          .text(kind.rawValue), .text(timing.rule ?? ""), .text(timing.optionsText))
      }
      try connection.planJobs(of: team.id, zone: team.zone, try plan(team), now: now)
      return team
    }
  }

  package func defaultTimings() throws -> [JobKind: JobTiming] {
    try connection.readableTimings(
      "SELECT kind, rule, options FROM default_timings", [], table: "default_timings")
  }

  package func lacksJobs(of kinds: [JobKind], trade: Trade) throws -> Bool {
    let teams =
      try connection.first("SELECT count(*) FROM teams WHERE trade = ?", .text(trade.rawValue)) {
        row throws(StoreError) in row.number(0)
      } ?? 0
    guard teams > 0, !kinds.isEmpty else { return false }
    // One query for all kinds, because it runs at every start; a team has at most one job of each kind.
    let places = kinds.map { _ in "?" }.joined(separator: ", ")
    let jobs = try connection.rows(
      """
      SELECT count(*) FROM jobs JOIN teams ON teams.team_id = jobs.team_id WHERE teams.trade = ? AND jobs.kind IN (\(places))
      """, [.text(trade.rawValue)] + kinds.map { .text($0.rawValue) }
    ) { row throws(StoreError) in row.number(0) }
    return jobs[0] < teams * kinds.count
  }

  package func planAllTeams(
    defaults: [JobKind: JobTiming], now: Timestamp, plan: @Sendable (Team) throws -> [JobPlan]
  ) throws {
    try connection.transaction {
      for team in try connection.teams() {
        // If a zone cannot be read, the team's jobs stay unchanged; the scheduler reports it.
        guard let plans = try? plan(team) else { continue }
        try connection.planJobs(of: team.id, zone: team.zone, plans, now: now)
      }
      try connection.run("DELETE FROM default_timings")
      for (kind, timing) in defaults where !timing.isEmpty {
        try connection.run(
          "INSERT INTO default_timings (kind, rule, options) VALUES (?, ?, ?)", .text(kind.rawValue),
          .text(timing.rule ?? ""), .text(timing.optionsText))
      }
    }
  }

  /// Sets the rules of the server's own jobs in one transaction; each changed rule begins a new generation.
  package func planServerJobs(_ plans: [JobPlan], zone: String, now: Timestamp) throws {
    try connection.transaction { try connection.planJobs(of: nil, zone: zone, plans, now: now) }
  }
}

extension Connection {
  func timings(of team: TeamID) throws(StoreError) -> [JobKind: JobTiming] {
    try readableTimings(
      "SELECT kind, rule, options FROM job_timings WHERE team_id = ?", [.integer(team.number)], table: "job_timings")
  }

  /// The readable timings; an unreadable one is reported as its team's failure (`unreadableJobs`).
  fileprivate func readableTimings(
    _ query: String, _ values: [SQLValue], table: String
  ) throws(StoreError) -> [JobKind: JobTiming] {
    let found = try readableRows(query, values) { row throws(StoreError) in try Self.choice(row, table: table) }
    return Dictionary(found, uniquingKeysWith: { first, _ in first })
  }

  /// A kind of job and the timing chosen for it, rule included.
  static func choice(_ row: Statement, table: String) throws(StoreError) -> (JobKind, JobTiming) {
    var timing = try timing(row, table: table)
    let rule = row.text("rule")
    if !rule.isEmpty { timing.rule = rule }
    return (try row.word("kind", table: table), timing)
  }

  /// The timing stored in the row's `options`.
  ///
  /// - Throws: `StoreError.damaged` for an unreadable text.
  static func timing(_ row: Statement, table: String) throws(StoreError) -> JobTiming {
    let text = row.text("options")
    guard let timing = JobTiming(optionsText: text) else {
      throw .damaged(table: table, column: "options", value: text)
    }
    return timing
  }

  /// Sets the rules of an owner's jobs: the team's own choice if there is one, else the plan's rule; reminders have their own.
  ///
  /// Only a changed rule begins a new generation, whose first slot comes after `now`. The old rule is kept in `past_rules`, to
  /// explain its slots, also those left unsettled. If the clock was set back, settled slots stay with the old rule and the new
  /// rule begins after them.
  /// - Parameter team: nil for the server's own jobs.
  func planJobs(of team: TeamID?, zone: String, _ plans: [JobPlan], now: Timestamp) throws(StoreError) {
    let chosen = try team.map { team throws(StoreError) in try timings(of: team) } ?? [:]
    let own = try team.map { team throws(StoreError) in try self.reminders(of: team).map(\.plan) } ?? []
    for plan in (plans + own).map({ $0.chosen(chosen[$0.kind] ?? .unchosen) }) {
      let (rule, once): (String, Timestamp?) =
        switch plan.rule {
        case .calendar(let expression): (expression, nil)
        case .once(let instant): ("", instant)
        case .never: ("", nil)
        }
      let values: [SQLValue] = [
        .optional(team?.number), .text(plan.kind.rawValue), .text(rule), .text(zone), .at(once), .at(now),
        .text(plan.timing.optionsText),
      ]
      let isOther =
        "team_id IS ?1 AND kind = ?2 AND (rule <> ?3 OR zone <> ?4 OR once_ms IS NOT ?5 OR options <> ?7)"
      let isChanged =
        try run(
          """
          INSERT INTO past_rules (job_id, generation, team_id, rule, options, zone, once_ms, since_ms, settled_ms, until_ms)
          SELECT job_id, generation, team_id, rule, options, zone, once_ms, since_ms, cursor_ms, max(cursor_ms, ?6)
          FROM jobs WHERE \(isOther) ON CONFLICT (job_id, generation) DO NOTHING
          """, values) > 0
      if isChanged { try sweepWaiting(team: team, kind: plan.kind.rawValue, now: now) }
      let changed = try run(
        """
        UPDATE jobs SET rule = ?3, zone = ?4, once_ms = ?5, options = ?7, generation = generation + 1,
          cursor_ms = max(cursor_ms, ?6), since_ms = max(cursor_ms, ?6)
        WHERE \(isOther)
        """, values)
      // For a server job `team_id` is NULL, and NULLs never conflict in a unique index.
      let made = try run(
        """
        INSERT INTO jobs (team_id, kind, rule, options, zone, once_ms, generation, cursor_ms, since_ms)
        SELECT ?1, ?2, ?3, ?7, ?4, ?5, 1, ?6, ?6
        WHERE NOT EXISTS (SELECT 1 FROM jobs WHERE team_id IS ?1 AND kind = ?2)
        """,
        [
          .optional(team?.number), .text(plan.kind.rawValue), .text(rule), .text(zone), .at(once),
          .at(min(now, plan.settled ?? now)), .text(plan.timing.optionsText),
        ])
      if changed + made > 0 { noteRuleChange(team) }
    }
  }
}
