package import PoolModel
package import PoolNotices
import PoolWork

/// A failure in the server's work for one team; other teams are not affected.
package struct TeamTrouble: Hashable, Sendable {
  package let teamID: TeamID
  package let team: String
  /// Name of the work: a kind of job, or another part of the team's data.
  package let work: String
  /// The failure as a sentence.
  package let why: String
  package let since: Timestamp
}

/// The teams that a check for failures covered.
package enum TeamsLookedFor: Sendable {
  case all
  case one(TeamID)
  case shares(ShareSet)

  fileprivate func contains(_ team: TeamID) -> Bool {
    switch self {
    case .all: true
    case .one(let id): team == id
    case .shares(let shares): shares.contains(team: team)
    }
  }
}

extension Store {
  package nonisolated func troubles() async throws -> [TeamTrouble] { try await beside { try $0.troubles() } }

  package func unreadableJobs() throws -> [TeamID: String] { try connection.unreadableJobs() }

  package func setTroubles(
    _ found: [TeamID: String], with work: String, of looked: TeamsLookedFor, now: Timestamp
  ) throws {
    let known = Set(try connection.troubles().filter { $0.work == work }.map(\.teamID))
    let over = known.subtracting(found.keys).filter(looked.contains)
    guard !found.isEmpty || !over.isEmpty else { return }
    try connection.transaction {
      for (team, why) in found { try connection.noteTrouble(team, with: work, why, now: now) }
      for team in over { try connection.endTrouble(team, with: work) }
    }
  }

  package func endTroubles(of team: TeamID) throws {
    for trouble in try connection.troubles() where trouble.teamID == team && trouble.work != TroubledWork.schedule {
      try connection.endTrouble(team, with: trouble.work)
    }
  }

  package func tellTroubles(routes: [SinkRoute], now: Timestamp) throws -> [String] {
    let untold = try connection.troubles(onlyUntold: true)
    guard !untold.isEmpty else { return [] }
    let notice = OperatorNotice.teamsInTrouble(
      lines: untold.prefix(Limits.troublesShown).map { "team '\($0.team)', \($0.work): \($0.why)" }, count: untold.count
    ).notice(at: now, install: install)
    // A second notice within the same second would have the same id; it is sent at the next check.
    guard try !connection.hasNotice(notice.id) else { return [] }
    return try connection.transaction {
      let told = try connection.tell(notice, routes: routes, now: now)
      // All rows: this notice reports the new failures, earlier notices have reported the others.
      if !told.isEmpty { try connection.run("UPDATE troubles SET is_told = 1") }
      return told
    }
  }
}

// Failures are stored, so that a restart neither forgets nor repeats them.
extension Connection {
  func hasTroubles() throws(StoreError) -> Bool {
    try first("SELECT 1 FROM troubles LIMIT 1") { _ throws(StoreError) in true } ?? false
  }

  /// Failures by team name.
  ///
  /// - Parameter onlyUntold: true for failures that were not reported to the operator yet.
  func troubles(onlyUntold: Bool = false) throws(StoreError) -> [TeamTrouble] {
    try rows(
      """
      SELECT troubles.team_id, teams.name, work, why, since_ms
      FROM troubles JOIN teams ON teams.team_id = troubles.team_id
      WHERE ?1 = 0 OR is_told = 0 ORDER BY teams.name, work
      """, .flag(onlyUntold)
    ) { row throws(StoreError) in
      TeamTrouble(
        teamID: TeamID(row.integer("team_id")), team: row.text("name"), work: row.text("work"), why: row.text("why"),
        since: row.instant("since_ms"))
    }
  }

  /// Stores a failure; a known one keeps its start and whether it was reported.
  func noteTrouble(_ team: TeamID, with work: String, _ why: String, now: Timestamp) throws(StoreError) {
    let reason = visible(String(why.prefix(Limits.troubleReasonLength)))
    try run(
      """
      INSERT INTO troubles (team_id, work, why, since_ms, is_told)
      SELECT team_id, ?2, ?3, ?4, 0 FROM teams WHERE team_id = ?1
      ON CONFLICT (team_id, work) DO UPDATE SET why = excluded.why
      """, .integer(team.number), .text(work), .text(reason), .at(now))
  }

  func endTrouble(_ team: TeamID, with work: String) throws(StoreError) {
    try run("DELETE FROM troubles WHERE team_id = ? AND work = ?", .integer(team.number), .text(work))
  }

  fileprivate func hasNotice(_ id: String) throws(StoreError) -> Bool {
    try first("SELECT 1 FROM notices WHERE notice_id = ?", .text(id)) { _ throws(StoreError) in true } ?? false
  }

  /// Stores a failure if the run failed because of its team's data; otherwise ends the failure of this work.
  func noteTrouble(of settlement: RunSettlement, isTroubled: Bool) throws(StoreError) {
    guard let team = settlement.run.teamID else { return }
    let work = settlement.run.kind.rawValue
    switch settlement.outcome.reason {
    case TroubledWork.unreadableRecord?, TroubledWork.unreadableZone?:
      try noteTrouble(
        team, with: work, settlement.outcome.detail ?? settlement.outcome.reason ?? "", now: settlement.finishedAt)
    default:
      if isTroubled { try endTrouble(team, with: work) }
    }
  }
}
