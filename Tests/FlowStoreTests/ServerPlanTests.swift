import FlowModel
import FlowNotices
import FlowPlatform
import FlowTestKit
import FlowWork
import Foundation
import PoolJobs
import Testing

import TradeStores
@testable import FlowStore

/// The rows that PostgreSQL reads when many teams have a slot at the same instant: the plans are made while the tables are
/// empty and are kept. Counted in rows, so that no clock is involved.
@Suite(.requires(.postgresql)) struct ServerPlanTests {
  private let now = Samples.mondayMorning
  private static let teams = 2_000
  /// A bound for any table or index, per run: rows read grow linearly with the runs, not quadratically.
  private static let rowsForEach = 40

  @Test func `a morning of many teams reads each row at most a few times`() async throws {
    let server = try PostgresServer.shared.get()
    let database = try server.newDatabase()
    try await morning(
      of: ServerLocation(connection: server.connection(to: database), node: NodeIdentity(name: "north"))
    ) {
      try server.query("VACUUM ANALYZE", in: database)
      try server.query(
        """
        INSERT INTO poolflow.teams SELECT (jsonb_populate_record(team,
          jsonb_build_object('team_id', n, 'name', 'team-' || n))).*
        FROM poolflow.teams AS team, generate_series(2, \(Self.teams)) AS n
        """, in: database)
      try server.query(
        """
        INSERT INTO poolflow.jobs SELECT (jsonb_populate_record(job, jsonb_build_object('job_id', job_id + n, 'team_id', n))).*
        FROM poolflow.jobs AS job, generate_series(2, \(Self.teams)) AS n
        """, in: database)
    }
    // A session reports its statistics when it ends.
    try await waitUntil("the server has counted every notice") {
      try server.query("SELECT n_tup_ins FROM pg_stat_user_tables WHERE relname = 'notices'", in: database)
        == "\(Self.teams)"
    }
    let read = try server.query(
      """
      SELECT string_agg(name || ': ' || rows, ', ' ORDER BY name) FROM (
        SELECT relname AS name, seq_tup_read AS rows FROM pg_stat_user_tables
        UNION ALL SELECT indexrelname, idx_tup_read FROM pg_stat_user_indexes) AS read
      WHERE rows > \(Self.teams * Self.rowsForEach)
      """, in: database)
    #expect(read.isEmpty)
  }

  /// - Parameter fill: creates the other teams from the first one, all with the same job.
  private func morning(of place: ServerLocation, fill: () throws -> Void) async throws {
    let store = try Store(place: .server(place), now: now, version: "test")
    _ = try await store.take(.all)
    _ = try await store.addTeam(Samples.team("team-1"), defaultTechnician: "anna", now: now) { _ in
      [JobPlan(kind: .morningSummary, rule: .calendar("*-*-* 07:00:00"))]
    }
    try fill()
    let half = PartitionSet(0..<32)
    for _ in 0..<5 {
      let jobs = try await store.jobsToRun(of: half)
      #expect(
        jobs.map { $0.teamID?.number } == (1...Self.teams).map { Int64($0) }.filter { half.contains(team: TeamID($0)) })
    }
    let jobs = try await store.jobsToRun()[...]
    #expect(jobs.count == Self.teams)
    for start in stride(from: 0, to: jobs.count, by: Limits.runsPerBatch) {
      let runs = try await store.take(jobs[start...].prefix(Limits.runsPerBatch).map { $0.look(at: now) }, now: now)
      let outdated = try await store.settle(
        runs.map { $0.told(at: now) }, routes: [SinkRoute(sink: "drop")], evenIfChanged: true)
      #expect(outdated.isEmpty)
    }
  }
}
