import PoolWork
import PoolDelivery
import PoolModel
import PoolNotices
import PoolPlatform
import PoolSettings
import PoolStore

/// Tells the operator, as notices to the sinks that take them.
struct OperatorNotices: Sendable {
  let store: any Ledger & NodeShares & OutboxAdmin & Troubles
  let dispatcher: Dispatcher?
  let settings: SettingsInForce
  let clock: any WallClock
  let log: DaemonLog

  private var routes: [SinkRoute] {
    get async { await settings.reading.settings.sinks.map(\.route) }
  }

  func tell(_ notice: OperatorNotice, now: Timestamp) async throws {
    try await tell(notice, by: await routes, now: now)
  }

  /// Over these routes alone.
  func tell(_ notice: OperatorNotice, by routes: [SinkRoute], now: Timestamp) async throws {
    let told = try await store.tell(notice.notice(at: now, install: store.install), routes: routes, now: now)
    dispatcher?.wake(Set(told))
    // What is the server's is brought by whoever has its share.
    if !told.isEmpty, !isTheOne { try await store.tellOthers() }
  }

  /// Whether this daemon is the one that looks after what is nobody's.
  var isTheOne: Bool { store.servesServer }

  /// As `tell`, unless it was told within the day: neither another try nor a restart is a reason to say it again.
  func tellOnce(_ notice: OperatorNotice, now: Timestamp) async throws {
    if let last = try await lastTold(notice), last <= now, now.since(last) < .hours(20) { return }
    try await tell(notice, now: now)
  }

  func lastTold(_ notice: OperatorNotice) async throws -> Timestamp? {
    try await store.lastTold(OperatorNotice.identifier(notice.word, sink: notice.sink))
  }

  /// Tells of the teams in trouble that were not told yet.
  func tellTroubles() async {
    guard isTheOne else { return }
    do {
      dispatcher?.wake(Set(try await store.tellTroubles(routes: await routes, now: clock.now())))
    } catch {
      log.error("the operator could not be told of teams in trouble: \(error); trying again within a minute")
    }
  }
}
