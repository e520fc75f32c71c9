package import FlowModel
package import FlowWork

extension Store {
  package func holds(of team: TeamID?) throws -> [Hold] {
    try connection.openHolds("team_id IS ?1", .optional(team?.number))
  }

  package func holds() throws -> [Hold] { try connection.openHolds("?1 IS NULL", .null(.integer)) }

  package func holds(of team: TeamID?, from start: Timestamp, to end: Timestamp) throws -> [Hold] {
    try connection.holds(
      """
      WHERE team_id IS ?1 AND from_ms <= ?3 AND coalesce(ended_ms, until_ms, ?2) >= ?2 ORDER BY hold_id
      """, .optional(team?.number), .at(start), .at(end))
  }

  package func hold(_ request: HoldRequest, now: Timestamp) throws -> Hold {
    try connection.transaction {
      var until: Timestamp?
      var skips: Int64?
      switch request.kind {
      case .pause(let end): until = end
      case .skip(let count): skips = Int64(count)
      }
      try connection.endHolds(
        team: request.teamID, job: request.jobID, skips: skips != nil, now: now, by: request.setBy)
      let id = try connection.first(
        """
        INSERT INTO holds (team_id, job_id, from_ms, until_ms, skips_left, note, set_by) VALUES (?, ?, ?, ?, ?, ?, ?)
        RETURNING hold_id
        """, .optional(request.teamID?.number), .optional(request.jobID?.number), .at(now), .at(until),
        .optional(skips), .text(request.note), .text(request.setBy)
      ) { row throws(StoreError) in row.integer(0) }
      return Hold(
        id: id ?? 0, teamID: request.teamID, jobID: request.jobID, kind: request.kind, from: now, endedAt: nil,
        note: request.note, setBy: request.setBy)
    }
  }

  package func release(team: TeamID?, job: JobID?, now: Timestamp, by caller: String) throws -> Int {
    try connection.transaction {
      let pauses = try connection.endHolds(team: team, job: job, skips: false, now: now, by: caller)
      return try pauses + connection.endHolds(team: team, job: job, skips: true, now: now, by: caller)
    }
  }
}

extension Connection {
  /// Ends the active pauses or skips of a job, or of a team if `job` is nil. Expired pauses are left unchanged.
  ///
  /// - Returns: the number of holds ended.
  @discardableResult
  func endHolds(
    team: TeamID?, job: JobID?, skips: Bool, now: Timestamp, by caller: String
  ) throws(StoreError) -> Int {
    try run(
      """
      UPDATE holds SET ended_ms = max(?1, from_ms), ended_by = ?2
      WHERE team_id IS ?3 AND job_id IS ?4 AND ended_ms IS NULL AND (until_ms IS NULL OR until_ms > ?1)
        AND (skips_left IS NOT NULL) = (?5 = 1) AND coalesce(skips_left, 1) > 0
      """, .at(now), .text(caller), .optional(team?.number), .optional(job?.number), .flag(skips))
  }

  /// Lowers the number of skips that remain of a hold, after a slot was skipped.
  package func useSkip(of hold: Int64) throws(StoreError) {
    try run("UPDATE holds SET skips_left = skips_left - 1 WHERE hold_id = ? AND skips_left > 0", .integer(hold))
  }

  /// Holds that may still cover a slot after the cursors of their jobs.
  fileprivate func openHolds(_ owner: String, _ value: SQLValue) throws(StoreError) -> [Hold] {
    try holds(
      """
      WHERE \(owner) AND coalesce(skips_left, 1) > 0 AND (skips_left IS NULL OR ended_ms IS NULL)
        AND coalesce(ended_ms, until_ms, 9000000000000000) > coalesce((SELECT min(cursor_ms) FROM jobs
          WHERE jobs.team_id IS NOT DISTINCT FROM holds.team_id AND (holds.job_id IS NULL OR jobs.job_id = holds.job_id)
            AND jobs.rule <> ''), 0)
      ORDER BY hold_id
      """, value)
  }

  /// Reads holds; `condition` is the SQL after `FROM holds`.
  func holds(_ condition: String, _ values: SQLValue...) throws(StoreError) -> [Hold] {
    try readableRows(
      """
      SELECT hold_id, team_id, job_id, from_ms, until_ms, skips_left, note, set_by, ended_ms FROM holds
      \(condition)
      """, values
    ) { row throws(StoreError) in
      Hold(
        id: row.integer("hold_id"), teamID: row.optionalInteger("team_id").map { TeamID($0) },
        jobID: row.optionalInteger("job_id").map { JobID($0) },
        kind: row.optionalInteger("skips_left").map { .skip(left: Int($0)) }
          ?? .pause(until: row.optionalInstant("until_ms")),
        from: row.instant("from_ms"), endedAt: row.optionalInstant("ended_ms"), note: row.text("note"),
        setBy: row.text("set_by"))
    }
  }
}
