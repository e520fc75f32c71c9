import FlowDelivery
import FlowModel
import FlowNotices
import FlowPlatform
import FlowSettings
import FlowStore
import FlowWork

/// Sends notices about the server to the operator, through the sinks that accept them.
struct OperatorNotices: Sendable {
  let store: any Ledger & ClusterPartitions & OutboxAdmin & TeamFailures
  let dispatcher: Dispatcher?
  let settings: EffectiveSettings
  let clock: any WallClock
  let log: DaemonLog

  private var routes: [SinkRoute] {
    get async { await settings.reading.settings.sinks.map(\.route) }
  }

  func notify(_ notice: OperatorNotice, now: Timestamp) async throws {
    try await notify(notice, by: await routes, now: now)
  }

  /// Sends a notice over these routes only.
  func notify(_ notice: OperatorNotice, by routes: [SinkRoute], now: Timestamp) async throws {
    let acceptingSinks = try await store.notify(
      notice.notice(at: now, install: store.install), routes: routes, now: now)
    dispatcher?.wake(Set(acceptingSinks))
    // The owner of partition 0 delivers the server's notices.
    if !acceptingSinks.isEmpty, !ownsServerWork { try await store.notifyOtherNodes() }
  }

  /// True on the node that owns partition 0, which does server-wide work.
  var ownsServerWork: Bool { store.servesServer }

  /// Sends a notice unless the same one was sent within the last 20 hours: retries and restarts must not repeat it.
  func sendOnce(_ notice: OperatorNotice, now: Timestamp) async throws {
    if let last = try await lastNoticeTime(notice), last <= now, now.since(last) < .hours(20) { return }
    try await notify(notice, now: now)
  }

  /// When the operator last got a notice of this kind about the same sink; nil if never.
  func lastNoticeTime(_ notice: OperatorNotice) async throws -> Timestamp? {
    try await store.lastNoticeTime(OperatorNotice.identifier(notice.word, sink: notice.sink))
  }

  /// Notifies the operator of teams that have failures not yet reported.
  func notifyTeamFailures() async {
    guard ownsServerWork else { return }
    do {
      dispatcher?.wake(Set(try await store.notifyTeamFailures(routes: await routes, now: clock.now())))
    } catch {
      log.error("the operator could not be notified of failing teams: \(error); trying again within a minute")
    }
  }
}
