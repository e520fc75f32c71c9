import Foundation
import PoolJobs
import PoolModel
import PoolNotices
import PoolPlatform
import PoolTestKit
import PoolWork
import Testing

@testable import PoolStore

/// Several nodes of one server's store: what each works, and what becomes of it when shares go from one to another.
@Suite(.serialized, .requires(.postgresql))
struct SharesTests {
  private let now = Samples.mondayMorning
  private static let teams = 3

  /// Two lives of a store with teams 1, 2 and 3, the first of which has all shares.
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
    let place = PostgresPlace(connection: server.connection(to: database), node: name.map { NodeIdentity(name: $0) })
    return try Store(place: .server(place), now: now, version: "test", migrations: migrations)
  }

  private func two() async throws -> Two {
    let server = try PostgresServer.shared.get()
    let database = try server.newDatabase()
    let north = try open(server, database, "north")
    #expect(north.shares == ShareSet.none)
    let first = try await north.take(.all)
    #expect(first.taken == .all && first.lost.isEmpty && north.shares == .all)
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

  /// As the scheduler and delivery see it.
  private func seen(_ store: Store) -> any Ledger & Outbox { store }

  private func endSession(of name: String, _ two: Two) throws {
    try two.server.query(
      "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE application_name LIKE 'poolflowd \(name) %' "
        + "AND datname = current_database()", in: two.database)
  }

  @Test func `each takes what nobody has, and works that alone`() async throws {
    let two = try await two()
    #expect(try await two.south.take(.all).taken.isEmpty)
    let one = ShareSet(share: 1)
    try await two.north.layDown(one)
    #expect(two.north.shares == .all - one)
    // Laid down is not free: what is begun has its end first.
    #expect(try await two.south.take(one).taken.isEmpty)
    try await two.north.give(one)
    #expect(try await two.south.take(.all).taken == one && two.south.shares == one)
    #expect(try await seen(two.north).jobsToRun().map(\.id) == two.jobs.dropFirst().map(\.id))
    #expect(try await seen(two.south).jobsToRun().map(\.id) == [two.jobs[0].id])
    #expect(try await seen(two.south).jobsToRun(of: two.jobs[1].teamID).isEmpty)
    #expect(try await seen(two.north).jobsToRun(of: ShareSet([1, 2])).map(\.id) == [two.jobs[1].id])
    #expect(try await seen(two.north).jobsToRun(of: ShareSet.none).isEmpty)
    #expect(try await two.south.jobs().count == 3)
    // By the plan of before nothing is claimed, and no cursor goes on.
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
    // In a shared folder it is nobody's leftover.
    #expect(
      try await seen(two.north).noticeIDsOfOthers(sink: "drop")
        == Set(runs.map { $0.told(at: now).outcome.notice?.id ?? "" }))
  }

  /// What a decision says of itself.
  private struct Account: DecisionAccount {
    var words: String { "" }
    let changesSeen: Int?
    var record: (any TradeRecord)? { nil }
  }

  @Test func `what was laid down and not given stays known as that, whatever is taken meanwhile`() async throws {
    let two = try await two()
    let (one, other) = (ShareSet(share: 1), ShareSet(share: 2))
    try await two.north.layDown(other)
    try await two.north.give(other)
    try await two.north.layDown(one)
    for taken in [ShareSet.none, other] {
      #expect(try await two.north.take(taken).taken == taken)
      #expect(await two.north.laidDownHere() == one)
      #expect(!two.north.shares.contains(1))
      #expect(try await seen(two.north).jobsToRun(of: one).isEmpty)
    }
    try await two.north.takeUp(one)
    #expect(await two.north.laidDownHere() == ShareSet.none)
    #expect(two.north.shares == .all)
    #expect(try await seen(two.north).jobsToRun(of: one).map(\.id) == [two.jobs[0].id])
  }

  @Test func `what was decided of a share that comes is outdated, and of no other`() async throws {
    let two = try await two()
    let one = ShareSet(share: 1)
    try await two.north.layDown(one)
    try await two.north.give(one)
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

  @Test func `what is claimed when a share is laid down is settled by who claimed it`() async throws {
    let two = try await two()
    let runs = try await two.north.take([two.jobs[0].look(at: now)], now: now)
    let one = ShareSet(share: 1)
    try await two.north.layDown(one)
    #expect(try await two.north.claimed(of: one) == 1)
    #expect(try await two.north.claimed(of: ShareSet(share: 2)) == 0)
    try await two.north.settle(runs.map { $0.told(at: now) }, routes: [SinkRoute(sink: "drop")], evenIfChanged: true)
    #expect(try await two.north.claimed(of: one) == 0)
    // What cannot be handed over stays.
    try await two.north.takeUp(one)
    #expect(two.north.shares == .all)
    #expect(try await two.north.dueEntries(sink: "drop", now: now, limit: 9).count == 1)
  }

  @Test func `what one that is gone had begun is taken up by who takes its share, and it is told of once`() async throws
  {
    let two = try await two()
    let runs = try await two.north.take(two.jobs.prefix(2).map { $0.look(at: now) }, now: now)
    #expect(runs.count == 2)
    try endSession(of: "north", two)
    let one = ShareSet(share: 1)
    let (taken, lost) = try await two.south.take(one)
    #expect(taken == one && lost.map(\.epoch) == [two.north.epoch] && lost.map(\.last) == [now])
    #expect(try await two.south.take(ShareSet(share: 2)).lost.isEmpty)
    #expect(try await two.south.reclaimOrphans(now: now, crashed: false).map(\.jobID) == two.jobs.prefix(2).map(\.id))
    // Who lost some has none: it cannot write, whatever it believes.
    let error = await #expect(throws: StoreError.self) {
      // It is not asked again at once after a failure.
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

  @Test func `who took a share over from whom is on record`() async throws {
    let two = try await two()
    #expect(try await two.south.takeovers(of: two.jobs[0].teamID, from: now, to: now).isEmpty)
    try endSession(of: "north", two)
    let before = Timestamp(milliseconds: Int64(Date.now.timeIntervalSince1970 * 1_000))
    #expect(try await two.south.take(ShareSet([0, 1])).taken == ShareSet([0, 1]))
    let found = try await two.south.takeovers(of: two.jobs[0].teamID, from: before, to: now)
    #expect(found.map(\.lost) == ["north"] && found.map(\.node) == ["south"] && found.map(\.last) == [now])
    #expect(try await two.south.takeovers(of: nil, from: before, to: now) == found)
    // Of another share, before it was last heard of, after it was taken.
    #expect(try await two.south.takeovers(of: two.jobs[1].teamID, from: before, to: now).isEmpty)
    #expect(
      try await two.south.takeovers(of: nil, from: before, to: now.advanced(by: .seconds(-1))).isEmpty)
    #expect(
      try await two.south.takeovers(of: nil, from: found[0].at.advanced(by: .seconds(1)), to: found[0].at).isEmpty)
    // What was handed over is no takeover; who looks at the store from outside sees them, too.
    try await two.south.layDown(ShareSet(share: 1))
    try await two.south.give(ShareSet(share: 1))
    let west = try open(two.server, two.database, "west")
    #expect(try await west.take(ShareSet(share: 1)).taken == ShareSet(share: 1))
    let reader = try Store(reading: .server(PostgresPlace(connection: two.server.connection(to: two.database))))
    #expect(try await reader.takeovers(of: two.jobs[0].teamID, from: before, to: now) == found)
  }

  @Test func `names of pages are one set for all nodes, and taken along from the first that comes`() async throws {
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
    // What was taken away does not come back with the next start.
    try await two.south.adoptPageNames([one: ["office": "old"]])
    #expect(try await two.north.pageNames(of: nil).isEmpty)
  }

  @Test func `what several find at the same moment is told by one of them`() async throws {
    let two = try await two()
    let sick = OperatorNotice.sinkSick(sink: "drop", trouble: "it is full")
    let now = now
    for round in 0..<20 {
      let at = now.advanced(by: .seconds(round * 60))
      let told = try await withThrowingTaskGroup(of: [String].self) { group in
        for store in [two.north, two.south] {
          group.addTask {
            try await store.tell(
              after: [OperatorNotice.identifier(sick.word, sink: "drop")], routes: [SinkRoute(sink: "post")], now: at
            ) { last in (last[0] == at ? nil : sick.notice(at: at, install: store.install), last[0]) }.told
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(told.sorted { $0.count < $1.count } == [[], ["post"]])
    }
  }

  @Test func `who only lost its session has its shares again, and none that was taken and given back`() async throws {
    let two = try await two()
    try endSession(of: "north", two)
    // The first finds that the session has ended.
    do { try await two.north.keepHold() } catch let error as StoreError where error.isServerAway {}
    try await two.north.keepHold()
    #expect(two.north.shares == .all)
    #expect(try await two.south.take(.all).taken.isEmpty)
    try endSession(of: "north", two)
    let nine = ShareSet(share: 9)
    #expect(try await two.south.take(nine).taken == nine)
    try await two.south.layDown(nine)
    try await two.south.give(nine)
    let error = await #expect(throws: StoreError.self) {
      while true {
        do { try await two.north.keepHold() } catch let error as StoreError where error.isServerAway { continue }
      }
    }
    #expect(error?.description.contains("taken over") == true, "\(String(describing: error))")
  }

  /// What a node hears of others, from when it was made.
  private struct Ear {
    let watch: NodeWatch
    private var known: Int64

    init(_ two: Two) async throws {
      let place = PostgresPlace(connection: two.server.connection(to: two.database))
      watch = try NodeWatch(place, own: NodeIdentity(name: "south"), version: "test", clock: SystemWallClock())
      known = try await watch.look().tables.news
    }

    /// Whose jobs have other rules since this was asked; nil where nothing was told. A call is heard with the number or after it.
    mutating func told() async throws -> ShareSet? {
      let before = known
      known = try await watch.look().tables.news
      return known == before ? nil : try await watch.look().tables.shares(toldAfter: before)
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

  @Test func `who has a share is told of its jobs' other rules by the transaction that changes them`() async throws {
    let two = try await two()
    // The next teams' shares are 4, 5 and so on, but for the one whose number is lost with the refusal.
    let given = ShareSet([4, 7])
    try await two.north.layDown(given)
    try await two.north.give(given)
    #expect(try await two.south.take(given).taken == given)
    var ear = try await Ear(two)
    try await add("of-south", by: two.north)
    #expect(try await ear.told() == ShareSet(share: 4))
    // Its own are nobody's news, and what was taken back is none.
    try await add("of-north", by: two.north)
    await #expect(throws: StoreError.self) { try await add("of-south", by: two.north) }
    #expect(try await ear.told() == nil)
    try await two.north.tellOthers()
    #expect(try await ear.told() == ShareSet.none)
    // The same rules again are no news.
    try await plan(at: "07:00:00", by: two.north)
    #expect(try await ear.told() == nil)
    try await plan(at: "08:00:00", by: two.north)
    #expect(try await ear.told() == ShareSet(share: 4))
  }

  /// Whoever may log in to the database may take any name and call anything, and is no reason to end.
  @Test func `what strangers of the database call themselves and say ends no look`() async throws {
    let two = try await two()
    let programs = try PostgresServer.programs()
    var ear = try await Ear(two)
    let names = [
      "poolflow-node a b c 999999999999999999", "poolflow-node a b c -9223372036854775808", "poolflow-node a b c x",
      "poolflow-node    ", "poolflowd x y z", "poolflow-waiting a b c 99999999999999999999999",
    ]
    let strangers = try names.map { name in
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
    for call in calls { try two.server.query("SELECT pg_notify('\(NodeTables.channel)', '\(call)')", in: two.database) }
    try two.server.query(
      "SELECT pg_notify('\(NodeTables.channel)', 'news ' || n || ' 0') FROM generate_series(1000, 3000) AS n",
      in: two.database)
    _ = try await ear.told()
    // What is true is heard among it.
    try await two.north.tellOthers()
    #expect(try await ear.told() != nil)
    for stranger in strangers {
      kill(stranger.pid, SIGKILL)
      stranger.end()
    }
  }

  @Test func `who has missed a call, or heard one that says nothing, looks at all`() async throws {
    let two = try await two()
    var ear = try await Ear(two)
    try two.server.query(
      "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE application_name LIKE 'poolflow-node south %' "
        + "AND datname = current_database()", in: two.database)
    try await two.north.tellOthers()
    var told: ShareSet?
    while told == nil {
      do { told = try await ear.told() } catch StoreError.refused(_, .away) {}
    }
    #expect(told == .all)
    // As a version calls that knew nothing of it.
    try two.server.query(
      "UPDATE poolflow.node_news SET number = number + 1; NOTIFY \(NodeTables.channel)", in: two.database)
    #expect(try await ear.told() == .all)
    try await two.north.tellOthers()
    #expect(try await ear.told() == ShareSet.none)
  }

  @Test func `nobody is alone with a store that has nodes, and no node comes to one who is`() async throws {
    let two = try await two()
    let refusal = #expect(throws: StoreError.self) { try open(two.server, two.database, nil) }
    #expect(refusal?.description.contains("poolflowd north") == true, "\(String(describing: refusal))")
    try await two.north.endEpoch(at: now)
    try await two.south.endEpoch(at: now)
    let alone = try open(two.server, two.database, nil)
    #expect(alone.shares == .all)
    let other = #expect(throws: StoreError.self) { try open(two.server, two.database, "north") }
    #expect(other?.description.contains("written by another daemon already") == true, "\(String(describing: other))")
    try await alone.endEpoch(at: now)
  }

  @Test func `a version that brings the store to another shape is let in once the last of the one before has left`()
    async throws
  {
    let two = try await two()
    let next = Schema.migrations + ["CREATE TABLE later (number INTEGER NOT NULL) STRICT"]
    for leaving in [two.north, two.south] {
      let refusal = #expect(throws: StoreError.self) { try open(two.server, two.database, "west", migrations: next) }
      #expect(refusal?.description.contains("poolflowd ") == true, "\(String(describing: refusal))")
      try await leaving.endEpoch(at: now)
    }
    // The server takes a moment to notice that those who were refused have gone, and a daemon asks again.
    var west: Store?
    while west == nil {
      do { west = try open(two.server, two.database, "west", migrations: next) } catch StoreError.refused(_, .held) {}
    }
    let first = try #require(west)
    #expect(try await first.take(.all).taken == .all)
    // Others of its version come beside it, and one of the version before stays out.
    let south = try open(two.server, two.database, "south", migrations: next)
    #expect(south.epoch == first.epoch + 1)
    let late = #expect(throws: StoreError.self) { try open(two.server, two.database, "north") }
    #expect(late?.description.contains("newer poolflowd") == true, "\(String(describing: late))")
  }

  @Test func `a set of shares is told in spans, and read from a list`() {
    #expect("\(ShareSet([0, 1, 2, 9, 62, 63, 64, -1]))" == "0-2, 9, 62-63")
    #expect(ShareSet(list: "3,5,x") == ShareSet([3, 5]) && ShareSet(list: nil) == .none)
    #expect(ShareSet.all.count == 64 && ShareSet.all.contains(team: TeamID(129)) && ShareSet(of: nil) == .ofServer)
    #expect(ShareSet(of: TeamID(129)) == ShareSet(share: 1))
  }
}
