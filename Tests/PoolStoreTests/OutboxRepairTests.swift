import PoolJobs
import PoolModel
import PoolNotices
import PoolPlatform
import PoolStore
import PoolTestKit
import Testing

struct OutboxRepairTests {
  private let folder: TemporaryFolder
  private let store: Store
  private let now = Samples.mondayMorning
  private let later = Samples.mondayMorning.advanced(by: .hours(1))

  init() throws {
    folder = try TemporaryFolder()
    store = try Store(path: folder.path + "/poolflow.db", now: Samples.mondayMorning, version: "test")
  }

  private func open() throws -> Store { try Store(path: store.path, now: later, version: "test") }

  /// Notices of the server itself, an hour apart, each for two sinks.
  private func tell(_ count: Int, expiresAt: Timestamp? = nil) async throws {
    for number in 0..<count {
      let at = now.advanced(by: .milliseconds(number))
      let notice = Notice(
        id: "n-\(number)", teamID: nil, teamName: "", jobID: nil, job: "operator", slot: at, identifier: "i.\(number)",
        title: "t", body: "b", lines: [], dataJSON: "", lateness: .zero, createdAt: at, expiresAt: expiresAt,
        severity: .error)
      let told = try await store.tell(notice, routes: [SinkRoute(sink: "drop"), SinkRoute(sink: "out")], now: now)
      #expect(told == ["drop", "out"])
    }
  }

  private func states(_ sink: String) async throws -> [EntryState] {
    try await store.outbox(OutboxQuery(sink: sink)).reversed().map(\.state)
  }

  private func kill(_ sequences: [Int64]) async throws {
    try await store.markRefused(
      sequences.map { EntryRefusal(sequence: $0, error: "no", nextTryAt: nil) }, at: now)
  }

  @Test func `a route decides when a notice is written, and a notice that nobody takes is not written`() async throws {
    let notice = OperatorNotice.sinkSick(sink: "drop", trouble: "it is gone").notice(at: now, install: "x")
    let routes = [
      SinkRoute(sink: "a", teams: ["coast"]), SinkRoute(sink: "b", jobs: ["low-stock"]),
      SinkRoute(sink: "c", severity: .error),
    ]
    #expect(try await store.tell(notice, routes: Array(routes.prefix(2)), now: now).isEmpty)
    #expect(try await store.lastTold(notice.identifier) == nil)
    #expect(try await store.tell(notice, routes: routes, now: now) == ["c"])
    #expect(try await store.lastTold(notice.identifier) == now)
    let entry = try #require(try await store.outbox(OutboxQuery()).first)
    #expect(entry.notice == notice && entry.sink == "c")
    #expect(try await store.entry(entry.sequence)?.notice.jobID == nil)
  }

  @Test func `dead letters live again, but not those that have expired; a count changes nothing`() async throws {
    try await tell(2)
    try await kill([1, 2, 3])
    let drop = EntrySelection(sink: "drop")
    #expect(try await store.reviveDead(drop, now: later, dryRun: true) == RepairCount(changed: 2, left: 0))
    #expect(try await states("drop") == [.dead, .dead])
    #expect(try await store.reviveDead(drop, now: later, dryRun: false) == RepairCount(changed: 2, left: 0))
    #expect(try await states("drop") == [.pending, .pending])
    #expect(try await states("out") == [.dead, .pending])
    let entry = try #require(try await store.entry(1))
    #expect(entry.attempts == 0 && entry.lastError == nil && entry.nextTryAt == later)
  }

