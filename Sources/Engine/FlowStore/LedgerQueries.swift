package import FlowModel
package import FlowWork

extension Connection {
  private static let jobColumns = """
    jobs.job_id, jobs.team_id, coalesce(teams.name, '') AS team_name, jobs.kind, jobs.rule, jobs.options, jobs.zone,
    jobs.once_ms,
    jobs.generation, jobs.cursor_ms, teams.trial_expires_ms FROM jobs LEFT JOIN teams ON teams.team_id = jobs.team_id
    """
  /// Excludes jobs of removed reminders, which stay in the ledger for their history.
  private static let jobExists = """
    (jobs.kind NOT GLOB 'reminder-*'
      OR EXISTS (SELECT 1 FROM reminders WHERE reminders.team_id = jobs.team_id AND reminders.name = substr(jobs.kind, 10)))
    """

  /// Reads jobs by number; unreadable rows are left out.
  ///
  /// - Parameter ours: a further SQL condition that begins with AND.
  func jobs(_ ours: String = "") throws(StoreError) -> [JobRecord] {
    try readableRows("SELECT \(Self.jobColumns) WHERE \(Self.jobExists)\(ours) ORDER BY jobs.job_id") {
      row throws(StoreError) in try Self.job(row)
    }
  }

  /// Teams that have an unreadable job, timing or reminder, with the reason.
  func unreadableJobs() throws(StoreError) -> [TeamID: String] {
    var found: [TeamID: String] = [:]
    _ = try readableRows("SELECT \(Self.jobColumns)") { row throws(StoreError) in
      try Self.job(row)
    } unreadable: { row, error in
      if let team = row.optionalInteger("team_id") { found[TeamID(team)] = "\(error)" }
    }
    // An unreadable timing leaves its job readable, with the default rule or none, so timings are checked separately.
    _ = try readableRows("SELECT team_id, kind, rule, options FROM job_timings") { row throws(StoreError) in
      try Self.choice(row, table: "job_timings")
    } unreadable: { row, error in
      found[TeamID(row.integer("team_id"))] = "\(error)"
    }
    return found.merging(try trades.ownJobs.unreadable(on: self)) { $1 }
  }

  /// Reads the jobs of a team by number; unreadable rows are left out.
  ///
  /// - Parameters:
  ///   - team: the team; nil for the server's own jobs.
  ///   - ours: a further SQL condition that begins with AND.
  func jobs(of team: TeamID?, _ ours: String = "") throws(StoreError) -> [JobRecord] {
    try readableRows(
      "SELECT \(Self.jobColumns) WHERE jobs.team_id IS ? AND \(Self.jobExists)\(ours) ORDER BY jobs.job_id",
      [.optional(team?.number)]
    ) { row throws(StoreError) in try Self.job(row) }
  }

  private static func job(_ row: Statement) throws(StoreError) -> JobRecord {
    let rule: JobRule
    if let once = row.optionalInstant("once_ms") {
      rule = .once(once)
    } else {
      let text = row.text("rule")
      rule = text.isEmpty ? .never : .calendar(text)
    }
    return JobRecord(
      id: JobID(row.integer("job_id")), teamID: row.optionalInteger("team_id").map { TeamID($0) },
      teamName: row.text("team_name"), kind: try row.kind("kind", table: "jobs"), rule: rule, zone: row.text("zone"),
      generation: row.integer("generation"), cursor: row.instant("cursor_ms"),
      deadline: row.optionalInstant("trial_expires_ms"), timing: try timing(row, table: "jobs"))
  }

  /// Claims a slot for a run. The primary key makes sure that it is claimed only once.
  ///
  /// - Returns: the run; nil if the slot has a verdict already.
  func claim(_ request: ClaimRequest, epoch: Int64, now: Timestamp) throws(StoreError) -> ClaimedRun? {
    let claimed = ClaimedRun(request, startedAt: now)
    let granted = try run(
      """
      INSERT INTO runs (job_id, slot_ms, team_id, cause, outcome, epoch, attempts, as_of_ms, started_ms, late_ms, note)
      VALUES (?, ?, ?, ?, 'running', ?, 1, ?, ?, ?, ?) ON CONFLICT (job_id, slot_ms) DO NOTHING
      """, .integer(request.jobID.number), .at(request.slot), .optional(request.teamID?.number),
      .text(request.cause.rawValue), .integer(epoch), .at(request.asOf), .at(now),
      .integer(claimed.lateness.wholeMilliseconds), .optional(request.note))
    return granted == 1 ? claimed : nil
  }

  /// Records a range of missed slots; an existing range with the same start is extended.
  func insert(_ skippedRange: SkippedSlotRange, team: TeamID?, now: Timestamp) throws(StoreError) {
    try run(
      """
      INSERT INTO missed_stretches (job_id, first_ms, last_ms, team_id, reason, detail, recorded_ms)
      VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (job_id, first_ms) DO UPDATE SET last_ms = max(missed_stretches.last_ms, excluded.last_ms)
      """, .integer(skippedRange.jobID.number), .at(skippedRange.first), .at(skippedRange.last),
      .optional(team?.number),
      .text(skippedRange.reason), .text(skippedRange.detail), .at(now))
  }

