package import FlowDelivery
package import FlowModel
package import FlowNotices
package import FlowPlatform
import FlowSettings
package import FlowStore
package import FlowWork

/// Sends notices about the server to the operator, through the sinks that accept them.
package struct OperatorNotices: Sendable {
  package let store: any Ledger & ClusterPartitions & OutboxAdmin & TeamFailures
  private let dispatcher: Dispatcher?
  package let settings: EffectiveSettings
  private let clock: any WallClock
  package let log: DaemonLog

  package init(
    store: any Ledger & ClusterPartitions & OutboxAdmin & TeamFailures, dispatcher: Dispatcher?,
    settings: EffectiveSettings, clock: any WallClock, log: DaemonLog
  ) {
    self.store = store
    self.dispatcher = dispatcher
    self.settings = settings
    self.clock = clock
    self.log = log
  }

  private var routes: [SinkRoute] {
    get async { await settings.reading.settings.sinks.map(\.route) }
  }

  package func notify(_ notice: OperatorNotice, now: Timestamp) async throws {
    try await notify(notice, by: await routes, now: now)
  }

  /// Sends a notice over these routes only.
  package func notify(_ notice: OperatorNotice, by routes: [SinkRoute], now: Timestamp) async throws {
    let acceptingSinks = try await store.notify(
      notice.notice(at: now, install: store.install), routes: routes, now: now)
    dispatcher?.wake(Set(acceptingSinks))
    // The owner of partition 0 delivers the server's notices.
    if !acceptingSinks.isEmpty, !ownsServerWork { try await store.notifyOtherNodes() }
  }

  /// True on the node that owns partition 0, which does server-wide work.
  package var ownsServerWork: Bool { store.servesServer }

  /// Sends a notice unless the same one was sent within the last 20 hours: retries and restarts must not repeat it.
  package func sendOnce(_ notice: OperatorNotice, now: Timestamp) async throws {
    if let last = try await lastNoticeTime(notice), last <= now, now.since(last) < .hours(20) { return }
    try await notify(notice, now: now)
  }

  /// When the operator last got a notice of this kind about the same sink; nil if never.
  package func lastNoticeTime(_ notice: OperatorNotice) async throws -> Timestamp? {
    try await store.lastNoticeTime(OperatorNotice.identifier(notice.word, sink: notice.sink))
  }

  /// Notifies the operator of teams that have failures not yet reported.
  package func notifyTeamFailures() async {
    guard ownsServerWork else { return }
    do {
      dispatcher?.wake(Set(try await store.notifyTeamFailures(routes: await routes, now: clock.now())))
    } catch {
      log.error("the operator could not be notified of failing teams: \(error); trying again within a minute")
    }
  }
}
