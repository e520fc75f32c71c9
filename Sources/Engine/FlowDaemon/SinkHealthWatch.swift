import FlowDelivery
import FlowModel
import FlowNotices
import FlowPlatform
import FlowServices
import FlowStore
import FlowWork

/// Turns health changes of sinks into notices for the operator, sent through the other sinks.
struct SinkHealthWatch: Sendable {
  private let events: AsyncStream<DeliveryEvent>
  private let continuation: AsyncStream<DeliveryEvent>.Continuation

  init() {
    // If the reader cannot keep up, the oldest events are dropped; the log has all of them.
    (events, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(Limits.deliveryEvents))
  }

  /// Queues an event. Returns at once; may be called from any thread.
  func handle(_ event: DeliveryEvent) {
    continuation.yield(event)
  }

  /// True if the refused notice was itself for the operator, not for a team.
  private func isForOperator(_ event: DeliveryEvent, _ store: any OutboxAdmin) async throws -> Bool {
    guard case .refused(_, let refusal) = event else { return false }
    return try await store.entry(refusal.sequence)?.notice.jobID == nil
  }

  /// Handles events until the task is cancelled.
  ///
  /// - Parameter routes: the present routes of all sinks.
  func handleEvents(
    store: any Ledger & OutboxAdmin, dispatcher: Dispatcher, clock: any WallClock, log: DaemonLog,
    routes: @Sendable () async -> [SinkRoute]
  ) async {
    var notices = SinkHealthNotices()
    for await event in events {
      do {
        let isForOperator = try await isForOperator(event, store)
        let (now, earlier) = (clock.now(), notices)
        if notices.knows(event.sink) {
          var after = notices
          if after.handle(event, isForOperator: isForOperator, now: now) == nil {
            notices = after
            continue
          }
        }
        // Compare with the notices on record: an earlier process, or another node with the same sink, may have sent this one.
        let others = await routes().filter { $0.sink != event.sink }
        let install = store.install
        let (acceptingSinks, after) = try await store.notify(after: event.identifiers, routes: others, now: now) {
          last in
          var after = earlier
          after.remember(
            event.sink,
            SinkHealthNotices.NoticeTimes(sick: last[0], well: last[1], deadLetters: last[2], degraded: last[3]))
          let notice = after.handle(event, isForOperator: isForOperator, now: now)
          return (notice?.notice(at: now, install: install), after)
        }
        notices = after
        dispatcher.wake(Set(acceptingSinks))
      } catch {
        // The event itself has been logged already.
        log.error("the operator could not be notified about the sink '\(event.sink)': \(error)")
      }
    }
  }
}

extension DeliveryEvent {
  var sink: String {
    switch self {
    case .refused(let sink, _), .sick(let sink, _, _), .well(let sink), .working(let sink), .degraded(let sink, _),
      .restored(let sink):
      sink
    }
  }
}

extension DeliveryEvent {
  /// Identifiers of the notices about this sink, in the order of `NoticeTimes`: unhealthy, healthy, dead letters, degraded.
  fileprivate var identifiers: [String] {
    let notices: [OperatorNotice] = [
      .sinkSick(sink: sink, trouble: ""), .sinkWell(sink: sink), .deadLetters(sink: sink, count: 1, reason: ""),
      .sinkDegraded(sink: sink, lines: [], count: 1),
    ]
    return notices.map { OperatorNotice.identifier($0.word, sink: sink) }
  }
}
