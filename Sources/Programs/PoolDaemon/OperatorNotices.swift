import PoolWork
import PoolDelivery
import PoolModel
import PoolNotices
import PoolPlatform
import PoolSettings
import PoolStore

/// Sends notices about the server to the operator, through the sinks that accept them.
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

  /// Sends a notice over these routes only.
  func tell(_ notice: OperatorNotice, by routes: [SinkRoute], now: Timestamp) async throws {
    let told = try await store.tell(notice.notice(at: now, install: store.install), routes: routes, now: now)
    dispatcher?.wake(Set(told))
    // The owner of partition 0 delivers the server's notices.
    if !told.isEmpty, !isTheOne { try await store.tellOthers() }
  }

  /// True on the node that owns partition 0, which does server-wide work.
  var isTheOne: Bool { store.servesServer }

  /// Sends a notice unless the same one was sent within the last 20 hours: retries and restarts must not repeat it.
  func tellOnce(_ notice: OperatorNotice, now: Timestamp) async throws {
    if let last = try await lastTold(notice), last <= now, now.since(last) < .hours(20) { return }
    try await tell(notice, now: now)
  }

  /// When the operator last got a notice of this kind about the same sink; nil if never.
  func lastTold(_ notice: OperatorNotice) async throws -> Timestamp? {
    try await store.lastTold(OperatorNotice.identifier(notice.word, sink: notice.sink))
  }

  /// Notifies the operator of teams that have failures not yet reported.
  func tellTroubles() async {
    guard isTheOne else { return }
    do {
      dispatcher?.wake(Set(try await store.tellTroubles(routes: await routes, now: clock.now())))
    } catch {
      log.error("the operator could not be told of teams in trouble: \(error); trying again within a minute")
    }
  }
}
