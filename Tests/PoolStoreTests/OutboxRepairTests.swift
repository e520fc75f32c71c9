import PoolModel
import PoolNotices
import PoolPlatform
import PoolStore
import PoolTestKit
import Testing

/// Outbox repair commands on every engine.
struct OutboxRepairTests {
  private let now = Samples.mondayMorning
  private let later = Samples.mondayMorning.advanced(by: .hours(1))

  private struct Stand {
    let folder: TemporaryFolder
    let store: any Engine.Opened
    let now = Samples.mondayMorning

    init(_ engine: Engine) throws {
      folder = try TemporaryFolder()
      store = try engine.open(folder.path, now)
    }

    /// Writes `count` server notices, an hour apart, each for two sinks.
    func notify(_ count: Int, expiresAt: Timestamp? = nil) async throws {
      for number in 0..<count {
        let at = now.advanced(by: .milliseconds(number))
        let notice = Notice(
          id: "n-\(number)", teamID: nil, teamName: "", jobID: nil, job: "operator", slot: at,
          identifier: "i.\(number)", title: "t", body: "b", lines: [], dataJSON: "", lateness: .zero, createdAt: at,
          expiresAt: expiresAt,
          severity: .error)
        let told = try await store.notify(notice, routes: [SinkRoute(sink: "drop"), SinkRoute(sink: "out")], now: now)
        #expect(told == ["drop", "out"])
      }
    }

    func states(_ sink: String) async throws -> [EntryState] {
      try await store.outbox(OutboxQuery(sink: sink)).reversed().map(\.state)
    }

    func kill(_ sequences: [Int64]) async throws {
      try await store.markRefused(
        sequences.map { EntryRefusal(sequence: $0, error: "no", next: .dead) }, at: now)
    }
  }

  @Test(arguments: Engine.all)
  func `routes apply when a notice is written, and one without sinks is dropped`(engine: Engine) async throws {
    let stand = try Stand(engine)
    let notice = OperatorNotice.sinkSick(sink: "drop", trouble: "it is gone").notice(at: now, install: "x")
    let routes = [
      SinkRoute(sink: "a", teams: ["coast"]), SinkRoute(sink: "b", jobs: ["low-stock"]),
      SinkRoute(sink: "c", severity: .error),
    ]
    #expect(try await stand.store.notify(notice, routes: Array(routes.prefix(2)), now: now).isEmpty)
    #expect(try await stand.store.lastNoticeTime(notice.identifier) == nil)
    #expect(try await stand.store.notify(notice, routes: routes, now: now) == ["c"])
    #expect(try await stand.store.lastNoticeTime(notice.identifier) == now)
    let entry = try #require(try await stand.store.outbox(OutboxQuery()).first)
    #expect(entry.notice == notice && entry.sink == "c")
    #expect(try await stand.store.entry(entry.sequence)?.notice.jobID == nil)
  }

  @Test(arguments: Engine.all)
  func `dead letters are revived unless expired, and a dry run changes nothing`(engine: Engine) async throws {
    let stand = try Stand(engine)
    try await stand.notify(2)
    try await stand.kill([1, 2, 3])
    let drop = EntrySelection(sink: "drop")
    #expect(try await stand.store.reviveDead(drop, now: later, dryRun: true) == RepairCount(changed: 2, left: 0))
    #expect(try await stand.states("drop") == [.dead, .dead])
    #expect(try await stand.store.reviveDead(drop, now: later, dryRun: false) == RepairCount(changed: 2, left: 0))
    #expect(try await stand.states("drop") == [.pending, .pending])
    #expect(try await stand.states("out") == [.dead, .pending])
    let entry = try #require(try await stand.store.entry(1))
    #expect(entry.attempts == 0 && entry.lastError == nil && entry.nextTryAt == later)
  }

