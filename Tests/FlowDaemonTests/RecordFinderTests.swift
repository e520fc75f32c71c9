import FlowControl
import FlowModel
import FlowNotices
import FlowServices
import FlowTestKit
import FlowWork
import Testing

@testable import FlowAnswers
@testable import FlowStore

/// Finding runs and notices by displayed ids.
struct RecordFinderTests {
  /// Scheduled and manual runs of two jobs, many within the same second; a failure shows the seed.
  @Test(arguments: [1, 2, 3] as [UInt64])
  func `each displayed run id identifies that run`(seed: UInt64) async throws {
    let fixture = try await ServiceFixture()
    var random = SeededNumbers(seed: seed)
    let team = try await fixture.store.team(named: ServiceFixture.team)
    let jobs = try await fixture.store.jobs(of: team.id).filter {
      ["morning-summary", "low-stock"].contains($0.kind.rawValue)
    }
    #expect(jobs.count == 2)
    var ids: Set<String> = []
    for _ in 0..<120 {
      let second = Int64.random(in: 0...3, using: &random) * 60 + Int64.random(in: 0...2, using: &random)
      let milliseconds = [0, 0, 1, 10, 123, 500].randomElement(using: &random) ?? 0
      let slot = ServiceFixture.monday.advanced(by: Duration.seconds(second) + .milliseconds(milliseconds))
      let job = jobs[Int.random(in: 0...1, using: &random)]
      let request = ClaimRequest(
        job: job, slot: slot, cause: milliseconds == 0 ? .schedule : .manual, asOf: slot)
      if try await !fixture.store.claim([request], now: slot).isEmpty {
        ids.insert(RunKey(jobID: job.id, slot: slot).id(of: job.kind))
      }
    }
    #expect(ids.count > 40)
    let finder = RecordFinder(store: fixture.store, clock: fixture.clock)
    for answer in [Array(ids), Array(ids.sorted().shuffled(using: &random).prefix(5))] {
      let shown = ShownIDs(runs: answer)
      for id in answer {
        // The id as shown in this answer, as shown alone, and complete.
        for text in [shown[id], ShownIDs(runs: [id])[id], id] {
          let found = try await finder.run(text)
          #expect(found == id, "seed \(seed): \(text)")
        }
        #expect(shown[id].count < 20, "\(shown[id])")
      }
    }
    // A shorter prefix than displayed is ambiguous.
    await #expect(throws: ControlError.self) { try await finder.run("0302T1430") }
  }

  @Test func `each displayed notice id identifies that notice`() async throws {
    let fixture = try await ServiceFixture()
    for milliseconds in [100, 100, 130] {
      fixture.clock.set(ServiceFixture.monday.advanced(by: .milliseconds(milliseconds)))
      _ = try await fixture.services.scheduler.run(
        SchedulerCall.Run(job: "morning-summary", team: ServiceFixture.team), fixture.caller, nil)
    }
    let finder = RecordFinder(store: fixture.store, clock: fixture.clock)
    let runs = try await fixture.store.history(HistoryQuery(limit: 10)).filter { $0.noticeID != nil }
    #expect(runs.count >= 2)
    for run in runs {
      let notice = try #require(run.noticeID)
      for text in [ShownIDs(notices: [notice])[notice], run.id, notice] {
        let found = try await finder.notice(text)
        #expect(found == notice, "\(text)")
      }
    }
  }
}
