package import FlowModel
package import FlowNotices
import FlowWork

/// A failure in the server's work for one team; other teams are not affected.
package struct TeamFailure: Hashable, Sendable {
  package let teamID: TeamID
  package let team: String
  /// Name of the work: a kind of job, or another part of the team's data.
  package let work: String
  /// The failure as a sentence.
  package let why: String
  package let since: Timestamp
}

/// The teams that a check for failures covered.
package enum CheckedTeams: Sendable {
  case all
  case one(TeamID)
  case partitions(PartitionSet)

  fileprivate func contains(_ team: TeamID) -> Bool {
    switch self {
    case .all: true
    case .one(let id): team == id
    case .partitions(let partitions): partitions.contains(team: team)
    }
  }
}

extension Store {
  package nonisolated func troubles() async throws -> [TeamFailure] { try await readConcurrently { try $0.troubles() } }

  package func unreadableJobs() throws -> [TeamID: String] { try connection.unreadableJobs() }

  package func setTeamFailures(
    _ found: [TeamID: String], with work: String, of checkedTeams: CheckedTeams, now: Timestamp
  ) throws {
    let known = Set(try connection.troubles().filter { $0.work == work }.map(\.teamID))
    let over = known.subtracting(found.keys).filter(checkedTeams.contains)
    guard !found.isEmpty || !over.isEmpty else { return }
    try connection.transaction {
      for (team, why) in found { try connection.noteFailure(team, with: work, why, now: now) }
      for team in over { try connection.clearFailure(team, with: work) }
    }
  }

  package func clearTeamFailures(of team: TeamID) throws {
    for trouble in try connection.troubles() where trouble.teamID == team && trouble.work != FailureCode.schedule {
      try connection.clearFailure(team, with: trouble.work)
    }
  }

  package func notifyTeamFailures(routes: [SinkRoute], now: Timestamp) throws -> [String] {
    let unreported = try connection.troubles(onlyUnreported: true)
    guard !unreported.isEmpty else { return [] }
    let notice = OperatorNotice.teamsInTrouble(
      lines: unreported.prefix(Limits.failuresShown).map { "team '\($0.team)', \($0.work): \($0.why)" },
      count: unreported.count
    ).notice(at: now, install: install)
    // A second notice within the same second would have the same id; it is sent at the next check.
    guard try !connection.hasNotice(notice.id) else { return [] }
    return try connection.transaction {
      let notifiedSinks = try connection.notify(notice, routes: routes, now: now)
      // All rows: this notice reports the new failures, earlier notices have reported the others.
      if !notifiedSinks.isEmpty { try connection.run("UPDATE troubles SET is_told = 1") }
      return notifiedSinks
    }
  }
}

// Failures are stored, so that a restart neither forgets nor repeats them.
extension Connection {
  func hasTeamFailures() throws(StoreError) -> Bool {
    try first("SELECT 1 FROM troubles LIMIT 1") { _ throws(StoreError) in true } ?? false
  }

  /// Failures by team name.
  ///
  /// - Parameter onlyUnreported: true for failures that were not reported to the operator yet.
  func troubles(onlyUnreported: Bool = false) throws(StoreError) -> [TeamFailure] {
    try rows(
      """
      SELECT troubles.team_id, teams.name, work, why, since_ms
      FROM troubles JOIN teams ON teams.team_id = troubles.team_id
      WHERE ?1 = 0 OR is_told = 0 ORDER BY teams.name, work
      """, .flag(onlyUnreported)
    ) { row throws(StoreError) in
      TeamFailure(
        teamID: TeamID(row.integer("team_id")), team: row.text("name"), work: row.text("work"), why: row.text("why"),
        since: row.instant("since_ms"))
    }
  }

  /// Stores a failure; a known one keeps its start and whether it was reported.
  func noteFailure(_ team: TeamID, with work: String, _ why: String, now: Timestamp) throws(StoreError) {
    let reason = visible(String(why.prefix(Limits.failureReasonLength)))
    try run(
      """
      INSERT INTO troubles (team_id, work, why, since_ms, is_told)
      SELECT team_id, ?2, ?3, ?4, 0 FROM teams WHERE team_id = ?1
      ON CONFLICT (team_id, work) DO UPDATE SET why = excluded.why
      """, .integer(team.number), .text(work), .text(reason), .at(now))
  }

  func clearFailure(_ team: TeamID, with work: String) throws(StoreError) {
    try run("DELETE FROM troubles WHERE team_id = ? AND work = ?", .integer(team.number), .text(work))
  }

  fileprivate func hasNotice(_ id: String) throws(StoreError) -> Bool {
    try first("SELECT 1 FROM notices WHERE notice_id = ?", .text(id)) { _ throws(StoreError) in true } ?? false
  }

  /// Stores a failure if the run failed because of its team's data; otherwise ends the failure of this work.
  func noteFailure(of settlement: RunSettlement, isTroubled: Bool) throws(StoreError) {
    guard let team = settlement.run.teamID else { return }
    let work = settlement.run.kind.rawValue
    switch settlement.outcome.reason {
    case FailureCode.unreadableRecord?, FailureCode.unreadableZone?:
      try noteFailure(
        team, with: work, settlement.outcome.detail ?? settlement.outcome.reason ?? "", now: settlement.finishedAt)
    default:
      if isTroubled { try clearFailure(team, with: work) }
    }
  }
}
