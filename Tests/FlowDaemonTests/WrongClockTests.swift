import FlowControl
import FlowModel
import FlowNotices
import FlowScheduler
import FlowStore
import FlowTestKit
import FlowWork
import PoolJobs
import Testing

@testable import FlowAnswers

/// Correction of a clock that was ahead: no slot is lost, and no slot runs twice.
@Suite struct WrongClockTests {
  private func instant(_ text: String) throws -> Timestamp { try #require(Timestamp(rfc3339: text)) }

  private func mornings(_ fixture: ServiceFixture) async throws -> [RunRecord] {
    try await fixture.store.history(HistoryQuery(kind: .morningSummary, limit: 100))
  }

  @Test(arguments: [Duration.hours(20), .hours(24), .minutes(24 * 60 + 45)], [true, false])
  func `a clock that is ahead for a day and corrected costs no morning`(by distance: Duration, restarts: Bool)
    async throws
  {
    let settings = "[Sink drop]\nType = file-drop\n"
    var fixture = try await ServiceFixture(at: try instant("2026-03-02T13:20:00Z"), settings: settings)
    try await fixture.scheduler.prepare()
    await fixture.scheduler.runDueJobs()
    for step in [distance, .zero - distance] {
      fixture.clock.advance(by: step)
      if restarts {
        let now = fixture.clock.now()
        try await fixture.store.endEpoch(at: now.advanced(by: .zero - step))
        fixture = try await ServiceFixture(in: fixture.scratch, at: now, settings: settings)
        try await fixture.scheduler.prepare()
      }
      await fixture.scheduler.runDueJobs()
    }
    for day in ["2026-03-02", "2026-03-03", "2026-03-04"] {
      fixture.clock.set(try instant("\(day)T14:00:00.500Z"))
      await fixture.scheduler.runDueJobs()
      let slot = try instant("\(day)T14:00:00Z")
      #expect(try await mornings(fixture).filter { $0.slot == slot }.map(\.outcome) == [.notified], "\(day)")
    }
    let told = try await fixture.store.outbox(OutboxQuery(limit: 100)).map(\.notice).filter {
      $0.job == "morning-summary"
    }
    #expect(told.count == 3 && Set(told.map(\.id)).count == 3, "\(told.map(\.id))")
  }
}
