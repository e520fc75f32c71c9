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

/// Several nodes on one PostgreSQL store: the partitions they work, and hand-offs between them.
@Suite(.serialized, .requires(.postgresql))
struct PartitionTests {
  private let now = Samples.mondayMorning
  private static let teams = 3

  /// Two nodes on a store with teams 1, 2 and 3; the first node owns all partitions.
  private struct Two {
    let server: PostgresServer
    let database: String
    let north: Store
    let south: Store
    let jobs: [JobRecord]
  }

  private func open(
    _ server: PostgresServer, _ database: String, _ name: String?, migrations: [String] = Schema.migrations
  ) throws -> Store {
    let place = ServerLocation(connection: server.connection(to: database), node: name.map { NodeIdentity(name: $0) })
    return try Store(place: .server(place), now: now, version: "test", migrations: migrations)
  }

  private func two() async throws -> Two {
    let server = try PostgresServer.shared.get()
    let database = try server.newDatabase()
    let north = try open(server, database, "north")
    #expect(north.partitions == PartitionSet.none)
    let first = try await north.take(.all)
    #expect(first.taken == .all && first.lost.isEmpty && north.partitions == .all)
    var jobs: [JobRecord] = []
    for number in 1...Self.teams {
      let team = try await north.addTeam(Samples.team("team-\(number)"), defaultTechnician: "anna", now: now) { _ in
        [JobPlan(kind: .morningSummary, rule: .calendar("*-*-* 07:00:00"))]
      }
      #expect(team.id.number == Int64(number))
      jobs.append(try #require(try await north.jobs(of: team.id).first))
    }
    return Two(server: server, database: database, north: north, south: try open(server, database, "south"), jobs: jobs)
  }

  /// The store as the scheduler and delivery use it.
  private func seen(_ store: Store) -> any Ledger & Outbox { store }

  private func endSession(of name: String, _ two: Two) throws {
    try two.server.query(
      "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE application_name LIKE 'poolflowd \(name) %' "
        + "AND datname = current_database()", in: two.database)
  }

  @Test func `a node acquires only free partitions and runs only their teams`() async throws {
    let two = try await two()
    #expect(try await two.south.take(.all).taken.isEmpty)
    let one = PartitionSet(partition: 1)
    try await two.north.releasePartitions(one)
    #expect(two.north.partitions == .all - one)
    // A released partition is not free yet: its runs must end first.
    #expect(try await two.south.take(one).taken.isEmpty)
    try await two.north.handOff(one)
    #expect(try await two.south.take(.all).taken == one && two.south.partitions == one)
    #expect(try await seen(two.north).jobsToRun().map(\.id) == two.jobs.dropFirst().map(\.id))
    #expect(try await seen(two.south).jobsToRun().map(\.id) == [two.jobs[0].id])
    #expect(try await seen(two.south).jobsToRun(of: two.jobs[1].teamID).isEmpty)
    #expect(try await seen(two.north).jobsToRun(of: PartitionSet([1, 2])).map(\.id) == [two.jobs[1].id])
    #expect(try await seen(two.north).jobsToRun(of: PartitionSet.none).isEmpty)
    #expect(try await two.south.jobs().count == 3)
    // Looks planned before the hand-off claim nothing and move no cursor.
    #expect(
      try await two.north.take(two.jobs.map { $0.look(at: now) }, now: now).map(\.jobID)
        == two.jobs.dropFirst().map(\.id))
    #expect(try await two.north.claim(two.jobs[0].look(at: now).claims, now: now).isEmpty)
    let runs = try await two.south.take(two.jobs.map { $0.look(at: now) }, now: now)
    #expect(runs.map(\.jobID) == [two.jobs[0].id])
    let kept = try await two.south.settle(
      runs.map { $0.told(at: now) }, routes: [SinkRoute(sink: "drop")], evenIfChanged: true)
    #expect(kept.isEmpty)
    #expect(
      try await two.south.dueEntries(sink: "drop", now: now, limit: 9).map(\.notice.teamID) == [two.jobs[0].teamID])
    #expect(try await two.north.dueEntries(sink: "drop", now: now, limit: 9).isEmpty)
    #expect(try await two.north.nextDue(sink: "drop") == nil)
    #expect(try await two.south.nextDue(sink: "drop") == now)
    // In a shared folder, another node's notice is not cleaned up as a leftover.
    #expect(
      try await seen(two.north).pendingNoticeIDs(sink: "drop")
        == Set(runs.map { $0.told(at: now).outcome.notice?.id ?? "" }))
  }

  /// The explanation of a decision.
  private struct Account: DecisionExplanation {
    var words: String { "" }
    let changesSeen: Int?
    var record: (any TradeRecord)? { nil }
  }

  @Test func `a released partition that was not handed off stays known when others are acquired`() async throws {
    let two = try await two()
    let (one, other) = (PartitionSet(partition: 1), PartitionSet(partition: 2))
    try await two.north.releasePartitions(other)
    try await two.north.handOff(other)
    try await two.north.releasePartitions(one)
    for taken in [PartitionSet.none, other] {
      #expect(try await two.north.take(taken).taken == taken)
      #expect(await two.north.releasedHere() == one)
      #expect(!two.north.partitions.contains(1))
      #expect(try await seen(two.north).jobsToRun(of: one).isEmpty)
    }
    try await two.north.acquire(one)
    #expect(await two.north.releasedHere() == PartitionSet.none)
    #expect(two.north.partitions == .all)
    #expect(try await seen(two.north).jobsToRun(of: one).map(\.id) == [two.jobs[0].id])
  }

  @Test func `acquiring a partition invalidates only its own prefetched decisions`() async throws {
    let two = try await two()
    let one = PartitionSet(partition: 1)
    try await two.north.releasePartitions(one)
    try await two.north.handOff(one)
    let seen = two.north.factsReaders.changes.count
    #expect(try await two.north.take(one).taken == one)
    let runs = try await two.north.take(two.jobs.map { $0.look(at: now) }, now: now)
    func settlements(_ seen: Int) -> [RunSettlement] {
      runs.map {
        RunSettlement(
          run: $0,
          outcome: Outcome(result: .skipped, reason: "quiet", detail: "…", account: Account(changesSeen: seen)),
          finishedAt: now)
      }
    }
    let outdated = try await two.north.settle(settlements(seen), routes: [], evenIfChanged: false)
    #expect(outdated == [RunKey(jobID: two.jobs[0].id, slot: now)])
    let again = two.north.factsReaders.changes.count
    #expect(try await two.north.settle([settlements(again)[0]], routes: [], evenIfChanged: false).isEmpty)
  }

  @Test func `runs claimed before a partition is released are settled by the node that claimed them`() async throws {
    let two = try await two()
    let runs = try await two.north.take([two.jobs[0].look(at: now)], now: now)
    let one = PartitionSet(partition: 1)
    try await two.north.releasePartitions(one)
    #expect(try await two.north.claimed(of: one) == 1)
    #expect(try await two.north.claimed(of: PartitionSet(partition: 2)) == 0)
    try await two.north.settle(runs.map { $0.told(at: now) }, routes: [SinkRoute(sink: "drop")], evenIfChanged: true)
    #expect(try await two.north.claimed(of: one) == 0)
    // A partition that cannot be handed off stays with its node.
    try await two.north.acquire(one)
    #expect(two.north.partitions == .all)
    #expect(try await two.north.dueEntries(sink: "drop", now: now, limit: 9).count == 1)
  }

  @Test func `runs of a lost node are reclaimed by the partition's new owner and reported once`() async throws {
    let two = try await two()
    let runs = try await two.north.take(two.jobs.prefix(2).map { $0.look(at: now) }, now: now)
    #expect(runs.count == 2)
    try endSession(of: "north", two)
    let one = PartitionSet(partition: 1)
    let (taken, lost) = try await two.south.take(one)
    #expect(taken == one && lost.map(\.epoch) == [two.north.epoch] && lost.map(\.last) == [now])
    #expect(try await two.south.take(PartitionSet(partition: 2)).lost.isEmpty)
    #expect(try await two.south.reclaimOrphans(now: now, crashed: false).map(\.jobID) == two.jobs.prefix(2).map(\.id))
    // A node that lost partitions owns none: it cannot write.
    let error = await #expect(throws: StoreError.self) {
      // The store waits before it reconnects after a failure.
      while true {
        do { _ = try await two.north.settle(runs.map { $0.told(at: now) }, routes: [], evenIfChanged: true) } catch let
          error
          as StoreError
          where error.description.contains("does not answer")
        {
          continue
        }
      }
    }
    #expect(
      error == .refused(by: "", .takenOver) || error?.description.contains("taken over") == true,
      "\(String(describing: error))")
  }

  @Test func `a takeover is recorded with the lost node and the new node`() async throws {
    let two = try await two()
    #expect(try await two.south.takeovers(of: two.jobs[0].teamID, from: now, to: now).isEmpty)
    try endSession(of: "north", two)
    let before = Timestamp(milliseconds: Int64(Date.now.timeIntervalSince1970 * 1_000))
    #expect(try await two.south.take(PartitionSet([0, 1])).taken == PartitionSet([0, 1]))
    let found = try await two.south.takeovers(of: two.jobs[0].teamID, from: before, to: now)
    #expect(found.map(\.lost) == ["north"] && found.map(\.node) == ["south"] && found.map(\.last) == [now])
    #expect(try await two.south.takeovers(of: nil, from: before, to: now) == found)
    // Of another partition; before the lost node's last heartbeat; after the takeover.
    #expect(try await two.south.takeovers(of: two.jobs[1].teamID, from: before, to: now).isEmpty)
    #expect(
      try await two.south.takeovers(of: nil, from: before, to: now.advanced(by: .seconds(-1))).isEmpty)
    #expect(
      try await two.south.takeovers(of: nil, from: found[0].at.advanced(by: .seconds(1)), to: found[0].at).isEmpty)
    // A hand-off is no takeover; a reader sees takeovers too.
    try await two.south.releasePartitions(PartitionSet(partition: 1))
    try await two.south.handOff(PartitionSet(partition: 1))
    let west = try open(two.server, two.database, "west")
    #expect(try await west.take(PartitionSet(partition: 1)).taken == PartitionSet(partition: 1))
    let reader = try Store(reading: .server(ServerLocation(connection: two.server.connection(to: two.database))))
    #expect(try await reader.takeovers(of: two.jobs[0].teamID, from: before, to: now) == found)
  }

  @Test func `page names are shared by all nodes and adopted from the first node only`() async throws {
    let two = try await two()
    let (one, other) = (TeamID(1), TeamID(2))
    try await two.north.adoptPageNames([one: ["office": "old", "3": "anna"]])
    try await two.south.adoptPageNames([one: ["office": "another"], other: ["office": "more"]])
    #expect(try await two.south.pageNames(of: nil) == [one: ["office": "old", "3": "anna"]])
    try await two.south.putPageNames(["office": "second", "4": "ben"], of: other)
    try await two.south.putPageNames(["office": "new"], of: one)
    #expect(try await two.north.pageNames(of: one) == [one: ["office": "new"]])
    try await two.north.forgetPageNames(of: other, owner: "4")
    #expect(try await two.south.pageNames(of: other) == [other: ["office": "second"]])
    try await two.north.forgetPageNames(of: nil, owner: nil)
    #expect(try await two.south.pageNames(of: nil).isEmpty)
    // Removed names do not return at the next start.
    try await two.south.adoptPageNames([one: ["office": "old"]])
    #expect(try await two.north.pageNames(of: nil).isEmpty)
  }

  @Test func `a failure that several nodes find at once is reported by one node`() async throws {
    let two = try await two()
    let sick = OperatorNotice.sinkSick(sink: "drop", trouble: "it is full")
    let now = now
    for round in 0..<20 {
      let at = now.advanced(by: .seconds(round * 60))
      let told = try await withThrowingTaskGroup(of: [String].self) { group in
        for store in [two.north, two.south] {
          group.addTask {
            try await store.notify(
              after: [OperatorNotice.identifier(sick.word, sink: "drop")], routes: [SinkRoute(sink: "post")], now: at
            ) { last in (last[0] == at ? nil : sick.notice(at: at, install: store.install), last[0]) }.told
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(told.sorted { $0.count < $1.count } == [[], ["post"]])
    }
  }

  @Test func `a node that only lost its session regains the partitions no other node took`() async throws {
    let two = try await two()
    try endSession(of: "north", two)
    // The first call notices that the session has ended.
    do { try await two.north.verifyLocks() } catch let error as StoreError where error.isServerAway {}
    try await two.north.verifyLocks()
    #expect(two.north.partitions == .all)
    #expect(try await two.south.take(.all).taken.isEmpty)
    try endSession(of: "north", two)
    let nine = PartitionSet(partition: 9)
    #expect(try await two.south.take(nine).taken == nine)
    try await two.south.releasePartitions(nine)
    try await two.south.handOff(nine)
    let error = await #expect(throws: StoreError.self) {
      while true {
        do { try await two.north.verifyLocks() } catch let error as StoreError where error.isServerAway { continue }
      }
    }
    #expect(error?.description.contains("taken over") == true, "\(String(describing: error))")
  }

  /// The events that a node receives from other nodes since `init`.
  private struct Ear {
    let watch: any ClusterWatch
    private var known: Int64

    init(_ two: Two) async throws {
      let place = ServerLocation(connection: two.server.connection(to: two.database))
      watch = try place.watch(
        own: NodeIdentity(name: "south"), version: "test", schema: Schema.currentVersion,
        clock: SystemWallClock())
      known = try await watch.look().tables.news
    }

    /// Partitions whose job rules have changed since the last call; nil if no event arrived. An event arrives with the change
    /// number or after it.
    mutating func told() async throws -> PartitionSet? {
      let before = known
      known = try await watch.look().tables.news
      return known == before ? nil : try await watch.look().tables.partitions(changedAfter: before)
    }
  }

  private func add(_ name: String, by store: Store) async throws {
    _ = try await store.addTeam(Samples.team(name), defaultTechnician: "anna", now: now) { _ in
      [JobPlan(kind: .morningSummary, rule: .calendar("*-*-* 07:00:00"))]
    }
  }

  private func plan(at time: String, by store: Store) async throws {
    try await store.planAllTeams(defaults: [:], now: now) { _ in
      [JobPlan(kind: .morningSummary, rule: .calendar("*-*-* \(time)"))]
    }
  }

  @Test func `a partition's owner is notified of changed job rules by the changing transaction`() async throws {
    let two = try await two()
    // The next teams get the partitions 4, 5 and so on; the refused transaction uses up one number.
    let given = PartitionSet([4, 7])
    try await two.north.releasePartitions(given)
    try await two.north.handOff(given)
    #expect(try await two.south.take(given).taken == given)
    var ear = try await Ear(two)
    try await add("of-south", by: two.north)
    #expect(try await ear.told() == PartitionSet(partition: 4))
    // A node's own changes and rolled-back changes send no event.
    try await add("of-north", by: two.north)
    await #expect(throws: StoreError.self) { try await add("of-south", by: two.north) }
    #expect(try await ear.told() == nil)
    try await two.north.notifyOtherNodes()
    #expect(try await ear.told() == PartitionSet.none)
    // Setting the same rules sends no event.
    try await plan(at: "07:00:00", by: two.north)
    #expect(try await ear.told() == nil)
    try await plan(at: "08:00:00", by: two.north)
    #expect(try await ear.told() == PartitionSet(partition: 4))
  }

  /// Any client with a login may choose any application name and send any notification; none may stop a node.
  @Test func `invalid application names and notifications of other clients are ignored`() async throws {
    let two = try await two()
    let programs = try PostgresServer.programs()
    var ear = try await Ear(two)
    let names = [
      "poolflow-node a b c 999999999999999999", "poolflow-node a b c -9223372036854775808", "poolflow-node a b c x",
      "poolflow-node    ", "poolflowd x y z", "poolflow-waiting a b c 99999999999999999999999",
    ]
    let sessions = try names.map { name in
      try ChildProgram(
        programs + "/psql",
        [
          two.server.connection(to: two.database), "-Xqc", "SET application_name = '\(name)'", "-c",
          "SELECT pg_sleep(600)",
        ],
        environment: ["PATH": "/usr/bin:/bin"],
        [0: .reading("/dev/null"), 1: .writing("/dev/null"), 2: .writing("/dev/null")])
    }
    let sleeping =
      "SELECT count(*) FROM pg_stat_activity WHERE query = 'SELECT pg_sleep(600)' AND datname = current_database()"
    try await waitUntil("every other session sleeps") {
      try two.server.query(sleeping, in: two.database) == "\(names.count)"
    }
    let calls = [
      "news -9223372036854775808 0", "news 9223372036854775807 0", "news 0 0", "news", "news 1", "news x y",
      "news 1 9223372036854775807", "events x y 9223372036854775807", "events x y -1",
    ]
    for call in calls { try two.server.query("SELECT pg_notify('poolflow_nodes', '\(call)')", in: two.database) }
    try two.server.query(
      "SELECT pg_notify('poolflow_nodes', 'news ' || n || ' 0') FROM generate_series(1000, 3000) AS n",
      in: two.database)
    _ = try await ear.told()
    // A valid event among them is received.
    try await two.north.notifyOtherNodes()
    #expect(try await ear.told() != nil)
    for session in sessions {
      kill(session.pid, SIGKILL)
      session.end()
    }
  }

  @Test func `a node that missed an event or received an unknown one scans all partitions`() async throws {
    let two = try await two()
    var ear = try await Ear(two)
    try two.server.query(
      "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE application_name LIKE 'poolflow-node south %' "
        + "AND datname = current_database()", in: two.database)
    try await two.north.notifyOtherNodes()
    var told: PartitionSet?
    while told == nil {
      do { told = try await ear.told() } catch StoreError.refused(_, .away) {}
    }
    #expect(told == .all)
    // A notification as an older version sends it, without partitions.
    try two.server.query(
      "UPDATE poolflow.node_news SET number = number + 1; NOTIFY poolflow_nodes", in: two.database)
    #expect(try await ear.told() == .all)
    try await two.north.notifyOtherNodes()
    #expect(try await ear.told() == PartitionSet.none)
  }

  @Test func `a standalone daemon and nodes exclude each other on one store`() async throws {
    let two = try await two()
    let refusal = #expect(throws: StoreError.self) { try open(two.server, two.database, nil) }
    #expect(refusal?.description.contains("poolflowd north") == true, "\(String(describing: refusal))")
    try await two.north.endEpoch(at: now)
    try await two.south.endEpoch(at: now)
    let alone = try open(two.server, two.database, nil)
    #expect(alone.partitions == .all)
    let other = #expect(throws: StoreError.self) { try open(two.server, two.database, "north") }
    #expect(other?.description.contains("in use by another daemon") == true, "\(String(describing: other))")
    try await alone.endEpoch(at: now)
  }

  @Test func `a version that migrates the store starts once the last older node has left`() async throws {
    let two = try await two()
    let next = Schema.migrations + ["CREATE TABLE later (number INTEGER NOT NULL) STRICT"]
    for leaving in [two.north, two.south] {
      let refusal = #expect(throws: StoreError.self) { try open(two.server, two.database, "west", migrations: next) }
      #expect(refusal?.description.contains("poolflowd ") == true, "\(String(describing: refusal))")
      try await leaving.endEpoch(at: now)
    }
    // The server needs a moment to notice that refused nodes have disconnected; a daemon retries.
    var west: Store?
    while west == nil {
      do { west = try open(two.server, two.database, "west", migrations: next) } catch StoreError.refused(_, .held) {}
    }
    let first = try #require(west)
    #expect(try await first.take(.all).taken == .all)
    // Nodes of its own version may join; a node of the older version is refused.
    let south = try open(two.server, two.database, "south", migrations: next)
    #expect(south.epoch == first.epoch + 1)
    let late = #expect(throws: StoreError.self) { try open(two.server, two.database, "north") }
    #expect(late?.description.contains("newer poolflowd") == true, "\(String(describing: late))")
  }

  @Test func `a partition set is printed as ranges and parsed from a list`() {
    #expect("\(PartitionSet([0, 1, 2, 9, 62, 63, 64, -1]))" == "0-2, 9, 62-63")
    #expect(PartitionSet(list: "3,5,x") == PartitionSet([3, 5]) && PartitionSet(list: nil) == .none)
    #expect(
      PartitionSet.all.count == 64 && PartitionSet.all.contains(team: TeamID(129)) && PartitionSet(of: nil) == .ofServer
    )
    #expect(PartitionSet(of: TeamID(129)) == PartitionSet(partition: 1))
  }
}