  @Test(arguments: Engine.all)
  func `an expired dead letter stays dead and is counted`(engine: Engine) async throws {
    let stand = try Stand(engine)
    try await stand.notify(1, expiresAt: later)
    try await stand.kill([1, 2])
    #expect(
      try await stand.store.reviveDead(EntrySelection(), now: later, dryRun: false) == RepairCount(changed: 0, left: 2))
    #expect(try await stand.states("drop") == [.dead])
  }

  @Test(arguments: Engine.all)
  func `a retry makes a waiting entry due now and delays none`(engine: Engine) async throws {
    let stand = try Stand(engine)
    try await stand.notify(1)
    try await stand.store.markRefused(
      [EntryRefusal(sequence: 1, error: "no", next: .tryAgain(at: now.advanced(by: .hours(24))))], at: now)
    _ = try await stand.store.retryNow(EntrySelection(noticeID: "n-0"), now: later, dryRun: false)
    #expect(try await stand.store.entry(1)?.nextTryAt == later)
    #expect(try await stand.store.entry(2)?.nextTryAt == now)
  }

  @Test(arguments: Engine.all)
  func `a discard keeps staged entries, and a faster delivery is marked sent`(engine: Engine) async throws {
    let stand = try Stand(engine)
    try await stand.notify(2)
    try await stand.store.markStaged([1], at: now)
    let count = try await stand.store.discard(
      EntrySelection(sink: "drop"), reason: "discarded by root", now: now, dryRun: false)
    #expect(count == RepairCount(changed: 1, left: 1))
    #expect(try await stand.states("drop") == [.staged, .dead])
    #expect(try await stand.store.entry(3)?.lastError == "discarded by root")
    // Its lane was already delivering it.
    try await stand.store.markSent([3], at: later)
    #expect(try await stand.states("drop") == [.staged, .sent])
  }

  @Test(arguments: Engine.all)
  func `a purge removes only dead letters, narrowed by time, sink and notice`(engine: Engine) async throws {
    let stand = try Stand(engine)
    try await stand.notify(3)
    try await stand.kill([1, 2, 3, 4])
    let since = EntrySelection(sink: "drop", since: now.advanced(by: .milliseconds(1)))
    #expect(try await stand.store.purgeDead(since, dryRun: false).changed == 1)
    #expect(try await stand.store.entry(3) == nil)
    #expect(
      try await stand.store.purgeDead(EntrySelection(noticeID: "n-0"), dryRun: false)
        == RepairCount(changed: 2, left: 0))
    #expect(try await stand.states("out") == [.dead, .pending])
  }

  @Test(arguments: Engine.all)
  func `after a restore every undelivered entry is on hold until released`(engine: Engine) async throws {
    let stand = try Stand(engine)
    try await stand.notify(2)
    try await stand.store.markStaged([1], at: now)
    try await stand.store.markSent([2], at: now)
    #expect(try await stand.store.holdUndelivered() == 3)
    #expect(try await stand.store.dueEntries(sink: "drop", now: later, limit: 9).isEmpty)
    #expect(try await stand.store.nextDue(sink: "drop") == nil)
    #expect(
      try await stand.store.release(EntrySelection(sink: "drop"), now: later, dryRun: false)
        == RepairCount(changed: 2, left: 0))
    #expect(try await stand.states("drop") == [.pending, .pending])
    #expect(try await stand.states("out") == [.sent, .held])
    let depth = try #require(try await stand.store.sinkDepths().first { $0.sink == "out" })
    #expect(depth.counts == [.sent: 1, .held: 1] && depth.oldest == nil && depth.lastSent == now)
  }

  @Test(arguments: Engine.all)
  func `due entries are listed in order, staged first, without entries that are not due`(engine: Engine) async throws {
    let stand = try Stand(engine)
    try await stand.notify(40)
    try await stand.store.markStaged([21, 31], at: now)
    try await stand.store.markRefused([EntryRefusal(sequence: 1, error: "no", next: .tryAgain(at: later))], at: now)
    let due = try await stand.store.dueEntries(sink: "drop", now: now, limit: 5)
    #expect(due.map(\.sequence) == [21, 31, 3, 5, 7])
  }

  @Test(arguments: Engine.all)
  func `a notice for one sink ignores the sink's route`(engine: Engine) async throws {
    let stand = try Stand(engine)
    #expect(try await stand.store.oldestUndelivered() == nil)
    let notice = OperatorNotice.test(sink: "drop", by: "anna").notice(at: now, install: "x")
    try await stand.store.notify(notice, only: "drop", now: now)
    #expect(try await stand.store.outbox(OutboxQuery()).map(\.sink) == ["drop"])
    #expect(try await stand.store.oldestUndelivered() == now)
    try await stand.notify(1, expiresAt: later)
    try await stand.kill([1, 2, 3])
    #expect(try await stand.store.oldestUndelivered() == nil)
    let before = later.advanced(by: .seconds(-1))
    #expect(try await stand.store.unexpiredDead(now: later).isEmpty)
    #expect(try await stand.store.unexpiredDead(now: before).map(\.sequence) == [2, 3])
    #expect(try await stand.store.revive([2, 2, 9], now: before) == ["drop"])
    #expect(try await stand.states("drop") == [.dead, .pending])
    #expect(try await stand.store.nextDue(sink: "drop") == before)
  }
}