  private static let runColumns = """
    runs.job_id, runs.team_id, coalesce(teams.name, '') AS team_name, jobs.kind, jobs.zone, runs.slot_ms, runs.cause,
    runs.outcome, runs.reason, runs.detail, runs.attempts, runs.started_ms, runs.finished_ms, runs.late_ms, runs.note,
    runs.inputs, runs.next_try_ms,
    (SELECT notice_id FROM notices
      WHERE notices.job_id = runs.job_id AND notices.slot_ms = runs.slot_ms AND notices.person IS NULL) AS notice_id,
    (SELECT group_concat(person, ' ') FROM notices
      WHERE notices.job_id = runs.job_id AND notices.slot_ms = runs.slot_ms AND notices.person GLOB 't*') AS people
    FROM runs JOIN jobs ON jobs.job_id = runs.job_id LEFT JOIN teams ON teams.team_id = runs.team_id
    """

  /// Runs that match the query, newest slot first.
  func history(_ query: HistoryQuery) throws(StoreError) -> [RunRecord] {
    try readableRows(
      """
      SELECT \(Self.runColumns)
      WHERE (?1 IS NULL OR runs.team_id = ?1) AND (?2 IS NULL OR jobs.kind = ?2) AND (?3 IS NULL OR runs.slot_ms = ?3)
        AND (?4 IS NULL OR runs.job_id = ?4) AND (?5 = 0 OR runs.outcome IN ('failed', 'missed'))
        AND (?7 IS NULL OR runs.slot_ms >= ?7) AND (?8 IS NULL OR runs.slot_ms <= ?8)
      ORDER BY runs.slot_ms DESC, runs.job_id LIMIT ?6
      """,
      [
        .optional(query.team?.number), .optional(query.kind?.rawValue), .at(query.slot),
        .optional(query.job?.number), .flag(query.onlyFailed), .integer(query.limit), .at(query.since),
        .at(query.notAfter),
      ]
    ) { row throws(StoreError) in try Self.runRecord(row) }
  }

  func runs(
    from: Timestamp, to: Timestamp, like pattern: String?, limit: Int
  ) throws(StoreError) -> [(key: RunKey, kind: JobKind)] {
    try readableRows(
      """
      SELECT jobs.kind, runs.job_id, runs.slot_ms FROM runs JOIN jobs ON jobs.job_id = runs.job_id
      WHERE runs.slot_ms BETWEEN ?1 AND ?2 AND (?3 IS NULL OR '-' || jobs.kind || '-' || runs.job_id || '-' GLOB ?3)
      ORDER BY runs.slot_ms DESC LIMIT ?4
      """, [.at(from), .at(to), .optional(pattern), .integer(limit)]
    ) { row throws(StoreError) in
      (
        key: RunKey(jobID: JobID(row.integer("job_id")), slot: row.instant("slot_ms")),
        kind: try row.kind("kind", table: "jobs")
      )
    }
  }

  /// The newest run of each job, up to and including a slot at `end`.
  func lastRuns(notAfter end: Timestamp?) throws(StoreError) -> [JobID: RunRecord] {
    let newest = try readableRows(
      """
      SELECT \(Self.runColumns)
      JOIN (SELECT job_id, max(slot_ms) AS slot_ms FROM runs WHERE ?1 IS NULL OR slot_ms <= ?1 GROUP BY job_id) AS newest
        ON newest.job_id = runs.job_id AND newest.slot_ms = runs.slot_ms
      """, [.at(end)]
    ) { row throws(StoreError) in try Self.runRecord(row) }
    return Dictionary(newest.map { ($0.jobID, $0) }, uniquingKeysWith: { first, _ in first })
  }

  private static func runRecord(_ row: Statement) throws(StoreError) -> RunRecord {
    RunRecord(
      jobID: JobID(row.integer("job_id")), teamID: row.optionalInteger("team_id").map { TeamID($0) },
      teamName: row.text("team_name"), kind: try row.kind("kind", table: "jobs"), zone: row.text("zone"),
      slot: row.instant("slot_ms"), cause: try row.word("cause", table: "runs"),
      outcome: try row.word("outcome", table: "runs"), reason: row.optionalText("reason"),
      detail: row.optionalText("detail"), attempts: row.number("attempts"),
      startedAt: row.optionalInstant("started_ms"), finishedAt: row.optionalInstant("finished_ms"),
      lateness: row.optionalInteger("late_ms").map { .milliseconds($0) }, note: row.optionalText("note"),
      inputs: row.optionalText("inputs"), nextTryAt: row.optionalInstant("next_try_ms"),
      noticeID: row.optionalText("notice_id"),
      people: row.optionalText("people")?.split(separator: " ").compactMap { PersonKey(String($0)) } ?? [])
  }
}

extension ClaimedRun {
  /// The run that a granted claim becomes.
  package init(_ request: ClaimRequest, startedAt now: Timestamp) {
    self.init(
      jobID: request.jobID, teamID: request.teamID, kind: request.kind, zone: request.zone, slot: request.slot,
      cause: request.cause, asOf: request.asOf, startedAt: now, attempts: 1, jitter: request.jitter,
      timing: request.timing)
  }
}
