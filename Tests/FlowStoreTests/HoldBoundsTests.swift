import FlowModel
import FlowStore
import FlowTestKit
import FlowWork
import PoolJobs
import Testing

/// The owner of a hold and how long it is still listed.
struct HoldBoundsTests {
  private let folder: TemporaryFolder
  private let now = Samples.mondayMorning

  init() throws { folder = try TemporaryFolder() }

  private func minutes(_ number: Int) -> Timestamp { now.advanced(by: .minutes(number)) }

  private func addTeam(_ name: String, to store: any Engine.Opened) async throws -> [JobRecord] {
    let team = try await store.addTeam(Samples.team(name), defaultTechnician: "anna", now: now) { _ in
      [
        JobPlan(kind: .morningSummary, rule: .calendar("*-*-* 07:00:00")),
        JobPlan(kind: .weeklyDigest, rule: .calendar("Mon *-*-* 08:00:00")),
      ]
    }
    let jobs = try await store.jobs(of: team.id)
    return try [JobKind.morningSummary, .weeklyDigest].map { kind in try #require(jobs.first { $0.kind == kind }) }
  }

  private func pause(_ team: TeamID?, _ job: JobID?, _ note: String) -> HoldRequest {
    HoldRequest(teamID: team, jobID: job, kind: .pause(until: nil), note: note, setBy: "anna")
  }

  @Test(arguments: Engine.all)
  func `a hold is listed for its own team between its start and its end`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let jobs = try await addTeam("desert-blue", to: store)
    let others = try await addTeam("elm-pools", to: store)
    _ = try await store.hold(pause(jobs[0].teamID, nil, "ours"), now: minutes(10))
    #expect(try await store.release(team: jobs[0].teamID, job: nil, now: minutes(20), by: "ben") == 1)
    for (from, to, isThere) in [
      (0, 9, false), (0, 10, true), (10, 20, true), (12, 15, true), (20, 30, true), (21, 30, false),
    ] {
      let ours = try await store.holds(of: jobs[0].teamID, from: minutes(from), to: minutes(to))
      #expect(ours.map(\.note) == (isThere ? ["ours"] : []), "\(from) to \(to)")
      #expect(try await store.holds(of: others[0].teamID, from: minutes(from), to: minutes(to)).isEmpty)
    }
  }

  @Test(arguments: Engine.all)
  func `an ended pause is listed until every slot that it held is settled`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let jobs = try await addTeam("desert-blue", to: store)
    // The other team's jobs are unsettled: they must not affect this team's holds.
    _ = try await addTeam("elm-pools", to: store)
    let team = jobs[0].teamID
    for (job, cursor) in zip(jobs, [120, 60]) {
      _ = try await store.take([JobTick(job: job, cursor: minutes(cursor), claims: [])], now: minutes(cursor))
    }
    for (job, end, isOpen) in [
      (jobs[0].id, 90, false), (jobs[0].id, 121, true), (jobs[1].id, 60, false), (jobs[1].id, 90, true),
      (nil as JobID?, 30, false), (nil, 90, true),
    ] {
      let note = "\(job.map { "\($0)" } ?? "all") until \(end)"
      _ = try await store.hold(pause(team, job, note), now: now)
      _ = try await store.release(team: team, job: job, now: minutes(end), by: "ben")
      #expect(try await store.holds(of: team).contains { $0.note == note } == isOpen, "\(note)")
      #expect(try await store.holds().contains { $0.note == note } == isOpen, "\(note)")
    }
  }

  @Test(arguments: Engine.all)
  func `holds are listed in the order they were made`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let jobs = try await addTeam("desert-blue", to: store)
    for (job, note) in [(jobs[1].id, "first"), (jobs[0].id, "second"), (nil, "third")] {
      _ = try await store.hold(pause(jobs[0].teamID, job, note), now: now)
    }
    #expect(try await store.holds(of: jobs[0].teamID, from: now, to: now).map(\.note) == ["first", "second", "third"])
    #expect(try await store.holds(of: jobs[0].teamID).map(\.note) == ["first", "second", "third"])
  }

  @Test(arguments: Engine.all)
  func `a used-up skip is removed, and skips of other jobs stay`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    let jobs = try await addTeam("desert-blue", to: store)
    var holds: [Hold] = []
    for job in jobs {
      holds.append(
        try await store.hold(
          HoldRequest(teamID: job.teamID, jobID: job.id, kind: .skip(left: 1), note: "", setBy: "anna"), now: now))
    }
    // Two slots of the same skip: it is used up once.
    for slot in [minutes(30), minutes(60)] {
      let skipped = SkippedSlot(
        jobID: jobs[0].id, generation: jobs[0].generation, slot: slot, outcome: .skipped, reason: "skipped-by-hand",
        detail: "s", holdID: holds[0].id)
      _ = try await store.take([JobTick(job: jobs[0], cursor: slot, claims: [], passed: [skipped])], now: slot)
    }
    #expect(try await store.holds(of: jobs[0].teamID).map(\.id) == [holds[1].id])
    #expect(try await store.release(team: jobs[0].teamID, job: jobs[0].id, now: minutes(90), by: "ben") == 0)
    #expect(try await store.release(team: jobs[1].teamID, job: jobs[1].id, now: minutes(90), by: "ben") == 1)
  }
}
