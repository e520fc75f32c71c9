import FlowDelivery
import FlowModel
import FlowNotices
import FlowStore
import FlowTestKit
import Testing
import TradeStores

/// Entries that a wrong clock marked as expired.
struct UntimelyTests {
  @Test func `an entry wrongly expired by the clock is delivered, other dead entries stay dead`() async throws {
    let folder = try TemporaryFolder(inMemory: true)
    let now = Samples.mondayMorning
    let store = try Store(place: .ofTest(folder.path), now: now, version: "test")
    func notice(_ id: String, expires: Timestamp) -> Notice {
      Notice(
        id: id, teamID: nil, teamName: "", jobID: nil, job: OperatorNotice.job, slot: now, identifier: "i", title: "t",
        body: "b", lines: [], dataJSON: "", lateness: .zero, createdAt: now, expiresAt: expires)
    }
    let (soon, past) = (now.advanced(by: .hours(1)), now.advanced(by: .hours(-1)))
    for (id, expires) in [("a", soon), ("b", soon), ("c", past)] {
      _ = try await store.notify(notice(id, expires: expires), routes: [SinkRoute(sink: "drop")], now: now)
    }
    for entry in try await store.outbox(OutboxQuery()) {
      let id = entry.notice.id
      let error =
        id == "b" ? "refused" : DeliveryError.expired(notice: id, at: id == "c" ? past : soon).description
      try await store.markRefused([EntryRefusal(sequence: entry.sequence, error: error, next: .dead)], at: now)
    }
    #expect(try await store.reviveExpiredByWrongClock(now: now) == 1)
    #expect(try await store.dueEntries(sink: "drop", now: now, limit: 10).map(\.notice.id) == ["a"])
    #expect(try await store.outbox(OutboxQuery(state: .dead)).count == 2)
  }
}