  @Test func `what has expired stays dead and is counted`() async throws {
    try await tell(1, expiresAt: later)
    try await kill([1, 2])
    #expect(
      try await store.reviveDead(EntrySelection(), now: later, dryRun: false) == RepairCount(changed: 0, left: 2))
    #expect(try await states("drop") == [.dead])
  }

  @Test func `what waits for its next try is due now, and nothing is put off`() async throws {
    try await tell(1)
    try await store.markRefused(
      [EntryRefusal(sequence: 1, error: "no", nextTryAt: now.advanced(by: .hours(24)))], at: now)
    _ = try await store.hasten(EntrySelection(noticeID: "n-0"), now: later, dryRun: false)
    #expect(try await store.entry(1)?.nextTryAt == later)
    #expect(try await store.entry(2)?.nextTryAt == now)
  }

  @Test func `a discard leaves what is staged, and a delivery that was quicker is told as one`() async throws {
    try await tell(2)
    try await store.markStaged([1], at: now)
    let count = try await store.discard(
      EntrySelection(sink: "drop"), reason: "discarded by root", now: now, dryRun: false)
    #expect(count == RepairCount(changed: 1, left: 1))
    #expect(try await states("drop") == [.staged, .dead])
    #expect(try await store.entry(3)?.lastError == "discarded by root")
    // Its lane had it in hand.
    try await store.markSent([3], at: later)
    #expect(try await states("drop") == [.staged, .sent])
  }

  @Test func `a purge forgets dead letters only, and since, sink and notice narrow it`() async throws {
    try await tell(3)
    try await kill([1, 2, 3, 4])
    let since = EntrySelection(sink: "drop", since: now.advanced(by: .milliseconds(1)))
    #expect(try await store.purgeDead(since, dryRun: false).changed == 1)
    #expect(try await store.entry(3) == nil)
    #expect(try await store.purgeDead(EntrySelection(noticeID: "n-0"), dryRun: false).changed == 2)
    #expect(try await states("out") == [.dead, .pending])
  }

  @Test func `after a restore everything undelivered is held until it is released`() async throws {
    try await tell(2)
    try await store.markStaged([1], at: now)
    try await store.markSent([2], at: now)
    #expect(try await store.holdUndelivered() == 3)
    #expect(try await store.dueEntries(sink: "drop", now: later, limit: 9).isEmpty)
    #expect(try await store.nextDue(sink: "drop") == nil)
    #expect(try await store.release(EntrySelection(sink: "drop"), now: later, dryRun: false).changed == 2)
    #expect(try await states("drop") == [.pending, .pending])
    #expect(try await states("out") == [.sent, .held])
    let depth = try #require(try await store.sinkDepths().first { $0.sink == "out" })
    #expect(depth.counts == [.sent: 1, .held: 1] && depth.oldest == nil && depth.lastSent == now)
  }

  @Test func `a store that has seen less than the mark beside it was put back from a copy`() async throws {
    #expect(try await store.isOlder(than: LifeMark(epoch: 0, hasEnded: false)) == false)
    #expect(try await store.isOlder(than: LifeMark(epoch: 1, hasEnded: false)))
    try await store.endEpoch(at: now)
    let second = try open()
    #expect(try await second.isOlder(than: LifeMark(epoch: 1, hasEnded: true)) == false)
    #expect(try await second.isOlder(than: LifeMark(epoch: 1, hasEnded: false)) == false)
    // The second life ended, its mark says so, and this copy was made while it lived.
    let third = try open()
    #expect(try await third.isOlder(than: LifeMark(epoch: 2, hasEnded: true)))
    #expect(try await third.isOlder(than: LifeMark(epoch: 2, hasEnded: false)) == false)
  }

  @Test func `a mark is read as it was written, and what is none is nothing`() throws {
    let path = folder.path + "/life"
    #expect(LifeMark(path: path) == nil)
    for mark in [LifeMark(epoch: 7, hasEnded: false), LifeMark(epoch: 8, hasEnded: true)] {
      try mark.write(to: path)
      #expect(LifeMark(path: path) == mark)
    }
  }

  @Test func `a backlog is given in order, staged ones first, without those that are not due`() async throws {
    try await tell(40)
    try await store.markStaged([21, 31], at: now)
    try await store.markRefused([EntryRefusal(sequence: 1, error: "no", nextTryAt: later)], at: now)
    let due = try await store.dueEntries(sink: "drop", now: now, limit: 5)
    #expect(due.map(\.sequence) == [21, 31, 3, 5, 7])
  }
}
